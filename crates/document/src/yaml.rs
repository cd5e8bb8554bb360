//! The YAML at the head of Markdown files to nodes.
//!
//! `saphyr-parser` makes events of the text; the tree is built from them here and not by `saphyr`, for three reasons. Its loader
//! calls itself for every level, so that a line of dashes overflows the program's stack. It bounds the nodes that aliases make but
//! not the text in them. And it keeps neither how a number is spelled nor all of what a block scalar covers.
//!
//! Mappings with the same key twice are refused, and merge keys (`<<`) are keys like any other. Of tags only `!!str` counts.

mod place;
mod scalar;
mod steps;
mod tree;

use crate::document::Fault;
use crate::{Node, Span, Value};

/// Parses the front matter of `text`, a Markdown file. Without one, it is an empty table.
pub(crate) fn parse_front_matter(text: &str) -> Result<Node, Fault> {
    match front_matter(text) {
        Some(within) => tree::read(text, within),
        None => Ok(empty(Span::default())),
    }
}

/// What stands between the first line of `text`, if that is a fence, and the next fence.
fn front_matter(text: &str) -> Option<Span> {
    let mut lines = text.split_inclusive('\n');
    let start = lines.next().filter(|line| is_fence(line))?.len();
    let mut end = start;
    for line in lines {
        if is_fence(line) {
            return Some(Span::new(start, end));
        }
        end += line.len();
    }
    None
}

fn is_fence(line: &str) -> bool {
    line.trim_end_matches([' ', '\t', '\r', '\n']) == "---"
}

fn empty(span: Span) -> Node {
    Node {
        value: Value::Table(Vec::new()),
        span,
    }
}

#[cfg(test)]
mod tests;
