//! `muster list --by server`.

use insta::assert_snapshot;
use muster_core::{Resolution, Scope, Status};
use muster_report::{Detail, Format, Look};
use unicode_width::UnicodeWidthStr as _;

use crate::hand::Hand;
use crate::{PLAIN, hand, scenes};

fn by_server(resolutions: &[Resolution], format: Format, look: Look, detail: Detail) -> String {
    let page = muster_report::list_by_server(&hand::survey(resolutions), format, look, detail);
    page.as_str().to_owned()
}

fn text(resolutions: &[Resolution], look: Look) -> String {
    by_server(resolutions, Format::Text, look, Detail::Normal)
}

const HARNESSES: [(&str, &str); 7] = [
    ("claude-code", "Claude Code"),
    ("codex", "Codex"),
    ("gemini-cli", "Gemini CLI"),
    ("cursor", "Cursor"),
    ("opencode", "OpenCode"),
    ("pi", "Pi"),
    ("muster", "Muster"),
];

const STATUSES: [(Status, Option<&str>); 7] = [
    (Status::Configured, None),
    (Status::NeedsApproval, None),
    (Status::Off, None),
    (Status::Invalid, Some("its file is broken")),
    (Status::Unknown, Some("depends")),
    (Status::Overridden, Some("project's db wins")),
    (Status::Ignored, Some("never read there")),
];

/// Seven harnesses that know `db`, each with another verdict, the second under another name; each knows one more of its own.
fn everywhere() -> Vec<Resolution> {
    let harnesses = HARNESSES.iter().zip(STATUSES).enumerate();
    harnesses
        .map(|(at, ((id, name), status))| {
            let db = if at == 1 { "database" } else { "db" };
            let text = format!(
                r#"{{"{db}": {{"command": "/opt/{at}/npx", "args": ["-y", "@acme/db"]}}, "own-{at}": {{"url": "HTTPS://h{at}.example.com:443/mcp/"}}}}"#
            );
            let path = format!("/home/me/.{id}.json");
            let verdicts = [status, (Status::Configured, None)];
            Hand::new(id, name).file(&path, Scope::User, &text, &verdicts).done()
        })
        .collect()
}

#[test]
fn of_a_shop() {
    assert_snapshot!(text(&scenes::shop(), PLAIN));
}

#[test]
fn with_seven_harnesses_at_80_columns() {
    let shown = text(&everywhere(), PLAIN);
    assert!(shown.lines().all(|line| line.width() <= 80), "{shown}");
    assert_snapshot!(shown);
}

#[test]
fn with_seven_harnesses_on_a_wide_screen() {
    let look = Look {
        width: 160,
        ..PLAIN
    };
    assert_snapshot!(text(&everywhere(), look));
}

#[test]
fn with_seven_harnesses_at_40_columns_in_ascii() {
    let look = Look {
        width: 40,
        unicode: false,
        ..PLAIN
    };
    let shown = text(&everywhere(), look);
    assert!(shown.lines().all(|line| line.width() <= 40), "{shown}");
    assert_snapshot!(shown);
}

#[test]
fn as_markdown() {
    let shown = by_server(&everywhere(), Format::Markdown, PLAIN, Detail::Normal);
    assert_snapshot!(shown);
}

#[test]
fn of_two_hundred_servers_in_every_harness() {
    let (id, name) = HARNESSES[1];
    let mut resolutions = scenes::many();
    let mut other = scenes::many().remove(0);
    (other.id, other.name) = (id, name);
    resolutions.push(other);
    let shown = text(&resolutions, PLAIN);
    assert!(
        shown.contains("200 servers: 200 load in all 2 agents"),
        "{shown}"
    );
    assert!(shown.lines().all(|line| line.width() <= 80), "{shown}");
}

#[test]
fn what_nobody_reads_has_a_row_only_for_those_who_want_everything() {
    let shown = text(&scenes::unread(), PLAIN);
    let shown: Vec<&str> = shown.split_whitespace().collect();
    let shown = shown.join(" ");
    assert!(!shown.contains("slack"), "{shown}");
    assert!(
        shown.contains("where no agent reads them (-v shows them)"),
        "{shown}"
    );
    let verbose = by_server(&scenes::unread(), Format::Text, PLAIN, Detail::Verbose);
    assert!(verbose.contains("slack"), "{verbose}");
}

#[test]
fn of_an_empty_world() {
    let shown = text(&scenes::empty(), PLAIN);
    assert_eq!(shown, crate::list(&scenes::empty(), PLAIN, Detail::Normal));
}

#[test]
fn json_adds_a_list_and_changes_nothing_else() {
    let resolutions = everywhere();
    let parse = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let mut answer = parse(&by_server(
        &resolutions,
        Format::Json,
        PLAIN,
        Detail::Normal,
    ));
    let list = muster_report::list(
        &hand::survey(&resolutions),
        Format::Json,
        PLAIN,
        Detail::Normal,
    );
    let rows = answer["by_server"].take();
    assert_eq!(answer, parse(list.as_str()));

    assert_eq!(rows.as_array().unwrap().len(), 8);
    let db = &rows[0];
    assert_eq!(db["names"], serde_json::json!(["db", "database"]));
    assert_eq!(
        db["command"],
        serde_json::json!(["/opt/0/npx", "-y", "@acme/db"])
    );
    assert_eq!(db["loads_in"], serde_json::json!(["claude-code"]));
    assert_eq!(db["not_loaded_in"].as_array().unwrap().len(), 6);
    assert_eq!(db["unknown_to"], serde_json::json!([]));
    assert_eq!(db["definitions"][1]["name"], "database");
    assert_eq!(db["definitions"][1]["status"], "needs-approval");
    assert_eq!(rows[1]["unknown_to"].as_array().unwrap().len(), 6);
}
