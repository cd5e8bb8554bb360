//! Beginning over HTTP: what the first modern request comes back with says how to go on (protocol.md 2.5).
//!
//! ```text
//! tools/list, or        ┬─ a result that says how it is meant ─► modern
//! server/discover       ├─ -32022 … ──────────────────────────► once again, or initialize
//!                       ├─ 401, 403, 3xx, 5xx, a web page ─────► that is what it says
//!                       ├─ anything else, nothing for 3 s ─────► initialize ──► legacy
//!                       └─ no way to it ──────────────────────► unreachable
//! initialize ───────────── 400, 404, 405 ─────────────────────► HTTP+SSE, where there is a stream with an endpoint
//! ```

use std::time::Duration;

use muster_core::Transport as Kind;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout_at};

use crate::http::{HttpSse, OpenError, Remote, StreamableHttp};
use crate::net::Net;
use crate::ws::WebSocket;
use crate::{
    Ask, Era, ErrorObject, Happening, HttpAnswer, Limits, Loss, Manner, Oddity, RequestError,
    Session, Teller, Version,
};

use super::discover::{self, DISCOVER, Meaning};
use super::initialize::{self, INITIALIZE};
use super::patience::Patience;
use super::stdio::{agree, shake_hands};
use super::{Connection, EraChoice, Opened, ServerFacts, StartError, Waiting};

const TOOLS: &str = "tools/list";
/// How often a server that asks to come later is asked again.
const LATER: usize = 2;

/// What is asked first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// Its tools, which most are called for: one request less.
    Tools,
    /// What it is.
    Discover,
}

/// Where a server is, and how it is spoken to.
#[derive(Debug, Clone)]
pub struct Address<'a> {
    /// The way into the network.
    pub net: &'a Net,
    /// The server.
    pub remote: &'a Remote,
    /// How it is spoken to, as its user configured.
    pub transport: Kind,
    /// How else, where that is refused; HTTP+SSE always stands in for Streamable HTTP.
    pub fallback: Option<Kind>,
    /// What is asked first.
    pub first: First,
    /// Whether notifications are wanted that belong to no request.
    pub listens: bool,
}

/// Begins a conversation with the server at `address`, before `deadline`: also over a WebSocket, which begins as an HTTP request.
///
/// # Errors
/// Where no conversation comes about.
pub async fn over_http(
    address: &Address<'_>,
    manner: &Manner,
    choice: EraChoice,
    teller: &Teller,
    deadline: Instant,
) -> Result<Connection, StartError> {
    teller.tell(Happening::Started { pid: None });
    let asked = Waiting::of(INITIALIZE);
    let patience = Patience::default();
    let start = Start {
        remote: patience.watching(address.remote),
        patience,
        address,
        manner,
        choice,
        teller,
        deadline,
        asked: &asked,
    };
    let connection = timeout_at(deadline, start.begin()).await;
    let connection = connection.unwrap_or_else(|_| {
        Err(StartError::OutOfTime {
            method: asked.get(),
            seconds: manner.limits.listing.as_secs(),
        })
    })?;
    teller.tell(Happening::Ready {
        era: connection.facts.era,
        version: connection.facts.version_text.clone(),
    });
    Ok(connection)
}

struct Start<'s> {
    address: &'s Address<'s>,
    manner: &'s Manner,
    choice: EraChoice,
    teller: &'s Teller,
    deadline: Instant,
    /// The server, its authorizer watched.
    remote: Remote,
    patience: Patience,
    /// What is being waited for.
    asked: &'s Waiting,
}

/// A beginning.
enum Begun {
    /// In the conversation that was opened.
    Here(Box<ServerFacts>),
    /// In another one, over the older transport.
    Elsewhere(Box<Connection>),
}

/// What is to be done about an answer that is none to the first question.
#[derive(Debug, PartialEq)]
enum Verdict {
    /// It is asked once more, and says again what it said before only for another reason.
    Again,
    /// It is asked once more after a while.
    Later(Duration),
    /// It is initialized, with this revision.
    Initialize(Version),
    /// It is of the modern era and has no tools.
    NoTools,
    /// No revision is common to both.
    NoCommonVersion(Vec<String>),
    /// That is what it says.
    Stands,
}

