//! Properties of the parsers on random input, in one binary.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a panic here is the failing assertion"
)]

mod json;
mod toml;
mod total;
mod yaml;

use std::sync::Arc;

use camino::Utf8Path;
use muster_document::{Dialect, Document, JsonDialect, Member, Node, Span, SyntaxError, Value};
use proptest::test_runner::Config;

/// `jsonc-parser` of Visual Studio Code with trailing commas allowed.
const JSONC: JsonDialect = JsonDialect {
    comments: true,
    trailing_commas: true,
    ..JsonDialect::JSON_PARSE
};

/// Enough cases to find faults, few enough for every build.
fn cases(cases: u32) -> Config {
    Config {
        failure_persistence: None,
        ..Config::with_cases(cases)
    }
}

fn parse(bytes: impl AsRef<[u8]>, dialect: Dialect) -> Result<Document, SyntaxError> {
    Document::parse(Arc::from(Utf8Path::new("/f")), bytes.as_ref(), dialect)
}

fn parse_json(text: &str, rules: JsonDialect) -> Result<Document, SyntaxError> {
    parse(text, Dialect::Json(rules))
}

/// Calls `visit` with `node` and everything in it.
fn walk<'n>(node: &'n Node, visit: &mut dyn FnMut(Option<&'n Member>, &'n Node)) {
    match &node.value {
        Value::Array(items) => {
            for item in items {
                visit(None, item);
                walk(item, visit);
            }
        }
        Value::Table(members) => {
            for member in members {
                visit(Some(member), &member.value);
                walk(&member.value, visit);
            }
        }
        _ => {}
    }
}

/// The same value without its places.
fn placeless(node: &Node) -> Node {
    let value = match &node.value {
        Value::Array(items) => Value::Array(items.iter().map(placeless).collect()),
        Value::Table(members) => Value::Table(members.iter().map(placeless_member).collect()),
        scalar => scalar.clone(),
    };
    Node {
        value,
        span: Span::default(),
    }
}

fn placeless_member(member: &Member) -> Member {
    let mut key = member.key.clone();
    key.span = Span::default();
    Member {
        key,
        value: placeless(&member.value),
    }
}
