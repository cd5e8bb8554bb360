//! What is another matter in each agent: one file of each, and what is found in it.

use crate::found::{findings, stage};

/// The path of a file, what it holds, and the ids of what is found there, in the order of the file.
type Row = (&'static str, &'static str, &'static [&'static str]);

const GEMINI: &str = "/home/me/.gemini/settings.json";
const OPENCODE: &str = "/home/me/.config/opencode/opencode.json";
const PI: &str = "/home/me/.pi/agent/mcp.json";
const CURSOR: &str = "/home/me/.cursor/mcp.json";

const ROWS: &[Row] = &[
    (
        GEMINI,
        r#"{"mcpServers": {"a": {"command": "npx", "args": ["$HOME_OF", "${X:-d}"]}}}"#,
        &["unset-variable"],
    ),
    (
        GEMINI,
        r#"{"mcpServers": {"a": {"command": "npx", "args": ["${env:HOME}"]}}}"#,
        &["variable-dialect"],
    ),
    (
        GEMINI,
        r#"{"mcpServers": {"a": {"url": "https://a.example/mcp", "type": "streamableHttp"}}}"#,
        &["transport-word"],
    ),
    (
        GEMINI,
        r#"{"mcpServers": {"a": {"url": "https://a.example/mcp"}, "b": {"httpUrl": "https://b.example/mcp"}}}"#,
        &[],
    ),
    (
        GEMINI,
        r#"{"mcpServers": {"a": {"command": "npx", "disabled": true}}}"#,
        &["dead-switch"],
    ),
    (
        GEMINI,
        r#"{"mcpServers": {"a": {"command": "npx", "timeout": 30}}}"#,
        &["timeout-unit"],
    ),
    (
        GEMINI,
        r#"{"mcpServers": {"a": {"command": "npx", "timeout": 600000, "trust": true}}}"#,
        &[],
    ),
    (
        OPENCODE,
        r#"{"mcp": {"a": {"type": "local", "command": ["npx", "x"], "env": {"A": "b"}}}}"#,
        &["misspelled-key"],
    ),
    (
        OPENCODE,
        r#"{"mcp": {"a": {"type": "local", "command": ["npx", "x"], "environment": {"A": "{env:NO_SUCH}"}}}}"#,
        &["unset-variable"],
    ),
    (
        OPENCODE,
        r#"{"mcp": {"a": {"type": "local", "command": ["npx", "x"], "environment": {"A": "${HOME}"}}}}"#,
        &["variable-dialect"],
    ),
    (
        OPENCODE,
        r#"{"mcp": {"a": {"type": "local", "command": ["missing"], "enabled": true}, "b": {"type": "local", "command": ["npx"], "enabled": false}}}"#,
        &["command-not-found"],
    ),
    (
        OPENCODE,
        r#"{"mcpServers": {"a": {"command": "npx"}}}"#,
        &["never-read"],
    ),
    (
        OPENCODE,
        r#"{"mcp": {"a": {"type": "remote", "url": "https://a.example/mcp"}}}"#,
        &[],
    ),
    (
        PI,
        r#"{"mcpServers": {"a": {"command": "npx", "env": {"A": "${NO_SUCH}"}}}}"#,
        &["unset-variable"],
    ),
    (
        PI,
        r#"{"mcpServers": {"a": {"command": "npx", "args": ["${NO_SUCH}"]}}}"#,
        &["variable-dialect"],
    ),
    (
        PI,
        r#"{"mcpServers": {"a": {"command": "npx", "env": {"A": "${X:-d}"}}}}"#,
        &["variable-dialect"],
    ),
    (
        PI,
        r#"{"mcpServers": {"a": {"command": "npx", "timeout": 30000}}}"#,
        &["timeout-unit"],
    ),
    (
        PI,
        r#"{"mcpServers": {"a": {"type": "sse", "url": "https://a.example/sse"}}}"#,
        &["transport-word"],
    ),
    (
        PI,
        r#"{"mcpServers": {"a-b": {"command": "npx"}, "a_b": {"command": "npx"}}}"#,
        &["server-name"],
    ),
    (
        PI,
        r#"{"mcpServers": {"a": {"command": "npx", "url": "https://a.example/mcp"}}}"#,
        &["command-and-url"],
    ),
    (
        PI,
        r#"{"mcpServers": {"a": {"command": "npx", "isActive": false, "timeout": 60}}}"#,
        &["dead-switch"],
    ),
    (
        PI,
        r#"{"mcpServers": {"a": {"command": "~/bin/run"}, "b": {"command": "npx", "cwd": "~/none"}}}"#,
        &["command-not-found", "missing-folder"],
    ),
    (
        PI,
        r#"{"mcpServers": {"a": {"command": "npx", "enabled": false}, "b": {"url": "https://b.example/mcp", "headers": {"X": "y"}}}}"#,
        &[],
    ),
    (
        CURSOR,
        r#"{"mcpServers": {"a": {"command": "npx", "args": ["${HOME}", "${workspaceFolder}", "${env:HOME}"]}}}"#,
        &["variable-dialect"],
    ),
    (
        CURSOR,
        r#"{"mcpServers": {"a": {"command": "npx", "disabled": true}}}"#,
        &["dead-switch"],
    ),
    (
        CURSOR,
        r#"{"mcpServers": {"a": {"url": "https://a.example/mcp"}, "b": {"type": "stdio", "command": "npx"}}}"#,
        &[],
    ),
];

