//! Plugins below `~/.cursor/plugins` and of `--plugin-dir`, and the servers they bring.

use std::collections::HashMap;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, Files, Scope, Status, absolute};
use muster_document::{Document, Node};

use super::entry::Fault;
use super::rules;
use super::session::CommandLine;
use super::sources::{Found, LENIENT, Origin, Reader};

/// Where a plugin's manifest stands in its folder.
const MANIFESTS: [&str; 3] = [
    ".cursor-plugin/plugin.json",
    ".claude-plugin/plugin.json",
    "plugin.json",
];

/// Files of servers in a plugin's folder; the first that is there counts.
const SERVER_FILES: [&str; 2] = ["mcp.json", ".mcp.json"];

/// How deep plugins may lie: `cache/<market>/<plugin>/<version>`.
const DEPTH: usize = 4;

/// How many folders are looked into at most.
const MOST: usize = 2000;

/// The servers of every plugin, under the names that Cursor gives them.
pub(super) fn find(
    dossier: &mut Dossier<'_>,
    reader: &Reader<'_>,
    line: &CommandLine,
) -> Vec<Found> {
    let mut folders = Vec::new();
    let mut budget = MOST;
    let home = dossier.world.home.clone();
    if let Some(plugins) = home.map(|home| home.join(".cursor/plugins")) {
        for kind in ["local", "cache"] {
            walk(
                dossier,
                &plugins.join(kind),
                DEPTH,
                &mut budget,
                &mut folders,
            );
        }
    }
    for folder in &line.plugin_dirs {
        let folder = absolute(folder, &dossier.world.start);
        walk(dossier, &folder, 0, &mut budget, &mut folders);
    }
    let mut found = Vec::new();
    for (folder, manifest) in folders {
        found.extend(of_plugin(dossier, reader, &folder, &manifest));
    }
    doubt_twins(&mut found);
    found
}

/// Collects the plugin folders at and below `folder`, with their manifests.
fn walk(
    dossier: &Dossier<'_>,
    folder: &Utf8Path,
    depth: usize,
    budget: &mut usize,
    found: &mut Vec<(Utf8PathBuf, Utf8PathBuf)>,
) {
    let files = dossier.world.files;
    if *budget == 0 || !files.is_folder(folder) {
        return;
    }
    *budget -= 1;
    let manifest = MANIFESTS
        .iter()
        .map(|name| folder.join(name))
        .find(|path| files.is_file(path));
    if let Some(manifest) = manifest {
        found.push((folder.to_owned(), manifest));
        return;
    }
    if depth == 0 {
        return;
    }
    let names = files.list(folder).map(|names| names.to_vec());
    for name in names.unwrap_or_default() {
        if !name.starts_with('.') && name != "node_modules" {
            walk(dossier, &folder.join(name), depth - 1, budget, found);
        }
    }
}

fn of_plugin(
    dossier: &mut Dossier<'_>,
    reader: &Reader<'_>,
    folder: &Utf8Path,
    manifest: &Utf8Path,
) -> Vec<Found> {
    let loaded = dossier.load(manifest, Scope::Plugin, LENIENT, Files::LIMIT);
    let Some(document) = loaded.document() else {
        return Vec::new();
    };
    let root = document.root();
    let Some(plugin) = root.get("name").and_then(Node::as_str) else {
        return Vec::new();
    };
    let mut found = match root.get("mcpServers") {
        Some(servers) if servers.is_table() => named_in(reader, document, servers),
        Some(path) if path.as_str().is_some() => {
            let path = absolute(path.as_str().unwrap_or_default(), folder);
            reader.file(dossier, &path, Origin::Plugin)
        }
        _ => {
            let files = SERVER_FILES.iter().map(|name| folder.join(name));
            let file = { files }.find(|path| dossier.world.files.is_file(path));
            file.map(|file| reader.file(dossier, &file, Origin::Plugin))
                .unwrap_or_default()
        }
    };
    found.retain(|server| server.origin == Origin::Plugin);
    for server in &mut found {
        server.name = format!("plugin-{plugin}-{}", server.name);
    }
    found
}

/// The servers that stand in the manifest itself.
fn named_in(reader: &Reader<'_>, document: &Document, servers: &Node) -> Vec<Found> {
    reader.map(document, servers, Origin::Plugin)
}

/// A plugin may lie there in several versions: which one counts is not known.
fn doubt_twins(found: &mut [Found]) {
    let mut count: HashMap<String, usize> = HashMap::new();
    for server in &*found {
        *count.entry(server.name.clone()).or_default() += 1;
    }
    for server in found {
        if count.get(&server.name).is_some_and(|count| *count > 1) {
            server.doubt = Some(Fault {
                status: Status::Unknown,
                short: "several copies of its plugin".to_owned(),
                label: "plugin",
                text: "its plugin lies there more than once: which copy counts is not known"
                    .to_owned(),
                place: Some(server.place.clone()),
                rule: &rules::PLUGIN,
                remedy: None,
            });
        }
    }
}
