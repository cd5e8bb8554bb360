//! Requests that may take several rounds: since 2026-07-28 a server asks for what it needs by its answer, and is asked again.

use serde_json::{Map, Value};
use tokio::time::Instant;

use crate::{Ask, ErrorObject, Refusal, RequestError, Session, visits_required};

/// What a server wants to know before it answers.
#[derive(Debug, Clone, PartialEq)]
pub struct InputRequired {
    /// Its questions by its own keys: method and parameters.
    pub requests: Vec<(String, String, Value)>,
    /// What it wants back unchanged; `None` where it gave nothing.
    pub state: Option<Value>,
}

/// Why a request of several rounds has no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RoundsError {
    /// One of its requests has none.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The server asks for something that this client did not declare.
    #[error("the server asks for {method}, which was not declared (undeclared capability)")]
    Undeclared {
        /// What it asks. Foreign text.
        method: String,
    },
    /// Whoever was asked will not answer.
    #[error("{method} was refused: {why}")]
    Refused {
        /// What was asked.
        method: String,
        /// Why not.
        why: String,
    },
    /// It asks again and again.
    #[error("the server still asks after {0} rounds")]
    TooManyRounds(usize),
}

impl Session {
    /// Asks, answers what the server wants to know first through the [`Handler`](crate::Handler), and asks again, until there is a
    /// result. For `tools/call`, `prompts/get` and `resources/read`, the methods that may do so.
    ///
    /// # Errors
    /// Where there is none.
    pub async fn ask_in_rounds(&self, ask: Ask) -> Result<Value, RoundsError> {
        let limits = &self.manner().limits;
        let deadline = Instant::now() + ask.total;
        let mut next = ask.clone();
        for _ in 0..=limits.input_rounds {
            let method = next.method;
            let result = match self.ask(next).await {
                Ok(result) => result,
                Err(RequestError::Refused(error)) => {
                    self.visit(&error).await?;
                    next = ask.clone();
                    next.total = deadline.saturating_duration_since(Instant::now());
                    next.silence = next.silence.min(next.total);
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            let Some(wanted) = input_required(method, &result)? else {
                return Ok(result);
            };
            let responses = self.responses(&wanted).await?;
            next = ask.clone();
            next.total = deadline.saturating_duration_since(Instant::now());
            next.silence = next.silence.min(next.total);
            next.params
                .insert("inputResponses".to_owned(), Value::Object(responses));
            if let Some(state) = wanted.state {
                next.params.insert("requestState".to_owned(), state);
            }
        }
        Err(RoundsError::TooManyRounds(limits.input_rounds))
    }

    /// Lets the user visit the pages that `error` wants visited first (2025-11-25).
    async fn visit(&self, error: &ErrorObject) -> Result<(), RoundsError> {
        const METHOD: &str = "elicitation/create";
        let handler = &self.manner().handler;
        let refused = || RoundsError::Request(RequestError::Refused(Box::new(error.clone())));
        let visits = visits_required(error).filter(|_| handler.answers(METHOD));
        for mut visit in visits.ok_or_else(refused)? {
            if let Some(visit) = visit.as_object_mut() {
                visit.entry("mode").or_insert_with(|| "url".into());
            }
            let answer = handler.answer(METHOD, visit).await;
            let answer = answer.map_err(|Refusal { message, .. }| RoundsError::Refused {
                method: METHOD.to_owned(),
                why: message,
            })?;
            if answer.get("action").and_then(Value::as_str) != Some("accept") {
                return Err(refused());
            }
        }
        Ok(())
    }

    async fn responses(&self, wanted: &InputRequired) -> Result<Map<String, Value>, RoundsError> {
        let handler = &self.manner().handler;
        let mut responses = Map::new();
        for (key, method, params) in &wanted.requests {
            if !handler.answers(method) {
                let method = method.clone();
                return Err(RoundsError::Undeclared { method });
            }
            let answer = handler.answer(method, params.clone()).await;
            let answer = answer.map_err(|Refusal { message, .. }| RoundsError::Refused {
                method: method.clone(),
                why: message,
            })?;
            responses.insert(key.clone(), answer);
        }
        Ok(responses)
    }
}

/// What the server wants to know, where `result` is no result yet. A `resultType` that nobody knows makes it invalid.
///
/// # Errors
/// Where it is neither a result nor a question.
pub fn input_required(
    method: &'static str,
    result: &Value,
) -> Result<Option<InputRequired>, RequestError> {
    let invalid = |why: String| RequestError::Invalid { method, why };
    match result.get("resultType") {
        None => return Ok(None),
        Some(Value::String(kind)) => match kind.as_str() {
            "complete" => return Ok(None),
            "input_required" => {}
            other => return Err(invalid(format!("has the unknown resultType {other:?}"))),
        },
        Some(_) => return Err(invalid("has a resultType that is no text".to_owned())),
    }
    let state = result
        .get("requestState")
        .filter(|state| !state.is_null())
        .cloned();
    let requests = match result.get("inputRequests") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Object(requests)) => requests
            .iter()
            .map(|(key, request)| {
                let asked = request.get("method").and_then(Value::as_str);
                let asked = asked.ok_or_else(|| invalid("asks without a method".to_owned()))?;
                let params = request.get("params").cloned().unwrap_or(Value::Null);
                Ok((key.clone(), asked.to_owned(), params))
            })
            .collect::<Result<_, RequestError>>()?,
        Some(_) => return Err(invalid("has inputRequests that are no object".to_owned())),
    };
    if requests.is_empty() && state.is_none() {
        return Err(invalid("asks for input and says for none".to_owned()));
    }
    Ok(Some(InputRequired { requests, state }))
}
