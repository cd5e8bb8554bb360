//! What is looked at.

use muster_core::{Audience, Candidate, Harness, Launched, Offer};
use muster_document::{Masked, Secret, Shown};

use super::answer::Answer;

/// So many characters of a foreign name are shown.
const NAME: usize = 40;

/// Everything that came of one check that started servers.
#[derive(Clone, Copy)]
pub struct Launch<'l> {
    /// Who was asked.
    pub harnesses: &'l [&'static dyn Harness],
    /// What was to be started.
    pub candidates: &'l [Candidate<'l>],
    /// What came of each.
    pub launched: &'l [Launched],
    /// What each harness makes of it.
    pub offers: &'l [Offer],
    /// Who wants to hear of it.
    pub audiences: &'l [Audience],
    /// Takes out of a text what the servers were given and may not be printed. Before a text is cut: the rest of a secret nobody
    /// knows again.
    pub without_secrets: &'l dyn Fn(&str) -> String,
}

impl<'l> Launch<'l> {
    /// Each server with what came of it.
    pub(crate) fn answers(&'l self) -> impl Iterator<Item = Answer<'l>> {
        let each = self.candidates.iter().zip(self.launched);
        each.map(|(candidate, launched)| Answer {
            launch: self,
            candidate,
            launched,
        })
    }

    /// The server at `index`.
    pub(crate) fn answer(&'l self, index: usize) -> Option<Answer<'l>> {
        Some(Answer {
            launch: self,
            candidate: self.candidates.get(index)?,
            launched: self.launched.get(index)?,
        })
    }

    /// The harness whose id is `id`.
    pub(crate) fn harness(&self, id: &str) -> Option<&'static dyn Harness> {
        let mut harnesses = self.harnesses.iter().copied();
        harnesses.find(|harness| harness.id() == id)
    }

    /// The name of the harness whose id is `id`.
    pub(crate) fn name_of(&self, id: &'static str) -> &'static str {
        self.harness(id).map_or(id, |harness| harness.name())
    }

    /// Words of a server on one line, without what they may give away.
    pub(crate) fn plain(&self, text: &str) -> String {
        Masked::line(&Secret::new((self.without_secrets)(text))).to_string()
    }

    /// A name that a server gave.
    pub(crate) fn word(&self, name: &str) -> String {
        let mut shown = Shown(&(self.without_secrets)(name)).to_string();
        if shown.chars().count() > NAME {
            shown = shown.chars().take(NAME - 1).chain(['…']).collect();
        }
        if shown.is_empty() {
            "\"\"".to_owned()
        } else {
            shown
        }
    }
}

impl std::fmt::Debug for Launch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Launch")
            .field("launched", &self.launched)
            .finish_non_exhaustive()
    }
}
