//! The words of the contract. They mirror the core's enums so that the core can move while the formats stay: a word that the core
//! gains does not compile here until the contract has it.

use schemars::JsonSchema;
use serde::Serialize;

/// What becomes of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The harness starts it in a session here.
    Configured,
    /// It waits for the user's yes in that harness.
    NeedsApproval,
    /// The user said no.
    Rejected,
    /// Switched off.
    Off,
    /// The folder is not trusted there.
    Untrusted,
    /// A policy keeps it out.
    Blocked,
    /// Another definition wins.
    Overridden,
    /// The harness refuses the definition, or the file that holds it.
    Invalid,
    /// A transport that the harness does not speak.
    Unsupported,
    /// The harness gives up before starting it, by its own rules.
    Broken,
    /// Written where the harness never looks.
    Ignored,
    /// Depends on a switch that cannot be read.
    Unknown,
}

impl From<muster_core::Status> for Status {
    fn from(status: muster_core::Status) -> Self {
        use muster_core::Status as Core;
        match status {
            Core::Configured => Status::Configured,
            Core::NeedsApproval => Status::NeedsApproval,
            Core::Rejected => Status::Rejected,
            Core::Off => Status::Off,
            Core::Untrusted => Status::Untrusted,
            Core::Blocked => Status::Blocked,
            Core::Overridden => Status::Overridden,
            Core::Invalid => Status::Invalid,
            Core::Unsupported => Status::Unsupported,
            Core::Broken => Status::Broken,
            Core::Ignored => Status::Ignored,
            Core::Unknown => Status::Unknown,
        }
    }
}

/// Whose a file or a definition is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
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

impl From<muster_core::Scope> for Scope {
    fn from(scope: muster_core::Scope) -> Self {
        use muster_core::Scope as Core;
        match scope {
            Core::Managed => Scope::Managed,
            Core::System => Scope::System,
            Core::Local => Scope::Local,
            Core::Project => Scope::Project,
            Core::User => Scope::User,
            Core::Profile => Scope::Profile,
            Core::Plugin => Scope::Plugin,
            Core::Extension => Scope::Extension,
            Core::Agent => Scope::Agent,
            Core::Flag => Scope::Flag,
            Core::Own => Scope::Own,
        }
    }
}

/// How a server is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
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

impl From<muster_core::Transport> for Transport {
    fn from(transport: muster_core::Transport) -> Self {
        use muster_core::Transport as Core;
        match transport {
            Core::Stdio => Transport::Stdio,
            Core::Http => Transport::Http,
            Core::Sse => Transport::Sse,
            Core::Ws => Transport::Ws,
        }
    }
}

/// What became of a file that was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FileState {
    /// Read and understood.
    Read,
    /// Not there.
    Absent,
    /// There, but not read.
    Skipped,
    /// Read, but the harness cannot use it.
    Broken,
}

impl From<muster_core::FileState> for FileState {
    fn from(state: muster_core::FileState) -> Self {
        use muster_core::FileState as Core;
        match state {
            Core::Read => FileState::Read,
            Core::Absent => FileState::Absent,
            Core::Skipped | Core::Unreadable => FileState::Skipped,
            Core::Broken => FileState::Broken,
        }
    }
}

/// Whether somebody can be asked in the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// A session with a person at it.
    Interactive,
    /// A run that nobody can be asked in.
    Headless,
}

impl From<muster_core::Mode> for Mode {
    fn from(mode: muster_core::Mode) -> Self {
        match mode {
            muster_core::Mode::Interactive => Mode::Interactive,
            muster_core::Mode::Headless => Mode::Headless,
        }
    }
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Something does not work, or is dangerous.
    Error,
    /// Something probably does not do what was meant.
    Warning,
    /// Worth knowing.
    Note,
}

impl From<muster_core::Severity> for Severity {
    fn from(severity: muster_core::Severity) -> Self {
        match severity {
            muster_core::Severity::Error => Severity::Error,
            muster_core::Severity::Warning => Severity::Warning,
            muster_core::Severity::Note => Severity::Note,
        }
    }
}
