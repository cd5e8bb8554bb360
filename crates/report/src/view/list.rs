//! `muster.list/1`.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use super::{FileState, Mode, Scope, Severity, Status, Transport};

/// Which MCP servers load in a session started in `project`, in which harness, and why.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "muster.list/1")]
pub struct List<'a> {
    /// `muster.list/1`.
    pub schema: &'static str,
    /// The version of Muster that wrote this.
    pub muster: &'static str,
    /// The session folder, absolute, links resolved.
    pub project: &'a str,
    /// Whether somebody can be asked in the session.
    pub mode: Mode,
    /// Every harness asked, configured or not, always in the same order.
    pub harnesses: Vec<Harness<'a>>,
    /// What is worth acting on.
    pub findings: Vec<Finding<'a>>,
    /// The same definitions by server, sorted by name; `null` unless it is asked for (`--by server`).
    pub by_server: Option<Vec<ByServer<'a>>>,
}

/// One server and everywhere it is defined: the same program by its file name with the same arguments, or the same address.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ByServer<'a> {
    /// The names under which it goes, exactly as written.
    pub names: Vec<&'a str>,
    /// The program and its arguments as its first definition has them, hidden parts as `•••`.
    pub command: Option<Vec<String>>,
    /// The address as its first definition has it, hidden parts as `•••`.
    pub url: Option<String>,
    /// Ids of the harnesses that load it.
    pub loads_in: Vec<&'static str>,
    /// Ids of the harnesses that know it and do not load it, or of which that cannot be known.
    pub not_loaded_in: Vec<&'static str>,
    /// Ids of the harnesses that were asked and do not know it.
    pub unknown_to: Vec<&'static str>,
    /// Its definitions: harness by harness, then in order of precedence.
    pub definitions: Vec<DefinedIn<'a>>,
}

/// One definition of a server.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DefinedIn<'a> {
    /// The id of the harness.
    pub harness: &'static str,
    /// The name there.
    pub name: &'a str,
    /// Whether a session starts it; `null` where that cannot be known.
    pub loads: Option<bool>,
    /// What becomes of it.
    pub status: Status,
    /// Whose the definition is.
    pub scope: Scope,
    /// Where its name stands; `null` for what a command line gave.
    pub origin: Option<Origin<'a>>,
}

/// One harness and everything it was seen to read.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Harness<'a> {
    /// Its id, such as `claude-code`.
    pub id: &'static str,
    /// Its name, such as `Claude Code`.
    pub name: &'static str,
    /// The version of the real program on which the rules were observed.
    pub rules: &'static str,
    /// The version of the program found on PATH.
    pub installed: Option<&'a str>,
    /// Every file looked at, in the order of the first look.
    pub files: Vec<File<'a>>,
    /// Every definition found, losers too: in order of precedence, then of the files.
    pub servers: Vec<Server<'a>>,
    /// What is about no single server. Where one fault stops the whole harness, it comes first.
    pub notes: Vec<Note<'a>>,
}

/// A file that was looked at.
#[derive(Debug, Serialize, JsonSchema)]
pub struct File<'a> {
    /// Its path, absolute.
    pub path: Cow<'a, str>,
    /// Whose it is.
    pub scope: Scope,
    /// What became of it.
    pub state: FileState,
    /// Why it was skipped or is broken, or what is special about it.
    pub note: Option<&'a str>,
}

/// A definition and its verdict.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Server<'a> {
    /// The name, exactly as written.
    pub name: &'a str,
    /// Whether a session starts it; `null` where that cannot be known.
    pub loads: Option<bool>,
    /// What becomes of it.
    pub status: Status,
    /// Whose the definition is.
    pub scope: Scope,
    /// How it is reached; `null` where the definition does not tell.
    pub transport: Option<Transport>,
    /// The program and its arguments as written, hidden parts as `•••`.
    pub command: Option<Vec<String>>,
    /// The address as written, hidden parts as `•••`.
    pub url: Option<String>,
    /// The working folder that the definition asks for.
    pub cwd: Option<String>,
    /// Names of the variables it sets. Values are never shown.
    pub env: Vec<&'a str>,
    /// Names of the header fields it sends. Values are never shown.
    pub headers: Vec<&'a str>,
    /// Where its name stands; `null` for what a command line gave.
    pub origin: Option<Origin<'a>>,
    /// The chain of reasons, the deciding one last.
    pub reasons: Vec<Reason<'a>>,
    /// Which of its tools are offered.
    pub tools: Tools,
}

/// A place in a file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Origin<'a> {
    /// The file, absolute.
    pub file: Cow<'a, str>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in Unicode scalar values.
    pub column: u32,
}

/// One link of the chain that leads to a verdict.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Reason<'a> {
    /// The rule it follows from.
    pub rule: &'static str,
    /// A sentence without its full stop.
    pub text: &'a str,
    /// Where it is written.
    pub origin: Option<Origin<'a>>,
}

/// Something worth saying that is about no single server.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Note<'a> {
    /// The rule it follows from.
    pub rule: &'static str,
    /// A sentence without its full stop.
    pub text: &'a str,
    /// Where it is written.
    pub origin: Option<Origin<'a>>,
}

/// Which of a server's tools are offered, by the server's own names.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Tools {
    /// Only these; `null` for all.
    pub only: Option<Vec<String>>,
    /// Not these.
    pub without: Vec<String>,
}

/// Something worth acting on.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Finding<'a> {
    /// The rule that found it.
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The harness it is about.
    pub harness: Option<&'static str>,
    /// The server it is about.
    pub server: Option<&'a str>,
    /// The server's own name for the tool it is about.
    pub tool: Option<&'a str>,
    /// What is.
    pub text: &'a str,
    /// What to do.
    pub help: Option<&'a str>,
    /// Where.
    pub origin: Option<Origin<'a>>,
}