impl Start<'_> {
    fn limits(&self) -> &Limits {
        &self.manner.limits
    }

    async fn begin(&self) -> Result<Connection, StartError> {
        match self.address.transport {
            Kind::Http => self.streamable().await,
            Kind::Sse => match self.older().await {
                Err(error) if self.address.fallback == Some(Kind::Http) && !decided(&error) => {
                    self.streamable().await
                }
                begun => begun,
            },
            Kind::Ws => self.socket().await,
            Kind::Stdio => Err(StartError::Open(
                "stdio is no way over a network".to_owned(),
            )),
        }
    }

    /// What `asking` comes to, unless the server is silent meanwhile.
    async fn unless_silent<T>(&self, asking: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            answer = asking => Some(answer),
            () = self.patience.is_over(self.limits().probe_silence) => None,
        }
    }

    fn session(&self, Opened { transport, inbox }: Opened) -> Session {
        Session::begin(transport, inbox, self.manner.clone(), self.teller.clone())
    }

    fn warn(&self, oddity: Oddity) {
        self.teller.tell(Happening::Warned(oddity));
    }

    async fn streamable(&self) -> Result<Connection, StartError> {
        let Address { net, listens, .. } = *self.address;
        let opened = StreamableHttp::open(net, &self.remote, self.limits(), listens);
        let session = self.session(opened.map_err(unopened)?);
        let begun = match self.choice {
            EraChoice::Pinned(Era::Legacy) => self.handshake(&session, Version::LEGACY).await,
            _ => self.ask_first(&session).await,
        };
        match begun {
            Ok(Begun::Here(facts)) => Ok(Connection {
                session,
                facts: *facts,
            }),
            Ok(Begun::Elsewhere(connection)) => Ok(*connection),
            Err(error) => {
                session.close().await;
                Err(error)
            }
        }
    }

    /// A socket is a pair of streams, and begins like one.
    async fn socket(&self) -> Result<Connection, StartError> {
        let open = async || {
            let opened = WebSocket::open(self.address.net, &self.remote, self.limits()).await;
            opened.map(|opened| self.session(opened)).map_err(unopened)
        };
        let session = open().await?;
        if let Some(facts) = agree(&session, self.choice, self.asked).await? {
            return Ok(Connection { session, facts });
        }
        let session = open().await?;
        let facts = shake_hands(&session, self.asked).await?;
        Ok(Connection { session, facts })
    }

    fn method(&self) -> &'static str {
        match self.address.first {
            First::Tools => TOOLS,
            First::Discover => DISCOVER,
        }
    }

    /// The first question, and what follows from its answer.
    async fn ask_first(&self, session: &Session) -> Result<Begun, StartError> {
        let (mut again, mut later) = (false, 0);
        let method = self.method();
        loop {
            self.asked.set(method);
            let ask = Ask::new(method, json!({}), self.limits());
            let asking = session.ask(
                ask.in_version(Version::MODERN)
                    .within(self.limits().listing),
            );
            let answer = match self.choice {
                EraChoice::Detect => self.unless_silent(asking).await,
                EraChoice::Pinned(_) => Some(asking.await),
            };
            let error = match answer {
                None => return self.after_silence(session).await,
                Some(Ok(result)) if method == DISCOVER => {
                    return self.discovered(session, result).await;
                }
                Some(Ok(result)) => return self.listed(session, result).await,
                Some(Err(error)) => error,
            };
            match verdict(&error, again, method) {
                Verdict::Again => again = true,
                Verdict::Later(wait) if later < LATER && Instant::now() + wait < self.deadline => {
                    later += 1;
                    sleep(wait).await;
                }
                Verdict::NoTools => {
                    return match self.discover(session).await {
                        Some(facts) => Ok(Begun::Here(facts)),
                        None => self.handshake(session, Version::LEGACY).await,
                    };
                }
                Verdict::Initialize(version) if self.choice == EraChoice::Detect => {
                    return self.handshake(session, version).await;
                }
                Verdict::Initialize(version)
                    if error.refusal().is_some_and(ErrorObject::is_modern) =>
                {
                    let theirs = vec![version.as_str().to_owned()];
                    return Err(StartError::NoCommonVersion { theirs });
                }
                Verdict::NoCommonVersion(theirs) => {
                    return Err(StartError::NoCommonVersion { theirs });
                }
                Verdict::Initialize(_) | Verdict::Later(_) | Verdict::Stands => {
                    return Err(StartError::asking(method, error));
                }
            }
        }
    }

    async fn discovered(&self, session: &Session, result: Value) -> Result<Begun, StartError> {
        match discover::of_result(session, result) {
            Meaning::Modern(facts) => {
                session.speak(facts.version);
                Ok(Begun::Here(facts))
            }
            Meaning::NoCommonVersion(theirs) => Err(StartError::NoCommonVersion { theirs }),
            Meaning::Initialize(version) if self.choice == EraChoice::Detect => {
                self.handshake(session, version).await
            }
            _ => Err(StartError::Invalid {
                method: DISCOVER,
                why: "does not say that it speaks the revision it was asked in".to_owned(),
            }),
        }
    }

    /// The server gave its tools before anything was agreed on.
    async fn listed(&self, session: &Session, page: Value) -> Result<Begun, StartError> {
        let confirmed = page.get("resultType").is_some();
        if !confirmed {
            self.warn(Oddity::Unconfirmed);
        }
        if let Some(facts) = self.discover(session).await {
            session.keep_page(page);
            return Ok(Begun::Here(facts));
        }
        if !confirmed
            && self.choice == EraChoice::Detect
            && let Ok(begun) = self.handshake(session, Version::LEGACY).await
        {
            return Ok(begun);
        }
        if confirmed {
            self.warn(Oddity::Other(
                "it does not answer server/discover".to_owned(),
            ));
        }
        session.speak(Version::MODERN);
        session.keep_page(page);
        // Who gives tools has tools.
        Ok(Begun::Here(Box::new(ServerFacts {
            era: Era::Modern,
            version: Version::MODERN,
            version_text: Version::MODERN.as_str().to_owned(),
            capabilities: json!({"tools": {}}),
            server_info: Value::Null,
            instructions: None,
            raw: Value::Null,
        })))
    }

    /// What the server says of itself, where it is of the modern era and says it.
    async fn discover(&self, session: &Session) -> Option<Box<ServerFacts>> {
        let asking = session.ask(discover::ask(self.limits()));
        let result = self.unless_silent(asking).await?.ok()?;
        match discover::of_result(session, result) {
            Meaning::Modern(facts) => {
                session.speak(facts.version);
                Some(facts)
            }
            _ => None,
        }
    }

    /// The server said nothing to the first question, which was withdrawn. Maybe it is legacy and waits for the handshake; maybe it is
    /// only slow, and then refuses the handshake.
    async fn after_silence(&self, session: &Session) -> Result<Begun, StartError> {
        let refused = match self.handshake(session, Version::LEGACY).await {
            Err(error) if !decided(&error) => error,
            begun => return begun,
        };
        self.asked.set(DISCOVER);
        match session.ask(discover::ask(self.limits())).await {
            Ok(result) => match discover::of_result(session, result) {
                Meaning::Modern(facts) => {
                    session.speak(facts.version);
                    Ok(Begun::Here(facts))
                }
                _ => Err(refused),
            },
            Err(_) => Err(refused),
        }
    }

    /// The handshake of the legacy era; over the older transport where the newer one does not know it.
    async fn handshake(&self, session: &Session, version: Version) -> Result<Begun, StartError> {
        let mut offered = version;
        let mut corrected = false;
        loop {
            self.asked.set(INITIALIZE);
            let ask = initialize::ask(session, offered, self.limits());
            let error = match session.ask(ask).await {
                Ok(result) => {
                    let facts = initialize::finish(session, result).await?;
                    return Ok(Begun::Here(Box::new(facts)));
                }
                Err(error) => error,
            };
            let wanted = error
                .refusal()
                .map(ErrorObject::supported)
                .unwrap_or_default();
            if let (false, Some(version)) = (corrected, Version::newest_legacy(wanted))
                && version != offered
            {
                (offered, corrected) = (version, true);
                continue;
            }
            if is_older(&error) && self.choice != EraChoice::Pinned(Era::Modern) {
                // What it answered here says more than that there is no stream either.
                if let Some(Ok(connection)) = self.unless_silent(self.older()).await {
                    self.warn(Oddity::Other(
                        "it speaks HTTP+SSE, the transport of 2024-11-05, alone".to_owned(),
                    ));
                    return Ok(Begun::Elsewhere(Box::new(connection)));
                }
            }
            return Err(StartError::asking(INITIALIZE, error));
        }
    }

    /// The handshake over HTTP+SSE.
    async fn older(&self) -> Result<Connection, StartError> {
        let opened = HttpSse::open(self.address.net, &self.remote, self.limits()).await;
        let session = self.session(opened.map_err(unopened)?);
        self.asked.set(INITIALIZE);
        let ask = initialize::ask(&session, Version::LEGACY, self.limits());
        let result = session.ask(ask).await;
        let result = result.map_err(|error| StartError::asking(INITIALIZE, error))?;
        let facts = initialize::finish(&session, result).await?;
        Ok(Connection { session, facts })
    }
}

