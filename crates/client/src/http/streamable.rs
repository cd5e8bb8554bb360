//! Streamable HTTP: each message a POST, its answer JSON or an event stream.
//!
//! In the modern era nothing else is said: no session, no stream beside, no way back into a broken one, and a closed stream is how a
//! request is cancelled. In the legacy era the server may give a session, which is said with everything and ended in the end; a stream
//! that breaks off is gone on with where the server numbered its events ([`super::resume`]); and a session that the server has
//! forgotten is begun anew ([`super::renew`]).

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::{Method, Response};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::answer::{self, Kind, lost};
use super::call::{Call, Caller, OpenError, Remote};
use super::deliver::{Delivered, deliver};
use super::fields::{self, SESSION_ID, modern};
use super::renew::Greeting;
use super::stream::{Bounds, Stream};
use crate::net::{Failure, Net};
use crate::{
    BoxFuture, HttpAnswer, Incoming, Limits, Loss, Oddity, Opened, Outgoing, SendError, Transport,
};

/// Messages that may wait for the session; then the server waits.
pub(super) const QUEUE: usize = 64;
/// What a message may be answered with.
const EITHER: &str = "application/json, text/event-stream";
/// Bytes of a session id that are sent back.
const SESSION: usize = 1024;
/// How long the end of a session may take.
const GOODBYE: std::time::Duration = std::time::Duration::from_secs(2);

/// A way to one server over Streamable HTTP.
pub struct StreamableHttp {
    pub(super) shared: Arc<Shared>,
}

pub(super) struct Shared {
    pub(super) caller: Caller,
    pub(super) limits: Limits,
    pub(super) inbox: mpsc::Sender<Incoming>,
    /// Whether notifications are wanted that belong to no request (legacy era).
    pub(super) listens: bool,
    state: Mutex<State>,
    /// Held while a session is begun anew: one does it, the others wait.
    pub(super) renewal: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct State {
    session: Session,
    /// What runs for a request, and whether its end tells the server that nobody waits.
    open: HashMap<i64, (AbortHandle, bool)>,
    /// What runs for no request.
    beside: Vec<AbortHandle>,
    closed: bool,
}

/// What a server of the legacy era gave, and agreed to, when it was initialized.
#[derive(Clone, Default)]
pub(super) struct Session {
    /// Which one it is: a server may give one name twice.
    pub(super) number: u64,
    /// The session, where there is one.
    pub(super) id: Option<HeaderValue>,
    /// The revision that was agreed on, as the server wrote it.
    pub(super) version: Option<String>,
    /// The handshake, to be repeated where the session is forgotten.
    pub(super) handshake: Option<Value>,
}

impl StreamableHttp {
    /// Prepares to call `remote`. Nothing is sent yet. `listens` asks for the notifications of a legacy server that belong to no request.
    ///
    /// # Errors
    /// Where it cannot be called at all.
    pub fn open(
        net: &Net,
        remote: &Remote,
        limits: &Limits,
        listens: bool,
    ) -> Result<Opened, OpenError> {
        let (caller, left_out) = Caller::new(net, remote)?;
        let (sender, inbox) = mpsc::channel(QUEUE);
        for name in left_out.into_iter().take(QUEUE / 2) {
            let text =
                format!("the configured header {name} is the protocol's own and is not sent");
            // There is room for these.
            _ = sender.try_send(Incoming::Odd(Oddity::Other(text)));
        }
        let shared = Shared {
            caller,
            limits: limits.clone(),
            inbox: sender,
            listens,
            state: Mutex::default(),
            renewal: tokio::sync::Mutex::default(),
        };
        let transport = Arc::new(StreamableHttp {
            shared: Arc::new(shared),
        });
        Ok(Opened { transport, inbox })
    }
}

impl Transport for StreamableHttp {
    fn send(&self, message: Outgoing) -> BoxFuture<'_, Result<(), SendError>> {
        Box::pin(async move {
            match message.id {
                Some(id) => self.shared.ask(id, message),
                None => self.shared.clone().tell(message).await,
            }
        })
    }

    fn mirrors_parameters(&self) -> bool {
        true
    }

    fn forget(&self, id: i64) -> bool {
        match self.shared.state().open.remove(&id) {
            Some((task, cancels)) => {
                task.abort();
                cancels
            }
            None => false,
        }
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let session = self.shared.end();
            if session.id.is_some() {
                let call = self
                    .shared
                    .beside_call(Method::DELETE, EITHER, &session, None);
                // A server may not know of ends (405), or be gone: nothing depends on it.
                _ = timeout(GOODBYE, self.shared.caller.call(&call)).await;
            }
        })
    }
}

impl fmt::Debug for StreamableHttp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamableHttp").finish_non_exhaustive()
    }
}

