//! Golden cases: what the real programs did, recorded.
//!
//! A case is a folder `cases/<harness>/<case>/` or a line of `random/<harness>.jsonl` (`cases/README.md` describes both). It is
//! laid down in a temporary folder, the binary is asked about it, and its answer is compared with what the real program did. Where
//! the record tells how a server was started, so is the launch plan of its harness.

mod compare;
mod cursor;
mod launch;
mod lay;
mod memory;
mod run;

use std::fs;
use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::Platform;
use serde_json::Value;

pub use compare::compare;
pub use run::{Ground, run};

/// Stands for the folder a case is laid down in, in every file, link target and value.
pub const ROOT: &str = "{{ROOT}}";

/// A recorded case.
#[derive(Debug, Clone)]
pub struct Case {
    /// What it is called among the tests: `cases/codex/user-http`, `random/codex/codex-r12`.
    pub name: String,
    /// The record, `{{ROOT}}` not replaced.
    pub record: Value,
    /// Where its files come from.
    files: Files,
}

#[derive(Debug, Clone)]
enum Files {
    /// Below this folder, if it is there.
    Folder(Utf8PathBuf),
    /// In the record itself: `files`, `binary`, `links`.
    Inline,
}

impl Case {
    /// The case in `folder`, called `name`.
    ///
    /// # Errors
    /// If its `case.json` cannot be read or is no JSON.
    pub fn from_folder(name: String, folder: &Utf8Path) -> io::Result<Case> {
        let record = serde_json::from_slice(&fs::read(folder.join("case.json"))?)?;
        Ok(Case {
            name,
            record,
            files: Files::Folder(folder.join("files")),
        })
    }

    /// The case in `line`, a line of `random/<harness>.jsonl`.
    ///
    /// # Errors
    /// If it is no JSON.
    pub fn from_line(harness: &str, line: &str) -> io::Result<Case> {
        let record: Value = serde_json::from_str(line)?;
        let name = format!(
            "random/{harness}/{}",
            text(&record, "id").unwrap_or("without-id")
        );
        Ok(Case {
            name,
            record,
            files: Files::Inline,
        })
    }

    /// Every case below `top`, the folder that holds `cases/` and `random/`, in order of names.
    ///
    /// # Errors
    /// If a folder or record cannot be read.
    pub fn all(top: &Utf8Path) -> io::Result<Vec<Case>> {
        let mut cases = Vec::new();
        for harness in folders(&top.join("cases"))? {
            for folder in folders(&harness)? {
                let name = folder.strip_prefix(top).unwrap_or(&folder).to_string();
                cases.push(Case::from_folder(name, &folder)?);
            }
        }
        for file in entries(&top.join("random"))? {
            if let (Some(harness), Some("jsonl")) = (file.file_stem(), file.extension()) {
                for line in fs::read_to_string(&file)?.lines() {
                    cases.push(Case::from_line(harness, line)?);
                }
            }
        }
        Ok(cases)
    }

    /// The id of the harness it was recorded on.
    pub fn harness(&self) -> &str {
        match text(&self.record, "harness").unwrap_or_default() {
            "claude" => "claude-code",
            "gemini" => "gemini-cli",
            id => id,
        }
    }

    /// Why it cannot be held against a reader of files on this machine; `None` if it can.
    pub fn passed_over(&self) -> Option<&'static str> {
        let expect = self.record.get("expect");
        if expect.is_some_and(|expect| expect.get("files_after").is_some()) {
            return Some("it is about what a command writes");
        }
        if self.record.get("static") == Some(&Value::Bool(false)) {
            return Some("it is about a running program");
        }
        if text(&self.record, "needs") == Some("root") && !lay::is_root() {
            return Some("it needs root");
        }
        None
    }

    /// The text of Cursor's file of the project, `{{ROOT}}` not replaced; `None` where there is none.
    fn project_servers(&self) -> Option<String> {
        let Files::Folder(files) = &self.files else {
            return None;
        };
        let folder = texts(&self.record, "git").into_iter().next();
        let folder = folder.or_else(|| text(&self.record, "project"))?;
        fs::read_to_string(files.join(folder).join(".cursor/mcp.json")).ok()
    }

    /// The record with `root` in place of `{{ROOT}}`.
    pub fn placed(&self, root: &Utf8Path) -> Value {
        placed(&self.record, root)
    }
}

/// Cases that are wrong themselves: their names with the reasons, from a file of `"<name>" = "<reason>"` lines.
///
/// # Errors
/// If the file cannot be read, is no TOML, or a reason is missing.
pub fn wrong(file: &Utf8Path) -> io::Result<Vec<(String, String)>> {
    use muster_document::{Dialect, Document};

    let bytes = fs::read(file)?;
    let document = Document::parse(file.into(), &bytes, Dialect::Toml).map_err(io::Error::other)?;
    let members = document.root().members().iter();
    let reasons = members.map(|member| match member.value.as_str() {
        Some(reason) if !reason.trim().is_empty() => {
            Ok((member.key.text.clone(), reason.to_owned()))
        }
        _ => Err(io::Error::other(format!(
            "{file}: `{}` has no reason",
            member.key.text
        ))),
    });
    reasons.collect()
}

/// `value` with `root` in place of `{{ROOT}}` in every string, keys included.
fn placed(value: &Value, root: &Utf8Path) -> Value {
    match value {
        Value::String(text) => Value::String(text.replace(ROOT, root.as_str())),
        Value::Array(items) => items.iter().map(|item| placed(item, root)).collect(),
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| (key.replace(ROOT, root.as_str()), placed(value, root)))
            .collect(),
        other => other.clone(),
    }
}

/// The platform whose rules hold in a record: as `--platform` calls it, Linux where it does not say.
fn platform(record: &Value) -> Platform {
    match text(record, "platform") {
        Some("windows") => Platform::Windows,
        Some("macos") => Platform::MacOs,
        _ => Platform::Linux,
    }
}

/// The string `key` of a record.
fn text<'r>(record: &'r Value, key: &str) -> Option<&'r str> {
    record.get(key)?.as_str()
}

/// The strings of the list `key` of a record; a single string counts as a list of one.
fn texts<'r>(record: &'r Value, key: &str) -> Vec<&'r str> {
    match record.get(key) {
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The folders in `folder`, sorted; none if it is not there.
fn folders(folder: &Utf8Path) -> io::Result<Vec<Utf8PathBuf>> {
    Ok(entries(folder)?
        .into_iter()
        .filter(|path| path.is_dir())
        .collect())
}

/// What is in `folder`, sorted; nothing if it is not there.
fn entries(folder: &Utf8Path) -> io::Result<Vec<Utf8PathBuf>> {
    let listing = match folder.read_dir_utf8() {
        Ok(listing) => listing,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = listing
        .map(|entry| Ok(entry?.into_path()))
        .collect::<io::Result<Vec<_>>>()?;
    found.sort_unstable();
    Ok(found)
}

#[cfg(test)]
mod tests;
