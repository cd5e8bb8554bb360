//! A home and a project with many servers.

use std::fmt::Write as _;
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};

use crate::Result;

/// A made-up home and project in a temporary folder, which goes away with the value.
pub(super) struct Ground {
    pub(super) home: Utf8PathBuf,
    /// The session folder.
    pub(super) project: Utf8PathBuf,
    servers: usize,
    nested: usize,
    _guard: tempfile::TempDir,
}

impl Ground {
    /// `servers` servers for each agent, half of them the user's and half the project's; then `nested` folders inside each other
    /// with two servers each, of which the innermost is the session folder.
    pub(super) fn lay_down(servers: usize, nested: usize) -> Result<Ground> {
        let guard = tempfile::Builder::new().prefix("bench-").tempdir()?;
        let root = Utf8Path::from_path(guard.path())
            .ok_or("the temporary folder is not UTF-8")?
            .canonicalize_utf8()?;
        let (home, repository) = (root.join("home"), root.join("work/repo"));
        let own = servers / 2;
        write(&home.join(".claude.json"), &claude_home(own, &repository))?;
        write(
            &home.join(".codex/config.toml"),
            &codex_home(own, &repository),
        )?;
        write(&repository.join(".git/HEAD"), "ref: refs/heads/main\n")?;
        fs::create_dir_all(repository.join(".git/objects"))?;
        fs::create_dir_all(repository.join(".git/refs"))?;
        write_project(&repository, "project", servers - own)?;
        let mut project = repository;
        for depth in 0..nested {
            project.push(format!("nested{depth}"));
            write_project(&project, &format!("nested{depth}-"), 2)?;
        }
        Ok(Ground {
            home,
            project,
            servers,
            nested,
            _guard: guard,
        })
    }

    pub(super) fn describe(&self) -> String {
        match self.nested {
            0 => format!("{} servers in each agent", self.servers),
            nested => format!(
                "{} servers in each agent, {nested} nested folders with 2 more each",
                self.servers
            ),
        }
    }
}

fn write_project(folder: &Utf8Path, prefix: &str, servers: usize) -> Result {
    write(
        &folder.join(".mcp.json"),
        &format!(
            "{{\n  \"mcpServers\": {{\n{}  }}\n}}\n",
            claude_servers(prefix, servers)
        ),
    )?;
    write(
        &folder.join(".codex/config.toml"),
        &codex_servers(prefix, servers),
    )
}

fn write(path: &Utf8Path, text: &str) -> Result {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(fs::write(path, text)?)
}

fn claude_home(servers: usize, repository: &Utf8Path) -> String {
    let own = claude_servers("user", servers);
    format!(
        "{{\n  \"hasCompletedOnboarding\": true,\n  \"projects\": {{\"{repository}\": {{\"hasTrustDialogAccepted\": true}}}},\n  \
         \"mcpServers\": {{\n{own}  }}\n}}\n"
    )
}

/// Members of a JSON object. The commands do not exist: an agent that tries them fails at once.
fn claude_servers(prefix: &str, servers: usize) -> String {
    let member = |number: usize| {
        format!(
            "    \"{prefix}{number}\": {{\"command\": \"/nonexistent/server\", \"args\": [\"--root\", \"/data/{number}\"], \
             \"env\": {{\"LEVEL\": \"info\"}}}}"
        )
    };
    let members: Vec<String> = (0..servers).map(member).collect();
    members.join(",\n") + "\n"
}

fn codex_home(servers: usize, repository: &Utf8Path) -> String {
    format!(
        "[projects.\"{repository}\"]\ntrust_level = \"trusted\"\n\n{}",
        codex_servers("user", servers)
    )
}

fn codex_servers(prefix: &str, servers: usize) -> String {
    let mut text = String::new();
    for number in 0..servers {
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "[mcp_servers.{prefix}{number}]\ncommand = \"/nonexistent/server\"\nargs = [\"--root\", \"/data/{number}\"]\n\
             env = {{ LEVEL = \"info\" }}\n"
        );
    }
    text
}
