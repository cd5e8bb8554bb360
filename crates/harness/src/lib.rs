//! How each coding agent finds, merges, approves, filters and validates its MCP servers.
//!
//! One room per harness; [`ALL`] is the registry. A harness is a [`Harness`]: tables plus a few small functions over a world.
//! Its rules are named in its `rules.rs`, each with the version of the real program on which it was seen and the golden
//! cases that pin it.
//!
//! This crate is pure: no disk, no process, no clock, no environment.

#![allow(
    rustdoc::invalid_html_tags,
    reason = "a rule's sentence is its documentation too, and names patterns such as mcp__<server>__<tool>"
)]

use muster_core::{CommandLineError, Harness};
use muster_document::{Masked, Secret};

mod claude_code;
mod codex;
mod cursor;
mod foreign;
mod gemini_cli;
mod muster;
mod opencode;
mod pi;
mod rulebook;
mod sse;
#[cfg(test)]
mod tests;

pub use claude_code::ClaudeCode;
pub use codex::Codex;
pub use cursor::Cursor;
pub use gemini_cli::GeminiCli;
pub use muster::Muster;
pub use opencode::OpenCode;
pub use pi::Pi;

/// Every harness, in the order in which they are shown.
pub static ALL: &[&dyn Harness] = &[
    &ClaudeCode,
    &Codex,
    &GeminiCli,
    &Cursor,
    &OpenCode,
    &Pi,
    &Muster,
];

/// The harness with the id `id`.
pub fn by_id(id: &str) -> Option<&'static dyn Harness> {
    ALL.iter().copied().find(|harness| harness.id() == id)
}

/// The harness that the command line `words` starts: its first word is a program's name or a path to it.
///
/// # Errors
/// [`CommandLineError::UnknownProgram`] where no harness is started by it, [`CommandLineError::Assignment`] where it is none.
pub fn by_command(words: &[String]) -> Result<&'static dyn Harness, CommandLineError> {
    let word = words.first().map(String::as_str).unwrap_or_default();
    if let Some((name, _)) = word.split_once('=')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    {
        let name = Masked::word(&Secret::new(name)).to_string();
        return Err(CommandLineError::Assignment(name));
    }
    let file = word.rsplit(['/', '\\']).next().unwrap_or_default();
    let program = [".exe", ".cmd"]
        .iter()
        .find_map(|suffix| file.strip_suffix(suffix))
        .unwrap_or(file);
    ALL.iter()
        .copied()
        .find(|harness| harness.programs().contains(&program))
        .ok_or_else(|| {
            CommandLineError::UnknownProgram(Masked::word(&Secret::new(word)).to_string())
        })
}
