//! What an entry may hold, in the order in which Pi looks, with its complaints. Observed on 1.6.0.

use muster_core::Status;
use muster_document::{Node, Shown, Span, Value};

use super::super::address::Address;
use super::super::rules;
use super::{Refusal, oauth};

/// What a complaint is: Pi's words, ours in short, and what is wrong.
pub(super) type Complaint = (String, &'static str, Span);

/// The words of `exposure`. The last is an older name of the first.
const EXPOSURES: [&str; 5] = [
    "codemode",
    "deferred",
    "direct",
    "hidden",
    "codemode-deferred",
];

/// Why Pi skips the entry `node` called `name`, which stands at `key`; `None` where it takes it.
pub(in super::super) fn check(name: &str, key: Span, node: &Node) -> Option<Refusal> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if name.is_empty() || !name.bytes().all(plain) {
        return Some(Refusal {
            text: format!(
                "invalid server name \"{}\" (use letters, digits, \"_\" and \"-\")",
                Shown(name)
            ),
            remedy: Some("give it a name of letters, digits, _ and -".to_owned()),
            ..Refusal::of(name, "", "name not allowed", key)
        });
    }
    if !node.is_table() {
        return Some(Refusal {
            text: format!("server \"{}\" must be an object", Shown(name)),
            ..Refusal::of(name, "", "not an object", node.span)
        });
    }
    let complain = |(text, short, span): Complaint| Refusal::of(name, &text, short, span);
    base(node)
        .map(complain)
        .or_else(|| kind(name, node))
        .or_else(|| exposures(node).map(complain))
        .or_else(|| auth(node).map(complain))
}

/// Whether `node` only changes an entry that stands elsewhere.
pub(in super::super) fn is_override(node: &Node) -> bool {
    node.is_table()
        && ["command", "url", "type"]
            .iter()
            .all(|key| node.get(key).is_none())
}

/// Why Pi drops `node`, which changes the user's entry `name`.
pub(in super::super) fn check_override(name: &str, node: &Node) -> Option<Refusal> {
    const KEYS: [&str; 3] = ["enabled", "exposure", "toolExposure"];
    let extra = node
        .members()
        .iter()
        .find(|member| !KEYS.contains(&member.key.text.as_str()));
    if let Some(extra) = extra {
        let complaint = format!("an override can only set {}", KEYS.join(", "));
        let key = Shown(&extra.key.text);
        return Some(Refusal {
            rule: &rules::OVERRIDE,
            remedy: Some(format!(
                "take {key} out of it, or give it a command or url of its own"
            )),
            ..Refusal::of(name, &complaint, "no valid override", extra.key.span)
        });
    }
    let complaint = base(node).or_else(|| exposures(node));
    complaint.map(|(text, short, span)| Refusal {
        rule: &rules::OVERRIDE,
        ..Refusal::of(name, &text, short, span)
    })
}

fn base(node: &Node) -> Option<Complaint> {
    let wrong = |key: &str, text: &str, short, fits: fn(&Node) -> bool| {
        let value = node.get(key).filter(|value| !fits(value))?;
        Some((text.to_owned(), short, value.span))
    };
    wrong(
        "enabled",
        "enabled must be a boolean",
        "enabled is no boolean",
        |value| value.as_bool().is_some(),
    )
    .or_else(|| {
        wrong(
            "description",
            "description must be a string",
            "description is no string",
            |value| value.as_str().is_some(),
        )
    })
    .or_else(|| {
        wrong(
            "timeout",
            "timeout must be a positive number of seconds",
            "timeout is not above 0",
            |value| matches!(&value.value, Value::Number(number) if number.as_f64() > 0.0),
        )
    })
}

/// What kind of entry it is, and the fields of that kind alone.
fn kind(name: &str, node: &Node) -> Option<Refusal> {
    let complain = |(text, short, span): Complaint| Refusal::of(name, &text, short, span);
    let word = node.get("type");
    let named = word.and_then(Node::as_str);
    if named == Some("sse") {
        let complaint = "legacy SSE transport is not supported; use the streamable HTTP URL";
        return Some(Refusal {
            status: Status::Unsupported,
            rule: &rules::TYPE,
            remedy: Some(
                "use the server's streamable HTTP address, with \"type\": \"http\"".to_owned(),
            ),
            ..Refusal::of(
                name,
                complaint,
                "SSE is not supported",
                word.map_or(node.span, |word| word.span),
            )
        });
    }
    let url = node.get("url").and_then(|url| Some((url, url.as_str()?)));
    if let Some((url, text)) = url
        && (word.is_none() || matches!(named, Some("http" | "streamable-http")))
    {
        return http(node, url.span, text).map(complain);
    }
    let command = node.get("command").and_then(Node::as_str);
    if command.is_some() && (word.is_none() || named == Some("stdio")) {
        return stdio(node).map(complain);
    }
    Some(neither(name, node))
}

