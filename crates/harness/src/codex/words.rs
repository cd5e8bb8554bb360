//! Values that are one of several things: words, tagged tables, untagged choices. Observed on 0.171.0.

use muster_document::{Masked, Value};

use super::merge::{Content, Merged};
use super::schema::{Fault, Numbers, Type};

/// One of a few words; a table of one key counts as that key.
pub(super) fn choice(words: &[&str], value: &Merged<'_>) -> Result<(), Fault> {
    let (word, inside) = tag(value)?;
    known_word(words, word, value)?;
    inside.map_or(Ok(()), empty_table)
}

/// One of a few words, some of which stand for a table.
pub(super) fn variant(
    variants: &[(&str, Option<Type>)],
    value: &Merged<'_>,
    numbers: Numbers,
) -> Result<(), Fault> {
    let (word, inside) = tag(value)?;
    let Some((_, payload)) = variants.iter().find(|(name, _)| *name == word) else {
        let words: Vec<_> = variants.iter().map(|(name, _)| *name).collect();
        return known_word(&words, word, value);
    };
    match (payload, inside) {
        (None, None) => Ok(()),
        (None, Some(inside)) => empty_table(inside),
        (Some(payload), Some(inside)) => payload.check(inside, numbers),
        (Some(payload), None) => {
            let shape = match payload.expected().starts_with("struct variant") {
                true => "struct",
                false => "newtype",
            };
            let words = format!("invalid type: unit variant, expected {shape} variant");
            Err(Fault::at(value, words))
        }
    }
}

/// A table that says in `type` which it is.
pub(super) fn kind(
    kinds: &[(&str, Type)],
    value: &Merged<'_>,
    numbers: Numbers,
) -> Result<(), Fault> {
    let Some(named) = value.get("type") else {
        return Err(missing(value, "type"));
    };
    let word = named.as_str().unwrap_or_default();
    match kinds.iter().find(|(name, _)| *name == word) {
        Some((_, kind)) => kind.check(value, numbers),
        None => {
            let words: Vec<_> = kinds.iter().map(|(name, _)| *name).collect();
            known_word(&words, word, named).map_err(|fault| fault.inside("type"))
        }
    }
}

pub(super) fn missing(value: &Merged<'_>, key: &str) -> Fault {
    Fault::at(value, format!("missing field `{key}`"))
}

/// The word that a value is, and what stands under it if it is the only key of a table.
fn tag<'v, 'l>(value: &'v Merged<'l>) -> Result<(&'v str, Option<&'v Merged<'l>>), Fault> {
    match &value.content {
        Content::Scalar(Value::String(word)) => Ok((word.as_str(), None)),
        Content::Table(_) => {
            let mut members = value.members();
            match (members.next(), members.next()) {
                (Some((key, inside)), None) => Ok((key, Some(inside))),
                (None, _) => Err(Fault::at(
                    value,
                    "wanted exactly 1 element, found 0 elements",
                )),
                _ => Err(Fault::at(
                    value,
                    "wanted exactly 1 element, more than 1 element",
                )),
            }
        }
        _ => Err(Fault::at(
            value,
            "invalid type: unit variant, expected string only",
        )),
    }
}

/// What may stand under a word that has no values: nothing.
fn empty_table(inside: &Merged<'_>) -> Result<(), Fault> {
    let found = match &inside.content {
        Content::Table(_) if inside.members().next().is_some() => {
            return Err(Fault::at(inside, "expected empty table"));
        }
        Content::List(items) if !items.is_empty() => {
            return Err(Fault::at(inside, "expected empty array"));
        }
        Content::Table(_) | Content::List(_) => return Ok(()),
        Content::Scalar(Value::Bool(_)) => "boolean",
        Content::Scalar(Value::Number(number)) if number.as_i128().is_some() => "integer",
        Content::Scalar(Value::Number(_)) => "float",
        Content::Scalar(Value::Datetime(_)) => "datetime",
        Content::Scalar(_) => "string",
    };
    Err(Fault::at(inside, format!("expected table, found {found}")))
}

/// Holds `word` against `words`. Another one is not told: it may be anything.
pub(super) fn known_word(words: &[&str], word: &str, value: &Merged<'_>) -> Result<(), Fault> {
    if words.contains(&word) {
        return Ok(());
    }
    let expected = match words {
        [one] => format!("`{one}`"),
        [one, two] => format!("`{one}` or `{two}`"),
        words => format!(
            "one of {}",
            words
                .iter()
                .map(|word| format!("`{word}`"))
                .collect::<Vec<_>>()
                .join(", ")
        ),
    };
    Err(Fault::at(
        value,
        format!("unknown variant `{}`, expected {expected}", Masked::HIDDEN),
    ))
}

/// An element of `env_vars`.
pub(super) fn env_var(value: &Merged<'_>) -> Result<(), Fault> {
    let text = |key| value.get(key).is_some_and(|inner| inner.as_str().is_some());
    let known = || {
        value
            .members()
            .all(|(key, _)| key == "name" || (key == "source" && text("source")))
    };
    if value.as_str().is_some() || (text("name") && known()) {
        return Ok(());
    }
    Err(Fault::at(
        value,
        "data did not match any variant of untagged enum McpServerEnvVar",
    ))
}
