//! Files that people write for Codex and that it never opens. Observed on 0.171.0: none of them has any effect.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, Objection, Reason, Scope, Status};
use muster_document::{Dialect, JsonDialect, Shown};

use super::layers::Layer;
use super::rows::Rows;
use super::rules;
use crate::foreign;

const IN_HOME: &[&str] = &["config.json", "codex.json", "mcp.json", "mcp_servers.json"];
const IN_PROJECT: &[&str] = &[".codex/config.json", ".codex/mcp.json", "codex.json"];

/// Those of the files that hold something, as layers that do not count.
pub(super) fn find(
    dossier: &mut Dossier<'_>,
    codex_home: &Utf8Path,
    project: &Utf8Path,
) -> Vec<Layer> {
    let dialect = Dialect::Json(JsonDialect {
        comments: true,
        trailing_commas: true,
        ..JsonDialect::JSON_PARSE.with_bom()
    });
    let below = |folder: &Utf8Path, names: &[&str], scope: Scope| -> Vec<(Utf8PathBuf, Scope)> {
        names
            .iter()
            .map(|name| (folder.join(name), scope))
            .collect()
    };
    let mut places = below(codex_home, IN_HOME, Scope::User);
    let mut folders = vec![project.to_owned(), dossier.world.cwd.clone()];
    folders.dedup();
    for folder in folders {
        places.extend(below(&folder, IN_PROJECT, Scope::Project));
    }
    let mut layers = Vec::new();
    for (path, scope) in places {
        if !dossier.world.files.is_file(&path) {
            continue;
        }
        let Some(source) = dossier.examine(&path, dialect) else {
            continue;
        };
        let name = super::layers::name(dossier.world, &path);
        let layer = Layer::file(scope, name, source);
        if !layer
            .root()
            .is_none_or(|root| foreign::all_servers(root).is_empty())
        {
            let note = "Codex reads config.toml, never this file";
            dossier.look_at(&path, scope, Some(note.to_owned()));
            layers.push(layer);
        }
    }
    layers
}

impl Rows<'_> {
    /// The servers of files that Codex never opens.
    pub(super) fn add_decoys(&mut self, decoys: &[Layer]) {
        let user_file = Shown(&self.user_file).to_string();
        for layer in decoys {
            let text = format!("Codex reads config.toml, never {}", Shown(&layer.name));
            let reason = Reason::new(&rules::ELSEWHERE, "ignored", text, None);
            let target = match layer.scope {
                Scope::Project => ".codex/config.toml of this folder",
                _ => &user_file,
            };
            let out = Objection::new(Status::Ignored, "never read there", reason)
                .with_remedy(format!("write it into {target}, as [mcp_servers.NAME]"));
            for servers in layer.root().map(foreign::all_servers).unwrap_or_default() {
                self.add_servers(layer, servers, &out);
            }
        }
    }
}
