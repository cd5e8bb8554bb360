//! `settings.json`: what it says of trust and of extensions.

use std::rc::Rc;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, Files, Loaded, Scope, Source};
use muster_document::{Dialect, JsonDialect, Node, Place, Shown};

use super::rules;

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

    /// The words of the list `key`.
    pub(super) fn words(&self, key: &str) -> Vec<(&str, &Node)> {
        let items = self.get(key).and_then(Node::as_array).unwrap_or_default();
        items
            .iter()
            .filter_map(|item| Some((item.as_str()?, item)))
            .collect()
    }
}
