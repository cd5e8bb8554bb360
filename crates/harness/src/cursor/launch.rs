//! How Cursor would start a server, as far as that is documented.

use std::time::Duration;

use muster_core::{
    LaunchError, LaunchPlan, Scope, Server, Sourced, Start, Timeout, Transport, World,
    whole_environment,
};
use muster_document::{Secret, Shown};

use super::expand::{Met, Variables};
use super::ground::Ground;
use super::session::CommandLine;

/// How Cursor's permissions name a tool. Under which name a model sees it is not documented.
pub(super) const TOOL_NAMES: &str = "<server>:<tool>";

/// What the MCP library that Cursor is built with waits for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// The plan for `server`, one of the resolution of `world`.
///
/// # Errors
/// Where Cursor refuses it, or there is nothing to start.
pub(super) fn plan(world: &World<'_>, server: &Server) -> Result<LaunchPlan, LaunchError> {
    if let Some(refused) = LaunchError::of(server) {
        return Err(refused);
    }
    let ground = Ground::survey(world, &CommandLine::of(world));
    let definition = &server.definition;
    let root = (definition.scope == Scope::Project).then_some(ground.root.as_path());
    let variables = Variables::of(world, root);
    let mut met = Met::default();
    let mut fill =
        |value: &Sourced<Secret>| Secret::new(variables.expand(value.value.expose(), &mut met));
    let entry = &definition.entry;
    let mut remarks = Vec::new();
    let start = match (&entry.command, &entry.url, entry.transport) {
        (Some(command), _, Some(Transport::Stdio)) => {
            let argv = std::iter::once(command).chain(&entry.args);
            let argv = argv.map(&mut fill).collect();
            let env: Vec<_> = entry
                .env
                .iter()
                .map(|(name, value)| (name.clone(), fill(value)))
                .collect();
            remarks.push("in which folder Cursor starts it, and which of its own variables it passes on, is not documented".to_owned());
            Start::Process {
                argv,
                cwd: world.cwd.clone(),
                env: whole_environment(world, &[], env),
                withheld: Vec::new(),
            }
        }
        (_, Some(url), Some(transport)) => Start::Remote {
            transport,
            // The other of the two: the terminal agent tries streamable HTTP and falls back.
            fallback: (transport == Transport::Http).then_some(Transport::Sse),
            url: fill(url),
            headers: entry
                .headers
                .iter()
                .map(|(name, value)| (name.clone(), fill(value)))
                .collect(),
        },
        _ => return Err(LaunchError::Nothing),
    };
    for name in &met.unset {
        remarks.push(format!(
            "{} is not set: what Cursor puts in its place is not documented",
            Shown(name)
        ));
    }
    if met.workspace {
        remarks.push(
            "${workspaceFolder} outside of a project's file: what it means is not documented"
                .to_owned(),
        );
    }
    remarks.push("how long Cursor waits is not documented".to_owned());
    let patience = Timeout::usual(PATIENCE);
    Ok(LaunchPlan {
        start,
        startup_timeout: patience.clone(),
        call_timeout: patience,
        tool_names: TOOL_NAMES,
        tools_only: None,
        tools_without: Vec::new(),
        helpers: Vec::new(),
        remarks,
    })
}
