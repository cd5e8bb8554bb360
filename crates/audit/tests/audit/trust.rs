//! Secrets, trust, and what comes from a project.

use crate::found::{by, codex, ids, project, stage};

#[test]
fn literal_secrets_are_told_where_others_see_them() {
    let stage = project(
        r#""a": {"command": "npx", "args": ["--api-key", "kq83-vbn2-77xa-m4tz", "ghp_Zt8kQ2mW9xR4vB7nL1cYpD3sHfJ6gKqUeT0a"]},
           "b": {"type": "http", "url": "https://b.example/mcp?token=kq83vbn277xam4tz"},
           "c": {"command": "npx", "env": {"API_KEY": "kq83-vbn2-77xa-m4tz", "LEVEL": "debug2", "KEY": "${KEY:-x}"}},
           "d": {"type": "http", "url": "https://d.example/mcp", "headers": {"Authorization": "Bearer kq83vbn277xam4tz"}}"#,
    );
    let told = by("literal-secret", &stage);
    assert_eq!(
        told,
        [
            "warning 2:47 a: a secret stands in an argument, where every process list shows it; take it out, and have a variable in its place",
            "warning 3:41 b: a secret stands in the address, which ends up in logs; take it out, and have a variable in its place",
            "warning 4:55 c: the value of API_KEY stands in a file that goes with the project; take it out, and have a variable in its place",
            "warning 5:95 d: the value of Authorization stands in a file that goes with the project; take it out, and have a variable in its place",
        ]
    );
}

#[test]
fn what_only_looks_like_a_secret_is_fine() {
    let stage = project(
        r#""a": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-everything2@2025.1.0", "--token", "${TOKEN:-}", "--root", "/srv/data/9f8e7d6c5b4a3928", "--project", "550e8400-e29b-41d4-a716-446655440000", "ghcr.io/acme/db@sha256:9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c5b4a39281706f5e4d3c2b1a0"]},
           "b": {"type": "http", "url": "https://b.example/mcp/v1?team=shop2024&token=${TOKEN:-}"},
           "c": {"command": "npx", "env": {"API_KEY": "your_key_here", "PASSWORD": "postgres", "TOKEN": "changeme1", "KEY_FILE": "/run/keys/db2.pem", "AUTHOR": "me2you22"}}"#,
    );
    assert_eq!(by("literal-secret", &stage), [""; 0]);
    // Of one's own file, values of variables are nobody else's business.
    let own = stage_of_home(0o600);
    assert_eq!(ids(&own), [""; 0]);
}

fn stage_of_home(mode: u32) -> muster_testkit::Stage {
    let stage = codex(
        "[mcp_servers.a]\ncommand = \"npx\"\nenv = { API_KEY = \"kq83-vbn2-77xa-m4tz\" }\n[mcp_servers.b]\ncommand = \"npx\"\nenv = { API_KEY = \"kq83-vbn2-77xa-m4tz\" }\n",
    );
    stage.tree.chmod("/home/me/.codex/config.toml", mode);
    stage
}

#[test]
fn a_file_with_secrets_that_everybody_may_read_is_told_once() {
    assert_eq!(
        by("readable-secrets", &stage_of_home(0o644)),
        [
            "warning 1:14 -: everybody on this machine may read ~/.codex/config.toml, which holds secrets; chmod 600 ~/.codex/config.toml"
        ]
    );
    assert_eq!(by("readable-secrets", &stage_of_home(0o640)), [""; 0]);
    let closed = stage_of_home(0o644);
    closed.tree.folder("/home/me");
    closed.tree.chmod("/home/me", 0o700);
    assert_eq!(by("readable-secrets", &closed), [""; 0]);
}

