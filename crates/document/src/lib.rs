//! Configuration files as the harnesses' own parsers see them, with a place for every key and value,
//! and the types that keep secrets and foreign text from doing harm.
//!
//! A file's bytes become a [`Document`] under a [`Dialect`]: the rules of the parser that the real program uses.
//! JSON, TOML and YAML share one tree of [`Node`]s, so that everything above this crate is written once.
//!
//! ```text
//! bytes ── Dialect ──► Document { text, root: Node } ──► Place { path, span, position }
//! ```
//!
//! Whatever may hold a secret is a [`Secret`]; it becomes printable only as [`Masked`] text. Text written by somebody else
//! (names, paths, commands) is printed through [`Shown`]. [`Scrubber`] is the last writer: it takes out what slipped through.
//!
//! This crate is pure: no disk, no process, no clock, no environment.

mod dialect;
mod document;
mod json;
mod node;
mod rewritten;
mod secrets;
mod span;
mod toml;
mod yaml;

pub use dialect::{Dialect, JsonDialect};
pub use document::{Document, SyntaxError};
pub use node::{Key, Member, Node, Number, Value};
pub use rewritten::Rewritten;
pub use secrets::{
    Excerpt, MarkdownShown, Masked, Masking, Scrubber, Secret, Shown, code, excerpt, excerpt_at,
    excerpt_broken, excerpt_line,
};
pub use span::{LineIndex, Place, Position, Span};
