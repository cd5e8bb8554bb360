//! Surveys that several tests look at.

use muster_core::{Resolution, Scope, Status};

use crate::hand::Hand;

/// A shop with servers in many states, three agents.
pub(crate) fn shop() -> Vec<Resolution> {
    let claude = Hand::new("claude-code", "Claude Code")
        .file(
            "/home/me/src/shop/.mcp.json",
            Scope::Project,
            r#"{
  "db": { "command": "npx", "args": ["-y", "@acme/db", "--url", "${DB_URL}"], "env": { "DB_TOKEN": "hunter2-hunter2" } },
  "lint": { "command": "./tools/lint-mcp" }
}"#,
            &[(Status::Configured, None), (Status::NeedsApproval, Some("needs your approval"))],
        )
        .file(
            "/home/me/.claude.json",
            Scope::User,
            r#"{
  "github": { "url": "https://api.example.com/mcp", "headers": { "Authorization": "Bearer hunter3-hunter3" } },
  "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/src/shop/documents"] },
  "old": { "command": "old-mcp" },
  "db": { "command": "other-db" }
}"#,
            &[
                (Status::Configured, None),
                (Status::Configured, None),
                (Status::Off, Some("switched off here")),
                (Status::Overridden, Some("project's db wins")),
            ],
        )
        .reason("lint", "approval", ".claude/settings.json names it, but a file of the repository counts only in a trusted folder")
        .remedy("lint", "start claude here, trust the folder, accept lint")
        .remedy("lint", "add \"lint\" to enabledMcpjsonServers in ~/.claude/settings.json")
        .note("2 servers of other folders in ~/.claude.json concern nobody here")
        .absent("/home/me/.claude/settings.json", Scope::User)
        .done();
    let codex = Hand::new("codex", "Codex")
        .file(
            "/home/me/src/shop/.codex/config.toml",
            Scope::Project,
            r#"{"db": {"command": "npx", "args": ["-y", "@acme/db"]}}"#,
            &[(Status::Untrusted, Some("folder not trusted"))],
        )
        .with(|codex| codex.situation = Some("this folder is not trusted".to_owned()))
        .done();
    vec![
        claude,
        codex,
        Hand::new("cursor", "Cursor")
            .absent("/home/me/.cursor/mcp.json", Scope::User)
            .done(),
    ]
}

/// Nothing anywhere.
pub(crate) fn empty() -> Vec<Resolution> {
    vec![
        Hand::new("claude-code", "Claude Code")
            .absent("/home/me/.claude.json", Scope::User)
            .absent("/home/me/src/shop/.mcp.json", Scope::Project)
            .note("2 servers for 1 other folder in ~/.claude.json: of no concern here")
            .first_step("claude mcp add NAME -- COMMAND writes one for you in this folder")
            .first_step(
                "a file .mcp.json here: {\"mcpServers\": {\"NAME\": {\"command\": \"COMMAND\"}}}",
            )
            .done(),
        Hand::new("codex", "Codex")
            .with(|codex| codex.installed = None)
            .done(),
    ]
}

/// Files that cannot be read: with servers beside them, and without.
pub(crate) fn unreadable() -> Vec<Resolution> {
    vec![
        Hand::new("claude-code", "Claude Code")
            .file(
                "/home/me/src/shop/.mcp.json",
                Scope::Project,
                r#"{"db": {"command": "db"}}"#,
                &[(Status::Configured, None)],
            )
            .unreadable(
                "/home/me/.claude.json",
                Scope::User,
                "cannot be read: permission denied",
            )
            .unreadable("/home/me/src/.mcp.json", Scope::Project, "is a named pipe")
            // What somebody may have taken for a file of the harness's has rows of its own.
            .with(|claude| {
                claude.files.push(muster_core::FileReport {
                    path: "/home/me/src/shop/mcp.json".into(),
                    scope: Scope::Project,
                    state: muster_core::FileState::Skipped,
                    note: Some("never read".to_owned()),
                    place: None,
                });
            })
            .done(),
        Hand::new("codex", "Codex")
            .unreadable(
                "/home/me/.codex/config.toml",
                Scope::User,
                "is larger than 67108864 bytes",
            )
            .done(),
    ]
}

