//! `muster why` as text.

use insta::assert_snapshot;
use muster_core::{Resolution, Scope, Status};
use muster_report::{Detail, Format, Look};

use crate::hand::Hand;
use crate::{PLAIN, hand, scenes};

fn why(resolutions: &[Resolution], name: &str, look: Look, detail: Detail) -> String {
    muster_report::why(&hand::survey(resolutions), name, Format::Text, look, detail)
        .as_str()
        .to_owned()
}

#[test]
fn of_a_server_that_waits() {
    assert_snapshot!(why(&scenes::shop(), "lint", PLAIN, Detail::Normal));
}

#[test]
fn of_a_name_with_several_definitions_in_several_agents() {
    assert_snapshot!(why(&scenes::shop(), "db", PLAIN, Detail::Normal));
}

#[test]
fn verbose() {
    assert_snapshot!(why(&scenes::shop(), "lint", PLAIN, Detail::Verbose));
}

#[test]
fn quiet_is_the_verdict() {
    assert_snapshot!(why(&scenes::shop(), "db", PLAIN, Detail::Quiet));
}

#[test]
fn at_40_columns_in_ascii() {
    assert_snapshot!(why(
        &scenes::shop(),
        "lint",
        Look {
            width: 40,
            unicode: false,
            ..PLAIN
        },
        Detail::Normal
    ));
}

#[test]
fn in_colour() {
    assert_snapshot!(
        why(
            &scenes::shop(),
            "lint",
            Look {
                colour: true,
                ..PLAIN
            },
            Detail::Normal
        )
        .replace('\u{1b}', "␛")
    );
}

#[test]
fn of_a_name_that_nobody_knows() {
    assert_snapshot!(why(&scenes::shop(), "github-mcp", PLAIN, Detail::Normal));
    assert_snapshot!(why(
        &scenes::shop(),
        "nothing-like-it",
        PLAIN,
        Detail::Normal
    ));
}

#[test]
fn of_a_name_that_concerns_only_others() {
    let file = |hand: Hand| {
        let text = "{\"db\": {\"command\": \"db\"}}";
        let verdicts = &[(Status::Configured, None)];
        hand.file("/home/me/.claude.json", Scope::User, text, verdicts)
            .elsewhere("a", "db", "defined for ~/other/folder only")
            .elsewhere("a", "db", "defined for ~/third only")
            .done()
    };
    let claude = file(Hand::new("claude-code", "Claude Code"));
    let codex = Hand::new("codex", "Codex").unreadable(
        "/home/me/.codex/config.toml",
        Scope::User,
        "cannot be read: permission denied",
    );
    let asked = [claude, codex.done()];
    assert_snapshot!(why(&asked, "a", PLAIN, Detail::Normal));
    assert!(!crate::list(&asked, PLAIN, Detail::Verbose).contains("other/folder"));
    let json = muster_report::why(
        &hand::survey(&asked),
        "a",
        Format::Json,
        PLAIN,
        Detail::Normal,
    );
    assert!(
        json.as_str()
            .contains("\"text\": \"defined for ~/third only\""),
        "{}",
        json.as_str()
    );
}

#[test]
fn of_names_that_can_hardly_be_seen() {
    for (name, shown) in [("", "called (no name) here"), (" ", "called \" \" here")] {
        let text = why(&scenes::shop(), name, PLAIN, Detail::Normal);
        assert!(text.contains(shown), "{text}");
    }
}

#[test]
fn of_a_server_with_more_than_one_thing_against_it() {
    let mut shop = scenes::shop();
    for server in &mut shop[0].servers {
        if server.definition.name == "lint" {
            server.further = vec![
                "switched off here".to_owned(),
                "denied by policy".to_owned(),
            ];
        }
    }
    let told = why(&shop, "lint", PLAIN, Detail::Normal);
    assert!(
        told.contains(
            "\n to load, first  start claude here, trust the folder, accept lint\n\
             \u{20}                or: add \"lint\" to enabledMcpjsonServers in\n\
             \u{20}                ~/.claude/settings.json\n\
             \u{20}still against   switched off here, denied by policy\n"
        ),
        "{told}"
    );
    let markdown = muster_report::why(
        &hand::survey(&shop),
        "lint",
        Format::Markdown,
        PLAIN,
        Detail::Normal,
    );
    assert!(
        markdown.as_str().contains("\nTo load, first one of:\n")
            && markdown
                .as_str()
                .contains("\nStill against it then: switched off here, denied by policy\n"),
        "{}",
        markdown.as_str()
    );
}