/// Why there is no way to a server whose one stream has to be there first.
fn unopened(error: OpenError) -> StartError {
    match error {
        OpenError::Stream(why) => StartError::asking(INITIALIZE, RequestError::Lost(why)),
        error => StartError::Open(error.to_string()),
    }
}

/// What is to be done about `error`, which the first question `method` came back with; `again` where that was asked a second time.
fn verdict(error: &RequestError, again: bool, method: &str) -> Verdict {
    let legacy = Verdict::Initialize(Version::LEGACY);
    if let Some(refusal) = error.refusal().filter(|refusal| refusal.is_modern()) {
        return match discover::of_error(refusal, again) {
            Meaning::AskAgain(_) => Verdict::Again,
            Meaning::Initialize(version) => Verdict::Initialize(version),
            Meaning::NoCommonVersion(theirs) => Verdict::NoCommonVersion(theirs),
            Meaning::Modern(_) | Meaning::Refused => Verdict::Stands,
        };
    }
    match error {
        RequestError::Refused(_) => legacy,
        RequestError::Lost(Loss::Http(answer)) => of_status(answer, method),
        // There are servers that break down over what they do not know, and others that answer it with something else.
        RequestError::Lost(Loss::Ended | Loss::Broke(_) | Loss::Nonsense(_)) => legacy,
        _ => Verdict::Stands,
    }
}

