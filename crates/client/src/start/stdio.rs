//! Beginning over standard streams: the modern question first, the legacy handshake where that is not understood.
//!
//! ```text
//! server/discover ──┬─ DiscoverResult ───────────────► modern
//!                   ├─ -32022 … ─────────────────────► once again, or initialize
//!                   ├─ anything else ────────────────► initialize ──► legacy
//!                   ├─ nothing for 3 s ──────────────► initialize, and whichever answers first
//!                   └─ the process ends ─────────────► started once more, initialize
//! ```

use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

use crate::{
    Era, ErrorObject, Happening, Incoming, Manner, Oddity, Pending, RequestError, SendError,
    Session, Teller, Transport, Version,
};

use super::discover::{self, DISCOVER, Meaning};
use super::initialize::{self, INITIALIZE};
use super::{Connection, EraChoice, ServerFacts, StartError, Waiting};

/// A way that was just opened.
#[derive(Debug)]
pub struct Opened {
    /// The way.
    pub transport: Arc<dyn Transport>,
    /// What comes over it.
    pub inbox: mpsc::Receiver<Incoming>,
}

/// Begins a conversation with the server that `open` starts: at most twice, since there are servers that end at a question they do not
/// know. Everything is done before `deadline`.
///
/// # Errors
/// Where no conversation comes about.
pub async fn over_stdio<O>(
    mut open: O,
    manner: &Manner,
    choice: EraChoice,
    teller: &Teller,
    deadline: Instant,
) -> Result<Connection, StartError>
where
    O: AsyncFnMut() -> Result<Opened, StartError>,
{
    let asked = Waiting::of(DISCOVER);
    let starting = async {
        let session = begin(open().await?, manner, teller);
        if let Some(facts) = agree(&session, choice, &asked).await? {
            return Ok(Connection { session, facts });
        }
        let session = begin(open().await?, manner, teller);
        let facts = shake_hands(&session, &asked).await?;
        Ok(Connection { session, facts })
    };
    let connection = timeout_at(deadline, starting).await.unwrap_or_else(|_| {
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

fn begin(Opened { transport, inbox }: Opened, manner: &Manner, teller: &Teller) -> Session {
    Session::begin(transport, inbox, manner.clone(), teller.clone())
}

/// Agrees with the server on how to speak. `None` where it ended at the first question, which is told: it may be tried once more, with
/// [`shake_hands`].
pub(super) async fn agree(
    session: &Session,
    choice: EraChoice,
    asked: &Waiting,
) -> Result<Option<ServerFacts>, StartError> {
    let start = Start { session, asked };
    let begun = match choice {
        EraChoice::Detect => start.detect().await?,
        EraChoice::Pinned(Era::Modern) => Some(start.modern().await?),
        EraChoice::Pinned(Era::Legacy) => Some(start.legacy(Version::LEGACY).await?),
    };
    if begun.is_none() {
        session
            .teller()
            .tell(Happening::Warned(Oddity::DiedAtProbe));
        session.close().await;
    }
    Ok(begun)
}

/// The legacy handshake, with a server that ended at anything else.
pub(super) async fn shake_hands(
    session: &Session,
    asked: &Waiting,
) -> Result<ServerFacts, StartError> {
    Start { session, asked }.legacy(Version::LEGACY).await
}

struct Start<'s> {
    session: &'s Session,
    /// What is being waited for.
    asked: &'s Waiting,
}

impl Start<'_> {
    /// Asks for the era. `None` where the server ended at the question.
    async fn detect(&self) -> Result<Option<ServerFacts>, StartError> {
        let limits = &self.session.manner().limits;
        let mut again = false;
        loop {
            let ended = match self.session.open(discover::ask(limits)).await {
                Ok(mut probe) => {
                    tokio::select! {
                        biased;
                        answer = probe.answer() => match self.meaning(answer, again) {
                            Answer::Means(meaning) => match meaning {
                                Meaning::AskAgain(_) => {
                                    again = true;
                                    continue;
                                }
                                meaning => return self.act(meaning).await.map(Some),
                            },
                            Answer::Fails(error) => error,
                        },
                        () = tokio::time::sleep(limits.probe_silence) => {
                            return self.race(probe).await.map(Some);
                        }
                    }
                }
                Err(error) => error,
            };
            return match ended {
                RequestError::Closed(_) | RequestError::Send(SendError::Closed) => Ok(None),
                error => Err(StartError::asking(DISCOVER, error)),
            };
        }
    }

    fn meaning(&self, answer: Result<serde_json::Value, RequestError>, again: bool) -> Answer {
        match answer {
            Ok(result) => Answer::Means(discover::of_result(self.session, result)),
            Err(RequestError::Refused(error)) if error.is_modern() && again => {
                match discover::of_error(&error, again) {
                    Meaning::Refused => Answer::Fails(RequestError::Refused(error)),
                    meaning => Answer::Means(meaning),
                }
            }
            Err(RequestError::Refused(error)) => match discover::of_error(&error, again) {
                Meaning::Refused => Answer::Fails(RequestError::Refused(error)),
                meaning => Answer::Means(meaning),
            },
            Err(error) => Answer::Fails(error),
        }
    }

    async fn act(&self, meaning: Meaning) -> Result<ServerFacts, StartError> {
        match meaning {
            Meaning::Modern(facts) => {
                self.session.speak(facts.version);
                Ok(*facts)
            }
            Meaning::Initialize(version) => self.legacy(version).await,
            Meaning::NoCommonVersion(theirs) => Err(StartError::NoCommonVersion { theirs }),
            Meaning::AskAgain(_) | Meaning::Refused => Err(StartError::Invalid {
                method: DISCOVER,
                why: "refuses the version that it asks for".to_owned(),
            }),
        }
    }

    /// The server has been silent: it is initialized, while the question stays open. A server that was only slow may answer both.
    async fn race(&self, mut probe: Pending) -> Result<ServerFacts, StartError> {
        self.asked.set(INITIALIZE);
        let limits = &self.session.manner().limits;
        let ask = initialize::ask(self.session, Version::LEGACY, limits);
        let opened = self.session.open(ask).await;
        let mut handshake = opened.map_err(|error| StartError::asking(INITIALIZE, error))?;
        let mut probing = true;
        let mut refusal = None;
        loop {
            tokio::select! {
                biased;
                answer = probe.answer(), if probing => {
                    probing = false;
                    let meaning = answer.map(|result| discover::of_result(self.session, result));
                    match (meaning, refusal.take()) {
                        (Ok(Meaning::Modern(facts)), _) => {
                            self.session.teller().tell(Happening::Warned(Oddity::LateDiscovery));
                            self.session.speak(facts.version);
                            return Ok(*facts);
                        }
                        // A late error says that it does not know the question, which is what was assumed.
                        (_, None) => {}
                        (_, Some(refusal)) => return Err(StartError::asking(INITIALIZE, refusal)),
                    }
                }
                answer = handshake.answer(), if refusal.is_none() => match answer {
                    Ok(result) => return initialize::finish(self.session, result).await,
                    // Who does not know the handshake will know the question.
                    Err(error) if probing && knows_no_handshake(&error) => refusal = Some(error),
                    Err(error) => return Err(StartError::asking(INITIALIZE, error)),
                }
            }
        }
    }

    async fn modern(&self) -> Result<ServerFacts, StartError> {
        let limits = &self.session.manner().limits;
        let mut again = false;
        loop {
            let answer = self.session.ask(discover::ask(limits)).await;
            match self.meaning(answer, again) {
                Answer::Means(Meaning::AskAgain(_)) => again = true,
                Answer::Means(Meaning::Initialize(version)) => {
                    return Err(StartError::NoCommonVersion {
                        theirs: vec![version.as_str().to_owned()],
                    });
                }
                Answer::Means(meaning) => return self.act(meaning).await,
                Answer::Fails(error) => return Err(StartError::asking(DISCOVER, error)),
            }
        }
    }

    async fn legacy(&self, version: Version) -> Result<ServerFacts, StartError> {
        self.asked.set(INITIALIZE);
        let limits = &self.session.manner().limits;
        let ask = initialize::ask(self.session, version, limits);
        let answer = self.session.ask(ask).await;
        let result = answer.map_err(|error| StartError::asking(INITIALIZE, error))?;
        initialize::finish(self.session, result).await
    }
}

enum Answer {
    Means(Meaning),
    Fails(RequestError),
}

fn knows_no_handshake(error: &RequestError) -> bool {
    let code = error.refusal().and_then(|refusal| refusal.code);
    matches!(
        code,
        Some(ErrorObject::METHOD_NOT_FOUND | ErrorObject::UNSUPPORTED_VERSION)
    )
}
