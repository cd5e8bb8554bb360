//! Values as text.

use std::fmt::Write as _;

use serde_json::Value;

/// `value` as JSON, one member a line.
pub fn json(value: &Value) -> String {
    format!("{value:#}\n")
}

/// `value` as TOML: tables of the root and tables in these get headers, what is deeper stands inline. TOML knows no null, so a null
/// becomes the string `null`. A root that is no table is written as it is, which is no TOML.
pub fn toml(value: &Value) -> String {
    let Value::Object(members) = value else {
        return json(value);
    };
    // What has no header comes first, or it would belong to the last table.
    let (tables, plain): (Vec<_>, Vec<_>) =
        members.iter().partition(|(_, value)| value.is_object());
    let mut text = String::new();
    for (key, value) in plain {
        line(&mut text, key, value);
    }
    for (key, value) in tables {
        table(&mut text, &[quoted(key)], value);
    }
    text
}

/// How deep tables get headers.
const HEADERS: usize = 2;

fn table(text: &mut String, path: &[String], value: &Value) {
    let Value::Object(members) = value else {
        return;
    };
    // Writing to a string does not fail, here and below.
    let _ = writeln!(text, "\n[{}]", path.join("."));
    let below = path.len() < HEADERS;
    let (tables, plain): (Vec<_>, Vec<_>) = members
        .iter()
        .partition(|(_, value)| below && value.is_object());
    for (key, value) in plain {
        line(text, key, value);
    }
    for (key, value) in tables {
        table(text, &[path, &[quoted(key)]].concat(), value);
    }
}

fn line(text: &mut String, key: &str, value: &Value) {
    let _ = writeln!(text, "{} = {}", quoted(key), inline(value));
}

fn inline(value: &Value) -> String {
    match value {
        Value::Null => quoted("null"),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => quoted(text),
        Value::Array(items) => format!(
            "[{}]",
            items.iter().map(inline).collect::<Vec<_>>().join(", ")
        ),
        Value::Object(members) => {
            let members: Vec<_> = members
                .iter()
                .map(|(key, value)| format!("{} = {}", quoted(key), inline(value)))
                .collect();
            format!("{{ {} }}", members.join(", "))
        }
    }
}

/// A basic string, for keys too.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            character if character.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(character));
            }
            character => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use camino::Utf8Path;
    use muster_document::{Dialect, Document, JsonDialect};
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::strategies::{Format, document};

    #[test]
    fn tables_get_headers_and_what_is_deeper_stands_inline() {
        let value = json!({"b": {"x": {"args": ["a"], "env": {"A": "1"}}}, "a": true});
        assert_eq!(
            toml(&value),
            "\"a\" = true\n\n[\"b\"]\n\n[\"b\".\"x\"]\n\"args\" = [\"a\"]\n\"env\" = { \"A\" = \"1\" }\n"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_rendered_parses(value in document(Format::Toml), state in document(Format::State)) {
            let parse = |text: String, dialect| Document::parse(Utf8Path::new("/x").into(), text.as_bytes(), dialect);
            if value.is_object() {
                prop_assert!(parse(toml(&value), Dialect::Toml).is_ok(), "{}", toml(&value));
            }
            prop_assert!(parse(json(&state), Dialect::Json(JsonDialect::JSON_PARSE)).is_ok());
        }
    }
}
