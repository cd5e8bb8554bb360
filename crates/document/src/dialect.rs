//! What a harness's parser accepts, as data.

/// The rules under which a file's bytes become a [`Document`](crate::Document).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// JSON with or without liberties.
    Json(JsonDialect),
    /// TOML 1.1 as the `toml` family of crates reads it, which is what Codex uses; a leading BOM is accepted.
    Toml,
    /// The YAML 1.2 between the first line of a Markdown file, `---`, and the next line `---`. A file without is an empty table.
    /// A leading BOM is accepted, and bytes that are no UTF-8 become U+FFFD.
    YamlFrontMatter,
}

/// Where a JSON parser is more or less strict than RFC 8259. Duplicate keys are always kept and the last wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct JsonDialect {
    /// `//` and `/* */` are skipped.
    pub comments: bool,
    /// A `/*` that is never closed is a comment to the end of the file, as `strip-json-comments` has it; otherwise it is an error.
    pub open_comments: bool,
    /// A comma may follow the last member or element.
    pub trailing_commas: bool,
    /// A leading UTF-8 byte order mark is skipped; otherwise it is an error.
    pub bom: bool,
    /// UTF-16LE with a byte order mark is read.
    pub utf16le: bool,
    /// Bytes that are no UTF-8 become U+FFFD, as Node and Bun read text files; otherwise they are an error.
    pub lossy_utf8: bool,
    /// Escapes of lone surrogates (`"\ud800"`) are accepted, as `JSON.parse` does and serde_json does not.
    pub lone_surrogates: bool,
    /// How many arrays and objects may stand inside each other; `None` where the parser has no limit of its own.
    /// Muster itself gives up at 512.
    pub depth: Option<usize>,
}

impl JsonDialect {
    /// `JSON.parse` of JavaScript engines, on text from which a byte order mark was not taken off.
    pub const JSON_PARSE: JsonDialect = JsonDialect {
        comments: false,
        open_comments: false,
        trailing_commas: false,
        bom: false,
        utf16le: false,
        lossy_utf8: true,
        lone_surrogates: true,
        depth: None,
    };

    /// Rust's serde_json with its default recursion limit of 128.
    pub const SERDE_JSON: JsonDialect = JsonDialect {
        comments: false,
        open_comments: false,
        trailing_commas: false,
        bom: false,
        utf16le: false,
        lossy_utf8: false,
        lone_surrogates: false,
        depth: Some(127),
    };

    /// The same rules with a leading UTF-8 byte order mark accepted.
    pub const fn with_bom(self) -> Self {
        Self { bom: true, ..self }
    }

    /// The same rules with UTF-16LE (and its byte order mark) accepted.
    pub const fn with_utf16le(self) -> Self {
        Self {
            utf16le: true,
            ..self
        }
    }

    /// Whether every document is one of RFC 8259: no comments, no trailing commas.
    pub(crate) const fn is_strict(self) -> bool {
        !self.comments && !self.trailing_commas
    }
}
