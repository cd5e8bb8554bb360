//! Text that is no parsed file: comments, broken files, JSON inside an argument.

use super::cover::Cover;
use super::decoded::Decoded;
use super::{detect, names, references, tree, word};
use crate::{JsonDialect, Node, Span};

/// Covers JSON or an inline table of TOML inside an argument; as a broken file if it is neither.
pub(super) fn structured(text: &str, depth: usize) -> Cover {
    parsed(text, depth, |source, root| {
        tree::judge(source, root, Span::new(0, source.len()), depth).cover
    })
}

/// The same where every value is a secret: headers, environments.
pub(super) fn structured_secrets(text: &str, depth: usize) -> Cover {
    parsed(text, depth, |source, root| {
        tree::judge_secrets(source, root, depth).cover
    })
}

fn parsed(text: &str, depth: usize, judge: impl Fn(&str, &Node) -> Cover) -> Cover {
    let json = JsonDialect {
        comments: true,
        trailing_commas: true,
        ..JsonDialect::JSON_PARSE
    };
    if let Ok(root) = crate::json::parse(text, json) {
        return judge(text, &root);
    }
    // TOML has no values without a key.
    const KEY: &str = "x=";
    let table = format!("{KEY}{text}");
    match crate::toml::parse(&table) {
        Ok(root) => {
            let cover = judge(&table, &root);
            let back = |span: Span| {
                Span::new(
                    span.start.saturating_sub(KEY.len()),
                    span.end.saturating_sub(KEY.len()),
                )
            };
            cover.spans().into_iter().map(back).collect()
        }
        Err(_) => broken(text, depth, text.trim_start().starts_with('{')),
    }
}

/// Covers a comment: besides what looks like a secret, what is in quotes behind a colon or an equals sign, and words that mix letters and
/// digits and are no names. Comments often are configuration that was switched off.
pub(super) fn comment(text: &str, depth: usize) -> Cover {
    let Some(deeper) = depth.checked_sub(1) else {
        return Cover::all(text);
    };
    let mut cover = word::judge(text, deeper);
    if let Some(found) = word::find_assigned_secret(text) {
        let value = text.get(found.value..).unwrap_or_default();
        cover.add(word::hide(value), found.value);
    }
    for (at, _) in text.match_indices([':', '=']) {
        let rest = text.get(at + 1..).unwrap_or_default();
        let value = rest.trim_start();
        if let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            let start = at + 1 + rest.len() - value.len() + 1;
            let end = text
                .get(start..)
                .and_then(|inner| inner.find(quote))
                .map_or(text.len(), |length| start + length);
            cover.add(word::hide_strictly(Span::new(start, end).of(text)), start);
        }
    }
    let mut at = 0;
    for part in text.split(|c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '"' | '\'' | ',' | ';' | '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>'
            )
    }) {
        if is_dubious(part) {
            cover.hide(Span::new(at, at + part.len()));
        }
        at += part.len()
            + text
                .get(at + part.len()..)
                .and_then(|rest| rest.chars().next())
                .map_or(0, char::len_utf8);
    }
    cover
}

/// Covers what stands between the keys and values of a parsed file: punctuation, comments, and of TOML the part of a later header
/// (`[mcp_servers.db.tools]`) that an earlier one opened.
pub(super) fn between(text: &str, depth: usize) -> Cover {
    let is_header =
        |c: char| names::is_name_character(c) || matches!(c, '[' | ']' | '"' | '\'' | ' ');
    if !text.trim_start().starts_with('[') || !text.trim_end().chars().all(is_header) {
        return comment(text, depth);
    }
    let mut cover = Cover::none();
    let mut at = 0;
    for part in text.split(['[', ']', '.', '"', '\'', ' ']) {
        cover.add(key(part), at);
        at += part.len() + 1;
    }
    cover
}

/// A word of a comment that mixes letters and digits and is neither a name nor a path nor a version.
fn is_dubious(word: &str) -> bool {
    let mixed = word.len() >= 8
        && word.chars().any(char::is_alphabetic)
        && word.chars().any(|c| c.is_ascii_digit());
    let known = detect::is_plain_compound(word)
        || detect::is_version(word)
        || detect::is_package(word)
        || detect::is_path(word);
    mixed && !known && !word.contains("://") && references::find(word).is_empty()
}

/// Covers text that should have been JSON or TOML and is not. Only keys, punctuation, `true`, `false`, `null` and small numbers stay. In
/// JSON (`json`) a key without quotes is none, and stays only if it reads like one.
pub(super) fn broken(text: &str, depth: usize, json: bool) -> Cover {
    let mut cover = Cover::none();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let mut reader = Broken {
            text: line,
            depth,
            json,
            at: 0,
            key: true,
            spoiled: false,
            cover: Cover::none(),
        };
        reader.read();
        cover.add(reader.cover, at);
        at += line.len();
    }
    cover
}

