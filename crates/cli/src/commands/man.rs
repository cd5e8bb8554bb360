//! `muster man`: the help as man pages.

use clap_mangen::Man;
use muster_report::Page;

use crate::args::Args;
use crate::error::CliError;

/// The page of `command`, or of Muster itself.
pub(crate) fn run(command: Option<&str>) -> Result<Page, CliError> {
    let mut grammar = Args::grammar();
    // Options that every command takes reach the commands only when the grammar is complete.
    grammar.build();
    let shown = match command {
        None => grammar,
        Some(name) => {
            let found = grammar.find_subcommand(name);
            found
                .cloned()
                .ok_or_else(|| CliError::UnknownCommand(name.to_owned()))?
        }
    };
    let mut page = Vec::new();
    Man::new(shown)
        .render(&mut page)
        .map_err(|source| CliError::Write { path: None, source })?;
    Ok(Page::own(String::from_utf8_lossy(&page)))
}
