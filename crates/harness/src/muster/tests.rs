//! Whole resolutions and launch plans, told as a user would see them.

use std::time::Duration;

use muster_core::{Giver, Harness as _, LaunchPlan, Platform, Resolution, Server, Start};
use muster_testkit::{Stage, claims, strategies};
use proptest::prelude::*;

use super::{Muster, own};

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

fn notes(resolution: &Resolution) -> Vec<&str> {
    let notes = resolution.notes.iter();
    notes.map(|note| note.text.as_str()).collect()
}

const CLASHES: &str = r#"
    //- /home/me/.config/muster/config.json
    {"mcp_servers": {"db": {"command": "own"}, "key": {"url": "https://${NO_HOST}/mcp"}}}
    //- /home/me/.claude.json
    {"mcpServers": {"db": {"command": "user"}, "gh": {"command": "gh"}, "lint": {"command": "lint"}}}
    //- /work/repo/.git/HEAD
    ref: refs/heads/main
    //- /work/repo/.mcp.json
    {"mcpServers": {"db": {"command": "project"}, "lint": {"command": "other"}}}
"#;

#[test]
fn own_comes_first_then_what_claude_code_knows_and_each_clash_is_told_once() {
    let resolution = Muster.resolve(&Stage::new(CLASHES).world());
    assert_eq!(
        told(&resolution),
        [
            "db configured own",
            "key broken own: NO_HOST is not set",
            "db needs-approval project: not trusted by Muster yet",
            "lint needs-approval project: not trusted by Muster yet",
            "db overridden user: Muster's own db wins",
            "gh configured user",
            "lint configured user",
        ]
    );
    assert_eq!(
        notes(&resolution),
        [
            "db is defined 3 times: Muster's own (~/.config/muster/config.json) wins",
            "lint is defined 2 times: Claude Code's for every folder (~/.claude.json) wins",
            "key is left out: NO_HOST is not set and there is no default",
        ]
    );
}

#[test]
fn what_is_wrong_is_told_in_clear_words() {
    let fixture = r#"
    //- /home/me/.config/muster/config.json
    {"claude_code_servers": 1, "mcp_servers": {
        "a": {"args": ["-y", 5], "command": true, "tool_timeout_sec": -1},
        "b": {"type": "streaming", "url": "https://h.example/mcp"},
        "c": {"url": "https://h.example/mcp", "bearer_token_env_var": "sk live"},
        "d": {"url": "file:///x"},
        "e": {"command": "x", "env": {"N": null}},
        "f": 7
    }}
"#;
    let resolution = Muster.resolve(&Stage::new(fixture).world());
    let reasons: Vec<String> = resolution
        .servers
        .iter()
        .map(|server| {
            let wrong = server.reasons.iter().skip(1);
            let texts: Vec<&str> = wrong.map(|reason| reason.text.as_str()).collect();
            format!(
                "{}: {} → {}",
                server.definition.name,
                texts.join(" | "),
                server.remedies.join(" | ")
            )
        })
        .collect();
    assert_eq!(
        reasons,
        [
            "a: args[1] is a number, not a string | tool_timeout_sec is not a number above 0 | command is true or false, not a string → write command as a string; and write args[1] as a string; and write tool_timeout_sec as a number above 0",
            "b: type is streaming: Muster knows stdio, http, streamable-http and sse → write one of these, or leave type out",
            "c: bearer_token_env_var takes the name of a variable, not a value → write a variable's name there",
            "d: url is no http or https address → begin it with https://",
            "e: env.N is null, not a string → write env.N as a string",
            "f: the entry is a number, not an object → write it as an object",
        ]
    );
    assert_eq!(
        notes(&resolution),
        [
            "Claude Code's servers are not taken: claude_code_servers of ~/.config/muster/config.json is neither true nor false"
        ]
    );
}

#[test]
fn a_broken_list_is_told_with_its_place_and_costs_its_own_servers() {
    let fixture = r#"
    //- /home/me/.config/muster/config.json
    {"mcp_servers": {
      "db": {"command": "db"}
      "gh": {"command": "gh"}
    }}
    //- /home/me/.claude.json
    {"mcpServers": {"db": {"command": "user"}, "lint": {"command": "lint"}}}
"#;
    let resolution = Muster.resolve(&Stage::new(fixture).world());
    assert_eq!(
        told(&resolution),
        [
            "db invalid own: its file is broken",
            "gh invalid own: its file is broken",
            "db overridden user: Muster's own db wins",
            "lint configured user",
        ]
    );
    let place = resolution.notes[0].place.as_ref().unwrap();
    assert_eq!((place.position.line, place.position.column), (3, 3));
    assert_eq!(
        resolution.servers[0].remedies,
        ["correct line 3 of ~/.config/muster/config.json"]
    );
}

#[test]
fn keys_that_are_not_read_are_named() {
    let fixture = r#"
    //- /home/me/.config/muster/config.json
    {"mcp_servers": {
        "a": {"command": "x", "url": "https://h.example/mcp", "Env": {}, "alwaysLoad": true},
        "b": {"url": "https://h.example/mcp", "args": []}
    }}
"#;
    let resolution = Muster.resolve(&Stage::new(fixture).world());
    let unread = |server: &Server| -> Vec<String> {
        let keys = server.definition.entry.unread.iter();
        keys.map(|key| key.value.clone()).collect()
    };
    assert_eq!(unread(&resolution.servers[0]), ["url", "Env", "alwaysLoad"]);
    assert_eq!(unread(&resolution.servers[1]), ["args"]);
    assert_eq!(
        resolution.servers[0].reasons[1].text,
        "it has a command and a url: without a type the command counts"
    );
}

