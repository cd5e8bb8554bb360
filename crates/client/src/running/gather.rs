//! A server's whole life, for a check.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use muster_core::{Failure, FailureClass, LaunchPlan, Launched, Oddity, State};
use serde_json::{Map, Value};
use tokio::time::Instant;

use super::account::Account;
use super::{Ended, Launcher, Running, StartFailed};
use crate::oauth::Barred;
use crate::{
    BoxFuture, Era, ErrorObject, Handler, Limits, List, Listed, Listener, Refusal, RequestError,
    SendError, StartError, Teller,
};

impl Launcher {
    /// Starts the server called `name` that `plan` describes, lists what it offers, and ends it. All but the end takes no longer than
    /// the limits say. Everything is told to `listener` meanwhile.
    pub async fn gather(
        &self,
        name: &str,
        harnesses: Vec<&'static str>,
        plan: &LaunchPlan,
        listener: Arc<dyn Listener>,
    ) -> Launched {
        let account = Account::before(listener);
        let teller = Teller::new(name, account.clone());
        let asked = Arc::new(Asked::default());
        let launcher = Launcher {
            manner: crate::Manner {
                handler: asked.clone(),
                ..self.manner.clone()
            },
            ..self.clone()
        };
        let limits = &launcher.manner.limits;
        let deadline = Instant::now() + limits.listing;
        let mut launched = Launched::nothing(name, harnesses, State::Ok);
        match launcher.start(plan, &teller, deadline).await {
            Ok(running) => {
                launched.startup = Some(running.startup);
                launched.given = running.given.clone();
                let facts = &running.connection.facts;
                launched.era = Some(facts.era.as_str());
                launched.protocol = Some(facts.version_text.clone());
                launched.server_info =
                    Some(facts.server_info.clone()).filter(|info| !info.is_null());
                launched.instructions = facts.instructions.clone();
                let ending = list(&running, &mut launched, deadline, limits).await;
                launched.took = teller.elapsed();
                let ended = match ending {
                    Ending::Works => running.end().await,
                    Ending::Over => running.bury().await,
                };
                close(&mut launched, ended);
            }
            Err(StartFailed {
                error,
                ended,
                barred,
                given,
                ..
            }) => {
                launched.given = given;
                launched.took = teller.elapsed();
                launched.state = match &barred {
                    Some(barred) => barred_state(barred, name),
                    None => state_of(&error, limits),
                };
                close(&mut launched, ended);
            }
        }
        let kept = account.kept();
        launched.noise = kept.noise;
        launched.oddities = kept.oddities;
        launched.oddities.extend(asked.oddities());
        launched
    }
}

fn close(launched: &mut Launched, ended: Ended) {
    launched.exit = ended.exit;
    launched.stderr_tail = ended.stderr_tail;
    launched.left_running = ended.left_running;
}

/// Whether a server still works after it was listed.
enum Ending {
    Works,
    Over,
}

/// Lists everything that the server declares.
async fn list(
    running: &Running,
    launched: &mut Launched,
    deadline: Instant,
    limits: &Limits,
) -> Ending {
    let facts = &running.connection.facts;
    for list in [
        List::Tools,
        List::Prompts,
        List::Resources,
        List::ResourceTemplates,
    ] {
        if !facts.declares(list.capability()) {
            continue;
        }
        match running.connection.session.list(list, deadline).await {
            Ok(listed) => take(launched, list, listed),
            // Who has resources need not have templates of them.
            Err(RequestError::Refused(error))
                if list == List::ResourceTemplates
                    && error.code == Some(ErrorObject::METHOD_NOT_FOUND) => {}
            Err(RequestError::Refused(error)) => {
                let why = RequestError::Refused(error).to_string();
                fail(launched, list, FailureClass::Refused, why);
            }
            Err(error @ RequestError::Invalid { .. }) => {
                fail(launched, list, FailureClass::Invalid, error.to_string());
            }
            Err(RequestError::TimedOut { method, .. }) => {
                launched.state = timed_out(method, limits.listing);
                return Ending::Works;
            }
            Err(error) => {
                launched.state = State::Failed(Failure {
                    class: class_of(&error),
                    method: Some(list.method()),
                    text: sentence(&error, list.method()),
                });
                return Ending::Over;
            }
        }
    }
    Ending::Works
}

