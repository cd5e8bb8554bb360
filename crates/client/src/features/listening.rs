//! Hearing of changes: `subscriptions/listen` of the modern era; `resources/subscribe` and unasked `list_changed` of the legacy one.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use crate::session::{Notified, State};
use crate::{Ask, Closed, Era, Pending, RequestError, ServerFacts, Session};

const LISTEN: &str = "subscriptions/listen";
const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";
/// Where a notification says to which subscription it belongs.
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

/// Which changes are of interest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// The list of tools.
    pub tools: bool,
    /// The list of prompts.
    pub prompts: bool,
    /// The list of resources.
    pub resources: bool,
    /// What stands at these addresses.
    pub uris: Vec<String>,
}

/// What changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// The list of tools.
    Tools,
    /// The list of prompts.
    Prompts,
    /// The lists of resources.
    Resources,
    /// What stands at this address. Foreign text.
    Resource(String),
    /// Perhaps anything: nobody heard for a while.
    Anything,
}

/// Why nothing more is heard.
#[derive(Debug, Clone, PartialEq)]
pub enum ListeningEnd {
    /// The server ended it in order.
    Graceful,
    /// The server took it back.
    TornDown,
    /// More came than was taken: listen again, and list again.
    Overflow,
    /// The way to the server broke.
    Abrupt(RequestError),
}

/// Why nothing is heard at all.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ListenError {
    /// The server does not do it.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// It did not say first what it agreed to.
    #[error("the server sent changes before it agreed to tell them")]
    Unacknowledged,
    /// It agreed to more than was asked for.
    #[error("the server agreed to tell more than it was asked for")]
    TooMuch,
}

/// Somebody listens. Dropped, that ends.
#[derive(Debug)]
pub struct Listening {
    state: Arc<State>,
    /// The request that stays open; `None` in the legacy era.
    pending: Option<Pending>,
    heard: broadcast::Receiver<Notified>,
    accepted: Filter,
}

impl Filter {
    fn params(&self) -> Value {
        let wanted = [
            ("toolsListChanged", self.tools),
            ("promptsListChanged", self.prompts),
            ("resourcesListChanged", self.resources),
        ];
        let wanted = wanted.into_iter().filter(|(_, wanted)| *wanted);
        let wanted = wanted.map(|(key, _)| (key.to_owned(), Value::Bool(true)));
        let uris = (!self.uris.is_empty()).then(|| {
            let uris = Value::from(self.uris.clone());
            ("resourceSubscriptions".to_owned(), uris)
        });
        Value::Object(wanted.chain(uris).collect())
    }

    fn read(notifications: &Value) -> Filter {
        let says = |key: &str| notifications.get(key) == Some(&Value::Bool(true));
        let uris = notifications
            .get("resourceSubscriptions")
            .and_then(Value::as_array);
        let uris = uris.into_iter().flatten().filter_map(Value::as_str);
        Filter {
            tools: says("toolsListChanged"),
            prompts: says("promptsListChanged"),
            resources: says("resourcesListChanged"),
            uris: uris.map(str::to_owned).collect(),
        }
    }

    fn is_within(&self, other: &Filter) -> bool {
        self.tools <= other.tools
            && self.prompts <= other.prompts
            && self.resources <= other.resources
            && self.uris.iter().all(|uri| other.uris.contains(uri))
    }

    /// What a notification of `method` tells, where it is of interest.
    fn change(&self, method: &str, params: &Value) -> Option<Change> {
        match method {
            "notifications/tools/list_changed" => self.tools.then_some(Change::Tools),
            "notifications/prompts/list_changed" => self.prompts.then_some(Change::Prompts),
            "notifications/resources/list_changed" => self.resources.then_some(Change::Resources),
            "notifications/resources/updated" => {
                let uri = params.get("uri")?.as_str()?;
                // The specification allows news of what lies below an address.
                let wanted = |known: &String| uri == known || uri.starts_with(known.as_str());
                let wanted = self.uris.iter().any(wanted);
                wanted.then(|| Change::Resource(uri.to_owned()))
            }
            _ => None,
        }
    }
}

impl Session {
    /// Listens to the changes that `filter` names, as far as the server, of which `facts` are known, tells them.
    ///
    /// # Errors
    /// Where it does not.
    pub async fn listen(
        &self,
        filter: &Filter,
        facts: &ServerFacts,
    ) -> Result<Listening, ListenError> {
        match facts.era {
            Era::Modern => self.listen_modern(filter).await,
            Era::Legacy => self.listen_legacy(filter, facts).await,
        }
    }

