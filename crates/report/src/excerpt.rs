//! The masked line of a file that a place is about.
//!
//! `annotate-snippets` draws such excerpts from whole sources, which would hand it the secrets of every other line, and its spans
//! count bytes of the unmasked text. Here a line is masked first and its marks follow; drawing it is then a matter of a few lines.

use muster_core::{Resolution, Source};
use muster_document::{Document, Place};

/// A masked line with the part that is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Excerpt {
    /// The line's number, from 1.
    pub(crate) line: u32,
    /// The line, masked.
    pub(crate) text: String,
    /// The first character that is meant, from 0.
    pub(crate) from: usize,
    /// One past the last one.
    pub(crate) to: usize,
}

impl Excerpt {
    /// The line that `place` is about; `None` where the text is not at hand.
    pub(crate) fn of(resolution: &Resolution, place: &Place) -> Option<Excerpt> {
        let source = resolution
            .sources
            .iter()
            .find(|source| *source.path() == place.path)?;
        match &**source {
            Source::Parsed(document) => Excerpt::parsed(document, place),
            Source::Broken(_) => None,
        }
    }

    fn parsed(document: &Document, place: &Place) -> Option<Excerpt> {
        let line = place.position.line;
        let text = muster_document::excerpt_line(document, line)?.to_string();
        let from = usize::try_from(place.position.column)
            .ok()?
            .saturating_sub(1);
        let to = from
            + place
                .span
                .of(document.text())
                .lines()
                .next()
                .unwrap_or_default()
                .chars()
                .count();
        Some(Excerpt {
            line,
            text,
            from,
            to,
        })
    }
}
