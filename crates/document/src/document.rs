//! A parsed file.

use std::sync::{Arc, OnceLock};

use camino::Utf8Path;

use crate::{Dialect, LineIndex, Node, Place, Position, Rewritten, Span, json, toml, yaml};

/// A file's text and tree. Spans count bytes of [`Document::text`], which is the decoded text: without a byte order mark.
pub struct Document {
    path: Arc<Utf8Path>,
    text: Box<str>,
    lines: OnceLock<LineIndex>,
    root: Node,
}

impl Document {
    /// Parses `bytes`, the content of the file at `path`, as the parser described by `dialect` would.
    ///
    /// # Errors
    /// Where that parser would refuse the file, with the place of the first problem.
    pub fn parse(
        path: Arc<Utf8Path>,
        bytes: &[u8],
        dialect: Dialect,
    ) -> Result<Document, SyntaxError> {
        match decode(bytes, dialect) {
            Ok(text) => match parse_text(&text, dialect) {
                Ok(root) => Ok(Document::new(path, text, root)),
                Err(fault) => Err(SyntaxError::new(path, text, fault)),
            },
            Err((text, fault)) => Err(SyntaxError::new(path, text, fault)),
        }
    }

    /// The same for a program that changes the text before it parses it: `rewrite` makes of the file's text what is parsed. Values are those
    /// of the new text; places, and [`Document::text`], are the file's.
    ///
    /// # Errors
    /// Where the parser would refuse the new text, with the place in the file.
    pub fn parse_rewritten(
        path: Arc<Utf8Path>,
        bytes: &[u8],
        dialect: Dialect,
        rewrite: impl FnOnce(Rewritten) -> Rewritten,
    ) -> Result<Document, SyntaxError> {
        let text = match decode(bytes, dialect) {
            Ok(text) => text,
            Err((text, fault)) => return Err(SyntaxError::new(path, text, fault)),
        };
        let rewritten = rewrite(Rewritten::new(&text));
        match parse_text(rewritten.text(), dialect) {
            Ok(mut root) => {
                rewritten.relocate(&mut root);
                Ok(Document::new(path, text, root))
            }
            Err(fault) => {
                let span = rewritten.source(fault.span);
                Err(SyntaxError::new(path, text, Fault { span, ..fault }))
            }
        }
    }

    fn new(path: Arc<Utf8Path>, text: String, root: Node) -> Document {
        Document {
            path,
            text: text.into_boxed_str(),
            lines: OnceLock::new(),
            root,
        }
    }

    /// What can still be made of the file that `error` is about: enough to name the servers that it costs. Of YAML that is nothing.
    /// Spans hold in the file's text; nothing of it is what the real program reads.
    pub fn salvage(error: &SyntaxError, dialect: Dialect) -> Option<Document> {
        let text: Box<str> = Box::from(error.text.as_ref());
        let root = match dialect {
            Dialect::Json(_) => json::salvage(&text)?,
            Dialect::Toml => toml::salvage(&text)?,
            Dialect::YamlFrontMatter => return None,
        };
        Some(Document {
            path: Arc::clone(&error.place.path),
            text,
            lines: OnceLock::new(),
            root,
        })
    }

    /// The file's path.
    pub fn path(&self) -> &Arc<Utf8Path> {
        &self.path
    }

    /// The text that spans count in.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The whole value.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// The lines of the text.
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }

    /// `span` as a place in this file.
    pub fn place(&self, span: Span) -> Place {
        Place {
            path: Arc::clone(&self.path),
            span,
            position: self.lines().position(&self.text, span.start),
        }
    }
}

// The text holds secrets.
impl std::fmt::Debug for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Document")
            .field("path", &self.path)
            .field("root", &self.root)
            .finish_non_exhaustive()
    }
}

/// Why a parser refuses a file. `Debug` and `Display` show nothing of the file's text beyond the parser's message.
#[derive(Clone, thiserror::Error)]
#[error("{message}")]
pub struct SyntaxError {
    /// The first problem, as a lower-case fragment without values from the file.
    pub message: String,
    /// Where it was noticed.
    pub place: Place,
    /// The text as far as it could be decoded, for an excerpt.
    text: Arc<str>,
}

