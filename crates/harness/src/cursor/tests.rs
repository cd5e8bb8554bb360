//! Whole resolutions and launch plans, told as a user would see them.

use muster_core::{Harness as _, LaunchPlan, Platform, Resolution, Server, Start};
use muster_testkit::{Stage, claims, strategies};
use proptest::prelude::*;

use super::Cursor;

/// Every server as `NAME STATUS SCOPE: SHORT`.
fn told(resolution: &Resolution) -> Vec<String> {
    let line = |server: &Server| {
        let short = server
            .short
            .as_deref()
            .map(|short| format!(": {short}"))
            .unwrap_or_default();
        format!(
            "{} {} {}{short}",
            server.definition.name,
            server.status.word(),
            server.definition.scope.word()
        )
    };
    resolution.servers.iter().map(line).collect()
}

fn asked(stage: Stage, line: &str) -> Stage {
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    stage.session(Cursor.session(&words, Stage::FOLDER.into()).unwrap())
}

/// What is told of `fixture` in the session of `line`; without one, of a plain session.
fn verdicts(fixture: &str, line: &str) -> Vec<String> {
    let stage = Stage::new(fixture);
    let stage = match line {
        "" => stage,
        line => asked(stage, line),
    };
    told(&Cursor.resolve(&stage.world()))
}

const BOTH: &str = r#"
    //- /work/repo/.git/HEAD
    ref: refs/heads/main
    //- /home/me/.cursor/mcp.json
    {"mcpServers": {"db": {"command": "db"}, "gh": {"url": "https://api.example.com/mcp"}}}
    //- /work/repo/.cursor/mcp.json
    {"mcpServers": {"db": {"command": "other"}}}
"#;

#[test]
fn a_project_server_waits_and_hides_the_users() {
    let expected = [
        "db needs-approval project: needs your approval",
        "db overridden user: project's db wins",
        "gh configured user",
    ];
    for line in ["", "agent", "agent mcp list", "agent -p hi", "agent acp"] {
        assert_eq!(verdicts(BOTH, line), expected, "{line}");
    }
    let approved = verdicts(BOTH, "agent --approve-mcps");
    assert_eq!(approved[..1], ["db configured project"]);
    let elsewhere = verdicts(BOTH, "agent --worktree");
    assert_eq!(
        elsewhere[..1],
        ["db unknown project: runs in a worktree of its own"]
    );
}

#[test]
fn the_switches_of_the_editor_cannot_be_read() {
    assert_eq!(
        verdicts(BOTH, "cursor ."),
        [
            "db unknown project: its switch in the editor",
            "db overridden user: project's db wins",
            "gh unknown user: its switch in the editor",
        ]
    );
    assert_eq!(verdicts(BOTH, "cursor agent")[2..], ["gh configured user"]);
}

#[test]
fn liberties_of_a_file_are_no_verdict_unless_something_else_decides() {
    let fixture = r#"
    //- /work/repo/.git/HEAD
    ref: refs/heads/main
    //- /home/me/.cursor/mcp.json
    {"mcpServers": {"db": {"command": "db"}, "gh": {"command": "gh"}}}
    //- /work/repo/.cursor/mcp.json
    {"mcpServers": {"db": {"command": "other"}, /* ours */ "lint": {"command": "lint"},}}
    //- /home/me/.cursor/projects/work-repo/mcp-disabled.json
    ["lint"]
"#;
    assert_eq!(
        verdicts(fixture, ""),
        [
            "db needs-approval project: needs your approval",
            "lint off project: switched off here",
            "db unknown user: the project's may win",
            "gh configured user",
        ]
    );
    assert_eq!(
        verdicts(fixture, "agent --approve-mcps"),
        [
            "db unknown project: its file is no plain JSON",
            "lint unknown project: its file is no plain JSON",
            "db unknown user: the project's may win",
            "gh configured user",
        ]
    );
    let stage = Stage::new("");
    let text = "\u{feff}{\"mcpServers\": {\"db\": {\"command\": \"db\"}}}";
    stage.tree.file("/home/me/.cursor/mcp.json", text);
    assert_eq!(
        told(&Cursor.resolve(&stage.world())),
        ["db unknown user: its file is no plain JSON"]
    );
}

