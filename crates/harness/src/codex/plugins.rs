//! Servers that plugins bring. They stand below every server of the configuration files, which replace them whole.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, FileState, Files, Loaded, Objection, Reason, Scope, Source, Status};
use muster_document::{Dialect, Document, JsonDialect, Node, Place, Shown};

use super::merge::Merged;
use super::rules;

/// A plugin's files: strict JSON; a byte order mark loses the file.
const JSON: Dialect = Dialect::Json(JsonDialect::SERDE_JSON);

/// Where a manifest may stand; the first that is there counts.
const MANIFESTS: &[&str] = &[".codex-plugin/plugin.json", ".claude-plugin/plugin.json"];

/// A plugin that the configuration names.
#[derive(Debug)]
pub(super) struct Plugin {
    /// `NAME@MARKET`.
    pub(super) id: String,
    /// Why none of its servers starts.
    pub(super) off: Option<Objection>,
    /// Where the configuration names it.
    pub(super) place: Option<Place>,
    source: Option<Rc<Source>>,
    /// Keys that lead to the servers in the document.
    within: &'static [&'static str],
}

impl Plugin {
    /// The document that holds the servers.
    pub(super) fn document(&self) -> Option<&Document> {
        match self.source.as_deref()? {
            Source::Parsed(document) => Some(document),
            Source::Broken(_) => None,
        }
    }

    /// The table of servers.
    pub(super) fn servers(&self) -> Option<&Node> {
        self.within
            .iter()
            .try_fold(self.document()?.root(), |node, key| node.get(key))
    }
}

/// The plugins that the merged configuration names, in the order in which they win names: that of their ids.
/// Observed on 0.171.0: a plugin in the cache that no `[plugins."NAME@MARKET"]` names adds nothing.
pub(super) fn find(
    dossier: &mut Dossier<'_>,
    codex_home: &Utf8Path,
    config: &Merged<'_>,
    place: &dyn Fn(&Merged<'_>) -> Option<Place>,
) -> Vec<Plugin> {
    let named: BTreeMap<&str, &Merged<'_>> = config
        .get("plugins")
        .into_iter()
        .flat_map(Merged::members)
        .collect();
    let all_off = config
        .at(&["features", "plugins"])
        .filter(|value| value.as_bool() == Some(false));
    let cache = codex_home.join("plugins").join("cache");
    note_unnamed(dossier, &cache, &named.keys().copied().collect());
    let plugins = named.into_iter().filter_map(|(id, table)| {
        let folder = content(dossier, &cache, id)?;
        let (source, within) = servers(dossier, &folder)?;
        let own_off = table
            .get("enabled")
            .filter(|value| value.as_bool() == Some(false));
        let off = match (all_off, own_off) {
            (Some(value), _) => Some((
                "features.plugins = false switches all plugins off",
                place(value),
            )),
            (None, Some(value)) => {
                Some(("the plugin is switched off: enabled = false", place(value)))
            }
            (None, None) => None,
        };
        let off = off.map(|(text, place)| {
            Objection::new(
                Status::Off,
                "plugin switched off",
                Reason::new(&rules::PLUGIN, "switch", text, place),
            )
            .with_remedy(format!("switch the plugin {} on", Shown(id)))
        });
        Some(Plugin {
            id: id.to_owned(),
            off,
            place: place(table),
            source: Some(source),
            within,
        })
    });
    plugins.collect()
}

/// The folder of the version that counts, if the id is one and the cache has it.
fn content(dossier: &Dossier<'_>, cache: &Utf8Path, id: &str) -> Option<Utf8PathBuf> {
    let (name, market) = id.split_once('@')?;
    let folder = (plain(name) && plain(market)).then(|| cache.join(market).join(name))?;
    let listed = dossier.world.files.list(&folder).ok()?;
    let folders = listed
        .iter()
        .filter(|version| plain(version) && dossier.world.files.is_folder(&folder.join(version)));
    let version = folders.max_by(|one, two| compare_versions(one, two))?;
    Some(folder.join(version))
}

fn plain(segment: &str) -> bool {
    let good = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'+');
    !matches!(segment, "" | "." | "..") && segment.bytes().all(good)
}

