//! A handler made of what its owner can answer: nothing that is not given is declared.

use std::fmt;
use std::sync::Arc;

use camino::Utf8PathBuf;
use serde_json::{Value, json};

use super::{Elicitation, Elicited, roots};
use crate::{BoxFuture, Era, Handler, Refusal};

/// Puts a server's questions to the user.
pub trait Elicits: Send + Sync {
    /// Asks, and gives what the user did.
    fn elicit(&self, question: Elicitation) -> BoxFuture<'_, Elicited>;
}

/// Lets a model answer.
pub trait Samples: Send + Sync {
    /// Answers `sampling/createMessage`.
    fn sample(&self, params: Value) -> BoxFuture<'_, Result<Value, Refusal>>;
}

/// Answers with what it was given, and refuses the rest with words that say why.
#[derive(Clone, Default)]
pub struct Answers {
    /// The folders that a server may ask for (`roots/list`); `None` where it may not.
    pub roots: Option<Vec<Utf8PathBuf>>,
    /// Who asks the user (`elicitation/create`).
    pub elicits: Option<Arc<dyn Elicits>>,
    /// Who has a model (`sampling/createMessage`).
    pub samples: Option<Arc<dyn Samples>>,
}

impl Handler for Answers {
    fn capabilities(&self, _: Era) -> Value {
        let declared = [
            ("roots", self.roots.is_some(), json!({})),
            (
                "elicitation",
                self.elicits.is_some(),
                json!({"form": {}, "url": {}}),
            ),
            ("sampling", self.samples.is_some(), json!({})),
        ];
        let declared = declared.into_iter().filter(|(_, given, _)| *given);
        let declared = declared.map(|(name, _, capability)| (name.to_owned(), capability));
        Value::Object(declared.collect())
    }

    fn answers(&self, method: &str) -> bool {
        match method {
            "roots/list" => self.roots.is_some(),
            "elicitation/create" => self.elicits.is_some(),
            "sampling/createMessage" => self.samples.is_some(),
            _ => false,
        }
    }

    fn answer<'a>(
        &'a self,
        method: &'a str,
        params: Value,
    ) -> BoxFuture<'a, Result<Value, Refusal>> {
        Box::pin(async move {
            match (method, &self.roots, &self.elicits, &self.samples) {
                ("roots/list", Some(folders), ..) => Ok(roots(folders)),
                ("elicitation/create", _, Some(elicits), _) => {
                    let question = Elicitation::read(&params)?;
                    Ok(elicits.elicit(question).await.result())
                }
                ("sampling/createMessage", .., Some(samples)) => samples.sample(params).await,
                ("sampling/createMessage", ..) => Err(Refusal {
                    message: "this client has no model to sample from".to_owned(),
                    ..Refusal::unknown(method)
                }),
                _ => Err(Refusal::unknown(method)),
            }
        })
    }
}

impl fmt::Debug for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answers")
            .field("roots", &self.roots)
            .field("elicits", &self.elicits.is_some())
            .field("samples", &self.samples.is_some())
            .finish()
    }
}
