//! `muster ps`.

use std::time::Duration;

use insta::assert_snapshot;
use muster_core::{Agent, Fate, KnownBy, Process, RunningServer};
use muster_document::Secret;
use muster_report::{Detail, Format, Look, ps};

use crate::PLAIN;

fn server(
    pid: u32,
    agent: Option<(&'static str, &'static str, u32)>,
    command: &str,
) -> RunningServer {
    RunningServer {
        process: Process {
            pid,
            parent: agent.map_or(1, |(_, _, pid)| pid),
            start: 7,
            age: Some(Duration::from_secs(u64::from(pid))),
            memory: Some(1 << 20),
            argv: command.split(' ').map(Secret::new).collect(),
            piped: true,
            adopted: agent.is_none(),
            service: false,
        },
        descendants: vec![(pid + 1, 8)],
        memory: Some(u64::from(pid) << 14),
        agent: agent.map(|(id, name, pid)| Agent { id, name, pid }),
        definitions: Vec::new(),
        known_by: KnownBy::Name,
        orphaned: agent.is_none(),
    }
}

fn scene() -> Vec<RunningServer> {
    let claude = Some(("claude-code", "Claude Code", 400));
    let mut db = server(
        5_120,
        claude,
        "npx -y @acme/db --url postgres://me:hunter2-hunter2@db.example/shop --and --a --very --long --tail --of --arguments",
    );
    db.definitions = vec![
        ("claude-code", "db".to_owned()),
        ("codex", "database".to_owned()),
    ];
    db.known_by = KnownBy::Definition;
    let mut other = server(97, claude, "caffeinate -i");
    other.known_by = KnownBy::Parent;
    other.process.age = None;
    let escape = server(
        12_345,
        Some(("codex", "Codex", 500)),
        "docs-mcp \u{1b}[2J|x",
    );
    let orphan = server(
        277_200,
        None,
        "node /srv/old-mcp/index.js --token hunter3-hunter3",
    );
    vec![other, db, escape, orphan]
}

fn text(servers: &[RunningServer], reaped: Option<&[(u32, Fate)]>, detail: Detail) -> String {
    ps(servers, reaped, Format::Text, PLAIN, detail)
        .as_str()
        .to_owned()
}

#[test]
fn each_agent_has_a_group_and_orphans_come_last() {
    assert_snapshot!(text(&scene(), None, Detail::Normal));
}

#[test]
fn verbose_shows_everything_and_cuts_nothing_but_at_the_screen() {
    let wide = Look {
        width: 200,
        ..PLAIN
    };
    let page = ps(&scene(), None, Format::Text, wide, Detail::Verbose);
    assert_snapshot!(page.as_str());
}

#[test]
fn what_became_of_orphans_is_told() {
    let reaped = [(277_200, Fate::Terminated), (277_201, Fate::Left)];
    let page = text(&scene(), Some(&reaped), Detail::Normal);
    assert!(
        page.contains("\nProcesses: 1 ended, still running: 277201.\n"),
        "{page}"
    );
    assert!(!page.contains("--reap"));
    let page = text(&[], Some(&[]), Detail::Normal);
    assert_eq!(page, "No MCP server runs.\nNo orphan to end.\n");
}

#[test]
fn no_format_shows_a_secret_or_an_escape() {
    for format in [Format::Text, Format::Json, Format::Markdown] {
        for detail in [Detail::Quiet, Detail::Normal, Detail::Verbose] {
            let page = ps(&scene(), None, format, PLAIN, detail);
            assert!(!page.as_str().contains("hunter"), "{}", page.as_str());
            assert!(!page.as_str().contains('\u{1b}'));
        }
    }
}

#[test]
fn no_line_is_wider_than_the_screen() {
    for width in [20, 40, 80, 120] {
        let look = Look {
            width,
            unicode: false,
            ..PLAIN
        };
        let page = ps(&scene(), None, Format::Text, look, Detail::Normal);
        assert!(page.as_str().is_ascii());
        assert!(
            page.as_str().lines().all(|line| line.len() <= width),
            "{}",
            page.as_str()
        );
    }
}

#[test]
fn markdown_is_a_table_for_each_agent() {
    let page = ps(&scene(), None, Format::Markdown, PLAIN, Detail::Normal);
    assert_snapshot!(page.as_str());
}

#[test]
fn the_json_fits_its_schema() {
    let reaped = [(1, Fate::Gone), (2, Fate::Killed)];
    let page = ps(&scene(), Some(&reaped), Format::Json, PLAIN, Detail::Normal);
    let json: serde_json::Value = serde_json::from_str(page.as_str()).unwrap();
    let schema = serde_json::from_str(&muster_report::Schema::Ps.to_json()).unwrap();
    assert!(jsonschema::is_valid(&schema, &json));
    assert_eq!(json["servers"][1]["definitions"][1]["server"], "database");
    assert_eq!(json["servers"][3]["agent"], serde_json::Value::Null);
    assert_eq!(json["servers"][3]["orphaned"], true);
    assert_eq!(json["reaped"][1]["outcome"], "killed");
}