fn of_status(answer: &HttpAnswer, method: &str) -> Verdict {
    let unknown = |error: &ErrorObject| error.code == Some(ErrorObject::METHOD_NOT_FOUND);
    let later = answer.retry_after.map(Duration::from_secs);
    match answer.status {
        401 | 403 | 300..=399 => Verdict::Stands,
        404 if method == TOOLS && answer.error.as_ref().is_some_and(unknown) => Verdict::NoTools,
        408 | 429 => later.map_or(Verdict::Stands, Verdict::Later),
        500..=599 if answer.error.is_none() => later.map_or(Verdict::Stands, Verdict::Later),
        _ => Verdict::Initialize(Version::LEGACY),
    }
}

/// Whether `initialize` was refused as a server refuses it that speaks HTTP+SSE alone.
fn is_older(error: &RequestError) -> bool {
    match error {
        RequestError::Lost(Loss::Http(answer)) => {
            let modern = answer.error.as_ref().is_some_and(ErrorObject::is_modern);
            matches!(answer.status, 400 | 404 | 405) && !modern
        }
        _ => false,
    }
}

/// Whether `error` says all there is to say, so that asking in another way would say nothing new.
fn decided(error: &StartError) -> bool {
    match error {
        StartError::Request { error, .. } => match error {
            RequestError::Lost(Loss::Http(answer)) => {
                matches!(answer.status, 300..=399 | 401 | 403 | 408 | 429 | 500..=599)
            }
            RequestError::Lost(Loss::Connect(_) | Loss::NoMcp(_)) => true,
            _ => false,
        },
        StartError::Open(_) => true,
        _ => false,
    }
}
