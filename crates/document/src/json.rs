//! JSON and JSONC to nodes.
//!
//! `jsonc-parser` cuts the text into tokens; the grammar over them is the loop in this file, for three reasons. The dialects
//! differ in ways the library's tree parser has no switch for, such as odd whitespace and raw control characters, which it lets
//! pass. The loop keeps its own stack, so depth is counted exactly and no input can overflow the program's stack. And a person
//! who left a comma behind reads a message about that comma.
//!
//! What the strict dialects accept must be what `serde_json` accepts, so its verdict is asked for too: see [`gate`].

mod fault;
mod gate;
mod surrogates;

use std::borrow::Cow;

use jsonc_parser::tokens::Token;
use jsonc_parser::{Scanner, ScannerOptions};

use crate::document::Fault;
use crate::{JsonDialect, Key, Member, Node, Number, Span, Value};

/// How deep Muster itself follows: far deeper than any configuration, and shallow enough for the recursive code over the tree.
const DEEPEST: usize = 512;

/// The tokens of JSON. The library's further liberties would make tokens that no dialect here knows.
const TOKENS: ScannerOptions = ScannerOptions {
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Parses `text` under `rules`.
pub(crate) fn parse(text: &str, rules: JsonDialect) -> Result<Node, Fault> {
    let readable = if rules.lone_surrogates {
        surrogates::replace_lone(text)
    } else {
        Cow::Borrowed(text)
    };
    let root = Parser::new(&readable, rules).run()?;
    if rules.is_strict() {
        gate::check(text, rules)?;
    }
    Ok(root)
}

/// The liberties under which a broken text is read for what it was meant to hold.
const FORGIVING: JsonDialect = JsonDialect {
    comments: true,
    trailing_commas: true,
    ..JsonDialect::JSON_PARSE
};

/// What can be made of a text that does not parse: comments, trailing commas and missing commas forgiven, everything up to the next
/// fault, and there all that is still open closed.
pub(crate) fn salvage(text: &str) -> Option<Node> {
    let readable = surrogates::replace_lone(text);
    let mut parser = Parser::new(&readable, FORGIVING);
    let mut expect = Expect::Value;
    while let Ok(Some((token, span))) = parser.next_token() {
        match parser.step(
            parser.after_missing_comma(expect, &token, span),
            token,
            span,
        ) {
            Ok(next) => expect = next,
            Err(_) => break,
        }
    }
    while !parser.open.is_empty() {
        parser.close(Span::new(parser.end, parser.end));
    }
    parser.root
}

/// What may come next.
#[derive(Debug, Clone, Copy)]
enum Expect {
    /// A value: the whole one, or a member's after its colon.
    Value,
    /// The first element of a list, or its end.
    FirstElement,
    /// An element after the comma at this span, or the end where the dialect allows trailing commas.
    NextElement(Span),
    /// The first key of an object, or its end.
    FirstKey,
    /// A key after the comma at this span, or the end where the dialect allows trailing commas.
    NextKey(Span),
    /// The colon after a key.
    Colon,
    /// A comma, or the end of the list or object.
    Comma,
    /// The end of the file.
    End,
}

/// A list or object that is not closed yet.
enum Open {
    Array {
        start: usize,
        items: Vec<Node>,
    },
    Table {
        start: usize,
        members: Vec<Member>,
        key: Option<Key>,
    },
}

struct Parser<'t> {
    text: &'t str,
    rules: JsonDialect,
    scanner: Scanner<'t>,
    /// Where the last token ended.
    end: usize,
    deepest: usize,
    open: Vec<Open>,
    root: Option<Node>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, rules: JsonDialect) -> Self {
        let deepest = rules.depth.map_or(DEEPEST, |depth| depth.min(DEEPEST));
        Parser {
            text,
            rules,
            scanner: Scanner::new(text, &TOKENS),
            end: 0,
            deepest,
            open: Vec::new(),
            root: None,
        }
    }

    fn run(mut self) -> Result<Node, Fault> {
        let mut expect = Expect::Value;
        while let Some((token, span)) = self.next_token()? {
            expect = self.step(expect, token, span)?;
        }
        match self.root {
            Some(root) => Ok(root),
            None => Err(fault::unexpected_end(self.text, self.end)),
        }
    }

    /// The next token that is no comment, once the gap before it and the token itself have been found good.
    fn next_token(&mut self) -> Result<Option<(Token<'t>, Span)>, Fault> {
        loop {
            let token = self.scanner.scan();
            let start = self.scanner.token_start();
            fault::check_gap(self.text, Span::new(self.end, start))?;
            if self.rules.open_comments && fault::is_open_comment(&token) {
                self.end = self.text.len();
                return Ok(None);
            }
            let token =
                token.map_err(|error| fault::from_scanner(self.text, start, &error, self.rules))?;
            let span = Span::new(start, self.scanner.token_end());
            match token {
                None => return Ok(None),
                Some(Token::CommentLine(_) | Token::CommentBlock(_)) if self.rules.comments => {
                    self.end = span.end
                }
                Some(Token::CommentLine(_) | Token::CommentBlock(_)) => {
                    return Err(fault::comment(span));
                }
                Some(token) => {
                    if matches!(token, Token::String(_)) {
                        fault::check_string(self.text, span)?;
                    }
                    self.end = span.end;
                    return Ok(Some((token, span)));
                }
            }
        }
    }

    fn step(&mut self, expect: Expect, token: Token<'t>, span: Span) -> Result<Expect, Fault> {
        match (expect, token) {
            (Expect::FirstElement, Token::CloseBracket) | (Expect::FirstKey, Token::CloseBrace) => {
                Ok(self.close(span))
            }
            (Expect::NextElement(comma), Token::CloseBracket)
            | (Expect::NextKey(comma), Token::CloseBrace) => {
                if self.rules.trailing_commas {
                    Ok(self.close(span))
                } else {
                    Err(fault::trailing_comma(comma))
                }
            }
            (Expect::Value | Expect::FirstElement | Expect::NextElement(_), token) => {
                self.value(token, span)
            }
            (Expect::FirstKey | Expect::NextKey(_), token) => self.key(token, span),
            (Expect::Colon, Token::Colon) => Ok(Expect::Value),
            (Expect::Colon, _) => Err(fault::missing_colon(span)),
            (Expect::Comma, token) => self.after_value(&token, span),
            (Expect::End, _) => Err(fault::second_value(span)),
        }
    }

    fn value(&mut self, token: Token<'t>, span: Span) -> Result<Expect, Fault> {
        let value = match token {
            Token::OpenBracket => {
                return self.enter(
                    Open::Array {
                        start: span.start,
                        items: Vec::new(),
                    },
                    span,
                );
            }
            Token::OpenBrace => {
                return self.enter(
                    Open::Table {
                        start: span.start,
                        members: Vec::new(),
                        key: None,
                    },
                    span,
                );
            }
            Token::String(text) => Value::String(text.into_owned()),
            Token::Number(text) => Value::Number(Number {
                text: text.to_owned(),
                integer: !text.contains(['.', 'e', 'E']),
            }),
            Token::Boolean(value) => Value::Bool(value),
            Token::Null => Value::Null,
            token => return Err(fault::no_value(&token, span)),
        };
        Ok(self.put(Node { value, span }))
    }

    fn key(&mut self, token: Token<'t>, span: Span) -> Result<Expect, Fault> {
        let Token::String(text) = token else {
            return Err(fault::no_key(&token, span));
        };
        if let Some(Open::Table { key, .. }) = self.open.last_mut() {
            *key = Some(Key {
                text: text.into_owned(),
                span,
            });
        }
        Ok(Expect::Colon)
    }

    fn after_value(&mut self, token: &Token<'t>, span: Span) -> Result<Expect, Fault> {
        match (self.open.last(), token) {
            (Some(Open::Array { .. }), Token::Comma) => Ok(Expect::NextElement(span)),
            (Some(Open::Table { .. }), Token::Comma) => Ok(Expect::NextKey(span)),
            (Some(Open::Array { .. }), Token::CloseBracket)
            | (Some(Open::Table { .. }), Token::CloseBrace) => Ok(self.close(span)),
            _ => Err(fault::no_comma(token, span)),
        }
    }

    /// What may come next where a comma is missing before `token`: what may come after one.
    fn after_missing_comma(&self, expect: Expect, token: &Token<'t>, span: Span) -> Expect {
        let before = Span::new(span.start, span.start);
        match (expect, self.open.last(), token) {
            (_, _, Token::Comma | Token::Colon | Token::CloseBrace | Token::CloseBracket) => expect,
            (Expect::Comma, Some(Open::Table { .. }), _) => Expect::NextKey(before),
            (Expect::Comma, Some(Open::Array { .. }), _) => Expect::NextElement(before),
            _ => expect,
        }
    }

    fn enter(&mut self, container: Open, span: Span) -> Result<Expect, Fault> {
        if self.open.len() >= self.deepest {
            return Err(fault::too_deep(span, self.deepest));
        }
        let expect = match container {
            Open::Array { .. } => Expect::FirstElement,
            Open::Table { .. } => Expect::FirstKey,
        };
        self.open.push(container);
        Ok(expect)
    }

    /// Ends the innermost list or object, whose kind has been compared with the bracket at `last`.
    fn close(&mut self, last: Span) -> Expect {
        let (start, value) = match self.open.pop() {
            Some(Open::Array { start, items }) => (start, Value::Array(items)),
            Some(Open::Table { start, members, .. }) => (start, Value::Table(members)),
            None => return Expect::End,
        };
        self.put(Node {
            value,
            span: Span::new(start, last.end),
        })
    }

    /// Puts a finished value where it belongs.
    fn put(&mut self, node: Node) -> Expect {
        match self.open.last_mut() {
            Some(Open::Array { items, .. }) => items.push(node),
            Some(Open::Table { members, key, .. }) => {
                members.extend(key.take().map(|key| Member { key, value: node }))
            }
            None => {
                self.root = Some(node);
                return Expect::End;
            }
        }
        Expect::Comma
    }
}

#[cfg(test)]
mod tests;
