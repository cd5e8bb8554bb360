//! Whose entry of a name counts: the layers' `mcpServers` put over one another.

use std::collections::HashMap;

use muster_document::{Document, Key, Place, Shown};

use super::entry::Part;
use super::settings::{Layer, Settings, place};
use super::stop::Stop;
use super::value::{Content, Js};
use super::{lists, rules};

/// An entry as one layer has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Written<'l, 'd> {
    pub(super) layer: &'l Layer<'d>,
    /// Its name with where that stands; an element of a list has none but its number.
    pub(super) key: Option<&'d Key>,
    pub(super) value: &'l Js<'d>,
}

impl<'l, 'd> Written<'l, 'd> {
    pub(super) fn part(&self) -> Part<'l, 'd> {
        Part {
            value: self.value,
            document: self.layer.document,
        }
    }

    pub(super) fn place(&self) -> Option<Place> {
        Some(self.layer.document.place(self.key?.span))
    }
}

/// The entries of `layer`, in file order. Observed on 0.61.0: a list counts as an object with numbers for names.
pub(super) fn written<'l, 'd>(layer: &'l Layer<'d>) -> Vec<(String, Written<'l, 'd>)> {
    let Some(servers) = layer.root.get("mcpServers") else {
        return Vec::new();
    };
    match &servers.content {
        Content::Object(members) => members
            .iter()
            .map(|(key, value)| {
                (
                    key.text.clone(),
                    Written {
                        layer,
                        key: Some(*key),
                        value,
                    },
                )
            })
            .collect(),
        Content::List(items) => {
            let items = items.iter().enumerate();
            items
                .map(|(at, value)| {
                    (
                        at.to_string(),
                        Written {
                            layer,
                            key: None,
                            value,
                        },
                    )
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The entries that JavaScript loses when it checks a file in which nothing is wrong: they are not in the layer's values.
pub(super) fn lost<'d>(layer: &Layer<'d>) -> Option<(&'d Key, &'d Document)> {
    let servers = layer.document.root().get("mcpServers")?;
    let member = servers.member("__proto__").filter(|_| layer.valid)?;
    Some((&member.key, layer.document))
}

/// What becomes of the layers' entries.
#[derive(Debug, Default)]
pub(super) struct Merged<'l, 'd> {
    /// By name, the entry that counts.
    pub(super) winners: HashMap<String, Written<'l, 'd>>,
    /// What takes all entries of weaker layers away: the strongest such place, and the layer that it stands in.
    pub(super) wiped_by: Option<(Place, &'l Layer<'d>)>,
    /// Names that are lost where a whole map is taken over key by key.
    pub(super) dropped: Vec<(String, Place)>,
}

/// Names that a deep copy leaves out.
const LEFT_OUT: [&str; 3] = ["__proto__", "constructor", "prototype"];

impl<'l, 'd> Merged<'l, 'd> {
    /// Puts the layers of `settings` over one another. Observed on 0.61.0: entries are replaced whole, by name; `mcpServers` that counts as
    /// false takes all weaker ones away; any other value that is no object or list changes nothing.
    pub(super) fn of(settings: &Settings<'l, 'd>) -> Merged<'l, 'd> {
        let mut merged = Merged::default();
        let mut gone = false;
        for layer in &settings.layers {
            let Some(servers) = layer.root.get("mcpServers") else {
                continue;
            };
            if !servers.truthy() {
                merged.winners.clear();
                merged.wiped_by = Some((place(layer, servers), layer));
                gone = true;
                continue;
            }
            for (name, entry) in written(layer) {
                match entry
                    .key
                    .filter(|_| gone && LEFT_OUT.contains(&name.as_str()))
                {
                    Some(key) => merged.dropped.push((name, layer.document.place(key.span))),
                    None => drop(merged.winners.insert(name, entry)),
                }
            }
            gone = false;
        }
        merged
    }

    /// Whether `layer` is weaker than what takes all entries away.
    pub(super) fn wipes(&self, layer: &Layer<'_>) -> Option<&Place> {
        self.wiped_by
            .as_ref()
            .filter(|(_, by)| layer.owner < by.owner)
            .map(|(place, _)| place)
    }

    /// An entry that crashes Gemini CLI.
    pub(super) fn crash(&self, world: &muster_core::World<'_>) -> Option<Stop> {
        let nulls = self
            .winners
            .iter()
            .filter(|(_, entry)| entry.value.is_null());
        let null = nulls.min_by_key(|(_, entry)| (entry.layer.owner, entry.value.node.span.start));
        if let Some((name, entry)) = null {
            let message = format!(
                "TypeError: Cannot read properties of null (reading 'trust'): the entry {} is null",
                Shown(name)
            );
            let place = place(entry.layer, entry.value);
            return Some(Stop::at(world, &rules::NULL_ENTRY, message, place));
        }
        let entry = self.winners.get("")?;
        let trust = entry.value.get("trust").filter(|trust| trust.truthy())?;
        Some(Stop::at(
            world,
            &rules::CRASH,
            lists::empty_name("mcpName", "MCP Trusted"),
            place(entry.layer, trust),
        ))
    }
}
