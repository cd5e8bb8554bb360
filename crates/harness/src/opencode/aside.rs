//! Definitions that OpenCode never reads: under another program's key in its files, in files of another name.

use std::rc::Rc;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Definition, Dossier, Objection, Reason, Scope, Status, World};
use muster_document::{Node, Shown};

use crate::foreign::{self, Foreign};

use super::entry;
use super::gather::Gathered;
use super::ground::Ground;
use super::layers::{DIALECT, Layer, Owner};
use super::rows::Rows;
use super::rules;
use super::schema::own;

/// A file that people take for one of OpenCode's.
#[derive(Debug)]
pub(super) struct Decoy {
    layer: Layer,
    path: Utf8PathBuf,
}

/// Files near this place that look like OpenCode's and are none.
pub(super) fn decoys(dossier: &mut Dossier<'_>, ground: &Ground) -> Vec<Decoy> {
    let mut list: Vec<(Utf8PathBuf, Scope)> = Vec::new();
    let cwd = dossier.world.cwd.clone();
    let folders = [Some(cwd), ground.root.clone()];
    for folder in folders.into_iter().flatten() {
        for name in [
            ".opencode.json",
            ".opencode/config.json",
            ".opencode/mcp.json",
        ] {
            list.push((folder.join(name), Scope::Project));
        }
    }
    if let Some(global) = &ground.global {
        list.push((global.join("mcp.json"), Scope::User));
        list.push((global.with_extension("json"), Scope::User));
    }
    if let Some(home) = &ground.home {
        list.push((home.join(".opencode.json"), Scope::User));
        list.push((home.join(".opencode/config.json"), Scope::User));
    }
    let mut decoys: Vec<Decoy> = Vec::new();
    for (path, scope) in list {
        // What is in no folder need not be looked for.
        let folder = path.parent().unwrap_or(&path);
        if folder.ends_with(".opencode") && !dossier.world.files.exists(folder) {
            continue;
        }
        let known = decoys.iter().any(|decoy| decoy.path == path)
            || dossier.files.iter().any(|file| file.path == path);
        if !known && dossier.world.files.is_file(&path) {
            decoys.extend(decoy(dossier, path, scope));
        }
    }
    decoys
}

fn decoy(dossier: &mut Dossier<'_>, path: Utf8PathBuf, scope: Scope) -> Option<Decoy> {
    let source = dossier.examine(&path, DIALECT)?;
    let document = source.document()?;
    if foreign::servers(document.root(), "").is_empty() {
        return None;
    }
    dossier.look_at(&path, scope, Some("OpenCode does not read it".to_owned()));
    let owner = Owner {
        scope,
        rule: &rules::ELSEWHERE,
    };
    Some(Decoy {
        layer: Layer::plain(dossier.world, owner, source),
        path,
    })
}

impl Rows<'_> {
    /// Servers under another program's key in OpenCode's own files.
    pub(super) fn add_foreign(&mut self, gathered: &Gathered) {
        for layer in gathered.items.iter().filter_map(|item| item.layer.as_ref()) {
            for (foreign, servers) in of_others(layer, "mcp") {
                let text = format!("OpenCode reads mcp; {}", foreign.whose());
                let short = format!("OpenCode does not read {}", foreign.key);
                let remedy = format!("write it under mcp in {}", Shown(&layer.name));
                self.add_ignored(layer, servers, &text, &short, &remedy);
            }
        }
    }

    /// Servers of files that OpenCode does not open.
    pub(super) fn add_decoys(&mut self, world: &World<'_>, ground: &Ground, decoys: &[Decoy]) {
        for decoy in decoys {
            let home_for = match decoy.layer.owner.scope {
                Scope::User => ground.global.as_deref().map_or_else(
                    || "opencode.json".to_owned(),
                    |global| world.shown(&global.join("opencode.json")),
                ),
                _ => "opencode.json of this folder".to_owned(),
            };
            let file = file_name(&decoy.path);
            let text = format!("OpenCode does not open {}", Shown(&decoy.layer.name));
            let short = format!("OpenCode does not read {}", Shown(file));
            let remedy = format!("write it under mcp in {}", Shown(&home_for));
            for (_, servers) in of_others(&decoy.layer, "") {
                self.add_ignored(&decoy.layer, servers, &text, &short, &remedy);
            }
        }
    }

    fn add_ignored(
        &mut self,
        layer: &Layer,
        servers: &Node,
        text: &str,
        short: &str,
        remedy: &str,
    ) {
        for member in own(servers) {
            if !foreign::is_server(&member.value) {
                continue;
            }
            let reason = Reason::new(&rules::ELSEWHERE, "ignored", text, None);
            let out = Objection::new(Status::Ignored, short, reason).with_remedy(remedy);
            let definition = Definition {
                name: member.key.text.clone(),
                scope: layer.owner.scope,
                place: layer.place(member.key.span),
                entry: Rc::new(entry::of_foreign(&member.value, layer)),
                rule: &rules::ELSEWHERE,
            };
            self.push_aside(definition, &layer.name, out);
        }
    }
}

/// Servers in `layer` under keys other than `key`; `mcp.servers` belongs to `mcp`.
fn of_others<'l>(layer: &'l Layer, key: &str) -> Vec<(Foreign<'l>, &'l Node)> {
    let found = layer
        .root()
        .map(|root| foreign::servers(root, key))
        .unwrap_or_default();
    found
        .into_iter()
        .filter(|found| key.is_empty() || found.key != "mcp.servers")
        .map(|found| {
            let servers = found.servers;
            (found, servers)
        })
        .collect()
}

fn file_name(path: &Utf8Path) -> &str {
    path.file_name().unwrap_or(path.as_str())
}
