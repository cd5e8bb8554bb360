//! Where something stands: byte spans, line and column, and a place in a named file.

use std::sync::Arc;

use camino::Utf8Path;

/// A half-open range of bytes in a document's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span from `start` up to, not including, `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The bytes of `text` that this span covers; empty where it does not fit.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or_default()
    }

    /// Whether `other` lies inside this span.
    pub fn covers(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// A line and a column, both counted from 1; columns count Unicode scalar values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// 1 for the first line.
    pub line: u32,
    /// 1 for the first character of a line.
    pub column: u32,
}

/// The starts of a text's lines, to turn byte offsets into positions. Only LF ends a line; the CR of CRLF belongs to its line.
#[derive(Debug, Clone)]
pub struct LineIndex {
    starts: Vec<usize>,
    /// How many characters start before each [`STRIDE`]th byte: a minified file is one long line, which must not be read
    /// anew for every position in it.
    counts: Vec<usize>,
}

/// How many bytes lie between two known counts of characters.
const STRIDE: usize = 512;

impl LineIndex {
    /// Finds the lines of `text`.
    pub fn new(text: &str) -> Self {
        let bytes = text.bytes().enumerate();
        let ends = bytes.filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0)
            .chain(ends.map(|(at, _)| at + 1))
            .collect();
        let counts = text.as_bytes().chunks(STRIDE).scan(0, |count, chunk| {
            let before = *count;
            *count += characters(chunk);
            Some(before)
        });
        Self {
            starts,
            counts: counts.collect(),
        }
    }

    /// The position of byte `offset` in `text`, the text this index was made from. An offset past the end counts as the end.
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let offset = offset.min(text.len());
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        // Only minified files have lines that are worth the longer way.
        let column = match text.as_bytes().get(start..offset) {
            Some(before) if before.len() <= STRIDE => characters(before),
            _ => self
                .characters_before(text, offset)
                .saturating_sub(self.characters_before(text, start)),
        };
        Position {
            line: saturate(line),
            column: saturate(column + 1),
        }
    }

    fn characters_before(&self, text: &str, offset: usize) -> usize {
        // One less, so that the end of the text belongs to its last stride.
        let stride = offset.saturating_sub(1) / STRIDE;
        let known = self.counts.get(stride).copied().unwrap_or(0);
        known
            + text
                .as_bytes()
                .get(stride * STRIDE..offset)
                .map_or(0, characters)
    }

    /// The span of line `line` (from 1), without its line end; `None` past the last line.
    pub fn line_span(&self, text: &str, line: u32) -> Option<Span> {
        let at = usize::try_from(line).ok()?.checked_sub(1)?;
        let start = *self.starts.get(at)?;
        let end = self.starts.get(at + 1).map_or(text.len(), |next| next - 1);
        let end = if text.get(start..end)?.ends_with('\r') {
            end - 1
        } else {
            end
        };
        Some(Span { start, end })
    }

    /// How many lines there are; a text without a line end has one.
    pub fn line_count(&self) -> usize {
        self.starts.len()
    }
}

/// How many characters start in `bytes` of UTF-8.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| (**byte & 0xC0) != 0x80).count()
}

fn saturate(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// A span in a named file, with its position already worked out.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file, absolute.
    pub path: Arc<Utf8Path>,
    /// The bytes meant.
    pub span: Span,
    /// Where the span starts.
    pub position: Position,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_crlf_ends_a_line() {
        let text = "ä\"x\r\nyz";
        let lines = LineIndex::new(text);
        assert_eq!(lines.position(text, 2), Position { line: 1, column: 2 });
        assert_eq!(lines.position(text, 7), Position { line: 2, column: 2 });
        assert_eq!(lines.line_span(text, 1), Some(Span::new(0, 4)));
        assert_eq!(lines.line_span(text, 2), Some(Span::new(6, 8)));
        assert_eq!(lines.line_span(text, 3), None);
    }

    #[test]
    fn an_offset_past_the_end_is_the_end() {
        let lines = LineIndex::new("a");
        assert_eq!(lines.position("a", 99), Position { line: 1, column: 2 });
    }

    #[test]
    fn long_lines_are_counted_right() {
        let text = format!("{}\n{}", "é".repeat(3000), "😀x".repeat(4000));
        let lines = LineIndex::new(&text);
        let mut expected = Position { line: 1, column: 1 };
        for (offset, c) in text.char_indices() {
            assert_eq!(lines.position(&text, offset), expected);
            expected.column += 1;
            if c == '\n' {
                expected = Position { line: 2, column: 1 };
            }
        }
        assert_eq!(lines.position(&text, text.len()), expected);
    }
}
