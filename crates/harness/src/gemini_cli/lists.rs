//! `mcp.allowed` and `mcp.excluded`, the flag in their place, and the lists of tools.

use muster_core::{Dossier, Objection, Reason, Status};
use muster_document::{Place, Shown};

use super::rules;
use super::session::Flags;
use super::settings::{self, Layer, Owner, Settings};
use super::stop::Stop;
use super::value::{Content, Js};

/// The order in which layers' lists are taken: the first list's spelling is kept.
const ORDER: [Owner; 4] = [Owner::System, Owner::Defaults, Owner::User, Owner::Project];

/// What the lists say of servers.
#[derive(Debug)]
pub(super) struct Lists {
    /// `--allowed-mcp-server-names`: it replaces the allowed names and switches the excluded ones off.
    flag: Option<Vec<String>>,
    /// Names that every list allows, in the spelling of the first; `None` where there is no list.
    allowed: Option<Vec<String>>,
    /// Each list with its place.
    allowed_lists: Vec<(Vec<String>, Place)>,
    excluded: Vec<(String, Place)>,
    /// Asked is what `gemini mcp list` shows, which compares without case.
    lists: bool,
}

impl Lists {
    /// The lists of `settings`. Observed on 0.61.0: the allowed ones are intersected without case, the excluded ones joined.
    pub(super) fn of(settings: &Settings<'_, '_>, flags: &Flags) -> Lists {
        let names = |value: &Js<'_>| -> Vec<String> {
            value
                .list()
                .unwrap_or_default()
                .iter()
                .filter_map(|item| item.text().map(str::to_owned))
                .collect()
        };
        let allowed_lists: Vec<_> = settings
            .each(ORDER, &["mcp", "allowed"])
            .into_iter()
            .filter(|(_, value)| value.list().is_some())
            .map(|(layer, value)| (names(value), settings::place(layer, value)))
            .collect();
        let mut lists = allowed_lists.iter().map(|(names, _)| names);
        let allowed = lists.next().map(|first| {
            let mut kept = first.clone();
            for other in lists {
                kept.retain(|name| other.iter().any(|other| same(other, name)));
            }
            kept
        });
        let excluded = settings
            .each(ORDER, &["mcp", "excluded"])
            .into_iter()
            .flat_map(|(layer, value)| {
                let items = value.list().unwrap_or_default().iter();
                items.filter_map(move |item| {
                    Some((item.text()?.to_owned(), settings::place(layer, item)))
                })
            });
        Lists {
            flag: flags.allowed.clone().filter(|_| !flags.lists),
            allowed,
            excluded: excluded.collect(),
            allowed_lists,
            lists: flags.lists,
        }
    }

    /// What keeps the server `name` out. A session takes an empty list for no limit and compares names with their case; the list
    /// command does neither. Observed on 0.61.0.
    pub(super) fn objection(&self, name: &str) -> Option<Objection> {
        if let Some(flag) = &self.flag {
            if flag.is_empty() || flag.iter().any(|allowed| allowed == name) {
                return None;
            }
            let text = format!("--allowed-mcp-server-names does not name {}", Shown(name));
            let reason = Reason::new(&rules::FLAG_ALLOWED, "flags", text, None);
            let objection = Objection::new(Status::Off, "left out by a flag", reason);
            return Some(
                objection.with_remedy(format!("add {} to --allowed-mcp-server-names", Shown(name))),
            );
        }
        self.not_allowed(name).or_else(|| self.excluded(name))
    }

    fn not_allowed(&self, name: &str) -> Option<Objection> {
        let allowed = self.allowed.as_ref()?;
        let empty = allowed.is_empty() && !self.lists;
        let named = allowed.iter().any(|allowed| match self.lists {
            true => same(allowed, name),
            false => allowed == name,
        });
        if empty || named {
            return None;
        }
        let missing = self
            .allowed_lists
            .iter()
            .find(|(names, _)| !names.iter().any(|known| same(known, name)));
        let (text, place, remedy) = match missing {
            Some((_, place)) => (
                format!("mcp.allowed does not name {}", Shown(name)),
                Some(place.clone()),
                format!("add {} to this mcp.allowed", Shown(name)),
            ),
            None => {
                let spelling = allowed
                    .iter()
                    .find(|known| same(known, name))
                    .map(|known| Shown(known));
                let spelling =
                    spelling.map_or_else(|| "it otherwise".to_owned(), |known| known.to_string());
                (
                    format!(
                        "mcp.allowed spells {spelling}: a session compares names with their case"
                    ),
                    self.allowed_lists.first().map(|(_, place)| place.clone()),
                    format!(
                        "write {} in mcp.allowed as the server is called",
                        Shown(name)
                    ),
                )
            }
        };
        let reason = Reason::new(&rules::ALLOWED, "lists", text, place);
        Some(Objection::new(Status::Off, "not in mcp.allowed", reason).with_remedy(remedy))
    }

    fn excluded(&self, name: &str) -> Option<Objection> {
        let (_, place) = self
            .excluded
            .iter()
            .find(|(excluded, _)| match self.lists {
                true => same(excluded, name),
                false => excluded == name,
            })?;
        let text = format!("mcp.excluded names {}", Shown(name));
        let reason = Reason::new(&rules::EXCLUDED, "lists", text, Some(place.clone()));
        Some(
            Objection::new(Status::Off, "in mcp.excluded", reason)
                .with_remedy("take it out of mcp.excluded"),
        )
    }

    /// A thing about the lists that surprises.
    pub(super) fn surprise(&self, name: &str) -> Option<Reason> {
        if self.flag.is_some() || self.lists {
            return None;
        }
        if self.allowed.as_ref().is_some_and(Vec::is_empty) {
            let place = self.allowed_lists.first().map(|(_, place)| place.clone());
            let text = match self.allowed_lists.len() {
                1 => "mcp.allowed is empty: a session takes that for no limit",
                _ => {
                    "the lists in mcp.allowed have nothing in common: a session takes that for no limit"
                }
            };
            return Some(Reason::new(&rules::ALLOWED_EMPTY, "lists", text, place));
        }
        let (excluded, place) = self
            .excluded
            .iter()
            .find(|(excluded, _)| excluded != name && same(excluded, name))?;
        let text = format!(
            "mcp.excluded spells {}: a session compares names with their case, so it starts",
            Shown(excluded)
        );
        Some(Reason::new(
            &rules::EXCLUDED,
            "lists",
            text,
            Some(place.clone()),
        ))
    }

    /// Whether the flag or the settings name the server, so that its tools are offered without asking.
    pub(super) fn names(&self, settings: &Settings<'_, '_>, name: &str) -> bool {
        if let Some(flag) = &self.flag {
            return flag.iter().any(|allowed| allowed == name || allowed == "*");
        }
        let allowed = settings.texts(&["mcp", "allowed"]);
        allowed
            .iter()
            .any(|allowed| allowed == name || allowed == "*")
    }
}

