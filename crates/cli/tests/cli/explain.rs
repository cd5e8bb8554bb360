//! `muster explain`, and findings where they are shown.

use insta::assert_snapshot;

use crate::context::Context;

#[test]
fn a_rule_is_taught_with_its_example() {
    let context = Context::new();
    assert_snapshot!(context.run(["explain", "url-without-type"]).fine());
    let markdown = context
        .run(["explain", "url-without-type", "--format", "markdown"])
        .fine();
    assert!(markdown.contains("```json\n{"), "{markdown}");
}

#[test]
fn without_a_rule_everything_that_is_looked_for_is_listed() {
    let listed = Context::new().run(["explain"]).fine();
    for check in muster_audit::CHECKS {
        assert!(listed.contains(check.id), "{}", check.id);
    }
    for harness in muster_harness::ALL {
        assert!(listed.contains(&format!("muster explain {}", harness.id())));
    }
}

#[test]
fn rules_of_an_agent_are_shown_with_their_evidence() {
    let context = Context::new();
    for harness in muster_harness::ALL {
        let listed = context.run(["explain", harness.id()]).fine();
        for rule in harness.rules() {
            assert!(listed.contains(rule.id), "{}", rule.id);
            let shown = context.run(["explain", rule.id]).fine();
            assert!(shown.contains(&rule.evidence.phrase()), "{shown}");
        }
    }
}

#[test]
fn a_misspelled_rule_is_refused_with_those_that_are_close() {
    let context = Context::new();
    assert_eq!(
        context.run(["explain", "unset-varible"]).refused(),
        "error: there is no rule `unset-varible`\nhint: did you mean unset-variable?\n"
    );
    assert_eq!(
        context.run(["explain", "zzzzzzzzzz"]).refused(),
        "error: there is no rule `zzzzzzzzzz`\nhint: `muster explain` lists the rules\n"
    );
}

fn faulty() -> Context {
    Context::new()
        .file(
            "project/.mcp.json",
            "{\"mcpServers\": {\n\"docs\": {\"url\": \"https://docs.example/mcp\"},\n\"db\": {\"command\": \"npx\", \"args\": [\"${NO_SUCH}\"]}\n}}",
        )
        .file(".claude/settings.json", r#"{"enabledMcpjsonServers": ["db", "docs"]}"#)
        .file(".claude.json", r#"{"projects": {"{{ROOT}}/project": {"hasTrustDialogAccepted": true}}}"#)
}

#[test]
fn the_list_counts_findings_and_shows_them_when_asked() {
    let context = faulty();
    let list = context.run(["list", "--harness", "claude-code"]).fine();
    assert!(
        list.contains("\n1 error, 1 warning: muster check shows them.\n"),
        "{list}"
    );
    let verbose = context
        .run(["list", "-v", "--harness", "claude-code"])
        .fine();
    let findings = verbose.find("error[").expect("findings are shown");
    assert_snapshot!(&verbose[findings..]);
    let quiet = context.run(["list", "-q"]).fine();
    assert!(!quiet.contains("error"), "{quiet}");
}

#[test]
fn the_list_for_programs_has_them_in_the_shape_of_the_contract() {
    let json = faulty().run(["list", "--format", "json"]).fine();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let first = &json["findings"][0];
    assert_eq!(first["rule"], "url-without-type");
    assert_eq!(first["severity"], "error");
    assert_eq!(first["harness"], "claude-code");
    assert_eq!(first["server"], "docs");
    assert_eq!(first["help"], "add \"type\": \"http\"");
    assert_eq!(first["origin"]["line"], 2);
}

#[test]
fn a_story_tells_what_was_found_of_its_name_alone() {
    let context = faulty();
    assert_snapshot!(
        context
            .run(["why", "db", "--harness", "claude-code"])
            .fine()
    );
    let markdown = context.run(["why", "docs", "--format", "markdown"]).fine();
    assert!(markdown.contains("(url-without-type)"), "{markdown}");
    let json = context.run(["why", "docs", "--format", "json"]).fine();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let rules: Vec<_> = json["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["rule"].as_str().unwrap())
        .collect();
    assert_eq!(rules, ["url-without-type"]);
}
