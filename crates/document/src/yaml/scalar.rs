//! Scalars under YAML 1.2's core schema.

use std::borrow::Cow;

use saphyr_parser::{ScalarStyle, Tag};

use crate::{Number, Value};

/// What a scalar means that reads `text` once it is unescaped.
pub(super) fn value(text: Cow<'_, str>, style: ScalarStyle, tag: Option<&Tag>) -> Value {
    let string = tag.is_some_and(|tag| tag.is_yaml_core_schema() && tag.suffix == "str");
    if string || style != ScalarStyle::Plain {
        return Value::String(text.into_owned());
    }
    match &*text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        plain => match integer(plain) {
            Some(integer) => Value::Number(Number {
                text: text.into_owned(),
                integer,
            }),
            None => Value::String(text.into_owned()),
        },
    }
}

/// Whether `text` spells an integer; `None` if it spells no number.
fn integer(text: &str) -> Option<bool> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if is_integer(text, unsigned) {
        Some(true)
    } else if is_float(text, unsigned) {
        Some(false)
    } else {
        None
    }
}

fn is_integer(text: &str, unsigned: &str) -> bool {
    let digits = |digits: &str, radix| {
        !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix))
    };
    if let Some(hexadecimal) = text.strip_prefix("0x") {
        digits(hexadecimal, 16) && i128::from_str_radix(hexadecimal, 16).is_ok()
    } else if let Some(octal) = text.strip_prefix("0o") {
        digits(octal, 8) && i128::from_str_radix(octal, 8).is_ok()
    } else {
        digits(unsigned, 10)
    }
}

fn is_float(text: &str, unsigned: &str) -> bool {
    let spelled = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-');
    matches!(unsigned, ".inf" | ".Inf" | ".INF")
        || matches!(text, ".nan" | ".NaN" | ".NAN")
        || (text.chars().all(spelled) && text.parse::<f64>().is_ok())
}
