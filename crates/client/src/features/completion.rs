//! `completion/complete`: what an argument may be, by what was typed of it.

use serde_json::{Map, Value, json};

use crate::{Ask, RequestError, Session};

/// Values of one answer that are taken: the specification's own limit.
const VALUES: usize = 100;

/// What an argument belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference<'r> {
    /// A prompt, by its name.
    Prompt(&'r str),
    /// A template of resources, by its address.
    Template(&'r str),
}

/// What an argument may be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completion {
    /// Values, the best first. Foreign text.
    pub values: Vec<String>,
    /// How many there are in all, if that is said.
    pub total: Option<u64>,
    /// Whether there are more.
    pub more: bool,
}

impl Session {
    /// What the argument `name` of `reference` may be, of which `typed` was typed and where the arguments `others` have values already.
    ///
    /// # Errors
    /// Where the server does not say.
    pub async fn complete(
        &self,
        reference: Reference<'_>,
        name: &str,
        typed: &str,
        others: &Map<String, Value>,
    ) -> Result<Completion, RequestError> {
        const METHOD: &str = "completion/complete";
        let reference = match reference {
            Reference::Prompt(name) => json!({"type": "ref/prompt", "name": name}),
            Reference::Template(uri) => json!({"type": "ref/resource", "uri": uri}),
        };
        let argument = json!({"name": name, "value": typed});
        let params = match others.is_empty() {
            true => json!({"ref": reference, "argument": argument}),
            false => {
                json!({"ref": reference, "argument": argument, "context": {"arguments": others}})
            }
        };
        let limits = &self.manner().limits;
        let result = self.ask(Ask::new(METHOD, params, limits)).await?;
        let invalid = |why: &str| RequestError::Invalid {
            method: METHOD,
            why: why.to_owned(),
        };
        let completion = result.get("completion");
        let completion = completion.ok_or_else(|| invalid("has no completion"))?;
        let values = completion.get("values").and_then(Value::as_array);
        let values = values.ok_or_else(|| invalid("has no values"))?;
        let texts = values.iter().filter_map(Value::as_str).map(str::to_owned);
        Ok(Completion {
            values: texts.take(VALUES).collect(),
            total: completion.get("total").and_then(Value::as_u64),
            more: completion.get("hasMore") == Some(&Value::Bool(true)) || values.len() > VALUES,
        })
    }
}
