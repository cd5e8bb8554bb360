//! What is wrong or misleading in the configuration of MCP servers as it stands, and in what they answer.
//!
//! ```text
//! World, Resolution of each harness ─► Account ─► per harness: checks ─┐
//!                                         └─► Subject: each server ────┴─► Findings, sorted
//! ```
//!
//! One file for each check in `checks/`, one line for each in the [registry](CHECKS). A check is a function over what a harness made
//! of the world; it asks the world's files no more than the look-up of a program does. No agent is named here but in the examples that
//! teach a check: what each calls things is said by its own [`Idiom`](muster_core::Idiom). What people call things, whoever they come
//! from, is here: keys in `keys.rs`, transports in `words.rs`.
//!
//! What servers that were started answered is judged in `answered/`, in the same way.
//!
//! This crate is pure: no disk, no process, no clock, no environment.

mod account;
mod answered;
mod checks;
mod keys;
mod owners;
mod program;
mod references;
mod registry;
mod start;
mod words;
mod written;

use std::collections::HashSet;

use muster_core::{Audience, Finding, Harness, Resolution, World};

use account::{Account, Subject};
use registry::{ALL, Look, Registered};

pub use answered::{LAUNCH_CHECKS, Launch, Likely, OUTCOMES, audit_launched, likely};
pub use registry::{CHECKS, by_id};

/// Everything that is to be said to `audiences` of `resolutions` of `world`: the worst first, then in their order, then by place.
/// `agents` are all that are known, asked or not: their files are theirs. The resolution of another is passed over.
pub fn audit(
    world: &World<'_>,
    agents: &[&'static dyn Harness],
    resolutions: &[Resolution],
    audiences: &[Audience],
) -> Vec<Finding> {
    let checks: Vec<&Registered> = ALL
        .iter()
        .filter(|registered| audiences.contains(&registered.check.audience))
        .collect();
    let mut found: Vec<(usize, Finding)> = Vec::new();
    for (at, resolution) in resolutions.iter().enumerate() {
        let harness = agents.iter().find(|agent| agent.id() == resolution.id);
        if let Some(harness) = harness {
            let account = Account::new(world, agents, *harness, resolution);
            found.extend(
                findings(&account, &checks)
                    .into_iter()
                    .map(|finding| (at, finding)),
            );
        }
    }
    found.sort_by(|(a, first), (b, second)| {
        (first.severity, a)
            .cmp(&(second.severity, b))
            .then_with(|| by_place(first).cmp(&by_place(second)))
    });
    // What two harnesses say alike of one place is told once.
    let mut told = HashSet::new();
    found.retain(|(_, finding)| {
        let place = finding.place.as_ref();
        let at = place.map(|place| (place.path.clone(), place.span.start));
        told.insert((finding.check.id, at, finding.text.clone()))
    });
    found.into_iter().map(|(_, finding)| finding).collect()
}

/// Where a finding stands in the order of files and places. A path's text is far cheaper to compare than its parts.
fn by_place(finding: &Finding) -> Option<(&str, usize)> {
    let place = finding.place.as_ref()?;
    Some((place.path.as_str(), place.span.start))
}

fn findings(account: &Account<'_>, checks: &[&Registered]) -> Vec<Finding> {
    let mut found = Vec::new();
    for registered in checks {
        if let Look::Harness(look) = registered.look {
            look(account, &mut found);
        }
    }
    for server in &account.resolution.servers {
        let subject = Subject::new(account, server);
        if subject.is_anothers() {
            continue;
        }
        // A check may ask what was found before it, of the same server.
        let mut here = Vec::new();
        for registered in checks {
            if let Look::Server(look) = registered.look {
                look(&subject, &mut here);
            }
        }
        found.append(&mut here);
    }
    found
}
