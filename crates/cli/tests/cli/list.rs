//! `muster list`.

use insta::assert_snapshot;
use serde_json::Value;

use crate::context::Context;

fn names_that_load(json: &str, harness: &str) -> Vec<String> {
    let list: Value = serde_json::from_str(json).unwrap();
    let harness = list["harnesses"]
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["id"] == harness)
        .unwrap()
        .clone();
    let servers = harness["servers"].as_array().unwrap();
    servers
        .iter()
        .filter(|server| server["loads"] == true)
        .map(|server| server["name"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn as_on_another_platform() {
    let context = Context::new()
        .file(
            "c/Users/me/.claude.json",
            r#"{"projects": {"c:\\Users\\me\\shop": {"mcpServers": {"db": {"command": "db"}}}}}"#,
        )
        .file("c/Users/me/shop/readme.txt", "");
    let ask = |platform: &str| {
        let root = context.path("c");
        let home = root.join("Users/me");
        let words = [
            "list",
            "--harness",
            "claude-code",
            "-q",
            "--platform",
            platform,
        ];
        let mut command = context.command();
        command.args(words).arg("--home").arg(&home);
        command.arg("--system-root").arg(&root);
        command.arg("--project").arg(home.join("shop"));
        context.finish(&mut command).fine()
    };
    assert!(ask("windows").contains("db"), "{}", ask("windows"));
    assert_eq!(ask("linux"), "");
    assert_eq!(ask("macos"), "");
}

#[test]
fn by_server() {
    let context = Context::furnished().file(
        ".codex/config.toml",
        "[mcp_servers.other]\ncommand = \"/usr/bin/npx\"\n",
    );
    let words = [
        "list",
        "--by",
        "server",
        "--harness",
        "claude-code",
        "--harness",
        "codex",
    ];
    assert_snapshot!(context.run(words).fine());
}

#[test]
fn muster_alone_is_muster_list() {
    let context = Context::furnished();
    let alone = context.run::<&str>([]).fine();
    assert_eq!(alone, context.run(["list"]).fine());
    let session = ["--", "claude", "-p", "why"];
    assert_eq!(
        context.run(session).fine(),
        context.run(["list"].iter().chain(&session)).fine()
    );
    assert_snapshot!(alone);
}

#[test]
fn in_an_empty_world() {
    assert_snapshot!(Context::new().run(["list"]).fine());
}

#[test]
fn as_markdown() {
    assert_snapshot!(
        Context::furnished()
            .run(["list", "--format", "markdown"])
            .fine()
    );
}

#[test]
fn of_one_harness_in_a_headless_run() {
    let context = Context::furnished();
    let json = context
        .run([
            "list",
            "--format",
            "json",
            "--harness",
            "claude-code",
            "--headless",
        ])
        .fine();
    let list: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(list["harnesses"].as_array().unwrap().len(), 1);
    assert_eq!(list["mode"], "headless");
    assert!(
        names_that_load(&json, "claude-code").contains(&"lint".to_owned()),
        "nobody is asked in a headless run"
    );
}

#[test]
fn of_another_folder() {
    let context = Context::furnished();
    let mut elsewhere = context.command_in(&context.path("system"));
    assert!(
        context
            .finish(elsewhere.args(["--project", "../project"]))
            .fine()
            .contains("lint")
    );
}

#[test]
fn another_home_shuts_out_the_environment_of_this_one() {
    let context = Context::furnished().file(
        "other/.claude.json",
        r#"{"mcpServers": {"mine": {"command": "mine"}}}"#,
    );
    let other = context.path("other");
    let run = context.finish(
        context
            .command()
            .env("CODEX_HOME", context.path(".codex"))
            .env("CLAUDE_CODE_SAFE_MODE", "1")
            .env("CLAUDE_CODE_SIMPLE", "1")
            .args(["-q", "--home"])
            .arg(&other),
    );
    let shown = run.fine();
    assert!(
        shown.contains("mine") && !shown.contains("github"),
        "{shown}"
    );
    let run = context.finish(
        context
            .command()
            .args(["--format", "json", "--home"])
            .arg(other),
    );
    assert!(
        !run.fine().contains("\"name\": \"files\""),
        "CODEX_HOME must not be taken from the environment"
    );
}

#[test]
fn for_a_command_line() {
    let context = Context::furnished();
    let json = context
        .run(["list", "--format", "json", "--", "claude", "-p", "hi"])
        .fine();
    let list: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (
            list["mode"].as_str(),
            list["harnesses"].as_array().unwrap().len()
        ),
        (Some("headless"), 1)
    );
    let json = context
        .run([
            "list",
            "--format",
            "json",
            "--",
            "claude",
            "--strict-mcp-config",
        ])
        .fine();
    assert!(
        names_that_load(&json, "claude-code").is_empty(),
        "only --mcp-config servers count there"
    );
}

#[test]
fn for_a_command_line_that_moves_to_another_folder() {
    let context = Context::furnished();
    let json = context
        .run([
            "list",
            "--format",
            "json",
            "--",
            "codex",
            "exec",
            "-C",
            "../system",
            "hi",
        ])
        .fine();
    let list: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (list["project"].as_str(), list["mode"].as_str()),
        (Some("[HOME]/system"), Some("headless"))
    );
}

