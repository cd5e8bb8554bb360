//! A file tree written as one text.

use camino::Utf8PathBuf;
use muster_core::FileKind;

use crate::tree::{Body, Item};

const HEADER: &str = "//- ";

/// The paths and items that a fixture text lays down, in its order. See [`Tree::fixture`](crate::Tree::fixture).
pub(crate) fn parse(text: &str) -> Vec<(Utf8PathBuf, Item)> {
    let mut found: Vec<(Header<'_>, String)> = Vec::new();
    let text = trim_indent(text);
    for line in text.split_inclusive('\n') {
        match (line.strip_prefix(HEADER), found.last_mut()) {
            (Some(header), _) => found.push((Header::parse(header.trim_end()), String::new())),
            (None, Some((_, content))) => content.push_str(line),
            (None, None) if line.trim().is_empty() => {}
            (None, None) => panic!("a fixture starts with `{HEADER}PATH`, not with `{line}`"),
        }
    }
    found
        .into_iter()
        .map(|(header, content)| header.item(&content))
        .collect()
}

struct Header<'t> {
    path: &'t str,
    target: Option<&'t str>,
    traits: Vec<&'t str>,
}

impl<'t> Header<'t> {
    fn parse(text: &'t str) -> Self {
        if let Some((path, target)) = text.split_once(" -> ") {
            return Header {
                path,
                target: Some(target),
                traits: Vec::new(),
            };
        }
        let mut words = text.split_whitespace();
        Header {
            path: words.next().unwrap_or_default(),
            target: None,
            traits: words.collect(),
        }
    }

    fn item(self, content: &str) -> (Utf8PathBuf, Item) {
        let body = match self.target {
            Some(target) => Body::Link(target.into()),
            None if self.path.ends_with('/') => Body::Folder,
            None => Body::File(content.as_bytes().into()),
        };
        let mut item = Item::new(body);
        for word in self.traits {
            match word.split_once('=') {
                None if word == "fifo" => item.body = Body::Special(FileKind::Fifo),
                None if word == "device" => item.body = Body::Special(FileKind::Device),
                None if word == "socket" => item.body = Body::Special(FileKind::Other),
                None if word == "refused" => item.refused = true,
                Some(("mode", bits)) => item.mode = number(bits, 8),
                Some(("owner", id)) => item.owner = number(id, 10),
                _ => panic!("`{word}` is no trait of a fixture's file"),
            }
        }
        let path = if self.path.len() > 1 {
            self.path.trim_end_matches('/')
        } else {
            self.path
        };
        (path.into(), item)
    }
}

fn number(text: &str, radix: u32) -> u32 {
    match u32::from_str_radix(text, radix) {
        Ok(number) => number,
        Err(_) => panic!("`{text}` is no number of base {radix}"),
    }
}

/// `text` without the line end it starts with and without the indentation that all its lines share. A last line of blanks is the
/// closing quote's indentation and goes too.
fn trim_indent(text: &str) -> String {
    let text = text.strip_prefix('\n').unwrap_or(text);
    let text = text
        .rsplit_once('\n')
        .filter(|(_, last)| last.trim().is_empty())
        .map_or(text, |(body, _)| body);
    if text.is_empty() {
        return String::new();
    }
    let indent_of = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let indent = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(indent_of)
        .min()
        .unwrap_or(0);
    let mut trimmed = String::with_capacity(text.len());
    for line in text.split('\n') {
        trimmed.push_str(line.get(indent..).unwrap_or_default());
        trimmed.push('\n');
    }
    trimmed
}
