//! What a definition would start or reach, as one masked line.

use muster_core::Entry;
use muster_document::{Masked, Secret};

use crate::view::{command, url};

/// The masked command line or address of `entry`; an entry that a harness would refuse may hold both or neither.
pub(crate) fn target(entry: &Entry) -> String {
    let mut line = command(entry).map_or_else(String::new, |command| words(&command));
    if let Some(url) = url(entry) {
        if entry.command.is_some() {
            line.push_str("  ");
        }
        line.push_str(url.as_str());
    }
    line
}

/// The masked command line `line`.
pub(crate) fn command_line(line: &[String]) -> String {
    let line: Vec<Secret> = line.iter().map(Secret::new).collect();
    words(&Masked::command_line(&line))
}

/// Masked words in one line, each as a shell would want it, where that is only a matter of blanks.
pub(crate) fn words(line: &[Masked]) -> String {
    let mut text = String::new();
    for (at, word) in line.iter().map(Masked::as_str).enumerate() {
        if at > 0 {
            text.push(' ');
        }
        let quote = if word.is_empty() || word.contains(' ') {
            "'"
        } else {
            ""
        };
        text.extend([quote, word, quote]);
    }
    text
}
