//! A second opinion from `serde_json`, for dialects without liberties.

use serde::de::IgnoredAny;

use crate::document::Fault;
use crate::{JsonDialect, Span};

/// Lets `serde_json` read `text` as the program behind `rules` would, and refuses what it refuses.
///
/// For programs that use `serde_json` themselves the text becomes a `serde_json::Value`: that finds lone surrogates, numbers
/// outside the range of a double, and nesting beyond its limit. `JSON.parse` allows all three. Reading into `IgnoredAny` does
/// as well, for it skips values in a loop without decoding them, which leaves exactly the grammar of RFC 8259.
pub(super) fn check(text: &str, rules: JsonDialect) -> Result<(), Fault> {
    let verdict = if rules.lone_surrogates {
        serde_json::from_str::<IgnoredAny>(text).map(|_| ())
    } else {
        serde_json::from_str::<serde_json::Value>(text).map(|_| ())
    };
    verdict.map_err(|error| to_fault(text, &error))
}

fn to_fault(text: &str, error: &serde_json::Error) -> Fault {
    let shown = error.to_string();
    // The position has its own place in a fault.
    let message = shown
        .rsplit_once(" at line ")
        .map_or(shown.as_str(), |(message, _)| message);
    Fault::at(span(text, error.line(), error.column()), message)
}

/// The character before which `serde_json` stopped: it counts lines from 1 and columns in bytes read.
fn span(text: &str, line: usize, column: usize) -> Span {
    let start: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let at = text.floor_char_boundary(start + column.saturating_sub(1));
    let width = text
        .get(at..)
        .and_then(|rest| rest.chars().next())
        .map_or(0, char::len_utf8);
    Span::new(at, at + width)
}
