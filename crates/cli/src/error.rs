//! Why a command cannot be answered.

use muster_core::CommandLineError;

use crate::exit::Code;
use crate::hand::HandError;

/// Everything that can go wrong in the program itself. What is wrong with somebody's configuration is no error: it is the answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// A folder that was named is not there.
    #[error("{what} `{path}` {why}")]
    Folder {
        /// What the folder was to be.
        what: &'static str,
        /// As it was named.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// The current folder cannot be asked for.
    #[error("the current folder cannot be read")]
    NoCurrentFolder(#[source] std::io::Error),
    /// The words after `--` cannot be answered for.
    #[error("cannot tell what the command after `--` would start")]
    CommandLine(#[source] CommandLineError),
    /// `--harness` and the words after `--` name different harnesses.
    #[error("the command after `--` starts {starts}, but `--harness` asks for another agent")]
    OtherHarness {
        /// The harness that the command starts.
        starts: &'static str,
    },
    /// A man page that does not exist.
    #[error("there is no command `{0}`")]
    UnknownCommand(String),
    /// A rule that does not exist.
    #[error("there is no rule `{name}`")]
    UnknownRule {
        /// As it was asked for.
        name: String,
        /// Rules that are called much the same, the closest first.
        similar: Vec<&'static str>,
    },
    /// Nothing can be started at all.
    #[error("cannot start anything here")]
    Runtime(#[source] std::io::Error),
    /// There is no way into the network.
    #[error("cannot reach the network: {0}")]
    Network(String),
    /// The user, or the system, ended the run. Everything that was started was ended with it.
    #[error("interrupted{}", left_running(.left))]
    Interrupted {
        /// Processes that could not be ended.
        left: Vec<u32>,
    },
    /// A server that was asked for does not load.
    #[error("no server that loads here is called `{}`", muster_document::Shown(.0))]
    NoSuchServer(String),
    /// The answer cannot be written.
    #[error("cannot write {}", .path.as_ref().map_or("to stdout".to_owned(), |path| format!("`{path}`")))]
    Write {
        /// The file as it was named; `None` for stdout.
        path: Option<String>,
        /// Why not.
        source: std::io::Error,
    },
    /// A server cannot be used by hand.
    #[error(transparent)]
    Hand(Box<HandError>),
    /// Processes are to be ended, and nobody can be asked.
    #[error("{} to end, and nobody can be asked", match .0 { 1 => "there is 1 process".to_owned(), count => format!("there are {count} processes") })]
    Unasked(usize),
    /// Processes cannot be looked at on this system.
    #[cfg(not(unix))]
    #[error("Muster cannot look at processes on this system yet")]
    NoProcesses,
    /// A sign-in, or a sign-out.
    #[error(transparent)]
    SignIn(#[from] crate::commands::SignInError),
    /// The demo cannot be laid down.
    #[error("cannot lay down the demo")]
    Demo(#[source] std::io::Error),
}

impl From<HandError> for CliError {
    fn from(error: HandError) -> CliError {
        CliError::Hand(Box::new(error))
    }
}

impl CliError {
    /// The exit code. None of these is a fault of Muster's: something that was asked for cannot be done, be it that an answer
    /// cannot be written where it was to go.
    pub(crate) fn code(&self) -> Code {
        match self {
            CliError::Hand(error) => error.code(),
            CliError::Unasked(_) => Code::Refused,
            CliError::SignIn(error) => error.code(),
            CliError::NoSuchServer(_) => Code::NoAnswer,
            CliError::Interrupted { .. } => Code::Interrupted,
            _ => Code::Usage,
        }
    }

    /// What to do about it, and what else there is to know, line by line.
    pub(crate) fn hints(&self) -> Vec<String> {
        match self {
            CliError::Hand(error) => error.hints(),
            other => other.hint().into_iter().collect(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            CliError::CommandLine(CommandLineError::UnknownProgram(_)) => Some(format!(
                "the first word after `--` is one of: {}",
                known(|harness| harness.programs())
            )),
            CliError::CommandLine(CommandLineError::Assignment(_)) => {
                Some("variables stand before `muster`: NAME=VALUE muster list -- claude".to_owned())
            }
            CliError::OtherHarness { .. } => {
                Some("leave `--harness` away: the command names the agent".to_owned())
            }
            CliError::UnknownRule { similar, .. } if !similar.is_empty() => {
                Some(format!("did you mean {}?", similar.join(", or ")))
            }
            CliError::NoSuchServer(name) => Some(format!(
                "`muster why {}` says why it does not load",
                muster_document::Shown(name)
            )),
            CliError::UnknownRule { .. } => Some("`muster explain` lists the rules".to_owned()),
            CliError::Unasked(_) => {
                Some("`muster ps` shows them, `muster ps --reap --yes` ends them".to_owned())
            }
            CliError::SignIn(error) => error.hint(),
            CliError::UnknownCommand(_) => Some("`muster --help` lists the commands".to_owned()),
            _ => None,
        }
    }
}

fn left_running(pids: &[u32]) -> String {
    match pids {
        [] => "; nothing that was started is left".to_owned(),
        pids => {
            let pids: Vec<String> = pids.iter().map(u32::to_string).collect();
            format!("; these processes could not be ended: {}", pids.join(", "))
        }
    }
}

fn known(words: fn(&dyn muster_core::Harness) -> &'static [&'static str]) -> String {
    muster_harness::ALL
        .iter()
        .flat_map(|harness| words(*harness))
        .copied()
        .collect::<Vec<_>>()
        .join(", ")
}
