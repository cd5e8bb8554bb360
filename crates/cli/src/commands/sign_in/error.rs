//! Why nobody is signed in or out.

use muster_client::net::{FetchError, NetError};
use muster_client::oauth::{AccessError, ClientError, VisitError, WaitError};
use muster_document::Masked;

use crate::exit::Code;

/// What can go wrong with a sign-in.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SignInError {
    /// No agent knows the name.
    #[error("no agent knows a server called `{0}` here")]
    Unknown(Masked),
    /// It is no server over HTTP.
    #[error("`{0}` is started on this machine: it takes its secrets from its environment")]
    NotRemote(Masked),
    /// Its address cannot be called.
    #[error("the address of `{0}` is none that can be called")]
    NoAddress(Masked),
    /// Agents mean different servers by it.
    #[error("`{server}` is not the same server everywhere: {places}")]
    Ambiguous {
        /// The name.
        server: Masked,
        /// Who means what.
        places: String,
    },
    /// A header is configured that a sign-in would not replace.
    #[error(
        "{harness} sends `{server}` an Authorization header of its own, which a sign-in does not replace"
    )]
    OwnHeader {
        /// The name.
        server: Masked,
        /// The agent.
        harness: &'static str,
    },
    /// The variable that was to hold the client's secret does not.
    #[error("the variable `{0}` holds no secret: it is unset or empty")]
    NoSecret(String),
    /// There is no folder to keep anything in.
    #[error("there is no home folder to keep sign-ins in")]
    NoHome,
    /// The server asks for no sign-in.
    #[error("`{0}` asks nobody to sign in")]
    NotAsked(Masked),
    /// The server does not answer.
    #[error("`{server}` does not answer: {why}")]
    NoAnswer {
        /// The name.
        server: Masked,
        /// Why.
        why: FetchError,
    },
    /// It failed.
    #[error("`{server}`: {why}")]
    Failed {
        /// The name.
        server: Masked,
        /// Why.
        why: Box<AccessError>,
    },
    /// Nothing can be asked for.
    #[error(transparent)]
    Net(NetError),
    /// The system gives no runtime.
    #[error("the system refuses what it takes to wait for answers")]
    Runtime(#[source] std::io::Error),
}

impl SignInError {
    pub(super) fn failed(server: &Masked, why: AccessError) -> SignInError {
        SignInError::Failed {
            server: server.clone(),
            why: Box::new(why),
        }
    }

    /// The exit code.
    pub(crate) fn code(&self) -> Code {
        match self {
            SignInError::NoAnswer { .. } | SignInError::Failed { .. } => Code::NoAnswer,
            _ => Code::Usage,
        }
    }

    /// What to do about it.
    pub(crate) fn hint(&self) -> Option<String> {
        Some(match self {
            SignInError::Unknown(_) => {
                "`muster list` shows the servers that are known; an address works, too".to_owned()
            }
            SignInError::Ambiguous { server, .. } => {
                format!("say whose: muster login {server} --harness ID")
            }
            SignInError::OwnHeader { .. } => {
                "take the header out of its configuration first".to_owned()
            }
            SignInError::Failed { server, why } => match &**why {
                AccessError::Client(ClientError::NeedsClientId(_)) => format!(
                    "register one with the redirect address http://127.0.0.1:8976/callback, then: \
                     muster login {server} --client-id ID --callback-port 8976"
                ),
                AccessError::Client(ClientError::OtherIssuer { .. }) => format!(
                    "if that is meant to be, register a client there: muster login {server} --client-id ID"
                ),
                AccessError::Visit(VisitError::Port { .. }) => {
                    "leave --callback-port away, or name one that is free".to_owned()
                }
                AccessError::Visit(VisitError::Wait(WaitError::TimedOut(_))) => {
                    format!("once more; without a browser here: muster login {server} --no-browser")
                }
                _ => return None,
            },
            _ => return None,
        })
    }
}
