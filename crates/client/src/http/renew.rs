//! A session that the server has forgotten, as after a restart, is begun anew (2025-11-25, session management).

use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::answer::{self, Kind};
use super::deliver::deliver;
use super::stream::{Bounds, Stream};
use super::streamable::{QUEUE, Session, Shared, given};
use crate::{Incoming, Message, Oddity, Outgoing, ResponseId, Version};

/// When a server is told that its session may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Greeting {
    /// Before anything else is asked, as the specification has it.
    First,
    /// After the first answer.
    Last,
}

impl Shared {
    /// Begins another session in place of `gone`, with the same words. `None` where that did not come about: the server refuses, or now
    /// speaks another revision than was agreed on.
    pub(super) async fn renew(
        &self,
        gone: &Session,
        version: Option<Version>,
        greeting: Greeting,
    ) -> Option<Session> {
        let _one = self.renewal.lock().await;
        let now = self.session();
        if now.number != gone.number {
            // Another request has done it meanwhile.
            return Some(now);
        }
        let body = gone.handshake.clone()?;
        // In a session of its own the id has not been used yet.
        let id = body.get("id")?.as_i64()?;
        let handshake = legacy("initialize", Some(id), body, None);
        let response = self.post(&handshake, &Session::default()).await.ok()?;
        if !response.status().is_success() {
            return None;
        }
        let given = given(&response).ok()?;
        let result = self.handshake_result(id, response).await?;
        let agreed = result.get("protocolVersion")?.as_str()?;
        if gone
            .version
            .as_deref()
            .is_some_and(|before| before != agreed)
        {
            return None;
        }
        self.begin(given, agreed, &handshake);
        let session = self.session();
        if greeting == Greeting::First {
            self.greet(&session, version).await?;
        }
        let text = "it forgot the session; another one was begun".to_owned();
        _ = self.inbox.send(Incoming::Odd(Oddity::Other(text))).await;
        Some(session)
    }

    /// Tells the server that `session` may be used.
    pub(super) async fn greet(&self, session: &Session, version: Option<Version>) -> Option<()> {
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let ready = legacy("notifications/initialized", None, ready, version);
        self.post(&ready, session).await.ok().map(|_| ())
    }

    /// The result of the handshake `id`, which the session does not hear of: it has one already.
    async fn handshake_result(&self, id: i64, mut response: reqwest::Response) -> Option<Value> {
        let (inbox, mut heard) = mpsc::channel(QUEUE);
        let bounds = Bounds::of(&self.limits, false);
        let reading = async move {
            match answer::kind(&response) {
                Ok(Kind::Json) => {
                    if let Ok(body) = answer::body(response, bounds.event).await {
                        deliver(body, Some(id), &inbox).await;
                    }
                }
                Ok(Kind::Events) => {
                    Stream::new(bounds)
                        .read(&mut response, Some(id), &inbox)
                        .await;
                }
                _ => {}
            }
        };
        let listening = async {
            let mut result = None;
            while let Some(incoming) = heard.recv().await {
                let Incoming::Message(Message::Response { id: of, outcome }, _) = incoming else {
                    continue;
                };
                if matches!(of, ResponseId::Number(of) | ResponseId::Text(of) if of == id) {
                    result = outcome.ok();
                }
            }
            result
        };
        tokio::join!(reading, listening).1
    }
}

fn legacy(method: &str, id: Option<i64>, body: Value, version: Option<Version>) -> Outgoing {
    Outgoing {
        id,
        method: method.to_owned(),
        body,
        version,
        mirrored: Vec::new(),
        lists: false,
    }
}