fn take(launched: &mut Launched, list: List, listed: Listed) {
    match list {
        List::Tools => {
            launched.tools = listed.items;
            launched.odd_tools = listed.odd;
        }
        List::Prompts => launched.prompts = listed.items,
        List::Resources => launched.resources = listed.items,
        List::ResourceTemplates => launched.templates = listed.items,
    }
}

/// A server that does not give its tools is of no use; without another list it is.
fn fail(launched: &mut Launched, list: List, class: FailureClass, why: String) {
    if list == List::Tools {
        launched.state = State::Failed(Failure {
            class,
            method: Some(list.method()),
            text: why.clone(),
        });
    }
    launched.failed_lists.push((list.method(), why));
}

fn timed_out(method: &str, after: Duration) -> State {
    State::TimedOut {
        method: method.to_owned(),
        after,
    }
}

fn class_of(error: &RequestError) -> FailureClass {
    match error {
        RequestError::Refused(_) => FailureClass::Refused,
        RequestError::Closed(_) | RequestError::Send(SendError::Closed) => FailureClass::Ended,
        RequestError::Lost(crate::Loss::Connect(_)) => FailureClass::Unreachable,
        RequestError::Lost(crate::Loss::Broke(_) | crate::Loss::Ended) => FailureClass::Ended,
        _ => FailureClass::Invalid,
    }
}

fn sentence(error: &RequestError, method: &str) -> String {
    match class_of(error) {
        FailureClass::Ended => format!("it ended before it answered {method}"),
        _ => error.to_string(),
    }
}

/// What it means that no conversation came about.
fn state_of(error: &StartError, limits: &Limits) -> State {
    let failed = |class, method, text: String| {
        State::Failed(Failure {
            class,
            method,
            text,
        })
    };
    match error {
        StartError::OutOfTime { method, .. } => timed_out(method, limits.listing),
        StartError::Request {
            error: RequestError::TimedOut { method, .. },
            ..
        } => timed_out(method, limits.listing),
        StartError::Open(why) => failed(FailureClass::NotSpawned, None, why.clone()),
        // What is only told is not answered.
        StartError::Ended { method } if method.starts_with("notifications/") => failed(
            FailureClass::Ended,
            None,
            "it ended right after the handshake".to_owned(),
        ),
        StartError::Ended { method } => failed(
            FailureClass::Ended,
            Some(method),
            format!("it ended before it answered {method}"),
        ),
        StartError::Request { method, error } => {
            failed(class_of(error), Some(method), sentence(error, method))
        }
        StartError::Invalid { method, .. } => {
            failed(FailureClass::Invalid, Some(method), error.to_string())
        }
        error => failed(FailureClass::Invalid, None, error.to_string()),
    }
}

/// What it means that a server lets nobody in: somebody has to sign in, or what is configured is wrong.
fn barred_state(barred: &Barred, name: &str) -> State {
    match (barred, barred.remedy(name)) {
        (_, Some(remedy)) => State::NeedsSignIn {
            how: format!("{barred}: {remedy}"),
        },
        (Barred::HeaderRefused | Barred::Forbidden, None) => State::Failed(Failure {
            class: FailureClass::Refused,
            method: None,
            text: barred.to_string(),
        }),
        (_, None) => State::NeedsSignIn {
            how: barred.to_string(),
        },
    }
}

/// Answers nothing, and remembers what was asked.
#[derive(Default)]
struct Asked(Mutex<Vec<String>>);

/// So many different questions are remembered.
const QUESTIONS: usize = 20;

impl Asked {
    fn oddities(&self) -> Vec<Oddity> {
        let asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        asked
            .iter()
            .map(|method| Oddity::AskedClient {
                method: method.clone(),
            })
            .collect()
    }
}

impl Handler for Asked {
    fn capabilities(&self, _: Era) -> Value {
        Value::Object(Map::new())
    }

    fn answers(&self, _: &str) -> bool {
        false
    }

    fn answer<'a>(&'a self, method: &'a str, _: Value) -> BoxFuture<'a, Result<Value, Refusal>> {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if asked.len() < QUESTIONS && !asked.iter().any(|known| known == method) {
            asked.push(method.to_owned());
        }
        drop(asked);
        Box::pin(async move { Err(Refusal::unknown(method)) })
    }
}
