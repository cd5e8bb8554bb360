//! A home and a project of our own, and the real binary run in them with nothing of this machine's environment.
//!
//! Everything lies in the home, so that paths on screen start with `~` and lines break where they do on every machine.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A home that holds `project`, `system` and whatever a test writes.
pub(crate) struct Context {
    root: TempDir,
    path: PathBuf,
}

/// What a run left.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Context {
    /// An empty home and an empty project.
    pub(crate) fn new() -> Context {
        let root = tempfile::tempdir().unwrap();
        let path = std::fs::canonicalize(root.path()).unwrap();
        for folder in ["project", "system"] {
            std::fs::create_dir(path.join(folder)).unwrap();
        }
        Context { root, path }
    }

    /// Writes a file below the context's folder; `{{ROOT}}` in it stands for that folder.
    pub(crate) fn file(self, path: &str, content: &str) -> Context {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(
            path,
            content.replace("{{ROOT}}", self.path.to_str().unwrap()),
        )
        .unwrap();
        self
    }

    /// A home and a project in which servers stand in several ways for both agents.
    pub(crate) fn furnished() -> Context {
        Context::new()
            .file(
                ".claude.json",
                r#"{
  "mcpServers": {
    "github": {"type": "http", "url": "https://host.example/mcp", "headers": {"Authorization": "Bearer canary-header-1"}},
    "db": {"command": "other-db", "env": {"TOKEN": "canary-env-1"}}
  },
  "projects": {"{{ROOT}}/project": {"hasTrustDialogAccepted": true}}
}"#,
            )
            .file(".claude/settings.json", r#"{"enabledMcpjsonServers": ["db"]}"#)
            .file(".codex/config.toml", "[mcp_servers.files]\ncommand = \"npx\"\nenabled = false\n")
            .file(
                "project/.mcp.json",
                r#"{"mcpServers": {"db": {"command": "npx"}, "lint": {"command": "lint", "args": ["--token", "canary-argument-1"]}}}"#,
            )
    }

    /// A path below the context's folder.
    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.path.join(below)
    }

    /// The binary, to be run in the project with the context's home and no other variables.
    pub(crate) fn command(&self) -> Command {
        self.command_in(&self.path("project"))
    }

    /// The same in another folder.
    pub(crate) fn command_in(&self, folder: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_muster"));
        command.env_clear().current_dir(folder).stdin(Stdio::null());
        command
            .env("HOME", &self.path)
            .env("USERPROFILE", &self.path);
        command
            .env("MUSTER_SYSTEM_ROOT", self.path("system"))
            .env("LANG", "C.UTF-8")
            .env("TMPDIR", self.root.path());
        command
    }

    /// Runs the binary with `args`.
    pub(crate) fn run<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Run {
        let mut command = self.command();
        command.args(args);
        self.finish(&mut command)
    }

    /// Runs `command`, and takes this machine out of what it wrote.
    pub(crate) fn finish(&self, command: &mut Command) -> Run {
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| self.without_this_machine(&String::from_utf8(bytes).unwrap());
        Run {
            code: output.status.code().unwrap(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

impl Context {
    /// `text` with neither the context's folder nor how many folders lie above it.
    pub(crate) fn without_this_machine(&self, text: &str) -> String {
        let text = text.replace(self.path.to_str().unwrap(), "[HOME]");
        let Some(at) = text.find(" more (-v)") else {
            return text;
        };
        let digits = text[..at]
            .chars()
            .rev()
            .take_while(char::is_ascii_digit)
            .count();
        format!("{}N{}", &text[..at - digits], &text[at..])
    }
}

impl Run {
    /// The run was fine and said nothing aside.
    pub(crate) fn fine(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""));
        self.stdout
    }

    /// The run was refused as a usage error and wrote no data.
    pub(crate) fn refused(self) -> String {
        assert_eq!((self.code, self.stdout.as_str()), (2, ""));
        self.stderr
    }
}
