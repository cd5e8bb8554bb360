//! Which folders' `.codex/config.toml` counts.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Platform, World};
use muster_document::Place;

use super::layers::Layer;
use super::merge::Merged;

/// A decision that somebody wrote down for a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decision {
    pub(super) trusted: bool,
    /// The key it stands under.
    pub(super) folder: String,
    /// Where; `None` on the command line.
    pub(super) place: Option<Place>,
}

/// The `projects` table, merged from every layer but the project's own.
#[derive(Debug, Default)]
pub(super) struct TrustTable {
    decisions: Vec<Decision>,
    /// On Windows the folders that the decisions are about, in lower case: there Codex compares them without case. Read in its source,
    /// not observed.
    folded: Vec<String>,
}

impl TrustTable {
    /// Reads the table of the merged configuration `config`. A folder's table without `trust_level` decides nothing.
    pub(super) fn read(world: &World<'_>, config: &Merged<'_>, layers: &[Layer]) -> TrustTable {
        let members = config.get("projects").into_iter().flat_map(Merged::members);
        let decisions = members.filter_map(|(folder, table)| {
            let level = table.get("trust_level")?;
            let place = level
                .origin()
                .and_then(|origin| layers.get(origin.layer)?.place(origin.key));
            Some(Decision {
                trusted: level.as_str() == Some("trusted"),
                folder: folder.to_owned(),
                place,
            })
        });
        let decisions: Vec<Decision> = decisions.collect();
        let folded = match world.platform {
            Platform::Windows => decisions
                .iter()
                .map(|decision| fold(&world.at(&decision.folder, &world.cwd)))
                .collect(),
            _ => Vec::new(),
        };
        TrustTable { decisions, folded }
    }

    /// What `codex exec --trust` writes before it starts; a no that is written down stays.
    pub(super) fn grant(&mut self, folder: &Utf8Path) {
        if self.of(folder).is_none() {
            if !self.folded.is_empty() {
                self.folded.push(fold(folder));
            }
            self.decisions.push(Decision {
                trusted: true,
                folder: folder.to_string(),
                place: None,
            });
        }
    }

    /// The first decision for one of `keys`, which are compared as text. Observed on 0.171.0: no parent of theirs counts.
    pub(super) fn first<'k>(
        &self,
        keys: impl IntoIterator<Item = &'k Utf8PathBuf>,
    ) -> Option<&Decision> {
        keys.into_iter().find_map(|key| self.of(key))
    }

    fn of(&self, folder: &Utf8Path) -> Option<&Decision> {
        let exact = |decision: &&Decision| decision.folder == folder.as_str();
        if let Some(decision) = self.decisions.iter().find(exact) {
            return Some(decision);
        }
        let folded = (!self.folded.is_empty()).then(|| fold(folder))?;
        let at = self.folded.iter().position(|known| *known == folded)?;
        self.decisions.get(at)
    }
}

fn fold(folder: &Utf8Path) -> String {
    folder.as_str().to_lowercase()
}
