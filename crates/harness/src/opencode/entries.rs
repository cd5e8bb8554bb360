//! What 1.18.33 makes of `mcp` in one file: entries of its own, flat, and those of 2.x, in `servers` or between the flat ones, which it
//! lowers to its own. Read from the program and observed.

use std::collections::HashSet;

use muster_document::{Key, Node, Span, Value};

use super::schema::{Fault, Schema, Step, check, own};
use super::shapes;

/// How a server is reached, by its `type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Local,
    Remote,
}

/// A value with the span of its own.
pub(super) type At<T> = (T, Span);

/// Whether a server is on, and the key that says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Switch {
    pub(super) on: bool,
    pub(super) key: &'static str,
}

/// `enabled` of a node, if it is good.
pub(super) fn enabled(node: &Node) -> Option<At<Switch>> {
    let value = node.get("enabled")?;
    let on = value.as_bool()?;
    let key = "enabled";
    Some((Switch { on, key }, value.span))
}

/// What one file says of one server. A server that is whole has a kind and what that needs; a switch has `enabled` alone.
#[derive(Debug, Default, Clone)]
pub(super) struct Part<'l> {
    pub(super) kind: Option<At<Kind>>,
    pub(super) command: Option<&'l Node>,
    pub(super) cwd: Option<&'l Node>,
    pub(super) environment: Option<&'l Node>,
    pub(super) enabled: Option<At<Switch>>,
    /// In milliseconds.
    pub(super) timeout: Option<At<f64>>,
    pub(super) url: Option<&'l Node>,
    pub(super) headers: Option<&'l Node>,
    pub(super) oauth: Option<&'l Node>,
}

/// What becomes of an entry.
#[derive(Debug)]
pub(super) enum Outcome<'l> {
    Says(Part<'l>),
    /// It has no good server, but a boolean `enabled`: that alone counts. With what is wrong with the rest, where there is more.
    Switch(At<Switch>, Option<Fault<'l>>),
    /// An entry of 2.x that is malformed: it is left out without a word.
    LeftOut(Fault<'l>),
    /// An entry of 2.x whose name a flat entry of the same file has.
    Hidden(Span),
    /// It stops OpenCode.
    Fatal(Fault<'l>),
}

/// An entry in one file.
#[derive(Debug)]
pub(super) struct Found<'l> {
    pub(super) key: &'l Key,
    pub(super) node: &'l Node,
    /// Its own `disabled` does not count, for this reason.
    pub(super) deaf: Option<Fault<'l>>,
    pub(super) outcome: Outcome<'l>,
}

/// What `mcp` of one file says.
#[derive(Debug, Default)]
pub(super) struct Said<'l> {
    pub(super) found: Vec<Found<'l>>,
    /// `mcp.timeout` of 2.x, where it can be lowered: in milliseconds.
    pub(super) timeout: Option<At<f64>>,
    /// `mcp` is no object at all.
    pub(super) fatal: Option<Fault<'l>>,
}

/// Reads `mcp` of the file whose whole value is `root`.
pub(super) fn read(root: &Node) -> Said<'_> {
    let Some(member) = root.member("mcp") else {
        return Said::default();
    };
    let path = vec![Step::Key(&member.key)];
    if !member.value.is_table() {
        return Said {
            fatal: Some(Fault {
                complaint: "Expected object | undefined".to_owned(),
                got: Some(&member.value),
                path,
                span: member.value.span,
            }),
            ..Said::default()
        };
    }
    let mcp = &member.value;
    let nested = mcp
        .member("servers")
        .filter(|servers| holds_servers(&servers.value));
    let timeout = mcp.get("timeout").filter(|timeout| holds_timeouts(timeout));
    let mut said = Said {
        timeout: timeout.and_then(lowered_timeout),
        ..Said::default()
    };
    let mut names = HashSet::new();
    for entry in own(mcp) {
        let taken = match entry.key.text.as_str() {
            "servers" => nested.is_some(),
            "timeout" => timeout.is_some(),
            _ => false,
        };
        if taken {
            continue;
        }
        let path = with(&path, Step::Key(&entry.key));
        names.insert(entry.key.text.as_str());
        let (deaf, outcome) = flat(&entry.value, &path);
        said.found.push(Found {
            key: &entry.key,
            node: &entry.value,
            deaf,
            outcome,
        });
    }
    let Some(servers) = nested else { return said };
    let path = with(&path, Step::Key(&servers.key));
    for entry in own(&servers.value) {
        let path = with(&path, Step::Key(&entry.key));
        let outcome = match names.contains(entry.key.text.as_str()) {
            true => Outcome::Hidden(
                mcp.member(&entry.key.text)
                    .map_or(servers.key.span, |flat| flat.key.span),
            ),
            false => in_servers(&entry.value, &path),
        };
        said.found.push(Found {
            key: &entry.key,
            node: &entry.value,
            deaf: None,
            outcome,
        });
    }
    said
}

