//! One module per command. A command answers with a page; nobody here prints.

mod call;
mod check;
mod completions;
mod demo;
mod explain;
mod list;
mod man;
mod prompt;
mod ps;
mod read;
mod resources;
mod schema;
mod sign_in;
mod tools;
mod why;

use muster_report::{Offered, Page};

use crate::args::{Args, By, Command};
use crate::error::CliError;
use crate::exit::Code;
use crate::output::Output;

pub(crate) use sign_in::SignInError;

/// What a command answers, and the code it ends with.
pub(crate) struct Answer {
    /// What is printed; `None` where all of it is written already.
    pub(crate) page: Option<Page>,
    /// How the process ends.
    pub(crate) code: Code,
}

impl From<Page> for Answer {
    fn from(page: Page) -> Answer {
        Answer {
            page: Some(page),
            code: Code::Fine,
        }
    }
}

impl Answer {
    /// Everything is written already.
    pub(crate) fn written() -> Answer {
        Answer {
            page: None,
            code: Code::Fine,
        }
    }
}

/// Answers what `args` ask.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Answer, CliError> {
    let common = &args.common;
    let page = match &args.command {
        None => list::run(common, By::Harness, &args.alone.session, output),
        Some(Command::List { by, session }) => list::run(common, *by, session, output),
        Some(Command::Check(asked)) => return check::run(common, asked, output),
        Some(Command::Tools(asked)) => return tools::run(common, asked, output),
        Some(Command::Call(asked)) => return call::run(common, asked, output),
        Some(Command::Resources(asked)) => {
            return resources::run(common, asked, Offered::Resources, output);
        }
        Some(Command::Prompts(asked)) => {
            return resources::run(common, asked, Offered::Prompts, output);
        }
        Some(Command::Read(asked)) => return read::run(common, asked, output),
        Some(Command::Prompt(asked)) => return prompt::run(common, asked, output),
        Some(Command::Explain { rule }) => explain::run(common, rule.as_deref(), output),
        Some(Command::Why {
            name,
            launch_plan,
            session,
        }) => why::run(common, name, *launch_plan, session, output),
        Some(Command::Ps { reap, yes }) => ps::run(common, *reap, *yes, output),
        Some(Command::Login(login)) => sign_in::login(common, login, output),
        Some(Command::Logout { server }) => sign_in::logout(common, server, output),
        Some(Command::Demo { keep }) => demo::run(common, *keep, output),
        Some(Command::Completions { shell }) => Ok(completions::run(*shell)),
        Some(Command::Man { command }) => man::run(command.as_deref()),
        Some(Command::Schema { name }) => Ok(schema::run(*name)),
    };
    page.map(Answer::from)
}
