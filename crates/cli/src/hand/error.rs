//! Why a server cannot be used by hand. All texts may be printed.

use crate::exit::Code;

use super::arguments::ArgumentError;
use super::words::WordError;

/// Why a hand tool has no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HandError {
    /// Nobody knows the server.
    #[error("no agent knows a server `{name}`")]
    UnknownServer {
        /// As it was asked for.
        name: String,
        /// Servers that are called much the same.
        similar: Vec<String>,
    },
    /// Agents mean different servers by one name.
    #[error("agents mean different servers by `{name}`: {}", .harnesses.join(", "))]
    Ambiguous {
        /// The name.
        name: String,
        /// Their ids.
        harnesses: Vec<&'static str>,
    },
    /// A repository brings it, and nobody said yes.
    #[error("`{name}` comes with the repository, and you have not approved it in {harness}")]
    Unapproved {
        /// The server.
        name: String,
        /// An agent that has it.
        harness: &'static str,
        /// What it would start or reach, masked.
        command: String,
    },
    /// Somebody decided against it.
    #[error("`{name}` may not start: {why}")]
    Forbidden {
        /// The server.
        name: String,
        /// Why.
        why: String,
    },
    /// Its definition cannot be used.
    #[error("`{name}` cannot be started: {why}")]
    Unusable {
        /// The server.
        name: String,
        /// Why.
        why: String,
    },
    /// It did not start.
    #[error("`{name}` could not be started: {why}")]
    NotStarted {
        /// The server.
        name: String,
        /// Why.
        why: String,
        /// The last lines of its standard error.
        stderr: Vec<String>,
    },
    /// It answers nobody who has not signed in.
    #[error("`{name}` does not let you in: {why}")]
    SignIn {
        /// The server.
        name: String,
        /// What is wanted.
        why: String,
    },
    /// It did not answer, or answered with an error.
    #[error("`{name}` did not do it: {why}")]
    NoAnswer {
        /// The server.
        name: String,
        /// Why.
        why: String,
        /// The last lines of its standard error.
        stderr: Vec<String>,
    },
    /// It has no such tool, prompt or resource.
    #[error("`{server}` has no {what} `{name}`")]
    NoSuch {
        /// The server.
        server: String,
        /// `tool` or `prompt`.
        what: &'static str,
        /// As it was asked for.
        name: String,
        /// Those that are called much the same.
        similar: Vec<String>,
        /// The command that lists them.
        lists: String,
    },
    /// Something is missing on the command line.
    #[error("{0}")]
    Missing(String),
    /// An option that makes no sense.
    #[error("{0}")]
    Option(String),
    /// A word is no argument.
    #[error(transparent)]
    Word(#[from] WordError),
    /// Arguments do not fit.
    #[error("{error}")]
    Argument {
        /// Why not.
        error: ArgumentError,
        /// What the tool takes.
        signature: String,
    },
    /// A binary answer would go to a terminal.
    #[error("the resource is binary ({0}): it is not written to a terminal")]
    Binary(String),
    /// Several parts cannot be one file.
    #[error("the resource has {0} parts, of which some are binary")]
    Parts(usize),
    /// Something cannot be saved.
    #[error("cannot save to `{path}`")]
    Save {
        /// Where.
        path: String,
        /// Why not.
        source: std::io::Error,
    },
    /// The system does not let Muster start servers at all.
    #[error("servers cannot be started here")]
    Runtime(#[source] std::io::Error),
    /// The user ended it.
    #[error("interrupted")]
    Interrupted,
}

impl HandError {
    /// The exit code.
    pub(crate) fn code(&self) -> Code {
        match self {
            HandError::Unapproved { .. } | HandError::Forbidden { .. } => Code::Refused,
            HandError::Unusable { .. }
            | HandError::NotStarted { .. }
            | HandError::SignIn { .. }
            | HandError::NoAnswer { .. }
            | HandError::Runtime(_) => Code::NoAnswer,
            HandError::Interrupted => Code::Interrupted,
            _ => Code::Usage,
        }
    }

    /// What to do about it, and what else there is to know.
    pub(crate) fn hints(&self) -> Vec<String> {
        match self {
            HandError::UnknownServer { similar, .. } if !similar.is_empty() => {
                vec![format!("did you mean {}?", similar.join(", or "))]
            }
            HandError::UnknownServer { .. } => vec!["`muster list` shows what is known".to_owned()],
            HandError::Ambiguous { name, harnesses } => {
                let first = harnesses.first().copied().unwrap_or_default();
                vec![
                    format!("--harness {first} says whose is meant"),
                    format!("`muster why {name}` tells them apart"),
                ]
            }
            HandError::Unapproved {
                name,
                harness,
                command,
            } => vec![
                format!("it would start {command}"),
                format!("approve it in {harness} first; `muster why {name}` says how"),
            ],
            HandError::Forbidden { name, .. } | HandError::Unusable { name, .. } => {
                vec![format!("`muster why {name}` tells all")]
            }
            HandError::NotStarted { stderr, .. } | HandError::NoAnswer { stderr, .. } => stderr
                .iter()
                .map(|line| format!("stderr  {line}"))
                .collect(),
            HandError::SignIn { name, .. } => vec![match name.contains("://") {
                // What is shown of it may be masked.
                true => "`muster login ADDRESS` signs in".to_owned(),
                false => format!("`muster login {name}` signs in"),
            }],
            HandError::NoSuch { similar, .. } if !similar.is_empty() => {
                vec![format!("did you mean {}?", similar.join(", or "))]
            }
            HandError::NoSuch { lists, .. } => vec![format!("`{lists}` lists them")],
            HandError::Argument { signature, .. } => vec![signature.clone()],
            HandError::Word(WordError::NoValue(name)) => vec![format!(
                "arguments are written {name}=text, or {name}:=json"
            )],
            HandError::Word(WordError::File { key, .. }) => vec![format!(
                "a text that begins with @ is written {key}:='\"@…\"'"
            )],
            HandError::Binary(_) => vec!["-o FILE saves it".to_owned()],
            HandError::Parts(_) => vec!["--format json gives all of them".to_owned()],
            _ => Vec::new(),
        }
    }
}
