//! A secret in every odd position, looked for in everything that the program writes.

use crate::context::Context;

/// Stands for a secret that looks like no key of a known service and like no word.
const CANARY: &str = "hunterq7zq";

/// Every way to ask about `names`, and what was written.
fn everything(context: &Context, names: &[&str], rest: &[&str]) -> Vec<(String, String)> {
    let mut written = Vec::new();
    for format in ["text", "json", "markdown"] {
        let mut asked: Vec<Vec<&str>> = vec![
            vec!["list"],
            vec!["list", "-v"],
            vec!["list", "--by", "server", "-v"],
        ];
        for name in names {
            asked.push(vec!["why", "-v", name]);
            asked.push(vec!["why", "--launch-plan", "-v", name]);
        }
        for question in asked {
            let words = [&question[..], &["--format", format], rest].concat();
            let run = context.run(&words);
            written.push((words.join(" "), format!("{}{}", run.stdout, run.stderr)));
        }
    }
    written
}

fn hidden(context: &Context, names: &[&str], rest: &[&str], what: &str) {
    for (words, text) in everything(context, names, rest) {
        let folded: String = text.split_whitespace().collect();
        assert!(!folded.contains(CANARY), "{what}: muster {words}\n{text}");
    }
}

#[test]
fn in_an_entry_of_codex() {
    for line in [
        "auth = \"hunterq7zq\"",
        "default_tools_approval_mode = \"hunterq7zq\"",
        "startup_readiness = \"hunterq7zq\"",
        "omit_tools_from = [\"hunterq7zq\"]",
        "env_vars = [{ name = \"A\", source = \"hunterq7zq\" }]",
        "enabled = \"hunterq7zq\"",
        "startup_timeout_sec = \"hunterq7zq\"",
        "tools = \"hunterq7zq\"",
        "tools.x.approval_mode = \"hunterq7zq\"",
        "oauth = \"hunterq7zq\"",
        "bearer_token = \"hunterq7zq\"",
        "env = [\"TOKEN=hunterq7zq\"]",
        "[mcp_servers]\nx = \"hunterq7zq\"",
        "[[mcp_servers]]\nx = \"hunterq7zq\"",
        "hunterq7zq",
    ] {
        let context = Context::new().file(
            ".codex/config.toml",
            &format!("[mcp_servers.db]\ncommand = \"npx\"\n{line}\n"),
        );
        hidden(&context, &["db", "x"], &[], line);
    }
}

#[test]
fn in_an_entry_of_claude_code() {
    for entry in [
        r#""hunterq7zq""#,
        r#"["npx", "hunterq7zq"]"#,
        r#"{"command": {"x": "hunterq7zq"}}"#,
        r#"{"command": ["npx", "--token", "hunterq7zq"]}"#,
        r#"{"command": "npx", "args": [{"x": "hunterq7zq"}]}"#,
        r#"{"command": "npx", "timeout": "hunterq7zq"}"#,
        r#"{"command": "npx", "alwaysLoad": "hunterq7zq"}"#,
        r#"{"type": "hunterq7zq", "url": "https://h.example"}"#,
        r#"{"command": "npx", "args": ["--pwd", "hunterq7zq"]}"#,
        r#"{"command": "npx", "args": ["--connection-string", "hunterq7zq"]}"#,
        r#"{"command": "npx", "args": ["--keyring", "hunterq7zq"]}"#,
        r#"{"command": "npx", "args": ["--tokens", "hunterq7zq"]}"#,
        r#"{"command": "npx", "args": ["@acme/cli", "token", "hunterq7zq"]}"#,
        r#"{"command": "npx", "args": ["--k=${V:-hunterq7zq}"]}"#,
        "{\n hunterq7zq:\n}",
        r#"{"command": "npx", "token": "hunterq7zq}"#,
    ] {
        let text = format!("{{\n \"mcpServers\": {{\n  \"db\": {entry}\n }}\n}}");
        for file in [".claude.json", "project/.mcp.json", "project/mcp.json"] {
            let context = Context::new().file(file, &text);
            hidden(&context, &["db"], &[], &format!("{file}: {entry}"));
        }
        let managed = "system/etc/claude-code/managed-settings.json";
        let context =
            Context::new().file(managed, &text.replace("mcpServers", "managedMcpServers"));
        hidden(&context, &["db"], &[], &format!("{managed}: {entry}"));
    }
}

