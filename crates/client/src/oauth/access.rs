//! The way into one server: what is kept for it, used and renewed.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use muster_document::Secret;
use reqwest::header::{AUTHORIZATION, HeaderName, WWW_AUTHENTICATE};
use serde_json::{Value, json};
use url::Url;

use super::discovery::{DiscoveryError, Found, discover};
use super::record::{self, Account, Held, Keeper, KeeperError, Seconds, Stored};
use super::token::{self, Grant, TokenError, Tokens};
use super::{Bearer, Client, ClientError, EndpointError, Given, Ground, MetadataError, Scopes};
use super::{Endpoint, NoRandomness, VisitError};
use crate::Version;
use crate::net::{Fetch, FetchError, Net, Reach};

/// How long another process is waited for that renews the same token.
const PATIENCE: Duration = Duration::from_secs(45);

/// Tells the time, as seconds since 1970.
pub type Now = Arc<dyn Fn() -> Seconds + Send + Sync>;

/// Why there is no token, although there should be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccessError {
    /// Nobody was found who issues them.
    #[error(transparent)]
    Discovery(#[from] DiscoveryError),
    /// The authorization server cannot be used.
    #[error("its authorization server `{host}` cannot be used: {why}")]
    Server {
        /// Who.
        host: String,
        /// Why.
        why: MetadataError,
    },
    /// We are nobody there.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// No answer came from the sign-in page.
    #[error(transparent)]
    Visit(#[from] VisitError),
    /// The authorization server gives no token.
    #[error("`{host}` gives no token: {why}")]
    Token {
        /// Who.
        host: String,
        /// Why.
        why: TokenError,
    },
    /// It could not be asked.
    #[error("`{host}` could not be asked: {why}")]
    Fetch {
        /// Who.
        host: String,
        /// Why.
        why: FetchError,
    },
    /// What is kept names an address that may not be opened.
    #[error("what is kept of the sign-in is of no use: {0}")]
    Kept(EndpointError),
    /// Nothing can be kept or found.
    #[error(transparent)]
    Keeper(#[from] KeeperError),
    /// No randomness.
    #[error(transparent)]
    Randomness(#[from] NoRandomness),
    /// A client's key signs nothing; why.
    #[error("the client's key cannot be used: {0}")]
    Key(&'static str),
}

/// The way into one server.
#[derive(Clone)]
pub struct Access {
    pub(super) net: Net,
    pub(super) keeper: Arc<dyn Keeper>,
    pub(super) now: Now,
    pub(super) ground: Ground,
    pub(super) account: Account,
    pub(super) given: Given,
    pub(super) asked: Option<Scopes>,
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Access")
            .field("ground", &self.ground)
            .finish_non_exhaustive()
    }
}

impl Access {
    /// The way into the server at `server`, with what `keeper` keeps.
    pub fn new(net: Net, keeper: Arc<dyn Keeper>, now: Now, server: &Url) -> Access {
        let ground = Ground::new(server, false);
        Access {
            net,
            keeper,
            now,
            account: Account::of(&ground.resource()),
            ground,
            given: Given::default(),
            asked: None,
        }
    }

    /// The same, with the client that the user gave and the scopes that they ask for.
    #[must_use]
    pub fn with(mut self, given: Given, asked: Option<Scopes>) -> Access {
        self.given = given;
        self.asked = asked;
        self
    }

    /// The server's address, and what follows from it.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// Asks the server something as anybody, with the header fields that are configured for it: the status, and what it wants of a token.
    ///
    /// # Errors
    /// Where it does not answer.
    pub async fn challenge(
        &self,
        headers: &[(String, Secret)],
    ) -> Result<(u16, Option<Bearer>), FetchError> {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": Version::MODERN.as_str(),
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let question = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}
        });
        let body = Secret::new(question.to_string());
        // It is the user who configured where it is.
        let url = self.ground.server().clone();
        let mut fetch = Fetch::post(url, Reach::Anywhere, "application/json", body);
        for (name, value) in headers {
            if let Ok(name) = HeaderName::try_from(name.as_str()) {
                fetch = fetch.header(name, value.clone());
            }
        }
        let answer = self.net.fetch(&fetch).await?;
        let fields = answer.headers.get_all(WWW_AUTHENTICATE).iter();
        let fields: Vec<&str> = fields.filter_map(|field| field.to_str().ok()).collect();
        let refused = matches!(answer.status, 401 | 403);
        Ok((answer.status, Bearer::find(&fields).filter(|_| refused)))
    }

    /// What is kept for the server, the latest first.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub async fn stored(&self) -> Result<Vec<Stored>, KeeperError> {
        let (keeper, account) = (self.keeper.clone(), self.account.clone());
        let text = blocking(move || keeper.load(&account)).await?;
        Ok(text.as_ref().map(record::read).unwrap_or_default())
    }

    /// Keeps `all` in place of what is kept.
    pub(super) async fn save(&self, all: &[Stored]) -> Result<(), KeeperError> {
        let (keeper, account) = (self.keeper.clone(), self.account.clone());
        if all.is_empty() {
            return blocking(move || keeper.remove(&account)).await;
        }
        let text = record::write(all);
        blocking(move || keeper.save(&account, &text)).await
    }

    pub(super) async fn lock(&self) -> Result<Held, KeeperError> {
        let (keeper, account) = (self.keeper.clone(), self.account.clone());
        blocking(move || keeper.lock(&account, PATIENCE)).await
    }

    /// Who issues tokens for the server, as it says now.
    ///
    /// # Errors
    /// As [`discover`].
    pub async fn discover(&self, bearer: Option<&Bearer>) -> Result<Found, AccessError> {
        let stored = self.stored().await?;
        let known = |issuer: &str| stored.iter().any(|stored| stored.issuer == issuer);
        Ok(discover(&self.net, &self.ground, bearer, known).await?)
    }

    /// The token to use: the one that is kept, renewed if it is over. `None` without a sign-in, or where that is over for good.
    ///
    /// # Errors
    /// Where it can be neither used nor renewed for now.
    pub async fn token(&self) -> Result<Option<Secret>, AccessError> {
        let stored = self.stored().await?;
        let granted = stored.iter().find_map(|stored| stored.granted.as_ref());
        match granted {
            None => Ok(None),
            Some(granted) if granted.is_over((self.now)()) => self.renewed(None).await,
            Some(granted) => Ok(Some(granted.access.clone())),
        }
    }

    /// A token in place of `refused`, which the server did not take: one that another process has renewed meanwhile, or a renewed one.
    /// `None` where there can be none without a sign-in.
    ///
    /// # Errors
    /// Where it cannot be renewed for now.
    pub async fn renew(&self, refused: &Secret) -> Result<Option<Secret>, AccessError> {
        self.renewed(Some(refused)).await
    }

    /// Renews under the lock: a refresh token that rotates is good once, and whoever uses it a second time ends the sign-in for all.
    async fn renewed(&self, refused: Option<&Secret>) -> Result<Option<Secret>, AccessError> {
        let held = self.lock().await?;
        let mut all = self.stored().await?;
        let now = (self.now)();
        let kept = all.iter_mut().find(|stored| stored.granted.is_some());
        let Some((stored, granted)) =
            kept.and_then(|stored| stored.granted.clone().map(|granted| (stored, granted)))
        else {
            return Ok(None);
        };
        if refused != Some(&granted.access) && !granted.is_over(now) {
            return Ok(Some(granted.access));
        }
        let Some(refresh) = &granted.refresh else {
            return Ok(None);
        };
        let endpoint = self.ground.endpoint(&granted.token_endpoint);
        let endpoint = endpoint.map_err(AccessError::Kept)?;
        let grant = Grant::Refresh(refresh);
        let asked = self
            .ask(&endpoint, &stored.client, grant, &granted.resource, None)
            .await;
        let answer = match asked {
            Ok(tokens) => {
                let updated = granted.updated(&tokens, now);
                stored.granted = Some(updated.clone());
                Ok(Some(updated.access))
            }
            Err(AccessError::Token { why, .. }) if why.is_spent() || why.is_unknown_client() => {
                stored.granted = None;
                let spent = |kept: &Stored| kept.granted.is_none() && why.is_unknown_client();
                all.retain(|kept| !spent(kept));
                Ok(None)
            }
            Err(error) => return Err(error),
        };
        self.save(&all).await?;
        drop(held);
        answer
    }

    /// Asks a token endpoint.
    pub(super) async fn ask(
        &self,
        endpoint: &Endpoint,
        client: &Client,
        grant: Grant<'_>,
        resource: &str,
        assertion: Option<&Secret>,
    ) -> Result<Tokens, AccessError> {
        let request = token::request(client, grant, resource, assertion);
        const FORM: &str = "application/x-www-form-urlencoded";
        let mut fetch = Fetch::post(endpoint.url().clone(), endpoint.reach(), FORM, request.form);
        if let Some(authorization) = request.authorization {
            fetch = fetch.header(AUTHORIZATION, authorization);
        }
        let (status, answer) = self.post(endpoint, &fetch).await?;
        token::read(status, answer.as_ref(), &request.scrubber).map_err(|why| AccessError::Token {
            host: endpoint.host(),
            why,
        })
    }

    /// Sends `fetch` to `endpoint`, without following where it leads.
    pub(super) async fn post(
        &self,
        endpoint: &Endpoint,
        fetch: &Fetch,
    ) -> Result<(u16, Option<Value>), AccessError> {
        let fetched = self.net.fetch(fetch).await;
        let document = fetched.map_err(|why| AccessError::Fetch {
            host: endpoint.host(),
            why,
        })?;
        Ok((document.status, serde_json::from_slice(&document.body).ok()))
    }

    /// Forgets the sign-in, after giving its tokens back where that can be done (RFC 7009). Says whether there was one.
    ///
    /// # Errors
    /// Where it cannot be forgotten. That tokens could not be given back is none: they are gone from here.
    pub async fn sign_out(&self) -> Result<Option<SignedOut>, AccessError> {
        let held = self.lock().await?;
        let all = self.stored().await?;
        let Some(first) = all.first() else {
            return Ok(None);
        };
        let mut revoked = false;
        for stored in &all {
            revoked |= self.revoke(stored).await;
        }
        let issuer = first.issuer.clone();
        self.save(&[]).await?;
        drop(held);
        Ok(Some(SignedOut { issuer, revoked }))
    }

    async fn revoke(&self, stored: &Stored) -> bool {
        let Some(granted) = &stored.granted else {
            return false;
        };
        let endpoint = granted.revocation_endpoint.as_deref();
        let Some(Ok(endpoint)) = endpoint.map(|text| self.ground.endpoint(text)) else {
            return false;
        };
        let token = granted.refresh.as_ref().unwrap_or(&granted.access);
        let request = token::revocation(&stored.client, token);
        const FORM: &str = "application/x-www-form-urlencoded";
        let mut fetch = Fetch::post(endpoint.url().clone(), endpoint.reach(), FORM, request.form);
        fetch.time = Duration::from_secs(5);
        if let Some(authorization) = request.authorization {
            fetch = fetch.header(AUTHORIZATION, authorization);
        }
        matches!(self.post(&endpoint, &fetch).await, Ok((200..=299, _)))
    }
}

/// A sign-in that is no more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedOut {
    /// Who had issued its tokens.
    pub issuer: String,
    /// Whether they took them back.
    pub revoked: bool,
}

/// Runs what may block where it blocks nobody.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, KeeperError> + Send + 'static,
) -> Result<T, KeeperError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(KeeperError::Failed("it broke".to_owned())))
}
