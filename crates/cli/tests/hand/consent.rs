//! Which servers are started by hand, and which are not.

use insta::assert_snapshot;
use libtest_mimic::Trial;
use serde_json::json;

use crate::context::Context;
use crate::scene::{SERVER, done, own, run};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("a_repositorys_server_waits_for_a_yes", || {
            done(a_repositorys_server_waits_for_a_yes)
        }),
        Trial::test("a_repositorys_server_at_an_address_is_refused_too", || {
            done(a_repositorys_server_at_an_address_is_refused_too)
        }),
        Trial::test("what_the_user_rejected_stays_off", || {
            done(what_the_user_rejected_stays_off)
        }),
        Trial::test(
            "the_users_own_server_that_is_off_is_started_by_hand",
            || done(the_users_own_server_that_is_off_is_started_by_hand),
        ),
        Trial::test("agents_that_differ_are_told_apart", || {
            done(agents_that_differ_are_told_apart)
        }),
    ]
}

fn server() -> serde_json::Value {
    json!({"command": own(), "args": [SERVER]})
}

fn repository(servers: serde_json::Value) -> Context {
    Context::new().file(
        "project/.mcp.json",
        &json!({"mcpServers": servers}).to_string(),
    )
}

fn trusted(context: Context) -> Context {
    context.file(
        ".claude.json",
        r#"{"projects": {"{{ROOT}}/project": {"hasTrustDialogAccepted": true}}}"#,
    )
}

fn a_repositorys_server_waits_for_a_yes() {
    let context = trusted(repository(
        json!({"theirs": {"command": "./start", "args": ["--token", "hunterq7zq"]}}),
    ));
    for words in [
        "tools theirs",
        "call theirs x",
        "read theirs x://y",
        "prompt theirs x",
        "tools theirs --headless",
    ] {
        let refused = run(&context, words);
        assert_eq!(
            (refused.code, refused.stdout.as_str()),
            (4, ""),
            "{words}: {}",
            refused.stderr
        );
    }
    assert_snapshot!(run(&context, "tools theirs").stderr);
    let context = trusted(repository(json!({"theirs": server()}))).file(
        ".claude/settings.json",
        r#"{"enabledMcpjsonServers": ["theirs"]}"#,
    );
    assert_eq!(run(&context, "call theirs echo message=hi").fine(), "hi\n");
}

fn a_repositorys_server_at_an_address_is_refused_too() {
    let context = trusted(repository(
        json!({"far": {"type": "http", "url": "http://127.0.0.1:9/mcp"}}),
    ));
    assert_eq!(run(&context, "tools far").code, 4);
}

fn what_the_user_rejected_stays_off() {
    let context = trusted(repository(json!({"theirs": server()}))).file(
        ".claude/settings.json",
        r#"{"disabledMcpjsonServers": ["theirs"]}"#,
    );
    assert_eq!(run(&context, "tools theirs").code, 4);
}

fn the_users_own_server_that_is_off_is_started_by_hand() {
    let config = format!(
        "[mcp_servers.mine]\ncommand = {:?}\nargs = [{SERVER:?}]\nenabled = false\n",
        own()
    );
    let context = Context::new().file(".codex/config.toml", &config);
    assert_eq!(run(&context, "call mine echo message=hi").fine(), "hi\n");
}

fn agents_that_differ_are_told_apart() {
    let config = format!(
        "[mcp_servers.db]\ncommand = {:?}\nargs = [{SERVER:?}]\n",
        own()
    );
    let context = Context::new().file(".codex/config.toml", &config).file(
        ".claude.json",
        &json!({"mcpServers": {"db": {"command": "/nonexistent/db"}}}).to_string(),
    );
    assert_eq!(
        run(&context, "call db echo message=hi").refused(),
        "error: agents mean different servers by `db`: claude-code, codex\n\
         hint: --harness claude-code says whose is meant\nhint: `muster why db` tells them apart\n"
    );
    assert_eq!(
        run(&context, "call db echo message=hi --harness codex").fine(),
        "hi\n"
    );
    assert_eq!(
        run(&context, "call db echo message=hi --harness claude-code").code,
        3
    );
}
