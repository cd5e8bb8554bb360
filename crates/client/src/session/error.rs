//! Why a request has no result.

use std::time::Duration;

use crate::{Closed, ErrorObject, Loss, SendError};

/// Why a request has no result. Texts of the server are foreign.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RequestError {
    /// The server answered with an error.
    #[error("{0}")]
    Refused(Box<ErrorObject>),
    /// It did not answer in time.
    #[error("no answer to {method} within {}", seconds(*.after))]
    TimedOut {
        /// What was asked.
        method: &'static str,
        /// How long it was waited for.
        after: Duration,
    },
    /// The way to it could not carry the answer.
    #[error(transparent)]
    Lost(#[from] Loss),
    /// Nothing will come any more.
    #[error("{}", ended(.0))]
    Closed(Closed),
    /// The request could not be sent.
    #[error(transparent)]
    Send(SendError),
    /// The server did more of something than is good; what.
    #[error("the server sent too many {0}")]
    Flood(&'static str),
    /// The result is none that the method may have; why.
    #[error("the answer to {method} {why}")]
    Invalid {
        /// What was asked.
        method: &'static str,
        /// What is wrong with the answer, as a sentence goes on.
        why: String,
    },
}

fn ended(closed: &Closed) -> String {
    match closed {
        Closed::ByServer => "the server closed the connection".to_owned(),
        Closed::Broke(why) => format!("the connection broke: {why}"),
        Closed::ByUs => "the connection was closed".to_owned(),
    }
}

/// A time as people say it: `0.2 s`, `20 s`.
fn seconds(time: Duration) -> String {
    match time.as_millis() {
        millis if millis % 1000 == 0 => format!("{} s", time.as_secs()),
        _ => format!("{:.1} s", time.as_secs_f64()),
    }
}

impl RequestError {
    /// The error that the server answered with.
    pub fn refusal(&self) -> Option<&ErrorObject> {
        match self {
            RequestError::Refused(error) => Some(error),
            RequestError::Lost(Loss::Http(answer) | Loss::SessionGone(answer)) => {
                answer.error.as_ref()
            }
            _ => None,
        }
    }

    /// Whether the server surely never saw the request, or said that it will do nothing about it: it may be repeated.
    pub fn is_harmless(&self) -> bool {
        matches!(
            self,
            RequestError::Send(_) | RequestError::Lost(Loss::Connect(_))
        )
    }
}
