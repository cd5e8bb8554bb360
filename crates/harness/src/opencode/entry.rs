//! A server's entry as Muster shows it: as written.

use std::time::Duration;

use muster_core::{Entry, Sourced, Transport};
use muster_document::{Node, Secret, Span};

use super::account::Account;
use super::entries::{Kind, Part, meant};
use super::layers::Layer;
use super::merge::{From, Merged};
use super::schema::own;

/// Keys that 1.18.33 reads in an entry.
const OF_LOCAL: &[&str] = &[
    "type",
    "command",
    "cwd",
    "environment",
    "enabled",
    "timeout",
];
const OF_REMOTE: &[&str] = &["type", "url", "headers", "oauth", "enabled", "timeout"];
const OF_NEXT: &[&str] = &["disabled", "codemode"];

/// What a merged server says, as written in the layers that say it.
pub(super) fn of_merged(server: &Merged<'_>, account: &Account<'_>) -> Entry {
    let text = |from: From<&Node>| sourced(account.layer(from.layer), from.value);
    let mut words = server.words().into_iter().filter_map(text);
    let (command, args) = match server.kind.map(|kind| kind.value) {
        Some(Kind::Local) => (words.next(), words.collect()),
        _ => (None, Vec::new()),
    };
    let remote = server.kind.is_some_and(|kind| kind.value == Kind::Remote);
    let pairs = |list: &[(&str, From<&Node>)]| {
        let pair = |(name, from): &(&str, From<&Node>)| {
            let layer = account.layer(from.layer);
            let name = match layer {
                Some(layer) => layer.as_written(from.span, name),
                None => (*name).to_owned(),
            };
            Some((name, sourced(layer, from.value)?))
        };
        list.iter().filter_map(pair).collect()
    };
    let timeout = server.timeout.map(|timeout| patience(account, &timeout));
    let calls = timeout.clone().or_else(|| {
        account
            .call_timeout
            .as_ref()
            .map(|timeout| patience(account, timeout))
    });
    Entry {
        transport: server.kind.map(|kind| {
            transport(
                kind.value,
                server.url.filter(|_| remote).map(|url| url.value),
            )
        }),
        command,
        args,
        cwd: server.cwd.filter(|_| !remote).and_then(text),
        env: match remote {
            true => Vec::new(),
            false => pairs(&server.environment),
        },
        url: server.url.filter(|_| remote).and_then(text),
        headers: match remote {
            true => pairs(&server.headers),
            false => Vec::new(),
        },
        transport_word: server.kind.map(|kind| Sourced {
            value: match kind.value {
                Kind::Local => "local".to_owned(),
                Kind::Remote => "remote".to_owned(),
            },
            place: account.place(kind.layer, kind.span),
        }),
        startup_timeout: timeout,
        call_timeout: calls,
        unread: unread(server, account),
        ..Entry::default()
    }
}

/// What one entry of one layer says, whether it counts or not.
pub(super) fn of_part(part: &Part<'_>, layer: &Layer) -> Entry {
    let text = |node: &Node| sourced(Some(layer), node);
    let mut words = part.command.into_iter().flat_map(words).filter_map(text);
    let pairs = |object: Option<&Node>| {
        let members = object.into_iter().flat_map(own);
        members
            .filter_map(|member| {
                let name = layer.as_written(member.key.span, &member.key.text);
                Some((name, text(&member.value)?))
            })
            .collect()
    };
    Entry {
        transport: part.kind.map(|(kind, _)| transport(kind, part.url)),
        command: words.next(),
        args: words.collect(),
        cwd: part.cwd.and_then(text),
        env: pairs(part.environment),
        url: part.url.and_then(text),
        headers: pairs(part.headers),
        ..Entry::default()
    }
}

/// What an entry of another program says, in the keys of that program.
pub(super) fn of_foreign(node: &Node, layer: &Layer) -> Entry {
    let part = Part {
        environment: node.get("environment").or_else(|| node.get("env")),
        ..meant(node)
    };
    let mut entry = of_part(&part, layer);
    let args = node
        .get("args")
        .and_then(Node::as_array)
        .unwrap_or_default();
    entry
        .args
        .extend(args.iter().filter_map(|arg| sourced(Some(layer), arg)));
    entry
}

/// A command's words, also where it is one text.
fn words(command: &Node) -> &[Node] {
    match command.as_array() {
        Some(items) => items,
        None => std::slice::from_ref(command),
    }
}

/// How a server is reached. Whether a remote one speaks Streamable HTTP or the older SSE only it can tell: OpenCode tries the one, then the
/// other. Where a part of the address's path is `sse`, that is what people mean by it.
fn transport(kind: Kind, url: Option<&Node>) -> Transport {
    match kind {
        Kind::Local => Transport::Stdio,
        Kind::Remote
            if url
                .and_then(Node::as_str)
                .is_some_and(crate::sse::names_sse) =>
        {
            Transport::Sse
        }
        Kind::Remote => Transport::Http,
    }
}

fn sourced(layer: Option<&Layer>, node: &Node) -> Option<Sourced<Secret>> {
    let text = node.as_str()?;
    Some(Sourced {
        value: Secret::new(match layer {
            Some(layer) => layer.as_written(node.span, text),
            None => text.to_owned(),
        }),
        place: layer.and_then(|layer| layer.place(node.span)),
    })
}

fn patience(account: &Account<'_>, timeout: &From<f64>) -> Sourced<Duration> {
    Sourced {
        value: milliseconds(timeout.value),
        place: account.place(timeout.layer, timeout.span),
    }
}

/// A positive whole number of milliseconds; it was checked.
pub(super) fn milliseconds(number: f64) -> Duration {
    Duration::try_from_secs_f64(number / 1000.0).unwrap_or(Duration::MAX)
}

/// Keys of the defining entry that mean nothing to OpenCode.
fn unread(server: &Merged<'_>, account: &Account<'_>) -> Vec<Sourced<String>> {
    let Some(speaker) = server.defining() else {
        return Vec::new();
    };
    let known = match server.kind.map(|kind| kind.value) {
        Some(Kind::Remote) => OF_REMOTE,
        _ => OF_LOCAL,
    };
    let Some(found) = account.entry(speaker.layer, speaker.key) else {
        return Vec::new();
    };
    let deaf = |key: &str| key == "disabled" && found.deaf.is_some();
    let is_read = |key: &str| (known.contains(&key) || OF_NEXT.contains(&key)) && !deaf(key);
    let place = |span: Span| account.place(speaker.layer, span);
    own(found.node)
        .into_iter()
        .filter(|member| !is_read(&member.key.text))
        .map(|member| Sourced {
            value: match account.layer(speaker.layer) {
                Some(layer) => layer.as_written(member.key.span, &member.key.text),
                None => member.key.text.clone(),
            },
            place: place(member.key.span),
        })
        .collect()
}