    async fn listen_modern(&self, filter: &Filter) -> Result<Listening, ListenError> {
        let limits = &self.manner().limits;
        let heard = self.state().notified();
        let params = json!({"notifications": filter.params()});
        let mut ask = Ask::new(LISTEN, params, limits);
        // It stays open for as long as somebody listens; only the agreement must come in time.
        let patience = ask.silence;
        ask = ask.within(std::time::Duration::from_secs(u64::from(u32::MAX)));
        let mut listening = Listening {
            state: self.state().clone(),
            pending: Some(self.open(ask).await?),
            heard,
            accepted: filter.clone(),
        };
        let first = tokio::time::timeout(patience, listening.message()).await;
        let first = first.map_err(|_| RequestError::TimedOut {
            method: LISTEN,
            after: patience,
        })?;
        let (method, params) = first.map_err(|end| match end {
            ListeningEnd::Abrupt(error) => ListenError::Request(error),
            _ => ListenError::Request(RequestError::Invalid {
                method: LISTEN,
                why: "ends it at once".to_owned(),
            }),
        })?;
        if method != ACKNOWLEDGED {
            return Err(ListenError::Unacknowledged);
        }
        let accepted = Filter::read(params.get("notifications").unwrap_or(&Value::Null));
        if !accepted.is_within(filter) {
            return Err(ListenError::TooMuch);
        }
        listening.accepted = accepted;
        Ok(listening)
    }

    async fn listen_legacy(
        &self,
        filter: &Filter,
        facts: &ServerFacts,
    ) -> Result<Listening, ListenError> {
        let tells = |list: &str, what: &str| {
            let declared = facts.capabilities.get(list);
            declared.and_then(|declared| declared.get(what)) == Some(&Value::Bool(true))
        };
        let mut listening = Listening {
            state: self.state().clone(),
            pending: None,
            heard: self.state().notified(),
            accepted: Filter {
                tools: filter.tools && tells("tools", "listChanged"),
                prompts: filter.prompts && tells("prompts", "listChanged"),
                resources: filter.resources && tells("resources", "listChanged"),
                uris: Vec::new(),
            },
        };
        if tells("resources", "subscribe") {
            for uri in &filter.uris {
                let limits = &self.manner().limits;
                let ask = Ask::new("resources/subscribe", json!({"uri": uri}), limits);
                self.ask(ask).await?;
                listening.accepted.uris.push(uri.clone());
            }
        }
        Ok(listening)
    }
}

impl Listening {
    /// What the server agreed to tell.
    pub fn accepted(&self) -> &Filter {
        &self.accepted
    }

    /// The next change. Cancel safe.
    ///
    /// # Errors
    /// Where there will be none.
    pub async fn next(&mut self) -> Result<Change, ListeningEnd> {
        loop {
            let (method, params) = self.message().await?;
            if let Some(change) = self.accepted.change(&method, &params) {
                return Ok(change);
            }
        }
    }

    /// The next notification of this subscription.
    async fn message(&mut self) -> Result<(String, Value), ListeningEnd> {
        loop {
            let id = self.pending.as_ref().map(Pending::id);
            let heard = match &mut self.pending {
                Some(pending) => tokio::select! {
                    // What was heard before the end counts.
                    biased;
                    heard = self.heard.recv() => heard,
                    answer = pending.answer() => {
                        return Err(match answer {
                            Ok(result) => ended(&result, pending.id()),
                            Err(error) => ListeningEnd::Abrupt(error),
                        });
                    }
                },
                None => tokio::select! {
                    biased;
                    heard = self.heard.recv() => heard,
                    closed = self.state.ended() => {
                        return Err(ListeningEnd::Abrupt(RequestError::Closed(closed)));
                    }
                },
            };
            let notified = match heard {
                Ok(notified) => notified,
                Err(RecvError::Lagged(_)) => return Err(ListeningEnd::Overflow),
                Err(RecvError::Closed) => {
                    return Err(ListeningEnd::Abrupt(RequestError::Closed(Closed::ByUs)));
                }
            };
            let Some(id) = id else {
                return Ok((notified.method, notified.params));
            };
            if notified.method == "notifications/cancelled" {
                // Only what names this request, by a number, ends it.
                if notified.params.get("requestId") == Some(&Value::from(id)) {
                    return Err(ListeningEnd::TornDown);
                }
                continue;
            }
            let meta = notified.params.get("_meta");
            // Equal in value and type: the text of a number is another subscription's.
            if meta.and_then(|meta| meta.get(SUBSCRIPTION)) == Some(&Value::from(id)) {
                return Ok((notified.method, notified.params));
            }
        }
    }
}

fn ended(result: &Value, id: i64) -> ListeningEnd {
    let complete = match result.get("resultType") {
        None => true,
        Some(kind) => kind == "complete",
    };
    let named = result.get("_meta").and_then(|meta| meta.get(SUBSCRIPTION));
    if complete && named.is_none_or(|named| named.as_i64() == Some(id)) {
        ListeningEnd::Graceful
    } else {
        ListeningEnd::Abrupt(RequestError::Invalid {
            method: LISTEN,
            why: "is no end of this subscription".to_owned(),
        })
    }
}
