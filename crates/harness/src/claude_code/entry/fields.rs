//! What the fields of an entry may hold, with the real program's complaints.

use std::time::Duration;

use muster_document::{Node, Shown, Span, Value};

use super::super::dialect::type_word;
use super::kind::Kind;

/// What is wrong with an entry, in the order in which the real program says it.
#[derive(Default)]
pub(super) struct Problems {
    pub(super) messages: Vec<String>,
    pub(super) first: Option<First>,
}

pub(super) struct First {
    pub(super) short: String,
    pub(super) span: Option<Span>,
}

impl Problems {
    pub(super) fn add(&mut self, path: &str, complaint: String, span: Option<Span>, short: &str) {
        self.messages.push(format!("{path}: {complaint}"));
        self.first.get_or_insert_with(|| First {
            short: short.to_owned(),
            span,
        });
    }

    /// Complains unless `node` is absent (and may be) or is a `wanted`.
    fn expect(&mut self, path: &str, node: Option<&Node>, wanted: &str, fits: bool) {
        if !fits {
            let complaint = format!("expected {wanted}, received {}", type_word(node));
            let short = match node {
                None => format!("no {path}"),
                Some(_) => format!("{path} is not {}", article(wanted)),
            };
            self.add(path, complaint, node.map(|node| node.span), &short);
        }
    }
}

fn article(wanted: &str) -> String {
    match wanted {
        "record" | "object" => "an object".to_owned(),
        "array" => "a list".to_owned(),
        "int" => "a whole number".to_owned(),
        other => format!("a {other}"),
    }
}

pub(super) fn check_stdio(node: &Node, problems: &mut Problems) {
    let command = node.get("command");
    match command.and_then(Node::as_str) {
        Some("") => problems.add(
            "command",
            "Command cannot be empty".to_owned(),
            command.map(|c| c.span),
            "command is empty",
        ),
        found => problems.expect("command", command, "string", found.is_some()),
    }
    if let Some(args) = node.get("args") {
        match args.as_array() {
            None => problems.expect("args", Some(args), "array", false),
            Some(items) => {
                for (at, item) in items.iter().enumerate() {
                    problems.expect(
                        &format!("args.{at}"),
                        Some(item),
                        "string",
                        item.as_str().is_some(),
                    );
                }
            }
        }
    }
    check_record(node, "env", problems);
}

pub(super) fn check_remote(node: &Node, kind: Kind, problems: &mut Problems) {
    let url = node.get("url");
    problems.expect(
        "url",
        url,
        "string",
        url.is_some_and(|url| url.as_str().is_some()),
    );
    check_record(node, "headers", problems);
    check_optional(
        node,
        "headersHelper",
        "string",
        |value| value.as_str().is_some(),
        problems,
    );
    if kind != Kind::Ws
        && let Some(oauth) = node.get("oauth")
    {
        check_oauth(oauth, problems);
    }
}

/// An object of strings.
fn check_record(node: &Node, key: &str, problems: &mut Problems) {
    let Some(record) = node.get(key) else { return };
    if !record.is_table() {
        problems.expect(key, Some(record), "record", false);
    }
    for member in record.effective_members() {
        let path = format!("{key}.{}", Shown(&member.key.text));
        problems.expect(
            &path,
            Some(&member.value),
            "string",
            member.value.as_str().is_some(),
        );
    }
}

fn check_optional(
    node: &Node,
    key: &str,
    wanted: &str,
    fits: impl Fn(&Node) -> bool,
    problems: &mut Problems,
) {
    if let Some(value) = node.get(key) {
        problems.expect(key, Some(value), wanted, fits(value));
    }
}

