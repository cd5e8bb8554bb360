//! Beginning a conversation: which era a server belongs to, and which revision it speaks.

mod discover;
mod error;
mod http;
mod initialize;
mod patience;
mod stdio;

use std::sync::{Mutex, PoisonError};

use serde_json::Value;

pub use error::StartError;
pub use http::{Address, First, over_http};
pub use stdio::{Opened, over_stdio};

use crate::{Era, Session, Version};

/// How the era of a server is found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EraChoice {
    /// By asking, with the fallbacks of the specification.
    #[default]
    Detect,
    /// It is said to be this one.
    Pinned(Era),
}

/// What a server says of itself. Texts are foreign.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerFacts {
    /// The era in which it is spoken to.
    pub era: Era,
    /// The revision that is spoken: the server's, or where that is unknown the one asked for.
    pub version: Version,
    /// The revision as the server wrote it.
    pub version_text: String,
    /// Its capabilities, an object.
    pub capabilities: Value,
    /// Its name, version and title, as it sent them; `Null` where it sent none.
    pub server_info: Value,
    /// How it wants to be used.
    pub instructions: Option<String>,
    /// The whole result of `server/discover` or `initialize`.
    pub raw: Value,
}

impl ServerFacts {
    /// Whether it declares the capability `name`.
    pub fn declares(&self, name: &str) -> bool {
        self.capabilities
            .get(name)
            .is_some_and(|declared| !declared.is_null() && declared != &Value::Bool(false))
    }
}

/// A conversation whose terms are known.
#[derive(Debug)]
pub struct Connection {
    /// The conversation.
    pub session: Session,
    /// What the server says of itself.
    pub facts: ServerFacts,
}

/// What is being waited for, to be told where everything takes too long.
#[derive(Debug)]
struct Waiting(Mutex<&'static str>);

impl Waiting {
    fn of(method: &'static str) -> Waiting {
        Waiting(Mutex::new(method))
    }

    fn set(&self, method: &'static str) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = method;
    }

    fn get(&self) -> &'static str {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
