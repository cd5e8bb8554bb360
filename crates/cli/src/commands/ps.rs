//! `muster ps`: the MCP servers that run on this machine.

use std::time::Duration;

use muster_core::{AgentKind, Fate, Files, Process, RunningServer};
use muster_report::{Format, Page};
use muster_store::Disk;

use crate::args::Common;
use crate::error::CliError;
use crate::output::Output;
use crate::world::Scene;

/// So long an orphan has to end, each time it is told to.
const PATIENCE: Duration = Duration::from_secs(1);

/// Shows the servers of every agent, or of those that `common` names; with `reap` ends the orphans, unless `yes` only after asking.
pub(crate) fn run(
    common: &Common,
    reap: bool,
    yes: bool,
    output: &Output,
) -> Result<Page, CliError> {
    let servers = servers(common)?;
    let format: Format = common.format.into();
    let page = |reaped: Option<&[(u32, Fate)]>| {
        muster_report::ps(&servers, reaped, format, output.look(), output.detail())
    };
    if !reap {
        return Ok(page(None));
    }
    let orphans: Vec<(u32, u64)> = servers
        .iter()
        .filter(|server| server.orphaned)
        .flat_map(|server| {
            let first = (server.process.pid, server.process.start);
            std::iter::once(first).chain(server.descendants.iter().copied())
        })
        .collect();
    // Who is asked sees first what it is about.
    let asks = !yes && !orphans.is_empty();
    if asks {
        let pids: Vec<String> = orphans.iter().map(|(pid, _)| pid.to_string()).collect();
        if format == Format::Text && output.can_ask() {
            output.write(&page(None))?;
        }
        match output.ask(&format!("End {}?", pids.join(", "))) {
            None => return Err(CliError::Unasked(orphans.len())),
            Some(false) => return Ok(Page::own("Nothing was ended.\n")),
            Some(true) => {}
        }
    }
    let reaped: Vec<(u32, Fate)> = orphans
        .iter()
        .map(|(pid, _)| *pid)
        .zip(end(&orphans))
        .collect();
    match asks && format == Format::Text {
        true => Ok(muster_report::reaped(&reaped)),
        false => Ok(page(Some(&reaped))),
    }
}

/// What runs, as far as `common` asks for it.
fn servers(common: &Common) -> Result<Vec<RunningServer>, CliError> {
    let files = Files::new(Disk);
    let scene = Scene::new(common, &[], &files)?;
    let configured = scene.commands(scene.resolve(common.format));
    let kinds: Vec<AgentKind> = muster_harness::ALL
        .iter()
        .map(|harness| AgentKind {
            id: harness.id(),
            name: harness.name(),
            programs: harness.programs(),
        })
        .collect();
    let mut servers = muster_core::running(&processes()?, &kinds, &configured, std::process::id());
    let asked =
        |id: &str| common.harness.is_empty() || common.harness.iter().any(|asked| asked == id);
    servers.retain(|server| match &server.agent {
        Some(agent) => asked(agent.id),
        None => common.harness.is_empty() || server.definitions.iter().any(|(id, _)| asked(id)),
    });
    Ok(servers)
}

#[cfg(unix)]
fn processes() -> Result<Vec<Process>, CliError> {
    Ok(muster_client::process::processes())
}

#[cfg(not(unix))]
fn processes() -> Result<Vec<Process>, CliError> {
    Err(CliError::NoProcesses)
}

#[cfg(unix)]
fn end(processes: &[(u32, u64)]) -> Vec<Fate> {
    muster_client::process::end(processes, PATIENCE)
}

#[cfg(not(unix))]
fn end(processes: &[(u32, u64)]) -> Vec<Fate> {
    vec![Fate::Left; processes.len()]
}
