//! What keeps a server from being started or reached.

use muster_core::{Audience, Platform};

use crate::found::{by, codex, ids, program, project, stage};

#[test]
fn a_wrong_word_for_the_transport_is_told_with_the_right_one() {
    let stage = project(
        r#""a": {"type": "HTTP", "url": "https://a.example/mcp"},
           "b": {"type": "websocket", "url": "wss://b.example/mcp"},
           "c": {"type": "local", "command": "npx"},
           "d": {"type": "streamable-http", "url": "https://d.example/mcp"}"#,
    );
    assert_eq!(
        by("transport-word", &stage),
        [
            "error 2:15 a: Claude Code knows no transport called \"HTTP\"; write \"type\": \"http\"",
            "error 3:26 b: Claude Code knows no transport called \"websocket\"; write \"type\": \"ws\"",
            "error 4:26 c: Claude Code knows no transport called \"local\"; write \"type\": \"stdio\"",
        ]
    );
    assert_eq!(by("invalid-entry", &stage), [""; 0]);
}

#[test]
fn an_address_without_a_word_is_told_where_one_is_needed() {
    let claude = project(r#""a": {"url": "https://a.example/mcp"}"#);
    assert_eq!(
        by("url-without-type", &claude),
        ["error 2:14 a: Claude Code skips an address without \"type\"; add \"type\": \"http\""]
    );
    assert_eq!(by("invalid-entry", &claude), [""; 0]);
    let codex = codex("[mcp_servers.a]\nurl = \"https://a.example/mcp\"\n");
    assert_eq!(ids(&codex), [""; 0]);
}

#[test]
fn a_command_is_looked_for_where_the_harness_looks() {
    let stage = project(
        r#""a": {"command": "missing"},
           "b": {"command": "./tools/run"},
           "c": {"command": "/usr/bin/notes.txt"},
           "d": {"command": "run", "env": {"PATH": "/opt/own"}},
           "e": {"command": "npx", "env": {"PATH": "/opt/own"}},
           "f": {"command": "~/bin/run"}"#,
    );
    program(&stage, "/opt/own/run");
    assert_eq!(
        by("command-not-found", &stage),
        [
            "error 2:18 a: missing is in no folder of PATH; install it, correct its name, or write its full path",
            "error 3:29 b: there is no tools/run to start; correct the path; a relative one is looked for in the folder that Claude Code is started in",
            "error 4:29 c: /usr/bin/notes.txt may not be executed; chmod +x makes it executable",
            "error 6:29 e: npx is in no folder of PATH; install it, correct its name, or write its full path",
            "error 7:29 f: Claude Code does not follow `~` in a command: it looks for a folder of that name; write the path from / on",
        ]
    );
}

#[test]
fn without_a_path_or_in_another_system_nothing_is_said_of_commands() {
    let servers = r#""a": {"command": "missing"}, "b": {"command": "npx"}"#;
    assert_eq!(
        by("command-not-found", &project(servers).env("PATH", "")).len(),
        2
    );
    let elsewhere = project(servers).system_root("/elsewhere");
    assert_eq!(ids(&elsewhere), [""; 0]);
}

#[test]
fn windows_has_endings_and_its_own_spelling_of_path() {
    let stage = stage("")
        .platform(Platform::Windows)
        .env("Path", "/tools;/usr/bin");
    program(&stage, "/tools/uvx.cmd");
    let world = stage.world();
    let harness = muster_harness::by_id("codex").expect("codex is registered");
    stage.tree.file(
        "/home/me/.codex/config.toml",
        "[mcp_servers.a]\ncommand = \"uvx\"\n[mcp_servers.b]\ncommand = \"none\"\n[mcp_servers.c]\ncommand = \"cmd\"\nargs = [\"/c\", \"npx\"]\n",
    );
    let resolution = harness.resolve(&world);
    let found = muster_audit::audit(&world, muster_harness::ALL, &[resolution], &Audience::ALL);
    let told: Vec<_> = found
        .iter()
        .map(|finding| (finding.check.id, finding.server.as_deref()))
        .collect();
    assert_eq!(
        told,
        [
            ("command-not-found", Some("b")),
            ("command-not-found", Some("c"))
        ]
    );
}

#[test]
fn a_whole_command_line_is_told_and_not_looked_for() {
    let stage = project(
        r#""a": {"command": "npx -y @acme/db --token hunter2"},
           "b": {"command": "/opt/My App/run"}"#,
    );
    program(&stage, "/opt/My App/run");
    assert_eq!(
        by("command-line-in-command", &stage),
        [
            "error 2:18 a: the whole text of \"command\" is taken for the name of one program; write \"npx\" in command, and each of the other words in args"
        ]
    );
    assert_eq!(by("command-not-found", &stage), [""; 0]);
}

#[test]
fn cmd_is_told_outside_windows_only() {
    let servers = r#""a": {"command": "cmd.exe", "args": ["/C", "npx"]}, "b": {"command": "npx", "args": ["/c"]}"#;
    assert_eq!(ids(&project(servers)), ["cmd-outside-windows"]);
    let windows = project(servers).platform(Platform::Windows);
    assert_eq!(by("cmd-outside-windows", &windows), [""; 0]);
}

#[test]
fn plain_http_is_fine_on_this_machine_alone() {
    let stage = project(
        r#""a": {"type": "http", "url": "http://a.example/mcp"},
           "b": {"type": "http", "url": "http://localhost:8080/mcp"},
           "c": {"type": "sse", "url": "http://[::1]/sse"},
           "d": {"type": "ws", "url": "ws://10.0.0.2/mcp"}"#,
    );
    assert_eq!(
        by("plain-http", &stage),
        [
            "warning 2:30 a: http:// to another machine: anybody on the way can read and change it; write https://",
            "note 5:39 d: ws:// to another machine: anybody on the way can read and change it; write wss://",
        ]
    );
}

#[test]
fn what_a_broken_file_costs_is_told_once() {
    let stage = stage(
        "
        //- /work/repo/.mcp.json
        {\"mcpServers\": {\"a\": {\"command\": \"npx\"}, \"b\": {\"url\": \"https://b.example\"},}}
        ",
    );
    assert_eq!(ids(&stage), ["broken-file"]);
}

#[test]
fn relative_paths_are_told_where_they_lead_elsewhere() {
    let stage = project(
        r#""a": {"command": "./tools/run"},
           "b": {"command": "node", "args": ["scripts/server.js", "--x"]},
           "c": {"command": "node", "args": ["-y", "missing.js"]},
           "d": {"command": "npx", "args": ["./data"]}"#,
    )
    .folder("/work/repo/sub");
    program(&stage, "/work/repo/tools/run");
    stage.tree.file("/work/repo/scripts/server.js", "");
    stage.tree.folder("/work/repo/sub");
    assert_eq!(
        by("relative-path", &stage),
        [
            "error 2:18 a: ./tools/run is looked for in /work/repo/sub, and stands in /work/repo; start the session in /work/repo, or write the whole path",
            "error 3:46 b: scripts/server.js is looked for in /work/repo/sub, and stands in /work/repo; start the session in /work/repo, or write the whole path",
        ]
    );
    assert_eq!(by("command-not-found", &stage), [""; 0]);
    let own = codex(
        "[mcp_servers.a]\ncommand = \"node\"\nargs = [\"./server.js\"]\n[mcp_servers.b]\ncommand = \"npx\"\nargs = [\"server-filesystem\", \".\"]\n",
    );
    assert_eq!(
        by("relative-path", &own),
        [
            "warning 3:9 a: ./server.js is looked for in whatever folder a session starts in; write the whole path"
        ]
    );
}

#[test]
fn in_the_projects_own_folder_relative_paths_are_fine() {
    let stage = project(
        r#""a": {"command": "./tools/run"}, "b": {"command": "node", "args": ["scripts/server.js"]}"#,
    );
    program(&stage, "/work/repo/tools/run");
    stage.tree.file("/work/repo/scripts/server.js", "");
    assert_eq!(ids(&stage), [""; 0]);
}

#[test]
fn a_missing_working_folder_is_told_for_what_it_is() {
    let stage = codex(
        "[mcp_servers.a]\ncommand = \"npx\"\ncwd = \"/none\"\n[mcp_servers.b]\ncommand = \"npx\"\ncwd = \"/usr/bin\"\n[mcp_servers.c]\ncommand = \"npx\"\ncwd = \"/usr/bin/npx\"\n",
    );
    assert_eq!(
        by("missing-folder", &stage),
        [
            "error 3:7 a: there is no folder /none to start in; correct cwd, or make the folder",
            "error 9:7 c: /usr/bin/npx is no folder to start in; correct cwd, or make the folder",
        ]
    );
}

#[test]
fn programs_of_windows_are_told_on_linux() {
    let stage = codex(
        "[mcp_servers.a]\ncommand = \"/mnt/c/tools/run.exe\"\n[mcp_servers.b]\ncommand = \"only-there\"\n[mcp_servers.c]\ncommand = \"npx\"\n[mcp_servers.d]\ncommand = \"/mnt/data/run\"\n",
    )
    .env("PATH", "/usr/bin:/mnt/c/tools");
    for path in [
        "/mnt/c/tools/run.exe",
        "/mnt/c/tools/only-there",
        "/mnt/c/tools/npx",
        "/mnt/data/run",
    ] {
        program(&stage, path);
    }
    assert_eq!(
        by("windows-program-in-wsl", &stage),
        [
            "warning 2:11 a: /mnt/c/tools/run.exe is a program of Windows, and this is Linux; install it in Linux",
            "warning 4:11 b: /mnt/c/tools/only-there is a program of Windows, and this is Linux; install it in Linux",
        ]
    );
}

#[test]
fn docker_without_input_is_told() {
    let stage = project(
        r#""a": {"command": "docker", "args": ["run", "--rm", "acme/db"]},
           "b": {"command": "docker", "args": ["run", "-it", "acme/db"]},
           "c": {"command": "docker", "args": ["run", "--interactive=true", "acme/db"]},
           "d": {"command": "docker", "args": ["mcp", "gateway", "run"]},
           "e": {"command": "npx", "args": ["run"]}"#,
    );
    assert_eq!(
        by("docker-without-stdin", &stage),
        [
            "error 2:37 a: `docker run` without -i gives the server no input: it ends at once; add \"-i\" behind \"run\""
        ]
    );
}

#[test]
fn packages_without_a_version_are_for_the_pedantic() {
    let stage = project(
        r#""a": {"command": "npx", "args": ["-y", "@acme/db"]},
           "b": {"command": "npx", "args": ["-y", "--package=x", "@acme/db@1.2.3"]},
           "c": {"command": "uvx", "args": ["--from", "acme-db", "serve"]},
           "d": {"command": "node", "args": ["x"]}"#,
    );
    assert_eq!(
        by("unpinned-package", &stage),
        [
            "note 2:40 a: @acme/db is fetched in whatever version is the newest; name its version behind an @",
            "note 4:55 c: acme-db is fetched in whatever version is the newest; name its version behind an @",
        ]
    );
    assert_eq!(ids(&stage), [""; 0]);
}
