//! A request on its way.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until};

use crate::Happening;

use super::state::{Open, State};
use super::{Ask, RequestError};

/// A request that was sent. Dropped before it is answered, it is cancelled.
#[derive(Debug)]
pub struct Pending {
    state: Arc<State>,
    id: i64,
    method: &'static str,
    since: Instant,
    silence: Duration,
    total: Duration,
    heard: Arc<Mutex<Instant>>,
    reply: oneshot::Receiver<Result<Value, RequestError>>,
    /// Whether the server may know of it and not know that nobody waits.
    to_cancel: bool,
}

impl Pending {
    pub(super) fn new(state: Arc<State>, ask: &Ask) -> Result<Pending, RequestError> {
        let since = Instant::now();
        let (sender, reply) = oneshot::channel();
        let heard = Arc::new(Mutex::new(since));
        let id = state.enter(Open {
            method: ask.method,
            since,
            reply: sender,
            heard: heard.clone(),
            progress: f64::NEG_INFINITY,
        })?;
        Ok(Pending {
            state,
            id,
            method: ask.method,
            since,
            silence: ask.silence,
            total: ask.total,
            heard,
            reply,
            to_cancel: false,
        })
    }

    /// The id under which it was sent.
    pub fn id(&self) -> i64 {
        self.id
    }

    pub(super) fn sent(&mut self) {
        // The specification forbids to cancel `initialize`.
        self.to_cancel = self.method != "initialize";
    }

    /// Waits for the answer, as long as the request may take. Cancel safe: dropped, it can be called again.
    ///
    /// # Errors
    /// Where there is none in time, or it is an error.
    pub async fn answer(&mut self) -> Result<Value, RequestError> {
        loop {
            let deadline = self.deadline();
            tokio::select! {
                biased;
                reply = &mut self.reply => {
                    self.to_cancel = false;
                    return reply.unwrap_or_else(|_| Err(self.state.closing_error()));
                }
                () = sleep_until(deadline) => {
                    // Progress may have been told meanwhile.
                    if self.deadline() > Instant::now() {
                        continue;
                    }
                    // Whoever answers the server's question types as long as it takes.
                    if self.state.is_awaited() && self.since.elapsed() < self.total {
                        *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
                        continue;
                    }
                    return Err(self.time_out());
                }
            }
        }
    }

    fn deadline(&self) -> Instant {
        let heard = *self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        (heard + self.silence).min(self.since + self.total)
    }

    fn time_out(&self) -> RequestError {
        let after = self.since.elapsed();
        self.state.teller.tell(Happening::TimedOut {
            method: self.method.to_owned(),
            after,
        });
        // What was allowed reads better than what the clock says.
        let allowed = if after < self.total {
            self.silence
        } else {
            self.total
        };
        RequestError::TimedOut {
            method: self.method,
            after: allowed,
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        let unanswered = self.state.leave(self.id).is_some();
        let told = self.state.transport.forget(self.id);
        if !(unanswered && self.to_cancel) || told {
            return;
        }
        self.state.bid_farewell(self.id);
    }
}
