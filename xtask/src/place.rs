//! Where things are.

use std::fs;
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};

use crate::Result;

/// The crates behind the wall: no disk, no process, no clock, no environment.
pub(crate) const PURE: [&str; 5] = ["document", "core", "harness", "audit", "report"];

/// Folders that hold nothing of ours.
const FOREIGN: [&str; 6] = [
    ".git",
    "target",
    "node_modules",
    "corpus",
    "artifacts",
    "proptest-regressions",
];

/// The workspace's root folder.
#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) root: Utf8PathBuf,
}

impl Workspace {
    pub(crate) fn find() -> Self {
        let own = Utf8Path::new(env!("CARGO_MANIFEST_DIR"));
        Workspace {
            root: own.parent().unwrap_or(own).to_owned(),
        }
    }

    pub(crate) fn path(&self, relative: &str) -> Utf8PathBuf {
        self.root.join(relative)
    }

    pub(crate) fn read(&self, relative: &str) -> Result<String> {
        let path = self.path(relative);
        fs::read_to_string(&path).map_err(|error| format!("{path}: {error}").into())
    }

    /// Every file of ours below `folder`, as paths from the root, sorted. None if the folder is not there.
    pub(crate) fn files(&self, folder: &str) -> Result<Vec<Utf8PathBuf>> {
        let mut found = Vec::new();
        let mut folders = vec![self.path(folder)];
        while let Some(folder) = folders.pop() {
            if !folder.is_dir() {
                continue;
            }
            for entry in folder.read_dir_utf8()? {
                let entry = entry?;
                let kind = entry.file_type()?;
                if kind.is_dir() && !FOREIGN.contains(&entry.file_name()) {
                    folders.push(entry.into_path());
                } else if kind.is_file() {
                    found.push(entry.path().strip_prefix(&self.root)?.to_owned());
                }
            }
        }
        found.sort_unstable();
        Ok(found)
    }

    /// The folders directly below `folder`, by name, sorted.
    pub(crate) fn folders(&self, folder: &str) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in self.path(folder).read_dir_utf8()? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                names.push(entry.file_name().to_owned());
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Cargo, to be run in the root.
    pub(crate) fn cargo(&self, words: &[&str]) -> Command {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(words).current_dir(&self.root);
        cargo
    }

    /// Builds the binary, with further `options` for cargo, and gives its path.
    pub(crate) fn build_muster(&self, profile: &str, options: &[&str]) -> Result<Utf8PathBuf> {
        let words = [
            "build",
            "--quiet",
            "--workspace",
            "--bin",
            "muster",
            "--profile",
            profile,
            "--message-format",
            "json",
        ];
        let built = self
            .cargo(&words)
            .args(options)
            .stderr(std::process::Stdio::inherit())
            .output()?;
        if !built.status.success() {
            return Err("`muster` does not build".into());
        }
        let messages = String::from_utf8(built.stdout)?;
        let executable = messages.lines().find_map(|line| {
            let message: serde_json::Value = serde_json::from_str(line).ok()?;
            Some(Utf8PathBuf::from(message.get("executable")?.as_str()?))
        });
        executable.ok_or_else(|| "cargo names no executable".into())
    }
}
