//! Which parts of a text are hidden.

use std::borrow::Cow;

use super::decoded::Decoded;
use crate::{Masked, Secret, Span};

/// The hidden byte ranges of a text. Judges give a cover for the text they were handed; whoever cut that text out of a larger one
/// moves the cover to where it belongs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Cover {
    spans: Vec<Span>,
}

impl Cover {
    /// Nothing is hidden.
    pub(super) fn none() -> Self {
        Cover::default()
    }

    /// All of `text` is hidden.
    pub(super) fn all(text: &str) -> Self {
        Cover::of(Span::new(0, text.len()))
    }

    /// Only `span` is hidden.
    pub(super) fn of(span: Span) -> Self {
        let mut cover = Cover::none();
        cover.hide(span);
        cover
    }

    /// Hides `span` too.
    pub(super) fn hide(&mut self, span: Span) {
        if span.start < span.end {
            self.spans.push(span);
        }
    }

    /// Hides what `part` hides, `part` being about the text that starts at byte `at` of this one.
    pub(super) fn add(&mut self, part: Cover, at: usize) {
        self.spans.extend(
            part.spans
                .into_iter()
                .map(|span| Span::new(span.start + at, span.end + at)),
        );
    }

    /// The same cover for the text that starts `at` bytes earlier.
    pub(super) fn moved(self, at: usize) -> Cover {
        let mut cover = Cover::none();
        cover.add(self, at);
        cover
    }

    /// The part of this cover that lies in `window`, as a cover of the text there.
    pub(super) fn within(&self, window: Span) -> Cover {
        let clipped =
            |span: Span| Span::new(span.start.max(window.start), span.end.min(window.end));
        let inside = self
            .spans()
            .into_iter()
            .map(clipped)
            .filter(|span| span.start < span.end);
        inside
            .map(|span| Span::new(span.start - window.start, span.end - window.start))
            .collect()
    }

    /// A cover of decoded text as a cover of what it was decoded from.
    pub(super) fn through(&self, decoded: &Decoded) -> Cover {
        Cover {
            spans: self
                .spans
                .iter()
                .map(|span| decoded.source(*span))
                .collect(),
        }
    }

    /// Whether nothing is hidden.
    pub(super) fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The hidden ranges, sorted; ranges that touch are one.
    pub(super) fn spans(&self) -> Vec<Span> {
        let mut sorted = self.spans.clone();
        sorted.sort_unstable();
        let mut merged: Vec<Span> = Vec::with_capacity(sorted.len());
        for span in sorted {
            match merged.last_mut() {
                Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
                _ => merged.push(span),
            }
        }
        merged
    }

    /// The hidden substrings of `text`.
    pub(super) fn secrets(&self, text: &str) -> Vec<Secret> {
        self.spans()
            .into_iter()
            .map(|span| Secret::new(span.of(text)))
            .filter(|secret| !secret.expose().is_empty())
            .collect()
    }

    /// `text` with each hidden range as `•••`, the rest unchanged.
    pub(super) fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len());
        for piece in self.pieces(text) {
            match piece {
                Piece::Shown(_, c) => out.push(c),
                Piece::Hidden(_) => out.push_str(Masked::HIDDEN),
            }
        }
        Cow::Owned(out)
    }

    /// `text` as shown characters and hidden ranges. A character that a hidden range only touches is hidden with it.
    pub(super) fn pieces<'t>(&self, text: &'t str) -> impl Iterator<Item = Piece> + 't {
        let mut hidden = self.spans().into_iter().peekable();
        let mut chars = text.char_indices().peekable();
        std::iter::from_fn(move || {
            let (at, c) = chars.next()?;
            let after = at + c.len_utf8();
            while hidden.next_if(|span| span.end <= at).is_some() {}
            let Some(span) = hidden.next_if(|span| span.start < after) else {
                return Some(Piece::Shown(Span::new(at, after), c));
            };
            let mut end = after;
            while let Some((next, c)) = chars.next_if(|(next, _)| *next < span.end) {
                end = next + c.len_utf8();
            }
            Some(Piece::Hidden(Span::new(at, end)))
        })
    }
}

impl FromIterator<Span> for Cover {
    fn from_iter<T: IntoIterator<Item = Span>>(spans: T) -> Self {
        let mut cover = Cover::none();
        spans.into_iter().for_each(|span| cover.hide(span));
        cover
    }
}

/// A shown character or a hidden range of a text, with where it stands.
pub(super) enum Piece {
    Shown(Span, char),
    Hidden(Span),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_touch_are_hidden_as_one() {
        let mut cover = Cover::of(Span::new(6, 8));
        cover.hide(Span::new(1, 3));
        cover.hide(Span::new(3, 4));
        assert_eq!(cover.redact("abcdefgh"), "a•••ef•••");
    }

    #[test]
    fn a_character_that_is_cut_is_hidden_whole() {
        assert_eq!(Cover::of(Span::new(2, 3)).redact("aäb"), "a•••b");
        assert_eq!(Cover::of(Span::new(3, 99)).redact("aäb"), "aä•••");
    }
}
