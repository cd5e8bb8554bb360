//! Keys, switches, names and times that are another harness's.

use crate::found::{by, codex, ids, project, stage};

#[test]
fn another_agents_key_is_told_with_the_right_one() {
    let claude = project(
        r#""a": {"command": "npx", "environment": {"T": "x"}, "cwd": "/data", "includeTools": ["t"]},
           "b": {"type": "http", "serverUrl": "https://b.example/mcp"},
           "c": {"transport": "http", "url": "https://c.example/mcp"}"#,
    );
    assert_eq!(
        by("misspelled-key", &claude),
        [
            "warning 2:25 a: Claude Code does not read `environment`: it calls this `env`; write env",
            "warning 2:52 a: Claude Code has no key for the working folder: `cwd` is not read; start it through a shell: sh -c 'cd FOLDER && exec COMMAND'",
            "warning 3:34 b: Claude Code does not read `serverUrl`: it calls this `url`; write url",
            "warning 4:18 c: Claude Code does not read `transport`: it calls this `type`; write type",
            "note 2:68 a: Claude Code has no key for a choice of tools in an entry: `includeTools` is not read; choose tools where this agent has its permissions",
        ]
    );
    let codex = codex(
        "[mcp_servers.a]\nurl = \"https://a.example/mcp\"\nheaders = { X = \"y\" }\nbearerTokenEnvVar = \"T\"\nstartupTimeoutSec = 5\n",
    );
    assert_eq!(
        by("misspelled-key", &codex),
        [
            "warning 3:1 a: Codex does not read `headers`: it calls this `http_headers`; write http_headers",
            "warning 4:1 a: Codex does not read `bearerTokenEnvVar`: it calls this `bearer_token_env_var`; write bearer_token_env_var, with the name of a variable",
            "note 5:1 a: Codex does not read `startupTimeoutSec`: it calls this `startup_timeout_sec`; write startup_timeout_sec, in seconds",
        ]
    );
}

#[test]
fn a_file_for_several_agents_is_fine() {
    let claude = project(
        r#""a": {"command": "npx", "env": {"T": "x"}, "environment": {"T": "x"}, "transport": "stdio", "description": "the database", "$comment": 1, "icon": "db"},
           "b": {"type": "http", "url": "https://b.example/mcp", "httpUrl": "https://b.example/mcp", "transport": "http"}"#,
    );
    assert_eq!(by("misspelled-key", &claude), [""; 0]);
}

#[test]
fn a_switch_that_is_none_is_told_where_it_would_matter() {
    let claude = project(
        r#""a": {"command": "npx", "disabled": true, "autoApprove": ["t"]},
           "b": {"command": "npx", "isActive": false},
           "c": {"command": "npx", "disabled": false, "enabled": true, "alwaysAllow": []}"#,
    );
    assert_eq!(
        by("dead-switch", &claude),
        [
            "warning 2:25 a: `disabled` does not switch the server off: Claude Code does not read it; switch it off with /mcp in a session here",
            "warning 3:36 b: `isActive` does not switch the server off: Claude Code does not read it; switch it off with /mcp in a session here",
            "note 2:43 a: `autoApprove` approves nothing here: Claude Code does not read it; tools are approved in permissions.allow of the settings, as mcp__SERVER__TOOL",
        ]
    );
    let codex = codex(
        "[mcp_servers.a]\ncommand = \"npx\"\ndisabled = true\n[mcp_servers.b]\ncommand = \"npx\"\nenabled = false\ndisabled = true\n",
    );
    assert_eq!(
        by("dead-switch", &codex),
        [
            "warning 3:1 a: `disabled` does not switch the server off: Codex does not read it; write enabled = false"
        ]
    );
}

#[test]
fn names_that_are_not_taken_are_told_and_not_told_twice() {
    let claude = project(
        r#""workspace": {"command": "npx"}, "claude.ai": {"command": "npx"}, "Workspace": {"command": "npx"}"#,
    );
    assert_eq!(ids(&claude), ["server-name", "server-name"]);
    let codex = codex(
        "[mcp_servers.\"a b\"]\ncommand = \"npx\"\n[mcp_servers.codex_apps]\ncommand = \"npx\"\n",
    );
    assert_eq!(ids(&codex), ["server-name", "server-name"]);
}

