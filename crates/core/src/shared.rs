//! What concerns several harnesses at once: files that are another's, servers that are another's.

use std::collections::BTreeMap;
use std::sync::Arc;

use camino::Utf8Path;

use crate::{Elsewhere, FileReport, FileState, Resolution, Server, Status};

/// Files of programs that no harness stands for, by the end of their path.
const OTHERS: [&str; 2] = [".vscode/mcp.json", ".zed/settings.json"];

/// Leaves every `ignored` definition to the program whose file it stands in: one that another of `resolutions` reads, or that is
/// known to be another program's. It stays known to somebody who asks for its name; where one harness alone is asked, everything
/// is told.
pub fn leave_to_owners(resolutions: &mut [Resolution]) {
    let mut readers: BTreeMap<Arc<Utf8Path>, Vec<&'static str>> = BTreeMap::new();
    let ignored = |resolution: &Resolution| {
        resolution
            .servers
            .iter()
            .any(|server| server.status == Status::Ignored)
    };
    if resolutions.len() < 2 || !resolutions.iter().any(ignored) {
        return;
    }
    for resolution in resolutions.iter() {
        for server in &resolution.servers {
            if let Some(place) = &server.definition.place
                && server.status != Status::Ignored
            {
                let ids = readers.entry(Arc::clone(&place.path)).or_default();
                if ids.last() != Some(&resolution.id) {
                    ids.push(resolution.id);
                }
            }
        }
    }
    for resolution in resolutions {
        let own = resolution.id;
        let files = &resolution.files;
        let is_others = |path: &Utf8Path| {
            let reads = |file: &FileReport| *file.path == *path && file.state != FileState::Skipped;
            let others = readers
                .get(path)
                .is_some_and(|ids| ids.iter().any(|id| *id != own));
            (others || OTHERS.iter().any(|end| path.ends_with(end))) && !files.iter().any(reads)
        };
        let mut left = Vec::new();
        resolution.servers.retain(|server| {
            let place = server.definition.place.as_ref();
            let Some(place) =
                place.filter(|place| server.status == Status::Ignored && is_others(&place.path))
            else {
                return true;
            };
            left.push(Elsewhere {
                name: server.definition.name.clone(),
                place: place.clone(),
                text: told(server),
            });
            false
        });
        resolution.elsewhere.extend(left);
    }
}

/// Leaves out, for people, what a harness only repeats ([`Resolution::only_repeats`]): whoever gave it nothing of its own has no use
/// for a second copy of another agent's list.
pub fn leave_out_repeats(resolutions: &mut [Resolution]) {
    for resolution in resolutions {
        if resolution.only_repeats() {
            resolution.servers.clear();
            resolution.notes.clear();
        }
    }
}

/// Why it is passed over, and where it would have to stand.
fn told(server: &Server) -> String {
    let reason = server.reasons.last().map(|reason| reason.text.as_str());
    let parts = reason
        .into_iter()
        .chain(server.remedies.first().map(String::as_str));
    parts.collect::<Vec<_>>().join("; to load it there: ")
}