fn same(one: &str, two: &str) -> bool {
    one.to_lowercase().trim() == two.to_lowercase().trim()
}

/// A list that crashes Gemini CLI. Observed on 0.61.0.
pub(super) fn crash(
    dossier: &Dossier<'_>,
    settings: &Settings<'_, '_>,
    flags: &Flags,
) -> Option<Stop> {
    let stop = |message: String, layer: &Layer<'_>, value: &Js<'_>| {
        Some(Stop::at(
            dossier.world,
            &rules::CRASH,
            message,
            settings::place(layer, value),
        ))
    };
    let policy = |key: &str, source: &str| {
        let (layer, value) = settings
            .get(&["mcp", key])
            .filter(|(_, value)| value.truthy())?;
        if !matches!(value.content, Content::List(_) | Content::Text(_)) {
            return stop(
                format!("TypeError: settings.mcp.{key} is not iterable"),
                layer,
                value,
            );
        }
        let empty = value.list()?.iter().find(|item| item.text() == Some(""))?;
        stop(empty_name("mcpName", source), layer, empty)
    };
    let lists = settings.each(ORDER, &["mcp", "allowed"]);
    let lists: Vec<_> = lists
        .into_iter()
        .filter(|(_, value)| value.list().is_some())
        .collect();
    let odd = || {
        let items = lists.iter().flat_map(|(layer, value)| {
            value
                .list()
                .unwrap_or_default()
                .iter()
                .map(move |item| (*layer, item))
        });
        let (layer, item) = items.into_iter().find(|(_, item)| item.text().is_none())?;
        stop(
            "TypeError: item.toLowerCase is not a function".to_owned(),
            layer,
            item,
        )
    };
    let tools = || {
        let each = settings.each(ORDER, &["tools", "exclude"]);
        each.into_iter().find_map(|(layer, value)| {
            let empty = value.list()?.iter().find(|item| item.text() == Some(""))?;
            let words = "Invalid policy rule: toolName is required. Use '*' for all tools. Rule source: Settings (Tools Excluded)";
            stop(words.to_owned(), layer, empty)
        })
    };
    policy("excluded", "MCP Excluded")
        .or_else(|| {
            if flags.allowed.is_none() {
                policy("allowed", "MCP Allowed")
            } else {
                None
            }
        })
        .or_else(tools)
        .or_else(|| {
            if flags.allowed.is_none() && lists.len() > 1 {
                odd()
            } else {
                None
            }
        })
}

/// The complaint about a rule for a server without a name.
pub(super) fn empty_name(what: &str, source: &str) -> String {
    format!(
        "Invalid policy rule: {what} is required if specified (cannot be empty). Rule source: Settings ({source})"
    )
}
