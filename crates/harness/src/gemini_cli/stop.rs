//! What stops Gemini CLI: no server of any layer loads then.

use muster_core::{Note, Objection, Reason, Rule, Status, World};
use muster_document::{Place, Shown};

/// A fault that stops Gemini CLI when it starts.
#[derive(Debug, Clone)]
pub(super) struct Stop {
    rule: &'static Rule,
    /// The real program's words, as far as they hold no text of the file.
    message: String,
    place: Option<Place>,
    remedy: String,
}

impl Stop {
    /// A fault at `place`; what to do is to correct it.
    pub(super) fn at(
        world: &World<'_>,
        rule: &'static Rule,
        message: impl Into<String>,
        place: Place,
    ) -> Stop {
        let remedy = format!(
            "correct line {} of {}: Gemini CLI starts no server until then",
            place.position.line,
            Shown(&world.shown(&place.path))
        );
        Stop {
            rule,
            message: message.into(),
            place: Some(place),
            remedy,
        }
    }

    /// A fault of no place.
    pub(super) fn new(
        rule: &'static Rule,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Stop {
        Stop {
            rule,
            message: message.into(),
            place: None,
            remedy: remedy.into(),
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
        let reason = Reason::new(self.rule, "stops", self.sentence(), self.place.clone());
        Objection::new(Status::Invalid, "Gemini CLI does not start", reason)
            .with_remedy(&self.remedy)
    }

    fn sentence(&self) -> String {
        format!("Gemini CLI does not start: {}", self.message)
    }
}
