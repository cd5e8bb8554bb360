//! One tool, as a check sees it: parsed, and gone when the next has its turn.

use muster_core::{Check, Finding};
use serde_json::Value;

use super::answer::Answer;
use super::item::{Item, Kind};

/// A tool of a server.
pub(crate) struct Tool<'a> {
    /// It as something that is told to models.
    pub(crate) item: Item<'a>,
    /// It as it was sent.
    #[allow(dead_code, reason = "for checks to come")]
    pub(crate) value: &'a Value,
}

impl<'a> Tool<'a> {
    /// The tool at `index` of the server's list, just parsed.
    pub(crate) fn new(answer: &'a Answer<'a>, index: usize, value: &'a Value) -> Self {
        Tool {
            item: Item::new(answer, Kind::Tool, index, value),
            value,
        }
    }

    /// Its server.
    #[allow(dead_code, reason = "for checks to come")]
    pub(crate) fn answer(&self) -> &'a Answer<'a> {
        self.item.answer
    }

    /// The server's own name for it. Foreign.
    pub(crate) fn name(&self) -> &'a str {
        self.item.name
    }

    /// A finding about it.
    #[allow(dead_code, reason = "for checks to come")]
    pub(crate) fn finding(&self, check: &'static Check, text: impl Into<String>) -> Finding {
        self.item.finding(check, text)
    }
}
