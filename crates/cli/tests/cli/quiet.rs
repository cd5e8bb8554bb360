//! Listing starts nothing: no server, no helper command, no `git`, no agent.

use std::os::unix::fs::PermissionsExt;

use crate::context::Context;

/// Programs that configuration names or that a tool of this kind may be tempted to run.
const PROGRAMS: [&str; 9] = [
    "claude", "codex", "git", "helper", "node", "npx", "server", "sh", "uvx",
];

/// A world in which everything that can be started leaves a file behind.
fn watched() -> Context {
    let mut context = Context::new()
        .file(
            ".claude.json",
            r#"{"mcpServers": {
              "stdio": {"command": "server"},
              "remote": {"type": "http", "url": "http://127.0.0.1:9/mcp", "headersHelper": "helper"}
            }, "projects": {"{{ROOT}}/project": {"hasTrustDialogAccepted": true}}}"#,
        )
        .file(
            ".claude/settings.json",
            r#"{"apiKeyHelper": "helper", "enableAllProjectMcpServers": true}"#,
        )
        .file(
            ".codex/config.toml",
            "[mcp_servers.remote]\nurl = \"http://127.0.0.1:9/mcp\"\nhttp_headers_helper = \"helper\"\n\
             [mcp_servers.stdio]\ncommand = \"server\"\n[projects.\"{{ROOT}}/project\"]\ntrust_level = \"trusted\"\n",
        )
        .file("project/.git/HEAD", "ref: refs/heads/main\n")
        .file("project/.mcp.json", r#"{"mcpServers": {"npx": {"command": "npx"}}}"#)
        .file("project/.codex/config.toml", "[mcp_servers.uvx]\ncommand = \"uvx\"\n");
    for program in PROGRAMS {
        let path = format!("bin/{program}");
        context = context.file(&path, "#!/bin/sh\necho \"$0\" >> \"{{ROOT}}/started\"\n");
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(context.path(&path), mode).unwrap();
    }
    context
}

#[test]
fn listing_starts_nothing() {
    let context = watched();
    for args in [
        &["list", "-v"][..],
        &["list", "--format", "json"],
        &["list", "--headless"],
        &["why", "remote", "-v"],
        &["list", "--", "claude", "mcp", "list"],
        &["list", "--", "codex", "exec", "hi"],
    ] {
        let mut command = context.command();
        command.env("PATH", context.path("bin")).args(args);
        let said = context.finish(&mut command).fine();
        assert!(said.contains("remote"), "{args:?}: {said}");
        assert!(
            !context.path("started").exists(),
            "{args:?} started something"
        );
    }
}

#[test]
fn the_watch_works() {
    let context = watched();
    let status = std::process::Command::new(context.path("bin/npx")).status();
    assert!(status.unwrap().success());
    assert!(context.path("started").exists());
}