#[test]
fn files_beside_the_project_root_are_named_and_not_decided() {
    let fixture = r#"
    //- /work/.cursor/mcp.json
    {"mcpServers": {"above": {"command": "a"}}}
    //- /work/repo/.git/HEAD
    ref: refs/heads/main
    //- /work/repo/sub/.cursor/mcp.json
    {"mcpServers": {"below": {"command": "b"}}}
    //- /added/.cursor/mcp.json
    {"mcpServers": {"more": {"command": "m"}}}
"#;
    let stage = asked(Stage::new(fixture), "agent --add-dir /added").folder("/work/repo/sub");
    assert_eq!(
        told(&Cursor.resolve(&stage.world())),
        [
            "below unknown project: not at the project root",
            "above unknown project: not at the project root",
            "more unknown flag: from a folder of --add-dir",
        ]
    );
}

#[test]
fn a_session_in_the_home_has_one_file_for_two() {
    let fixture = r#"
    //- /home/me/.cursor/mcp.json
    {"mcpServers": {"db": {"command": "db"}}}
"#;
    let stage = Stage::new(fixture).folder("/home/me");
    assert_eq!(
        told(&Cursor.resolve(&stage.world())),
        ["db unknown user: is the file yours or a project's"]
    );
}

#[test]
fn what_is_kept_under_an_unknown_name_is_not_known() {
    let long = format!("/work/{}", "folder/".repeat(14));
    let stage = Stage::new(BOTH).folder(&long);
    stage.tree.folder("/home/me/.cursor/projects/other");
    assert_eq!(
        told(&Cursor.resolve(&stage.world())),
        [
            "db unknown user: switches not found",
            "gh unknown user: switches not found"
        ]
    );
    let stage = Stage::new(BOTH);
    let kept = "/home/me/.cursor/projects/work-repo/mcp-disabled.json";
    stage.tree.file(kept, "{}");
    assert_eq!(
        told(&Cursor.resolve(&stage.world()))[2..],
        ["gh unknown user: switches cannot be read"]
    );
}

#[test]
fn of_a_switch_and_approve_mcps_sources_disagree() {
    let fixture = r#"
    //- /home/me/.cursor/mcp.json
    {"mcpServers": {"db": {"command": "db"}}}
    //- /home/me/data/projects/work-repo/mcp-disabled.json
    ["db"]
"#;
    for (line, expected) in [
        (
            "agent --data-dir /home/me/data",
            "db off user: switched off here",
        ),
        (
            "agent --data-dir /home/me/data --approve-mcps",
            "db unknown user: off, and --approve-mcps",
        ),
        (
            "agent --data-dir /home/me/data --approve-mcps acp",
            "db off user: switched off here",
        ),
        ("agent", "db configured user"),
    ] {
        assert_eq!(verdicts(fixture, line), [expected], "{line}");
    }
}

#[test]
fn entries_that_no_source_speaks_of_are_not_decided() {
    let fixture = r#"
    //- /home/me/.cursor/mcp.json
    {"mcpServers": {
        "a": {"command": "x", "args": "-y"},
        "b": {"command": "x", "env": {"N": 1}},
        "c": {"command": "x", "type": "http"},
        "d": {"url": "https://h.example/mcp", "type": "websocket"},
        "e": {"url": "https://h.example/mcp", "type": "sse"},
        "f": {"command": "x", "args": ["${workspaceFolder}/x"]},
        "g": {"command": "x", "args": ["${env:NOT_SET}"]},
        "h": {"command": 1},
        "i": []
    }}
"#;
    assert_eq!(
        verdicts(fixture, ""),
        [
            "a unknown user: args is not a list of strings",
            "b unknown user: env is not an object of strings",
            "c unknown user: type contradicts the rest",
            "d unknown user: type contradicts the rest",
            "e configured user",
            "f unknown user: ${workspaceFolder} not clear",
            "g configured user",
            "h invalid user: command is not a string",
            "i invalid user: not an object",
        ]
    );
}

