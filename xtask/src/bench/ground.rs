//! A home and a project with many servers.

use std::fmt::Write as _;
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Map, Value, json};

use crate::Result;

/// Whose files hold servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Users {
    /// Codex alone.
    Codex,
    /// Claude Code and Codex.
    Both,
    /// Every agent.
    Everyone,
}

/// What is laid down.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    pub(super) users: Users,
    /// Servers for each of them, half of them the user's and half the project's.
    pub(super) servers: usize,
    /// Folders inside each other with two more servers for each agent; the innermost is the session folder.
    pub(super) nested: usize,
    /// Whether entries hold tokens, which are hidden and looked for in all that is written.
    pub(super) secrets: bool,
}

/// A made-up home and project in a temporary folder, which goes away with the value.
pub(super) struct Ground {
    pub(super) home: Utf8PathBuf,
    /// The session folder.
    pub(super) project: Utf8PathBuf,
    _guard: tempfile::TempDir,
}

impl Ground {
    /// A home and a project with nothing in them.
    pub(super) fn empty() -> Result<Ground> {
        let guard = tempfile::Builder::new().prefix("bench-").tempdir()?;
        let root = Utf8Path::from_path(guard.path())
            .ok_or("the temporary folder is not UTF-8")?
            .canonicalize_utf8()?;
        let (home, project) = (root.join("home"), root.join("work/repo"));
        fs::create_dir_all(&home)?;
        fs::create_dir_all(&project)?;
        Ok(Ground {
            home,
            project,
            _guard: guard,
        })
    }
}

impl Plan {
    pub(super) fn describe(self) -> String {
        let whose = match self.users {
            Users::Codex => "in Codex alone",
            Users::Both => "in Claude Code and in Codex",
            Users::Everyone => "in every agent",
        };
        let nested = match self.nested {
            0 => String::new(),
            nested => format!(", {nested} nested folders with 2 more each"),
        };
        let secrets = if self.secrets { ", with tokens" } else { "" };
        format!("{} servers {whose}{nested}{secrets}", self.servers)
    }

    pub(super) fn lay_down(self) -> Result<Ground> {
        let guard = tempfile::Builder::new().prefix("bench-").tempdir()?;
        let root = Utf8Path::from_path(guard.path())
            .ok_or("the temporary folder is not UTF-8")?
            .canonicalize_utf8()?;
        let (home, repository) = (root.join("home"), root.join("work/repo"));
        let own = self.servers / 2;
        self.write_home(&home, &repository, own)?;
        write(&repository.join(".git/HEAD"), "ref: refs/heads/main\n")?;
        fs::create_dir_all(repository.join(".git/objects"))?;
        fs::create_dir_all(repository.join(".git/refs"))?;
        self.write_project(&repository, "project", self.servers - own)?;
        let mut project = repository;
        for depth in 0..self.nested {
            project.push(format!("nested{depth}"));
            self.write_project(&project, &format!("nested{depth}-"), 2)?;
        }
        Ok(Ground {
            home,
            project,
            _guard: guard,
        })
    }

    fn write_home(self, home: &Utf8Path, repository: &Utf8Path, servers: usize) -> Result {
        let trust = format!("[projects.\"{repository}\"]\ntrust_level = \"trusted\"\n\n");
        let codex = trust + &self.codex_servers("user", servers);
        write(&home.join(".codex/config.toml"), &codex)?;
        if self.users == Users::Codex {
            return Ok(());
        }
        let named = self.servers_by_name("user", servers);
        let mut projects = Map::new();
        projects.insert(
            repository.to_string(),
            json!({"hasTrustDialogAccepted": true}),
        );
        let state =
            json!({"hasCompletedOnboarding": true, "projects": projects, "mcpServers": named});
        write_json(&home.join(".claude.json"), &state)?;
        if self.users == Users::Both {
            return Ok(());
        }
        let servers = json!({ "mcpServers": named });
        write_json(&home.join(".gemini/settings.json"), &servers)?;
        write_json(&home.join(".cursor/mcp.json"), &servers)?;
        write_json(&home.join(".pi/agent/mcp.json"), &servers)?;
        let local = |(name, server): (&String, &Value)| {
            let mut command = vec![json!(COMMAND)];
            let args = server.get("args").and_then(Value::as_array);
            command.extend(args.into_iter().flatten().cloned());
            let env = server.get("env");
            let entry = json!({"type": "local", "command": command, "environment": env});
            (name.clone(), entry)
        };
        let open: Map<String, Value> = named.iter().map(local).collect();
        let open = json!({ "mcp": open });
        write_json(&home.join(".config/opencode/opencode.json"), &open)
    }

    fn write_project(self, folder: &Utf8Path, prefix: &str, servers: usize) -> Result {
        let codex = self.codex_servers(prefix, servers);
        write(&folder.join(".codex/config.toml"), &codex)?;
        if self.users == Users::Codex {
            return Ok(());
        }
        let named = self.servers_by_name(prefix, servers);
        write_json(&folder.join(".mcp.json"), &json!({ "mcpServers": named }))
    }

    /// Entries as most agents take them.
    fn servers_by_name(self, prefix: &str, servers: usize) -> Map<String, Value> {
        let entry = |number| {
            let (args, level) = (self.args(number), self.level(number));
            let entry = json!({"command": COMMAND, "args": args, "env": {"LEVEL": level}});
            (format!("{prefix}{number}"), entry)
        };
        (0..servers).map(entry).collect()
    }

    fn codex_servers(self, prefix: &str, servers: usize) -> String {
        let mut text = String::new();
        for number in 0..servers {
            // A list of strings and a string are written alike in JSON and TOML. Writing to a string does not fail.
            let (args, level) = (json!(self.args(number)), json!(self.level(number)));
            let _ = writeln!(
                text,
                "[mcp_servers.{prefix}{number}]\ncommand = \"{COMMAND}\"\nargs = {args}\nenv = {{ LEVEL = {level} }}\n"
            );
        }
        text
    }

    fn args(self, number: usize) -> Vec<String> {
        let mut args = vec!["--root".to_owned(), format!("/data/{number}")];
        if self.secrets {
            args.extend(["--api-key".to_owned(), format!("k3y-{number:08}-of-nobody")]);
        }
        args
    }

    fn level(self, number: usize) -> String {
        match self.secrets {
            true => format!("s3cret-{number:08}-of-nobody"),
            false => "info".to_owned(),
        }
    }
}

/// It does not exist: an agent that tries it fails at once.
const COMMAND: &str = "/nonexistent/server";

fn write_json(path: &Utf8Path, value: &Value) -> Result {
    write(path, &serde_json::to_string_pretty(value)?)
}

fn write(path: &Utf8Path, text: &str) -> Result {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(fs::write(path, text)?)
}
