//! What one harness gives its model, as a check sees it.

use muster_core::{Check, Finding, Harness, Offer, Offered};

use super::answer::Answer;
use super::gist::Gist;
use super::launch::Launch;

/// Everything, with what is kept of the tools of each server.
pub(crate) struct Gathered<'l> {
    /// All of it.
    pub(crate) launch: &'l Launch<'l>,
    /// Of each server, in order, each of its tools.
    pub(crate) gists: Vec<Vec<Gist>>,
}

/// What one harness gives its model.
pub(crate) struct Offering<'g> {
    gathered: &'g Gathered<'g>,
    /// Its id.
    pub(crate) id: &'static str,
    /// Its name, as people use it.
    pub(crate) name: &'static str,
    /// The harness, where it is known.
    #[allow(dead_code, reason = "for checks to come")]
    pub(crate) harness: Option<&'static dyn Harness>,
    /// Its tools.
    pub(crate) offer: &'g Offer,
}

impl<'g> Offering<'g> {
    /// That of `offer`.
    pub(crate) fn new(gathered: &'g Gathered<'g>, offer: &'g Offer) -> Self {
        Offering {
            gathered,
            id: offer.harness,
            name: gathered.launch.name_of(offer.harness),
            harness: gathered.launch.harness(offer.harness),
            offer,
        }
    }

    /// All of it.
    pub(crate) fn launch(&self) -> &'g Launch<'g> {
        self.gathered.launch
    }

    /// The server at `index`.
    pub(crate) fn answer(&self, index: usize) -> Option<Answer<'g>> {
        self.launch().answer(index)
    }

    /// What is kept of `tool`.
    pub(crate) fn gist(&self, tool: &Offered) -> Option<&'g Gist> {
        self.gathered.gists.get(tool.server)?.get(tool.tool)
    }

    /// A finding about `tool` here.
    pub(crate) fn finding(
        &self,
        tool: &Offered,
        check: &'static Check,
        text: impl Into<String>,
    ) -> Option<Finding> {
        let finding = self.answer(tool.server)?.finding_in(self.id, check, text);
        Some(match self.gist(tool) {
            Some(gist) => finding.of_tool(&gist.name),
            None => finding,
        })
    }
}
