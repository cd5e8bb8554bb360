//! Answers that a server allows to be kept (2026-07-28, caching).
//!
//! Kept is what is complete, of the methods that may be, for as long as the server says, at most a day. Nobody else is ever given it: a
//! key names the server and whoever is signed in there. News of a change drops it at once; when a server fails, what is too old may stand
//! in, and says so.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::Change;
use crate::{Ask, RequestError, Session, Version};

/// Answers that are kept at most.
const ANSWERS: usize = 512;
/// How long any is kept.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
/// How long after its time an answer may stand in for a server that fails.
const STALE: Duration = Duration::from_secs(60 * 60);

/// Methods whose answers may be kept.
const CACHEABLE: [&str; 6] = [
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
];

/// Whose answers these are.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CacheOwner {
    /// The server: what starts or reaches it.
    pub server: String,
    /// Who is signed in there; something that is no secret.
    pub context: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    owner: CacheOwner,
    version: Option<Version>,
    method: &'static str,
    /// The cursor, or the address.
    which: String,
}

#[derive(Debug, Clone)]
struct Entry {
    value: Value,
    until: Instant,
}

/// An answer, and whether it is too old.
#[derive(Debug, Clone, PartialEq)]
pub struct Cached {
    /// The answer.
    pub value: Value,
    /// It was kept, and is not from now.
    pub kept: bool,
    /// It is too old, and stands in because of this.
    pub stale: Option<RequestError>,
}

/// Answers that were kept, of any number of servers.
#[derive(Debug, Default)]
pub struct Cache {
    entries: Mutex<HashMap<Key, Entry>>,
}

impl Cache {
    fn entries(&self) -> MutexGuard<'_, HashMap<Key, Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drops what `change` makes wrong of what is kept for `owner`.
    pub fn changed(&self, owner: &CacheOwner, change: &Change) {
        let dropped = |key: &Key| match change {
            Change::Tools => key.method == "tools/list",
            Change::Prompts => key.method == "prompts/list",
            Change::Resources => {
                matches!(key.method, "resources/list" | "resources/templates/list")
            }
            Change::Resource(uri) => key.method == "resources/read" && key.which == *uri,
            Change::Anything => true,
        };
        self.entries()
            .retain(|key, _| key.owner != *owner || !dropped(key));
    }

    /// How many answers are kept.
    pub fn len(&self) -> usize {
        self.entries().len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn kept(&self, key: &Key) -> Option<Entry> {
        self.entries().get(key).cloned()
    }

    fn keep(&self, key: Key, value: &Value) {
        let now = Instant::now();
        let mut entries = self.entries();
        match time_to_live(value) {
            Some(ttl) => {
                if entries.len() >= ANSWERS && !entries.contains_key(&key) {
                    let oldest = entries.iter().min_by_key(|(_, entry)| entry.until);
                    if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
                        entries.remove(&oldest);
                    }
                }
                let value = value.clone();
                let until = now + ttl;
                entries.insert(key, Entry { value, until });
            }
            // What was allowed before is not any more.
            None => {
                entries.remove(&key);
            }
        }
    }
}

impl Session {
    /// As [`Session::ask`], with what is kept in `cache` for `owner`.
    ///
    /// # Errors
    /// Where there is no answer, and none was kept that may stand in.
    pub async fn ask_cached(
        &self,
        cache: &Cache,
        owner: &CacheOwner,
        ask: Ask,
    ) -> Result<Cached, RequestError> {
        let Some(key) = self.key(owner, &ask) else {
            return self.ask(ask).await.map(Cached::fresh);
        };
        let kept = cache.kept(&key);
        if let Some(entry) = &kept
            && Instant::now() < entry.until
        {
            return Ok(Cached {
                value: entry.value.clone(),
                kept: true,
                stale: None,
            });
        }
        match self.ask(ask).await {
            Ok(value) => {
                cache.keep(key, &value);
                Ok(Cached::fresh(value))
            }
            // What the server refuses it refuses; only what cannot be asked is stood in for.
            Err(error @ RequestError::Refused(_)) => Err(error),
            Err(error) => match kept {
                Some(entry) if Instant::now() < entry.until + STALE => Ok(Cached {
                    value: entry.value,
                    kept: true,
                    stale: Some(error),
                }),
                _ => Err(error),
            },
        }
    }

    fn key(&self, owner: &CacheOwner, ask: &Ask) -> Option<Key> {
        CACHEABLE.contains(&ask.method).then(|| {
            let which = ["cursor", "uri"]
                .iter()
                .find_map(|key| ask.params.get(*key));
            Key {
                owner: owner.clone(),
                version: ask.version.or_else(|| self.version()),
                method: ask.method,
                // Marked, so that no cursor is not an empty one.
                which: match which {
                    Some(Value::String(which)) => which.clone(),
                    Some(other) => format!("\0{other}"),
                    None => "\0".to_owned(),
                },
            }
        })
    }
}

impl Cached {
    fn fresh(value: Value) -> Cached {
        Cached {
            value,
            kept: false,
            stale: None,
        }
    }
}

/// How long `value` may be kept; `None` where it may not.
fn time_to_live(value: &Value) -> Option<Duration> {
    // A result of several rounds was made for one asker.
    if value
        .get("resultType")
        .is_some_and(|kind| kind != "complete")
    {
        return None;
    }
    let ttl = value.get("ttlMs")?.as_f64()?;
    // Absurd values are bounded by the conversion.
    let ttl = Duration::from_millis(ttl as u64).min(LONGEST);
    (ttl > Duration::ZERO).then_some(ttl)
}
