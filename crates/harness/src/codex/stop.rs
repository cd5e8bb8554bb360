//! What stops Codex: no server of any layer loads then.

use muster_core::{Note, Objection, Reason, Rule, Status};
use muster_document::{Place, Shown};

use super::schema::Fault;

/// A problem that stops Codex when it starts.
#[derive(Debug, Clone)]
pub(super) struct Stop {
    rule: &'static Rule,
    /// What to correct, where no place says it.
    what: &'static str,
    /// Codex's own words, hidden parts as `•••`; foreign text in it is made harmless already.
    message: String,
    place: Option<Place>,
}

impl Stop {
    pub(super) fn new(rule: &'static Rule, message: impl Into<String>) -> Self {
        Stop {
            rule,
            what: "that",
            message: message.into(),
            place: None,
        }
    }

    pub(super) fn at(self, place: Option<Place>) -> Self {
        Stop { place, ..self }
    }

    /// A complaint about the configuration; without a place, about the command line's part of it.
    pub(super) fn complaint(rule: &'static Rule, fault: &Fault, place: Option<Place>) -> Self {
        Stop {
            rule,
            what: "the command line",
            message: format!("{}{}", fault.message, fault.whereabouts()),
            place,
        }
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
    pub(super) fn objection(&self) -> Objection {
        let remedy = match &self.place {
            Some(place) => format!(
                "correct line {} of {}: Codex starts no server until then",
                place.position.line,
                Shown(place.path.as_str())
            ),
            None => format!("correct {}: Codex starts no server until then", self.what),
        };
        let reason = Reason::new(self.rule, "stops", self.sentence(), self.place.clone());
        Objection::new(Status::Invalid, "Codex does not start", reason).with_remedy(remedy)
    }

    fn sentence(&self) -> String {
        format!("Codex does not start: {}", self.message)
    }
}
