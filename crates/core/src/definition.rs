//! A server as somebody wrote it down.

use std::rc::Rc;
use std::time::Duration;

use muster_document::{Place, Secret};

use crate::Rule;

/// Where a definition stands, in the harnesses' own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// An administrator's files.
    Managed,
    /// System-wide configuration that the user may override.
    System,
    /// The user's, for one folder.
    Local,
    /// Files of the project.
    Project,
    /// The user's, everywhere.
    User,
    /// A named profile of the user's.
    Profile,
    /// A plugin.
    Plugin,
    /// An extension.
    Extension,
    /// An agent's own file.
    Agent,
    /// Given on the command line.
    Flag,
    /// Muster's own list.
    Own,
}

impl Scope {
    /// The word in JSON and on screen.
    pub fn word(self) -> &'static str {
        match self {
            Scope::Managed => "managed",
            Scope::System => "system",
            Scope::Local => "local",
            Scope::Project => "project",
            Scope::User => "user",
            Scope::Profile => "profile",
            Scope::Plugin => "plugin",
            Scope::Extension => "extension",
            Scope::Agent => "agent",
            Scope::Flag => "flag",
            Scope::Own => "own",
        }
    }
}

/// How a server is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Transport {
    /// A child process.
    Stdio,
    /// Streamable HTTP.
    Http,
    /// HTTP with server-sent events, the older protocol.
    Sse,
    /// WebSocket.
    Ws,
}

impl Transport {
    /// The word in JSON and on screen.
    pub fn word(self) -> &'static str {
        match self {
            Transport::Stdio => "stdio",
            Transport::Http => "http",
            Transport::Sse => "sse",
            Transport::Ws => "ws",
        }
    }
}

/// A value with the place it was written at; `None` for what a command line gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sourced<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub place: Option<Place>,
}

/// What a definition says, as written: nothing is expanded. Fields that a harness would refuse are left empty.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    /// How the server is reached; `None` where the definition does not tell.
    pub transport: Option<Transport>,
    /// The program.
    pub command: Option<Sourced<Secret>>,
    /// Its arguments.
    pub args: Vec<Sourced<Secret>>,
    /// The working folder that the definition asks for, where the harness honours one.
    pub cwd: Option<Sourced<Secret>>,
    /// Variables by name.
    pub env: Vec<(String, Sourced<Secret>)>,
    /// The address.
    pub url: Option<Sourced<Secret>>,
    /// Header fields by name.
    pub headers: Vec<(String, Sourced<Secret>)>,
    /// The word that names the transport, whatever it is.
    pub transport_word: Option<Sourced<String>>,
    /// How long the harness waits for the server to be ready, where that is written.
    pub startup_timeout: Option<Sourced<Duration>>,
    /// How long it waits for the answer to one tool call, where that is written.
    pub call_timeout: Option<Sourced<Duration>>,
    /// Names of variables that are passed on from the harness's own environment, where it does not pass on all.
    pub forwarded: Vec<Sourced<String>>,
    /// Header fields whose values a variable holds; `headers` ends with them too, as references.
    pub header_variables: Vec<HeaderVariable>,
    /// The command line of a program that gives header fields.
    pub headers_helper: Option<Sourced<Secret>>,
    /// Keys that the harness never reads: misspelled, or another harness's.
    pub unread: Vec<Sourced<String>>,
    /// Tools that alone are offered, by the server's own names; `None` for all.
    pub tools_only: Option<Vec<String>>,
    /// Tools that are hidden, by the server's own names.
    pub tools_without: Vec<String>,
}

/// A header field whose value a variable holds.
#[derive(Debug, Clone)]
pub struct HeaderVariable {
    /// The field.
    pub field: String,
    /// The word before the value: `Bearer`.
    pub scheme: Option<&'static str>,
    /// The variable's name; secret, because some write the value itself there.
    pub variable: Sourced<Secret>,
}

/// A server as somebody wrote it down in one place (or, where a harness merges key by key, in several).
#[derive(Debug, Clone)]
pub struct Definition {
    /// The name under which the harness lists it.
    pub name: String,
    /// Whose it is.
    pub scope: Scope,
    /// Where its name stands; `None` for what a command line gave.
    pub place: Option<Place>,
    /// What it says.
    pub entry: Rc<Entry>,
    /// The rule that makes the harness read it.
    pub rule: &'static Rule,
}
