//! The only module of `xtask` that prints.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "chores talk to the developer who runs them"
)]

use std::io::Write as _;

/// Says `text`.
pub(crate) fn line(text: &str) {
    println!("{text}");
    flush();
}

/// Opens a section of a long run.
pub(crate) fn heading(text: &str) {
    println!("\n── {text}");
    flush();
}

/// Says what went wrong.
pub(crate) fn problem(text: &str) {
    eprintln!("error: {text}");
}

/// Says what should be looked at but fails nothing.
pub(crate) fn warning(text: &str) {
    eprintln!("warning: {text}");
}

/// A child process that writes next shall not overtake us. A closed pipe is no error.
fn flush() {
    let _ = std::io::stdout().flush();
}
