//! Whole resolutions and plans, told as a user would see them.

use std::time::Duration;

use muster_core::{
    Giver, Harness as _, LaunchError, LaunchPlan, Platform, Resolution, Server, Start, Transport,
};
use muster_testkit::{Stage, Tree, claims, strategies};
use proptest::prelude::*;

use super::OpenCode;
use super::session::CommandLine;

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
    stage.session(OpenCode.session(&words, Stage::FOLDER.into()).unwrap())
}

fn plan(stage: &Stage, name: &str) -> Result<LaunchPlan, LaunchError> {
    let world = stage.world();
    let resolution = OpenCode.resolve(&world);
    let server = resolution
        .servers
        .iter()
        .find(|server| server.definition.name == name)
        .unwrap();
    OpenCode.launch(&world, server)
}

const REPO: &str = "
    //- /work/repo/.git/HEAD
    ref: refs/heads/main
    //- /work/repo/.git/objects/x
    //- /work/repo/.git/refs/x
";

fn repo(more: &str) -> Stage {
    Stage::new(&format!("{REPO}{more}"))
}

#[test]
fn one_fault_stops_everything_and_every_server_is_named() {
    let stage = repo(
        r#"
    //- /home/me/.config/opencode/opencode.json
    {"mcp": {"g": {"type": "local", "command": ["g"]}}}
    //- /work/repo/opencode.json
    {"mcp": {"bad": {"type": "local", "command": "npx bad"}, "ok": {"type": "local", "command": ["ok"]}}}
    //- /work/repo/opencode.jsonc
    {"mcp": {"lost": {"type": "local", "command": ["lost"]
"#,
    );
    let resolution = OpenCode.resolve(&stage.world());
    assert_eq!(
        told(&resolution),
        [
            "lost invalid project: OpenCode does not start",
            "bad invalid project: stops OpenCode",
            "ok invalid project: OpenCode does not start",
            "g invalid user: OpenCode does not start",
        ]
    );
    assert_eq!(
        resolution.stopped.unwrap().text,
        "OpenCode does not start: Configuration is invalid at opencode.json: Expected array, got \"npx bad\" mcp.bad.command"
    );
    assert!(claims::broken(&OpenCode, &stage).is_empty());
}

#[test]
fn what_a_variable_puts_in_is_shown_nowhere() {
    let stage = repo(
        r#"
    //- /work/repo/opencode.json
    {"mcp": {"a": {"type": "local", "command": "{env:SECRET}"}}}
"#,
    )
    .env("SECRET", "hunterq7zq");
    let resolution = OpenCode.resolve(&stage.world());
    let text = resolution.stopped.as_ref().unwrap().text.clone();
    assert_eq!(
        text,
        "OpenCode does not start: Configuration is invalid at opencode.json: Expected array, got \"{env:SECRET}\" mcp.a.command"
    );
    let known: Vec<_> = resolution
        .variables
        .iter()
        .map(|(name, value)| (name.as_str(), value.expose()))
        .collect();
    assert!(known.contains(&("SECRET", "hunterq7zq")), "{known:?}");
}

#[test]
fn entries_stand_as_written_and_are_expanded_in_the_plan() {
    let stage = repo(
        r#"
    //- /work/repo/key
    filed
    //- /work/repo/opencode.json
    {
      "mcp": {
        "a": {
          "type": "local",
          "command": ["npx", "x{env:A}", "{file:key}"],
          "cwd": "~",
          "environment": {"TOKEN": "{env:A}", "AGENT": "2"},
          "timeout": 7000
        },
        "r": {"type": "remote", "url": "https://h/{env:A}/sse", "headers": {"X": "{env:NO}"}, "oauth": false}
      },
      "experimental": {"mcp_timeout": 9000},
      "tools": {"a_*": false, "r_x": false},
      "permission": {"a_ping": "allow"}
    }
"#,
    )
    .env("A", "alpha")
    .env("OTHER", "1");
    let world = stage.world();
    let resolution = OpenCode.resolve(&world);
    assert_eq!(
        told(&resolution),
        ["a configured project", "r configured project"]
    );
    let a = &resolution.servers[0].definition;
    let words: Vec<_> = a.entry.args.iter().map(|arg| arg.value.expose()).collect();
    assert_eq!(words, ["x{env:A}", "{file:key}"]);
    assert_eq!(a.entry.tools_only, Some(vec!["ping".to_owned()]));

    let plan_of_a = plan(&stage, "a").unwrap();
    let Start::Process {
        argv,
        cwd,
        env,
        withheld,
    } = &plan_of_a.start
    else {
        panic!("a process");
    };
    let argv: Vec<_> = argv.iter().map(|word| word.expose()).collect();
    assert_eq!(argv, ["npx", "xalpha", "filed"]);
    assert_eq!(cwd, "/work/repo/~");
    assert!(withheld.is_empty());
    let handed: Vec<_> = env
        .iter()
        .map(|handed| (handed.name.as_str(), handed.value.expose(), handed.giver))
        .collect();
    assert_eq!(
        handed,
        [
            ("A", "alpha", Giver::Inherited),
            ("AGENT", "2", Giver::Entry),
            ("OPENCODE", "1", Giver::Harness),
            ("OPENCODE_PID", "1", Giver::Harness),
            ("OTHER", "1", Giver::Inherited),
            ("TOKEN", "alpha", Giver::Entry),
        ]
    );
    assert_eq!(
        plan_of_a.startup_timeout.duration,
        Some(Duration::from_secs(7))
    );
    assert_eq!(
        plan_of_a.call_timeout.duration,
        Some(Duration::from_secs(7))
    );
    assert_eq!(plan_of_a.tools_only, Some(vec!["ping".to_owned()]));
    assert_eq!(
        plan_of_a.remarks[0],
        "OpenCode does not expand the ~ of cwd: it looks for a folder of that name"
    );

    let plan_of_r = plan(&stage, "r").unwrap();
    let Start::Remote {
        transport,
        fallback,
        url,
        headers,
        ..
    } = &plan_of_r.start
    else {
        panic!("an address");
    };
    assert_eq!(
        (*transport, *fallback),
        (Transport::Http, Some(Transport::Sse))
    );
    assert_eq!(url.expose(), "https://h/alpha/sse");
    assert_eq!(headers[0].1.expose(), "");
    assert_eq!(
        plan_of_r.startup_timeout.duration,
        Some(Duration::from_secs(30))
    );
    assert_eq!(
        plan_of_r.call_timeout.duration,
        Some(Duration::from_secs(9))
    );
    assert_eq!(plan_of_r.tools_without, ["x"]);
    assert!(
        plan_of_r
            .remarks
            .contains(&"NO is not set: nothing is put in its place".to_owned())
    );
}

/// Each as seen on 1.18.33, with servers `a` and `b` that offer `echo` and `ping`.
#[test]
fn tools_are_hidden_by_the_last_rule_that_speaks_of_them() {
    let none = || (None, vec!["*".to_owned()]);
    let all = || (None, Vec::new());
    let only = |tool: &str| (Some(vec![tool.to_owned()]), Vec::new());
    let without = |tools: &[&str]| (None, tools.iter().map(|tool| (*tool).to_owned()).collect());
    for (config, a, b) in [
        (r#""tools": {"a_*": false}"#, none(), all()),
        (
            r#""tools": {"a_*": false, "a_ping": true}"#,
            only("ping"),
            all(),
        ),
        (r#""tools": {"a_ping": true, "a_*": false}"#, none(), all()),
        (
            r#""permission": {"a_ping": "allow"}, "tools": {"a_*": false}"#,
            only("ping"),
            all(),
        ),
        (
            r#""tools": {"a_ping": true}, "permission": {"a_*": "deny"}"#,
            none(),
            all(),
        ),
        (
            r#""permission": {"*": "deny", "b_echo": "allow"}"#,
            none(),
            only("echo"),
        ),
        (r#""permission": "deny""#, none(), none()),
        (
            r#""permission": {"*_ping": "deny"}"#,
            without(&["*_ping", "ping"]),
            without(&["*_ping", "ping"]),
        ),
        (
            r#""permission": {"a_ping": {"*": "deny"}, "b_ping": {"x": "deny", "*": "ask"}}"#,
            without(&["ping"]),
            all(),
        ),
    ] {
        let stage = repo(&format!(
            "\n    //- /work/repo/opencode.json\n    {{\"mcp\": {{\"a\": {{\"type\": \"local\", \"command\": [\"a\"]}}, \"b\": {{\"type\": \"local\", \"command\": [\"b\"]}}}}, {config}}}\n"
        ));
        let resolution = OpenCode.resolve(&stage.world());
        let found: Vec<_> = resolution
            .servers
            .iter()
            .map(|server| &server.definition.entry)
            .map(|entry| (entry.tools_only.clone(), entry.tools_without.clone()))
            .collect();
        assert_eq!(found, [a, b], "{config}");
    }
}

#[test]
fn what_fails_at_once_has_no_plan() {
    let stage = repo(
        r#"
    //- /work/repo/opencode.json
    {"mcp": {"a": {"type": "local", "command": []}, "b": {"type": "remote", "url": "not one"}, "opencode": {"type": "local", "command": ["opencode"]}}}
"#,
    );
    assert_eq!(
        plan(&stage, "a").unwrap_err().to_string(),
        "The \"file\" argument must be of type string. Received undefined"
    );
    assert_eq!(
        plan(&stage, "b").unwrap_err().to_string(),
        "Invalid MCP URL for \"b\""
    );
    let Start::Process { env, .. } = plan(&stage, "opencode").unwrap().start else {
        panic!("a process");
    };
    assert!(env.iter().any(|handed| handed.name == "BUN_BE_BUN"));
}

/// Not observed: read in the program.
#[test]
fn the_administrators_folder_of_other_systems() {
    let text = r#"{"mcp": {"m": {"type": "local", "command": ["m"]}}}"#;
    let at = |path: &str| {
        let tree = Tree::empty();
        tree.file(path, text);
        Stage::of(tree)
    };
    let mac = at("/Library/Application Support/opencode/opencode.json").platform(Platform::MacOs);
    assert_eq!(
        told(&OpenCode.resolve(&mac.world())),
        ["m configured managed"]
    );
    let windows = at("/pd/opencode/opencode.jsonc")
        .platform(Platform::Windows)
        .env("ProgramData", "/pd");
    assert_eq!(
        told(&OpenCode.resolve(&windows.world())),
        ["m configured managed"]
    );
}

const BOTH: &str = r#"
    //- /home/me/.config/opencode/config.json
    {"mcp": {"old": {"type": "local", "command": ["old"]}}}
    //- /home/me/.config/opencode/opencode.json
    {"mcp": {"a": {"type": "local", "command": ["a"], "enabled": false}, "b": {"type": "local", "command": ["b"]}}}
    //- /work/repo/opencode.json
    {"mcp": {"a": {"enabled": true}, "c": {"type": "local", "command": ["flat"]}, "servers": {"c": {"type": "local", "command": ["nested"], "disabled": true}, "d": {"type": "local", "command": ["d"], "timeout": {"execution": 1000}}, "e": {"type": "local"}}}}
    //- /work/opencode.json
    {"mcp": {"above": {"type": "local", "command": ["above"]}}}
"#;

#[test]
fn where_the_version_is_unknown_a_note_tells_what_2_would_do() {
    let resolution = OpenCode.resolve(&repo(BOTH).world());
    assert_eq!(
        told(&resolution),
        [
            "c configured project",
            "c overridden project: mcp's own entry wins",
            "d configured project",
            "e invalid project: malformed, left out",
            "a configured user",
            "b configured user",
            "old configured user",
        ]
    );
    let notes: Vec<_> = resolution
        .notes
        .iter()
        .map(|note| note.text.as_str())
        .collect();
    assert_eq!(
        notes,
        [
            "the installed version is not known; if it is OpenCode 2, by its source it would not start c, a, old, and it would start above"
        ]
    );
}

#[test]
fn by_its_name_the_program_of_2_is_asked_about() {
    let stage = asked(repo(BOTH), "opencode2 run hi");
    let resolution = OpenCode.resolve(&stage.world());
    assert_eq!(resolution.rules_version, "2.x");
    assert_eq!(
        told(&resolution),
        [
            "c off project: switched off",
            "d configured project",
            "e invalid project: malformed, left out",
            "a ignored project: only switches",
            "c overridden project: mcp.servers wins",
            "above configured project",
            "a off user: switched off",
            "b configured user",
        ]
    );
    assert!(claims::broken(&OpenCode, &stage).is_empty());
    let d = plan(&stage, "d").unwrap();
    assert_eq!(d.startup_timeout.duration, Some(Duration::from_secs(30)));
    assert_eq!(d.call_timeout.duration, Some(Duration::from_secs(1)));
}

#[test]
fn the_installed_version_decides() {
    let installed = |version: &str| {
        let package = format!(
            r#"
    //- /opt/opencode-ai/package.json
    {{"name": "opencode-ai", "version": "{version}"}}
    //- /opt/opencode-ai/bin/opencode
"#
        );
        repo(&format!("{BOTH}{package}")).env("PATH", "/opt/opencode-ai/bin")
    };
    let first = OpenCode.resolve(&installed("1.18.33").world());
    assert_eq!(first.installed.as_deref(), Some("1.18.33"));
    assert_eq!(first.rules_version, "1.18.33");
    assert_eq!(first.notes.len(), 0);
    let next = OpenCode.resolve(&installed("2.1.0").world());
    assert_eq!(next.rules_version, "2.x");
}

#[test]
fn signed_in_hosts_and_plugins_are_told() {
    let resolution = OpenCode.resolve(
        &repo(
            r#"
    //- /home/me/.local/share/opencode/auth.json
    {"https://corp.example": {"type": "wellknown", "key": "K", "token": "hunterq7zq"}}
    //- /work/repo/.opencode/plugin/p.ts
    export const P = 1
"#,
        )
        .world(),
    );
    let notes: Vec<_> = resolution
        .notes
        .iter()
        .map(|note| note.text.as_str())
        .collect();
    assert_eq!(
        notes,
        [
            "OpenCode runs .opencode/plugin/p.ts: plugins run at the start and can add, change and remove servers",
            "OpenCode is signed in to 1 host that may add servers of its own, below every file here",
        ]
    );
}

/// `tree` with servers where OpenCode looks for them, in one layout or the other.
fn in_its_own_words(tree: Tree, nested: bool) -> Tree {
    for path in tree.files() {
        let Some(text) = tree
            .content(&path)
            .and_then(|content| String::from_utf8(content).ok())
        else {
            continue;
        };
        let text = text.replace("\"args\"", "\"environment\"");
        let text = match nested {
            true => text.replace(
                "\"mcpServers\":",
                "\"mcp\":{\"servers\":{}},\"mcpServers\":",
            ),
            false => text.replace("\"mcpServers\"", "\"mcp\""),
        };
        tree.file(path, text);
    }
    tree
}

proptest! {
    /// Whatever lies where OpenCode looks, no claim about its resolution is broken; by the rules of 2.x neither.
    #[test]
    fn claims_hold(tree in strategies::tree_for(&OpenCode), nested: bool, next: bool) {
        let stage = Stage::of(in_its_own_words(tree, nested)).env("X", "local").env("HOME", "{\"a\":");
        let stage = if next { asked(stage, "opencode2 run hi") } else { stage };
        prop_assert_eq!(claims::broken(&OpenCode, &stage), Vec::<String>::new());
    }

    /// Any command line is understood or refused.
    #[test]
    fn any_command_line_ends(words in prop::collection::vec("(-{0,2}[a-z]{0,9}|.{0,12}|run|mcp|list|--dir|-f)", 0..9)) {
        let _ = CommandLine::parse(&words);
    }

    /// Whatever is written, what is read of it stands somewhere in the file.
    #[test]
    fn references_end_and_places_lie_in_the_file(text in "(\\{env:|\\{file:|[}X/\"\\n ]|[a-z]{1,3}|//){0,24}") {
        let stage = Stage::new("").env("X", "{file:a}").env("a", "\"\u{e9}\"");
        let world = stage.world();
        let mut used = super::substitute::Used::default();
        let source = muster_document::Rewritten::new(&text);
        let new = super::substitute::substitute(&world, None, "/work".into(), &source, &mut used);
        for (at, c) in new.text().char_indices() {
            let span = new.source(muster_document::Span::new(at, at + c.len_utf8()));
            prop_assert!(span.end <= text.len() && text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
        }
    }
}
