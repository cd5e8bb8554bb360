//! Lone surrogate escapes, which JavaScript strings can hold and Rust's cannot.

use std::borrow::Cow;

/// `text` with each `\uXXXX` escape of a lone surrogate turned into `\ufffd`. Every byte stays in its place, so spans hold.
///
/// Strings are not told apart from the rest: outside of them a backslash is either in a comment or an error anyway, and a
/// backslash pair can reach over neither the end of a comment nor the start of a string.
pub(super) fn replace_lone(text: &str) -> Cow<'_, str> {
    // Few files have any escape of this kind.
    if !text.contains("\\u") {
        return Cow::Borrowed(text);
    }
    let mut replaced = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(backslash) = find_backslash(text, at) {
        at = match unit(text, backslash) {
            Some(0xD800..=0xDBFF) if matches!(unit(text, backslash + 6), Some(0xDC00..=0xDFFF)) => {
                backslash + 12
            }
            Some(0xD800..=0xDFFF) => {
                replaced.push_str(text.get(copied..backslash).unwrap_or_default());
                replaced.push_str("\\ufffd");
                copied = backslash + 6;
                copied
            }
            _ => backslash + 2,
        };
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    replaced.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(replaced)
}

/// The next backslash from byte `from` on, which may lie inside a character.
fn find_backslash(text: &str, from: usize) -> Option<usize> {
    let rest = text.as_bytes().get(from..)?;
    rest.iter()
        .position(|byte| *byte == b'\\')
        .map(|at| from + at)
}

/// The code unit of the escape `\uXXXX` that starts at byte `at`.
fn unit(text: &str, at: usize) -> Option<u32> {
    let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
    // `from_str_radix` would also take a sign.
    if digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        u32::from_str_radix(digits, 16).ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_and_escaped_backslashes_stay() {
        for text in [
            r#""\ud83d\ude00""#,
            r#""\\ud800""#,
            r#""\u00e9""#,
            r#""ä\ü""#,
            r#""\u+800""#,
            r#""\"#,
        ] {
            assert!(matches!(replace_lone(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn lone_ones_are_replaced_in_place() {
        assert_eq!(replace_lone(r#""a\ud800b""#), r#""a\ufffdb""#);
        assert_eq!(
            replace_lone(r#""\uDC00\ud83d\ude00""#),
            r#""\ufffd\ud83d\ude00""#
        );
        assert_eq!(
            replace_lone(r#""\ud800\ud83d\ude00""#),
            r#""\ufffd\ud83d\ude00""#
        );
        assert_eq!(replace_lone(r#""\ud800\u0041""#), r#""\ufffd\u0041""#);
        assert_eq!(replace_lone(r#""\\\udfff""#), r#""\\\ufffd""#);
    }
}
