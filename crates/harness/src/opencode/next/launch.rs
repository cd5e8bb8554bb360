//! How OpenCode 2 starts a server, by its source.

use std::time::Duration;

use muster_core::{
    LaunchError, LaunchPlan, Server, Start, Timeout, Transport, World, absolute, whole_environment,
};
use muster_document::{Node, Secret, Value};

use super::{Candidate, Gathered, Verdict, candidates, kind};
use crate::opencode::entries::Kind;
use crate::opencode::entry::milliseconds;
use crate::opencode::layers::Layer;
use crate::opencode::schema::own;
use crate::opencode::tooling::TOOL_NAMES;

const STARTUP: Duration = Duration::from_secs(30);
const EXECUTION: Duration = Duration::from_secs(12 * 60 * 60);

/// The plan for `server`, one of the rows.
pub(in crate::opencode) fn plan(
    world: &World<'_>,
    server: &Server,
    gathered: &Gathered,
) -> Result<LaunchPlan, LaunchError> {
    let found = candidates(&gathered.layers);
    let is_it = |candidate: &&Candidate<'_>| {
        let layer = gathered.layers.get(candidate.layer);
        candidate.key.text == server.definition.name
            && layer.is_some_and(|layer| layer.place(candidate.key.span) == server.definition.place)
    };
    let Some(candidate) = found.iter().rev().find(is_it) else {
        return LaunchPlan::as_written(world, server, TOOL_NAMES);
    };
    let Verdict::Good(part) = &candidate.verdict else {
        return LaunchPlan::as_written(world, server, TOOL_NAMES);
    };
    let text = |node: &Node| node.as_str().map(Secret::new);
    let pairs = |object: Option<&Node>| -> Vec<(String, Secret)> {
        let members = object.map(own).unwrap_or_default();
        members
            .into_iter()
            .filter_map(|member| Some((member.key.text.clone(), text(&member.value)?)))
            .collect()
    };
    let mut remarks = Vec::new();
    let start = match kind(part) {
        Some(Kind::Local) => Start::Process {
            argv: part
                .command
                .and_then(Node::as_array)
                .unwrap_or_default()
                .iter()
                .filter_map(text)
                .collect(),
            cwd: match part.cwd.and_then(Node::as_str) {
                Some(cwd) => absolute(cwd, &world.cwd),
                None => world.cwd.clone(),
            },
            env: whole_environment(world, &[], pairs(part.environment)),
            withheld: Vec::new(),
        },
        Some(Kind::Remote) => {
            let code = candidate.node.get("codemode").and_then(Node::as_bool);
            if code != Some(false) {
                remarks.push("OpenCode 2 calls the address with codemode=false first".to_owned());
            }
            Start::Remote {
                transport: Transport::Http,
                fallback: None,
                url: part.url.and_then(text).ok_or(LaunchError::Nothing)?,
                headers: pairs(part.headers),
            }
        }
        None => return Err(LaunchError::Nothing),
    };
    Ok(LaunchPlan {
        start,
        startup_timeout: timeout(gathered, candidate, "startup", STARTUP),
        call_timeout: timeout(gathered, candidate, "execution", EXECUTION),
        tool_names: TOOL_NAMES,
        tools_only: None,
        tools_without: Vec::new(),
        helpers: Vec::new(),
        remarks,
    })
}

/// The entry's own time, else that of the highest file that has one for all.
fn timeout(gathered: &Gathered, candidate: &Candidate<'_>, name: &str, usual: Duration) -> Timeout {
    let read = |layer: &Layer, timeouts: Option<&Node>| {
        let value = timeouts?.get(name)?;
        match &value.value {
            Value::Number(number) => Some(Timeout {
                duration: Some(milliseconds(number.as_f64())),
                place: layer.place(value.span),
            }),
            _ => None,
        }
    };
    let own = gathered
        .layers
        .get(candidate.layer)
        .and_then(|layer| read(layer, candidate.node.get("timeout")));
    own.or_else(|| {
        gathered.layers.iter().rev().find_map(|layer| {
            let mcp = layer.root()?.get("mcp")?;
            read(layer, mcp.get("timeout"))
        })
    })
    .unwrap_or_else(|| Timeout::usual(usual))
}
