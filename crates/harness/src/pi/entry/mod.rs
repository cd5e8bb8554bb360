//! One server's entry: what it says, and whether Pi takes it.

mod check;
mod oauth;
#[cfg(test)]
mod tests;

use std::time::Duration;

use muster_core::{Entry, Objection, Reason, Rule, Sourced, Status, Transport};
use muster_document::{Document, Member, Node, Place, Secret, Shown, Span, Value};

use super::address::Address;
use super::rules;

pub(super) use check::{check, check_override, is_override};

/// Keys that an entry of either kind may have.
const COMMON: [&str; 6] = [
    "type",
    "enabled",
    "timeout",
    "description",
    "exposure",
    "toolExposure",
];
const STDIO: [&str; 4] = ["command", "args", "env", "cwd"];
const HTTP: [&str; 4] = ["url", "headers", "oauth", "auth"];

/// Why Pi skips an entry.
#[derive(Debug, Clone)]
pub(super) struct Refusal {
    /// Pi's own words, without the file's name before them.
    pub(super) text: String,
    /// The few words for a line of `muster list`.
    pub(super) short: String,
    /// What is wrong.
    pub(super) span: Span,
    pub(super) status: Status,
    pub(super) rule: &'static Rule,
    /// What would mend it, where that is clear.
    pub(super) remedy: Option<String>,
}

impl Refusal {
    /// One about the entry `name`.
    fn of(name: &str, complaint: &str, short: &str, span: Span) -> Refusal {
        Refusal {
            text: format!("server \"{}\": {complaint}", Shown(name)),
            short: short.to_owned(),
            span,
            status: Status::Invalid,
            rule: &rules::ENTRY,
            remedy: None,
        }
    }

    /// Why the server is out.
    pub(super) fn objection(self, document: &Document) -> Objection {
        let place = Some(document.place(self.span));
        let reason = Reason::new(self.rule, "entry", self.text, place);
        let objection = Objection::new(self.status, self.short, reason);
        match self.remedy {
            Some(remedy) => objection.with_remedy(remedy),
            None => objection,
        }
    }
}

/// Where a server is, once its entry is taken.
#[derive(Debug, Clone)]
pub(super) enum Goal {
    /// A command is started.
    Command,
    /// An address is called.
    Address,
    /// What stands under `url` is no address, or none of http: it fails.
    NoAddress {
        place: Place,
        /// Pi's own words.
        words: &'static str,
        /// Already looking it up fails, which ends `pi mcp list`.
        ends_the_list: bool,
    },
}

/// Where the server that `node` defines is.
pub(super) fn goal(document: &Document, node: &Node) -> Goal {
    let Some(url) = node.get("url") else {
        return Goal::Command;
    };
    let address = Address::parse(&javascript_text(url));
    if address.as_ref().is_some_and(Address::is_web) {
        return Goal::Address;
    }
    let signs_in = !node.get("auth").is_some_and(is_truthy) && !has_authorization(node);
    Goal::NoAddress {
        place: document.place(url.span),
        words: match address {
            Some(_) => "fetch failed: it is no http address",
            None => "Invalid URL",
        },
        ends_the_list: address.is_none() && is_truthy(url) && signs_in,
    }
}

fn has_authorization(node: &Node) -> bool {
    let headers = node.get("headers").map(Node::members).unwrap_or_default();
    headers
        .iter()
        .any(|header| header.key.text.eq_ignore_ascii_case("authorization"))
}

/// Whether JavaScript takes `node` for true.
pub(super) fn is_truthy(node: &Node) -> bool {
    match &node.value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != 0.0,
        Value::String(text) => !text.is_empty(),
        _ => true,
    }
}

/// `String(value)` of JavaScript.
fn javascript_text(node: &Node) -> String {
    match &node.value {
        Value::String(text) | Value::Datetime(text) => text.clone(),
        Value::Number(number) => number.text.clone(),
        Value::Bool(value) => value.to_string(),
        Value::Null => "null".to_owned(),
        Value::Table(_) => "[object Object]".to_owned(),
        Value::Array(items) => {
            let text = |item: &Node| match item.is_null() {
                true => String::new(),
                false => javascript_text(item),
            };
            items.iter().map(text).collect::<Vec<_>>().join(",")
        }
    }
}

