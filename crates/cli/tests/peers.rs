//! `muster check --launch` on official servers: the TypeScript and the Python SDK, over every transport they have.
//!
//! Not among the tests that `cargo test` runs: `cargo xtask peers` installs the servers, pinned, and runs it.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "in a test a panic is the failing assertion"
)]

use std::fs;
use std::io::Read as _;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Where `cargo xtask peers` installed everything.
fn peers() -> PathBuf {
    std::env::var_os("MUSTER_PEERS")
        .expect("run `cargo xtask peers`, which installs the servers and says where")
        .into()
}

/// A server that listens, ended with the test.
struct Listening {
    process: Child,
    port: u16,
}

impl Listening {
    /// `server-everything` over `transport`.
    fn everything(transport: &str) -> Listening {
        // A port that was free a moment ago.
        let port = {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            listener.local_addr().unwrap().port()
        };
        let process = Command::new(node())
            .arg(module("server-everything"))
            .arg(transport)
            .env("PORT", port.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let listening = Listening { process, port };
        let patience = Instant::now() + Duration::from_secs(60);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < patience, "{transport} never listens");
            std::thread::sleep(Duration::from_millis(50));
        }
        listening
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/{path}", self.port)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        // It may have ended by itself, which the test has noticed then.
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

fn node() -> PathBuf {
    peers().join("npm/node_modules/.bin/node")
}

fn module(name: &str) -> PathBuf {
    let packages = peers().join("npm/node_modules/@modelcontextprotocol");
    packages.join(name).join("dist/index.js")
}

/// An entry that starts a server of the TypeScript SDK.
fn typescript(name: &str, args: &[&Path]) -> Value {
    let mut all = vec![module(name)];
    all.extend(args.iter().map(|arg| arg.to_path_buf()));
    json!({"command": node(), "args": all})
}

/// An entry that starts a server of the Python SDK.
fn python(name: &str, args: &[&Path]) -> Value {
    json!({"command": peers().join("python/bin").join(name), "args": args})
}

/// What `muster check` says of the servers `servers`, a Claude Code user's own.
fn check(home: &Path, servers: Value) -> Value {
    let settings = json!({"mcpServers": servers});
    fs::write(home.join(".claude.json"), settings.to_string()).unwrap();
    let mut muster = Command::new(env!("CARGO_BIN_EXE_muster"))
        .args([
            "check",
            "--launch",
            "--remote",
            "--harness",
            "claude-code",
            "--format",
            "json",
        ])
        .args(["--timeout", "120"])
        .current_dir(home)
        .env_clear()
        .env("HOME", home)
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    muster
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    muster.wait().unwrap();
    serde_json::from_str(&said).expect("JSON")
}

#[track_caller]
fn offers(said: &Value, server: &str, tool: &str) {
    let launched = said["launched"].as_array().unwrap();
    let found = launched.iter().find(|found| found["server"] == server);
    let found = found.unwrap_or_else(|| panic!("{server} is not told of: {said}"));
    assert_eq!(found["state"], "ok", "{server}: {found}");
    let tools = found["tools"].as_array().unwrap();
    let names: Vec<&str> = tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert!(names.contains(&tool), "{server} offers {names:?}");
    assert_eq!(found["left_running"], json!([]), "{server}");
}

#[test]
fn official_servers_work_over_every_transport_they_have() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path().canonicalize().unwrap();
    let repository = home.join("repository");
    let made = Command::new("git")
        .args(["init", "--quiet"])
        .arg(&repository)
        .status();
    assert!(made.unwrap().success());
    let streamable = Listening::everything("streamableHttp");
    let older = Listening::everything("sse");
    let said = check(
        &home,
        json!({
            "everything": typescript("server-everything", &[Path::new("stdio")]),
            "everything-http": {"type": "http", "url": streamable.url("mcp")},
            "everything-sse": {"type": "sse", "url": older.url("sse")},
            "filesystem": typescript("server-filesystem", &[&home]),
            "memory": typescript("server-memory", &[]),
            "time": python("mcp-server-time", &[]),
            "git": python("mcp-server-git", &[Path::new("--repository"), &repository]),
            "fetch": python("mcp-server-fetch", &[]),
        }),
    );
    for (server, tool) in [
        ("everything", "echo"),
        ("everything-http", "echo"),
        ("everything-sse", "echo"),
        ("filesystem", "read_text_file"),
        ("memory", "create_entities"),
        ("time", "get_current_time"),
        ("git", "git_status"),
        ("fetch", "fetch"),
    ] {
        offers(&said, server, tool);
    }
}
