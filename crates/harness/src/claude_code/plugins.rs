//! Plugins: which are on, where they stand, and the servers they bring.

use std::rc::Rc;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, FileState, Files, Loaded, Scope, Source, Status, absolute};
use muster_document::{Document, Node, Place, Shown};

use super::entry::{self, Refusal};
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
        data: Utf8PathBuf,
        origin: Origin,
    ) -> Option<Plugin> {
        let path = root.join(".claude-plugin/plugin.json");
        let manifest = match dossier.load(&path, Scope::Plugin, dialect::JSON, Files::LIMIT) {
            Loaded::Document(source) => Some(source),
            Loaded::Absent => None,
            _ => return None,
        };
        let name = manifest
            .as_deref()
            .and_then(parsed)
            .and_then(|document| document.root().get("name")?.as_str().map(str::to_owned));
        let name = name.unwrap_or_else(|| fallback.to_owned());
        Some(Plugin {
            id: None,
            name,
            root: root.to_owned(),
            data,
            origin,
            off: None,
            manifest,
        })
    }

    /// Its servers: those of its `.mcp.json` (wrapped, or a bare map), then those of its manifest's `mcpServers` (an object, or
    /// the path of a file like the former).
    pub(super) fn servers(&self, dossier: &mut Dossier<'_>) -> Vec<Found> {
        let mut found = self.servers_of_file(dossier, &self.root.join(".mcp.json"));
        let Some(document) = self.manifest.as_deref().and_then(parsed) else {
            return found;
        };
        let declared = document.root().get("mcpServers");
        let more = match declared.map(|node| (node.as_str(), node)) {
            Some((Some(path), _)) => self.servers_of_file(dossier, &absolute(path, &self.root)),
            Some((None, node)) if node.is_table() => self.read_map(document, node),
            _ => Vec::new(),
        };
        // A name in both is the manifest's.
        found.retain(|server| !more.iter().any(|other| other.name == server.name));
        found.extend(more);
        found
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
        let mut lost = self.read_map(&document, servers_of(document.root()));
        for server in &mut lost {
            server.checked.refusal = Some(Refusal::of_file(
                &format!("the plugin's file is no JSON: {error}"),
                error.place.clone(),
                &rules::PLUGIN,
            ));
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
            &absolute(folder, &ground.cwd),
        ));
    }
    let installed = installed(dossier, ground, settings);
    let missing = not_installed(dossier, ground, settings, &installed);
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
    let data = |name: &str| ground.config.join("plugins/data").join(name);
    let own = folder.file_name().unwrap_or_default().to_owned();
    let one = is_plugin(dossier, folder);
    let names = if one {
        Rc::from([])
    } else {
        dossier
            .world
            .files
            .list(folder)
            .unwrap_or_else(|_| Rc::from([]))
    };
    if one {
        return Plugin::at(dossier, folder, &own, data(&own), Origin::Plugin)
            .into_iter()
            .collect();
    }
    let children: Vec<_> = names
        .iter()
        .map(|name| (name.clone(), folder.join(name)))
        .filter(|(_, child)| is_plugin(dossier, child))
        .collect();
    children
        .into_iter()
        .filter_map(|(name, child)| Plugin::at(dossier, &child, &name, data(&name), Origin::Plugin))
        .collect()
}

fn is_plugin(dossier: &Dossier<'_>, folder: &Utf8Path) -> bool {
    dossier
        .world
        .files
        .is_file(&folder.join(".claude-plugin/plugin.json"))
        || dossier.world.files.is_file(&folder.join(".mcp.json"))
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
        .filter_map(|(name, root)| {
            Plugin::at(
                dossier,
                &root,
                name,
                ground.config.join("plugins/data").join(name),
                origin,
            )
        })
        .collect()
}

/// Plugins from marketplaces: on in settings, installed for this place, and listed by a known marketplace.
fn installed(dossier: &mut Dossier<'_>, ground: &Ground, settings: &Settings) -> Vec<Plugin> {
    let folder = ground.config.join("plugins");
    let list = dossier.load(
        &folder.join("installed_plugins.json"),
        Scope::Plugin,
        dialect::PLUGIN_JSON,
        Files::LIMIT,
    );
    let Some(installed) = list
        .document()
        .and_then(|document| document.root().get("plugins"))
    else {
        return Vec::new();
    };
    let markets = dossier.load(
        &folder.join("known_marketplaces.json"),
        Scope::Plugin,
        dialect::JSON,
        Files::LIMIT,
    );
    let mut plugins = Vec::new();
    for member in installed.effective_members() {
        let id = member.key.text.as_str();
        let Some((name, market)) = id.rsplit_once('@') else {
            continue;
        };
        let market_node = markets
            .document()
            .and_then(|document| document.root().get(market));
        let listing = market_node.map_or(Listing::Unknown, |node| listing(dossier, node, name));
        let Some(here) = Installation::of(&member.value, ground) else {
            continue;
        };
        let root = match (&listing, here.path) {
            (Listing::Live(root), _) => root.clone(),
            (_, path) => path,
        };
        let data = folder.join("data").join(id.replace('@', "-"));
        let Some(mut plugin) = Plugin::at(dossier, &root, name, data, Origin::Plugin) else {
            continue;
        };
        plugin.id = Some(id.to_owned());
        plugin.off = why_off(settings, id, market, &listing, here.elsewhere);
        plugins.push(plugin);
    }
    plugins
}

