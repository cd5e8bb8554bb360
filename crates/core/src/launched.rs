//! What came of starting a server: what it said, what it offers, how it ended. Data only; who starts servers is the client.

use std::time::Duration;

use muster_document::Secret;
use serde_json::Value;

use crate::{Exit, Oddity};

/// What came of one server. Every text and value of the server is foreign and unmasked: whoever shows it passes it through
/// [`Shown`](muster_document::Shown) or [`Masked`](muster_document::Masked), and the whole page through the scrubber.
#[derive(Debug, Clone)]
pub struct Launched {
    /// The name under which it is configured.
    pub server: String,
    /// The ids of the harnesses that load it, in their order.
    pub harnesses: Vec<&'static str>,
    /// What became of it.
    pub state: State,
    /// How it was spoken to: `modern` or `legacy`; `None` where it never came to that.
    pub era: Option<&'static str>,
    /// The revision, as it wrote it.
    pub protocol: Option<String>,
    /// Its name, version and title, as it sent them.
    pub server_info: Option<Value>,
    /// How it wants to be used.
    pub instructions: Option<String>,
    /// From the start until it was ready to be asked.
    pub startup: Option<Duration>,
    /// From the start until it was over, or given up.
    pub took: Duration,
    /// Its tools, as it sent them: objects with a textual name.
    pub tools: Vec<Value>,
    /// Its prompts, as it sent them.
    pub prompts: Vec<Value>,
    /// Its resources, as it sent them.
    pub resources: Vec<Value>,
    /// Its resource templates, as it sent them.
    pub templates: Vec<Value>,
    /// Items of its list of tools that are no tools, with their index in it.
    pub odd_tools: Vec<(usize, Value)>,
    /// Lists that it declares and does not give: the method, and why.
    pub failed_lists: Vec<(&'static str, String)>,
    /// What it wrote to its standard output that is no message.
    pub noise: Noise,
    /// The end of its standard error.
    pub stderr_tail: String,
    /// How its process ended by itself, before it was asked to.
    pub exit: Option<Exit>,
    /// What it had started and could not be ended.
    pub left_running: Vec<LeftRunning>,
    /// What it did that it should not have.
    pub oddities: Vec<Oddity>,
    /// Values that helpers gave for it: no report shows them, and none may.
    pub given: Vec<Secret>,
}

/// What became of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It works.
    Ok,
    /// It was started, or tried, in vain.
    Failed(Failure),
    /// It did not answer in time.
    TimedOut {
        /// What it was asked last.
        method: String,
        /// How long it had.
        after: Duration,
    },
    /// It works for whoever signs in.
    NeedsSignIn {
        /// More of it, in words.
        how: String,
    },
    /// It was not tried: why, in a sentence without its full stop, which holds nothing foreign.
    NotStarted(String),
}

impl State {
    /// The word of the contract.
    pub fn word(&self) -> &'static str {
        match self {
            State::Ok => "ok",
            State::Failed(_) => "failed",
            State::TimedOut { .. } => "timed-out",
            State::NeedsSignIn { .. } => "needs-sign-in",
            State::NotStarted(_) => "not-started",
        }
    }
}

/// Why a server does not work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What kind of failure it is.
    pub class: FailureClass,
    /// What it was asked last; `None` where it never came to that.
    pub method: Option<&'static str>,
    /// What happened, as a sentence without its full stop. Foreign.
    pub text: String,
}

/// What kind of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureClass {
    /// Its process could not be started.
    NotSpawned,
    /// Its process, or its connection, ended.
    Ended,
    /// It answered with an error.
    Refused,
    /// What it says is no answer.
    Invalid,
    /// It could not be reached.
    Unreachable,
}

/// What a server wrote to its standard output that is no message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Noise {
    /// How many lines.
    pub lines: usize,
    /// The first of them, cut.
    pub first: Option<String>,
}

/// A process that a server had started, and that could not be ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftRunning {
    /// Its id.
    pub pid: u32,
    /// Its command.
    pub argv: Vec<Secret>,
}

impl Launched {
    /// A server of which nothing is known but what became of it.
    pub fn nothing(server: &str, harnesses: Vec<&'static str>, state: State) -> Launched {
        Launched {
            server: server.to_owned(),
            harnesses,
            state,
            era: None,
            protocol: None,
            server_info: None,
            instructions: None,
            startup: None,
            took: Duration::ZERO,
            tools: Vec::new(),
            prompts: Vec::new(),
            resources: Vec::new(),
            templates: Vec::new(),
            odd_tools: Vec::new(),
            failed_lists: Vec::new(),
            noise: Noise::default(),
            stderr_tail: String::new(),
            exit: None,
            left_running: Vec::new(),
            oddities: Vec::new(),
            given: Vec::new(),
        }
    }
}