fn with<'l>(path: &[Step<'l>], step: Step<'l>) -> Vec<Step<'l>> {
    path.iter().copied().chain([step]).collect()
}

/// Whether `servers` lists servers. One with a `type` or an `enabled` that is no object is a server of that name.
fn holds_servers(servers: &Node) -> bool {
    servers.is_table() && !is_entry_itself(servers)
}

fn is_entry_itself(node: &Node) -> bool {
    ["type", "enabled"]
        .iter()
        .any(|key| node.get(key).is_some_and(|value| !value.is_table()))
}

/// Whether `timeout` holds timeouts of 2.x, and is no server of that name.
fn holds_timeouts(timeout: &Node) -> bool {
    let names = ["startup", "catalog", "execution"];
    timeout.is_table()
        && !is_entry_itself(timeout)
        && check(timeout, &shapes::TIMEOUTS, &[]).is_ok()
        && (own(timeout).is_empty() || names.iter().any(|name| timeout.get(name).is_some()))
}

/// The one number that 1.x has for timeouts of 2.x: only where listing and calling tools have the same and starting has none.
fn lowered_timeout(timeouts: &Node) -> Option<At<f64>> {
    let milliseconds = |name: &str| match &timeouts.get(name)?.value {
        Value::Number(number) => Some(number.as_f64()),
        _ => None,
    };
    let (catalog, execution) = (milliseconds("catalog")?, milliseconds("execution")?);
    (catalog == execution && timeouts.get("startup").is_none()).then_some((catalog, timeouts.span))
}

/// A flat entry: read as one of 2.x if it has a key of 2.x and is a good one, else as it is.
fn flat<'l>(node: &'l Node, path: &[Step<'l>]) -> (Option<Fault<'l>>, Outcome<'l>) {
    if !speaks_next(node) {
        return (None, plain(node, path));
    }
    match next(node, path) {
        Ok(part) => (None, lowered(node, part, path)),
        Err(fault) => {
            let deaf = node.get("disabled").is_some().then_some(fault);
            (deaf, plain(node, path))
        }
    }
}

fn speaks_next(node: &Node) -> bool {
    let oauth = [
        "client_id",
        "client_secret",
        "callback_port",
        "redirect_uri",
    ];
    let is_object =
        |value: &Node| matches!(value.value, Value::Table(_) | Value::Array(_) | Value::Null);
    node.get("disabled").is_some()
        || node.get("codemode").is_some()
        || node.get("timeout").is_some_and(is_object)
        || node
            .get("oauth")
            .is_some_and(|value| oauth.iter().any(|key| value.get(key).is_some()))
}

