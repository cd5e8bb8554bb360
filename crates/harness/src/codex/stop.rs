//! What stops Codex: no server of any layer loads then.

use muster_core::{Note, Objection, Reason, Rule, Status, World};
use muster_document::{Place, Shown};

use super::schema::Fault;

/// A problem that stops Codex when it starts.
#[derive(Debug, Clone)]
pub(super) struct Stop {
    rule: &'static Rule,
    /// What to correct, where no place says it.
    what: &'static str,
    /// What to do, where nothing is to be corrected.
    remedy: Option<&'static str>,
    /// The file of `place` as a person would say it.
    file: Option<String>,
    /// Codex's own words, hidden parts as `•••`; foreign text in it is made harmless already.
    message: String,
    place: Option<Place>,
}

impl Stop {
    pub(super) fn new(rule: &'static Rule, message: impl Into<String>) -> Self {
        Stop {
            rule,
            what: "that",
            remedy: None,
            file: None,
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
            ..Stop::new(rule, format!("{}{}", fault.message, fault.whereabouts())).at(place)
        }
    }

    /// The same, to be mended by doing `remedy`.
    pub(super) fn remedied_by(self, remedy: &'static str) -> Self {
        Stop {
            remedy: Some(remedy),
            ..self
        }
    }

    /// Has sentences call the file as a person in this world would.
    pub(super) fn name_file(&mut self, world: &World<'_>) {
        self.file = self.place.as_ref().map(|place| world.shown(&place.path));
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
        let remedy = match (&self.place, self.remedy) {
            (_, Some(remedy)) => remedy.to_owned(),
            (Some(place), _) => format!(
                "correct line {} of {}: Codex starts no server until then",
                place.position.line,
                Shown(self.file.as_deref().unwrap_or(place.path.as_str()))
            ),
            (None, _) => format!("correct {}: Codex starts no server until then", self.what),
        };
        let reason = Reason::new(self.rule, "stops", self.sentence(), self.place.clone());
        Objection::new(Status::Invalid, "Codex does not start", reason).with_remedy(remedy)
    }

    fn sentence(&self) -> String {
        format!("Codex does not start: {}", self.message)
    }
}