#[test]
fn in_an_entry_of_opencode() {
    for entry in [
        r#""hunterq7zq""#,
        r#"["hunterq7zq"]"#,
        r#"{"type": "hunterq7zq", "command": ["npx"]}"#,
        r#"{"type": "local", "command": "npx --token hunterq7zq"}"#,
        r#"{"type": "local", "command": {"x": "hunterq7zq"}}"#,
        r#"{"type": "local", "command": ["npx", "--token", "hunterq7zq"]}"#,
        r#"{"type": "local", "command": ["npx"], "environment": {"TOKEN": "hunterq7zq"}}"#,
        r#"{"type": "local", "command": ["npx"], "environment": "hunterq7zq"}"#,
        r#"{"type": "local", "command": ["npx"], "environment": {"TOKEN": ["hunterq7zq"]}}"#,
        r#"{"type": "local", "command": ["npx"], "timeout": "hunterq7zq"}"#,
        r#"{"type": "local", "command": ["npx"], "enabled": "hunterq7zq"}"#,
        r#"{"type": "local", "command": ["npx"], "disabled": "hunterq7zq"}"#,
        r#"{"type": "remote", "url": "https://h.example/?k=hunterq7zq"}"#,
        r#"{"type": "remote", "url": "hunterq7zq"}"#,
        r#"{"type": "remote", "url": "https://h.example", "oauth": {"clientSecret": 5, "x": "hunterq7zq"}}"#,
        r#"{"type": "remote", "url": "https://h.example", "oauth": "hunterq7zq"}"#,
        r#"{"type": "remote", "url": "https://h.example", "headers": {"A": "hunterq7zq"}}"#,
        r#"{"enabled": true, "headers": {"A": "hunterq7zq"}}"#,
        r#"{"type": "local", "token": "hunterq7zq}"#,
    ] {
        for (file, text) in [
            (
                "project/opencode.json",
                format!("{{\n \"mcp\": {{\n  \"db\": {entry}\n }}\n}}"),
            ),
            (
                ".config/opencode/opencode.jsonc",
                format!("{{\n \"mcp\": {{\"servers\": {{\n  \"db\": {entry}\n }}}}\n}}"),
            ),
        ] {
            let context = Context::new().file(file, &text);
            hidden(&context, &["db"], &[], &format!("{file}: {text}"));
        }
    }
}

