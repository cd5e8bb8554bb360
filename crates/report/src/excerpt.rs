//! The masked line of a file that a place is about.
//!
//! `annotate-snippets` draws such excerpts from whole sources, which would hand it the secrets of every other line, and its spans
//! count bytes of the unmasked text. Here a line is masked first and its marks follow; drawing it is then a matter of a few lines.

use muster_core::{Resolution, Source};
use muster_document::{LineIndex, Place, excerpt_at, excerpt_broken};

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
        let masked = match &**source {
            Source::Parsed(document) => excerpt_at(document, place.span)?,
            Source::Broken(error) => {
                let lines = LineIndex::new(error.text());
                excerpt_broken(error.text(), &lines, place.position.line)?
            }
        };
        let marks = masked.marks(place.span);
        Some(Excerpt {
            line: masked.line,
            text: masked.text.to_string(),
            from: marks.start,
            to: marks.end,
        })
    }
}
