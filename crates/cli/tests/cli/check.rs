//! `muster check` as a whole program.

use insta::assert_snapshot;
use serde_json::Value;

use crate::context::Context;

/// An error in one server, a warning in another.
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
fn it_fails_for_what_is_denied() {
    let context = faulty();
    for (words, code) in [
        (&["check"][..], 1),
        (&["check", "--deny", "never"], 0),
        (&["check", "--server", "db"], 0),
        (&["check", "--server", "db", "--deny", "warning"], 1),
        (&["check", "--server", "docs"], 1),
        (&["check", "--harness", "codex", "--deny", "note"], 0),
        (&["check", "--deny", "nothing"], 2),
    ] {
        let run = context.run(words);
        assert_eq!(run.code, code, "{words:?}: {run:?}");
    }
}

#[test]
fn it_speaks_as_a_linter() {
    let run = faulty().run(["check", "--harness", "claude-code"]);
    assert_snapshot!(run.stdout);
    assert_eq!(run.stderr, "");
    let fine = faulty().run(["check", "--harness", "codex"]).fine();
    assert_snapshot!(fine);
}

#[test]
fn it_answers_for_a_command_line() {
    let run = faulty().run(["check", "--deny", "never", "--", "codex", "exec", "hi"]);
    let answer = run.fine();
    assert!(
        answer.starts_with("error[agent-does-not-start]: "),
        "{answer}"
    );
}

#[test]
fn its_json_is_that_of_a_list_and_more() {
    let context = faulty();
    let run = context.run(["check", "--format", "json"]);
    assert_eq!(run.code, 1, "{run:?}");
    let check: Value = serde_json::from_str(&run.stdout).unwrap();
    let list = context.run(["list", "--format", "json"]).fine();
    let list: Value = serde_json::from_str(&list).unwrap();
    assert_eq!(check["schema"], "muster.check/1");
    for key in ["muster", "project", "mode", "findings"] {
        assert_eq!(check[key], list[key], "{key}");
    }
    let harnesses = check["harnesses"].as_array().unwrap();
    let listed = list["harnesses"].as_array().unwrap();
    assert_eq!(harnesses.len(), listed.len());
    for (harness, listed) in harnesses.iter().zip(listed) {
        let mut harness = harness.clone();
        let totals = harness.as_object_mut().unwrap().remove("totals");
        assert_eq!(totals, Some(Value::Null));
        assert_eq!(&harness, listed);
    }
    let schema = context.run(["schema", "check"]).fine();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    jsonschema::validate(&schema, &check).unwrap();
}
