//! `muster ps` over real processes: an agent made of a script, and a server it starts.

use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::context::Context;

/// An agent that runs, and the process id of its server.
struct Scene {
    context: Context,
    agent: Child,
    server: u32,
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = self.agent.kill();
        let _ = self.agent.wait();
        let server = self.server.to_string();
        let _ = Command::new("kill")
            .args(["-KILL", &server])
            .stderr(Stdio::null())
            .status();
    }
}

impl Scene {
    fn new() -> Scene {
        let context = Context::new()
            .file(
                ".codex/config.toml",
                "[mcp_servers.db]\ncommand = \"{{ROOT}}/db-server\"\nargs = [\"--token\", \"canary-argument-1\"]\n",
            )
            .file("db-server", "#!/bin/sh\ntrap '' HUP TERM\nwhile :; do sleep 0.1; done\n")
            // Its server is a session of its own, as with agents that make one.
            .file(
                "codex",
                "#!/bin/sh\nsetsid {{ROOT}}/db-server --token canary-argument-1 &\necho $! > {{ROOT}}/pid\nwait\n",
            );
        for program in ["db-server", "codex"] {
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(context.path(program), mode).unwrap();
        }
        let agent = Command::new(context.path("codex"))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let server = soon(|| {
            let text = std::fs::read_to_string(context.path("pid")).ok()?;
            let pid: u32 = text.strip_suffix('\n')?.parse().ok()?;
            let line = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).ok()?;
            line.contains("db-server").then_some(pid)
        });
        Scene {
            context,
            agent,
            server,
        }
    }

    /// What Muster tells of the server.
    fn told(&self) -> Value {
        let text = self.context.run(["ps", "--format", "json"]).fine();
        let told: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(told["schema"], "muster.ps/1");
        assert!(!text.contains("canary"), "{text}");
        let mut servers = told["servers"].as_array().unwrap().iter();
        let server = servers.find(|server| server["pid"] == self.server);
        server.unwrap().clone()
    }

    /// The agent is killed: its server becomes an orphan.
    fn orphan(&mut self) {
        self.agent.kill().unwrap();
        self.agent.wait().unwrap();
    }

    fn server_lives(&self) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.server));
        stat.is_ok_and(|stat| {
            !stat
                .rsplit(')')
                .next()
                .unwrap()
                .trim_start()
                .starts_with('Z')
        })
    }
}

fn soon<T>(look: impl Fn() -> Option<T>) -> T {
    let until = Instant::now() + Duration::from_secs(10);
    loop {
        match look() {
            Some(found) => return found,
            None => assert!(Instant::now() < until),
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_server_belongs_to_its_agent() {
    let scene = Scene::new();
    let server = scene.told();
    assert_eq!(server["agent"]["id"], "codex");
    assert_eq!(server["agent"]["pid"], scene.agent.id());
    assert_eq!(server["parent"], scene.agent.id());
    assert_eq!(server["known_by"], "definition");
    assert_eq!(server["definitions"][0]["server"], "db");
    assert_eq!(server["orphaned"], false);
    assert!(server["memory"].as_u64().unwrap() > 0);
    assert!(server["age"].as_u64().unwrap() < 60);
    let text = scene.context.run(["ps", "--harness", "codex"]).fine();
    assert!(text.contains("Codex"), "{text}");
    assert!(text.contains("--token •••"), "{text}");
    // Asked for another agent, it is left away.
    let other = scene
        .context
        .run(["ps", "--harness", "pi", "--format", "json"])
        .fine();
    assert!(
        !other.contains(&format!("\"pid\": {},", scene.server)),
        "{other}"
    );
}

#[test]
fn an_orphan_is_ended_only_after_a_yes() {
    let mut scene = Scene::new();
    // An agent's server is none.
    let reaped = scene
        .context
        .run(["ps", "--harness", "codex", "--reap", "--yes"])
        .fine();
    assert!(reaped.contains("No orphan to end."), "{reaped}");
    scene.orphan();
    let server = scene.told();
    assert_eq!(server["orphaned"], true);
    assert_eq!(server["agent"], Value::Null);
    let refused = scene.context.run(["ps", "--harness", "codex", "--reap"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (4, ""));
    assert!(
        refused.stderr.contains("nobody can be asked"),
        "{}",
        refused.stderr
    );
    assert!(scene.server_lives());
    let reaped = scene
        .context
        .run(["ps", "--harness", "codex", "--reap", "--yes"])
        .fine();
    // It ignores SIGTERM; the `sleep` that it waits for does not.
    assert!(reaped.contains("1 had to be killed"), "{reaped}");
    assert!(!scene.server_lives());
}

#[test]
fn yes_is_an_answer_to_nothing_but_reaping() {
    let refused = Context::new().run(["ps", "--yes"]).refused();
    assert!(refused.contains("--reap"), "{refused}");
}
