//! The kinds of entry, and why an entry has none.

use muster_core::Transport;
use muster_document::{Document, Masked, Node, Secret, Shown, Span};

use super::super::dialect::type_word;
use super::super::rules;
use super::Refusal;
use super::fields::{Problems, check_common, check_stdio};

/// The kinds of entry that files may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Stdio,
    Http,
    Sse,
    Ws,
}

impl Kind {
    pub(super) fn transport(self) -> Transport {
        match self {
            Kind::Stdio => Transport::Stdio,
            Kind::Http => Transport::Http,
            Kind::Sse => Transport::Sse,
            Kind::Ws => Transport::Ws,
        }
    }
}

/// Why an entry has no kind.
pub(super) enum Unkind<'n> {
    NotAnObject,
    UrlWithoutType,
    TypeNotAString(&'n Node),
    Sdk(&'n Node),
    Proxy(&'n Node),
    Unknown(&'n Node, &'n str),
}

pub(super) fn kind_of(node: &Node) -> Result<Kind, Unkind<'_>> {
    if !node.is_table() {
        return Err(Unkind::NotAnObject);
    }
    let Some(word) = node.get("type") else {
        return match (node.get("url"), node.get("command")) {
            (Some(_), None) => Err(Unkind::UrlWithoutType),
            _ => Ok(Kind::Stdio),
        };
    };
    match word.as_str() {
        Some("stdio") => Ok(Kind::Stdio),
        Some("http" | "streamable-http") => Ok(Kind::Http),
        Some("sse") => Ok(Kind::Sse),
        Some("ws") => Ok(Kind::Ws),
        Some("sdk") => Err(Unkind::Sdk(word)),
        Some("claudeai-proxy") => Err(Unkind::Proxy(word)),
        Some(other) => Err(Unkind::Unknown(word, other)),
        // Anything but a string is judged as a stdio entry, whose `type` may only be "stdio".
        None => Err(Unkind::TypeNotAString(word)),
    }
}

impl Unkind<'_> {
    pub(super) fn tell(self, document: &Document, name: &Shown<'_>, node: &Node) -> Refusal {
        let refuse = |message: String, short: &str, span: Span, remedy: Option<&str>| Refusal {
            message: format!("Skipped — {message}"),
            short: short.to_owned(),
            place: Some(document.place(span)),
            rule: &rules::VALIDITY,
            remedy: remedy.map(str::to_owned),
        };
        match self {
            Unkind::NotAnObject => {
                let found = type_word(Some(node));
                let message = format!(
                    "invalid MCP server config for \"{name}\": (root): expected object, received {found}"
                );
                refuse(message, "not an object", node.span, None)
            }
            Unkind::UrlWithoutType => {
                let message = format!(
                    "MCP server \"{name}\" has a \"url\" but no \"type\"; add \"type\": \"http\" (or \"sse\" / \"ws\") to this entry"
                );
                let span = node
                    .member("url")
                    .map_or(node.span, |member| member.key.span);
                let remedy = "add \"type\": \"http\" to the entry (\"sse\" for a server of the older protocol)";
                refuse(message, "url without type", span, Some(remedy))
            }
            Unkind::TypeNotAString(word) => {
                let mut problems = Problems::default();
                problems.add(
                    "type",
                    "expected \"stdio\"".to_owned(),
                    Some(word.span),
                    "type is not a string",
                );
                check_stdio(node, &mut problems);
                check_common(node, &mut problems);
                let message = format!(
                    "invalid MCP server config for \"{name}\": {}",
                    problems.messages.join("; ")
                );
                refuse(message, "type is not a string", word.span, None)
            }
            Unkind::Sdk(word) => {
                let message = format!(
                    "MCP server \"{name}\" declares type \"sdk\", which only an SDK host application can register"
                );
                refuse(message, "type sdk is for SDK hosts", word.span, None)
            }
            Unkind::Proxy(word) => {
                let message = format!(
                    "MCP server \"{name}\" declares type \"claudeai-proxy\", which only claude.ai connectors use"
                );
                refuse(message, "type claudeai-proxy", word.span, None)
            }
            Unkind::Unknown(word, text) => {
                let letters = |c: char| c.is_ascii_alphabetic() || matches!(c, '-' | '_');
                let text = Secret::new(text);
                // With anything else in it, it may be a value that went astray.
                let told = if text.expose().chars().all(letters) {
                    Masked::word(&text)
                } else {
                    Masked::value(&text)
                };
                let message = format!("unknown MCP server type \"{told}\" for server \"{name}\"");
                let remedy =
                    "\"type\" is one of \"stdio\", \"http\", \"sse\", \"ws\", spelled exactly so";
                refuse(message, "unknown type", word.span, Some(remedy))
            }
        }
    }
}
