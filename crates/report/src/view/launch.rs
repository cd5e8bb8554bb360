//! How a server would be started, in `muster.why/1`.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Origin, Scope, Tools, Transport};

/// How a harness would start the server that a name stands for, or reach it. What there is none of is `null` or empty.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Launch<'a> {
    /// Whether a session does it; `null` where that cannot be known.
    pub loads: Option<bool>,
    /// Whose the definition is that is meant: the one that loads, else the one that the verdict is about.
    pub scope: Scope,
    /// Where its name stands; `null` for what a command line gave.
    pub origin: Option<Origin<'a>>,
    /// Why the harness starts nothing, as a sentence without its full stop; all below is empty then.
    pub refused: Option<String>,
    /// How the server is spoken to.
    pub transport: Option<Transport>,
    /// How it is spoken to where that is refused.
    pub fallback: Option<Transport>,
    /// The program and its arguments, hidden parts as `•••`. Of variables only paths of files are shown, other references stay.
    pub command: Option<Vec<String>>,
    /// The folder that the program is started in, absolute.
    pub cwd: Option<String>,
    /// The variables that the program is given, sorted by name. Values are never shown.
    pub env: Vec<Handed>,
    /// Names of variables of the harness's own environment that the program is not given, sorted.
    pub withheld: Vec<String>,
    /// The address, hidden parts as `•••`.
    pub url: Option<String>,
    /// Names of the header fields that are sent. Values are never shown.
    pub headers: Vec<String>,
    /// The command line of a program that the harness asks for more header fields. Muster never runs it.
    pub headers_helper: Option<String>,
    /// How long the harness waits until the server is ready.
    pub startup_timeout: Option<Timeout<'a>>,
    /// How long it waits for the answer to one tool call.
    pub call_timeout: Option<Timeout<'a>>,
    /// How tools are called.
    pub tool_names: Option<ToolNames>,
    /// Which tools are offered, by the server's own names or patterns of the harness.
    pub tools: Tools,
    /// What is worth knowing: variables that are unset, helpers that are run. Sentences without full stop.
    pub remarks: Vec<String>,
}

/// A variable that a program is given.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Handed {
    /// Its name.
    pub name: String,
    /// Who gives it.
    pub giver: Giver,
}

/// Who gives a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Giver {
    /// It is passed on from the harness's own environment.
    Inherited,
    /// The definition.
    Entry,
    /// A file of the harness's: settings, `.env`.
    Settings,
    /// A file that may come with the repository.
    Repository,
    /// The harness itself.
    Harness,
}

impl From<muster_core::Giver> for Giver {
    fn from(giver: muster_core::Giver) -> Self {
        match giver {
            muster_core::Giver::Inherited => Giver::Inherited,
            muster_core::Giver::Entry => Giver::Entry,
            muster_core::Giver::Settings => Giver::Settings,
            muster_core::Giver::Repository => Giver::Repository,
            muster_core::Giver::Harness => Giver::Harness,
        }
    }
}

/// How long a harness waits.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Timeout<'a> {
    /// How long; `null` for ever.
    pub seconds: Option<f64>,
    /// Where that is written; `null` for what the harness does by itself or a variable says.
    pub origin: Option<Origin<'a>>,
}

/// How a server's tools are called.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ToolNames {
    /// The pattern: `mcp__<server>__<tool>`.
    pub pattern: &'static str,
    /// The name of a tool called `search`.
    pub example: String,
}
