//! HTTP answers: which are JSON-RPC, and what the others say.

use muster_document::{Masked, Secret};
use reqwest::Response;
use reqwest::header::{
    CONTENT_ENCODING, HeaderMap, HeaderName, LOCATION, RETRY_AFTER, WWW_AUTHENTICATE,
};

use crate::message::{Reading, read};
use crate::net::{Failure, media_type};
use crate::{ErrorObject, HttpAnswer, Loss, Message};

/// Bytes of the body of an answer that is none which are looked through for a JSON-RPC error.
const LOOKED_THROUGH: usize = 256 * 1024;
/// Bytes of such a body that are kept.
const KEPT: usize = 1024;
/// Challenges, and bytes of one, that are kept.
const CHALLENGES: usize = 16;
const CHALLENGE: usize = 8 * 1024;

/// What the body of an answer of success is.
pub(super) enum Kind {
    /// One JSON text.
    Json,
    /// An event stream.
    Events,
    /// Nothing: the server has nothing to say.
    Nothing,
}

/// What the body of `response`, whose status is one of success, is.
pub(super) fn kind(response: &Response) -> Result<Kind, Loss> {
    let headers = response.headers();
    // Nobody asked for it, and what is unpacked may be a thousand times as long.
    if let Some(coding) = headers.get(CONTENT_ENCODING)
        && coding.as_bytes() != b"identity"
    {
        let coding = String::from_utf8_lossy(coding.as_bytes());
        return Err(Loss::NoMcp(format!(
            "the answer is compressed ({coding}), which was not asked for"
        )));
    }
    let nothing = response.content_length() == Some(0) || response.status() == 204;
    match media_type(headers).as_deref() {
        _ if nothing => Ok(Kind::Nothing),
        Some("application/json") => Ok(Kind::Json),
        Some("text/event-stream") => Ok(Kind::Events),
        // JSON by another name, and what says nothing of itself, may still be an answer: it is read as one.
        Some(media) if media.ends_with("+json") || media == "text/json" => Ok(Kind::Json),
        None if response.status() == 202 => Ok(Kind::Nothing),
        None => Ok(Kind::Json),
        Some("text/html" | "application/xhtml+xml") => {
            Err(Loss::NoMcp("not an MCP server (web page)".to_owned()))
        }
        Some(media) => Err(Loss::NoMcp(format!(
            "not an MCP server (it answers with {media})"
        ))),
    }
}

/// The whole body, of at most `limit` bytes.
pub(super) async fn body(mut response: Response, limit: usize) -> Result<Vec<u8>, Loss> {
    if response.content_length().unwrap_or_default() > limit as u64 {
        return Err(Loss::TooLong { limit });
    }
    let mut body = Vec::new();
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| lost(Failure::of(&error)))?
    {
        if body.len() + chunk.len() > limit {
            return Err(Loss::TooLong { limit });
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// What `response` says that is no answer of success. Never fails: a body that breaks off is as good as one that ends.
pub(crate) async fn other(mut response: Response) -> HttpAnswer {
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    let url = response.url().clone();
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        body.extend_from_slice(&chunk);
        if body.len() >= LOOKED_THROUGH {
            break;
        }
    }
    let location = headers
        .get(LOCATION)
        .and_then(|value| url.join(value.to_str().ok()?).ok())
        .map(|location| Masked::url(&Secret::new(location.as_str())).to_string());
    let start = body.get(..KEPT).unwrap_or(&body);
    HttpAnswer {
        status,
        content_type: media_type(&headers),
        challenges: challenges(&headers),
        location,
        retry_after: text(&headers, RETRY_AFTER).and_then(|value| value.trim().parse().ok()),
        error: error(&body),
        body: String::from_utf8_lossy(start).into_owned(),
    }
}

/// Every `WWW-Authenticate` field, in order.
pub(super) fn challenges(headers: &HeaderMap) -> Vec<String> {
    let fields = headers.get_all(WWW_AUTHENTICATE).iter().take(CHALLENGES);
    fields
        .map(|value| {
            let bytes = value.as_bytes();
            String::from_utf8_lossy(bytes.get(..CHALLENGE).unwrap_or(bytes)).into_owned()
        })
        .collect()
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// The JSON-RPC error in `body`, whatever its id.
fn error(body: &[u8]) -> Option<ErrorObject> {
    let error = read(body).into_iter().find_map(|reading| match reading {
        Reading::Message(Message::Response { outcome, .. }) => outcome.err(),
        _ => None,
    });
    error.or_else(|| {
        // Gateways leave out `jsonrpc`, and some servers the id's right shape.
        let body: serde_json::Value = serde_json::from_slice(body).ok()?;
        let error = body.get("error").filter(|error| error.is_object())?;
        let error = ErrorObject::read(error.clone());
        error.code.is_some().then_some(error)
    })
}

/// Why a request gets no answer where HTTP itself failed.
pub(crate) fn lost(failure: Failure) -> Loss {
    match failure {
        Failure::Refused(_) | Failure::Connect(_) => Loss::Connect(failure.to_string()),
        Failure::Broke(why) => Loss::Broke(why),
        Failure::TimedOut => Loss::Broke("it took too long".to_owned()),
    }
}
