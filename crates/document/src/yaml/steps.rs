//! The parser's events, each with a span that covers what it speaks of.

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, StrInput};

use super::place::{Places, without_trailing_blanks};
use super::scalar;
use crate::document::Fault;
use crate::{Span, Value};

/// One step through a document.
#[derive(Clone)]
pub(super) struct Step {
    pub(super) what: What,
    /// Of a list or table only the start counts; the end of one that is written without brackets is empty.
    pub(super) span: Span,
    /// The number of the anchor; 0 without one.
    pub(super) anchor: usize,
}

#[derive(Clone)]
pub(super) enum What {
    Scalar(Value),
    Array,
    Table,
    /// The end of the innermost list or table.
    End,
    /// What the anchor of this number stands for.
    Alias(usize),
}

pub(super) struct Steps<'t> {
    parser: Parser<'t, StrInput<'t>>,
    places: Places<'t>,
    /// Where the last event ended.
    last: usize,
    documents: usize,
}

impl<'t> Steps<'t> {
    pub(super) fn new(text: &'t str, within: Span) -> Self {
        Steps {
            parser: Parser::new_from_str(within.of(text)),
            places: Places::new(text, within),
            last: within.start,
            documents: 0,
        }
    }

    /// The next step; `in_table` says whether the innermost open container is a table.
    pub(super) fn next(&mut self, in_table: bool) -> Result<Option<Step>, Fault> {
        while let Some(event) = self.parser.next_event() {
            let (event, span) = event.map_err(|error| self.fault(&error))?;
            let span = self.places.span(span);
            if let Event::DocumentStart(_) = event {
                self.start_document(&event, span)?;
            } else if let Some(step) = self.step(event, span, in_table) {
                return Ok(Some(step));
            }
        }
        Ok(None)
    }

    fn fault(&self, error: &ScanError) -> Fault {
        // Only `info`: it is made of fixed words.
        Fault::at(self.places.character(*error.marker()), error.info())
    }

    fn start_document(&mut self, event: &Event<'t>, span: Span) -> Result<(), Fault> {
        self.documents += 1;
        if self.documents > 1 {
            return Err(Fault::at(span, "more than one document"));
        }
        // Without `---` the span is that of the first token.
        if let Event::DocumentStart(true) = event {
            self.last = span.end;
        }
        Ok(())
    }

    fn step(&mut self, event: Event<'t>, whole: Span, in_table: bool) -> Option<Step> {
        let (what, span, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let start = self.start(whole, anchor > 0 || tag.is_some());
                let span = self.scalar(start, style, text.is_empty());
                let value = scalar::value(text, style, tag.as_deref());
                (What::Scalar(value), span, anchor)
            }
            Event::SequenceStart(anchor, tag) => {
                let start = self.start(whole, anchor > 0 || tag.is_some());
                (What::Array, self.sequence(start, in_table), anchor)
            }
            Event::MappingStart(anchor, tag) => {
                let start = self.start(whole, anchor > 0 || tag.is_some());
                (What::Table, start.span(), anchor)
            }
            Event::SequenceEnd | Event::MappingEnd => (What::End, self.places.bracket(whole), 0),
            Event::Alias(anchor) => (What::Alias(anchor), whole, 0),
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => return None,
        };
        self.last = match what {
            What::End => span.end,
            _ => whole.end.max(span.end),
        };
        Some(Step { what, span, anchor })
    }

    fn start(&self, span: Span, has_properties: bool) -> Start {
        if has_properties {
            Start::AfterProperties(self.places.without_properties(span))
        } else {
            Start::Token(span)
        }
    }

    fn scalar(&self, start: Start, style: ScalarStyle, empty: bool) -> Span {
        let span = start.span();
        match style {
            // The parser's span of a scalar that is not written is the next token's.
            ScalarStyle::Plain if empty => Span::new(span.start, span.start),
            ScalarStyle::Plain => span,
            // Its span of one in quotes goes up to the next token.
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => self.places.quoted(span),
            // That of a block scalar does too, and starts at the first line of text.
            ScalarStyle::Literal | ScalarStyle::Folded => {
                let sign = self.sign_before(&start, &['|', '>']);
                let span = Span::new(sign.unwrap_or(span.start), span.end);
                without_trailing_blanks(self.places.text, span)
            }
        }
    }

    /// In a table, a list whose dashes are not indented starts for the parser after the first dash.
    fn sequence(&self, start: Start, in_table: bool) -> Span {
        let span = start.span();
        let dash = in_table.then(|| self.sign_before(&start, &['-']));
        Span::new(dash.flatten().unwrap_or(span.start), span.end)
    }

    /// The first of `signs` between the last event and this one.
    fn sign_before(&self, start: &Start, signs: &[char]) -> Option<usize> {
        match start {
            Start::Token(span) => self
                .places
                .indicator(Span::new(self.last, span.start), signs),
            Start::AfterProperties(_) => None,
        }
    }
}

/// What is left of an event's span once anchor and tag are taken off.
enum Start {
    /// There was none: the span is that of the parser's token.
    Token(Span),
    /// The span starts at the first sign after them.
    AfterProperties(Span),
}

impl Start {
    fn span(&self) -> Span {
        match self {
            Start::Token(span) | Start::AfterProperties(span) => *span,
        }
    }
}