/// An entry's file, a key that is another agent's, and what is said of it.
const KEYS: &[(&str, &str, &str)] = &[
    (
        "/work/repo/.mcp.json",
        "environment",
        "Claude Code does not read `environment`: it calls this `env`",
    ),
    (
        "/work/repo/.mcp.json",
        "cwd",
        "Claude Code has no key for the working folder: `cwd` is not read",
    ),
    (
        "/work/repo/.mcp.json",
        "startup_timeout_sec",
        "Claude Code has no key for the time to start: `startup_timeout_sec` is not read",
    ),
    (
        PI,
        "startup_timeout_sec",
        "Pi does not read `startup_timeout_sec`: it calls this `timeout`",
    ),
    (
        GEMINI,
        "enabled_tools",
        "Gemini CLI does not read `enabled_tools`: it calls this `includeTools`",
    ),
    (
        CURSOR,
        "cwd",
        "Cursor has no key for the working folder: `cwd` is not read",
    ),
];

#[test]
fn another_agents_key_is_known_for_what_it_is() {
    for (path, key, told) in KEYS {
        let stage = stage("").env("HOME", "/home/me");
        let entry = format!(r#"{{"mcpServers": {{"a": {{"command": "npx", "{key}": "x"}}}}}}"#);
        stage.tree.file(path, entry);
        let found = findings(&stage).into_iter();
        let texts: Vec<_> = found
            .filter(|finding| finding.check.id == "misspelled-key")
            .map(|finding| finding.text)
            .collect();
        assert!(texts.iter().any(|text| text == told), "{path}: {texts:?}");
    }
}

#[test]
fn each_agent_is_judged_by_its_own_rules() {
    for (path, text, expected) in ROWS {
        let stage = stage("").env("HOME", "/home/me");
        stage.tree.file(path, text);
        let mut found: Vec<_> = findings(&stage)
            .into_iter()
            .filter(|finding| finding.check.audience == muster_core::Audience::Everyone)
            .collect();
        found.sort_by_key(|finding| finding.place.as_ref().map(|place| place.span.start));
        let ids: Vec<_> = found.iter().map(|finding| finding.check.id).collect();
        assert_eq!(ids, *expected, "{path}: {text}: {found:?}");
    }
}

#[test]
fn trust_of_pi_through_a_link_is_told() {
    let stage = stage("");
    stage.tree.file(
        "/work/repo/.pi/mcp.json",
        r#"{"mcpServers": {"a": {"command": "npx"}}}"#,
    );
    stage.tree.link("/short", "/work/repo");
    stage
        .tree
        .file("/home/me/.pi/agent/trust.json", r#"{"/short": true}"#);
    assert_eq!(
        crate::found::by("dead-trust-key", &stage),
        [
            "warning 1:2 -: trust in /short does not count here: it goes through a link, and the real path is looked up; write it under /work/repo"
        ]
    );
}
