//! Words of a shell's command line.

use super::decoded::Decoded;
use crate::Span;

/// Splits `text` at blanks outside quotes, as a POSIX shell does, and takes quotes and backslashes off. Operators do not end a word, and a
/// quote that nothing closes is an ordinary character: the text may be no command at all.
pub(super) fn split(text: &str) -> Vec<Decoded> {
    let mut words = Vec::new();
    let mut word = Decoded::default();
    let mut started = false;
    let mut at = 0;
    while let Some(rest) = text.get(at..)
        && let Some(c) = rest.chars().next()
    {
        let after = at + c.len_utf8();
        let rest = rest.get(c.len_utf8()..).unwrap_or_default();
        if c.is_whitespace() {
            if std::mem::take(&mut started) {
                words.push(std::mem::take(&mut word));
            }
            at = after;
            continue;
        }
        started = true;
        at = match c {
            '\'' | '"' if let Some(end) = closing(rest, c) => {
                let inner = Decoded::plain(rest.get(..end).unwrap_or_default(), after);
                word.append(if c == '"' { inner.backslashes() } else { inner });
                after + end + 1
            }
            '\\' if let Some(next) = rest.chars().next() => {
                word.push(next, Span::new(at, after + next.len_utf8()));
                after + next.len_utf8()
            }
            _ => {
                word.push(c, Span::new(at, after));
                after
            }
        };
    }
    if started {
        words.push(word);
    }
    words
}

/// Where the quote `quote` closes in the text behind it.
fn closing(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in rest.char_indices() {
        if c == quote && !escaped {
            return Some(at);
        }
        escaped = quote == '"' && c == '\\' && !escaped;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lose_their_quotes_and_know_where_they_stood() {
        let cases: [(&str, &[&str]); 7] = [
            (
                "curl -H 'A: b c' \"x \\\"y\"",
                &["curl", "-H", "A: b c", "x \"y"],
            ),
            ("a\\ b  c", &["a b", "c"]),
            ("--x=\"a b\"'c'd", &["--x=a bcd"]),
            ("it's a", &["it's", "a"]),
            ("'' x", &["", "x"]),
            ("x\\", &["x\\"]),
            ("  ", &[]),
        ];
        for (text, expected) in cases {
            let words = split(text);
            assert_eq!(
                words.iter().map(Decoded::text).collect::<Vec<_>>(),
                expected,
                "{text}"
            );
        }
        let text = "a 'b c'";
        let words = split(text);
        assert_eq!(
            words
                .last()
                .map(|word| word.source(Span::new(0, 3)).of(text)),
            Some("b c")
        );
    }
}
