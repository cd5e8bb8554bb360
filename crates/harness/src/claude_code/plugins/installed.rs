//! Plugins from marketplaces: on in settings, installed for this place, and listed by a known marketplace.

use std::collections::HashSet;
use std::rc::Rc;

use camino::Utf8PathBuf;
use muster_core::{Dossier, FileState, Files, Platform, Scope, World, absolute};
use muster_document::{Node, Place, Shown};

use super::super::dialect;
use super::super::ground::Ground;
use super::super::settings::Settings;
use super::super::sources::Origin;
use super::{Off, Plugin};

/// Plugins from marketplaces: on in settings, installed for this place, and listed by a known marketplace.
pub(super) fn find(dossier: &mut Dossier<'_>, ground: &Ground, settings: &Settings) -> Vec<Plugin> {
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
        let Some(here) = Installation::of(dossier.world, &member.value, ground) else {
            continue;
        };
        let root = match (&listing, here.path) {
            (Listing::Live(root), _) => root.clone(),
            (_, path) => path,
        };
        let data = |_: &str| folder.join("data").join(id.replace('@', "-"));
        let mut plugin = Plugin::at(dossier, &root, name, &data, Origin::Plugin);
        plugin.id = Some(id.to_owned());
        plugin.off = why_off(settings, id, market, &listing, here.elsewhere);
        plugins.push(plugin);
    }
    // They are taken in the order in which settings turn them on, whatever the order of installation.
    let order = switch_order(settings);
    plugins.sort_by_key(|plugin| {
        order
            .iter()
            .position(|id| Some(*id) == plugin.id.as_deref())
            .unwrap_or(usize::MAX)
    });
    leave_out_lonely(&mut plugins);
    plugins
}

/// The ids in `enabledPlugins` in the order of their first mention, the weakest file first.
fn switch_order(settings: &Settings) -> Vec<&str> {
    let lists = settings
        .files
        .iter()
        .rev()
        .filter_map(|file| file.get("enabledPlugins"));
    let mut seen = HashSet::new();
    lists
        .flat_map(Node::members)
        .map(|member| member.key.text.as_str())
        .filter(|id| seen.insert(*id))
        .collect()
}

/// A plugin that needs one that does not load does not load either.
fn leave_out_lonely(plugins: &mut [Plugin]) {
    loop {
        let on: HashSet<String> = plugins
            .iter()
            .filter(|plugin| plugin.off.is_none())
            .filter_map(|plugin| plugin.id.clone())
            .collect();
        let lonely = plugins
            .iter_mut()
            .filter(|plugin| plugin.off.is_none())
            .find_map(|plugin| {
                let missing = plugin
                    .dependencies()
                    .into_iter()
                    .find(|id| !on.contains(id))?;
                Some((plugin, missing))
            });
        let Some((plugin, missing)) = lonely else {
            return;
        };
        plugin.off = Some(Off::new(
            format!("its plugin needs {}, which does not load", Shown(&missing)),
            None,
        ));
    }
}

/// Plugins that settings turn on but that are not installed, where a copy in the cache tells what they would bring.
pub(super) fn find_missing(
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
        let data = |_: &str| folder.join("data").join(id.replace('@', "-"));
        let mut plugin = Plugin::at(dossier, &cache.join(version), name, &data, Origin::Plugin);
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
        // A list of versions does not turn a plugin on.
        let on = node.as_bool().unwrap_or(false);
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
    let location = market.get("installLocation").and_then(Node::as_str);
    let Some(location) = location.or_else(|| source?.get("path")?.as_str()) else {
        return Listing::Absent;
    };
    let location = named(dossier.world, location);
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

/// The folder that a file of Claude Code's names by its absolute path.
fn named(world: &World<'_>, path: &str) -> Utf8PathBuf {
    match world.platform {
        Platform::Windows => world.at(path, &world.cwd),
        _ => Utf8PathBuf::from(path),
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
    fn of(world: &World<'_>, installation: &Node, ground: &Ground) -> Option<Installation> {
        // The older shape of the file, an object for each plugin, installs nothing.
        let entries = installation.as_array()?;
        let holds = |entry: &&Node| match entry.get("projectPath").and_then(Node::as_str) {
            None => !matches!(
                entry.get("scope").and_then(Node::as_str),
                Some("project" | "local")
            ),
            Some(path) => {
                let git = ground.git.as_ref().map(|root| &root.folder);
                let mut here = [&ground.cwd, &ground.project].into_iter().chain(git);
                here.any(|folder| world.is_native(path, folder))
            }
        };
        let here = entries.iter().find(holds);
        let path = here
            .or_else(|| entries.first())?
            .get("installPath")?
            .as_str()?;
        Some(Installation {
            path: named(world, path),
            elsewhere: here.is_none(),
        })
    }
}