/// Plugins that settings turn on but that are not installed, where a copy in the cache tells what they would bring.
fn not_installed(
    dossier: &mut Dossier<'_>,
    ground: &Ground,
    settings: &Settings,
    known: &[Plugin],
) -> Vec<Plugin> {
    let folder = ground.config.join("plugins");
    let mut ids: Vec<&str> = Vec::new();
    for member in settings
        .files
        .iter()
        .filter_map(|file| file.get("enabledPlugins"))
        .flat_map(Node::members)
    {
        if !ids.contains(&member.key.text.as_str())
            && !known
                .iter()
                .any(|plugin| plugin.id.as_deref() == Some(&member.key.text))
        {
            ids.push(&member.key.text);
        }
    }
    let mut plugins = Vec::new();
    for id in ids {
        let Some((name, market)) = id.rsplit_once('@') else {
            continue;
        };
        // An id is a pair of plain names: nothing that leads out of the cache.
        if [name, market]
            .iter()
            .any(|part| part.contains(['/', '\\']) || part.starts_with('.'))
        {
            continue;
        }
        let cache = folder.join("cache").join(market).join(name);
        let versions = dossier
            .world
            .files
            .list(&cache)
            .unwrap_or_else(|_| Rc::from([]));
        let Some(version) = versions.last() else {
            continue;
        };
        let data = folder.join("data").join(id.replace('@', "-"));
        let Some(mut plugin) =
            Plugin::at(dossier, &cache.join(version), name, data, Origin::Plugin)
        else {
            continue;
        };
        plugin.off = Some(Off::new(
            format!("its plugin {} is in the cache but not installed", Shown(id)),
            None,
        ));
        plugins.push(plugin);
    }
    plugins
}

fn why_off(
    settings: &Settings,
    id: &str,
    market: &str,
    listing: &Listing,
    elsewhere: bool,
) -> Option<Off> {
    let (id, market) = (Shown(id), Shown(market));
    match switch(settings, id.0) {
        None => {
            return Some(Off::new(
                format!("its plugin {id} is installed, but enabledPlugins does not turn it on"),
                None,
            ));
        }
        Some((false, label, place)) => {
            return Some(Off::new(
                format!(
                    "enabledPlugins in {} turns its plugin {id} off",
                    Shown(&label)
                ),
                place,
            ));
        }
        Some((true, _, _)) => {}
    }
    if elsewhere {
        return Some(Off::new(
            format!("its plugin {id} is installed for another folder only"),
            None,
        ));
    }
    match listing {
        Listing::Unknown => Some(Off::new(
            format!("its plugin {id} does not load: marketplace {market} is not known"),
            None,
        )),
        Listing::Absent => Some(Off::new(
            format!("its plugin {id} does not load: marketplace {market} does not list it"),
            None,
        )),
        Listing::Listed | Listing::Live(_) => None,
    }
}

/// What `enabledPlugins` says of `id`: the strongest file that says anything.
fn switch(settings: &Settings, id: &str) -> Option<(bool, String, Option<Place>)> {
    settings.files.iter().find_map(|file| {
        let node = file.get("enabledPlugins")?.get(id)?;
        // A list of versions turns a plugin on too.
        let on = node.as_bool().unwrap_or(true);
        Some((on, file.label.clone(), file.place(node)))
    })
}

/// What a marketplace says of a plugin.
enum Listing {
    /// The marketplace itself is not known.
    Unknown,
    /// It does not list it.
    Absent,
    /// It lists it; what was installed counts.
    Listed,
    /// It is a folder on this machine, read as it is now.
    Live(Utf8PathBuf),
}

fn listing(dossier: &mut Dossier<'_>, market: &Node, name: &str) -> Listing {
    let source = market.get("source");
    let kind = source
        .and_then(|source| source.get("source"))
        .and_then(Node::as_str);
    let location = market
        .get("installLocation")
        .and_then(Node::as_str)
        .map(Utf8PathBuf::from);
    let Some(location) = location.or_else(|| source?.get("path")?.as_str().map(Utf8PathBuf::from))
    else {
        return Listing::Absent;
    };
    let path = location.join(".claude-plugin/marketplace.json");
    let loaded = dossier.load(&path, Scope::Plugin, dialect::JSON, Files::LIMIT);
    let Some(document) = loaded.document() else {
        return Listing::Absent;
    };
    let Some(list) = document.root().get("plugins").and_then(Node::as_array) else {
        dossier.mark(&path, FileState::Broken, "no list of plugins", None);
        return Listing::Absent;
    };
    let Some(plugin) = list
        .iter()
        .find(|plugin| plugin.get("name").and_then(Node::as_str) == Some(name))
    else {
        return Listing::Absent;
    };
    match (kind, plugin.get("source").and_then(Node::as_str)) {
        (Some("directory"), Some(relative)) => Listing::Live(absolute(relative, &location)),
        _ => Listing::Listed,
    }
}

/// Where a plugin is installed.
struct Installation {
    path: Utf8PathBuf,
    /// Only for a project that is not this one.
    elsewhere: bool,
}

impl Installation {
    /// The installation that holds here (the user's, or one for this very project), else any.
    fn of(installation: &Node, ground: &Ground) -> Option<Installation> {
        let entries = installation
            .as_array()
            .unwrap_or(std::slice::from_ref(installation));
        let holds = |entry: &&Node| match entry.get("projectPath").and_then(Node::as_str) {
            None => !matches!(
                entry.get("scope").and_then(Node::as_str),
                Some("project" | "local")
            ),
            Some(path) => {
                let path = Utf8Path::new(path);
                path == ground.cwd
                    || path == ground.project
                    || ground.git.as_ref().is_some_and(|root| path == root.folder)
            }
        };
        let here = entries.iter().find(holds);
        let path = here
            .or_else(|| entries.first())?
            .get("installPath")?
            .as_str()?;
        Some(Installation {
            path: Utf8PathBuf::from(path),
            elsewhere: here.is_none(),
        })
    }
}
