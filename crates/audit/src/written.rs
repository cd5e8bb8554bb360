//! What stands behind a key, as it is spelled.

use muster_document::Span;

/// The value behind the key at `key` in `text`, if it is a single word: `true`, `12`, `"sse"` without its quotes.
pub(crate) fn scalar_after(text: &str, key: Span) -> Option<&str> {
    let rest = text.get(key.end..)?.trim_start();
    let rest = rest.strip_prefix([':', '='])?.trim_start();
    if let Some(quoted) = rest.strip_prefix('"') {
        return quoted.split_once('"').map(|(word, _)| word);
    }
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, ',' | '}' | ']' | '#'))?;
    rest.get(..end).filter(|word| !word.is_empty())
}

/// Whether the value behind the key at `key` is an empty list or table.
pub(crate) fn is_empty_after(text: &str, key: Span) -> bool {
    let rest = text.get(key.end..).unwrap_or_default().trim_start();
    let rest = rest.strip_prefix([':', '=']).unwrap_or(rest).trim_start();
    let inside = rest.strip_prefix('[').or_else(|| rest.strip_prefix('{'));
    inside.is_some_and(|inside| inside.trim_start().starts_with([']', '}']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str, key: &str) -> Span {
        let start = text.find(key).expect("the key stands in the text");
        Span::new(start, start + key.len())
    }

    #[test]
    fn a_single_word_is_read_in_json_and_in_toml() {
        let scalar = |text: &'static str, name| scalar_after(text, key(text, name));
        assert_eq!(scalar("{\"a\": true, \"b\": 1}", "\"a\""), Some("true"));
        assert_eq!(scalar("{\"a\" :\n \"sse\"}", "\"a\""), Some("sse"));
        assert_eq!(scalar("a = false # off\n", "a"), Some("false"));
        assert_eq!(scalar("a = 5}", "a"), Some("5"));
        assert_eq!(scalar("{\"a\": }", "\"a\""), None);
        assert_eq!(scalar("{\"a\"", "\"a\""), None);
    }

    #[test]
    fn an_empty_list_is_told_from_a_full_one() {
        let empty = |text: &'static str| is_empty_after(text, key(text, "a"));
        assert!(empty("a = [ ]") && empty("a: {}"));
        assert!(!empty("a = [1]") && !empty("a = true"));
    }
}
