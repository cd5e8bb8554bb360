//! No input makes a parser panic, and every place it speaks of is in the text.

use muster_document::{
    Dialect, Document, JsonDialect, LineIndex, Node, Position, Span, SyntaxError,
};
use proptest::prelude::*;

use crate::{JSONC, cases, parse, walk};

const DIALECTS: [Dialect; 7] = [
    Dialect::Json(JsonDialect::JSON_PARSE),
    Dialect::Json(JsonDialect::SERDE_JSON),
    Dialect::Json(JsonDialect::JSON_PARSE.with_bom().with_utf16le()),
    Dialect::Json(JSONC),
    Dialect::Json(JsonDialect {
        trailing_commas: false,
        ..JSONC
    }),
    Dialect::Toml,
    Dialect::YamlFrontMatter,
];

/// Pieces that parsers have to tell apart; random bytes alone would hardly get past the first token.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "[[",
    "]]",
    ":",
    ",",
    "=",
    ".",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "\\",
    "\\u",
    "\\ud800",
    "\\udc00",
    "\\x41",
    "\\e",
    "//",
    "/*",
    "*/",
    "#",
    "\n",
    "\r",
    "\r\n",
    " ",
    "\t",
    "\u{b}",
    "\u{a0}",
    "\u{feff}",
    "\u{2028}",
    "\0",
    "\u{7f}",
    "é",
    "😀",
    "a",
    "b",
    "a.b",
    "\"k\"",
    "\"k\":",
    "k =",
    "true",
    "null",
    "inf",
    "nan",
    "0",
    "-",
    "+",
    "1",
    "1e999",
    "0x",
    "1.5",
    "1e5",
    "1979-05-27",
    "07:32",
    "_",
    "99999999999999999999",
    "{}",
    "[]",
    "[a]",
    "[a.b]",
    "[[a]]",
    "a = 1\n",
];

pub(crate) fn soup() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        3 => prop::collection::vec(prop::sample::select(PIECES), 0..24).prop_map(|pieces| pieces.concat().into_bytes()),
        1 => prop::collection::vec(any::<u8>(), 0..64),
        1 => prop::collection::vec(any::<u16>(), 0..32)
            .prop_map(|units| [0xFEFF].into_iter().chain(units).flat_map(u16::to_le_bytes).collect()),
    ]
}

#[track_caller]
fn check_span(text: &str, span: Span) {
    assert!(
        text.get(span.start..span.end).is_some(),
        "{span:?} is not in {text:?}"
    );
}

/// YAML leaves out nulls, and empty strings that have a tag.
fn may_be_unwritten(node: &Node) -> bool {
    node.is_null() || node.as_str() == Some("")
}

pub(crate) fn check_document(document: &Document) {
    let text = document.text();
    check_span(text, document.root().span);
    walk(document.root(), &mut |member, node| {
        check_span(text, node.span);
        assert!(!node.span.of(text).is_empty() || may_be_unwritten(node));
        if let Some(member) = member {
            check_span(text, member.key.span);
            let unwritten = matches!(&*member.key.text, "" | "null");
            assert!(!member.key.span.of(text).is_empty() || unwritten);
        }
    });
}

pub(crate) fn check_error(error: &SyntaxError) {
    let text = error.text();
    check_span(text, error.place.span);
    assert!(!error.message.is_empty() && !error.message.starts_with(char::is_uppercase));
    let expected = LineIndex::new(text).position(text, error.place.span.start);
    assert_eq!(error.position(), expected);
    assert!(expected >= Position { line: 1, column: 1 });
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn any_bytes_give_a_tree_or_an_error_with_places_in_the_text(bytes in soup()) {
        for dialect in DIALECTS {
            match parse(&bytes, dialect) {
                Ok(document) => check_document(&document),
                Err(error) => check_error(&error),
            }
        }
    }
}
