//! One HTTP request to the server: who calls, with which header fields, and once more where its right to call was refused.

use std::sync::Arc;

use muster_document::Secret;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Response};
use url::Url;

use super::answer::challenges;
use super::authorize::{Authorizer, Challenge, Verdict};
use super::fields::{self, FieldError};
use crate::net::{Failure, Net, NetError, Reach};

/// How often one request is sent again because its right to call may have changed.
const RIGHTS: usize = 4;

/// Where a server is, and who calls it.
#[derive(Debug, Clone)]
pub struct Remote {
    /// Its address, which its user configured.
    pub url: Secret,
    /// Header fields that its user configured.
    pub headers: Vec<(String, Secret)>,
    /// Who knows what to say in `Authorization`. Not asked where a configured header says it.
    pub authorizer: Option<Arc<dyn Authorizer>>,
}

impl Remote {
    /// The server at `url`, called by nobody in particular.
    pub fn at(url: impl Into<String>) -> Remote {
        Remote {
            url: Secret::new(url),
            headers: Vec::new(),
            authorizer: None,
        }
    }
}

/// Why a server cannot be called at all.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OpenError {
    /// Its address is none.
    #[error("the address is no URL: {0}")]
    Url(url::ParseError),
    /// Its address is of another kind; the scheme.
    #[error("{0}: is no address that can be called here")]
    Scheme(String),
    /// A configured header cannot be sent.
    #[error(transparent)]
    Header(#[from] FieldError),
    /// The stream that everything comes over could not be opened.
    #[error(transparent)]
    Stream(crate::Loss),
    /// The server wants to be spoken to where it is not.
    #[error("it wants to be spoken to elsewhere: {0}")]
    Endpoint(crate::net::Refused),
    /// Nothing can be called.
    #[error(transparent)]
    Net(#[from] NetError),
}

/// What is asked of a server, without what is said by whom.
pub(crate) struct Call {
    pub(crate) verb: Method,
    pub(crate) url: Url,
    pub(crate) accept: &'static str,
    /// Fields of the protocol.
    pub(crate) fields: HeaderMap,
    /// JSON.
    pub(crate) body: Option<Vec<u8>>,
    /// The method of the message, for who decides about rights.
    pub(crate) method: String,
}

/// Calls one server.
pub(crate) struct Caller {
    client: reqwest::Client,
    pub(crate) url: Url,
    configured: HeaderMap,
    authorizer: Option<Arc<dyn Authorizer>>,
}

impl Caller {
    /// A caller, and the names of configured headers that it will not send.
    pub(crate) fn new(net: &Net, remote: &Remote) -> Result<(Caller, Vec<String>), OpenError> {
        let url = parse(&remote.url, &["http", "https"])?;
        Caller::at(url, net, remote)
    }

    /// The same, at `url` instead of the address that `remote` says.
    pub(crate) fn at(
        url: Url,
        net: &Net,
        remote: &Remote,
    ) -> Result<(Caller, Vec<String>), OpenError> {
        let (configured, left_out) = fields::configured(&remote.headers)?;
        let caller = Caller {
            client: net.client(Reach::Anywhere)?,
            url,
            configured,
            authorizer: remote.authorizer.clone(),
        };
        Ok((caller, left_out))
    }

    /// Asks, and asks again where the authorizer says so. Whatever the server answers is an answer.
    pub(crate) async fn call(&self, call: &Call) -> Result<Response, Failure> {
        let mut before = 0;
        loop {
            let (response, sent) = self.once(call).await?;
            let status = response.status().as_u16();
            let Some(authorizer) = self.authorizer() else {
                return Ok(response);
            };
            if !matches!(status, 401 | 403) || before == RIGHTS {
                return Ok(response);
            }
            let challenge = Challenge {
                status,
                challenges: challenges(response.headers()),
                sent,
                method: call.method.clone(),
                before,
            };
            if authorizer.refused(&challenge).await == Verdict::Stands {
                return Ok(response);
            }
            before += 1;
        }
    }

    fn authorizer(&self) -> Option<&Arc<dyn Authorizer>> {
        let configured = self.configured.contains_key(AUTHORIZATION);
        self.authorizer.as_ref().filter(|_| !configured)
    }

    async fn once(&self, call: &Call) -> Result<(Response, Option<Secret>), Failure> {
        let mut fields = self.configured.clone();
        let mut sent = None;
        if let Some(authorizer) = self.authorizer() {
            sent = authorizer.authorization().await;
        }
        if let Some(value) = &sent {
            // A token with a line break is no token.
            let value = HeaderValue::from_str(value.expose());
            let mut value = value.map_err(|_| unsendable(AUTHORIZATION))?;
            value.set_sensitive(true);
            fields.insert(AUTHORIZATION, value);
        }
        fields.insert(ACCEPT, HeaderValue::from_static(call.accept));
        for (name, value) in &call.fields {
            fields.insert(name, value.clone());
        }
        let mut request = self.client.request(call.verb.clone(), call.url.clone());
        if let Some(body) = &call.body {
            fields.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            request = request.body(body.clone());
        }
        let response = request.headers(fields).send().await;
        let response = response.map_err(|error| Failure::of(&error))?;
        Ok((response, sent))
    }
}

fn unsendable(name: HeaderName) -> Failure {
    Failure::Connect(format!("the value of {name} cannot be sent"))
}

/// The address in `url`, of one of `schemes`.
pub(crate) fn parse(url: &Secret, schemes: &[&str]) -> Result<Url, OpenError> {
    let url = Url::parse(url.expose()).map_err(OpenError::Url)?;
    match schemes.contains(&url.scheme()) && url.has_host() {
        true => Ok(url),
        false => Err(OpenError::Scheme(url.scheme().to_owned())),
    }
}
