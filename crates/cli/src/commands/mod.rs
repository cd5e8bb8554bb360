//! One module per command. A command answers with a page; nobody here prints.

mod check;
mod completions;
mod demo;
mod explain;
mod list;
mod man;
mod schema;
mod why;

use muster_report::Page;

use crate::args::{Args, By, Command};
use crate::error::CliError;
use crate::exit::Code;
use crate::output::Output;

/// What a command answers, and the code it ends with.
pub(crate) struct Answer {
    /// What is printed.
    pub(crate) page: Page,
    /// How the process ends.
    pub(crate) code: Code,
}

impl From<Page> for Answer {
    fn from(page: Page) -> Answer {
        Answer {
            page,
            code: Code::Fine,
        }
    }
}

/// Answers what `args` ask.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Answer, CliError> {
    let common = &args.common;
    let page = match &args.command {
        None => list::run(common, By::Harness, &args.session, output),
        Some(Command::List { by, session }) => list::run(common, *by, session, output),
        Some(Command::Check(asked)) => return check::run(common, asked, output),
        Some(Command::Explain { rule }) => explain::run(common, rule.as_deref(), output),
        Some(Command::Why {
            name,
            launch_plan,
            session,
        }) => why::run(common, name, *launch_plan, session, output),
        Some(Command::Demo { keep }) => demo::run(common, *keep, output),
        Some(Command::Completions { shell }) => Ok(completions::run(*shell)),
        Some(Command::Man { command }) => man::run(command.as_deref()),
        Some(Command::Schema { name }) => Ok(schema::run(*name)),
    };
    page.map(Answer::from)
}
