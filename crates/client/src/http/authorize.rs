//! Who may call: `Authorization`, and what is done where it is refused.

use std::fmt;

use muster_document::Secret;

use crate::BoxFuture;

/// Keeps the right to call one server. Implemented by OAuth; a configured `Authorization` header needs none.
///
/// A transport asks it before each request, and tells it of each refusal. It is called by several requests at once: an implementation
/// refreshes once and lets the others wait.
pub trait Authorizer: Send + Sync + fmt::Debug {
    /// The value of `Authorization` for a request that is about to be made; `None` to call without.
    fn authorization(&self) -> BoxFuture<'_, Option<Secret>>;

    /// The server refused a request. Whether it is to be sent again, with what [`Authorizer::authorization`] says then. May take as
    /// long as a refresh, or a sign-in, takes; whoever waits for the request has a deadline of its own.
    fn refused<'a>(&'a self, challenge: &'a Challenge) -> BoxFuture<'a, Verdict>;
}

/// A request that was refused for want of rights. Texts are foreign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    /// 401 or 403.
    pub status: u16,
    /// Every `WWW-Authenticate` field, in order.
    pub challenges: Vec<String>,
    /// What was sent in `Authorization`.
    pub sent: Option<Secret>,
    /// What was asked: `tools/call`; empty for a stream.
    pub method: String,
    /// How often this one request was refused before.
    pub before: usize,
}

/// What is to be done about a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Send it again.
    Retry,
    /// The refusal stands, and becomes [`crate::Loss::Http`].
    Stands,
}
