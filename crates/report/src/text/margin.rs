//! Text with a word in the margin before it.

use super::canvas::{Canvas, Line, Tone};
use super::measure::{cut_middle, width, wrap};
use crate::Look;

/// Writes blocks of text beside a margin of words.
pub(crate) struct Margin<'c> {
    canvas: &'c mut Canvas,
    /// Where the text begins.
    column: usize,
    word: Option<String>,
}

impl<'c> Margin<'c> {
    /// A margin wide enough for each of `words`.
    pub(crate) fn for_words<'w>(
        canvas: &'c mut Canvas,
        words: impl IntoIterator<Item = &'w str>,
    ) -> Margin<'c> {
        let widest = words.into_iter().map(width).max().unwrap_or(0);
        Margin {
            canvas,
            column: 1 + widest.clamp(7, 14) + 2,
            word: None,
        }
    }

    /// The word for what is written next; it stands before its first line only.
    pub(crate) fn word(&mut self, word: &str) -> &mut Self {
        self.word = Some(word.to_owned());
        self
    }

    /// Text, in as many lines as it needs.
    pub(crate) fn text(&mut self, tone: Tone, text: &str) {
        for text in wrap(text, self.room()) {
            self.line(Line::default().then(tone, text));
        }
    }

    /// A place, with its middle cut out where it is long.
    pub(crate) fn place(&mut self, place: &str) {
        let text = cut_middle(place, self.room(), self.canvas.look.ellipsis());
        self.line(Line::default().then(Tone::Place, text));
    }

    /// What the screen can do.
    pub(crate) fn look(&self) -> Look {
        self.canvas.look
    }

    /// How wide a line may be.
    pub(crate) fn room(&self) -> usize {
        self.canvas.look.width.saturating_sub(self.column)
    }

    /// One line as it is.
    pub(crate) fn line(&mut self, line: Line) {
        let first = match self.word.take() {
            Some(word) => Line::indented(1).then(Tone::Strong, word),
            None => Line::default(),
        };
        self.canvas.line(first.to(self.column).followed_by(line));
    }
}
