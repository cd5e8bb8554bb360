//! Small documents: metadata, tokens, registrations.

use std::fmt;
use std::time::Duration;

use muster_document::{Masked, Secret};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use tokio::time::timeout;
use url::Url;

use super::client::{Net, NetError};
use super::failure::Failure;
use super::reach::{Reach, same_origin};

/// The usual bound of a document.
const BYTES: usize = 1024 * 1024;
/// The usual bound of the time that everything takes, redirects included.
const TIME: Duration = Duration::from_secs(30);
/// How many redirects are followed where any are.
const HOPS: usize = 3;

/// What is asked for.
#[derive(Clone)]
pub struct Fetch {
    /// Where.
    pub url: Url,
    /// How far the connection may lead: as [`super::Bounds::judge`] said of the URL.
    pub reach: Reach,
    /// What is sent, with its media type; `None` asks with `GET`, `Some` with `POST`.
    pub body: Option<(&'static str, Secret)>,
    /// Header fields besides: `Authorization` of a token endpoint.
    pub headers: Vec<(HeaderName, Secret)>,
    /// What is followed.
    pub redirects: Redirects,
    /// Bytes of the answer.
    pub bytes: usize,
    /// How long everything may take.
    pub time: Duration,
}

/// Which redirects are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redirects {
    /// None: a redirect is a document like any other, with its `location`.
    None,
    /// A few, of a `GET`, that stay at the origin.
    SameOrigin,
}

impl Fetch {
    /// Asks for the document at `url`.
    pub fn get(url: Url, reach: Reach) -> Fetch {
        Fetch {
            url,
            reach,
            body: None,
            headers: Vec::new(),
            redirects: Redirects::None,
            bytes: BYTES,
            time: TIME,
        }
    }

    /// Sends `body`, of the media type `media`, to `url`.
    pub fn post(url: Url, reach: Reach, media: &'static str, body: Secret) -> Fetch {
        Fetch {
            body: Some((media, body)),
            ..Fetch::get(url, reach)
        }
    }

    /// The same with one more header field.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: Secret) -> Fetch {
        self.headers.push((name, value));
        self
    }

    /// The same, following redirects as `redirects` say.
    #[must_use]
    pub fn following(mut self, redirects: Redirects) -> Fetch {
        self.redirects = redirects;
        self
    }
}

impl fmt::Debug for Fetch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let url = Masked::url(&Secret::new(self.url.as_str()));
        f.debug_struct("Fetch")
            .field("url", &url)
            .field("reach", &self.reach)
            .finish_non_exhaustive()
    }
}

/// What came back, whatever the status. Everything in it is foreign, and may be secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Document {
    /// Where it came from in the end.
    pub url: Url,
    /// The status code.
    pub status: u16,
    /// The media type, lower-case, without parameters.
    pub content_type: Option<String>,
    /// All header fields.
    pub headers: HeaderMap,
    /// Where a redirect leads, made absolute. May hold an authorization code.
    pub location: Option<Secret>,
    /// The body.
    pub body: Vec<u8>,
}

impl Document {
    /// Whether the status is one of success.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("status", &self.status)
            .field("content_type", &self.content_type)
            .field("bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}

/// Why there is no document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// Nothing can be asked for.
    #[error(transparent)]
    Net(#[from] NetError),
    /// No answer.
    #[error(transparent)]
    Failed(#[from] Failure),
    /// The answer is longer than the bound.
    #[error("the answer is longer than {limit} bytes")]
    TooLong {
        /// The bound.
        limit: usize,
    },
    /// It leads elsewhere, and is not followed there.
    #[error("it leads to {to}, which is not followed")]
    Redirected {
        /// The origin.
        to: String,
    },
    /// A header field cannot be sent.
    #[error("the value of {0} cannot be sent in a header field")]
    Header(String),
}

impl Net {
    /// Asks for a document.
    ///
    /// # Errors
    /// Where there is none within its bounds. An answer with a status of failure is a document.
    pub async fn fetch(&self, fetch: &Fetch) -> Result<Document, FetchError> {
        match timeout(fetch.time, self.follow(fetch)).await {
            Ok(fetched) => fetched,
            Err(_) => Err(Failure::TimedOut.into()),
        }
    }

    async fn follow(&self, fetch: &Fetch) -> Result<Document, FetchError> {
        let mut url = fetch.url.clone();
        for _ in 0..=HOPS {
            let document = self.ask(fetch, url.clone()).await?;
            let redirected = (300..400).contains(&document.status);
            let (Redirects::SameOrigin, None, true, Some(to)) = (
                fetch.redirects,
                &fetch.body,
                redirected,
                document.location.as_ref(),
            ) else {
                return Ok(document);
            };
            match Url::parse(to.expose()) {
                Ok(to) if same_origin(&to, &fetch.url) => url = to,
                Ok(to) => {
                    return Err(FetchError::Redirected {
                        to: super::origin(&to),
                    });
                }
                Err(_) => return Ok(document),
            }
        }
        Err(FetchError::Redirected {
            to: super::origin(&url),
        })
    }

    async fn ask(&self, fetch: &Fetch, url: Url) -> Result<Document, FetchError> {
        let client = self.client(fetch.reach)?;
        let mut request = match &fetch.body {
            None => client.get(url),
            Some((media, body)) => client
                .post(url)
                .header(CONTENT_TYPE, *media)
                .body(body.expose().to_owned()),
        };
        request = request.header(ACCEPT, "application/json");
        for (name, value) in &fetch.headers {
            let mut value = HeaderValue::from_str(value.expose())
                .map_err(|_| FetchError::Header(name.to_string()))?;
            value.set_sensitive(true);
            request = request.header(name, value);
        }
        let response = request.send().await.map_err(|error| Failure::of(&error))?;
        let status = response.status().as_u16();
        let (headers, url) = (response.headers().clone(), response.url().clone());
        let location = headers
            .get(LOCATION)
            .and_then(|value| url.join(value.to_str().ok()?).ok())
            .map(|location| Secret::new(location.as_str()));
        Ok(Document {
            content_type: media_type(&headers),
            status,
            location,
            url,
            headers,
            body: read(response, fetch.bytes).await?,
        })
    }
}

/// The body of `response`, as far as it is allowed to go.
async fn read(mut response: reqwest::Response, limit: usize) -> Result<Vec<u8>, FetchError> {
    let long = || FetchError::TooLong { limit };
    let told = response.content_length().unwrap_or_default();
    if told > limit as u64 {
        return Err(long());
    }
    let mut body = Vec::new();
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| Failure::of(&error))?
    {
        if body.len() + chunk.len() > limit {
            return Err(long());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The media type of an answer, lower-case, without parameters.
pub(crate) fn media_type(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    let media = value.split(';').next().unwrap_or_default().trim();
    (!media.is_empty()).then(|| media.to_ascii_lowercase())
}
