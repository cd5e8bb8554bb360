//! Calls of tools.

use std::time::Duration;

use serde_json::{Map, Value};
use tokio::time::Instant;

use crate::http::{MirrorError, Mirrors};
use crate::{Ask, ErrorObject, List, RequestError, RoundsError, Session};

/// What the method is called.
const CALL: &str = "tools/call";
/// How long a look at the list may take, where a tool has changed since.
const LOOK: Duration = Duration::from_secs(20);

/// Why a call has no result. A result that says of itself that it is an error is a result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CallError {
    /// The arguments cannot be said as the tool's schema asks for, or the tool cannot be called over this transport at all.
    #[error(transparent)]
    Mirror(#[from] MirrorError),
    /// What came of asking.
    #[error(transparent)]
    Rounds(#[from] RoundsError),
}

impl Session {
    /// Calls `tool`, as it was listed, with `arguments`, in as many rounds as the server wants. `ask` says how patient it is.
    ///
    /// Where the server says that header fields do not fit the call (-32020), the tool is looked up once more and called again: its
    /// schema has changed.
    ///
    /// # Errors
    /// Where there is no result.
    pub async fn call_tool(
        &self,
        tool: &Value,
        arguments: Map<String, Value>,
        patience: &Ask,
    ) -> Result<Value, CallError> {
        let refused = match self.call_once(tool, &arguments, patience).await {
            Err(CallError::Rounds(RoundsError::Request(error))) if mismatched(&error) => error,
            done => return done,
        };
        let listed = self.list(List::Tools, Instant::now() + LOOK).await;
        let name = tool.get("name");
        let changed = listed
            .map(|listed| listed.items)
            .unwrap_or_default()
            .into_iter()
            .find(|listed| listed.get("name") == name);
        match changed {
            Some(changed) => self.call_once(&changed, &arguments, patience).await,
            None => Err(CallError::Rounds(RoundsError::Request(refused))),
        }
    }

    async fn call_once(
        &self,
        tool: &Value,
        arguments: &Map<String, Value>,
        patience: &Ask,
    ) -> Result<Value, CallError> {
        let mut ask = patience.clone();
        ask.method = CALL;
        ask.params = Map::new();
        let name = tool.get("name").cloned().unwrap_or(Value::Null);
        ask.params.insert("name".to_owned(), name);
        let arguments_value = Value::Object(arguments.clone());
        ask.params.insert("arguments".to_owned(), arguments_value);
        // Elsewhere the marks mean nothing.
        if self.mirrors_parameters()
            && let Some(schema) = tool.get("inputSchema")
        {
            ask.mirrored = Mirrors::of(schema)?.fields(arguments)?;
        }
        Ok(self.ask_in_rounds(ask).await?)
    }
}

fn mismatched(error: &RequestError) -> bool {
    let code = error.refusal().and_then(|refusal| refusal.code);
    code == Some(ErrorObject::HEADER_MISMATCH)
}
