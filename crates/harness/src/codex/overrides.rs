//! `-c KEY=VALUE`: values of the command line, as a layer of their own.

use std::sync::Arc;

use camino::Utf8Path;
use muster_core::CommandLineError;
use muster_document::{Dialect, Document, Key, Masked, Member, Node, Secret, Span, Value};

/// One `-c KEY=VALUE`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Override {
    /// The key, split at every dot; quotes are text.
    path: Vec<String>,
    value: Node,
}

impl Override {
    /// Understands `KEY=VALUE`. Observed on 0.171.0: spaces around both are dropped; what is no TOML value is text, quotes at its
    /// ends dropped.
    ///
    /// # Errors
    /// Codex's own, where there is no `=` or no key.
    pub(super) fn parse(text: &str) -> Result<Override, CommandLineError> {
        let refuse = |message: String| Err(CommandLineError::Refused(message));
        let Some((key, value)) = text.split_once('=') else {
            return refuse(format!("Invalid override (missing '='): {}", told(text)));
        };
        let key = key.trim();
        if key.is_empty() {
            return refuse(format!("Empty key in override: ={}", Masked::HIDDEN));
        }
        Ok(Override {
            path: key.split('.').map(str::to_owned).collect(),
            value: value_of(value.trim()),
        })
    }

    /// What `--enable` and `--disable` stand for.
    pub(super) fn feature(name: &str, on: bool) -> Override {
        Override {
            path: vec!["features".to_owned(), name.to_owned()],
            value: unplaced(Value::Bool(on)),
        }
    }
}

/// What was meant as an override, if it reads like the key of one; else it may be a value.
fn told(text: &str) -> Masked {
    let key = |c: char| c.is_ascii_lowercase() || matches!(c, '_' | '.');
    let dotted = text.chars().all(key) && text.contains(['_', '.']);
    let secret = Secret::new(text);
    if dotted {
        Masked::word(&secret)
    } else {
        Masked::value(&secret)
    }
}

/// The layer that `overrides` make together. A later one replaces what an earlier one put at its key, with all below it.
pub(super) fn layer(overrides: impl IntoIterator<Item = Override>) -> Node {
    let mut root = unplaced(Value::Table(Vec::new()));
    for Override { path, value } in overrides {
        put(&mut root, &path, value);
    }
    root
}

fn put(node: &mut Node, path: &[String], value: Node) {
    let Some((key, rest)) = path.split_first() else {
        *node = value;
        return;
    };
    if !node.is_table() {
        node.value = Value::Table(Vec::new());
    }
    let Value::Table(members) = &mut node.value else {
        return;
    };
    if let Some(member) = members.iter_mut().find(|member| member.key.text == *key) {
        put(&mut member.value, rest, value);
        return;
    }
    let mut inner = unplaced(Value::Table(Vec::new()));
    put(&mut inner, rest, value);
    members.push(Member {
        key: Key {
            text: key.clone(),
            span: Span::default(),
        },
        value: inner,
    });
}

fn value_of(text: &str) -> Node {
    let document = Document::parse(
        Arc::from(Utf8Path::new("-c")),
        format!("value = {text}").as_bytes(),
        Dialect::Toml,
    );
    let parsed = document
        .ok()
        .and_then(|document| document.root().get("value").cloned());
    parsed.unwrap_or_else(|| unplaced(Value::String(text.trim_matches(['"', '\'']).to_owned())))
}

fn unplaced(value: Value) -> Node {
    Node {
        value,
        span: Span::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text<'n>(node: &'n Node, path: &[&str]) -> Option<&'n str> {
        path.iter()
            .try_fold(node, |node, key| node.get(key))?
            .as_str()
    }

    fn of(overrides: &[&str]) -> Node {
        layer(overrides.iter().map(|text| Override::parse(text).unwrap()))
    }

    /// Each line was given to the real program, 0.171.0.
    #[test]
    fn keys_and_values() {
        for (given, path, expected) in [
            ("s.x.command = y ", ["s", "x", "command"], "y"),
            ("s.x.command='q'", ["s", "x", "command"], "q"),
            ("s.x.command=", ["s", "x", "command"], ""),
            ("s.x.command=\"y\" # c", ["s", "x", "command"], "y"),
            ("s.x.command=[\"a\"", ["s", "x", "command"], "[\"a"),
            ("s.\"ab\".command=y", ["s", "\"ab\"", "command"], "y"),
            ("s..command=y", ["s", "", "command"], "y"),
        ] {
            assert_eq!(text(&of(&[given]), &path), Some(expected), "{given}");
        }
    }

    #[test]
    fn a_later_value_replaces_an_earlier_one_whole() {
        let node = of(&["s.z.command=A", "s.z={args=[\"q\"]}"]);
        assert_eq!(text(&node, &["s", "z", "command"]), None);
        let node = of(&["s.z=A", "s.z.command=q", "s.z.cwd=/"]);
        assert_eq!(text(&node, &["s", "z", "command"]), Some("q"));
        assert_eq!(text(&node, &["s", "z", "cwd"]), Some("/"));
    }
}
