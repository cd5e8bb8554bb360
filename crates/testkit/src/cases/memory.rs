//! A case as a world in memory: much faster than laid down, and its files can be changed.

use std::fs;
use std::io;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;

use super::lay::put_root;
use super::{Case, Files, cursor, entries, text, texts};
use crate::{Stage, Tree};

/// What `{{ROOT}}` stands for in memory.
const ROOT_IN_MEMORY: &str = "/case";

impl Case {
    /// The case's world in memory; `None` for a case that needs commands to be set up. Its command line is left to the caller, as
    /// only the harness can read it.
    ///
    /// # Errors
    /// If its files cannot be read.
    pub fn stage(&self) -> io::Result<Option<Stage>> {
        let root = Utf8Path::new(ROOT_IN_MEMORY);
        let record = self.placed(root);
        if !texts(&record, "setup").is_empty() {
            return Ok(None);
        }
        let tree = Tree::empty();
        match &self.files {
            Files::Folder(folder) => {
                let servers = self.project_servers();
                let take = Take {
                    tree: &tree,
                    record: &record,
                    root,
                    servers: servers.map(|text| text.replace(super::ROOT, root.as_str())),
                };
                take.folder(folder, root)?;
            }
            Files::Inline => take_inline(&tree, &record, root)?,
        }
        for folder in texts(&record, "git") {
            let git = root.join(folder).join(".git");
            tree.file(git.join("HEAD"), "ref: refs/heads/main\n");
            tree.folder(git.join("objects"));
            tree.folder(git.join("refs"));
        }
        for folder in texts(&record, "dirs").into_iter().chain(["home"]) {
            tree.folder(root.join(folder));
        }
        let project = root.join(text(&record, "project").unwrap_or_default());
        let mut stage = Stage::of(tree)
            .folder(project)
            .system_root(root)
            .platform(super::platform(&record))
            .home(Some(root.join("home").as_str()));
        for (name, value) in record
            .get("env")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            stage = stage.env(name, value.as_str().unwrap_or_default());
        }
        Ok(Some(if text(&record, "mode") == Some("headless") {
            stage.headless()
        } else {
            stage
        }))
    }

    /// The command line whose session is asked about; empty for a plain session.
    pub fn session(&self) -> Vec<String> {
        let record = self.placed(Utf8Path::new(ROOT_IN_MEMORY));
        texts(&record, "session")
            .into_iter()
            .map(str::to_owned)
            .collect()
    }
}

/// What is put in place of the marks in the files of a case.
struct Take<'c> {
    tree: &'c Tree,
    record: &'c Value,
    root: &'c Utf8Path,
    /// The text of Cursor's file of the project.
    servers: Option<String>,
}

impl Take<'_> {
    fn folder(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
        self.tree.folder(to);
        for source in entries(from)? {
            let name = source.file_name().unwrap_or_default();
            let place = to.join(cursor::put_slug(name, self.record, self.root));
            let kind = fs::symlink_metadata(&source)?.file_type();
            if kind.is_symlink() {
                let target = source.read_link_utf8()?;
                let target = target.as_str().replace(super::ROOT, self.root.as_str());
                self.tree.link(place, target);
            } else if kind.is_dir() {
                self.folder(&source, &place)?;
            } else {
                let content = put_root(fs::read(&source)?, self.root);
                let servers = self.servers.as_deref();
                let content = cursor::put_approvals(content, self.record, self.root, servers)?;
                self.tree.file(place, content);
            }
        }
        Ok(())
    }
}

fn take_inline(tree: &Tree, record: &Value, root: &Utf8Path) -> io::Result<()> {
    let members = |key: &str| {
        let members = record
            .get(key)
            .and_then(Value::as_object)
            .into_iter()
            .flatten();
        members.filter_map(|(path, content)| Some((root.join(path), content.as_str()?)))
    };
    for (path, content) in members("files") {
        tree.file(path, content);
    }
    for (path, content) in members("binary") {
        tree.file(
            path,
            put_root(STANDARD.decode(content).map_err(io::Error::other)?, root),
        );
    }
    for (path, target) in members("links") {
        tree.link(path, Utf8PathBuf::from(target));
    }
    Ok(())
}
