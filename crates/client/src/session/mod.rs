//! One conversation with one server, whatever the way to it: requests find their answers, answers their requests, and everything that a
//! server may do meanwhile is bounded.
//!
//! ```text
//! Session::ask ──► Transport ──► server
//!      ▲                           │
//!      │ answer, loss, time-out    ▼
//!   Pending ◄──── Hearing ◄──── Incoming (messages, noise, losses, the end)
//!                    └──► Events; Handler, where the server asks
//! ```
//!
//! [`Session`] is what callers hold, [`hearing`] the task that hears what comes in, [`state`] what both share.

mod error;
mod handler;
mod hearing;
mod pending;
mod state;

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::Instant;

pub use error::RequestError;
pub use handler::{Handler, NoHandler, Refusal};
pub use pending::Pending;

use crate::{
    Era, Happening, Incoming, Limits, Loss, Oddity, Outgoing, SendError, Teller, Transport, Version,
};
pub(crate) use state::{Notified, State};

/// Keys of `_meta` that say how a message of the modern era is meant (2026-07-28, basic, `_meta`).
const META: &str = "io.modelcontextprotocol/";

/// How a client behaves towards one server.
#[derive(Clone)]
pub struct Manner {
    /// What is taken of the server.
    pub limits: Limits,
    /// Who answers what the server asks.
    pub handler: Arc<dyn Handler>,
    /// Nothing that the specification forbids is done, even where a server would hang without it.
    pub strict: bool,
    /// The least severe messages of the server's log that are wanted, such as `info`; none where `None`.
    pub log_level: Option<&'static str>,
}

impl Default for Manner {
    fn default() -> Self {
        Manner {
            limits: Limits::default(),
            handler: Arc::new(NoHandler),
            strict: false,
            log_level: None,
        }
    }
}

/// A request that is about to be made.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The method.
    pub method: &'static str,
    /// Its parameters, an object.
    pub params: Map<String, Value>,
    /// How long it may take without a word of progress.
    pub silence: Duration,
    /// How long it may take at all.
    pub total: Duration,
    /// Whether progress is to be told.
    pub progress: bool,
    /// The revision to say it in, where that is not the session's.
    pub version: Option<Version>,
    /// Header fields that mirror parameters.
    pub mirrored: Vec<(String, String)>,
}

impl Ask {
    /// Asks `method` with `params`, patient as `limits` say.
    pub fn new(method: &'static str, params: Value, limits: &Limits) -> Ask {
        let params = match params {
            Value::Object(params) => params,
            _ => Map::new(),
        };
        Ask {
            method,
            params,
            silence: limits.request,
            total: limits.request_total,
            progress: false,
            version: None,
            mirrored: Vec::new(),
        }
    }

    /// The same, to be answered within `total` whatever happens.
    #[must_use]
    pub fn within(mut self, total: Duration) -> Ask {
        self.silence = total;
        self.total = total;
        self
    }

    /// Whether it changes nothing, so that it may be asked twice.
    fn only_reads(&self) -> bool {
        let reads = ["server/discover", "prompts/get", "resources/read"];
        self.method.ends_with("/list") || reads.contains(&self.method)
    }

    /// The same, said in `version`.
    #[must_use]
    pub fn in_version(mut self, version: Version) -> Ask {
        self.version = Some(version);
        self
    }
}

/// A conversation with one server.
#[derive(Debug)]
pub struct Session {
    state: Arc<State>,
    hearing: JoinHandle<()>,
}

impl Session {
    /// Begins a conversation over `transport`, whose words come out of `inbox`.
    pub fn begin(
        transport: Arc<dyn Transport>,
        inbox: mpsc::Receiver<Incoming>,
        manner: Manner,
        teller: Teller,
    ) -> Session {
        let state = Arc::new(State::new(transport, manner, teller));
        let hearing = tokio::spawn(hearing::hear(state.clone(), inbox));
        Session { state, hearing }
    }

    /// From now on everything is said in `version`.
    pub fn speak(&self, version: Version) {
        self.state.speak(version);
    }

    /// The revision that is spoken, once that is known.
    pub fn version(&self) -> Option<Version> {
        self.state.version()
    }

    /// Keeps the first page of the tools, which the server gave while it was found out how to speak with it. The next list begins with it.
    pub(crate) fn keep_page(&self, page: Value) {
        self.state.keep_page(page);
    }

    /// That page, where it was not asked for yet.
    pub(crate) fn take_page(&self) -> Option<Value> {
        self.state.take_page()
    }

    pub(crate) fn state(&self) -> &Arc<State> {
        &self.state
    }

