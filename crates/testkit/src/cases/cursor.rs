//! What Cursor names by path and content: the folder it keeps a project's answers in, and the answers.

use std::io;

use camino::Utf8Path;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::texts;

/// Stands for the name of the project's folder in Cursor's data folder, in names of folders.
const SLUG: &str = "{{SLUG}}";
/// Begins what stands for a stored yes, in files: `{{APPROVAL:db}}`.
const APPROVAL: &str = "{{APPROVAL:";

/// The project root of a case below `root`: its first repository, else its session folder.
fn project_root(record: &Value, root: &Utf8Path) -> camino::Utf8PathBuf {
    let first = texts(record, "git").into_iter().next();
    let folder = first.or_else(|| super::text(record, "project"));
    root.join(folder.unwrap_or_default())
}

/// `name`, the name of a file or folder of the case, with the project's in place of `{{SLUG}}`.
pub(super) fn put_slug(name: &str, record: &Value, root: &Utf8Path) -> String {
    if !name.contains(SLUG) {
        return name.to_owned();
    }
    let mut slug = String::new();
    for c in project_root(record, root).as_str().chars() {
        match c.is_ascii_alphanumeric() {
            true => slug.push(c),
            false if slug.ends_with('-') => {}
            false => slug.push('-'),
        }
    }
    name.replace(SLUG, slug.trim_matches('-'))
}

/// `content` with every `{{APPROVAL:name}}` in it replaced; `servers` is the text of the project's `.cursor/mcp.json`.
///
/// # Errors
/// If such a mark has no end or means no server of the project.
pub(super) fn put_approvals(
    content: Vec<u8>,
    record: &Value,
    root: &Utf8Path,
    servers: Option<&str>,
) -> io::Result<Vec<u8>> {
    let Ok(mut text) = String::from_utf8(content.clone()) else {
        return Ok(content);
    };
    while let Some((before, rest)) = text.split_once(APPROVAL) {
        let put = rest.split_once("}}").and_then(|(name, after)| {
            let key = approval(name, &project_root(record, root), servers?)?;
            Some(format!("{before}{key}{after}"))
        });
        text = put.ok_or_else(|| io::Error::other(format!("{APPROVAL}…}}}} means no server")))?;
    }
    Ok(text.into_bytes())
}

/// The stored yes to the server `name`, as others found Cursor to write it.
fn approval(name: &str, project: &Utf8Path, servers: &str) -> Option<String> {
    let file: Value = serde_json::from_str(servers).ok()?;
    let server = file.get("mcpServers")?.get(name)?;
    let written = match server.get("command") {
        Some(_) => {
            let keys = ["command", "args", "env"].iter();
            let members = keys.filter_map(|key| Some(format!("\"{key}\":{}", server.get(key)?)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        None => as_written(servers, name)?,
    };
    let path = Value::from(project.as_str());
    let digest = Sha256::digest(format!("{{\"path\":{path},\"server\":{written}}}"));
    let hex: String = digest
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    Some(format!("{name}-{hex}"))
}

/// The text of the entry `name`, its blanks outside of strings left out: the order of its keys counts.
fn as_written(servers: &str, name: &str) -> Option<String> {
    let mut quoted = false;
    let mut escaped = false;
    let compact: String = servers
        .chars()
        .filter(|c| {
            let keep = quoted || !c.is_whitespace();
            if *c == '"' && !escaped {
                quoted = !quoted;
            }
            escaped = quoted && *c == '\\' && !escaped;
            keep
        })
        .collect();
    let (_, from) = compact.split_once(&format!("\"{name}\":"))?;
    let mut parsed = serde_json::Deserializer::from_str(from).into_iter::<Value>();
    parsed.next()?.ok()?;
    Some(from.get(..parsed.byte_offset())?.to_owned())
}