impl SyntaxError {
    fn new(path: Arc<Utf8Path>, text: String, fault: Fault) -> Self {
        let position = LineIndex::new(&text).position(&text, fault.span.start);
        let place = Place {
            path,
            span: fault.span,
            position,
        };
        SyntaxError {
            message: fault.message,
            place,
            text: text.into(),
        }
    }

    /// The text as far as it could be decoded; bytes that are not text are U+FFFD.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Line and column of the problem.
    pub fn position(&self) -> Position {
        self.place.position
    }
}

impl std::fmt::Debug for SyntaxError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SyntaxError")
            .field("message", &self.message)
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}

/// A parser's complaint before it is tied to a file.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) message: String,
    pub(crate) span: Span,
}

impl Fault {
    pub(crate) fn at(span: Span, message: impl Into<String>) -> Self {
        Fault {
            message: message.into(),
            span,
        }
    }
}

fn parse_text(text: &str, dialect: Dialect) -> Result<Node, Fault> {
    match dialect {
        Dialect::Json(rules) => json::parse(text, rules),
        Dialect::Toml => toml::parse(text),
        Dialect::YamlFrontMatter => yaml::parse_front_matter(text),
    }
}

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Bytes to text, the byte order mark taken off where the dialect accepts one. On failure also the text that could be made out.
fn decode(bytes: &[u8], dialect: Dialect) -> Result<String, (String, Fault)> {
    let (bom, utf16le, lossy) = match dialect {
        // Marked as UTF-16, a file has no chance to be JSON; the mark makes a better message than U+FFFD.
        Dialect::Json(rules) => (
            rules.bom,
            rules.utf16le,
            rules.lossy_utf8 && !is_utf16(bytes),
        ),
        Dialect::Toml => (true, false, false),
        Dialect::YamlFrontMatter => (true, false, true),
    };
    if utf16le && let Some(rest) = bytes.strip_prefix(b"\xFF\xFE") {
        return decode_utf16le(rest);
    }
    let bytes = if bom {
        bytes.strip_prefix(BOM).unwrap_or(bytes)
    } else {
        bytes
    };
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(_) if lossy => Ok(String::from_utf8_lossy(bytes).into_owned()),
        Err(error) => Err(not_utf8(bytes, error.valid_up_to())),
    }
}

/// The complaint about `bytes`, which are no UTF-8 from byte `at` on.
fn not_utf8(bytes: &[u8], at: usize) -> (String, Fault) {
    let message = if is_utf16(bytes) {
        "the file is UTF-16, not UTF-8"
    } else {
        "the file is not valid UTF-8"
    };
    let span = Span::new(at, at + char::REPLACEMENT_CHARACTER.len_utf8());
    let text = String::from_utf8_lossy(bytes).into_owned();
    (text, Fault::at(span, message))
}

/// Whether `bytes` start with a byte order mark of UTF-16.
fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF")
}

