//! Switches that Gemini CLI keeps itself: of extensions by folder, of servers everywhere.

use camino::Utf8Path;
use muster_core::{Dossier, FileState, Files, Loaded, Objection, Reason, Scope, Status};
use muster_document::{Place, Shown};

use super::extensions::DIALECT;
use super::rules;
use super::schema;
use super::value::Js;

/// What switches extensions on and off: `extension-enablement.json`.
#[derive(Debug, Default)]
pub(super) struct Enablement {
    /// By extension, the rules in order: the text, where it stands.
    overrides: Vec<(String, Vec<(String, Place)>)>,
}

impl Enablement {
    /// Reads the file. Observed on 0.61.0: one that is malformed is reported and ignored.
    pub(super) fn read(dossier: &mut Dossier<'_>, home: &Utf8Path) -> Enablement {
        let path = home.join(".gemini/extensions/extension-enablement.json");
        if !dossier.world.files.exists(&path) {
            return Enablement::default();
        }
        let loaded = dossier.load(&path, Scope::User, DIALECT, Files::LIMIT);
        let mut overrides = Vec::new();
        let mut good = loaded
            .document()
            .is_some_and(|document| document.root().is_table());
        if let Some(document) = loaded.document() {
            let root = Js::read(document.root(), &schema::plain);
            for (name, extension) in root.members() {
                let list = extension.get("overrides").and_then(Js::list);
                let rules: Option<Vec<_>> = list.and_then(|list| {
                    list.iter()
                        .map(|rule| Some((rule.text()?.to_owned(), document.place(rule.node.span))))
                        .collect()
                });
                match rules {
                    Some(rules) => overrides.push((name.text.clone(), rules)),
                    None => good = false,
                }
            }
        }
        if !good {
            dossier.mark(
                &path,
                FileState::Broken,
                "it is not what Gemini CLI writes there",
                None,
            );
            let text = "Failed to read extension enablement config: every extension counts as on";
            dossier.note(&rules::EXTENSION_SWITCH, text, None);
            overrides.clear();
        }
        Enablement { overrides }
    }

    /// The rule that switches `extension` off in `folder`: the last that matches decides.
    pub(super) fn off(&self, extension: &str, folder: &Utf8Path) -> Option<Place> {
        let (_, rules) = self.overrides.iter().find(|(name, _)| name == extension)?;
        let folder = with_slashes(folder.as_str());
        let last = rules
            .iter()
            .rev()
            .find(|(rule, _)| matches(rule.strip_prefix('!').unwrap_or(rule), &folder))?;
        last.0.starts_with('!').then(|| last.1.clone())
    }
}

fn with_slashes(folder: &str) -> String {
    let mut folder = folder.replace('\\', "/");
    if !folder.starts_with('/') {
        folder.insert(0, '/');
    }
    if !folder.ends_with('/') {
        folder.push('/');
    }
    folder
}

/// Whether the glob `rule` matches the whole of `folder`: `*` is any text, and with a slash before it that slash and any text, or nothing.
fn matches(rule: &str, folder: &str) -> bool {
    let mut pieces = rule.split('*');
    let Some(first) = pieces.next() else {
        return false;
    };
    let pieces: Vec<&str> = pieces.collect();
    let start = if pieces.is_empty() {
        first
    } else {
        first.strip_suffix('/').unwrap_or(first)
    };
    let Some(mut rest) = folder.strip_prefix(start) else {
        return false;
    };
    let mut slash = first.ends_with('/');
    for (at, piece) in pieces.iter().enumerate() {
        let last = at + 1 == pieces.len();
        let next = if last {
            *piece
        } else {
            piece.strip_suffix('/').unwrap_or(piece)
        };
        // What `*` stands for: nothing, or a text that begins with the slash before it.
        let skipped = |found: usize| found == 0 || !slash || rest.starts_with('/');
        let found = match last {
            true => rest
                .len()
                .checked_sub(next.len())
                .filter(|at| rest.ends_with(next) && skipped(*at)),
            false => rest
                .match_indices(next)
                .map(|(at, _)| at)
                .find(|at| skipped(*at)),
        };
        let Some(found) = found else {
            return false;
        };
        rest = rest.get(found + next.len()..).unwrap_or_default();
        slash = piece.ends_with('/');
    }
    rest.is_empty()
}

/// What switches servers off everywhere: `mcp-server-enablement.json`.
#[derive(Debug, Default)]
pub(super) struct ServerSwitches {
    off: Vec<(String, Place)>,
    /// The file holds `null`: every look into it fails.
    null: Option<Place>,
}

impl ServerSwitches {
    /// Reads the file. Observed on 0.61.0: one that is malformed is reported and ignored; a byte order mark or a comment makes it so.
    pub(super) fn read(dossier: &mut Dossier<'_>, home: &Utf8Path) -> ServerSwitches {
        let path = home.join(".gemini/mcp-server-enablement.json");
        if !dossier.world.files.exists(&path) {
            return ServerSwitches::default();
        }
        let loaded = dossier.load(&path, Scope::User, DIALECT, Files::LIMIT);
        let Loaded::Document(_) = &loaded else {
            let text =
                "Failed to read MCP server enablement config: no server counts as switched off";
            let place = loaded.error().map(|error| error.place.clone());
            dossier.note(&rules::SERVER_SWITCH, text, place);
            return ServerSwitches::default();
        };
        let Some(document) = loaded.document() else {
            return ServerSwitches::default();
        };
        let root = Js::read(document.root(), &schema::plain);
        let off = root.members().iter().filter(|(_, state)| {
            state
                .get("enabled")
                .is_some_and(|enabled| !enabled.is_null() && !enabled.truthy())
        });
        ServerSwitches {
            off: off
                .map(|(key, _)| (key.text.clone(), document.place(key.span)))
                .collect(),
            null: root.is_null().then(|| document.place(document.root().span)),
        }
    }

    /// What switches the server `name` off.
    pub(super) fn objection(&self, name: &str) -> Option<Objection> {
        if let Some(place) = &self.null {
            let text = "mcp-server-enablement.json holds null: Gemini CLI fails to look into it and starts no server";
            let reason = Reason::new(&rules::SERVER_SWITCH, "switch", text, Some(place.clone()));
            return Some(
                Objection::new(Status::Broken, "the enablement file is null", reason)
                    .with_remedy("remove mcp-server-enablement.json"),
            );
        }
        let normal = name.to_lowercase();
        let normal = normal.trim();
        let (_, place) = self.off.iter().find(|(known, _)| known == normal)?;
        let text = format!("Server '{}' is disabled", Shown(normal));
        let reason = Reason::new(&rules::SERVER_SWITCH, "switch", text, Some(place.clone()));
        let remedy = format!(
            "/mcp enable {} in a session, or remove it from mcp-server-enablement.json",
            Shown(normal)
        );
        Some(Objection::new(Status::Off, "switched off everywhere", reason).with_remedy(remedy))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        for (rule, folder, expected) in [
            ("/work/*", "/work/repo/", true),
            ("/work/*", "/work/", true),
            ("/work/*", "/works/", false),
            ("/*", "/anything/at/all/", true),
            ("/work/repo/", "/work/repo/", true),
            ("/work/repo/", "/work/repo/sub/", false),
            ("/work/repo", "/work/repo/", false),
            ("*", "/work/", true),
            ("/w*/repo/", "/work/repo/", true),
            ("/a/*/c/*", "/a/b/c/d/", true),
            ("/a/*/c/*", "/a/b/d/", false),
        ] {
            assert_eq!(matches(rule, folder), expected, "{rule} {folder}");
        }
    }
}
