//! Lists written where Muster never looks, so that nobody wonders why they do not load.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, Scope, Source};
use muster_document::Shown;

use super::own::{DIALECT, Found, ignored};
use super::rules;
use crate::foreign;

/// Everything that looks like a list of Muster's and is none.
pub(super) fn find(dossier: &mut Dossier<'_>, config: &Utf8Path) -> Vec<Found> {
    let mut found = Vec::new();
    for (path, scope) in decoys(dossier, config) {
        let source = dossier.examine(&path, DIALECT);
        let Some(document) = source.as_deref().and_then(Source::document) else {
            continue;
        };
        let seen = |path: &Utf8Path| Shown(&dossier.world.shown(path)).to_string();
        let (shown, right) = (seen(&path), seen(config));
        let text = format!("{shown} is never read: Muster's own servers stand in {right}");
        let remedy = format!("write it under mcp_servers in {right}");
        let before = found.len();
        for servers in foreign::all_servers(document.root()) {
            let rule = &rules::ELSEWHERE;
            found.extend(ignored(document, servers, scope, rule, &text, &remedy));
        }
        if found.len() > before {
            dossier.look_at(&path, scope, Some(text));
        }
    }
    found
}

/// Files in which people look for the list.
fn decoys(dossier: &Dossier<'_>, config: &Utf8Path) -> Vec<(Utf8PathBuf, Scope)> {
    let world = dossier.world;
    let beside = config.parent().map(|folder| folder.join("mcp.json"));
    let of_home = world.home.iter().flat_map(|home| {
        [
            home.join(".config/muster/config.json"),
            home.join(".muster/config.json"),
        ]
    });
    let own = beside.into_iter().chain(of_home);
    let own = own.map(|path| (path, Scope::Own));
    let of_project = [".muster/config.json", "muster.json"].into_iter();
    let of_project = of_project.map(|name| (world.cwd.join(name), Scope::Project));
    let mut list: Vec<(Utf8PathBuf, Scope)> = Vec::new();
    for (path, scope) in own.chain(of_project) {
        let known = path == config || list.iter().any(|(known, _)| *known == path);
        if !known && world.files.is_file(&path) {
            list.push((path, scope));
        }
    }
    list
}
