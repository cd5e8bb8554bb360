//! The small trait behind which every way to reach a server stands.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use serde_json::Value;

use crate::{Message, Oddity, Version};

/// A future that is sent between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A message to a server.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// The id of a request of ours; `None` for a notification, or an answer to the server.
    pub id: Option<i64>,
    /// The method of a request or notification; empty for an answer.
    pub method: String,
    /// The whole message.
    pub body: Value,
    /// The revision in which it is said; `None` before one is agreed on.
    pub version: Option<Version>,
    /// Header fields that mirror parameters (`Mcp-Param-*`), where the transport has header fields.
    pub mirrored: Vec<(String, String)>,
    /// It asks for a list, whose answer is bounded more tightly.
    pub lists: bool,
}

/// What comes from a server, or befalls the way to it.
#[derive(Debug)]
pub enum Incoming {
    /// A message, with its length in bytes.
    Message(Message, usize),
    /// Something odd, already passed over.
    Odd(Oddity),
    /// A message that was longer than the limit.
    Dropped {
        /// Its bytes.
        bytes: u64,
        /// Whether it began as an answer does.
        answers: bool,
    },
    /// Bytes that are no message, cut.
    Noise(String),
    /// The request with this id cannot be answered any more.
    Lost {
        /// The id.
        id: i64,
        /// Why.
        why: Loss,
    },
    /// Nothing will come any more.
    Closed(Closed),
}

/// Why one request gets no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Loss {
    /// HTTP said something else than an answer.
    #[error("{}", told(.0))]
    Http(Box<HttpAnswer>),
    /// No connection; why.
    #[error("no connection: {0}")]
    Connect(String),
    /// The connection broke before the answer; why.
    #[error("the connection broke: {0}")]
    Broke(String),
    /// The stream ended before the answer.
    #[error("the stream ended before the answer")]
    Ended,
    /// The server has forgotten the session of the legacy era, and another one could not be begun or does not help.
    #[error("the server says that the session has expired (HTTP {})", .0.status)]
    SessionGone(Box<HttpAnswer>),
    /// More bytes than the limit.
    #[error("the answer is longer than {limit} bytes")]
    TooLong {
        /// The limit.
        limit: usize,
    },
    /// Something that no MCP server says: a web page, a picture; in words.
    #[error("{0}")]
    NoMcp(String),
    /// Something that is no answer: why.
    #[error("{0}")]
    Nonsense(String),
}

/// An HTTP answer that is no JSON-RPC response to the request.
#[derive(Debug, Clone, PartialEq)]
pub struct HttpAnswer {
    /// The status code.
    pub status: u16,
    /// The media type, lower-case, without parameters.
    pub content_type: Option<String>,
    /// Every `WWW-Authenticate` field. Foreign text.
    pub challenges: Vec<String>,
    /// Where `Location` leads, made absolute and masked. Foreign text.
    pub location: Option<String>,
    /// Seconds of `Retry-After`.
    pub retry_after: Option<u64>,
    /// The JSON-RPC error in the body, whatever its id.
    pub error: Option<crate::ErrorObject>,
    /// The start of the body. Foreign text.
    pub body: String,
}

fn told(answer: &HttpAnswer) -> String {
    let status = answer.status;
    match (&answer.location, &answer.error) {
        (Some(location), _) if (300..400).contains(&status) => {
            format!("HTTP {status}: it leads to {location}, which is not followed")
        }
        (_, Some(error)) => format!("HTTP {status}: {error}"),
        _ => format!("HTTP {status}"),
    }
}

/// Why nothing comes any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Closed {
    /// The server closed its side: end of its standard output, of its stream, of its socket.
    ByServer,
    /// It broke; why.
    Broke(String),
    /// It was closed from here.
    ByUs,
}

/// Why a message was not handed over.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The way is closed.
    #[error("the connection is closed")]
    Closed,
    /// The server did not take it in time.
    #[error("the server does not read what it is sent")]
    NotRead,
    /// It did not get through; why.
    #[error("{0}")]
    Failed(String),
    /// It cannot be said over this transport; why.
    #[error("{0}")]
    Unsayable(String),
}

/// A way to one server. What comes back goes into the queue that was given when it was opened.
pub trait Transport: Send + Sync + fmt::Debug {
    /// Hands `message` over. Returns when it is on its way, not when it is answered.
    fn send(&self, message: Outgoing) -> BoxFuture<'_, Result<(), SendError>>;

    /// Nobody waits for the answer to the request `id` any more. Returns whether the transport itself told the server so (as a closed
    /// stream does); otherwise the session sends `notifications/cancelled`.
    fn forget(&self, id: i64) -> bool;

    /// Closes the way as its rules ask: ends a session, closes the streams. Bounded in time.
    fn close(&self) -> BoxFuture<'_, ()>;

    /// Whether answers to requests of the server can be given here in the modern era (stdio only).
    fn answers_in_modern_era(&self) -> bool {
        false
    }

    /// Whether parameters that are marked so are mirrored in header fields here (Streamable HTTP only).
    fn mirrors_parameters(&self) -> bool {
        false
    }
}