#[test]
fn trust_under_a_spelling_that_is_not_looked_up_is_told() {
    let project_file = "[mcp_servers.a]\ncommand = \"npx\"\n";
    let untrusted = |projects: &str| {
        let stage = codex(projects);
        stage
            .tree
            .file("/work/repo/.codex/config.toml", project_file);
        stage.tree.link("/short", "/work/repo");
        stage
    };
    let table = |key: &str| format!("[projects.\"{key}\"]\ntrust_level = \"trusted\"\n");
    let told = |key: &str| by("dead-trust-key", &untrusted(&table(key)));
    assert_eq!(
        told("/short"),
        [
            "warning 1:11 -: trust in /short does not count here: it goes through a link, and the real path is looked up; write it under /work/repo"
        ]
    );
    assert_eq!(
        told("/work/Repo"),
        [
            "warning 1:11 -: trust in /work/Repo does not count here: it is spelled in other capitals; write it under /work/repo"
        ]
    );
    assert_eq!(
        told("/work/repo/"),
        [
            "warning 1:11 -: trust in /work/repo/ does not count here: paths are compared letter by letter; write it under /work/repo"
        ]
    );
    assert_eq!(
        told("/work"),
        [
            "note 1:11 -: trust in /work does not count here: trust in a folder above is not inherited; write it under /work/repo"
        ]
    );
    assert_eq!(told("/work/other"), [""; 0]);
    assert_eq!(told("/work/repo"), [""; 0]);
}

