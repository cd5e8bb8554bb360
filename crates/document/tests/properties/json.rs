//! JSON against `serde_json`.

use muster_document::{JsonDialect, Node, Value};
use proptest::prelude::*;
use serde::de::IgnoredAny;

use crate::{JSONC, cases, parse_json, placeless, walk};

fn values() -> impl Strategy<Value = serde_json::Value> {
    let scalar = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(serde_json::Value::from),
        any::<i64>().prop_map(serde_json::Value::from),
        prop::num::f64::NORMAL.prop_map(serde_json::Value::from),
        any::<String>().prop_map(serde_json::Value::from),
    ];
    scalar.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(serde_json::Value::from),
            prop::collection::btree_map("[a-c\u{e9}\"\\\\]{0,3}", inner, 0..6)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

/// How a value is printed: a gap after every token, and a comma after the last element where `trailing` says so.
struct Layout<'g> {
    gaps: std::iter::Cycle<std::slice::Iter<'g, &'static str>>,
    trailing: bool,
    text: String,
}

impl Layout<'_> {
    fn print(value: &serde_json::Value, gaps: &[&'static str], trailing: bool) -> String {
        let mut layout = Layout {
            gaps: gaps.iter().cycle(),
            trailing,
            text: String::new(),
        };
        layout.gap();
        layout.value(value);
        layout.text
    }

    fn gap(&mut self) {
        self.text.push_str(self.gaps.next().unwrap());
    }

    fn token(&mut self, token: &str) {
        self.text.push_str(token);
        self.gap();
    }

    fn value(&mut self, value: &serde_json::Value) {
        match value {
            serde_json::Value::Array(items) => {
                self.token("[");
                for (at, item) in items.iter().enumerate() {
                    self.value(item);
                    self.comma(at + 1 == items.len());
                }
                self.token("]");
            }
            serde_json::Value::Object(members) => {
                self.token("{");
                for (at, (key, item)) in members.iter().enumerate() {
                    self.token(&serde_json::Value::from(key.as_str()).to_string());
                    self.token(":");
                    self.value(item);
                    self.comma(at + 1 == members.len());
                }
                self.token("}");
            }
            scalar => self.token(&scalar.to_string()),
        }
    }

    fn comma(&mut self, last: bool) {
        if self.trailing || !last {
            self.token(",");
        }
    }
}

fn gaps(gaps: &'static [&'static str]) -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(gaps), 1..12)
}

const SPACE: &[&str] = &["", "", " ", "\n", "\r\n", "\t", "  \n"];
const COMMENTS: &[&str] = &[
    "",
    " ",
    "// { \"\\\" [\n",
    "/* ] \\ \" */",
    "/**/\r\n",
    "//\r",
];

/// Texts that are nearly JSON: a printed value with one stretch replaced.
fn nearly() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "", ",", ":", "\"", "\\", "]", "}", "[", "{", "0", "-", "e", ".", "\\ud800", "\\u0041",
        "\n", "\u{c}", "\u{a0}", "true", "nul", "//", "1e999", "'", "+",
    ];
    let piece = prop::sample::select(PIECES);
    (
        values(),
        gaps(SPACE),
        any::<prop::sample::Index>(),
        0..3_usize,
        piece,
    )
        .prop_map(|(value, gaps, at, cut, piece)| {
            let mut text = Layout::print(&value, &gaps, false);
            let start = text.floor_char_boundary(at.index(text.len() + 1));
            let end = text.ceil_char_boundary(start + cut);
            text.replace_range(start..end, piece);
            text
        })
}