impl Drop for StreamableHttp {
    fn drop(&mut self) {
        self.shared.end();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is held; were it so, the state would still be whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn session(&self) -> Session {
        self.state().session.clone()
    }

    /// Stops everything. What was agreed on.
    fn end(&self) -> Session {
        let mut state = self.state();
        state.closed = true;
        for (_, (task, _)) in state.open.drain() {
            task.abort();
        }
        for task in state.beside.drain(..) {
            task.abort();
        }
        std::mem::take(&mut state.session)
    }

    /// Sends a request; what comes of it is heard of later.
    fn ask(self: &Arc<Self>, id: i64, message: Outgoing) -> Result<(), SendError> {
        let cancels = modern(&message);
        let mut state = self.state();
        if state.closed {
            return Err(SendError::Closed);
        }
        let shared = self.clone();
        let task = tokio::spawn(async move {
            if let Err(why) = shared.exchange(id, &message).await {
                _ = shared.inbox.send(Incoming::Lost { id, why }).await;
            }
            shared.state().open.remove(&id);
        });
        state.open.insert(id, (task.abort_handle(), cancels));
        Ok(())
    }

    /// Sends what has no answer: a notification, or an answer of ours.
    async fn tell(self: Arc<Self>, message: Outgoing) -> Result<(), SendError> {
        if modern(&message) {
            // 2026-07-28, sending messages: clients send requests alone.
            return Err(SendError::Unsayable(
                "over HTTP nothing but requests can be said in this revision".to_owned(),
            ));
        }
        let begins = message.method == "notifications/initialized";
        let patience = self.limits.write;
        let shared = self.clone();
        let mut task = tokio::spawn(async move {
            let sent = shared.post(&message, &shared.session()).await;
            if begins && shared.listens {
                shared.clone().listen();
            }
            sent
        });
        {
            let mut state = self.state();
            if state.closed {
                task.abort();
                return Err(SendError::Closed);
            }
            state.beside.retain(|task| !task.is_finished());
            state.beside.push(task.abort_handle());
        }
        // The next message may depend on this one, so that it waits until the server has it.
        match timeout(patience, &mut task).await {
            Ok(Ok(Ok(response))) if !response.status().is_success() => {
                let text = format!(
                    "it answers a notification with HTTP {}",
                    response.status().as_u16()
                );
                _ = self.inbox.send(Incoming::Odd(Oddity::Other(text))).await;
                Ok(())
            }
            Ok(Ok(Ok(_))) => Ok(()),
            Ok(Ok(Err(failure))) => Err(SendError::Failed(failure.to_string())),
            Ok(Err(_)) => Err(SendError::Closed),
            // There are servers that never acknowledge what needs no answer. Whether they work shows with the next request.
            Err(_) => {
                let text = "it does not acknowledge notifications".to_owned();
                _ = self.inbox.send(Incoming::Odd(Oddity::Other(text))).await;
                Ok(())
            }
        }
    }

    /// Runs `task` beside all requests, until it ends or the way is closed.
    pub(super) fn run_beside(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut state = self.state();
        if !state.closed {
            state.beside.retain(|task| !task.is_finished());
            state.beside.push(tokio::spawn(task).abort_handle());
        }
    }

    pub(super) async fn post(
        &self,
        message: &Outgoing,
        session: &Session,
    ) -> Result<Response, Failure> {
        let mut fields = HeaderMap::new();
        fields::of_message(message, session.version.as_deref(), &mut fields);
        if !modern(message)
            && message.method != "initialize"
            && let Some(id) = &session.id
        {
            fields.insert(SESSION_ID, id.clone());
        }
        if let (false, Some(version)) = (modern(message), message.version) {
            let mut state = self.state();
            let agreed = &mut state.session.version;
            agreed.get_or_insert_with(|| version.as_str().to_owned());
        }
        let call = Call {
            verb: Method::POST,
            url: self.caller.url.clone(),
            accept: EITHER,
            fields,
            body: Some(message.body.to_string().into_bytes()),
            method: message.method.clone(),
        };
        self.caller.call(&call).await
    }

    /// A call of the legacy era that carries no message.
    pub(super) fn beside_call(
        &self,
        verb: Method,
        accept: &'static str,
        session: &Session,
        last_event: Option<&str>,
    ) -> Call {
        let mut fields = HeaderMap::new();
        if let Some(id) = &session.id {
            fields.insert(SESSION_ID, id.clone());
        }
        let version = session.version.as_deref().map(HeaderValue::from_str);
        if let Some(Ok(version)) = version {
            fields.insert(fields::PROTOCOL_VERSION, version);
        }
        if let Some(Ok(id)) = last_event.map(|id| HeaderValue::from_bytes(id.as_bytes())) {
            fields.insert(fields::LAST_EVENT_ID, id);
        }
        Call {
            verb,
            url: self.caller.url.clone(),
            accept,
            fields,
            body: None,
            method: String::new(),
        }
    }

    async fn exchange(self: &Arc<Self>, id: i64, message: &Outgoing) -> Result<(), Loss> {
        let mut session = self.session();
        let mut greeted = true;
        // A server that knows nothing of the session has done nothing: whatever was asked can be asked again. Where a session that was
        // begun anew is gone at once, the server may have taken the notification that it is ready for the one message it is good for:
        // then, once, the request comes first.
        for greeting in [Some(Greeting::First), Some(Greeting::Last), None] {
            let response = self.post(message, &session).await.map_err(lost)?;
            let answered = self.answered(id, message, &session, response).await;
            let renewed = match (&answered, greeting) {
                (Err(Loss::SessionGone(answer)), Some(greeting)) if answer.status == 404 => {
                    greeted = greeting == Greeting::First;
                    self.renew(&session, message.version, greeting).await
                }
                _ => None,
            };
            match renewed {
                Some(renewed) => session = renewed,
                None => {
                    if answered.is_ok() && !greeted {
                        let (shared, version) = (self.clone(), message.version);
                        self.run_beside(async move {
                            shared.greet(&session, version).await;
                        });
                    }
                    return answered;
                }
            }
        }
        Ok(())
    }

    /// What `response` says to the request `id`.
    async fn answered(
        self: &Arc<Self>,
        id: i64,
        message: &Outgoing,
        session: &Session,
        mut response: Response,
    ) -> Result<(), Loss> {
        if !response.status().is_success() {
            let answer = Box::new(answer::other(response).await);
            let forgotten = !modern(message)
                && message.method != "initialize"
                && session.id.is_some()
                && is_forgotten(&answer);
            return Err(match forgotten {
                true => Loss::SessionGone(answer),
                false => Loss::Http(answer),
            });
        }
        let given = match message.method == "initialize" && !modern(message) {
            true => Some(given(&response)?),
            false => None,
        };
        let bounds = Bounds::of(&self.limits, message.lists);
        match answer::kind(&response)? {
            Kind::Nothing => Err(Loss::Http(Box::new(answer::other(response).await))),
            Kind::Json => {
                let body = answer::body(response, bounds.event).await?;
                if let Some(session) = given {
                    self.begin(session, &agreed(&body), message);
                }
                match deliver(body, Some(id), &self.inbox).await {
                    Delivered::Answer | Delivered::Nobody => Ok(()),
                    Delivered::Messages => Err(Loss::Nonsense(
                        "the answer holds no response to the request".to_owned(),
                    )),
                    Delivered::Noise => Err(Loss::Nonsense(
                        "the answer is no JSON-RPC message".to_owned(),
                    )),
                }
            }
            Kind::Events => {
                if let Some(session) = given {
                    // The revision is known once something is said in it.
                    self.begin(session, "", message);
                }
                let mut stream = Stream::new(bounds);
                let end = stream.read(&mut response, Some(id), &self.inbox).await;
                self.until_answered(id, message, session, stream, end).await
            }
        }
    }

    /// A session begins with what the server gave in its answer to `handshake`.
    pub(super) fn begin(&self, id: Option<HeaderValue>, agreed: &str, handshake: &Outgoing) {
        let mut state = self.state();
        state.session = Session {
            number: state.session.number + 1,
            id,
            version: (!agreed.is_empty()).then(|| agreed.to_owned()),
            handshake: Some(handshake.body.clone()),
        };
    }
}

/// The revision that the answer `body` to `initialize` agrees to; empty where it says none.
fn agreed(body: &[u8]) -> String {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let version = body
        .get("result")
        .and_then(|result| result.get("protocolVersion"));
    version
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

/// Whether the server says that it does not know the session that it was told.
fn is_forgotten(answer: &HttpAnswer) -> bool {
    let says = |error: &crate::ErrorObject| error.message.to_ascii_lowercase().contains("session");
    match answer.status {
        // 2025-11-25, session management.
        404 => true,
        // What is said instead by servers that mean the same.
        400 => answer.error.as_ref().is_some_and(says),
        _ => false,
    }
}

/// The session that the answer to `initialize` gives.
pub(super) fn given(response: &Response) -> Result<Option<HeaderValue>, Loss> {
    let Some(id) = response.headers().get(SESSION_ID) else {
        return Ok(None);
    };
    let bytes = id.as_bytes();
    let visible = bytes.iter().all(|byte| matches!(byte, 0x21..=0x7e));
    match visible && !bytes.is_empty() && bytes.len() <= SESSION {
        true => Ok(Some(id.clone())),
        false => Err(Loss::Nonsense(
            "the server gives a session id that no client may send back".to_owned(),
        )),
    }
}
