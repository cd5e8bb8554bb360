//! `muster why`.

use insta::assert_snapshot;

use crate::context::Context;

#[test]
fn of_a_server_that_waits() {
    assert_snapshot!(Context::furnished().run(["why", "lint"]).fine());
}

#[test]
fn of_a_name_with_two_definitions() {
    assert_snapshot!(Context::furnished().run(["why", "db"]).fine());
}

#[test]
fn in_a_headless_run() {
    assert_snapshot!(
        Context::furnished()
            .run(["why", "lint", "--headless"])
            .fine()
    );
}

#[test]
fn of_a_name_that_nobody_knows() {
    assert_snapshot!(Context::furnished().run(["why", "linter"]).fine());
}

#[test]
fn how_it_would_be_started() {
    assert_snapshot!(
        Context::furnished()
            .run(["why", "db", "--launch-plan", "--harness", "claude-code"])
            .fine()
    );
}

#[test]
fn how_a_name_would_be_started_that_nobody_knows() {
    let context = Context::furnished();
    let plain = context.run(["why", "linter"]).fine();
    assert_eq!(
        context.run(["why", "linter", "--launch-plan"]).fine(),
        plain
    );
}

#[test]
fn for_a_command_line() {
    let shown = Context::furnished()
        .run(["why", "db", "--", "claude", "--strict-mcp-config"])
        .fine();
    assert!(
        shown.starts_with("db does not load in Claude Code"),
        "{shown}"
    );
}

#[test]
fn the_name_of_a_variable_is_no_secret_but_a_token_in_its_place_is() {
    let ask = |named: &str| {
        let context = Context::new().file(
            ".codex/config.toml",
            &format!("[mcp_servers.x]\nurl = \"https://host.example/mcp\"\nbearer_token_env_var = \"{named}\"\n"),
        );
        context.run(["why", "x", "--harness", "codex"]).fine()
    };
    let plain = ask("GITHUB_TOKEN");
    assert!(
        plain.contains("set GITHUB_TOKEN in the environment"),
        "{plain}"
    );
    assert!(
        plain.contains("bearer_token_env_var = \"GITHUB_TOKEN\""),
        "{plain}"
    );
    let pasted = ask("ghp_16C7e42F292c6912E7710c838347Ae178B4a");
    assert!(!pasted.contains("16C7e42F"), "{pasted}");
}

#[test]
fn of_a_server_of_another_folder() {
    let context = Context::new().file(
        ".claude.json",
        r#"{"projects": {"{{ROOT}}/other": {"mcpServers": {"a": {"command": "a"}}}}}"#,
    );
    assert_snapshot!(context.run(["why", "a", "--harness", "claude-code"]).fine());
    let listed = context.run(["list"]).fine();
    assert!(
        listed.contains("1 server for 1 other folder in ~/.claude.json: of no concern"),
        "{listed}"
    );
}

#[test]
fn of_names_that_look_like_flags_or_like_nothing() {
    let context = Context::new().file(
        ".claude.json",
        r#"{"mcpServers": {"": {"command": "a"}, " ": {"command": "b"}, "-x": {"command": "c"}}}"#,
    );
    for (name, shown) in [("", "(no name)"), (" ", "\" \""), ("-x", "-x")] {
        let told = context.run(["why", name]).fine();
        let verdict = format!("{shown} loads in Claude Code.");
        assert!(told.starts_with(&verdict), "{told}");
        let row = format!("  ● {shown}  ");
        let listed = context.run(["list"]).fine();
        assert!(listed.contains(&row), "{listed}");
    }
}

#[test]
fn of_a_server_of_an_agent() {
    let context = Context::new().file(
        ".claude/agents/ag.md",
        "---\nname: ag\ndescription: d\nmcpServers:\n  - a: {command: \"a\"}\n---\nhi\n",
    );
    let context = context.file(
        ".claude.json",
        r#"{"projects": {"{{ROOT}}": {"hasTrustDialogAccepted": true}}}"#,
    );
    let told = context.run(["why", "a", "--harness", "claude-code"]).fine();
    assert_eq!(told.matches("defined by").count(), 1, "{told}");
    assert!(
        told.contains(
            "\n Claude Code  defined by the agent ag for its own sessions\n\
             \u{20}             ~/.claude/agents/ag.md:5:5\n"
        ),
        "{told}"
    );
    let running = ["why", "a", "--", "claude", "--agent", "ag"];
    let told = context.run(running).fine();
    assert!(
        told.starts_with("a loads in Claude Code.") && !told.contains("defined by the agent"),
        "{told}"
    );
    assert!(!context.run(["list"]).fine().contains("skipped"));
}

#[test]
fn paths_in_sentences_are_shown_as_places_are() {
    let context = Context::furnished().file(
        "project/.claude/settings.json",
        r#"{"disabledMcpjsonServers": ["lint"]}"#,
    );
    let told = context.run(["why", "lint"]).fine();
    assert!(
        told.contains("out of disabledMcpjsonServers in .claude/settings.json,")
            && !told.contains("project/"),
        "{told}"
    );
}