/// The value of `node` as `serde_json` has it: the last duplicate counts.
fn to_serde(node: &Node) -> serde_json::Value {
    match &node.value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(value) => (*value).into(),
        Value::Number(number) => match number.as_i128().and_then(|value| i64::try_from(value).ok())
        {
            Some(integer) => integer.into(),
            // Not `serde_json::from_str`, which may miss the nearest double by one step.
            None => number.as_f64().into(),
        },
        Value::String(text) | Value::Datetime(text) => text.as_str().into(),
        Value::Array(items) => items.iter().map(to_serde).collect(),
        Value::Table(members) => members
            .iter()
            .map(|member| (member.key.text.clone(), to_serde(&member.value)))
            .collect(),
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn printed_values_come_back(value in values(), gaps in gaps(SPACE)) {
        let text = Layout::print(&value, &gaps, false);
        for rules in [JsonDialect::JSON_PARSE, JsonDialect::SERDE_JSON, JSONC] {
            prop_assert_eq!(&to_serde(parse_json(&text, rules).unwrap().root()), &value);
        }
    }

    #[test]
    fn comments_and_trailing_commas_change_no_value(value in values(), gaps in gaps(COMMENTS), trailing: bool) {
        let text = Layout::print(&value, &gaps, trailing);
        prop_assert_eq!(&to_serde(parse_json(&text, JSONC).unwrap().root()), &value);
    }

    #[test]
    fn every_span_holds_its_value(value in values(), gaps in gaps(COMMENTS), trailing: bool) {
        let text = Layout::print(&value, &gaps, trailing);
        let document = parse_json(&text, JSONC).unwrap();
        walk(document.root(), &mut |member, node| {
            let again = parse_json(node.span.of(&text), JSONC).unwrap();
            assert_eq!(placeless(again.root()), placeless(node));
            if let Some(member) = member {
                let key: String = serde_json::from_str(member.key.span.of(&text)).unwrap();
                assert_eq!(key, member.key.text);
            }
        });
    }
}

proptest! {
    #![proptest_config(cases(3000))]

    /// The grammar of this crate and that of `serde_json` accept the same texts. The strict dialects ask `serde_json` too,
    /// so the dialect with comments shows the grammar alone, for texts in which no comment can start.
    #[test]
    fn texts_are_accepted_as_serde_json_accepts_them(text in nearly()) {
        let grammar = serde_json::from_str::<IgnoredAny>(&text).is_ok();
        prop_assert_eq!(parse_json(&text, JsonDialect::JSON_PARSE).is_ok(), grammar, "{:?}", &text);
        let value = serde_json::from_str::<serde_json::Value>(&text).is_ok();
        prop_assert_eq!(parse_json(&text, JsonDialect::SERDE_JSON).is_ok(), value, "{:?}", &text);
        if !text.contains('/') {
            let rules = JsonDialect { trailing_commas: false, ..JSONC };
            prop_assert_eq!(parse_json(&text, rules).is_ok(), grammar, "{:?}", &text);
        }
    }

    /// Liberties only add texts: what is strict JSON has the same tree in every dialect that reads its strings alike.
    #[test]
    fn liberties_change_no_strict_text(text in nearly()) {
        if let Ok(strict) = parse_json(&text, JsonDialect::JSON_PARSE) {
            let free = parse_json(&text, JSONC).unwrap();
            prop_assert_eq!(strict.root(), free.root());
        }
    }
}

/// What the gate relies on: skipping a value checks the grammar and nothing else.
#[test]
fn ignored_any_accepts_what_json_parse_accepts() {
    let accepts = |text: &str| serde_json::from_str::<IgnoredAny>(text).is_ok();
    assert!(accepts(
        r#"["\ud800", "\udc00\ud800", 1e999, -1e-999, 123456789012345678901234567890]"#
    ));
    assert!(accepts(&("[".repeat(100_000) + &"]".repeat(100_000))));
    for text in [
        "",
        "[1,]",
        "[01]",
        "[1.]",
        "[\"\n\"]",
        "[\"\\x\"]",
        "[\"\\u12\"]",
        "\u{feff}[]",
        "[]/**/",
        "\u{b}[]",
        "[NaN]",
    ] {
        assert!(!accepts(text), "{text:?}");
    }
}
