//! A server's entry: what it says, as Muster shows it.

use std::time::Duration;

use muster_core::{Entry, Sourced, Transport};
use muster_document::{Document, Node, Place, Secret};

use super::schema::Type;
use super::schema_types::SERVER;
use super::value::{Content, Js, number};

/// An entry as one file has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'l, 'd> {
    /// The entry, its variables filled.
    pub(super) value: &'l Js<'d>,
    /// The file it stands in.
    pub(super) document: &'d Document,
}

impl Part<'_, '_> {
    pub(super) fn place(&self, value: &Js<'_>) -> Place {
        self.document.place(value.node.span)
    }
}

/// An entry as a session uses it: of one file, or a setting's over an extension's.
#[derive(Debug, Clone)]
pub(super) struct Config<'l, 'd> {
    /// The strongest first.
    pub(super) parts: Vec<Part<'l, 'd>>,
}

impl<'l, 'd> Config<'l, 'd> {
    /// What counts for `key`, with the part that gives it.
    pub(super) fn get(&self, key: &str) -> Option<(Part<'l, 'd>, &'l Js<'d>)> {
        self.parts
            .iter()
            .find_map(|part| Some((*part, part.value.get(key)?)))
    }

    /// The same if it counts as true.
    pub(super) fn filled(&self, key: &str) -> Option<(Part<'l, 'd>, &'l Js<'d>)> {
        self.get(key).filter(|(_, value)| value.truthy())
    }

    /// How the server is reached first; `None` where the entry says nothing of it. Observed on 0.61.0: `httpUrl` comes before `url`, and
    /// both before `command`.
    pub(super) fn transport(&self) -> Option<Transport> {
        let kind = self.get("type").and_then(|(_, value)| value.text());
        match (
            self.filled("httpUrl"),
            self.filled("url"),
            self.filled("command"),
        ) {
            (Some(_), _, _) => Some(Transport::Http),
            (None, Some(_), _) if kind == Some("sse") => Some(Transport::Sse),
            (None, Some(_), _) => Some(Transport::Http),
            (None, None, Some(_)) => Some(Transport::Stdio),
            (None, None, None) => None,
        }
    }

    /// The same for a row: where only the server can tell, its address has the word.
    fn shown_transport(&self) -> Option<Transport> {
        let url = self.url().and_then(|(_, url)| url.text());
        match self.transport() {
            Some(Transport::Http)
                if self.falls_back() && url.is_some_and(crate::sse::names_sse) =>
            {
                Some(Transport::Sse)
            }
            transport => transport,
        }
    }

    /// The address, if the server is reached by one.
    pub(super) fn url(&self) -> Option<(Part<'l, 'd>, &'l Js<'d>)> {
        self.filled("httpUrl").or_else(|| self.filled("url"))
    }

    /// Whether Gemini CLI tries SSE where Streamable HTTP is refused. Observed on 0.61.0: only for a `url` without a `type`.
    pub(super) fn falls_back(&self) -> bool {
        self.filled("httpUrl").is_none()
            && self.filled("url").is_some()
            && self.filled("type").is_none()
    }

