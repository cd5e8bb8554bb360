//! Damage to files that were whole.

use proptest::prelude::*;

/// What is put into a file: what has a meaning to some parser or some rule.
const TOKENS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "=",
    "\"",
    "'",
    "\\",
    "//",
    "/*",
    "#",
    "\n",
    "\r\n",
    "\t",
    "null",
    "true",
    "false",
    "0",
    "-1",
    "1e999",
    "{}",
    "[]",
    "\"\"",
    "\u{feff}",
    "\\ud800",
    "\u{0}",
    "mcpServers",
    "mcp_servers",
    "command",
    "url",
    "[[a]]",
    "[a.b]",
    "\"\"\"",
    "é",
    "${HOME}",
];

/// One change to a file. Positions are parts of 65536, so that they mean something in a file of any length.
#[derive(Debug, Clone)]
pub enum Mutation {
    /// Changes one bit of a byte.
    Flip(u16, u8),
    /// Takes out up to this many bytes.
    Delete(u16, u8),
    /// Says up to this many bytes twice.
    Repeat(u16, u8),
    /// Puts in a token.
    Insert(u16, &'static str),
    /// Puts a token in place of a word (`true`, a string, a number).
    Replace(u16, &'static str),
    /// Cuts the file off.
    Cut(u16),
}

/// A mutation.
pub fn mutation() -> impl Strategy<Value = Mutation> {
    let at = any::<u16>;
    let token = || prop::sample::select(TOKENS);
    prop_oneof![
        (at(), 0..8_u8).prop_map(|(at, bit)| Mutation::Flip(at, bit)),
        (at(), any::<u8>()).prop_map(|(at, length)| Mutation::Delete(at, length)),
        (at(), any::<u8>()).prop_map(|(at, length)| Mutation::Repeat(at, length)),
        (at(), token()).prop_map(|(at, token)| Mutation::Insert(at, token)),
        (at(), token()).prop_map(|(at, token)| Mutation::Replace(at, token)),
        at().prop_map(Mutation::Cut),
    ]
}

/// `content` with a few mutations.
pub fn mutated(content: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(mutation(), 1..4).prop_map(move |mutations| {
        mutations
            .iter()
            .fold(content.clone(), |content, change| change.apply(content))
    })
}

impl Mutation {
    /// `content` after the change.
    pub fn apply(&self, mut content: Vec<u8>) -> Vec<u8> {
        match *self {
            Mutation::Flip(at, bit) => {
                let at = place(at, &content);
                if let Some(byte) = content.get_mut(at) {
                    *byte ^= 1 << (bit % 8);
                }
            }
            Mutation::Delete(at, length) => {
                content.drain(range(at, length, &content));
            }
            Mutation::Repeat(at, length) => {
                let range = range(at, length, &content);
                let again = content.get(range.clone()).unwrap_or_default().to_vec();
                content.splice(range.end..range.end, again);
            }
            Mutation::Insert(at, token) => {
                let at = place(at, &content);
                content.splice(at..at, token.bytes());
            }
            Mutation::Replace(at, token) => {
                content.splice(word(place(at, &content), &content), token.bytes());
            }
            Mutation::Cut(at) => content.truncate(place(at, &content)),
        }
        content
    }
}

fn place(at: u16, content: &[u8]) -> usize {
    usize::from(at) * content.len() / (usize::from(u16::MAX) + 1)
}

fn range(at: u16, length: u8, content: &[u8]) -> std::ops::Range<usize> {
    let start = place(at, content);
    start..content.len().min(start + usize::from(length))
}

/// The word around `at`: letters, digits and what stands in numbers.
fn word(at: usize, content: &[u8]) -> std::ops::Range<usize> {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let (before, after) = content.split_at(at.min(content.len()));
    let back = before.iter().rev().take_while(is_part).count();
    let ahead = after.iter().take_while(is_part).count();
    before.len() - back..before.len() + ahead
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(mutation: Mutation, expected: &str) {
        let content = mutation.apply(b"{\"a\": true}".to_vec());
        assert_eq!(String::from_utf8_lossy(&content), expected, "{mutation:?}");
    }

    #[test]
    fn mutations_do_what_they_say() {
        let middle = u16::MAX / 11 * 7;
        check(Mutation::Replace(middle, "null"), "{\"a\": null}");
        check(Mutation::Delete(middle, 2), "{\"a\": ue}");
        check(Mutation::Repeat(middle, 2), "{\"a\": trtrue}");
        check(Mutation::Insert(0, "["), "[{\"a\": true}");
        check(Mutation::Cut(middle), "{\"a\": ");
        check(Mutation::Flip(0, 0), "z\"a\": true}");
    }

    #[test]
    fn an_empty_file_can_be_mutated() {
        for mutation in [
            Mutation::Flip(9, 9),
            Mutation::Delete(9, 9),
            Mutation::Repeat(9, 9),
            Mutation::Replace(9, ""),
            Mutation::Cut(9),
        ] {
            assert!(mutation.apply(Vec::new()).is_empty());
        }
    }
}