#[test]
fn each_platform_has_its_folder() {
    for (platform, env, expected) in [
        (Platform::Linux, None, "/home/me/.config/muster/config.json"),
        (Platform::MacOs, None, "/home/me/.config/muster/config.json"),
        (
            Platform::MacOs,
            Some(("XDG_CONFIG_HOME", "/xdg")),
            "/xdg/muster/config.json",
        ),
        (
            Platform::Windows,
            Some(("APPDATA", "/roaming")),
            "/roaming/muster/config.json",
        ),
        (
            Platform::Windows,
            Some(("XDG_CONFIG_HOME", "/xdg")),
            "/home/me/AppData/Roaming/muster/config.json",
        ),
    ] {
        let mut stage = Stage::new("").platform(platform);
        if let Some((name, value)) = env {
            stage = stage.env(name, value);
        }
        assert_eq!(own::config_file(&stage.world()).unwrap(), expected);
    }
    assert_eq!(own::config_file(&Stage::new("").home(None).world()), None);
}

fn plan(stage: &Stage, name: &str) -> Result<LaunchPlan, String> {
    let world = stage.world();
    let resolution = Muster.resolve(&world);
    let mut servers = resolution.servers.iter();
    let server = servers.find(|server| server.definition.name == name);
    let plan = Muster.launch(&world, server.unwrap());
    plan.map_err(|error| error.to_string())
}

#[test]
fn a_plan_has_its_variables_filled_in_and_its_limits() {
    let fixture = r#"
    //- /home/me/.config/muster/config.json
    {"mcp_servers": {
        "db": {"command": "${BIN:-db}", "args": ["--token=${TOKEN}"], "env": {"T": "${TOKEN}"}, "cwd": "sub",
               "startup_timeout_ms": 1500, "tool_timeout_sec": 90, "enabled_tools": ["a"], "disabled_tools": ["b"]},
        "gh": {"url": "https://h.example/mcp", "headers": {"X-A": "${TOKEN}"}, "http_headers": {"x-a": "2", "X-B": "3"},
               "env_http_headers": {"X-C": "TOKEN"}, "bearer_token_env_var": "TOKEN", "timeout": 2000},
        "out": {"command": "${NO}"}
    }}
"#;
    let stage = Stage::new(fixture).env("TOKEN", "t0ken");
    let db = plan(&stage, "db").unwrap();
    let Start::Process { argv, cwd, env, .. } = &db.start else {
        panic!("a process");
    };
    let argv: Vec<_> = argv.iter().map(|word| word.expose()).collect();
    assert_eq!(argv, ["db", "--token=t0ken"]);
    assert_eq!(cwd, "/work/repo/sub");
    let env: Vec<_> = env
        .iter()
        .map(|one| (one.name.as_str(), one.giver))
        .collect();
    assert_eq!(env, [("T", Giver::Entry), ("TOKEN", Giver::Inherited)]);
    assert_eq!(
        db.startup_timeout.duration,
        Some(Duration::from_millis(1500))
    );
    assert_eq!(db.call_timeout.duration, Some(Duration::from_secs(90)));
    assert_eq!(db.tools_only, Some(vec!["a".to_owned()]));
    assert_eq!(db.tools_without, ["b"]);

    let gh = plan(&stage, "gh").unwrap();
    let Start::Remote { headers, .. } = &gh.start else {
        panic!("an address");
    };
    let headers: Vec<_> = headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.expose()))
        .collect();
    assert_eq!(
        headers,
        [
            ("X-A", "t0ken"),
            ("X-B", "3"),
            ("X-C", "t0ken"),
            ("Authorization", "Bearer t0ken"),
        ]
    );
    assert_eq!(gh.startup_timeout.duration, Some(Duration::from_secs(30)));
    assert_eq!(gh.call_timeout.duration, Some(Duration::from_secs(2)));
    assert_eq!(
        plan(&stage, "out").unwrap_err(),
        "NO is not set and there is no default"
    );
}

/// Muster's own list, with what people and accidents write into it.
fn list() -> impl Strategy<Value = Vec<u8>> {
    strategies::file(strategies::Format::Mcp).prop_map(|bytes| {
        let text = String::from_utf8_lossy(&bytes);
        text.replacen("mcpServers", "mcp_servers", 1).into_bytes()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn claims_hold_with_a_list_of_its_own(tree in strategies::tree(), list in list(), serves in any::<bool>()) {
        tree.file("/home/me/.config/muster/config.json", list);
        let mut stage = Stage::of(tree);
        if serves {
            let words = ["muster".to_owned(), "serve".to_owned()];
            stage = stage.session(Muster.session(&words, Stage::FOLDER.into()).unwrap());
        }
        let broken = claims::broken(&Muster, &stage);
        prop_assert!(broken.is_empty(), "{}", broken.join("\n"));
    }
}
