//! The task that hears what comes in.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::{
    Closed, Era, ErrorObject, Happening, Incoming, Loss, Message, Oddity, Outgoing, ResponseId,
};

use super::RequestError;
use super::state::{Ending, State};

/// Hears everything until the way is closed, or the server did too much of something.
pub(super) async fn hear(state: Arc<State>, mut inbox: mpsc::Receiver<Incoming>) {
    let mut hearing = Hearing {
        state,
        requests: 0,
        noisy: false,
    };
    while let Some(incoming) = inbox.recv().await {
        if let Some(ending) = hearing.take(incoming) {
            hearing.state.end(ending);
            return;
        }
    }
    hearing.state.close(Closed::ByServer);
}

struct Hearing {
    state: Arc<State>,
    /// Requests of the server so far.
    requests: usize,
    /// Whether its noise was told of as an oddity.
    noisy: bool,
}

impl Hearing {
    fn take(&mut self, incoming: Incoming) -> Option<Ending> {
        match incoming {
            Incoming::Message(Message::Response { id, outcome }, _) => self.response(id, outcome),
            Incoming::Message(Message::Notification { method, params }, bytes) => {
                if self.state.is_flooded_by(bytes) {
                    return Some(Ending::Flood("notifications"));
                }
                self.notification(method, params);
            }
            Incoming::Message(Message::Request { id, method, params }, _) => {
                self.requests += 1;
                if self.requests > self.state.manner.limits.server_requests {
                    return Some(Ending::Flood("requests"));
                }
                self.request(id, method, params);
            }
            Incoming::Odd(oddity) => self.warn(oddity),
            Incoming::Dropped { bytes, answers } => {
                self.warn(Oddity::TooLong { bytes });
                // Nothing else will answer what alone is open.
                if let (true, Some(id)) = (answers, self.state.only_open()) {
                    let limit = self.state.manner.limits.message;
                    self.settle(id, Err(RequestError::Lost(Loss::TooLong { limit })));
                }
            }
            Incoming::Noise(text) => {
                if !std::mem::replace(&mut self.noisy, true) {
                    let first = text.clone();
                    self.warn(Oddity::StdoutNoise { first });
                }
                self.state.teller.tell(Happening::Noise(text));
            }
            Incoming::Lost { id, why } => self.settle(id, Err(RequestError::Lost(why))),
            Incoming::Closed(closed) => return Some(Ending::Closed(closed)),
        }
        None
    }

    fn warn(&self, oddity: Oddity) {
        self.state.teller.tell(Happening::Warned(oddity));
    }

    fn response(&self, id: ResponseId, outcome: Result<Value, ErrorObject>) {
        let outcome = outcome.map_err(|error| RequestError::Refused(Box::new(error)));
        match id {
            ResponseId::Number(id) => self.settle(id, outcome),
            ResponseId::Text(id) => {
                self.warn(Oddity::TextualId);
                self.settle(id, outcome);
            }
            ResponseId::Absent => match self.state.only_probe() {
                Some(id) => {
                    self.warn(Oddity::ErrorWithoutId);
                    self.settle(id, outcome);
                }
                None => self.stray("null".to_owned()),
            },
            ResponseId::Foreign(id) => self.stray(id),
        }
    }

    fn stray(&self, id: String) {
        self.warn(Oddity::StrayAnswer { id });
    }

    fn settle(&self, id: i64, outcome: Result<Value, RequestError>) {
        // A late answer to what was given up is as stray as one to nothing.
        let Some(open) = self.state.leave(id) else {
            return self.stray(id.to_string());
        };
        self.state.teller.tell(Happening::Answered {
            method: open.method,
            took: open.since.elapsed(),
            refused: outcome.is_err(),
        });
        // Whoever does not wait any more does not care.
        _ = open.reply.send(outcome);
    }

    fn notification(&self, method: String, params: Value) {
        self.state.pass_on(&method, &params);
        let happening = match method.as_str() {
            "notifications/progress" => match self.progress(&params) {
                Some(progress) => progress,
                None => return,
            },
            "notifications/message" => Happening::Log {
                level: text(&params, "level").unwrap_or_else(|| "info".to_owned()),
                logger: text(&params, "logger"),
                data: params.get("data").cloned().unwrap_or(Value::Null),
            },
            _ => Happening::Notified { method, params },
        };
        self.state.teller.tell(happening);
    }

    /// The progress that `params` tell, where it is of an open request and grows.
    fn progress(&self, params: &Value) -> Option<Happening> {
        let token = params.get("progressToken")?;
        let id = token.as_i64().or_else(|| token.as_str()?.parse().ok())?;
        let progress = params.get("progress")?.as_f64()?;
        self.state
            .progressed(id, progress)
            .then(|| Happening::Progress {
                progress,
                total: params.get("total").and_then(Value::as_f64),
                message: text(params, "message"),
            })
    }

    fn request(&self, id: Value, method: String, params: Value) {
        let state = self.state.clone();
        let era = state.era();
        let modern = era == Some(Era::Modern);
        if modern {
            self.warn(Oddity::AskedClient {
                method: method.clone(),
            });
            // The specification forbids the question and the answer. A server that waits would hang, so that over standard streams,
            // where nobody else listens, it gets one.
            if state.manner.strict || !state.transport.answers_in_modern_era() {
                return;
            }
        }
        tokio::spawn(async move {
            let answered = match method.as_str() {
                "ping" => Ok(json!({})),
                // Before a revision is agreed on only pings are answered.
                _ if modern || era.is_none() => Err(super::Refusal::unknown(&method)),
                _ => {
                    state.answers(true);
                    let answered = state.manner.handler.answer(&method, params).await;
                    state.answers(false);
                    answered
                }
            };
            let body = match answered {
                Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
                Err(refusal) => json!({
                    "jsonrpc": "2.0", "id": id,
                    "error": {"code": refusal.code, "message": refusal.message},
                }),
            };
            let message = Outgoing {
                id: None,
                method: String::new(),
                body,
                version: state.version(),
                mirrored: Vec::new(),
                lists: false,
            };
            // A server that does not read its answer is found out by the next request.
            _ = state.transport.send(message).await;
        });
    }
}

fn text(params: &Value, key: &str) -> Option<String> {
    params.get(key)?.as_str().map(str::to_owned)
}
