//! The server's log: how much of it is wanted.

use serde_json::json;

use crate::{Ask, Era, RequestError, ServerFacts, Session};

/// The levels of a log, the least severe first.
pub const LOG_LEVELS: [&str; 8] = [
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
];

impl Session {
    /// Asks the server for messages of its log from `level` on, where that is asked once (`logging/setLevel`). In the modern era every
    /// request says it, see [`Manner::log_level`](crate::Manner::log_level). Returns whether there will be any.
    ///
    /// # Errors
    /// Where the server refuses.
    pub async fn want_log(
        &self,
        facts: &ServerFacts,
        level: &'static str,
    ) -> Result<bool, RequestError> {
        if facts.era == Era::Modern {
            return Ok(self.manner().log_level.is_some());
        }
        if !facts.declares("logging") {
            return Ok(false);
        }
        let limits = &self.manner().limits;
        let ask = Ask::new("logging/setLevel", json!({"level": level}), limits);
        self.ask(ask).await.map(|_| true)
    }
}
