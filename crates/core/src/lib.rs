//! What a harness sees and what it decides.
//!
//! Resolution is a pure function of a [`World`]: files, environment, folder, platform, mode. A [`Harness`] reads the world's files
//! through a [`Dossier`], which keeps account of every file looked at, and answers with a [`Resolution`]: every definition it
//! found as a [`Server`] with a [`Status`], a chain of [`Reason`]s and their places.
//!
//! ```text
//! World ─► Harness ─► Dossier: files, documents, notes
//!                  └► Definition ─► Objection? ─► settle(): who wins a name ─► Server
//! ```
//!
//! This crate is pure: no disk, no process, no clock, no environment. The disk is behind [`FileSource`].

mod consent;
mod contest;
mod definition;
mod dossier;
mod exit;
mod files;
mod finding;
mod fleet;
mod git;
mod harness;
mod identity;
mod idiom;
mod launch;
mod launched;
mod named;
mod native;
mod oddity;
mod offer;
mod path;
mod rule;
mod running;
mod shared;
mod variables;
mod verdict;
mod world;

pub use consent::{Consent, consent};
pub use contest::{Contender, settle};
pub use definition::{Definition, Entry, HeaderVariable, Scope, Sourced, Transport};
pub use dossier::{Dossier, FileReport, FileState, Loaded, Source};
pub use exit::Exit;
pub use files::{FileFault, FileKind, FileSource, Files, Metadata};
pub use finding::{Audience, Check, Confidence, Example, Finding, Severity};
pub use fleet::{Candidate, User, fleet};
pub use git::{GitIndex, GitRoot};
pub use harness::{Beside, CommandLineError, Harness, Session, installed_version};
pub use identity::Identity;
pub use idiom::{Address, Idiom, SelfApproval, Table, Thing, Tilde, TimeUnit, TrustStore};
pub use launch::{
    Giver, Gives, Handed, Helper, LaunchError, LaunchPlan, Start, Timeout, handed,
    whole_environment,
};
pub use launched::{Failure, FailureClass, Launched, LeftRunning, Noise, State};
pub use named::named_variables;
pub use oddity::Oddity;
pub use offer::{ListFault, Offer, Offered, offers, tokens, tool_name};
pub use path::{absolute, normalize, shown, tilde};
pub use rule::{Evidence, Rule};
pub use running::{Agent, AgentKind, Configured, Fate, KnownBy, Process, RunningServer, running};
pub use shared::{leave_out_repeats, leave_to_owners};
pub use variables::{Field, Unset, VariableForm};
pub use verdict::{Elsewhere, Note, Objection, Reason, Resolution, Server, Status};
pub use world::{Environment, Mode, Platform, World};
