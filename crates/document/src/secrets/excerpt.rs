//! Lines of a file, masked, for messages that point into it.
//!
//! Of a parsed file only the values on the line are judged, each by the keys above it ([`tree`]); of its comments, and of a file that does
//! not parse, less can be known, so more is hidden ([`loose`]).

use std::ops::Range;

use super::cover::{Cover, Piece};
use super::shown::write_visible;
use super::{loose, tree, word};
use crate::{Document, LineIndex, Masked, Span};

/// Of longer lines only this many bytes are shown.
const LONGEST: usize = 4096;
/// How many bytes before a place are shown where the line is longer.
const LEAD: usize = 1024;

/// A line of a file, or the interesting part of a long one, with every secret in it hidden. Tabs are four blanks wide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The line's number, from 1.
    pub line: u32,
    /// The masked line.
    pub text: Masked,
    marks: Vec<Mark>,
}

/// Where a character or a hidden part of the file is in the masked text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mark {
    source: Span,
    chars: Range<usize>,
    bytes: Range<usize>,
}

/// Line `line` (from 1) of `document` with every secret in it hidden; `None` past the end.
pub fn excerpt(document: &Document, line: u32) -> Option<Excerpt> {
    let span = document.lines().line_span(document.text(), line)?;
    Some(of_document(document, line, span, span.start))
}

/// The line of `document` on which `span` starts; of a long line the part around it.
pub fn excerpt_at(document: &Document, span: Span) -> Option<Excerpt> {
    let line = document.lines().position(document.text(), span.start).line;
    let whole = document.lines().line_span(document.text(), line)?;
    Some(of_document(document, line, whole, span.start))
}

/// The text of [`excerpt`].
pub fn excerpt_line(document: &Document, line: u32) -> Option<Masked> {
    excerpt(document, line).map(|excerpt| excerpt.text)
}

/// Line `line` (from 1) of a `text` that did not parse, whose lines are `lines`. Only keys, punctuation, `true`, `false`, `null` and small
/// numbers can be read; `None` past the end.
pub fn excerpt_broken(text: &str, lines: &LineIndex, line: u32) -> Option<Excerpt> {
    let whole = lines.line_span(text, line)?;
    let window = cut(text, whole, whole.start);
    let before = text.get(..whole.start)?;
    // Inside a string of several lines everything is hidden.
    let inside = ["\"\"\"", "'''"]
        .iter()
        .any(|quotes| before.matches(quotes).count() % 2 == 1);
    let line_text = window.of(text);
    let cover = if inside {
        Cover::all(line_text)
    } else {
        let json = text.trim_start().starts_with(['{', '[']);
        loose::broken(line_text, word::DEPTH, json)
    };
    Some(Excerpt::new(
        text,
        line,
        whole,
        window,
        &cover.moved(window.start),
    ))
}

impl Excerpt {
    /// The columns of the masked text, from 0, that the bytes `span` of the file cover. What is hidden is covered whole; what is not on this
    /// line gives an empty range at its start or end.
    pub fn marks(&self, span: Span) -> Range<usize> {
        self.covered(span, |mark| mark.chars.clone())
    }

    /// The same in bytes of the masked text.
    pub fn bytes(&self, span: Span) -> Range<usize> {
        self.covered(span, |mark| mark.bytes.clone())
    }

    /// The column of the masked text, from 0, where byte `offset` of the file is.
    pub fn column_of(&self, offset: usize) -> usize {
        self.marks(Span::new(offset, offset)).start
    }

    fn covered(&self, span: Span, of: impl Fn(&Mark) -> Range<usize>) -> Range<usize> {
        let end = self.marks.last().map_or(0, |mark| of(mark).end);
        let first = self
            .marks
            .partition_point(|mark| mark.source.end <= span.start);
        let start = self.marks.get(first).map_or(end, |mark| of(mark).start);
        let behind = self
            .marks
            .partition_point(|mark| mark.source.start < span.end);
        let last = behind
            .checked_sub(1)
            .and_then(|last| self.marks.get(last))
            .map_or(0, |mark| of(mark).end);
        start..last.max(start)
    }

    /// The part `window` of the line `whole` of `source` under `cover`.
    fn new(source: &str, line: u32, whole: Span, window: Span, cover: &Cover) -> Excerpt {
        let mut text = String::new();
        let mut chars = 0;
        let mut marks = Vec::new();
        let mut put = |piece: &str, source: Option<Span>| {
            let start = (chars, text.len());
            text.push_str(piece);
            chars += piece.chars().count();
            marks.extend(source.map(|source| Mark {
                source,
                chars: start.0..chars,
                bytes: start.1..text.len(),
            }));
        };
        if whole.start < window.start {
            put("…", None);
        }
        for piece in cover.within(window).pieces(window.of(source)) {
            let at = |span: Span| {
                Some(Span::new(
                    span.start + window.start,
                    span.end + window.start,
                ))
            };
            match piece {
                Piece::Hidden(span) => put(Masked::HIDDEN, at(span)),
                Piece::Shown(span, '\t') => put("    ", at(span)),
                Piece::Shown(span, c) => {
                    let mut visible = String::new();
                    // Writing to a string cannot fail.
                    let _ = write_visible(&mut visible, c);
                    put(&visible, at(span));
                }
            }
        }
        if window.end < whole.end {
            put("…", None);
        }
        Excerpt {
            line,
            text: Masked::from_covered(text),
            marks,
        }
    }
}

fn of_document(document: &Document, line: u32, whole: Span, focus: usize) -> Excerpt {
    let text = document.text();
    let window = cut(text, whole, focus);
    let tree::Known { mut cover, claimed } =
        tree::judge(text, document.root(), window, word::DEPTH);
    for gap in gaps(claimed, window) {
        cover.add(loose::between(gap.of(text), word::DEPTH), gap.start);
        hide_cut_words(text, whole, window, gap, &mut cover);
    }
    Excerpt::new(text, line, whole, window, &cover)
}

/// The part of the line `whole` around byte `focus` that is shown.
fn cut(text: &str, whole: Span, focus: usize) -> Span {
    if whole.end - whole.start <= LONGEST {
        return whole;
    }
    let boundary = |at: usize| {
        (0..=at)
            .rev()
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(0)
    };
    let start = boundary(focus.clamp(whole.start, whole.end).saturating_sub(LEAD)).max(whole.start);
    Span::new(start, boundary((start + LONGEST).min(whole.end)))
}

/// What of `window` no key and no value claims.
fn gaps(mut claimed: Vec<Span>, window: Span) -> Vec<Span> {
    claimed.sort_unstable();
    let mut gaps = Vec::new();
    let mut at = window.start;
    for span in claimed {
        gaps.push(Span::new(at, span.start));
        at = at.max(span.end);
    }
    gaps.push(Span::new(at, window.end));
    gaps.retain(|gap| gap.start < gap.end);
    gaps
}

/// Of a comment that the window cuts, the word at the cut cannot be judged.
fn hide_cut_words(text: &str, whole: Span, window: Span, gap: Span, cover: &mut Cover) {
    let inside = gap.of(text);
    if whole.start < window.start && gap.start == window.start {
        let length = inside.find(char::is_whitespace).unwrap_or(inside.len());
        cover.hide(Span::new(gap.start, gap.start + length));
    }
    if window.end < whole.end && gap.end == window.end {
        let start = inside.rfind(char::is_whitespace).unwrap_or(0);
        cover.hide(Span::new(gap.start + start, gap.end));
    }
}
