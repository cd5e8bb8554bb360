//! Hearing of changes for as long as the server can be reached: what breaks is listened to again, after a while that grows.

use std::time::Duration;

use super::{Change, Filter, ListenError, Listening, ListeningEnd};
use crate::{RequestError, ServerFacts, Session};

/// The first wait, and the longest.
const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(60);
/// So often it is tried without a word between.
const TRIES: u32 = 10;

/// Changes, for as long as the server can be reached.
#[derive(Debug)]
pub struct Following<'s> {
    session: &'s Session,
    facts: &'s ServerFacts,
    filter: Filter,
    listening: Listening,
    failed: u32,
}

impl Session {
    /// Follows the changes that `filter` names.
    ///
    /// # Errors
    /// Where the server does not tell them.
    pub async fn follow<'s>(
        &'s self,
        filter: Filter,
        facts: &'s ServerFacts,
    ) -> Result<Following<'s>, ListenError> {
        let listening = self.listen(&filter, facts).await?;
        Ok(Following {
            session: self,
            facts,
            filter,
            listening,
            failed: 0,
        })
    }
}

impl Following<'_> {
    /// What the server agreed to tell.
    pub fn accepted(&self) -> &Filter {
        self.listening.accepted()
    }

    /// The next change; [`Change::Anything`] after a time in which nobody heard.
    ///
    /// # Errors
    /// Where the server ended it, or cannot be reached any more.
    pub async fn next(&mut self) -> Result<Change, ListeningEnd> {
        let end = match self.listening.next().await {
            Ok(change) => {
                self.failed = 0;
                return Ok(change);
            }
            Err(end) => end,
        };
        match &end {
            ListeningEnd::Graceful | ListeningEnd::TornDown => return Err(end),
            // A whole conversation that is over is begun anew by whoever began it.
            ListeningEnd::Abrupt(RequestError::Closed(_) | RequestError::Flood(_)) => {
                return Err(end);
            }
            ListeningEnd::Overflow => {}
            ListeningEnd::Abrupt(_) => {
                tokio::time::sleep(backoff(self.failed, seed())).await;
            }
        }
        loop {
            match self.session.listen(&self.filter, self.facts).await {
                Ok(listening) => {
                    self.listening = listening;
                    return Ok(Change::Anything);
                }
                Err(error) => {
                    self.failed += 1;
                    if self.failed >= TRIES {
                        return Err(ListeningEnd::Abrupt(match error {
                            ListenError::Request(error) => error,
                            other => RequestError::Invalid {
                                method: "subscriptions/listen",
                                why: format!("is none: {other}"),
                            },
                        }));
                    }
                    tokio::time::sleep(backoff(self.failed, seed())).await;
                }
            }
        }
    }
}

/// How long to wait after `failed` tries: twice as long each time, up to a minute, and by `seed` up to half of that less, so that many
/// who lost one server do not come back at once.
pub fn backoff(failed: u32, seed: u64) -> Duration {
    let whole = FIRST.saturating_mul(1 << failed.min(16)).min(LONGEST);
    let share = (seed % 1_000) as f64 / 2_000.0;
    whole.mul_f64(1.0 - share)
}

/// A number that differs from process to process and from call to call.
fn seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new()
        .build_hasher()
        .finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_and_are_never_the_same_for_all() {
        assert_eq!(backoff(0, 0), Duration::from_millis(500));
        assert_eq!(backoff(3, 0), Duration::from_secs(4));
        assert_eq!(backoff(60, 0), LONGEST);
        assert_eq!(backoff(1, 500), Duration::from_millis(750));
    }
}
