//! What stops OpenCode: no server of any layer loads then.

use muster_core::{Note, Objection, Reason, Rule, Status, World};
use muster_document::{Place, Shown};

/// A fault that stops every command of OpenCode.
#[derive(Debug, Clone)]
pub(super) struct Stop {
    rule: &'static Rule,
    /// OpenCode's own words, hidden parts as `•••`; foreign text in it is made harmless already.
    message: String,
    place: Option<Place>,
    /// What to correct, as a person would call it.
    what: String,
}

impl Stop {
    pub(super) fn new(rule: &'static Rule, message: String, what: &str) -> Self {
        Stop {
            rule,
            message,
            place: None,
            what: Shown(what).to_string(),
        }
    }

    pub(super) fn at(self, place: Option<Place>) -> Self {
        Stop { place, ..self }
    }

    pub(super) fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }

    /// For the headline.
    pub(super) fn note(&self) -> Note {
        Note {
            rule: self.rule,
            text: self.sentence(),
            place: self.place.clone(),
        }
    }

    /// For every server.
    pub(super) fn objection(&self, world: &World<'_>) -> Objection {
        let what = match &self.place {
            Some(place) => format!(
                "line {} of {}",
                place.position.line,
                Shown(&world.shown(&place.path))
            ),
            None => self.what.clone(),
        };
        let reason = Reason::new(self.rule, "stops", self.sentence(), self.place.clone());
        Objection::new(Status::Invalid, "OpenCode does not start", reason).with_remedy(format!(
            "correct {what}: OpenCode starts no server until then"
        ))
    }

    fn sentence(&self) -> String {
        format!("OpenCode does not start: {}", self.message)
    }
}
