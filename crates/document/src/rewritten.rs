//! Text that a program changes before it parses it.

use std::fmt;

use crate::{Node, Span, Value};

/// A file's text with other text in place of some of its parts, and the way back: where in the file every byte of it comes from.
#[derive(Clone)]
pub struct Rewritten {
    text: String,
    /// In order; none is empty.
    pieces: Vec<Piece>,
    /// Bytes of the file's text.
    source_length: usize,
}

/// A part of the new text, up to the next one.
#[derive(Debug, Clone, Copy)]
struct Piece {
    /// Where it begins in the new text.
    at: usize,
    /// What it was made of. Of a part that was kept, the same text.
    source: Span,
    kept: bool,
}

impl Rewritten {
    /// `text` as it is.
    pub fn new(text: &str) -> Self {
        let whole = Piece {
            at: 0,
            source: Span::new(0, text.len()),
            kept: true,
        };
        Rewritten {
            text: text.to_owned(),
            pieces: if text.is_empty() {
                Vec::new()
            } else {
                vec![whole]
            },
            source_length: text.len(),
        }
    }

    /// The new text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text with each span of [`Rewritten::text`] replaced. Spans are in order and apart from each other; what is not is passed over.
    pub fn replaced(&self, parts: &[(Span, String)]) -> Rewritten {
        let mut out = Rewritten {
            text: String::with_capacity(self.text.len()),
            pieces: Vec::new(),
            source_length: self.source_length,
        };
        let mut at = 0;
        for (span, new) in parts {
            let fits = span.start >= at && self.text.get(span.start..span.end).is_some();
            if !fits {
                continue;
            }
            self.keep(Span::new(at, span.start), &mut out);
            out.push(new, self.source(*span), false);
            at = span.end;
        }
        self.keep(Span::new(at, self.text.len()), &mut out);
        out
    }

    /// Where in the file `span` of the new text comes from; of a part that was replaced, the whole part.
    pub fn source(&self, span: Span) -> Span {
        let start = match self.piece(span.start) {
            _ if span.start >= self.text.len() => self.source_length,
            Some(piece) if piece.kept => piece.source.start + (span.start - piece.at),
            Some(piece) => piece.source.start,
            None => self.source_length,
        };
        if span.end <= span.start {
            return Span::new(start, start);
        }
        let end = match self.piece(span.end - 1) {
            Some(piece) if piece.kept => piece.source.start + (span.end - piece.at),
            Some(piece) => piece.source.end,
            None => self.source_length,
        };
        Span::new(start, end.max(start))
    }

    /// The parts of the file in whose place something else stands, in order.
    pub fn changes(&self) -> Vec<Span> {
        let mut changes: Vec<Span> = Vec::new();
        let mut end = 0;
        for piece in &self.pieces {
            // What was replaced by nothing left no piece.
            if piece.source.start > end {
                changes.push(Span::new(end, piece.source.start));
            }
            if !piece.kept && changes.last() != Some(&piece.source) {
                changes.push(piece.source);
            }
            end = end.max(piece.source.end);
        }
        if end < self.source_length {
            changes.push(Span::new(end, self.source_length));
        }
        changes
    }

    /// The piece that byte `at` belongs to; of the end of the text, the last one.
    fn piece(&self, at: usize) -> Option<Piece> {
        let next = self.pieces.partition_point(|piece| piece.at <= at);
        self.pieces.get(next.checked_sub(1)?).copied()
    }

    /// Appends `span` of this text to `out`, each part of it as what it is.
    fn keep(&self, span: Span, out: &mut Rewritten) {
        let mut at = span.start;
        while at < span.end {
            let next = self.pieces.partition_point(|piece| piece.at <= at);
            let Some(piece) = next.checked_sub(1).and_then(|last| self.pieces.get(last)) else {
                return;
            };
            let end = self
                .pieces
                .get(next)
                .map_or(span.end, |next| next.at.min(span.end));
            let source = match piece.kept {
                true => Span::new(
                    piece.source.start + (at - piece.at),
                    piece.source.start + (end - piece.at),
                ),
                false => piece.source,
            };
            out.push(
                self.text.get(at..end).unwrap_or_default(),
                source,
                piece.kept,
            );
            at = end;
        }
    }

    fn push(&mut self, text: &str, source: Span, kept: bool) {
        if text.is_empty() {
            return;
        }
        self.pieces.push(Piece {
            at: self.text.len(),
            source,
            kept,
        });
        self.text.push_str(text);
    }

