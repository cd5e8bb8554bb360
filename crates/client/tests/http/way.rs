//! A way to a server, used by hand, and what comes over it in short words.

use std::sync::Arc;
use std::time::Duration;

use muster_client::http::{Remote, StreamableHttp};
use muster_client::net::Net;
use muster_client::{Incoming, Limits, Loss, Message, Opened, Outgoing, Transport, Version};
use muster_core::Environment;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::server::{Server, within};

#[derive(Debug)]
pub(crate) struct Way {
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) inbox: mpsc::Receiver<Incoming>,
}

/// No proxies, the system's certificates and names.
pub(crate) fn net() -> Net {
    Net::new(&Environment::default()).unwrap()
}

/// Limits that are reached within a test.
pub(crate) fn limits() -> Limits {
    Limits {
        write: Duration::from_millis(300),
        listing_answer: 20_000,
        answer: 40_000,
        message: 40_000,
        ..Limits::default()
    }
}

impl Way {
    pub(crate) fn to(server: &Server) -> Way {
        Way::with(&Remote::at(server.url("/mcp")), false)
    }

    pub(crate) fn listening_to(server: &Server) -> Way {
        Way::with(&Remote::at(server.url("/mcp")), true)
    }

    pub(crate) fn with(remote: &Remote, listens: bool) -> Way {
        Way::of(StreamableHttp::open(&net(), remote, &limits(), listens).unwrap())
    }

    pub(crate) fn of(Opened { transport, inbox }: Opened) -> Way {
        Way { transport, inbox }
    }

    pub(crate) async fn modern(&self, id: i64, method: &str, params: Value) {
        self.say(Some(id), method, params, Some(Version::MODERN))
            .await
            .unwrap();
    }

    pub(crate) async fn legacy(&self, id: i64, method: &str, params: Value) {
        let version = (method != "initialize").then_some(Version::V2025_11_25);
        self.say(Some(id), method, params, version).await.unwrap();
    }

    /// Shakes hands, and hears the answer.
    pub(crate) async fn initialize(&mut self) -> String {
        self.legacy(1, "initialize", json!({"protocolVersion": "2025-11-25"}))
            .await;
        let answer = self.next().await;
        let ready = "notifications/initialized";
        self.say(None, ready, Value::Null, Some(Version::V2025_11_25))
            .await
            .unwrap();
        answer
    }

    pub(crate) async fn say(
        &self,
        id: Option<i64>,
        method: &str,
        params: Value,
        version: Option<Version>,
    ) -> Result<(), muster_client::SendError> {
        let mut body = json!({"jsonrpc": "2.0", "method": method, "params": params});
        if let Some(id) = id {
            body["id"] = id.into();
        }
        let message = Outgoing {
            id,
            method: method.to_owned(),
            body,
            version,
            mirrored: Vec::new(),
            lists: method.ends_with("/list"),
        };
        self.transport.send(message).await
    }

    /// What comes next, within five seconds.
    pub(crate) async fn next(&mut self) -> String {
        match self.incoming().await {
            Incoming::Message(Message::Response { id, outcome }, _) => match outcome {
                Ok(result) => format!("{id:?}: {result}"),
                Err(error) => format!("{id:?}: error {:?} {}", error.code, error.message),
            },
            Incoming::Message(Message::Notification { method, params }, _) => {
                format!("{method} {params}")
            }
            Incoming::Message(Message::Request { id, method, .. }, _) => format!("{method}? {id}"),
            Incoming::Odd(oddity) => format!("odd: {oddity:?}"),
            Incoming::Dropped { bytes, .. } => format!("dropped: {bytes}"),
            Incoming::Noise(noise) => format!("noise: {noise}"),
            Incoming::Lost { id, why } => format!("lost {id}: {why}"),
            Incoming::Closed(closed) => format!("closed: {closed:?}"),
        }
    }

    /// What comes next, which must be a loss.
    pub(crate) async fn loss(&mut self) -> Loss {
        match self.incoming().await {
            Incoming::Lost { why, .. } => why,
            other => panic!("no loss: {other:?}"),
        }
    }

    async fn incoming(&mut self) -> Incoming {
        within(Duration::from_secs(5), self.inbox.recv())
            .await
            .expect("it is open")
    }

    /// Nothing comes for a while.
    pub(crate) async fn silence(&mut self) {
        let heard = tokio::time::timeout(Duration::from_millis(150), self.inbox.recv()).await;
        assert!(heard.is_err(), "{heard:?}");
    }
}
