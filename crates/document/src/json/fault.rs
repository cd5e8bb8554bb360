//! What can be wrong with JSON, in words for people. No message holds text of the file: it may be a secret.

use jsonc_parser::ParseStringErrorKind;
use jsonc_parser::errors::{ParseError, ParseErrorKind};
use jsonc_parser::tokens::Token;

use crate::document::Fault;
use crate::{JsonDialect, Span};

/// A fault at the end of `text`, whose last token ended at byte `end`.
pub(super) fn unexpected_end(text: &str, end: usize) -> Fault {
    if text.trim().is_empty() {
        return Fault::at(Span::default(), "the file is empty");
    }
    Fault::at(Span::new(end, end), "unexpected end of file")
}

/// A comment in a dialect without comments.
pub(super) fn comment(span: Span) -> Fault {
    Fault::at(span, "comments are not allowed here")
}

/// A comma before the end of a list or object.
pub(super) fn trailing_comma(comma: Span) -> Fault {
    Fault::at(comma, "trailing comma")
}

/// Something other than a colon after a key.
pub(super) fn missing_colon(span: Span) -> Fault {
    Fault::at(span, "missing `:` after a key")
}

/// More text after the whole value.
pub(super) fn second_value(span: Span) -> Fault {
    Fault::at(span, "unexpected text after the end of the value")
}

/// One level more than the `deepest` allowed.
pub(super) fn too_deep(bracket: Span, deepest: usize) -> Fault {
    Fault::at(bracket, format!("nested deeper than {deepest} levels"))
}

/// A token that cannot start a value.
pub(super) fn no_value(token: &Token<'_>, span: Span) -> Fault {
    match token {
        Token::Word(_) => Fault::at(span, "text without quotes"),
        Token::Comma => Fault::at(span, "unexpected `,`"),
        _ => Fault::at(span, "missing value"),
    }
}

/// A token that is no key.
pub(super) fn no_key(token: &Token<'_>, span: Span) -> Fault {
    match token {
        Token::Word(_) | Token::Number(_) | Token::Boolean(_) | Token::Null => {
            Fault::at(span, "key without quotes")
        }
        Token::Comma => Fault::at(span, "unexpected `,`"),
        _ => Fault::at(span, "expected a key in quotes"),
    }
}

/// A token after a value that neither continues nor ends what surrounds it.
pub(super) fn no_comma(token: &Token<'_>, span: Span) -> Fault {
    match token {
        Token::CloseBracket => Fault::at(span, "`]` where `}` was expected"),
        Token::CloseBrace => Fault::at(span, "`}` where `]` was expected"),
        Token::Colon => Fault::at(span, "unexpected `:`"),
        _ => Fault::at(span, "missing comma"),
    }
}

/// Refuses characters between tokens that count as whitespace for `jsonc-parser` and for no JSON parser.
pub(super) fn check_gap(text: &str, gap: Span) -> Result<(), Fault> {
    let gap_text = gap.of(text);
    match gap_text
        .bytes()
        .position(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
    {
        None => Ok(()),
        Some(at) => {
            let odd = gap_text.get(at..).and_then(|rest| rest.chars().next());
            let length = odd.map_or(0, char::len_utf8);
            let span = Span::new(gap.start + at, gap.start + at + length);
            Err(Fault::at(
                span,
                "unusual whitespace; only spaces, tabs and line ends may stand between values",
            ))
        }
    }
}

/// Refuses raw control characters in the string at `string`, which `jsonc-parser` lets pass.
pub(super) fn check_string(text: &str, string: Span) -> Result<(), Fault> {
    match string.of(text).bytes().position(|byte| byte < b' ') {
        None => Ok(()),
        Some(at) => Err(control_character(text, string.start, string.start + at)),
    }
}

/// A control character at byte `at` of the string that starts at byte `start`. A line end means that a quote was forgotten.
fn control_character(text: &str, start: usize, at: usize) -> Fault {
    match text.as_bytes().get(at) {
        Some(b'\n' | b'\r') => Fault::at(Span::new(start, at), "unterminated string"),
        _ => Fault::at(Span::new(at, at + 1), "control character in a string"),
    }
}

/// Whether the scanner came to a comment that is never closed.
pub(super) fn is_open_comment<T>(token: &Result<T, ParseError>) -> bool {
    let error = token.as_ref().err();
    error.is_some_and(|error| matches!(error.kind(), ParseErrorKind::UnterminatedCommentBlock))
}

/// What the scanner found wrong in the token that starts at byte `start`.
pub(super) fn from_scanner(
    text: &str,
    start: usize,
    error: &ParseError,
    rules: JsonDialect,
) -> Fault {
    let span = Span::new(error.range().start, error.range().end);
    match error.kind() {
        ParseErrorKind::String(kind) => string_fault(text, start, span, kind),
        ParseErrorKind::UnterminatedCommentBlock if rules.comments => {
            Fault::at(span, "unterminated comment")
        }
        ParseErrorKind::UnterminatedCommentBlock => comment(span),
        ParseErrorKind::SingleQuotedStringsNotAllowed => {
            Fault::at(span, "single quotes; strings need double quotes")
        }
        ParseErrorKind::UnaryPlusNumbersNotAllowed => {
            Fault::at(span, "a number cannot start with `+`")
        }
        ParseErrorKind::HexadecimalNumbersNotAllowed => {
            Fault::at(span, "hexadecimal numbers are not allowed")
        }
        ParseErrorKind::NonFiniteNumbersNotAllowed => {
            Fault::at(span, "infinity and NaN are not allowed")
        }
        ParseErrorKind::BareDecimalPointNumbersNotAllowed
        | ParseErrorKind::ExpectedDigit
        | ParseErrorKind::ExpectedDigitFollowingNegativeSign
        | ParseErrorKind::ExpectedPlusMinusOrDigitInNumberLiteral => {
            Fault::at(span, "incomplete number")
        }
        _ if span.of(text).starts_with(char::is_alphanumeric) => {
            Fault::at(span, "text without quotes")
        }
        _ if span.of(text).starts_with('\u{feff}') => {
            Fault::at(span, "a byte order mark is not allowed here")
        }
        _ => Fault::at(span, "unexpected character"),
    }
}

/// A bad escape, or no closing quote; but a line end before it comes first, for there the quote was forgotten.
fn string_fault(text: &str, start: usize, span: Span, kind: &ParseStringErrorKind) -> Fault {
    let unterminated = matches!(kind, ParseStringErrorKind::UnterminatedStringLiteral);
    let read = if unterminated { text.len() } else { span.start };
    check_string(text, Span::new(start, read))
        .err()
        .unwrap_or_else(|| match kind {
            ParseStringErrorKind::UnterminatedStringLiteral => {
                Fault::at(Span::new(start, read), "unterminated string")
            }
            ParseStringErrorKind::ExpectedFourHexDigits => {
                Fault::at(span, "`\\u` needs four hexadecimal digits")
            }
            ParseStringErrorKind::InvalidUnicodeEscapeSequence(_) => {
                Fault::at(span, "half of a surrogate pair in a string")
            }
            _ => Fault::at(span, "invalid escape in a string"),
        })
}
