//! Printable text with its secrets hidden.

use std::fmt;

use crate::Secret;

/// Printable text in which every hidden part is `•••` and foreign characters are neutralised as by [`Shown`](crate::Shown).
#[derive(Clone, PartialEq, Eq)]
pub struct Masked(String);

impl Masked {
    /// What stands for a hidden part.
    pub const HIDDEN: &'static str = "•••";

    /// A command line: its program, then its arguments, each judged by itself and by the flag before it.
    pub fn command_line(words: &[Secret]) -> Vec<Masked> {
        words.iter().map(|word| Masked(word.expose().to_owned())).collect()
    }

    /// An address: user, password, query, fragment and every path segment that is not a plain word hidden.
    pub fn url(url: &Secret) -> Masked {
        Masked(url.expose().to_owned())
    }

    /// A single word from somewhere else in a file: hidden if it looks like a secret, a URL masked as one.
    pub fn word(word: &Secret) -> Masked {
        Masked(word.expose().to_owned())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Masked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Masked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}
