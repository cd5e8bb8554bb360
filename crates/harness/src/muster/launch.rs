//! How Muster starts a server, or reaches it.

use std::time::Duration;

use muster_core::{
    Entry, Gives, Helper, LaunchError, LaunchPlan, Server, Sourced, Start, Timeout, Transport,
    World, absolute, whole_environment,
};
use muster_document::Secret;

use super::expand::{Missing, expand};

/// How long Muster waits for a server, and for one call, where nothing else is written.
const STARTUP: Duration = Duration::from_secs(30);
const CALL: Duration = Duration::from_secs(300);

/// How long a helper may take.
const HELPER: Duration = Duration::from_secs(10);

/// The pattern of the names under which `muster serve` offers tools.
pub(super) const TOOL_NAMES: &str = "<server>__<tool>";

/// The plan for `server`, one of the resolution of `world`.
///
/// # Errors
/// Where Muster refuses it, a variable leaves it out, or there is nothing to start.
pub(super) fn plan(world: &World<'_>, server: &Server) -> Result<LaunchPlan, LaunchError> {
    if let Some(refusal) = LaunchError::of(server) {
        return Err(refusal);
    }
    let entry = &*server.definition.entry;
    let mut missing = Missing::default();
    let mut fill = |value: &Sourced<Secret>| {
        Secret::new(expand(value.value.expose(), &world.env, &mut missing))
    };
    let (mut helpers, mut remarks) = (Vec::new(), Vec::new());
    let start = match (&entry.command, &entry.url, entry.transport) {
        (Some(command), _, Some(Transport::Stdio)) => {
            let words = std::iter::once(command).chain(&entry.args);
            let argv = words.map(&mut fill).collect();
            let env = entry.env.iter();
            let env: Vec<_> = env
                .map(|(name, value)| (name.clone(), fill(value)))
                .collect();
            Start::Process {
                argv,
                cwd: match &entry.cwd {
                    Some(cwd) => absolute(cwd.value.expose(), &world.cwd),
                    None => world.cwd.clone(),
                },
                env: whole_environment(world, &[], env),
                withheld: Vec::new(),
            }
        }
        (_, Some(url), Some(transport)) => {
            if let Some(helper) = &entry.headers_helper {
                remarks
                    .push("its helper is run for header fields before Muster connects".to_owned());
                helpers.push(Helper {
                    gives: Gives::Headers,
                    command: helper.value.clone(),
                    cwd: world.cwd.clone(),
                    env: whole_environment(world, &[], []),
                    patience: HELPER,
                    required: true,
                });
            }
            Start::Remote {
                transport,
                fallback: (transport == Transport::Http).then_some(Transport::Sse),
                url: fill(url),
                headers: headers(world, entry, &mut fill),
            }
        }
        _ => return Err(LaunchError::Nothing),
    };
    remarks.extend(missing.names().iter().map(|name| {
        format!("{name} is not set and has no default: Muster leaves this server out")
    }));
    Ok(LaunchPlan {
        start,
        startup_timeout: timeout(entry.startup_timeout.as_ref(), STARTUP),
        call_timeout: timeout(entry.call_timeout.as_ref(), CALL),
        tool_names: TOOL_NAMES,
        tools_only: entry.tools_only.clone(),
        tools_without: entry.tools_without.clone(),
        helpers,
        remarks,
    })
}

/// Header fields that are written, then those whose values variables hold.
fn headers(
    world: &World<'_>,
    entry: &Entry,
    fill: &mut dyn FnMut(&Sourced<Secret>) -> Secret,
) -> Vec<(String, Secret)> {
    let plain = entry
        .headers
        .len()
        .saturating_sub(entry.header_variables.len());
    let written = entry.headers.iter().take(plain);
    let written = written.map(|(name, value)| (name.clone(), fill(value)));
    let mut headers: Vec<_> = written.collect();
    headers.extend(entry.header_variables.iter().filter_map(|header| {
        let value = world.env.filled(header.variable.value.expose())?;
        let value = match header.scheme {
            Some(scheme) => format!("{scheme} {value}"),
            None => value.to_owned(),
        };
        Some((header.field.clone(), Secret::new(value)))
    }));
    headers
}

fn timeout(written: Option<&Sourced<Duration>>, usual: Duration) -> Timeout {
    match written {
        Some(written) => Timeout {
            duration: Some(written.value),
            place: written.place.clone(),
        },
        None => Timeout::usual(usual),
    }
}