#[test]
fn a_plugin_lies_there_once_or_is_not_decided() {
    let fixture = r#"
    //- /home/me/.cursor/plugins/cache/m/tool/1.0.0/.cursor-plugin/plugin.json
    {"name": "tool", "mcpServers": {"s": {"command": "one"}}}
    //- /home/me/.cursor/plugins/cache/m/tool/1.1.0/.cursor-plugin/plugin.json
    {"name": "tool", "mcpServers": "./servers.json"}
    //- /home/me/.cursor/plugins/cache/m/tool/1.1.0/servers.json
    {"mcpServers": {"s": {"command": "two"}}}
    //- /home/me/.cursor/plugins/local/mine/plugin.json
    {"name": "mine"}
    //- /home/me/.cursor/plugins/local/mine/.mcp.json
    {"mcpServers": {"s": {"command": "three"}}}
"#;
    assert_eq!(
        verdicts(fixture, ""),
        [
            "plugin-mine-s configured plugin",
            "plugin-tool-s unknown plugin: several copies of its plugin",
            "plugin-tool-s unknown plugin: several copies of its plugin",
        ]
    );
    assert_eq!(
        verdicts(fixture, "agent -p hi")[..1],
        ["plugin-mine-s unknown plugin: a plugin's, run headless"]
    );
}

fn plan(stage: &Stage, name: &str) -> LaunchPlan {
    let world = stage.world();
    let resolution = Cursor.resolve(&world);
    let mut servers = resolution.servers.iter();
    let server = servers.find(|server| server.definition.name == name);
    Cursor.launch(&world, server.unwrap()).unwrap()
}

#[test]
fn a_plan_has_its_variables_filled_in_and_says_what_is_not_documented() {
    let fixture = r#"
    //- /work/repo/.git/HEAD
    ref: refs/heads/main
    //- /work/repo/.cursor/mcp.json
    {"mcpServers": {
        "db": {"command": "${userHome}/db", "args": ["${workspaceFolder}", "$TOKEN"], "env": {"T": "${env:TOKEN}", "N": "${env:NO}"}},
        "gh": {"url": "https://${env:HOST}/mcp", "headers": {"Authorization": "Bearer ${env:TOKEN}"}}
    }}
"#;
    let stage = Stage::new(fixture)
        .env("TOKEN", "t0ken")
        .env("HOST", "api.example.com");
    let db = plan(&stage, "db");
    let Start::Process { argv, env, .. } = &db.start else {
        panic!("a process");
    };
    let argv: Vec<_> = argv.iter().map(|word| word.expose()).collect();
    assert_eq!(argv, ["/home/me/db", "/work/repo", "$TOKEN"]);
    let env: Vec<_> = env
        .iter()
        .map(|one| (one.name.as_str(), one.value.expose(), one.giver.phrase()))
        .collect();
    assert_eq!(
        env,
        [
            ("HOST", "api.example.com", "from your environment"),
            ("N", "${env:NO}", "from the definition"),
            ("T", "t0ken", "from the definition"),
            ("TOKEN", "t0ken", "from your environment"),
        ]
    );
    assert_eq!(
        db.remarks[1],
        "NO is not set: what Cursor puts in its place is not documented"
    );
    let Start::Remote { url, headers, .. } = plan(&stage, "gh").start else {
        panic!("an address");
    };
    assert_eq!(url.expose(), "https://api.example.com/mcp");
    assert_eq!(headers[0].1.expose(), "Bearer t0ken");
}

#[test]
fn windows_writes_its_own_separator() {
    let fixture = r#"
    //- /home/me/.cursor/mcp.json
    {"mcpServers": {"db": {"command": "a${/}b${pathSeparator}c"}}}
"#;
    let stage = Stage::new(fixture).platform(Platform::Windows);
    let Start::Process { argv, .. } = plan(&stage, "db").start else {
        panic!("a process");
    };
    assert_eq!(argv[0].expose(), "a\\b\\c");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn claims_hold_for_every_command_line(tree in strategies::tree(), at in 0..5_usize) {
        let line = ["agent --approve-mcps", "agent -p hi", "agent acp", "cursor .", "agent --workspace /work --add-dir /home/me"][at];
        let stage = asked(Stage::of(tree), line);
        let broken = claims::broken(&Cursor, &stage);
        prop_assert!(broken.is_empty(), "{line}: {}", broken.join("\n"));
    }
}