/// Servers in a file that another program reads, and one that stands alone in such a file.
pub(crate) fn unread() -> Vec<Resolution> {
    let desktop = "Claude Desktop's, not read here";
    vec![
        Hand::new("claude-code", "Claude Code")
            .file(
                "/home/me/.claude.json",
                Scope::User,
                r#"{"db": {"command": "db"}}"#,
                &[(Status::Configured, None)],
            )
            .file(
                "/home/me/.config/Claude/claude_desktop_config.json",
                Scope::User,
                r#"{"files": {"command": "files"}, "slack": {"command": "slack"}, "memory": {"command": "memory"}, "search": {"url": "https://api.example.com/mcp"}}"#,
                &[(Status::Ignored, Some(desktop)); 4],
            )
            .file(
                "/home/me/src/shop/.vscode/mcp.json",
                Scope::Project,
                r#"{"lone": {"command": "lone"}}"#,
                &[(Status::Ignored, Some("VS Code's, not read here"))],
            )
            .done(),
    ]
}

/// A harness that one file stops, and one that a file costs servers.
pub(crate) fn stopped() -> Vec<Resolution> {
    vec![
        Hand::new("codex", "Codex")
            .file(
                "/home/me/.codex/config.json",
                Scope::User,
                r#"{"db": {"command": "db"}}"#,
                &[(Status::Invalid, Some("Codex does not start"))],
            )
            .broken(
                "/home/me/src/shop/.codex/config.json",
                Scope::Project,
                "{\n  \"a\": 1,\n}",
            )
            .stopped("Codex refuses to start: Error parsing project config file, expected a key")
            .done(),
        Hand::new("claude-code", "Claude Code")
            .broken("/home/me/src/shop/.mcp.json", Scope::Project, "{\"a\" 1}")
            .done(),
    ]
}

/// Names and commands that try to act.
pub(crate) fn hostile() -> Vec<Resolution> {
    let long = "n".repeat(300);
    let text = format!(
        r#"{{
  "\u001b[31mred\u001b[0m\u0007": {{ "command": "\u001b]0;title\u0007", "args": ["a\nb", "\u202egnp.exe"] }},
  "a|b `c` <script>alert(1)</script> [x](http://evil.example) **b**": {{ "command": "c|d`e`" }},
  "zero\u200bwidth\u2066\u3164": {{ "url": "https://e.example/mcp" }},
  "{long}": {{ "command": "{long}", "args": ["漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字"] }},
  "": {{ "command": "" }},
  "zalgo\u0301\u0301\u0301\u0301\u0301": {{ "command": "z" }}
}}"#
    );
    vec![
        Hand::new("claude-code", "Claude Code")
            .file(
                "/home/me/src/shop/.m\u{202e}cp|`.json",
                Scope::Project,
                &text,
                &[(Status::Invalid, Some("\u{1b}[2J|`<b>`"))],
            )
            .note("a note with \u{1b}[31mcolour\u{1b}[0m, a | and a `tick`")
            .done(),
    ]
}

/// Two hundred servers.
pub(crate) fn many() -> Vec<Resolution> {
    let members: Vec<String> = (0..200)
        .map(|n| format!(r#""server-number-{n}": {{ "command": "npx", "args": ["-y", "@acme/server-{n}", "--root", "/srv/data/{n}"] }}"#))
        .collect();
    let text = format!("{{\n{}\n}}", members.join(",\n"));
    vec![
        Hand::new("claude-code", "Claude Code")
            .file(
                "/home/me/src/shop/.mcp.json",
                Scope::Project,
                &text,
                &[(Status::Configured, None)],
            )
            .done(),
    ]
}
