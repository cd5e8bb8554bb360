//! Fuzz targets: functions from bytes that panic where a claim does not hold. `fuzz/` gives them to cargo-fuzz; the tests of this
//! crate give them what proptest makes, so that CI runs them too.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::Harness;
use muster_document::{
    Dialect, Document, JsonDialect, MarkdownShown, Masked, Node, Scrubber, Secret, Shown, Span,
    Value,
};

use crate::{Stage, Tree, claims, strategies};

/// Every JSON dialect reads any bytes to an end, the same way twice, with every span inside the text.
pub fn json(bytes: &[u8]) {
    let strict = JsonDialect::JSON_PARSE;
    let liberal = JsonDialect {
        comments: true,
        trailing_commas: true,
        ..strict
    };
    for dialect in [
        strict,
        strict.with_bom().with_utf16le(),
        JsonDialect::SERDE_JSON,
        liberal,
    ] {
        parse(bytes, Dialect::Json(dialect));
    }
}

/// The same for TOML.
pub fn toml(bytes: &[u8]) {
    parse(bytes, Dialect::Toml);
}

fn parse(bytes: &[u8], dialect: Dialect) {
    let parse = || Document::parse(Arc::from(Utf8Path::new("/f")), bytes, dialect);
    match (parse(), parse()) {
        (Ok(first), Ok(second)) => {
            if first.root() != second.root() {
                panic!("two trees of one text");
            }
            check_spans(first.root(), first.text());
        }
        (Err(first), Err(second)) => {
            let at = first.place.span;
            if first.message != second.message || at != second.place.span {
                panic!("two complaints about one text");
            }
            if at.start > first.text().len() {
                panic!("a complaint about what is past the end: {at:?}");
            }
        }
        _ => panic!("a text that parses now and then"),
    }
}

fn check_spans(node: &Node, text: &str) {
    check_span(node.span, text);
    match &node.value {
        Value::Array(items) => items.iter().for_each(|item| check_spans(item, text)),
        Value::Table(members) => {
            for member in members {
                check_span(member.key.span, text);
                check_spans(&member.value, text);
            }
        }
        _ => {}
    }
}

fn check_span(span: Span, text: &str) {
    if text.get(span.start..span.end).is_none() {
        panic!("{span:?} is no part of a text of {} bytes", text.len());
    }
}

/// Whatever lies where `harness` looks, all claims about its resolution hold. The bytes are cut into files.
pub fn resolve(harness: &dyn Harness, bytes: &[u8]) {
    let stage = Stage::of(tree_from(bytes, &strategies::looked_at(harness)));
    let broken = claims::broken(harness, &stage);
    if !broken.is_empty() {
        panic!("{}", broken.join("\n"));
    }
}

/// Files from bytes: a byte that chooses the place, two for the length, then the content; and so on.
fn tree_from(mut bytes: &[u8], places: &[Utf8PathBuf]) -> Tree {
    let tree = Tree::fixture("//- /work/repo/.git/HEAD\nref: refs/heads/main\n");
    while let [choice, high, low, rest @ ..] = bytes {
        let length = usize::from(u16::from_be_bytes([*high, *low])).min(rest.len());
        let (content, after) = rest.split_at(length);
        if let Some(path) = places.get(usize::from(*choice) % places.len().max(1)) {
            tree.file(path, content);
        }
        bytes = after;
    }
    tree
}

/// Masked text is one line of visible characters, whatever was masked.
pub fn masks(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let words: Vec<Secret> = text.split('\0').map(Secret::new).collect();
    let masked = Masked::command_line(&words);
    if masked.len() != words.len() {
        panic!("{} words became {}", words.len(), masked.len());
    }
    let single = words
        .iter()
        .flat_map(|word| [Masked::url(word), Masked::word(word), Masked::value(word)]);
    for masked in masked.into_iter().chain(single) {
        check_visible(masked.as_str());
    }
}

/// Foreign text cannot act, on a terminal or in Markdown.
pub fn shown(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    check_visible(&Shown(&text).to_string());
    let markdown: MarkdownShown<'_> = Shown(&text).markdown();
    check_visible(&markdown.to_string());
}

fn check_visible(text: &str) {
    let acts = |character: char| {
        character.is_control()
            || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    if let Some(character) = text.chars().find(|character| acts(*character)) {
        panic!("{character:?} can act");
    }
}

/// A known secret is gone from what the scrubber let through, and a JSON document stays one.
pub fn scrub(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (secret, text) = text
        .split_once('\0')
        .unwrap_or(("sk-0123456789abcdef", &text));
    let mut scrubber = Scrubber::default();
    scrubber.learn(Secret::new(secret));
    let scrubbed = scrubber.scrub(text);
    // Words and short texts are not learnt: they would take ordinary output apart.
    let learnt = secret.len() >= 16
        && secret.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && has_letters_and_digits(secret);
    if learnt && scrubbed.contains(secret) {
        panic!("the secret is still there");
    }
    let document = serde_json::Value::from(text).to_string();
    if serde_json::from_str::<serde_json::Value>(&scrubber.scrub_json(&document)).is_err() {
        panic!("scrubbing broke a JSON document");
    }
}

fn has_letters_and_digits(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    digits >= 4 && text.len() - digits >= 4
}
