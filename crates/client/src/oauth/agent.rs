//! What brings the user to the sign-in page, and the answer back.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use muster_document::{Masked, Secret};
use url::Url;

use super::listener::{Listener, WaitError, params};
use super::{Endpoint, Pending, ResponseError, Scopes};
use crate::BoxFuture;
use crate::net::{Fetch, FetchError, Net};

/// Where the user signs in.
#[derive(Clone)]
pub struct SignInPage {
    /// The address, for a browser. It holds nothing that another could sign in with, but it is this sign-in's alone.
    pub url: Url,
    /// The same without what is asked.
    pub endpoint: Endpoint,
    /// Where the answer will arrive.
    pub redirect: String,
    /// The scopes that are asked for.
    pub scope: Option<Scopes>,
}

impl fmt::Debug for SignInPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let masked = Masked::url(&Secret::new(self.url.as_str()));
        f.debug_tuple("SignInPage").field(&masked).finish()
    }
}

/// Why no answer came back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VisitError {
    /// The port for the answer is not to be had; why.
    #[error("port {port} of this machine cannot wait for the answer: {why}")]
    Port {
        /// The port; 0 for any.
        port: u16,
        /// Why.
        why: String,
    },
    /// The answer did not come, or is not acted on.
    #[error(transparent)]
    Wait(#[from] WaitError),
    /// The page could not be asked for.
    #[error("the sign-in page could not be asked for: {0}")]
    Page(FetchError),
    /// The page does not answer by itself.
    #[error("the sign-in page wants a person (HTTP {0})")]
    Person(u16),
}

impl From<ResponseError> for VisitError {
    fn from(error: ResponseError) -> VisitError {
        VisitError::Wait(error.into())
    }
}

/// Brings users to sign-in pages.
pub trait UserAgent: Send + Sync {
    /// Makes ready to receive one answer, at `wanted` if that can be done: it is where an earlier registration has answers sent.
    fn open<'a>(
        &'a self,
        wanted: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Box<dyn Door>, VisitError>>;
}

/// Is ready to receive one answer.
pub trait Door: Send + Sync {
    /// Where the answer is to be sent.
    fn redirect(&self) -> &str;

    /// Sends the user to `page`, and gives the code that comes back for `pending`.
    fn visit<'a>(
        &'a self,
        page: &'a SignInPage,
        pending: &'a Pending,
    ) -> BoxFuture<'a, Result<Secret, VisitError>>;
}

/// What shows a sign-in page to the user. Called once a sign-in; returns at once.
pub type Show = Arc<dyn Fn(&SignInPage) + Send + Sync>;

/// A person with a browser, on this machine.
#[derive(Clone)]
pub struct Person {
    /// The port for answers, where that is fixed.
    pub port: Option<u16>,
    /// How long is waited for the answer; at most [`Person::LONGEST`].
    pub patience: Duration,
    /// Shows the page.
    pub show: Show,
}

impl Person {
    /// The longest that a door stays open.
    pub const LONGEST: Duration = Duration::from_secs(600);
}

impl UserAgent for Person {
    fn open<'a>(
        &'a self,
        wanted: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Box<dyn Door>, VisitError>> {
        Box::pin(async move {
            let patience = self.patience.min(Self::LONGEST);
            let door = |listener| -> Box<dyn Door> {
                Box::new(PersonsDoor {
                    listener,
                    patience,
                    show: self.show.clone(),
                })
            };
            let earlier = wanted.and_then(Listener::port_of);
            if let (None, Some(port)) = (self.port, earlier)
                && let Ok(listener) = Listener::open(port).await
            {
                return Ok(door(listener));
            }
            let port = self.port.unwrap_or(0);
            let listener = Listener::open(port).await;
            listener.map(door).map_err(|error| VisitError::Port {
                port,
                why: error.kind().to_string(),
            })
        })
    }
}

struct PersonsDoor {
    listener: Listener,
    patience: Duration,
    show: Show,
}

impl Door for PersonsDoor {
    fn redirect(&self) -> &str {
        self.listener.redirect()
    }

    fn visit<'a>(
        &'a self,
        page: &'a SignInPage,
        pending: &'a Pending,
    ) -> BoxFuture<'a, Result<Secret, VisitError>> {
        Box::pin(async move {
            (self.show)(page);
            Ok(self.listener.wait(pending, self.patience).await?)
        })
    }
}

/// Nobody: asks for the page itself and takes the answer from where it leads, without going there. For authorization servers that ask
/// nothing, as those of conformance tests do.
#[derive(Debug, Clone)]
pub struct Nobody {
    /// The way into the network.
    pub net: Net,
    /// Where answers would be sent.
    pub redirect: String,
}

impl UserAgent for Nobody {
    fn open<'a>(
        &'a self,
        _wanted: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Box<dyn Door>, VisitError>> {
        let door: Box<dyn Door> = Box::new(self.clone());
        Box::pin(std::future::ready(Ok(door)))
    }
}

impl Door for Nobody {
    fn redirect(&self) -> &str {
        &self.redirect
    }

    fn visit<'a>(
        &'a self,
        page: &'a SignInPage,
        pending: &'a Pending,
    ) -> BoxFuture<'a, Result<Secret, VisitError>> {
        Box::pin(async move {
            let fetch = Fetch::get(page.url.clone(), page.endpoint.reach());
            let document = self.net.fetch(&fetch).await.map_err(VisitError::Page)?;
            let to = document.location.as_ref().map(Secret::expose);
            let query = to.and_then(|to| to.strip_prefix(&self.redirect)?.strip_prefix('?'));
            let query = query.ok_or(VisitError::Person(document.status))?;
            let query = query.split('#').next().unwrap_or_default();
            Ok(pending.judge(&params(query))?)
        })
    }
}
