//! What a definition would start or reach, as one masked line.

use muster_core::Entry;
use muster_document::{Masked, Secret};

use crate::view::{command, url};

/// The masked command line or address of `entry`; an entry that a harness would refuse may hold both or neither.
pub(crate) fn target(entry: &Entry) -> String {
    let command = command(entry).map(|command| words(&command));
    let parts: Vec<String> = command
        .into_iter()
        .chain(url(entry).map(|url| url.to_string()))
        .collect();
    parts.join("  ")
}

/// The masked command line `line`.
pub(crate) fn command_line(line: &[String]) -> String {
    let line: Vec<Secret> = line.iter().map(Secret::new).collect();
    words(&Masked::command_line(&line))
}

/// Masked words in one line.
pub(crate) fn words(line: &[Masked]) -> String {
    line.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// A masked word as a shell would want it, where that is only a matter of blanks.
fn word(word: &Masked) -> String {
    match word.as_str() {
        "" => "''".to_owned(),
        text if text.contains(' ') => format!("'{text}'"),
        text => text.to_owned(),
    }
}