    /// Gives `node` and everything in it the spans of the file.
    pub(crate) fn relocate(&self, node: &mut Node) {
        node.span = self.source(node.span);
        match &mut node.value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.relocate(item)),
            Value::Table(members) => {
                for member in members {
                    member.key.span = self.source(member.key.span);
                    self.relocate(&mut member.value);
                }
            }
            _ => {}
        }
    }
}

/// The text holds secrets.
impl fmt::Debug for Rewritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rewritten")
            .field("pieces", &self.pieces.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use camino::Utf8Path;

    use super::*;
    use crate::{Dialect, Document, JsonDialect};

    fn swap(text: &Rewritten, parts: &[(&str, &str)]) -> Rewritten {
        let parts: Vec<_> = parts
            .iter()
            .map(|(old, new)| {
                let at = text.text().find(old).unwrap();
                (Span::new(at, at + old.len()), (*new).to_owned())
            })
            .collect();
        text.replaced(&parts)
    }

    #[test]
    fn every_part_knows_where_it_comes_from() {
        let source = "a{1}b{2}c{3}";
        let text = swap(
            &Rewritten::new(source),
            &[("{1}", "one"), ("{2}", ""), ("{3}", "x")],
        );
        assert_eq!(text.text(), "aonebcx");
        let of = |from: usize, to: usize| text.source(Span::new(from, to)).of(source);
        assert_eq!(of(0, 1), "a");
        assert_eq!(of(1, 4), "{1}");
        assert_eq!(of(2, 3), "{1}");
        assert_eq!(of(0, 5), "a{1}b");
        assert_eq!(of(4, 6), "b{2}c");
        assert_eq!(of(6, 7), "{3}");
        assert_eq!(text.source(Span::new(7, 7)), Span::new(12, 12));
        let changes: Vec<_> = text.changes().iter().map(|span| span.of(source)).collect();
        assert_eq!(changes, ["{1}", "{2}", "{3}"]);
    }

    #[test]
    fn a_second_round_may_cut_what_the_first_put_in() {
        let source = "<{e}/f> {e2}";
        let first = swap(&Rewritten::new(source), &[("{e}", "(dir"), ("{e2}", "!")]);
        assert_eq!(first.text(), "<(dir/f> !");
        let second = swap(&first, &[("(dir/f>", "content")]);
        assert_eq!(second.text(), "<content !");
        assert_eq!(second.source(Span::new(1, 8)).of(source), "{e}/f>");
        assert_eq!(second.source(Span::new(9, 10)).of(source), "{e2}");
        let cut = swap(&first, &[("dir/", "")]);
        assert_eq!(cut.text(), "<(f> !");
        assert_eq!(cut.source(Span::new(1, 2)).of(source), "{e}");
    }

    #[test]
    fn all_of_a_text_may_be_replaced_by_nothing() {
        let text = swap(&Rewritten::new("ab"), &[("ab", "")]);
        assert_eq!(text.text(), "");
        assert_eq!(text.source(Span::new(0, 0)), Span::new(2, 2));
        assert_eq!(text.changes(), [Span::new(0, 2)]);
    }

    #[test]
    fn nodes_and_faults_stand_where_the_file_has_them() {
        let json = Dialect::Json(JsonDialect::JSON_PARSE);
        let path: Arc<Utf8Path> = Arc::from(Utf8Path::new("/w/x.json"));
        let parse = |source: &str, parts: &[(&str, &str)]| {
            Document::parse_rewritten(Arc::clone(&path), source.as_bytes(), json, |text| {
                swap(&text, parts)
            })
        };
        let source = r#"{"k": "{v}", "{n}": [1, {l}]}"#;
        let document = parse(
            source,
            &[("{v}", "long value"), ("{n}", "name"), ("{l}", "2, 3")],
        )
        .unwrap();
        assert_eq!(document.text(), source);
        let k = document.root().member("k").unwrap();
        assert_eq!(k.value.as_str(), Some("long value"));
        assert_eq!(k.value.span.of(source), r#""{v}""#);
        let named = document.root().member("name").unwrap();
        assert_eq!(named.key.span.of(source), r#""{n}""#);
        let spans: Vec<_> = named
            .value
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item.span.of(source))
            .collect();
        assert_eq!(spans, ["1", "{l}", "{l}"]);

        let error = parse("{\n \"a\": \"{v}\" }", &[("{v}", "x\" y")]).unwrap_err();
        assert_eq!(error.position().line, 2);
        assert_eq!(error.place.span.of(error.text()), "{v}");
        assert!(!error.text().contains('x'), "what was put in is not shown");
    }
}
