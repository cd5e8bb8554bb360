//! Plugins: which are on, where they stand, and the servers they bring.

mod installed;
mod manifest;

use std::rc::Rc;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, Files, Loaded, Scope, Source, Status, absolute};
use muster_document::{Document, Node, Place, Shown};

use super::entry::{self, FileFault};
use super::expand::PluginFolders;
use super::ground::Ground;
use super::session::Flags;
use super::settings::Settings;
use super::sources::{Found, Origin, reserved};
use super::state::Trust;
use super::{dialect, rules};

/// A plugin whose servers may load.
#[derive(Debug)]
pub(super) struct Plugin {
    /// `<plugin>@<marketplace>`, if it comes from one.
    id: Option<String>,
    /// Its name: the second part of its servers' names.
    name: String,
    root: Utf8PathBuf,
    data: Utf8PathBuf,
    origin: Origin,
    /// Why it does not load; `None` where it does.
    pub(super) off: Option<Off>,
    /// Why its manifest refuses it.
    refused: Option<FileFault>,
    manifest: Option<Rc<Source>>,
}

/// Why a plugin does not load.
#[derive(Debug, Clone)]
pub(super) struct Off {
    /// The status that its servers get.
    pub(super) status: Status,
    /// The reason.
    pub(super) text: String,
    /// Where that is decided.
    pub(super) place: Option<Place>,
    /// What would make it load.
    pub(super) remedy: &'static str,
}

impl Off {
    fn new(text: String, place: Option<Place>) -> Off {
        Off {
            status: Status::Off,
            text,
            place,
            remedy: "turn its plugin on or install it again: /plugin in a session here",
        }
    }
}

impl Plugin {
    /// Whether the server called `name` may be one of its own.
    pub(super) fn brings(&self, name: &str) -> bool {
        name.strip_prefix("plugin:")
            .and_then(|rest| rest.strip_prefix(&self.name))
            .is_some_and(|rest| rest.starts_with(':'))
    }

    /// What its variables hold.
    pub(super) fn folders(&self, ground: &Ground) -> PluginFolders {
        PluginFolders {
            root: self.root.clone(),
            data: self.data.clone(),
            project: ground.cwd.clone(),
        }
    }

    fn at(
        dossier: &mut Dossier<'_>,
        root: &Utf8Path,
        fallback: &str,
        data: &dyn Fn(&str) -> Utf8PathBuf,
        origin: Origin,
    ) -> Plugin {
        let path = root.join(".claude-plugin/plugin.json");
        let loaded = dossier.load(&path, Scope::Plugin, dialect::JSON, Files::LIMIT);
        let refused = why_refused(dossier, &path, &loaded);
        let named = loaded
            .document()
            .and_then(|document| document.root().get("name")?.as_str());
        let name = named.unwrap_or(fallback).to_owned();
        let manifest = match loaded {
            Loaded::Document(source) => Some(source),
            _ => None,
        };
        Plugin {
            id: None,
            data: data(&name),
            name,
            root: root.to_owned(),
            origin,
            off: None,
            refused,
            manifest,
        }
    }

    /// The plugins that its manifest says it needs: `<plugin>@<marketplace>`, its own marketplace where none is named.
    fn dependencies(&self) -> Vec<String> {
        let market = self
            .id
            .as_deref()
            .and_then(|id| id.rsplit_once('@'))
            .map_or("", |(_, market)| market);
        let list = self
            .manifest
            .as_deref()
            .and_then(parsed)
            .and_then(|document| document.root().get("dependencies")?.as_array());
        let names = list.unwrap_or_default().iter().filter_map(Node::as_str);
        names
            .map(|name| {
                if name.contains('@') {
                    name.to_owned()
                } else {
                    format!("{name}@{market}")
                }
            })
            .collect()
    }

