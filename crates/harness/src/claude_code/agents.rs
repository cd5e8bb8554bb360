//! Servers of the agent that runs the session: a list in the frontmatter of its file.

use muster_core::Dossier;

use super::ground::Ground;
use super::session::Flags;
use super::sources::Found;
use super::state::Trust;

/// The servers of the agent that `--agent` names.
pub(super) fn from_agent(
    dossier: &mut Dossier<'_>,
    ground: &Ground,
    flags: &Flags,
    trust: &Trust,
) -> Vec<Found> {
    let _ = (dossier, ground, flags, trust);
    Vec::new()
}
