//! What stops Pi: no server loads then.

use muster_core::{Note, Objection, Reason, Rule, Status};
use muster_document::Place;

/// A problem that ends Pi when it starts.
#[derive(Debug, Clone)]
pub(super) struct Stop {
    reason: Reason,
    short: &'static str,
    remedy: String,
}

impl Stop {
    /// A session, or `pi mcp list`, ends with `words`.
    pub(super) fn new(rule: &'static Rule, words: impl Into<String>, place: Option<Place>) -> Stop {
        let text = format!("Pi does not start: {}", words.into());
        Stop {
            reason: Reason::new(rule, "stops", text, place),
            short: "Pi does not start",
            remedy: String::new(),
        }
    }

    /// The same, of which it is told that the list ends.
    pub(super) fn of_list(rule: &'static Rule, words: &str, place: Option<Place>) -> Stop {
        let text = format!("pi mcp list ends and lists nothing: {words}");
        Stop {
            reason: Reason::new(rule, "stops", text, place),
            short: "pi mcp list ends",
            remedy: String::new(),
        }
    }

    /// The same, to be mended by doing `remedy`.
    pub(super) fn remedied_by(self, remedy: impl Into<String>) -> Stop {
        Stop {
            remedy: remedy.into(),
            ..self
        }
    }

    /// For the headline.
    pub(super) fn note(&self) -> Note {
        Note {
            rule: self.reason.rule,
            text: self.reason.text.clone(),
            place: self.reason.place.clone(),
        }
    }

    /// For every server.
    pub(super) fn objection(&self) -> Objection {
        Objection::new(Status::Invalid, self.short, self.reason.clone())
            .with_remedy(self.remedy.clone())
    }
}