    /// Its servers: those of its `.mcp.json` (wrapped, or a bare map), then those of its manifest's `mcpServers`: an object, the path
    /// of a file like the former, or a list of these.
    pub(super) fn servers(&self, dossier: &mut Dossier<'_>) -> Vec<Found> {
        let mut found = self.servers_of_file(dossier, &self.root.join(".mcp.json"));
        let document = self.manifest.as_deref().and_then(parsed);
        let declared =
            document.and_then(|document| Some((document, document.root().get("mcpServers")?)));
        if let Some((document, node)) = declared {
            for part in node.as_array().unwrap_or(std::slice::from_ref(node)) {
                let more = self.declared_servers(dossier, document, part);
                // A name in both is the manifest's.
                found.retain(|server| !more.iter().any(|other| other.name == server.name));
                found.extend(more);
            }
        }
        if let Some(fault) = &self.refused {
            for server in &mut found {
                server.checked.refusal = Some(fault.refusal());
            }
        }
        found
    }

    fn declared_servers(
        &self,
        dossier: &mut Dossier<'_>,
        document: &Document,
        part: &Node,
    ) -> Vec<Found> {
        match part.as_str() {
            // A path that leads out of the plugin is not followed.
            Some(path) if path.starts_with('/') || path.split('/').any(|name| name == "..") => {
                Vec::new()
            }
            Some(path) if path.ends_with(".json") && !path.contains("://") => {
                self.servers_of_file(dossier, &absolute(path, &self.root))
            }
            Some(_) => Vec::new(),
            None => self.read_map(document, part),
        }
    }

    fn servers_of_file(&self, dossier: &mut Dossier<'_>, path: &Utf8Path) -> Vec<Found> {
        let loaded = dossier.load(path, Scope::Plugin, dialect::PLUGIN_JSON, Files::LIMIT);
        if let Some(document) = loaded.document() {
            return self.read_map(document, servers_of(document.root()));
        }
        // A file that does not parse still names what it costs.
        let (Some(document), Some(error)) = (loaded.salvage(dialect::PLUGIN_JSON), loaded.error())
        else {
            return Vec::new();
        };
        let fault = FileFault {
            words: format!("the plugin's file is no JSON: {error}"),
            place: error.place.clone(),
            remedy: "install the plugin again, or another version of it: /plugin in a session"
                .to_owned(),
            rule: &rules::PLUGIN,
        };
        let mut lost = self.read_map(&document, servers_of(document.root()));
        for server in &mut lost {
            server.checked.refusal = Some(fault.refusal());
        }
        lost
    }

    fn read_map(&self, document: &Document, servers: &Node) -> Vec<Found> {
        let members = servers.effective_members().into_iter();
        members
            .map(|member| {
                let mut checked = entry::check(document, &member.key.text, &member.value);
                // Reserved names are free inside plugins, but for this one.
                if member.key.text == "__proto__" {
                    checked.refusal =
                        Some(reserved(&member.key.text, document.place(member.key.span)));
                }
                Found {
                    name: format!("plugin:{}:{}", self.name, member.key.text),
                    origin: self.origin,
                    place: Some(document.place(member.key.span)),
                    checked,
                    unread: None,
                }
            })
            .collect()
    }
}

/// What is wrong with a plugin's manifest; a plugin may do without one.
fn why_refused(dossier: &Dossier<'_>, path: &Utf8Path, loaded: &Loaded) -> Option<FileFault> {
    let shown = dossier.world.shown(path);
    let fault = |words: String, place: Place| FileFault {
        words,
        place,
        remedy: format!("correct {}", Shown(&shown)),
        rule: &rules::PLUGIN_MANIFEST,
    };
    if let Some(error) = loaded.error() {
        return Some(fault(
            format!("the plugin's manifest is no JSON: {error}"),
            error.place.clone(),
        ));
    }
    let document = loaded.document()?;
    let (key, node) = manifest::first_wrong(document)?;
    Some(fault(
        format!("the plugin's manifest is refused: {key} has a wrong value"),
        document.place(node.span),
    ))
}