#[test]
fn planted_secrets_stay_hidden() {
    let context = Context::furnished();
    for format in ["text", "json", "markdown"] {
        for args in [
            &["list", "-v"][..],
            &["why", "db", "-v"],
            &["why", "lint", "-v"],
            &["why", "github", "-v"],
        ] {
            let shown = context.run(args.iter().chain(&["--format", format])).fine();
            assert!(!shown.contains("canary"), "{args:?} {format}: {shown}");
        }
    }
}

#[cfg(unix)]
#[test]
fn what_stands_in_the_place_of_a_file_is_told() {
    let context = Context::new();
    std::fs::create_dir(context.path("project/.mcp.json")).unwrap();
    let shown = context.run(["list"]).fine();
    assert!(
        shown.contains("✗ .mcp.json  is a folder: not read")
            && shown.contains("No server loads; 1 file was skipped."),
        "{shown}"
    );
}

#[test]
fn a_file_that_was_only_looked_at_is_not_said_to_be_skipped() {
    let context = Context::new().file(
        "project/mcp.json",
        r#"{"mcpServers": {"a": {"command": "a"}}}"#,
    );
    let shown = context.run(["list"]).fine();
    assert!(
        shown.contains("  ○ a  project") && !shown.contains("skipped"),
        "{shown}"
    );
}

#[test]
fn a_file_of_another_agent_is_no_stray() {
    let context = Context::new()
        .file(
            "project/.mcp.json",
            r#"{"mcpServers": {"db": {"command": "db"}}}"#,
        )
        .file(
            "project/.vscode/mcp.json",
            r#"{"servers": {"code": {"command": "code"}}}"#,
        )
        .file(".pi/agent/settings.json", "{}");
    let ids = |run: crate::context::Run| {
        let list: Value = serde_json::from_str(&run.fine()).unwrap();
        let harnesses = list["harnesses"].as_array().unwrap().clone();
        let rows = harnesses.iter().flat_map(|harness| {
            let servers = harness["servers"].as_array().unwrap().iter();
            servers
                .map(|server| format!("{} {} {}", harness["id"], server["name"], server["status"]))
        });
        rows.map(|row| row.replace('"', "")).collect::<Vec<_>>()
    };
    let all = ids(context.run(["list", "--format", "json"]));
    assert!(
        all.contains(&"claude-code db needs-approval".to_owned()),
        "{all:?}"
    );
    assert!(!all.iter().any(|row| row.ends_with("ignored")), "{all:?}");
    // Asked for by its agent or its name, it is told all the same.
    let pi = ids(context.run(["list", "--format", "json", "--harness", "pi"]));
    assert_eq!(pi, ["pi db ignored", "pi code ignored"]);
    let why = context.run(["why", "code", "--format", "json"]).fine();
    assert!(

        why.contains(".vscode/mcp.json is VS Code's: Claude Code never reads it; to load it there: write it into"),
        "{why}"
    );
}

#[test]
fn what_muster_only_repeats_is_told_to_programs_alone() {
    let context = Context::new().file(
        ".claude.json",
        r#"{"mcpServers": {"db": {"command": "db"}}}"#,
    );
    let text = context.run(["list"]).fine();
    let agents = muster_harness::ALL.len();
    let headline = format!("1 server loads in 1 of {agents} agents.");
    assert!(text.contains(&headline), "{text}");
    let json = context.run(["list", "--format", "json"]).fine();
    assert_eq!(names_that_load(&json, "muster"), ["db"]);
    let alone = context.run(["list", "--harness", "muster"]).fine();
    assert!(alone.contains("● db"), "{alone}");
    let context = context.file(
        ".config/muster/config.json",
        r#"{"mcp_servers": {"own": {"command": "own"}}}"#,
    );
    let text = context.run(["list"]).fine();
    let headline = format!("3 servers load in 2 of {agents} agents.");
    assert!(text.contains(&headline), "{text}");
}