fn check_oauth(oauth: &Node, problems: &mut Problems) {
    if !oauth.is_table() {
        problems.expect("oauth", Some(oauth), "object", false);
        return;
    }
    let at = |key: &str| oauth.get(key).map(|value| (format!("oauth.{key}"), value));
    if let Some((path, value)) = at("clientId") {
        problems.expect(&path, Some(value), "string", value.as_str().is_some());
    }
    if let Some((path, value)) = at("callbackPort") {
        check_positive(&path, value, problems);
    }
    if let Some((path, value)) = at("authServerMetadataUrl") {
        match value.as_str() {
            None => problems.expect(&path, Some(value), "string", false),
            Some(url) => {
                if !url.contains("://") {
                    problems.add(
                        &path,
                        "Invalid URL".to_owned(),
                        Some(value.span),
                        "oauth URL is no URL",
                    );
                }
                if !url
                    .get(..8)
                    .is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://"))
                {
                    let complaint = "authServerMetadataUrl must use https://".to_owned();
                    problems.add(&path, complaint, Some(value.span), "oauth URL is not https");
                }
            }
        }
    }
    if let Some((path, value)) = at("scopes") {
        match value.as_str() {
            Some("") => {
                let complaint = "Too small: expected string to have >=1 characters".to_owned();
                problems.add(&path, complaint, Some(value.span), "oauth scopes are empty");
            }
            found => problems.expect(&path, Some(value), "string", found.is_some()),
        }
    }
    if let Some((path, value)) = at("xaa") {
        problems.expect(&path, Some(value), "boolean", value.as_bool().is_some());
    }
}

/// An integer from 1 to the largest that JavaScript counts exactly.
fn check_positive(path: &str, node: &Node, problems: &mut Problems) {
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    let Value::Number(number) = &node.value else {
        problems.expect(path, Some(node), "number", false);
        return;
    };
    let value = number.as_f64();
    if value.is_infinite() {
        problems.expect(path, Some(node), "number", false);
    } else if value.fract() != 0.0 {
        problems.expect(path, Some(node), "int", false);
    } else if value > LARGEST {
        let complaint = "Too big: expected int to be <=9007199254740991".to_owned();
        problems.add(
            path,
            complaint,
            Some(node.span),
            &format!("{path} is too large"),
        );
    } else if value <= 0.0 {
        let complaint = "Too small: expected number to be >0".to_owned();
        problems.add(
            path,
            complaint,
            Some(node.span),
            &format!("{path} is not above 0"),
        );
    }
}

/// The limit of one tool call that `timeout` sets. Observed on 2.1.332: a wall clock in milliseconds; less than a second sets none.
pub(super) fn call_timeout(node: &Node) -> Option<Duration> {
    let Value::Number(number) = &node.value else {
        return None;
    };
    let mut problems = Problems::default();
    check_positive("timeout", node, &mut problems);
    let milliseconds = number.as_f64();
    (problems.first.is_none() && milliseconds >= 1000.0)
        .then(|| Duration::try_from_secs_f64(milliseconds / 1000.0).ok())
        .flatten()
}

pub(super) fn check_common(node: &Node, problems: &mut Problems) {
    if let Some(timeout) = node.get("timeout") {
        check_positive("timeout", timeout, problems);
    }
    for key in ["alwaysLoad", "bareElicitationCapability"] {
        check_optional(
            node,
            key,
            "boolean",
            |value| value.as_bool().is_some(),
            problems,
        );
    }
}

/// The fields with blanks at either end, which the real program warns of.
pub(super) fn stray_blanks(node: &Node) -> Option<(String, Span)> {
    let stray = |text: &str| text.trim() != text;
    let mut fields = Vec::new();
    let mut first = None;
    let mut look = |field: &str, node: Option<&Node>| {
        let nodes: Vec<&Node> = match node.map(|node| &node.value) {
            Some(Value::Array(items)) => items.iter().collect(),
            _ => node.into_iter().collect(),
        };
        if let Some(found) = nodes
            .into_iter()
            .find(|node| node.as_str().is_some_and(stray))
        {
            fields.push(field.to_owned());
            first.get_or_insert(found.span);
        }
    };
    look("command", node.get("command"));
    look("args", node.get("args"));
    look("url", node.get("url"));
    for key in ["env", "headers"] {
        let Some(record) = node.get(key) else {
            continue;
        };
        for member in record.effective_members() {
            if stray(&member.key.text) || member.value.as_str().is_some_and(stray) {
                fields.push(format!("{key}.{}", Shown(member.key.text.trim())));
                first.get_or_insert(member.key.span);
            }
        }
    }
    first.map(|span| {
        (
            format!("Leading or trailing whitespace in: {}", fields.join(", ")),
            span,
        )
    })
}