    /// How the client behaves here.
    pub fn manner(&self) -> &Manner {
        &self.state.manner
    }

    /// Who is told what happens.
    pub fn teller(&self) -> &Teller {
        &self.state.teller
    }

    /// Whether parameters that are marked so are mirrored in header fields: over Streamable HTTP in the modern era.
    pub fn mirrors_parameters(&self) -> bool {
        self.state.era() == Some(Era::Modern) && self.state.transport.mirrors_parameters()
    }

    /// Sends a request, to be waited for later. Dropping it cancels the request.
    ///
    /// # Errors
    /// Where it could not be sent.
    pub async fn open(&self, ask: Ask) -> Result<Pending, RequestError> {
        let version = ask.version.or_else(|| self.version());
        let mut pending = Pending::new(self.state.clone(), &ask)?;
        let id = pending.id();
        let message = Outgoing {
            id: Some(id),
            method: ask.method.to_owned(),
            body: self.request_body(id, &ask, version),
            version,
            mirrored: ask.mirrored,
            lists: ask.method.ends_with("/list"),
        };
        let sent = self.state.transport.send(message).await;
        pending.sent();
        match sent {
            Ok(()) => Ok(pending),
            // Whoever closed the way may have said why, which is worth more.
            Err(SendError::Closed) => Err(self.state.closing_error()),
            Err(error) => Err(RequestError::Send(error)),
        }
    }

    /// Asks, and waits for the answer. What only reads is asked once more where the way to the answer broke: over HTTP a broken stream
    /// loses one request and nothing else.
    ///
    /// # Errors
    /// Where there is none, or it is an error.
    pub async fn ask(&self, ask: Ask) -> Result<Value, RequestError> {
        let begun = Instant::now();
        let again = (self.version().is_some() && ask.only_reads()).then(|| ask.clone());
        let answer = self.open(ask).await?.answer().await;
        let (Err(RequestError::Lost(Loss::Broke(_) | Loss::Ended)), Some(mut again)) =
            (&answer, again)
        else {
            return answer;
        };
        again.total = again.total.saturating_sub(begun.elapsed());
        let text = format!("the connection broke before it answered {}", again.method);
        self.teller().tell(Happening::Warned(Oddity::Other(text)));
        self.open(again).await?.answer().await
    }

    /// Tells the server something.
    ///
    /// # Errors
    /// Where it could not be sent.
    pub async fn notify(&self, method: &'static str, params: Value) -> Result<(), RequestError> {
        self.state
            .notify(method, params)
            .await
            .map_err(RequestError::Send)
    }

    /// Ends the conversation: the server is told which requests nobody waits for any more, what is still open fails, the way is closed
    /// as its rules ask.
    pub async fn close(&self) {
        self.state.said_farewell().await;
        self.state.transport.close().await;
        self.hearing.abort();
        self.state.close(crate::Closed::ByUs);
    }

    /// Waits until nothing will come any more.
    pub async fn ended(&self) -> crate::Closed {
        self.state.ended().await
    }

    fn request_body(&self, id: i64, ask: &Ask, version: Option<Version>) -> Value {
        let mut params = ask.params.clone();
        let modern = version.is_some_and(|version| version.era() == Era::Modern);
        let mut meta = match params.remove("_meta") {
            Some(Value::Object(meta)) => meta,
            _ => Map::new(),
        };
        if let (Some(version), true) = (version, modern) {
            let manner = self.manner();
            meta.insert(format!("{META}protocolVersion"), version.as_str().into());
            meta.insert(format!("{META}clientInfo"), client_info());
            meta.insert(
                format!("{META}clientCapabilities"),
                manner.handler.capabilities(Era::Modern),
            );
            if let Some(level) = manner.log_level {
                meta.insert(format!("{META}logLevel"), level.into());
            }
        }
        if ask.progress {
            meta.insert("progressToken".to_owned(), id.into());
        }
        if !meta.is_empty() {
            params.insert("_meta".to_owned(), Value::Object(meta));
        }
        let mut body = json!({"jsonrpc": "2.0", "id": id, "method": ask.method});
        // Legacy servers that are strict refuse `"params": {}` of methods without any.
        if let (false, Some(body)) = (params.is_empty(), body.as_object_mut()) {
            body.insert("params".to_owned(), Value::Object(params));
        }
        body
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.hearing.abort();
    }
}

/// What Muster says of itself.
pub fn client_info() -> Value {
    json!({"name": "muster", "title": "Muster", "version": env!("CARGO_PKG_VERSION")})
}