/// One line of a broken file.
struct Broken<'t> {
    text: &'t str,
    depth: usize,
    json: bool,
    at: usize,
    /// Whether a key may stand here: at the start, behind `{` and behind `,`.
    key: bool,
    /// Whether a value without quotes was met: a comma may belong to it, so no key follows on this line.
    spoiled: bool,
    cover: Cover,
}

impl Broken<'_> {
    fn read(&mut self) {
        if self.header() {
            return;
        }
        while let Some(c) = self.rest().chars().next() {
            match c {
                '"' | '\'' => self.string(c),
                '/' | '#' if self.is_comment() => {
                    self.cover.add(comment(self.rest(), self.depth), self.at);
                    self.at = self.text.len();
                }
                _ if is_punctuation(c) => {
                    self.key = match c {
                        '{' | ',' => !self.spoiled,
                        _ if c.is_whitespace() => self.key,
                        _ => false,
                    };
                    self.at += c.len_utf8();
                }
                _ => self.bare(),
            }
        }
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// `[table.name]`, `[[name]]`.
    fn header(&mut self) -> bool {
        let line = self.text.trim();
        let name = line.trim_start_matches('[').trim_end_matches(']');
        let is_name = |c: char| names::is_name_character(c) || matches!(c, '"' | '\'');
        let header = line.starts_with('[')
            && line.ends_with(']')
            && name.chars().all(is_name)
            && name.contains(|c: char| c.is_alphabetic());
        // Quotes around all of it make it a list of one string.
        let header = header && !name.starts_with(['"', '\'']);
        if header {
            let at = self.text.find(name).unwrap_or_default();
            self.cover.add(key(name), at);
        }
        header
    }

    fn is_comment(&self) -> bool {
        let start = self.rest().starts_with("//")
            || self.rest().starts_with("/*")
            || self.rest().starts_with('#');
        let before = self.text.get(..self.at).unwrap_or_default();
        let apart = before.is_empty() || before.ends_with([' ', '\t', ',', '{', '}', '[', ']']);
        start && apart && !before.trim_end().ends_with([':', '='])
    }

    /// A literal: a key stays, anything else is hidden, up to the end of the line if it is not closed.
    fn string(&mut self, quote: char) {
        let start = self.at + 1;
        let inner = self.text.get(start..).unwrap_or_default();
        let line_end = inner.trim_end_matches(['\r', '\n']).len();
        let closed = closing(inner, quote);
        let content = Span::new(start, start + closed.unwrap_or(line_end));
        self.at = content.end + usize::from(closed.is_some());
        if closed.is_some() && self.key && self.is_before_value() {
            let decoded = Decoded::plain(content.of(self.text), content.start).backslashes();
            self.cover.add(key(decoded.text()).through(&decoded), 0);
        } else {
            self.cover
                .add(word::hide_strictly(content.of(self.text)), content.start);
        }
        self.key = false;
    }

    fn bare(&mut self) {
        let length = self
            .rest()
            .find(|c: char| is_punctuation(c) || matches!(c, '"' | '\''))
            .unwrap_or(self.rest().len());
        let span = Span::new(self.at, self.at + length.max(1));
        let text = span.of(self.text);
        self.at = span.end;
        let digits = text.contains(|c: char| c.is_ascii_digit());
        let dubious = self.json && digits && !names::is_variable(text);
        if self.key && self.is_before_value() && !dubious {
            self.cover.add(key(text), span.start);
        } else if !is_harmless(text) {
            self.cover.add(word::hide_strictly(text), span.start);
            self.spoiled |= text.contains(|c: char| !c.is_ascii_digit());
        }
        self.key = false;
    }

    /// Whether `:` or `=` follows, as behind a key. An equals sign at the end of a line rather ends base64.
    fn is_before_value(&self) -> bool {
        let rest = self.rest().trim_start();
        rest.starts_with(':')
            || rest
                .strip_prefix('=')
                .is_some_and(|value| !value.starts_with('=') && !value.trim().is_empty())
    }
}

/// A key is a name; only what looks like a key of another kind in it is hidden.
pub(super) fn key(text: &str) -> Cover {
    if text.contains("://") {
        return word::judge(text, word::DEPTH);
    }
    match detect::find_known_key(text) {
        Some(at) => Cover::of(Span::new(at, text.len())),
        None if text.split('.').any(detect::is_suspicious) || detect::is_suspicious(text) => {
            Cover::all(text)
        }
        None => Cover::none(),
    }
}

fn is_punctuation(c: char) -> bool {
    c.is_whitespace() || matches!(c, '{' | '}' | '[' | ']' | '(' | ')' | ',' | ':' | '=')
}

fn is_harmless(word: &str) -> bool {
    matches!(word, "true" | "false" | "null")
        || (word.len() <= 3 && word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Where the literal closes whose content begins `inner`.
fn closing(inner: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in inner.char_indices() {
        match c {
            '\n' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return Some(at),
            _ => {}
        }
    }
    None
}
