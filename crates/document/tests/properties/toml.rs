//! TOML against `toml_edit`'s own values.

use std::collections::BTreeMap;

use muster_document::{Dialect, Node, Value};
use proptest::prelude::*;
use toml_edit::{Document, Item, TableLike};

use crate::{cases, parse, walk};

/// A value without places and order.
#[derive(Debug, Clone, PartialEq)]
enum Plain {
    Bool(bool),
    Integer(i128),
    Float(u64),
    String(String),
    Datetime(String),
    Array(Vec<Plain>),
    Table(BTreeMap<String, Plain>),
}

/// One NaN is like another here.
fn float(value: f64) -> Plain {
    Plain::Float(if value.is_nan() { f64::NAN } else { value }.to_bits())
}

fn datetime(spelled: &str) -> Plain {
    Plain::Datetime(spelled.parse::<toml_edit::Datetime>().unwrap().to_string())
}

fn of_node(node: &Node) -> Plain {
    match &node.value {
        Value::Null => panic!("TOML has no null"),
        Value::Bool(value) => Plain::Bool(*value),
        Value::Number(number) if number.integer => Plain::Integer(number.as_i128().unwrap()),
        Value::Number(number) => float(number.as_f64()),
        Value::String(text) => Plain::String(text.clone()),
        Value::Datetime(text) => datetime(text),
        Value::Array(items) => Plain::Array(items.iter().map(of_node).collect()),
        Value::Table(members) => {
            let table: BTreeMap<_, _> = members
                .iter()
                .map(|member| (member.key.text.clone(), of_node(&member.value)))
                .collect();
            assert_eq!(table.len(), members.len(), "a key twice");
            Plain::Table(table)
        }
    }
}

fn of_item(item: &Item) -> Plain {
    match item {
        Item::None => panic!("an item that is none"),
        Item::Value(value) => of_value(value),
        Item::Table(table) => of_table(table),
        Item::ArrayOfTables(tables) => {
            Plain::Array(tables.iter().map(|table| of_table(table)).collect())
        }
    }
}

fn of_table(table: &dyn TableLike) -> Plain {
    Plain::Table(
        table
            .iter()
            .map(|(key, item)| (key.to_owned(), of_item(item)))
            .collect(),
    )
}

fn of_value(value: &toml_edit::Value) -> Plain {
    match value {
        toml_edit::Value::String(text) => Plain::String(text.value().clone()),
        toml_edit::Value::Integer(value) => Plain::Integer((*value.value()).into()),
        toml_edit::Value::Float(value) => float(*value.value()),
        toml_edit::Value::Boolean(value) => Plain::Bool(*value.value()),
        toml_edit::Value::Datetime(value) => Plain::Datetime(value.value().to_string()),
        toml_edit::Value::Array(items) => Plain::Array(items.iter().map(of_value).collect()),
        toml_edit::Value::InlineTable(table) => of_table(table),
    }
}

/// Few keys, so that headers and dotted keys meet.
fn keys() -> impl Strategy<Value = String> {
    let part = prop::sample::select(&["a", "b", "\"a\"", "'c.d'", "\"\\u00e9\"", "1"][..]);
    prop::collection::vec(part, 1..4).prop_map(|parts| parts.join("."))
}

fn values() -> impl Strategy<Value = String> {
    const SCALARS: &[&str] = &[
        "1",
        "-0",
        "+1_000",
        "0xFf",
        "0o17",
        "0b1",
        "1.5",
        "-1e3",
        "inf",
        "-nan",
        "true",
        "\"x\\n\\x41\"",
        "'\\'",
        "\"\"\"\n a\"\"\"",
        "'''b\n'''",
        "1979-05-27",
        "1979-05-27T07:32:00Z",
        "07:32",
        "1979-05-27 07:32:00.5",
    ];
    let scalar = prop::sample::select(SCALARS).prop_map(str::to_owned);
    scalar.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3)
                .prop_map(|items| format!("[{}]", items.join(", # x\n"))),
            prop::collection::vec((keys(), inner), 0..3).prop_map(|members| {
                let members: Vec<String> = members
                    .iter()
                    .map(|(key, value)| format!("{key} = {value}"))
                    .collect();
                format!("{{ {} }}", members.join(" , "))
            }),
        ]
    })
}

fn files() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        4 => (keys(), values()).prop_map(|(key, value)| format!("{key} = {value} # c")),
        2 => keys().prop_map(|key| format!("[ {key} ]")),
        1 => keys().prop_map(|key| format!("[[{key}]]")),
    ];
    (
        prop::collection::vec(line, 0..8),
        prop::sample::select(&["\n", "\r\n", "\n\n  "][..]),
    )
        .prop_map(|(lines, end)| lines.join(end))
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn trees_are_those_of_toml_edit(text in files()) {
        match (parse(&text, Dialect::Toml), Document::parse(text.as_str())) {
            (Ok(ours), Ok(theirs)) => prop_assert_eq!(of_node(ours.root()), of_table(theirs.as_table()), "{}", &text),
            (Err(_), Err(_)) => {}
            (ours, _) => prop_assert!(false, "accepted here: {}, text: {}", ours.is_ok(), &text),
        }
    }

    #[test]
    fn spans_hold_their_keys_and_values(text in files()) {
        let Ok(document) = parse(&text, Dialect::Toml) else { return Ok(()) };
        walk(document.root(), &mut |member, node| {
            if let Some(member) = member {
                let parts = toml_edit::Key::parse(member.key.span.of(&text)).unwrap();
                assert_eq!(parts.iter().map(toml_edit::Key::get).collect::<Vec<_>>(), [member.key.text.as_str()]);
            }
            let spelled = node.span.of(&text);
            // A table that is not written in braces stands at its header or its dotted keys.
            let in_place = !node.is_table() && !spelled.starts_with("[[") || spelled.starts_with('{');
            if in_place {
                let value: toml_edit::Value = spelled.parse().unwrap();
                assert_eq!(of_value(&value), of_node(node));
            }
        });
    }
}
