//! Which servers may be started: the user's own, what the user said yes to, and what is asked for now.

use muster_core::{Candidate, Consent};
use muster_report::Page;

use crate::output::Output;

/// Whether a server may be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Allowed {
    /// It may.
    Yes,
    /// It may not: why, as a sentence without its full stop.
    No(String),
}

impl Allowed {
    pub(crate) fn is_yes(&self) -> bool {
        *self == Allowed::Yes
    }
}

/// What the user asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wish {
    /// What comes with a repository is started too.
    pub(crate) include_unapproved: bool,
    /// What runs elsewhere is reached too.
    pub(crate) remote: bool,
}

/// Decides of each of `candidates`. What a repository brings and nobody approved is shown before it is started; on a terminal the user is
/// asked.
pub(crate) fn decide(candidates: &[Candidate<'_>], wish: Wish, output: &Output) -> Vec<Allowed> {
    let reached = |candidate: &Candidate<'_>| wish.remote || !candidate.is_remote();
    let open: Vec<&Candidate<'_>> = candidates
        .iter()
        .filter(|candidate| candidate.consent == Consent::Unapproved && reached(candidate))
        .collect();
    let yes = match (open.is_empty(), wish.include_unapproved) {
        (true, _) => false,
        (false, true) => {
            let heading = "Started though nobody approved them, as asked:";
            output.tell(&commands(&open, output, heading));
            true
        }
        (false, false) if output.can_ask() => {
            let heading = "These come with the repository, and nobody approved them yet:";
            output.tell(&commands(&open, output, heading));
            output.ask("Start them?") == Some(true)
        }
        (false, false) => false,
    };
    let of = |candidate: &Candidate<'_>| {
        match candidate.consent {
        _ if !reached(candidate) => {
            Allowed::No("it runs elsewhere; --remote reaches it".to_owned())
        }
        Consent::Unapproved if !yes => Allowed::No(
            "it comes with the repository, and you have not approved it; --include-unapproved starts it".to_owned(),
        ),
        _ => Allowed::Yes,
    }
    };
    candidates.iter().map(of).collect()
}

/// What would be started, word by word.
fn commands(candidates: &[&Candidate<'_>], output: &Output, heading: &str) -> Page {
    muster_report::commands(candidates, heading, output.look())
}
