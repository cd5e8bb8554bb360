//! Where YAML's events stand in the file.

use saphyr_parser::Marker;

use crate::Span;

const BLANK: [char; 4] = [' ', '\t', '\r', '\n'];

/// The file's text up to the end of its YAML, and the way from the parser's places into it. Those count characters from the start
/// of the YAML.
pub(super) struct Places<'t> {
    pub(super) text: &'t str,
    start: usize,
    /// The byte of each character; `None` where all are one byte long.
    bytes: Option<Vec<usize>>,
}

impl<'t> Places<'t> {
    pub(super) fn new(text: &'t str, within: Span) -> Self {
        let yaml = within.of(text);
        let bytes = || yaml.char_indices().map(|(byte, _)| byte).collect();
        Places {
            text: text.get(..within.end).unwrap_or(text),
            start: within.start,
            bytes: (!yaml.is_ascii()).then(bytes),
        }
    }

    /// The span of an event.
    pub(super) fn span(&self, span: saphyr_parser::Span) -> Span {
        let start = self.byte(span.start);
        Span::new(start, self.byte(span.end).max(start))
    }

    /// The character at `marker`.
    pub(super) fn character(&self, marker: Marker) -> Span {
        let at = self.byte(marker);
        let next = self.rest(at).chars().next();
        Span::new(at, at + next.map_or(0, char::len_utf8))
    }

    fn byte(&self, marker: Marker) -> usize {
        let within = match &self.bytes {
            Some(bytes) => bytes.get(marker.index()).copied(),
            None => Some(marker.index()),
        };
        within.map_or(self.text.len(), |byte| {
            (self.start + byte).min(self.text.len())
        })
    }

    fn rest(&self, from: usize) -> &'t str {
        self.text.get(from..).unwrap_or_default()
    }

    /// `span` without the anchor and tag it starts with, and what follows them.
    pub(super) fn without_properties(&self, span: Span) -> Span {
        let mut at = span.start;
        loop {
            let rest = Span::new(at, span.end).of(self.text);
            let length = match rest.chars().next() {
                Some('&') => rest.find(ends_property),
                Some('!') if rest.starts_with("!<") => rest.find('>').map(|end| end + 1),
                Some('!') => rest.find(ends_property),
                Some('#') => rest.find('\n'),
                Some(c) if BLANK.contains(&c) => rest.find(|c| !BLANK.contains(&c)),
                _ => return Span::new(at, span.end),
            };
            at += length.unwrap_or(rest.len());
        }
    }

    /// `span`, which starts with a quote, up to the quote that closes it.
    pub(super) fn quoted(&self, span: Span) -> Span {
        let mut characters = span.of(self.text).char_indices().peekable();
        let open = characters.next().map(|(_, c)| c);
        while let Some((at, c)) = characters.next() {
            let next = characters.peek().map(|(_, c)| *c);
            let escaped = match open {
                Some('"') => c == '\\',
                _ => c == '\'' && next == open,
            };
            if escaped {
                characters.next();
            } else if Some(c) == open {
                return Span::new(span.start, span.start + at + c.len_utf8());
            }
        }
        span
    }

    /// `span`, the end of a list or table, if that is a bracket; otherwise nothing, for it is the next token's.
    pub(super) fn bracket(&self, span: Span) -> Span {
        match span.of(self.text) {
            "]" | "}" => span,
            _ => Span::new(span.start, span.start),
        }
    }

    /// The first byte in `gap`, which lies between two events, that is one of `wanted` and in no comment.
    pub(super) fn indicator(&self, gap: Span, wanted: &[char]) -> Option<usize> {
        let mut after_blank = true;
        let mut comment = false;
        for (at, c) in gap.of(self.text).char_indices() {
            comment = (comment && c != '\n') || (c == '#' && after_blank);
            if !comment && wanted.contains(&c) {
                return Some(gap.start + at);
            }
            after_blank = BLANK.contains(&c);
        }
        None
    }
}

fn ends_property(c: char) -> bool {
    BLANK.contains(&c) || matches!(c, ',' | '[' | ']' | '{' | '}')
}

/// `span` without the blanks and line ends at its end.
pub(super) fn without_trailing_blanks(text: &str, span: Span) -> Span {
    let length = span.of(text).trim_end_matches(BLANK).len();
    Span::new(span.start, span.start + length)
}
