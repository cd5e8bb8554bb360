//! Why a request came to nothing, in words that hold no URL.

use std::error::Error;
use std::io;

use super::reach::Refused;

/// Why there is no HTTP answer. Texts are of this machine, never of the server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The address may not be called.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// No connection; why.
    #[error("{0}")]
    Connect(String),
    /// The connection broke; why.
    #[error("{0}")]
    Broke(String),
    /// It took too long.
    #[error("it took too long")]
    TimedOut,
}

impl Failure {
    /// What went wrong in `error`. The request may have reached the server unless it is [`Failure::Connect`] or [`Failure::Refused`].
    pub(crate) fn of(error: &reqwest::Error) -> Failure {
        let mut source: Option<&(dyn Error + 'static)> = Some(error);
        let mut innermost = String::new();
        let mut system = None;
        while let Some(cause) = source {
            if let Some(refused) = cause.downcast_ref::<Refused>() {
                return Failure::Refused(refused.clone());
            }
            if let Some(error) = cause.downcast_ref::<io::Error>() {
                if let Some(rustls::Error::Other(other)) = wrapped(error) {
                    return Failure::Connect(other.0.to_string());
                }
                // An error of the system wraps nothing; one with a kind alone may wrap what is told better.
                system = Some(error.kind());
            }
            // reqwest's own words hold the URL.
            if !cause.is::<reqwest::Error>() {
                innermost = cause.to_string();
            }
            source = cause.source();
        }
        let words = system.and_then(words).map_or(innermost, str::to_owned);
        let words = match words.is_empty() {
            true => "the request failed".to_owned(),
            false => words,
        };
        match (error.is_timeout(), error.is_connect()) {
            (true, true) => Failure::Connect("nobody takes the connection".to_owned()),
            (true, false) => Failure::TimedOut,
            (false, true) => Failure::Connect(words),
            (false, false) => Failure::Broke(words),
        }
    }
}

/// The error of TLS that `error` wraps: it is not among its causes.
fn wrapped(error: &io::Error) -> Option<&rustls::Error> {
    let mut inner = error.get_ref()?;
    while let Some(error) = inner.downcast_ref::<io::Error>() {
        inner = error.get_ref()?;
    }
    inner.downcast_ref()
}

/// The usual failures, without numbers of the system.
fn words(kind: io::ErrorKind) -> Option<&'static str> {
    Some(match kind {
        io::ErrorKind::ConnectionRefused => "connection refused",
        io::ErrorKind::ConnectionReset => "connection reset",
        io::ErrorKind::ConnectionAborted => "connection aborted",
        io::ErrorKind::BrokenPipe => "connection closed",
        io::ErrorKind::HostUnreachable => "host unreachable",
        io::ErrorKind::NetworkUnreachable => "network unreachable",
        io::ErrorKind::UnexpectedEof => "connection closed in the middle of the answer",
        _ => return None,
    })
}
