//! Printable text with its secrets hidden.

use std::fmt;

use super::cover::Cover;
use super::shown::visible;
use super::{arguments, url, word};
use crate::Secret;

/// Printable text in which every hidden part is `•••` and foreign characters are neutralised as by [`Shown`](crate::Shown).
#[derive(Clone, PartialEq, Eq)]
pub struct Masked(String);

impl Masked {
    /// What stands for a hidden part.
    pub const HIDDEN: &'static str = "•••";

    /// A command line: its program, then its arguments, each judged by itself and by the flag before it.
    pub fn command_line<'s>(words: impl IntoIterator<Item = &'s Secret>) -> Vec<Masked> {
        Masking::command_line(words)
            .into_iter()
            .map(|masking| masking.text)
            .collect()
    }

    /// An address: user, password, query, fragment and every path segment that is not a plain word hidden; references to variables stay.
    /// Of what is no address only plain words can be read.
    pub fn url(url: &Secret) -> Masked {
        Masking::url(url).text
    }

    /// A text of unknown meaning: what looks like a secret in it is hidden. Addresses, command lines and JSON inside it are masked as such.
    pub fn word(word: &Secret) -> Masked {
        Masking::word(word).text
    }

    /// The path of a file: as a [`word`](Masked::word), and what follows a `?` or a `"` is hidden, since no path goes on so.
    pub fn path(path: &Secret) -> Masked {
        Masking::path(path).text
    }

    /// The value of a variable or a header: hidden unless it consists of references (`${TOKEN}`, `Bearer $TOKEN`) alone.
    pub fn value(value: &Secret) -> Masked {
        Masking::value(value).text
    }

    /// A line that a program wrote: every word of it is judged as an argument would be, so that `KEY=value`, addresses, and what looks
    /// like a key are hidden. Blanks are drawn together.
    pub fn line(line: &Secret) -> Masked {
        let words: Vec<Secret> = line.expose().split_whitespace().map(Secret::new).collect();
        let masked: Vec<String> = Masked::command_line(&words)
            .into_iter()
            .map(String::from)
            .collect();
        Masked(masked.join(" "))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Takes text that was made by covering something. Not for text of any other origin.
    pub(super) fn from_covered(text: String) -> Self {
        Masked(text)
    }
}

impl From<Masked> for String {
    fn from(masked: Masked) -> String {
        masked.0
    }
}

impl fmt::Display for Masked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for Masked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0)
    }
}

/// Masked text together with what was hidden, for the [`Scrubber`](crate::Scrubber) to learn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Masking {
    /// What may be printed.
    pub text: Masked,
    /// The hidden parts as they are written in the original, in order.
    pub hidden: Vec<Secret>,
}

impl Masking {
    /// As [`Masked::command_line`].
    pub fn command_line<'s>(words: impl IntoIterator<Item = &'s Secret>) -> Vec<Masking> {
        let texts: Vec<&str> = words.into_iter().map(Secret::expose).collect();
        let covers = arguments::judge(&texts, word::DEPTH);
        texts
            .into_iter()
            .zip(covers)
            .map(|(text, cover)| Masking::new(text, &cover))
            .collect()
    }

    /// As [`Masked::url`].
    pub fn url(url: &Secret) -> Masking {
        Masking::new(url.expose(), &url::judge(url.expose()))
    }

    /// As [`Masked::word`].
    pub fn word(word: &Secret) -> Masking {
        Masking::new(word.expose(), &word::judge(word.expose(), word::DEPTH))
    }

    /// As [`Masked::path`].
    pub fn path(path: &Secret) -> Masking {
        Masking::new(path.expose(), &word::path(path.expose(), word::DEPTH))
    }

    /// As [`Masked::value`].
    pub fn value(value: &Secret) -> Masking {
        Masking::new(value.expose(), &word::hide_strictly(value.expose()))
    }

    fn new(text: &str, cover: &Cover) -> Masking {
        Masking {
            text: Masked(visible(&cover.redact(text))),
            hidden: cover.secrets(text),
        }
    }
}
