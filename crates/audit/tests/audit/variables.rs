//! Variables: written in another agent's way, or not set.

use crate::found::{by, codex, project};

#[test]
fn another_agents_way_is_told_with_the_right_one() {
    let stage = project(
        r#""a": {"command": "npx", "args": ["-y", "x", "{env:DB}", "$HOME/x"], "env": {"T": "${env:T}", "U": "%APPDATA%\\x"}},
           "b": {"type": "http", "url": "https://${input:host}/mcp", "headers": {"Authorization": "Bearer {{TOKEN}}"}}"#,
    );
    assert_eq!(
        by("variable-dialect", &stage),
        [
            "warning 2:45 a: {env:DB} is not how Claude Code writes a variable; write ${DB}",
            "warning 2:57 a: $HOME is not how Claude Code writes a variable; write ${HOME}",
            "warning 2:82 a: ${env:T} is not how Claude Code writes a variable; write ${T}",
            "warning 2:99 a: %APPDATA% is not how Claude Code writes a variable; write ${APPDATA}",
            "warning 3:41 b: ${input:host} is not how Claude Code writes a variable; only VS Code asks for inputs: name an environment variable instead",
            "warning 3:99 b: {{TOKEN}} is not how Claude Code writes a variable; write ${TOKEN}",
        ]
    );
}

#[test]
fn codex_fills_in_nothing() {
    let stage = codex(
        "[mcp_servers.a]\ncommand = \"npx\"\nargs = [\"-y\", \"x\", \"$DB_URL\"]\nenv = { T = \"${T}\" }\n\n\
         [mcp_servers.b]\nurl = \"https://b.example/mcp\"\nhttp_headers = { X = \"${X:-d}\" }\n",
    );
    assert_eq!(
        by("variable-dialect", &stage),
        [
            "warning 3:20 a: Codex fills in no variable in an argument: $DB_URL stays text; write the value itself, or start the server through a shell",
            "warning 4:13 a: Codex fills in no variable in an environment value: ${T} stays text; name it in env_vars instead, which passes it on: env_vars = [\"T\"]",
            "warning 8:22 b: Codex fills in no variable in a header value: ${X:-…} stays text; name it in env_http_headers = { HEADER = \"X\" }, or for a token in bearer_token_env_var = \"X\"",
        ]
    );
}

#[test]
fn what_a_shell_or_a_key_of_codex_fills_in_is_fine() {
    let claude = project(
        r#""a": {"command": "bash", "args": ["-c", "exec server --url $DB_URL ${env:X}"]},
           "b": {"command": "npx", "args": ["${HOME:-x}", "100%", "pa$WORD"], "env": {"P": "pa$word$X"}}"#,
    );
    assert_eq!(by("variable-dialect", &claude), [""; 0]);
    let codex = codex(
        "[mcp_servers.b]\nurl = \"https://b.example/mcp\"\nbearer_token_env_var = \"TOKEN\"\nenv_http_headers = { X = \"KEY\" }\n",
    );
    assert_eq!(by("variable-dialect", &codex), [""; 0]);
}

#[test]
fn a_variable_that_is_not_set_is_named_once_with_what_becomes_of_it() {
    let stage = project(
        r#""a": {"command": "npx", "args": ["${DB}", "${DB}", "${SET}", "${D:-d}"], "env": {"T": "${SECRET_THING}"}}"#,
    )
    .env("SET", "1");
    assert_eq!(
        by("unset-variable", &stage),
        [
            "warning 2:34 a: DB is not set: the server gets the text ${DB} instead of a value; set DB where Claude Code is started, or write ${DB:-default}",
            "warning 2:87 a: SECRET_THING is not set: the server gets the text ${SECRET_THING} instead of a value; set SECRET_THING where Claude Code is started, or write ${SECRET_THING:-default}",
        ]
    );
}

#[test]
fn a_variable_of_the_harnesss_own_files_is_set() {
    let stage = project(r#""a": {"command": "npx", "args": ["${DB}"]}"#);
    stage
        .tree
        .file("/home/me/.claude/settings.json", r#"{"env": {"DB": "x"}}"#);
    assert_eq!(by("unset-variable", &stage), [""; 0]);
}

#[test]
fn a_variable_that_the_server_is_given_is_for_the_server_to_fill_in() {
    let claude = project(
        r#""a": {"command": "npx", "args": ["-y", "x", "--url", "${DB}", "$OTHER"], "env": {"DB": "x", "OTHER": "y"}},
           "b": {"command": "npx", "args": ["mcp-remote", "https://b.example/mcp", "--header", "Authorization:${AUTH}"]}"#,
    );
    assert_eq!(by("variable-dialect", &claude), [""; 0]);
    assert_eq!(by("unset-variable", &claude), [""; 0]);
    let codex = codex(
        "[mcp_servers.b]\ncommand = \"npx\"\nargs = [\"mcp-remote@0.1.30\", \"https://b.example/mcp\", \"--header\", \"Authorization:${AUTH}\"]\n",
    );
    assert_eq!(by("variable-dialect", &codex), [""; 0]);
}
