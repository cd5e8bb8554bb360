//! Whose file a file is.

use camino::Utf8Path;
use muster_core::Harness;

/// Whether the file at `path` is the own one of another of `agents` than `harness`: what stands there is read by that one.
pub(crate) fn is_another_agents(
    agents: &[&'static dyn Harness],
    harness: &str,
    path: &Utf8Path,
) -> bool {
    let owner = path.components().rev().find_map(|part| {
        let owns = |agent: &&&dyn Harness| agent.idiom().files.contains(&part.as_str());
        agents.iter().find(owns)
    });
    owner.is_some_and(|owner| owner.id() != harness)
}