fn decode_utf16le(bytes: &[u8]) -> Result<String, (String, Fault)> {
    let units: Vec<u16> = bytes
        .chunks_exact(2)
        .map(|pair| {
            pair.iter()
                .rev()
                .fold(0, |unit, byte| (unit << 8) | u16::from(*byte))
        })
        .collect();
    // JavaScript decoders replace what they cannot read, so this never fails.
    Ok(String::from_utf16_lossy(&units))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::JsonDialect;

    const STRICT: Dialect = Dialect::Json(JsonDialect::JSON_PARSE);
    const WINDOWS: Dialect = Dialect::Json(JsonDialect::JSON_PARSE.with_bom().with_utf16le());

    fn parse(bytes: &[u8], dialect: Dialect) -> Result<Document, SyntaxError> {
        Document::parse(
            Arc::from(Utf8Path::new("/home/ada/.mcp.json")),
            bytes,
            dialect,
        )
    }

    fn utf16le(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn byte_order_marks_depend_on_the_dialect() {
        let marked = b"\xEF\xBB\xBF{\"a\": 1}";
        let document = parse(marked, WINDOWS).unwrap();
        assert_eq!(document.text(), "{\"a\": 1}");
        assert_eq!(document.root().span, Span::new(0, 8));
        assert_eq!(
            parse(marked, STRICT).unwrap_err().message,
            "a byte order mark is not allowed here"
        );
        assert!(parse(b"\xEF\xBB\xBFa = 1", Dialect::Toml).is_ok());
        assert!(parse(b"\xEF\xBB\xBF\xEF\xBB\xBF{}", WINDOWS).is_err());
    }

    #[test]
    fn utf_16_depends_on_the_dialect() {
        let bytes = utf16le("\u{feff}{\"a\": \"\u{1F600}\"}");
        let document = parse(&bytes, WINDOWS).unwrap();
        assert_eq!(
            document.root().get("a").and_then(Node::as_str),
            Some("\u{1F600}")
        );
        assert_eq!(
            parse(&bytes, STRICT).unwrap_err().message,
            "the file is UTF-16, not UTF-8"
        );
        assert!(
            parse(&utf16le("{}"), WINDOWS).is_err(),
            "without a mark it is UTF-8 with NUL bytes"
        );
    }

    #[test]
    fn bad_utf_8_depends_on_the_dialect() {
        const RUST: Dialect = Dialect::Json(JsonDialect::SERDE_JSON);
        let bytes = b"{\n\"a\": \"\xFF\", \"b\": 1}";
        let document = parse(bytes, STRICT).unwrap();
        assert_eq!(
            document.root().get("a").and_then(Node::as_str),
            Some("\u{fffd}")
        );
        let b = document.root().member("b").unwrap();
        assert_eq!(
            b.key.span.of(document.text()),
            "\"b\"",
            "spans count in the decoded text"
        );
        for dialect in [RUST, Dialect::Toml] {
            let error = parse(bytes, dialect).unwrap_err();
            assert_eq!(error.message, "the file is not valid UTF-8");
            assert_eq!(error.position(), Position { line: 2, column: 7 });
            assert_eq!(error.place.span.of(error.text()), "\u{fffd}");
        }
        assert!(
            parse(b"{}\xFF", STRICT).is_err(),
            "U+FFFD outside of a string"
        );
    }

    #[test]
    fn bad_utf_8_becomes_as_many_characters_as_javascript_makes_of_it() {
        for (bytes, count) in [
            (&b"\xF0\x9F\x98"[..], 1),
            (b"\xE2\x82", 1),
            (b"\xC0\x80", 2),
            (b"\x80\x80", 2),
            (b"\xED\xA0\x80", 3),
            (b"\xF4\x90\x80\x80", 4),
        ] {
            let quoted = [b"\"", bytes, b"\""].concat();
            let document = parse(&quoted, STRICT).unwrap();
            assert_eq!(
                document.root().as_str(),
                Some(&*"\u{fffd}".repeat(count)),
                "{bytes:x?}"
            );
        }
    }

    #[test]
    fn front_matter_is_read_whatever_surrounds_it() {
        let bytes = b"\xEF\xBB\xBF---\na: x\xFF\n---\nbody \xFF";
        let document = parse(bytes, Dialect::YamlFrontMatter).unwrap();
        assert_eq!(
            document.root().get("a").and_then(Node::as_str),
            Some("x\u{fffd}")
        );
        assert!(document.text().ends_with("body \u{fffd}"));
    }

    #[test]
    fn errors_show_their_place_and_no_text() {
        let error = parse(b"{\n  \"TOKEN\": s3cret\n}", STRICT).unwrap_err();
        assert_eq!(error.to_string(), "text without quotes");
        assert_eq!(
            error.position(),
            Position {
                line: 2,
                column: 12
            }
        );
        assert!(!format!("{error:?}").contains("s3cret"));
        assert!(error.text().contains("s3cret"), "for an excerpt");
    }

    #[test]
    fn debug_text_of_a_document_holds_no_values() {
        let document = parse(b"{\"TOKEN\": \"s3cret\"}", STRICT).unwrap();
        assert!(!format!("{document:?}").contains("s3cret"));
    }
}
