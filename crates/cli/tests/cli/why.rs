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
fn for_a_command_line() {
    let shown = Context::furnished()
        .run(["why", "db", "--", "claude", "--strict-mcp-config"])
        .fine();
    assert!(
        shown.starts_with("db does not load in Claude Code"),
        "{shown}"
    );
}