#[test]
fn times_in_another_unit_are_told() {
    let codex = codex(
        "[mcp_servers.a]\ncommand = \"npx\"\nstartup_timeout_sec = 30000\ntool_timeout_sec = 60000\n\
         [mcp_servers.b]\ncommand = \"npx\"\nstartup_timeout_sec = 120\ntool_timeout_sec = 7200\nenabled = true\n",
    );
    assert_eq!(
        by("timeout-unit", &codex),
        [
            "warning 3:23 a: Codex counts seconds: this is 8 hours; if milliseconds were meant, write 30",
            "warning 4:20 a: Codex counts seconds: this is 16 hours; if milliseconds were meant, write 60",
        ]
    );
}

#[test]
fn both_a_command_and_an_address_are_told_with_what_runs() {
    let claude = project(
        r#""a": {"command": "npx", "url": "https://a.example/mcp"},
           "b": {"type": "http", "command": "npx", "url": "https://b.example/mcp"},
           "c": {"command": "npx", "args": ["--url", "https://c.example"]}"#,
    );
    assert_eq!(
        by("command-and-url", &claude),
        [
            "warning 2:25 a: Claude Code starts the command, and never calls the address; other agents do the other; take url away, or make it an entry of its own",
            "warning 3:34 b: Claude Code calls the address, and never starts the command; other agents do the other; take command away, or make it an entry of its own",
        ]
    );
    let codex = codex("[mcp_servers.a]\ncommand = \"npx\"\nurl = \"https://a.example/mcp\"\n");
    assert_eq!(ids(&codex), ["agent-does-not-start"]);
}

#[test]
fn one_mistake_that_stops_an_agent_is_told_once() {
    let codex = codex(
        "[mcp_servers.a]\ncommand = \"npx\"\n[mcp_servers.b]\ncommand = \"npx\"\n[mcp_servers.c]\nargs = [\"x\"]\n",
    );
    assert_eq!(
        by("agent-does-not-start", &codex),
        [
            "error 5:14 -: Codex does not start: invalid transport in `mcp_servers.c`; correct it: no server of any file loads until then"
        ]
    );
    assert_eq!(ids(&codex), ["agent-does-not-start"]);
}

#[test]
fn duplicates_are_told_at_the_one_that_is_lost() {
    let stage = stage("");
    stage.tree.file(
        "/work/repo/.mcp.json",
        "{\"mcpServers\": {\n\"a\": {\"command\": \"npx\",\n\"command\": \"npx\"},\n\"a\": {\"command\": \"npx\", \"env\": {\"X\": \"1\", \"X\": \"2\"}}}}",
    );
    assert_eq!(
        by("duplicate-key", &stage),
        [
            "warning 2:1 -: \"a\" stands again in line 4: this one is lost; rename or remove one of the two",
            "warning 2:7 -: \"command\" stands again in line 3: this one is lost; rename or remove one of the two",
            "warning 4:33 -: \"X\" stands again in line 4: this one is lost; rename or remove one of the two",
        ]
    );
}

#[test]
fn names_of_tools_that_come_to_the_same_are_told_of_servers_that_load() {
    let claude = stage("");
    claude.tree.file(
        "/home/me/.claude.json",
        r#"{"mcpServers": {"a b": {"command": "npx"}, "a_b": {"command": "npx"}, "a.b": {"url": "https://x.example"}, "ab": {"command": "npx"}}}"#,
    );
    assert_eq!(
        by("tool-name-clash", &claude),
        [
            "warning 1:44 a_b: its tools come to the same names as those of a b: of each, one is left; rename one of the two, so that they differ in a letter or a digit"
        ]
    );
    let codex =
        codex("[mcp_servers.a-b]\ncommand = \"npx\"\n[mcp_servers.a_b]\ncommand = \"npx\"\n");
    assert_eq!(ids(&codex), [""; 0]);
}
