//! Names, texts and values of any shape.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Number, Value};

/// Names of servers: plain, reserved somewhere, in need of escapes, not quite equal to each other.
const NAMES: &[&str] = &[
    "db",
    "web_ui",
    "web-ui",
    "my-server",
    "FS",
    "fs",
    "",
    " ",
    "a b",
    "a.b",
    "naïve",
    "日本",
    "__proto__",
    "constructor",
    "workspace",
    "claude-in-chrome",
    "ide",
    "codex_apps",
    "plugin:p:db",
    "mcp__db__x",
    "../up",
    "\u{202e}db",
    "d\u{0}b",
    "0",
    "true",
];

/// Texts as they stand in commands, arguments, addresses and variables.
const TEXTS: &[&str] = &[
    "",
    "python3",
    "/usr/bin/env",
    "./server",
    "~/bin/server",
    "npx",
    "-y",
    "@acme/db@1.2.3",
    "--token",
    "--api-key=k",
    "${HOME}/x",
    "${UNSET}",
    "${UNSET:-fallback}",
    "${",
    "$HOME",
    "$",
    "{env:X}",
    "{file:/x}",
    "https://example.invalid/mcp?key=1#f",
    "http://127.0.0.1:9/sse",
    "HTTPS://user:pw@example.invalid",
    "ftp://example.invalid",
    "http://",
    "not an address",
    "stdio",
    "http",
    "sse",
    "ws",
    "streamable-http",
    "local",
    "trusted",
    "untrusted",
    "on",
    "off",
    "true",
    "*",
    ".git",
    "/work/repo",
    "/",
    "..",
    "sk-0123456789abcdefghijklmnop",
    "a\nb",
    "\u{7f}",
];

/// A server's name.
pub fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => select(NAMES).prop_map(str::to_owned),
        1 => "\\PC{0,12}",
        1 => any::<String>().prop_map(|text| text.chars().take(8).collect()),
    ]
}

/// A text where configuration wants one.
pub fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => select(TEXTS).prop_map(str::to_owned),
        2 => name(),
        1 => "\\PC{0,30}",
    ]
}

/// A value of any type, at most four levels deep.
pub fn junk() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(4, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            members(text(), inner).prop_map(Value::Object),
        ]
    })
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        2 => Just(Value::Null),
        2 => any::<bool>().prop_map(Value::Bool),
        2 => (-2_i64..200).prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(|number| Number::from_f64(number).map_or(Value::Null, Value::Number)),
        4 => text().prop_map(Value::String),
    ]
}

/// A table of up to four members.
pub(super) fn members(
    key: impl Strategy<Value = String> + 'static,
    value: impl Strategy<Value = Value> + 'static,
) -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::vec((key, value), 0..4).prop_map(|members| members.into_iter().collect())
}

/// Mostly `right`, now and then anything.
pub(super) fn mostly(right: impl Strategy<Value = Value> + 'static) -> BoxedStrategy<Value> {
    prop_oneof![12 => right, 1 => junk()].boxed()
}

pub(super) fn some_text() -> BoxedStrategy<Value> {
    mostly(text().prop_map(Value::String))
}

pub(super) fn some_bool() -> BoxedStrategy<Value> {
    mostly(any::<bool>().prop_map(Value::Bool))
}

pub(super) fn some_texts() -> BoxedStrategy<Value> {
    mostly(prop::collection::vec(some_text(), 0..4).prop_map(Value::Array))
}

pub(super) fn some_names() -> BoxedStrategy<Value> {
    mostly(
        prop::collection::vec(mostly(name().prop_map(Value::String)), 0..4).prop_map(Value::Array),
    )
}

pub(super) fn some_table() -> BoxedStrategy<Value> {
    mostly(members(text(), some_text()).prop_map(Value::Object))
}
