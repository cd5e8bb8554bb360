//! `settings.json`: what it says of trust and of extensions.

use std::rc::Rc;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, Files, Loaded, Scope, Source};
use muster_document::{Dialect, JsonDialect, Node, Place, Shown};

use super::rules;
use super::stop::Stop;

/// How Pi reads its files: `JSON.parse` once a byte order mark is taken off.
pub(super) const JSON: Dialect = Dialect::Json(JsonDialect::JSON_PARSE.with_bom());

/// A settings file, which may be absent.
#[derive(Debug)]
pub(super) struct Settings {
    source: Option<Rc<Source>>,
    /// How a person would call it.
    pub(super) name: String,
    /// What relative paths in it start from.
    pub(super) base: Utf8PathBuf,
    /// Whose it is.
    pub(super) scope: Scope,
}

impl Settings {
    /// Reads `settings.json` in `base`. One that Pi cannot use counts as empty.
    pub(super) fn read(dossier: &mut Dossier<'_>, base: &Utf8Path, scope: Scope) -> Settings {
        let path = base.join("settings.json");
        let name = dossier.world.shown(&path);
        let loaded = dossier.load(&path, scope, JSON, Files::LIMIT);
        let place = loaded.error().map(|error| error.place.clone());
        let source = match loaded {
            Loaded::Document(source) => Some(source),
            Loaded::Broken(_) => {
                let text = format!("{} is no JSON: Pi passes over it", Shown(&name));
                dossier.note(&rules::SETTINGS, text, place);
                None
            }
            _ => None,
        };
        Settings {
            source,
            name,
            base: base.to_owned(),
            scope,
        }
    }

    /// The value of `key`.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.source.as_deref()?.document()?.root().get(key)
    }

    /// Where `node` stands.
    pub(super) fn place(&self, node: &Node) -> Option<Place> {
        let document = self.source.as_deref()?.document()?;
        Some(document.place(node.span))
    }

    /// What in the file ends every session: Pi takes these for lists without a look. Observed on 1.6.0 for extensions and packages; the
    /// others were read in the source.
    pub(super) fn crash(&self) -> Option<Stop> {
        let wrong = |key: &str| {
            let value = self.get(key).filter(|value| !value.is_null())?;
            let items = value.as_array();
            let fits: fn(&Node) -> bool = match key {
                "packages" => |item| source_of(item).is_some(),
                _ => |item| item.as_str().is_some(),
            };
            let taken = match (key, items) {
                // An older form of this key is an object.
                ("skills", None) if value.is_table() => true,
                ("extensions", None) => false,
                (_, None) => value.as_str().is_some(),
                (_, Some(items)) => return items.iter().find(|item| !fits(item)),
            };
            (!taken).then_some(value)
        };
        let keys = ["packages", "extensions", "skills", "prompts", "themes"];
        let (key, node) = keys.iter().find_map(|key| Some((key, wrong(key)?)))?;
        let words = match *key {
            "packages" => "packages is no list of sources",
            _ => &format!("{key} is no list of words"),
        };
        let place = self.place(node);
        let line = place.as_ref().map_or(1, |place| place.position.line);
        let stop = Stop::new(
            &rules::SETTINGS,
            format!("in {}, {words}", Shown(&self.name)),
            place,
        );
        Some(stop.remedied_by(format!("correct line {line} of {}", Shown(&self.name))))
    }

    /// The words of the list `key`.
    pub(super) fn words(&self, key: &str) -> Vec<(&str, &Node)> {
        let items = self.get(key).and_then(Node::as_array).unwrap_or_default();
        items
            .iter()
            .filter_map(|item| Some((item.as_str()?, item)))
            .collect()
    }
}

/// The source of a package that `packages` lists.
pub(super) fn source_of(package: &Node) -> Option<&str> {
    package.as_str().or_else(|| package.get("source")?.as_str())
}