/// An entry in `servers`.
fn in_servers<'l>(node: &'l Node, path: &[Step<'l>]) -> Outcome<'l> {
    let switched = node.get("enabled").and_then(Node::as_bool).is_some();
    if switched && node.get("disabled").is_none() {
        return plain(node, path);
    }
    match next(node, path) {
        Ok(part) => lowered(node, part, path),
        Err(fault) => Outcome::LeftOut(fault),
    }
}

/// An entry of 1.x.
fn plain<'l>(node: &'l Node, path: &[Step<'l>]) -> Outcome<'l> {
    let fault = match server(node, path, &shapes::LOCAL, &shapes::REMOTE) {
        Ok(kind) => return Outcome::Says(part(node, kind)),
        Err(fault) => fault,
    };
    match check(node, &shapes::SWITCH, path) {
        Ok(()) => {
            let more = own(node).len() > 1;
            match enabled(node) {
                Some(enabled) => Outcome::Switch(enabled, more.then_some(fault)),
                None => Outcome::Fatal(fault),
            }
        }
        Err(_) => Outcome::Fatal(fault),
    }
}

/// An entry of 2.x, lowered; what is wrong with it, if anything.
fn next<'l>(node: &'l Node, path: &[Step<'l>]) -> Result<Part<'l>, Fault<'l>> {
    let kind = server(node, path, &shapes::NEXT_LOCAL, &shapes::NEXT_REMOTE)?;
    let mut part = part(node, kind);
    part.timeout = node.get("timeout").and_then(lowered_timeout);
    let (on, span) = match node.get("disabled") {
        Some(disabled) => (disabled.as_bool() != Some(true), disabled.span),
        None => (true, node.span),
    };
    let key = "disabled";
    part.enabled = Some((Switch { on, key }, span));
    Ok(part)
}

/// A lowered entry keeps its own `enabled`, whatever it is.
fn lowered<'l>(node: &'l Node, mut part: Part<'l>, path: &[Step<'l>]) -> Outcome<'l> {
    let Some(member) = node.member("enabled") else {
        return Outcome::Says(part);
    };
    match enabled(node) {
        Some(enabled) => {
            part.enabled = Some(enabled);
            Outcome::Says(part)
        }
        None => Outcome::Fatal(Fault {
            complaint: "Expected boolean | undefined".to_owned(),
            got: Some(&member.value),
            path: with(path, Step::Key(&member.key)),
            span: member.value.span,
        }),
    }
}

/// The kind of `node`, if it is a good server by the shapes `local` and `remote`.
fn server<'l>(
    node: &'l Node,
    path: &[Step<'l>],
    local: &'static Schema,
    remote: &'static Schema,
) -> Result<Kind, Fault<'l>> {
    const BOTH: &str =
        "Expected { readonly \"type\": \"local\", ... } | { readonly \"type\": \"remote\", ... }";
    match node.get("type").and_then(Node::as_str) {
        Some("local") if node.is_table() => check(node, local, path).map(|()| Kind::Local),
        Some("remote") if node.is_table() => check(node, remote, path).map(|()| Kind::Remote),
        _ => {
            let complaint = match node.is_table() {
                true => BOTH.to_owned(),
                false => format!("{BOTH} | object"),
            };
            Err(Fault {
                complaint,
                got: Some(node),
                path: path.to_vec(),
                span: node.span,
            })
        }
    }
}

/// The fields of a good server.
fn part(node: &Node, kind: Kind) -> Part<'_> {
    let of = |wanted: Kind, key: &str| node.get(key).filter(|_| kind == wanted);
    let span = node.get("type").map_or(node.span, |value| value.span);
    Part {
        kind: Some((kind, span)),
        command: of(Kind::Local, "command"),
        cwd: of(Kind::Local, "cwd"),
        environment: of(Kind::Local, "environment"),
        enabled: enabled(node),
        timeout: node.get("timeout").and_then(|value| match &value.value {
            Value::Number(number) => Some((number.as_f64(), value.span)),
            _ => None,
        }),
        url: of(Kind::Remote, "url"),
        headers: of(Kind::Remote, "headers"),
        oauth: of(Kind::Remote, "oauth"),
    }
}

/// What an entry seems to mean, whatever is wrong with it: for the row of a server that is lost.
pub(super) fn meant(node: &Node) -> Part<'_> {
    let kind = match node.get("type").and_then(Node::as_str) {
        Some("remote") => Some(Kind::Remote),
        Some("local") => Some(Kind::Local),
        _ if node.get("url").is_some() => Some(Kind::Remote),
        _ if node.get("command").is_some() => Some(Kind::Local),
        _ => None,
    };
    match kind {
        Some(kind) => part(node, kind),
        None => Part::default(),
    }
}
