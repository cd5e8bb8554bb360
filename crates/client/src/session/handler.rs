//! Who answers what servers ask.

use serde_json::{Map, Value};

use crate::{BoxFuture, Era, ErrorObject};

/// Why a server's question is not answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The code of the error that it gets.
    pub code: i64,
    /// The message of the error. Must not hold anything secret: the server reads it.
    pub message: String,
}

impl Refusal {
    /// There is no such method here.
    pub fn unknown(method: &str) -> Refusal {
        Refusal {
            code: ErrorObject::METHOD_NOT_FOUND,
            message: format!("this client does not answer {method}"),
        }
    }
}

/// Answers what servers ask: `elicitation/create`, `sampling/createMessage`, `roots/list`, as requests of the legacy eras and as input
/// requests of the modern one.
pub trait Handler: Send + Sync {
    /// The capabilities that are declared for this; an object, in the shape of `era`.
    fn capabilities(&self, era: Era) -> Value;

    /// Whether the kind of question `method` is declared.
    fn answers(&self, method: &str) -> bool;

    /// Answers `method` with a result, or refuses.
    fn answer<'a>(
        &'a self,
        method: &'a str,
        params: Value,
    ) -> BoxFuture<'a, Result<Value, Refusal>>;
}

/// Answers nothing: what a checker does, which reports questions instead.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoHandler;

impl Handler for NoHandler {
    fn capabilities(&self, _: Era) -> Value {
        Value::Object(Map::new())
    }

    fn answers(&self, _: &str) -> bool {
        false
    }

    fn answer<'a>(&'a self, method: &'a str, _: Value) -> BoxFuture<'a, Result<Value, Refusal>> {
        Box::pin(async move { Err(Refusal::unknown(method)) })
    }
}
