//! Why no conversation came about.

use crate::{RequestError, SendError, Version};

/// Why no conversation came about. Texts of the server are foreign.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StartError {
    /// The way to it could not be opened: no such program, no such host.
    #[error("{0}")]
    Open(String),
    /// It ended, or closed its side, before a word was agreed on.
    #[error("the server ended before it answered {method}")]
    Ended {
        /// What it was asked.
        method: &'static str,
    },
    /// It did not answer, or refused.
    #[error("{method}: {error}")]
    Request {
        /// What it was asked.
        method: &'static str,
        /// What came of it.
        error: RequestError,
    },
    /// It speaks only revisions that Muster does not.
    #[error("no common version: the server supports {}, Muster {}", listed(.theirs), ours())]
    NoCommonVersion {
        /// The revisions it speaks.
        theirs: Vec<String>,
    },
    /// What it said of itself is no answer; why, as a sentence goes on.
    #[error("the answer to {method} {why}")]
    Invalid {
        /// What it was asked.
        method: &'static str,
        /// What is wrong.
        why: String,
    },
    /// Everything together took longer than it may.
    #[error("not ready within {} s", .seconds)]
    OutOfTime {
        /// What was waited for last.
        method: &'static str,
        /// How long it may take.
        seconds: u64,
    },
}

impl StartError {
    /// The status code, where HTTP said something else than an answer.
    pub fn http_status(&self) -> Option<u16> {
        match self {
            StartError::Request {
                error: RequestError::Lost(crate::Loss::Http(answer)),
                ..
            } => Some(answer.status),
            _ => None,
        }
    }

    /// What came of asking `method`.
    pub(crate) fn asking(method: &'static str, error: RequestError) -> StartError {
        match error {
            RequestError::Closed(crate::Closed::ByServer)
            | RequestError::Send(SendError::Closed) => StartError::Ended { method },
            error => StartError::Request { method, error },
        }
    }
}

fn listed(versions: &[String]) -> String {
    match versions {
        [] => "none".to_owned(),
        some => some.join(", "),
    }
}

fn ours() -> String {
    Version::ALL.map(Version::as_str).join(", ")
}
