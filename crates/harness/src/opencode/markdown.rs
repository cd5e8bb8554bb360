//! Agents, commands and plugins that OpenCode finds in its folders. A Markdown file whose top says something of a wrong type stops it, as
//! an entry of the configuration does. Observed on 1.18.33.

use std::collections::HashSet;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, FileKind, Files, Scope};
use muster_document::{Dialect, Document, Rewritten, Shown, Span};

use super::rules;
use super::schema::{self, Schema};
use super::shapes;
use super::stop::Stop;

/// How deep folders of Markdown files are followed, and how many folders and files are looked at: more than anybody has.
const DEEPEST: usize = 8;
const MOST_FOLDERS: usize = 512;
const MOST: usize = 512;

/// What stops OpenCode in the Markdown files of `folder`, in the order in which it looks: commands first. A file that is no good YAML is
/// passed over, and so is one in `mode` or `modes`, whatever it says.
pub(super) fn faults(dossier: &mut Dossier<'_>, folder: &Utf8Path, scope: Scope) -> Vec<Stop> {
    let kinds: [([&str; 2], &'static Schema); 2] = [
        (["command", "commands"], &shapes::COMMAND_FILE),
        (["agent", "agents"], &shapes::AGENT_FILE),
    ];
    let mut stops = Vec::new();
    for (names, shape) in kinds {
        let mut walk = Walk {
            files: dossier.world.files,
            seen: HashSet::new(),
            found: Vec::new(),
        };
        for name in names {
            walk.collect(&folder.join(name), DEEPEST);
        }
        for file in walk.found {
            stops.extend(fault(dossier, &file, scope, shape));
        }
    }
    stops
}

/// A plugin in `folder` that OpenCode runs without being told to.
pub(super) fn plugin(files: &Files, folder: &Utf8Path) -> Option<Utf8PathBuf> {
    ["plugin", "plugins"].iter().find_map(|name| {
        let folder = folder.join(name);
        let names = files.list(&folder).ok()?;
        let script = |name: &&String| name.ends_with(".ts") || name.ends_with(".js");
        names.iter().find(script).map(|name| folder.join(name))
    })
}

/// A walk through folders of Markdown files.
struct Walk<'a> {
    files: &'a Files,
    /// The folders that were looked into, links resolved: each once, since a repository may hold links that lead back, and the ways
    /// through a handful of them double with every step.
    seen: HashSet<Utf8PathBuf>,
    found: Vec<Utf8PathBuf>,
}

impl Walk<'_> {
    /// The Markdown files in `folder` and below.
    fn collect(&mut self, folder: &Utf8Path, depth: usize) {
        let real = self.files.real_path(folder);
        let new = real.is_some_and(|real| self.seen.insert(real));
        if !new || self.seen.len() > MOST_FOLDERS {
            return;
        }
        let Ok(names) = self.files.list(folder) else {
            return;
        };
        for name in names.iter() {
            if self.found.len() >= MOST || self.seen.len() > MOST_FOLDERS {
                return;
            }
            let path = folder.join(name);
            match self.files.metadata(&path).map(|found| found.kind) {
                Ok(FileKind::File) if name.ends_with(".md") => self.found.push(path),
                Ok(FileKind::Folder) if depth > 0 => self.collect(&path, depth - 1),
                _ => {}
            }
        }
    }
}

fn fault(
    dossier: &mut Dossier<'_>,
    path: &Utf8Path,
    scope: Scope,
    shape: &'static Schema,
) -> Option<Stop> {
    let world = dossier.world;
    let bytes = world.files.read(path, Files::LIMIT).ok()?;
    let parse = |rewrite: fn(Rewritten) -> Rewritten| {
        Document::parse_rewritten(Arc::from(path), &bytes, Dialect::YamlFrontMatter, rewrite)
    };
    let document = parse(|text| text)
        .or_else(|_| parse(|text| mended(&text)))
        .ok()
        .filter(|document| document.root().is_table())?;
    let wrong = schema::check(document.root(), shape, &[]).err()?;
    // Only what is wrong becomes part of the account: there may be hundreds of these files.
    dossier.look_at(
        path,
        scope,
        Some("OpenCode refuses what it says of itself".to_owned()),
    );
    let place = dossier
        .examine(path, Dialect::YamlFrontMatter)
        .map(|_| document.place(wrong.span));
    let name = world.shown(path);
    let message = format!(
        "Configuration is invalid at {}: {}",
        Shown(&name),
        wrong.sentence(None)
    );
    Some(Stop::new(&rules::MARKDOWN, message, &name).at(place))
}

/// YAML that does not parse gets a second chance: a plain value with a colon in it becomes a block of text.
fn mended(text: &Rewritten) -> Rewritten {
    let whole = text.text();
    let mut parts = Vec::new();
    let mut at = 0;
    for (number, line) in whole.split_inclusive('\n').enumerate() {
        let start = at;
        at += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        if number > 0 && line == "---" {
            break;
        }
        let Some((key, value)) = line.split_once(':') else {
            continue;
        };
        let value = value.trim();
        let named = key.trim_end();
        let is_name = named.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && named
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if is_name && value.contains(':') && !value.starts_with(['"', '\'']) {
            let span = Span::new(start, start + line.len());
            parts.push((span, format!("{named}: |-\n  {value}")));
        }
    }
    text.replaced(&parts)
}

#[cfg(test)]
mod tests {
    use muster_testkit::Stage;

    use super::*;

    #[test]
    fn links_that_lead_back_are_followed_once() {
        let links = |i| format!("//- /work/repo/.opencode/agent/{i} -> .\n");
        let links: String = (0..16).map(links).collect();
        let stage = Stage::new(&format!(
            "{links}//- /work/repo/.opencode/agent/z/a.md\n---\n"
        ));
        let world = stage.world();
        let mut walk = Walk {
            files: world.files,
            seen: HashSet::new(),
            found: Vec::new(),
        };
        let folder = Utf8Path::new("/work/repo/.opencode/agent");
        walk.collect(folder, DEEPEST);
        assert_eq!(walk.found, [folder.join("z/a.md")]);
        assert_eq!(walk.seen.len(), 2);
    }

    #[test]
    fn a_value_with_a_colon_becomes_a_block() {
        let text = "---\na: use: when\nb: \"x: y\"\n c: d: e\n---\nz: y: x\n";
        assert_eq!(
            mended(&Rewritten::new(text)).text(),
            "---\na: |-\n  use: when\nb: \"x: y\"\n c: d: e\n---\nz: y: x\n"
        );
    }
}