/// An entry of neither kind. All such entries get the same words from Pi.
fn neither(name: &str, node: &Node) -> Refusal {
    let word = node.get("type");
    let named = word.and_then(Node::as_str);
    let (has_command, has_url) = (node.get("command").is_some(), node.get("url").is_some());
    let (short, remedy) = match named {
        Some("ws" | "websocket") => ("WebSocket is not supported", None),
        Some("stdio") if has_url => (
            "type stdio without command",
            Some("set \"type\" to \"http\", or leave it out"),
        ),
        Some("http" | "streamable-http") if has_command => (
            "type http without url",
            Some("set \"type\" to \"stdio\", or leave it out"),
        ),
        Some("stdio" | "http" | "streamable-http") | None if word.is_none() || named.is_some() => {
            match (has_command, has_url) {
                (true, _) => ("command is no string", None),
                (_, true) => ("url is no string", None),
                _ => ("no command and no url", None),
            }
        }
        _ => (
            "unknown type",
            Some("leave \"type\" out, or spell it exactly stdio, http or streamable-http"),
        ),
    };
    let at = match short {
        "command is no string" => node.get("command"),
        "url is no string" => node.get("url"),
        "no command and no url" => None,
        _ => word,
    };
    let unsupported = short == "WebSocket is not supported";
    Refusal {
        text: format!(
            "server \"{}\" needs either \"command\" (stdio) or \"url\" (streamable HTTP)",
            Shown(name)
        ),
        status: if unsupported {
            Status::Unsupported
        } else {
            Status::Invalid
        },
        rule: if word.is_some() {
            &rules::TYPE
        } else {
            &rules::ENTRY
        },
        remedy: remedy.map(str::to_owned),
        ..Refusal::of(name, "", short, at.map_or(node.span, |at| at.span))
    }
}

fn http(node: &Node, span: Span, url: &str) -> Option<Complaint> {
    if !Address::parse(url).is_some_and(|address| address.is_web()) {
        let text = "url must be an http or https URL".to_owned();
        return Some((text, "url is no http address", span));
    }
    strings(
        node,
        "headers",
        "headers must map names to strings",
        "headers are no strings",
    )
    .or_else(|| node.get("oauth").and_then(oauth::check))
}

fn stdio(node: &Node) -> Option<Complaint> {
    if let Some(args) = node.get("args") {
        let text = "args must be an array of strings".to_owned();
        let wrong = match args.as_array() {
            None => Some(args),
            Some(items) => items.iter().find(|item| item.as_str().is_none()),
        };
        if let Some(wrong) = wrong {
            return Some((text, "args is no list of strings", wrong.span));
        }
    }
    strings(
        node,
        "env",
        "env must map names to strings",
        "env values are no strings",
    )
    .or_else(|| {
        let cwd = node.get("cwd").filter(|cwd| cwd.as_str().is_none())?;
        Some((
            "cwd must be a string".to_owned(),
            "cwd is no string",
            cwd.span,
        ))
    })
}

fn strings(node: &Node, key: &str, text: &str, short: &'static str) -> Option<Complaint> {
    let record = node.get(key)?;
    if !record.is_table() {
        return Some((text.to_owned(), short, record.span));
    }
    let members = record.effective_members().into_iter();
    let mut wrong = members.filter(|member| member.value.as_str().is_none());
    wrong
        .next()
        .map(|member| (text.to_owned(), short, member.value.span))
}

fn exposures(node: &Node) -> Option<Complaint> {
    let known = |value: &Node| value.as_str().is_some_and(|word| EXPOSURES.contains(&word));
    let list = "must be one of \"codemode\", \"deferred\", \"direct\", \"hidden\"";
    if let Some(value) = node.get("exposure").filter(|value| !known(value)) {
        return Some((format!("exposure {list}"), "unknown exposure", value.span));
    }
    let tools = node.get("toolExposure")?;
    if !tools.is_table() {
        let text = "toolExposure must map tool names to exposures".to_owned();
        return Some((text, "toolExposure is no object", tools.span));
    }
    let members = tools.effective_members().into_iter();
    let mut wrong = members.filter(|member| !known(&member.value));
    wrong.next().map(|member| {
        let text = format!("toolExposure \"{}\" {list}", Shown(&member.key.text));
        (text, "unknown exposure of a tool", member.value.span)
    })
}

/// `auth` of an entry that Pi took for one of http; others may have any.
fn auth(node: &Node) -> Option<Complaint> {
    let word = node.get("type");
    let named = word.and_then(Node::as_str);
    let url = node.get("url").and_then(Node::as_str)?;
    if word.is_some() && !matches!(named, Some("http" | "streamable-http")) {
        return None;
    }
    let auth = node.get("auth")?;
    let provider = auth.get("provider").and_then(Node::as_str);
    if provider.is_none_or(str::is_empty) {
        let text = "auth.provider must be a provider name".to_owned();
        return Some((text, "auth has no provider", auth.span));
    }
    let address = Address::parse(url)?;
    let fits = address.scheme == "https" || address.is_loopback();
    let text = "auth requires an https URL, or http on localhost, 127.0.0.1, or [::1]";
    (!fits).then(|| (text.to_owned(), "auth needs https", auth.span))
}