    /// The variables that the entry sets, a stronger part's over a weaker's.
    pub(super) fn env(&self) -> Vec<(&'d str, Part<'l, 'd>, &'l Js<'d>)> {
        let mut found: Vec<(&'d str, Part<'l, 'd>, &'l Js<'d>)> = Vec::new();
        for part in self.parts.iter().rev() {
            for (key, value) in part.value.get("env").map(Js::members).unwrap_or_default() {
                match found.iter_mut().find(|(name, _, _)| *name == key.text) {
                    Some(known) => *known = (&key.text, *part, value),
                    None => found.push((&key.text, *part, value)),
                }
            }
        }
        found
    }

    /// The header fields.
    pub(super) fn headers(&self) -> Vec<(&'d str, Part<'l, 'd>, &'l Js<'d>)> {
        let Some((part, headers)) = self.get("headers") else {
            return Vec::new();
        };
        let members = headers.members().iter();
        members
            .map(|(key, value)| (key.text.as_str(), part, value))
            .collect()
    }

    /// Tools that alone are offered; of two parts' lists what both name.
    pub(super) fn tools_only(&self) -> Option<Vec<String>> {
        let mut lists = self
            .parts
            .iter()
            .filter_map(|part| part.value.get("includeTools"))
            .filter(|list| list.truthy());
        let mut only = names(lists.next()?);
        for list in lists {
            let others = names(list);
            only.retain(|name| others.contains(name));
        }
        // `name(…)` lets `name` through.
        Some(
            only.into_iter()
                .map(|name| name.split('(').next().unwrap_or_default().to_owned())
                .collect(),
        )
    }

    /// Tools that are hidden, of every part.
    pub(super) fn tools_without(&self) -> Vec<String> {
        let mut without: Vec<String> = Vec::new();
        for list in self
            .parts
            .iter()
            .rev()
            .filter_map(|part| part.value.get("excludeTools"))
        {
            for name in names(list) {
                if !without.contains(&name) {
                    without.push(name);
                }
            }
        }
        without
    }

    /// How long requests may take, where that is written: milliseconds.
    pub(super) fn timeout(&self) -> Option<(Part<'l, 'd>, &'l Js<'d>, f64)> {
        let (part, value) = self.get("timeout").filter(|(_, value)| !value.is_null())?;
        let milliseconds = match &value.content {
            Content::Number(value) => *value,
            Content::Text(text) => number(text).unwrap_or(f64::NAN),
            Content::Bool(true) => 1.0,
            Content::Bool(false) => 0.0,
            _ => f64::NAN,
        };
        Some((part, value, milliseconds))
    }

    /// What the entry says, as written.
    pub(super) fn entry(&self) -> Entry {
        let transport = self.shown_transport();
        let text = |found: Option<(Part<'l, 'd>, &'l Js<'d>)>| {
            found.and_then(|(part, value)| sourced(part, value.node))
        };
        let mut entry = Entry {
            transport,
            transport_word: self.get("type").and_then(|(part, value)| {
                let value = sourced(part, value.node)?;
                Some(Sourced {
                    value: value.value.expose().to_owned(),
                    place: value.place,
                })
            }),
            tools_only: self.tools_only(),
            tools_without: self.tools_without(),
            unread: self.unread(),
            ..Entry::default()
        };
        if let Some((part, value, milliseconds)) = self.timeout()
            && milliseconds.is_finite()
            && milliseconds >= 0.0
        {
            let timeout = Sourced {
                value: Duration::from_secs_f64((milliseconds / 1000.0).min(1e9)),
                place: Some(part.place(value)),
            };
            entry.startup_timeout = Some(timeout.clone());
            entry.call_timeout = Some(timeout);
        }
        if matches!(transport, Some(Transport::Stdio) | None) {
            entry.command = text(self.get("command"));
            let args = self
                .get("args")
                .and_then(|(part, value)| Some((part, value.list()?)));
            entry.args = args
                .map(|(part, items)| {
                    items
                        .iter()
                        .filter_map(|item| sourced(part, item.node))
                        .collect()
                })
                .unwrap_or_default();
            entry.cwd = text(self.get("cwd"));
            entry.env = pairs(self.env());
        }
        if transport != Some(Transport::Stdio) {
            entry.url = text(self.url());
            entry.headers = pairs(self.headers());
        }
        entry
    }

    /// Keys that Gemini CLI does not know.
    fn unread(&self) -> Vec<Sourced<String>> {
        let Type::Strict(known, _) = SERVER else {
            return Vec::new();
        };
        let keys = self.parts.iter().flat_map(|part| {
            let members = part.value.members().iter();
            members.map(|(key, _)| Sourced {
                value: key.text.clone(),
                place: Some(part.document.place(key.span)),
            })
        });
        keys.filter(|key| !known.iter().any(|(name, _)| *name == key.value))
            .collect()
    }
}

/// The texts of a list.
fn names(list: &Js<'_>) -> Vec<String> {
    let items = list.list().unwrap_or_default().iter();
    items
        .filter_map(|item| item.text().map(str::to_owned))
        .collect()
}

fn sourced(part: Part<'_, '_>, node: &Node) -> Option<Sourced<Secret>> {
    Some(Sourced {
        value: Secret::new(node.as_str()?),
        place: Some(part.document.place(node.span)),
    })
}

fn pairs(members: Vec<(&str, Part<'_, '_>, &Js<'_>)>) -> Vec<(String, Sourced<Secret>)> {
    let pair = |(name, part, value): (&str, Part<'_, '_>, &Js<'_>)| {
        Some((name.to_owned(), sourced(part, value.node)?))
    };
    members.into_iter().filter_map(pair).collect()
}
