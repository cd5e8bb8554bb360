//! One server's entry: what it says, and whether Claude Code takes it.

mod fields;
mod kind;
mod names;
#[cfg(test)]
mod tests;

use muster_core::{Entry, Rule, Sourced};
use muster_document::{Document, Node, Place, Secret, Shown};

use super::rules;
use fields::Problems;
use kind::Kind;

pub(super) use names::{is_reserved, plain_name};

/// An entry as it was understood.
#[derive(Debug)]
pub(super) struct Checked {
    /// What it says, as far as it can be shown.
    pub(super) entry: Entry,
    /// Why Claude Code skips it, in its own words; `None` where it takes it.
    pub(super) refusal: Option<Refusal>,
    /// What it warns of, in its own words.
    pub(super) warnings: Vec<(String, Option<Place>)>,
    /// It asks for a program that gives header fields.
    pub(super) has_headers_helper: bool,
}

impl Checked {
    /// Takes every place away: of an entry that stands in no file.
    pub(super) fn forget_places(&mut self) {
        let entry = &mut self.entry;
        let values = entry
            .command
            .iter_mut()
            .chain(&mut entry.args)
            .chain(&mut entry.url)
            .chain(&mut entry.cwd);
        let named = entry
            .env
            .iter_mut()
            .chain(&mut entry.headers)
            .map(|(_, value)| value);
        values
            .chain(&mut entry.headers_helper)
            .chain(named)
            .for_each(|value| value.place = None);
        let words = entry.transport_word.iter_mut().chain(&mut entry.unread);
        words.for_each(|word| word.place = None);
        if let Some(timeout) = &mut entry.call_timeout {
            timeout.place = None;
        }
        if let Some(refusal) = &mut self.refusal {
            refusal.place = None;
        }
        self.warnings
            .iter_mut()
            .for_each(|(_, place)| *place = None);
    }
}

/// Why an entry is skipped.
#[derive(Debug)]
pub(super) struct Refusal {
    /// The real program's words.
    pub(super) message: String,
    /// The few words for a line of `muster list`.
    pub(super) short: String,
    /// The value that is wrong; `None` for what the command line gave.
    pub(super) place: Option<Place>,
    /// The rule that it breaks.
    pub(super) rule: &'static Rule,
    /// What would mend it, where that is clear.
    pub(super) remedy: Option<String>,
}

/// Why nothing of a file loads.
#[derive(Debug)]
pub(super) struct FileFault {
    /// The real program's words, where it has any.
    pub(super) words: String,
    /// Where the fault is.
    pub(super) place: Place,
    /// What would mend it.
    pub(super) remedy: String,
    /// The rule that the file breaks.
    pub(super) rule: &'static Rule,
}

impl FileFault {
    /// The refusal of a server for its whole file.
    pub(super) fn refusal(&self) -> Refusal {
        Refusal {
            message: self.words.clone(),
            short: "its file is broken".to_owned(),
            place: Some(self.place.clone()),
            rule: self.rule,
            remedy: Some(self.remedy.clone()),
        }
    }
}

/// Reads the entry `node`, called `name`, as every file scope does. Observed on 2.1.332: one bad entry never affects others.
pub(super) fn check(document: &Document, name: &str, node: &Node) -> Checked {
    let name = Shown(name);
    let kind = match kind::kind_of(node) {
        Ok(kind) => kind,
        Err(refused) => {
            let entry = read_entry(document, node, None);
            let refusal = Some(refused.tell(document, &name, node));
            return Checked {
                entry,
                refusal,
                warnings: Vec::new(),
                has_headers_helper: false,
            };
        }
    };
    let mut problems = Problems::default();
    match kind {
        Kind::Stdio => fields::check_stdio(node, &mut problems),
        remote => fields::check_remote(node, remote, &mut problems),
    }
    fields::check_common(node, &mut problems);
    let entry = read_entry(document, node, Some(kind));
    let refusal = problems.first.map(|first| Refusal {
        message: format!(
            "Skipped — invalid MCP server config for \"{name}\": {}",
            problems.messages.join("; ")
        ),
        short: first.short,
        place: Some(document.place(first.span.unwrap_or(node.span))),
        rule: &rules::VALIDITY,
        remedy: None,
    });
    let blanks = if refusal.is_none() {
        fields::stray_blanks(node)
    } else {
        None
    };
    let warnings = blanks
        .into_iter()
        .map(|(text, span)| (text, Some(document.place(span))))
        .collect();
    Checked {
        entry,
        refusal,
        warnings,
        has_headers_helper: kind != Kind::Stdio && node.get("headersHelper").is_some(),
    }
}

/// What the entry says. Without a kind, what can be made out of it.
fn read_entry(document: &Document, node: &Node, kind: Option<Kind>) -> Entry {
    let sourced = |node: &Node| {
        let value = Secret::new(node.as_str()?);
        Some(Sourced {
            value,
            place: Some(document.place(node.span)),
        })
    };
    let record = |key: &str| -> Vec<(String, Sourced<Secret>)> {
        let members = node
            .get(key)
            .map(Node::effective_members)
            .unwrap_or_default();
        members
            .into_iter()
            .filter_map(|member| Some((member.key.text.clone(), sourced(&member.value)?)))
            .collect()
    };
    let mut entry = Entry {
        transport: kind.map(Kind::transport),
        transport_word: node.get("type").and_then(|word| {
            Some(Sourced {
                value: word.as_str()?.to_owned(),
                place: Some(document.place(word.span)),
            })
        }),
        call_timeout: node.get("timeout").and_then(|timeout| {
            Some(Sourced {
                value: fields::call_timeout(timeout)?,
                place: Some(document.place(timeout.span)),
            })
        }),
        unread: unread(document, node),
        ..Entry::default()
    };
    if kind.is_none_or(|kind| kind == Kind::Stdio) {
        entry.command = node.get("command").and_then(sourced);
        let args = node
            .get("args")
            .and_then(Node::as_array)
            .unwrap_or_default();
        entry.args = args.iter().filter_map(sourced).collect();
        entry.env = record("env");
    }
    if kind.is_none_or(|kind| kind != Kind::Stdio) {
        entry.url = node.get("url").and_then(sourced);
        entry.headers = record("headers");
        entry.headers_helper = node.get("headersHelper").and_then(sourced);
    }
    entry
}

/// Every key that some kind of entry has. Observed on 2.1.332; all others are passed over without a word.
const KEYS: [&str; 11] = [
    "command",
    "args",
    "env",
    "type",
    "url",
    "headers",
    "headersHelper",
    "oauth",
    "timeout",
    "alwaysLoad",
    "bareElicitationCapability",
];

/// The keys of an entry that Claude Code reads in no kind of entry.
fn unread(document: &Document, node: &Node) -> Vec<Sourced<String>> {
    node.members()
        .iter()
        .map(|member| &member.key)
        .filter(|key| !KEYS.contains(&key.text.as_str()))
        .map(|key| Sourced {
            value: key.text.clone(),
            place: Some(document.place(key.span)),
        })
        .collect()
}