/// What a variable or another file puts into a file of OpenCode's, where it fits and where it breaks the file.
#[test]
fn in_what_opencode_puts_into_its_files() {
    for (text, value) in [
        (
            r#"{"mcp": {"db": {"type": "local", "command": ["npx", "IT"]}}}"#,
            CANARY,
        ),
        (
            r#"{"mcp": {"db": {"type": "local", "command": ["npx", "--x=IT"], "cwd": "IT"}}}"#,
            CANARY,
        ),
        (
            r#"{"mcp": {"db": {"type": "IT", "command": ["npx"]}}}"#,
            CANARY,
        ),
        (
            r#"{"mcp": {"db": {"type": "local", "command": "IT"}}}"#,
            CANARY,
        ),
        (
            r#"{"mcp": {"db": {"type": "local", "command": ["npx"], "enabled": "IT"}}}"#,
            CANARY,
        ),
        (
            r#"{"mcp": {"db": {"type": "local", "command": ["npx"], "environment": {"IT": 5}}}}"#,
            CANARY,
        ),
        (
            r#"{"mcp": {"db": {"type": "local", "command": ["npx"], "environment": {"IT": "5"}}}}"#,
            CANARY,
        ),
        (
            r#"{"mcp": {"db": {"type": "remote", "url": "https://IT.example/x"}}}"#,
            CANARY,
        ),
        (
            r#"{"mcp": {"db": {"type": "remote", "url": "IT"}}}"#,
            CANARY,
        ),
        (
            r#"{"IT": 5, "model": "IT", "share": "IT", "mcp": {"db": {"type": "local", "command": ["npx"]}}}"#,
            CANARY,
        ),
        (
            r#"{"mcp": {"db": {"type": "local", "command": ["npx", "{file:IT}"]}}}"#,
            CANARY,
        ),
        (
            r#"{"mcp": {"db": {"type": "local", "command": ["npx", "IT"]}}}"#,
            "hunterq7zq\" \"x",
        ),
        (
            r#"{"mcp": {"db": {"type": "local", "command": ["npx"], "timeout": IT}}}"#,
            CANARY,
        ),
    ] {
        for (reference, file) in [("{env:SOME}", ""), ("{file:secret}", value)] {
            let context = Context::new()
                .file("project/opencode.json", &text.replace("IT", reference))
                .file("project/secret", file);
            for words in [
                &["list", "-v"][..],
                &["list", "--format", "json"],
                &["list", "--format", "markdown", "-v"],
                &["why", "-v", "db"],
                &["why", "db", "--format", "json"],
                &["why", "db", "--launch-plan"],
            ] {
                let mut command = context.command();
                command.args(words).env("SOME", value);
                let run = context.finish(&mut command);
                let written = format!("{}{}", run.stdout, run.stderr);
                let folded: String = written.split_whitespace().collect();
                assert!(
                    !folded.contains(CANARY),
                    "{text} {reference}: {words:?}\n{written}"
                );
            }
        }
    }
}

#[test]
fn in_the_command_after_the_dashes() {
    let context = Context::furnished();
    for words in [
        &["TOKEN=hunterq7zq", "claude"][..],
        &["TOKEN=hunterq7zq claude -p"],
        &["token=hunterq7zq"],
        &["x=hunterq7zq", "claude"],
        &["claude", "--mcp-config", "/nope/x?token=hunterq7zq"],
        &["claude", "--mcp-config", "/nope/x?hunterq7zq=1"],
        &["claude", "--mcp-config", "\"hunterq7zq\""],
        &["claude", "--settings", "/nope/x?token=hunterq7zq"],
        &["codex", "-c", "hunterq7zq"],
        &["codex", "-c", "=hunterq7zq"],
        &["codex", "-C", "/nope?token=hunterq7zq"],
        &["codex", "-p", "x?token=hunterq7zq"],
        &["codex", "mcp", "--token=hunterq7zq"],
        &["opencode", "a", "x?token=hunterq7zq"],
        &["opencode", "mcp", "--token=hunterq7zq"],
        &["opencode", "/nope?token=hunterq7zq"],
    ] {
        let rest = [&["--"][..], words].concat();
        hidden(&context, &["db"], &rest, &words.join(" "));
    }
    let refusal = context
        .run(["list", "--", "TOKEN=hunterq7zq", "claude"])
        .refused();
    assert_eq!(
        refusal,
        "error: cannot tell what the command after `--` would start\n  because `TOKEN=•••` sets a variable and starts no agent\nhint: variables stand before `muster`: NAME=VALUE muster list -- claude\n"
    );
}