/// What an entry says, as far as it can be shown.
pub(super) fn read(document: &Document, node: &Node) -> Entry {
    let transport = transport(node);
    let remote = transport.is_some_and(|transport| transport != Transport::Stdio);
    let text = |key: &str| node.get(key).and_then(|node| sourced(document, node));
    let pairs = |key: &str| -> Vec<(String, Sourced<Secret>)> {
        let members = node
            .get(key)
            .map(Node::effective_members)
            .unwrap_or_default();
        members
            .into_iter()
            .filter_map(|member| Some((member.key.text.clone(), sourced(document, &member.value)?)))
            .collect()
    };
    let timeout = node.get("timeout").and_then(|node| {
        let Value::Number(number) = &node.value else {
            return None;
        };
        let seconds =
            Some(number.as_f64()).filter(|seconds| seconds.is_finite() && *seconds > 0.0)?;
        Some(Sourced {
            value: Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX),
            place: Some(document.place(node.span)),
        })
    });
    let mut entry = Entry {
        transport,
        transport_word: node.get("type").and_then(|node| {
            Some(Sourced {
                value: node.as_str()?.to_owned(),
                place: Some(document.place(node.span)),
            })
        }),
        startup_timeout: timeout.clone(),
        call_timeout: timeout,
        unread: unread(document, node, transport),
        ..Entry::default()
    };
    if remote {
        entry.url = text("url");
        entry.headers = pairs("headers");
    } else {
        let args = node
            .get("args")
            .and_then(Node::as_array)
            .unwrap_or_default();
        entry.command = text("command");
        entry.args = args
            .iter()
            .filter_map(|arg| sourced(document, arg))
            .collect();
        entry.cwd = text("cwd");
        entry.env = pairs("env");
    }
    expose(&mut entry, node.get("exposure"), node.get("toolExposure"));
    entry
}

/// How the server would be reached: a `url` decides, whatever `type` says.
fn transport(node: &Node) -> Option<Transport> {
    match node.get("type").and_then(Node::as_str) {
        Some("sse") => Some(Transport::Sse),
        Some("ws" | "websocket") => Some(Transport::Ws),
        _ if node.get("url").is_some() => Some(Transport::Http),
        _ => node.get("command").map(|_| Transport::Stdio),
    }
}

fn sourced(document: &Document, node: &Node) -> Option<Sourced<Secret>> {
    Some(Sourced {
        value: Secret::new(node.as_str()?),
        place: Some(document.place(node.span)),
    })
}

/// The keys that Pi passes over without a word. Observed on 1.6.0.
fn unread(document: &Document, node: &Node, transport: Option<Transport>) -> Vec<Sourced<String>> {
    let own: &[&[&str]] = match transport {
        Some(Transport::Stdio) => &[&COMMON, &STDIO],
        Some(_) => &[&COMMON, &HTTP],
        None => &[&COMMON, &STDIO, &HTTP],
    };
    let passed_over = |member: &&Member| {
        !own.iter()
            .any(|keys| keys.contains(&member.key.text.as_str()))
    };
    let members = node.effective_members().into_iter();
    members
        .filter(passed_over)
        .map(|member| Sourced {
            value: member.key.text.clone(),
            place: Some(document.place(member.key.span)),
        })
        .collect()
}

/// Which tools a model can reach: what is hidden is started all the same.
pub(super) fn expose(entry: &mut Entry, exposure: Option<&Node>, of_tools: Option<&Node>) {
    let is_hidden = |node: &Node| node.as_str() == Some("hidden");
    let tools = of_tools.map(Node::effective_members).unwrap_or_default();
    let names = |hidden: bool| {
        let tools = tools
            .iter()
            .filter(move |tool| is_hidden(&tool.value) == hidden);
        tools.map(|tool| tool.key.text.clone()).collect::<Vec<_>>()
    };
    match exposure.is_some_and(is_hidden) {
        true => entry.tools_only = Some(names(false)),
        false => entry.tools_only = None,
    }
    entry.tools_without = names(true);
}
