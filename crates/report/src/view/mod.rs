//! The view model: what a format may show, in the shapes of the contract. The only serde types of the libraries.

mod build;
mod build_by_server;
mod build_launch;
mod build_why;
mod check;
mod explain;
mod launch;
mod launched;
mod list;
mod offering;
mod ps;
mod sign_in;
mod why;
mod words;

pub(crate) use build::{command, url};
pub use check::{Check, CheckHarness, Totals};
pub use explain::{Beside, Example, Explain, Explained, Looked, Observed};
pub use launch::{Giver, Handed, Launch, Timeout, ToolNames};
pub(crate) use launched::reason;
pub use launched::{Ended, LaunchState, Launched, Noise, Process, ServerInfo, Tool};
pub use list::{
    ByServer, DefinedIn, File, Finding, Harness, List, Note, Origin, Reason, Server, Tools,
};
pub use offering::{Addressed, Came, Offerer, Prompts, Resources, Signed, Tools as OfferedTools};
pub use ps::{Agent, DefinedAs, Ps, Reaped, Running};
pub use sign_in::{Login, Logout};
pub use why::{Definition, Elsewhere, Line, Link, Similar, Why, WhyHarness};
pub use words::{FileState, Mode, Scope, Severity, Status, Transport};
