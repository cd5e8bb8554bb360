//! One module per command. A command answers with a page; nobody here prints.

mod list;

use muster_report::Page;

use crate::args::{Args, Command};
use crate::error::CliError;
use crate::output::Output;

/// Answers what `args` ask.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Page, CliError> {
    match &args.command {
        None => list::run(&args.common, &[], output),
        Some(Command::List { session }) => list::run(&args.common, session, output),
        _ => Ok(Page::own("")),
    }
}
