//! `muster explain`: what a rule means.

use muster_core::Harness;
use muster_document::{Masked, Secret};
use muster_report::{Page, Topic};

use crate::args::Common;
use crate::error::CliError;
use crate::output::Output;

/// So many close names are offered.
const SIMILAR: usize = 3;

/// Explains the rule `name`, lists those of the agent with that id, or without a name lists what is looked for.
pub(crate) fn run(common: &Common, name: Option<&str>, output: &Output) -> Result<Page, CliError> {
    let checks = muster_audit::CHECKS
        .iter()
        .chain(muster_audit::LAUNCH_CHECKS)
        .copied()
        .map(Topic::Check);
    let (topics, more) = match name {
        None => (checks.collect(), others()),
        Some(name) => (named(name)?, Vec::new()),
    };
    let format = common.format.into();
    Ok(muster_report::explain(
        &topics,
        &more,
        format,
        output.look(),
    ))
}

/// What is called `name`.
fn named(name: &str) -> Result<Vec<Topic>, CliError> {
    if let Some(check) = muster_audit::by_id(name) {
        return Ok(vec![Topic::Check(check)]);
    }
    if let Some(harness) = muster_harness::by_id(name) {
        return Ok(rules_of(harness).collect());
    }
    let rules = || muster_harness::ALL.iter().copied().flat_map(rules_of);
    if let Some(rule) = rules().find(|rule| rule.id() == name) {
        return Ok(vec![rule]);
    }
    let checks = muster_audit::CHECKS.iter();
    let checks = checks.chain(muster_audit::LAUNCH_CHECKS);
    let checks = checks.map(|check| check.id);
    let known = checks.chain(rules().map(|rule| rule.id()));
    Err(CliError::UnknownRule {
        name: Masked::word(&Secret::new(name)).to_string(),
        similar: similar(name, known),
    })
}

fn rules_of(harness: &'static dyn Harness) -> impl Iterator<Item = Topic> {
    let rules = harness.rules().iter();
    rules.map(move |rule| Topic::Rule(harness, rule))
}

/// The commands that list the rules of the agents.
fn others() -> Vec<(String, String)> {
    let harnesses = muster_harness::ALL.iter();
    let list = |harness: &&dyn Harness| {
        let shows = format!("{} rules of {}", harness.rules().len(), harness.name());
        (format!("muster explain {}", harness.id()), shows)
    };
    harnesses.map(list).collect()
}

/// Those of `known` that somebody who typed `name` may have meant.
fn similar(name: &str, known: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let wanted = name.to_lowercase();
    let mut close: Vec<(usize, &str)> = known
        .filter_map(|id| {
            let distance = strsim::osa_distance(&wanted, id);
            let inside = wanted.len() >= 4 && id.contains(&wanted);
            let near = distance <= wanted.chars().count().div_ceil(3);
            (inside || near).then_some((if inside { 1 } else { distance }, id))
        })
        .collect();
    close.sort_by_key(|(distance, _)| *distance);
    close.into_iter().take(SIMILAR).map(|(_, id)| id).collect()
}