#[test]
fn trust_of_claude_code_through_a_link_is_told_while_a_server_waits() {
    let stage = project(r#""a": {"command": "npx"}"#);
    stage.tree.link("/short", "/work/repo");
    stage.tree.file(
        "/home/me/.claude.json",
        r#"{"projects": {"/elsewhere": {"hasTrustDialogAccepted": true}, "/short": {"hasTrustDialogAccepted": true}}}"#,
    );
    assert_eq!(
        by("dead-trust-key", &stage),
        [
            "warning 1:63 -: trust in /short does not count here: it goes through a link, and the real path is looked up; write it under /work/repo"
        ]
    );
}

#[test]
fn a_project_that_approves_itself_is_told() {
    let stage = project(r#""a": {"command": "npx"}"#);
    stage.tree.file(
        "/work/repo/.claude/settings.json",
        r#"{"enableAllProjectMcpServers": true, "enabledMcpjsonServers": ["a"]}"#,
    );
    stage.tree.file(
        "/work/repo/.claude/settings.local.json",
        r#"{"enableAllProjectMcpServers": true}"#,
    );
    assert_eq!(
        by("approves-itself", &stage),
        [
            "warning 1:2 -: a file of the project approves every server of its .mcp.json, those to come too; take it out: each person says yes for himself"
        ]
    );
}

#[test]
fn a_project_in_the_place_of_ones_own_is_told_where_it_is_another_server() {
    let stage = |own: &str| {
        let stage = project(r#""db": {"command": "npx", "args": ["-y", "@acme/db"]}"#);
        stage.tree.file(
            "/home/me/.claude.json",
            format!(r#"{{"mcpServers": {{"db": {own}}}}}"#),
        );
        stage.headless()
    };
    assert_eq!(
        by(
            "replaces-your-own",
            &stage(r#"{"command": "npx", "args": ["-y", "@mine/db"]}"#)
        ),
        [
            "warning 2:1 db: the project's server takes the place of your own (user scope, ~/.claude.json); look at what it starts; to keep your own, give it another name"
        ]
    );
    let same = stage(r#"{"command": "npx", "args": ["-y", "@acme/db"]}"#);
    assert_eq!(by("replaces-your-own", &same), [""; 0]);
}

/// An index of version 2 with one entry.
fn index(path: &str) -> Vec<u8> {
    let mut bytes = b"DIRC\0\0\0\x02\0\0\0\x01".to_vec();
    bytes.extend([0; 60]);
    bytes.extend(u16::try_from(path.len()).unwrap_or_default().to_be_bytes());
    bytes.extend(path.as_bytes());
    let padding = 8 - (62 + path.len()) % 8;
    bytes.extend(vec![0; padding + 20]);
    bytes
}

#[test]
fn a_file_that_worktrees_do_not_get_is_told() {
    let servers = r#""a": {"command": "npx"}"#;
    let with = |tracked: &str| {
        let stage = project(servers);
        stage.tree.file("/work/repo/.git/index", index(tracked));
        stage
    };
    assert_eq!(by("missing-in-worktree", &with("README.md")), [""; 0]);
    let untracked = with("README.md");
    untracked
        .tree
        .file("/work/repo/.git/worktrees/fix/HEAD", "");
    assert_eq!(
        by("missing-in-worktree", &untracked),
        [
            "note 2:1 -: .mcp.json is not in the repository: its worktrees do not have these servers; commit .mcp.json, or copy it into each worktree"
        ]
    );
    let tracked = with(".mcp.json");
    tracked.tree.file("/work/repo/.git/worktrees/fix/HEAD", "");
    assert_eq!(by("missing-in-worktree", &tracked), [""; 0]);
}

#[test]
fn a_worktree_without_the_main_checkouts_file_is_told() {
    let stage = stage(
        "
        //- /work/repo/.mcp.json
        {\"mcpServers\": {\"a\": {\"command\": \"npx\"}}}
        //- /work/repo/.git/worktrees/fix/commondir
        ../..
        //- /work/repo/.git/worktrees/fix/gitdir
        /work/fix/.git
        //- /work/fix/.git
        gitdir: /work/repo/.git/worktrees/fix
        ",
    )
    .folder("/work/fix");
    assert_eq!(
        by("missing-in-worktree", &stage),
        [
            "warning - -: .mcp.json of the main checkout is missing in this worktree; commit .mcp.json, or copy it from /work/repo"
        ]
    );
}

#[test]
fn what_nobody_reads_is_told_with_where_it_belongs() {
    let stage = stage(
        "
        //- /work/repo/.claude/mcp.json
        {\"mcpServers\": {\"a\": {\"command\": \"npx\"}}}
        //- /work/repo/.vscode/mcp.json
        {\"servers\": {\"b\": {\"command\": \"npx\"}}}
        //- /work/repo/.mcp.json
        {\"mcpServers\": {\"c\": {\"command\": \"npx\"}}}
        //- /home/me/.codex/config.toml
        [mcpServers.d]
        command = \"npx\"
        ",
    );
    let told = by("never-read", &stage);
    let of = |server: &str| {
        let about = format!(" {server}: ");
        let told = told.iter().filter(|line| line.contains(&about));
        told.map(|line| line.split(' ').next().unwrap_or_default())
            .collect::<Vec<_>>()
    };
    assert_eq!(of("a"), ["warning"]);
    assert!(of("b").iter().all(|severity| *severity == "note") && !of("b").is_empty());
    // Claude Code reads it: for no other agent is it a mistake.
    assert_eq!(of("c"), [""; 0]);
    assert_eq!(of("d"), ["warning"]);
}

#[test]
fn what_two_agents_read_in_one_file_is_told_once() {
    let stage = stage(
        "
        //- /work/repo/.cursor/mcp.json
        {\"mcpServers\": {\"a\": {\"type\": \"http\", \"url\": \"http://a.example/mcp\"}}}
        ",
    );
    assert_eq!(by("plain-http", &stage).len(), 1);
}

#[test]
fn a_project_that_says_what_ones_own_server_starts_is_told() {
    let with = |own: &str| {
        let stage = codex(&format!(
            "[projects.\"/work/repo\"]\ntrust_level = \"trusted\"\n[mcp_servers.db]\n{own}env = {{ LEVEL = \"info\" }}\n"
        ));
        stage.tree.file(
            "/work/repo/.codex/config.toml",
            "[mcp_servers.db]\ncommand = \"npx\"\n",
        );
        by("replaces-your-own", &stage)
    };
    assert_eq!(
        with("command = \"node\"\n"),
        [
            "warning 1:14 db: the project says what your own server of that name starts; the rest of it stays as you wrote it in ~/.codex/config.toml, variables too; look at what it starts; to keep your own, give it another name"
        ]
    );
    assert_eq!(with("command = \"npx\"\n"), [""; 0]);
    assert_eq!(with(""), [""; 0]);
}
