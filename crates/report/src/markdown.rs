//! Markdown to paste into an issue or a chat: foreign text is shown, never meant.

mod check;
mod explain;
mod finding;
mod launch;
mod launched;
mod list;
mod matrix;
mod offering;
mod ps;
mod result;
mod why;

pub(crate) use check::check;
pub(crate) use explain::explain;
pub(crate) use list::list;
pub(crate) use matrix::matrix;
pub(crate) use offering::offering;
pub(crate) use ps::ps;
pub(crate) use result::result;
pub(crate) use why::why;

use muster_document::Shown;

/// Text that may hold somebody else's words, as plain text.
fn plain(text: &str) -> String {
    Shown(text).markdown().to_string()
}

/// A row of a table.
fn row<const N: usize>(cells: [String; N]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// The head of a table.
fn head<const N: usize>(titles: [&str; N]) -> String {
    format!("| {} |\n|{}\n", titles.join(" | "), "---|".repeat(N))
}