/// Semantic versions by their order; where one is none, both as text. `local` is above every number.
fn compare_versions(one: &str, two: &str) -> Ordering {
    match (Version::parse(one), Version::parse(two)) {
        (Some(one), Some(two)) => one.cmp(&two),
        _ => one.cmp(two),
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Version<'v> {
    numbers: [u64; 3],
    /// A release is above its previews.
    release: bool,
    preview: Vec<Part<'v>>,
    build: &'v str,
}

/// A part of a preview: numbers stand below words.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Part<'v> {
    Number(u64),
    Word(&'v str),
}

impl<'v> Version<'v> {
    fn parse(text: &'v str) -> Option<Self> {
        let (rest, build) = text.split_once('+').unwrap_or((text, ""));
        let (core, preview) = rest
            .split_once('-')
            .map_or((rest, None), |(core, preview)| (core, Some(preview)));
        let number = |part: &str| {
            let good = part.bytes().all(|byte| byte.is_ascii_digit())
                && (part == "0" || !part.starts_with('0'));
            good.then(|| part.parse().ok()).flatten()
        };
        let numbers: Vec<u64> = core.split('.').map(number).collect::<Option<_>>()?;
        let part = |part: &'v str| number(part).map_or(Part::Word(part), Part::Number);
        let parts = preview.map(|preview| preview.split('.').map(part).collect());
        Some(Version {
            numbers: numbers.try_into().ok()?,
            release: parts.is_none(),
            preview: parts.unwrap_or_default(),
            build,
        })
    }
}

/// Where a plugin's servers stand: what its manifest names, else `.mcp.json`. Without a manifest it is no plugin.
fn servers(
    dossier: &mut Dossier<'_>,
    folder: &Utf8Path,
) -> Option<(Rc<Source>, &'static [&'static str])> {
    let manifest = MANIFESTS
        .iter()
        .map(|name| folder.join(name))
        .find(|path| dossier.world.files.exists(path));
    let Some(path) = manifest else {
        let first = MANIFESTS.first().map(|name| folder.join(name))?;
        dossier.load(&first, Scope::Plugin, JSON, Files::LIMIT);
        return None;
    };
    let loaded = dossier.load(&path, Scope::Plugin, JSON, Files::LIMIT);
    let root = loaded.document().map(Document::root)?;
    let usable = root.as_array().is_some()
        || (root.is_table()
            && root
                .get("name")
                .is_none_or(|name| name.as_str().is_some() || name.is_null()));
    if !usable {
        dossier.mark(
            &path,
            FileState::Broken,
            "not a manifest that Codex takes: the plugin adds nothing",
            None,
        );
        return None;
    }
    match root.get("mcpServers") {
        Some(inline) if inline.is_table() => match loaded {
            Loaded::Document(source) => Some((source, &["mcpServers"])),
            _ => None,
        },
        Some(path) => match path.as_str().and_then(inner_path) {
            Some(relative) => servers_file(dossier, &folder.join(relative)),
            None => servers_file(dossier, &folder.join(".mcp.json")),
        },
        None => servers_file(dossier, &folder.join(".mcp.json")),
    }
}

/// A path that a manifest may name: `./` and then down, never up.
fn inner_path(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("./")?;
    let good = !inner.is_empty()
        && inner
            .split('/')
            .all(|segment| !matches!(segment, "" | "." | ".."));
    good.then_some(inner)
}

fn servers_file(
    dossier: &mut Dossier<'_>,
    path: &Utf8Path,
) -> Option<(Rc<Source>, &'static [&'static str])> {
    let loaded = dossier.load(path, Scope::Plugin, JSON, Files::LIMIT);
    let wrapped = loaded
        .document()?
        .root()
        .get("mcpServers")
        .is_some_and(Node::is_table);
    match loaded {
        Loaded::Document(source) => Some((source, if wrapped { &["mcpServers"] } else { &[] })),
        _ => None,
    }
}

/// Counts the plugins in the cache that nobody names.
fn note_unnamed(dossier: &mut Dossier<'_>, cache: &Utf8Path, named: &HashSet<&str>) {
    let files = dossier.world.files;
    let list = |folder: &Utf8Path| {
        files
            .list(folder)
            .map(|names| names.to_vec())
            .unwrap_or_default()
    };
    let ids = list(cache).into_iter().flat_map(|market| {
        let names = list(&cache.join(&market));
        names
            .into_iter()
            .map(move |name| format!("{name}@{market}"))
    });
    let unnamed = ids.filter(|id| !named.contains(id.as_str())).count();
    if unnamed > 0 {
        let (plugins, they) = if unnamed == 1 {
            ("plugin", "it adds")
        } else {
            ("plugins", "they add")
        };
        let text = format!(
            "{unnamed} {plugins} in the cache without a [plugins.\"NAME@MARKET\"] table: {they} nothing"
        );
        dossier.note(&rules::PLUGIN, text, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each pair was given to the real program, 0.171.0; the second wins.
    #[test]
    fn the_order_of_versions() {
        for (lower, higher) in [
            ("9.0.0", "10.0.0"),
            ("1.0.0", "local"),
            ("1.0.0-beta", "1.0.0"),
            ("1.0.0", "a"),
            ("1.0", "1.0.0"),
            ("v10", "v2"),
            ("1.0.0+1", "1.0.0+2"),
            ("01.0.0", "1.0.0"),
            ("10", "2"),
            ("0.9", "abc123"),
        ] {
            assert_eq!(
                compare_versions(lower, higher),
                Ordering::Less,
                "{lower} {higher}"
            );
        }
    }

    #[test]
    fn paths_that_a_manifest_may_name() {
        assert_eq!(inner_path("./x.json"), Some("x.json"));
        for refused in [
            "x.json",
            "../x.json",
            "/x.json",
            "./sub/../x.json",
            "./",
            "",
        ] {
            assert_eq!(inner_path(refused), None, "{refused}");
        }
    }
}