#[test]
fn in_the_path_of_a_plugin() {
    let context = Context::new()
        .file(".claude/settings.json", r#"{"enabledPlugins": {"p@m": true}}"#)
        .file(
            ".claude/plugins/installed_plugins.json",
            r#"{"version": 2, "plugins": {"p@m": [{"scope": "user", "installPath": "{{ROOT}}/p?token=hunterq7zq", "version": "1"}]}}"#,
        )
        .file("p?token=hunterq7zq/.mcp.json", r#"{"db": {"command": "npx"}, "odd": "hunterq7zq"}"#);
    hidden(
        &context,
        &["plugin:p:db", "plugin:p:odd"],
        &[],
        "installPath",
    );
}

/// A value that somebody wrote as a bare argument is known from elsewhere.
#[test]
fn as_a_bare_argument_where_a_variable_holds_it() {
    let servers =
        r#"{"mcpServers": {"db": {"command": "npx", "args": ["hunterq7zq", "${SOME}"]}}}"#;
    let claude = |settings: &str| {
        let context = Context::new().file("project/.mcp.json", servers);
        context.file(settings, r#"{"env": {"SOME": "hunterq7zq"}}"#)
    };
    for settings in [".claude/settings.json", "project/.claude/settings.json"] {
        hidden(
            &claude(settings),
            &["db"],
            &["--harness", "claude-code"],
            settings,
        );
    }
    let codex = Context::new()
        .file(".codex/.env", "SOME='hunterq7zq'\n")
        .file(
            ".codex/config.toml",
            "[mcp_servers.db]\ncommand = \"npx\"\nargs = [\"hunterq7zq\"]\n",
        );
    hidden(&codex, &["db"], &[], ".env");
    let context = Context::new().file("project/.mcp.json", servers);
    for words in [["list", "-v"], ["why", "db"]] {
        let mut command = context.command();
        command.args(words).env("SOME", "hunterq7zq");
        let text = context.finish(&mut command).fine();
        assert!(!text.contains(CANARY), "{text}");
    }
}

/// A launch plan holds the values of all variables, expanded; it shows none.
#[test]
fn in_whatever_a_server_would_be_started_with() {
    let context = Context::new()
        .file(
            ".claude.json",
            r#"{"mcpServers": {
                "db": {"command": "${TOOL}", "args": ["${SOME}", "--x=${SOME}/y", "${NOPE:-hunterq7zq}", "--token", "hunterq7zq"],
                    "env": {"A": "hunterq7zq", "B": "${SOME}", "C": "${TOKEN}"}},
                "gh": {"type": "http", "url": "https://me:hunterq7zq@${SOME}.example.com/hunterq7zq/mcp?k=${TOKEN}",
                    "headers": {"X-A": "hunterq7zq", "X-B": "${SOME}", "X-C": "Bearer ${TOKEN}"}, "headersHelper": "./helper --token hunterq7zq"}
            }}"#,
        )
        .file(
            ".claude/settings.json",
            r#"{"env": {"OWN_TOKEN": "hunterq7zq", "OWN": "hunterq7zq"}}"#,
        )
        .file(".codex/.env", "DOT=hunterq7zq\n")
        .file(
            ".codex/config.toml",
            r#"
            [mcp_servers.db]
            command = "npx"
            args = ["${SOME}", "--password", "hunterq7zq"]
            env_vars = ["SOME", "DOT", "TOKEN"]
            env = { A = "hunterq7zq" }
            [mcp_servers.gh]
            url = "https://api.example.com/hunterq7zq/mcp?token=hunterq7zq"
            http_headers = { X-A = "hunterq7zq" }
            env_http_headers = { X-B = "SOME" }
            bearer_token_env_var = "TOKEN"
            http_headers_helper = "helper --token hunterq7zq"
            "#,
        );
    let variables = [
        "SOME",
        "TOKEN",
        "TOOL",
        "UNRELATED",
        "OTEL_EXPORTER_OTLP_HEADERS",
    ];
    for name in ["db", "gh"] {
        for format in ["text", "json", "markdown"] {
            for more in [&["-v"][..], &[], &["--headless"]] {
                let mut command = context.command();
                command.args(["why", name, "--launch-plan", "--format", format]);
                command
                    .args(more)
                    .envs(variables.map(|name| (name, CANARY)));
                let text = context.finish(&mut command).fine();
                let folded: String = text.split_whitespace().collect();
                assert!(!folded.contains(CANARY), "{name} {format} {more:?}\n{text}");
            }
        }
    }
}

#[test]
fn in_the_value_of_a_flag_that_is_taken_for_a_folder() {
    let context = Context::furnished();
    for agent in ["opencode", "cursor", "cursor-agent"] {
        let words = [
            "list",
            "--",
            agent,
            "--api-key",
            "SEKRETabc123XYZdef456uvw789",
        ];
        let run = context.run(words);
        assert!(
            !format!("{}{}", run.stdout, run.stderr).contains("SEKRET"),
            "{agent}: {}",
            run.stderr
        );
    }
}