/// The map of servers in a plugin's file: wrapped in `mcpServers`, or bare.
fn servers_of(root: &Node) -> &Node {
    root.get("mcpServers").unwrap_or(root)
}

fn parsed(source: &Source) -> Option<&Document> {
    match source {
        Source::Parsed(document) => Some(document),
        Source::Broken(_) => None,
    }
}

/// Every plugin that may bring servers, in the order in which they are taken.
pub(super) fn find(
    dossier: &mut Dossier<'_>,
    ground: &Ground,
    flags: &Flags,
    settings: &Settings,
    trust: &Trust,
) -> Vec<Plugin> {
    let mut plugins = Vec::new();
    for folder in &flags.plugin_dirs {
        plugins.extend(session_plugins(
            dossier,
            ground,
            &dossier.world.at(folder, &ground.cwd),
        ));
    }
    let installed = installed::find(dossier, ground, settings);
    let missing = installed::find_missing(dossier, ground, settings, &installed);
    plugins.extend(installed);
    plugins.extend(missing);
    plugins.extend(skills(
        dossier,
        ground,
        &ground.config.join("skills"),
        Origin::Plugin,
    ));
    let project_skills = ground.cwd.join(".claude/skills");
    if project_skills != ground.config.join("skills") {
        let mut own = skills(dossier, ground, &project_skills, Origin::ProjectPlugin);
        if !trust.strict {
            for plugin in &mut own {
                plugin.off = Some(Off {
                    status: Status::Untrusted,
                    text: "plugins in the project's .claude/skills are not loaded at all until this folder is trusted".to_owned(),
                    place: trust.place.clone(),
                    remedy: "start claude here and trust the folder",
                });
            }
        }
        plugins.extend(own);
    }
    plugins
}

/// `--plugin-dir`: one plugin, or a folder of plugins.
fn session_plugins(dossier: &mut Dossier<'_>, ground: &Ground, folder: &Utf8Path) -> Vec<Plugin> {
    let data = |name: &str| ground.plugin_data(name, "inline");
    // One plugin may do with a bare .mcp.json; those in a folder of plugins need their manifest.
    if has_manifest(dossier, folder) || dossier.world.files.is_file(&folder.join(".mcp.json")) {
        let own = folder.file_name().unwrap_or_default();
        return vec![Plugin::at(dossier, folder, own, &data, Origin::Plugin)];
    }
    let names = dossier
        .world
        .files
        .list(folder)
        .unwrap_or_else(|_| Rc::from([]));
    let children = names.iter().map(|name| (name, folder.join(name)));
    let children: Vec<_> = children
        .filter(|(_, child)| has_manifest(dossier, child))
        .collect();
    children
        .into_iter()
        .map(|(name, child)| Plugin::at(dossier, &child, name, &data, Origin::Plugin))
        .collect()
}

fn has_manifest(dossier: &Dossier<'_>, folder: &Utf8Path) -> bool {
    dossier
        .world
        .files
        .is_file(&folder.join(".claude-plugin/plugin.json"))
}

/// Plugins that stand in a folder of skills: they need no installation.
fn skills(
    dossier: &mut Dossier<'_>,
    ground: &Ground,
    folder: &Utf8Path,
    origin: Origin,
) -> Vec<Plugin> {
    let names = dossier
        .world
        .files
        .list(folder)
        .unwrap_or_else(|_| Rc::from([]));
    let manifests = names.iter().map(|name| (name, folder.join(name)));
    let with_manifest: Vec<_> = manifests
        .filter(|(_, root)| {
            dossier
                .world
                .files
                .is_file(&root.join(".claude-plugin/plugin.json"))
        })
        .collect();
    with_manifest
        .into_iter()
        .map(|(name, root)| {
            Plugin::at(
                dossier,
                &root,
                name,
                &|name| ground.plugin_data(name, "skills-dir"),
                origin,
            )
        })
        .collect()
}
