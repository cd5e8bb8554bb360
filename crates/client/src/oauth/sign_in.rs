//! A sign-in from beginning to end.

use muster_document::Secret;
use url::Url;

use super::access::{Access, AccessError};
use super::agent::{Door, SignInPage, UserAgent};
use super::client::{Client, Origin};
use super::record::{Granted, Stored};
use super::registration::{self, Choice};
use super::scope::{self, ScopeSources};
use super::token::Grant;
use super::{AuthorizationServer, Bearer, Endpoint, Found, Pending, Scopes, pkce};
use crate::net::Fetch;

/// A sign-in that succeeded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// The token to use.
    pub access: Secret,
    /// Who issued it, by host.
    pub host: String,
    /// The scopes that were granted, as far as that is known.
    pub scope: Option<Scopes>,
    /// Whether it can be renewed without another sign-in.
    pub renewable: bool,
    /// Seconds that it lasts, where that is said.
    pub lasts: Option<u64>,
}

impl Access {
    /// Signs in: finds the authorization server, registers where that is needed, sends the user there by `agent`, and keeps what comes
    /// back. `bearer` is the challenge that the server answered with.
    ///
    /// # Errors
    /// Where any of it fails. Nothing that was kept before is lost, unless the server names another authorization server now.
    pub async fn sign_in(
        &self,
        bearer: Option<&Bearer>,
        agent: &dyn UserAgent,
    ) -> Result<SignedIn, AccessError> {
        let found = self.discover(bearer).await?;
        self.sign_in_at(&found, bearer, agent).await
    }

    /// As [`Access::sign_in`], at the authorization server that was found.
    ///
    /// # Errors
    /// As there.
    pub async fn sign_in_at(
        &self,
        found: &Found,
        bearer: Option<&Bearer>,
        agent: &dyn UserAgent,
    ) -> Result<SignedIn, AccessError> {
        let stored = self.stored().await?;
        let server = &found.server;
        let page = server.sign_in_page().map_err(|why| AccessError::Server {
            host: server.host(),
            why,
        })?;
        let before = stored.iter().find(|stored| stored.issuer == server.issuer);
        let before = before.and_then(|stored| stored.granted.clone());
        let scope = self.scope(bearer, found, before.as_ref());
        let choice = registration::choose(&self.given, &stored, server)?;
        let was_registered =
            matches!(&choice, Choice::Use(client) if client.origin == Origin::Registered);
        let signed_in = self
            .with_client(found, page, choice, before.as_ref(), scope.as_ref(), agent)
            .await;
        match signed_in {
            // Registrations end, too. Once, and only ours.
            Err(AccessError::Token { why, .. }) if why.is_unknown_client() && was_registered => {
                self.with_client(found, page, Choice::Register, None, scope.as_ref(), agent)
                    .await
            }
            signed_in => signed_in,
        }
    }

    fn scope(
        &self,
        bearer: Option<&Bearer>,
        found: &Found,
        before: Option<&Granted>,
    ) -> Option<Scopes> {
        let before = before.and_then(|granted| granted.scope.as_ref());
        scope::choose(ScopeSources {
            asked: self.asked.as_ref(),
            challenged: bearer.and_then(|bearer| bearer.scope.as_ref()),
            listed: found.scopes.as_ref(),
            offered: found.server.scopes.as_ref(),
            // Whoever names scopes may want fewer than before.
            before: before.filter(|_| self.asked.is_none()),
        })
    }

    async fn with_client(
        &self,
        found: &Found,
        page: &Endpoint,
        choice: Choice,
        before: Option<&Granted>,
        scope: Option<&Scopes>,
        agent: &dyn UserAgent,
    ) -> Result<SignedIn, AccessError> {
        let server = &found.server;
        let wanted = match &choice {
            Choice::Use(client) => client.redirect.as_deref(),
            Choice::Register => None,
        };
        let door = agent.open(wanted).await?;
        let client = match choice {
            // Registered with an address that cannot be had now.
            Choice::Use(client)
                if client.origin == Origin::Registered
                    && client.redirect.as_deref() != Some(door.redirect()) =>
            {
                self.register(server, &*door, before, scope).await?
            }
            Choice::Use(client) => client,
            Choice::Register => self.register(server, &*door, before, scope).await?,
        };
        let pending = Pending::new(server)?;
        let page = SignInPage {
            url: address(page, &client, &*door, &pending, &found.resource, scope),
            endpoint: page.clone(),
            redirect: door.redirect().to_owned(),
            scope: scope.cloned(),
        };
        let code = door.visit(&page, &pending).await?;
        let grant = Grant::Code {
            code: &code,
            verifier: &pending.verifier,
            redirect: door.redirect(),
        };
        let tokens = self
            .ask(&server.token, &client, grant, &found.resource, None)
            .await?;
        // What was asked for is remembered with what was granted: a step up adds to it.
        let scopes = match (scope, &tokens.scope) {
            (Some(asked), Some(granted)) => Some(asked.union(granted)),
            (Some(scope), None) => Some(scope.clone()),
            (None, granted) => granted.clone(),
        };
        let granted = Granted {
            access: tokens.access.clone(),
            refresh: tokens.refresh.clone(),
            ends: tokens.lasts.map(|lasts| (self.now)().saturating_add(lasts)),
            scope: scopes,
            resource: found.resource.clone(),
            token_endpoint: server.token.url().to_string(),
            revocation_endpoint: server.revocation.as_ref().map(|at| at.url().to_string()),
        };
        self.keep(server, client, Some(granted)).await?;
        Ok(SignedIn {
            access: tokens.access,
            host: server.host(),
            scope: tokens.scope.or_else(|| scope.cloned()),
            renewable: tokens.refresh.is_some(),
            lasts: tokens.lasts,
        })
    }

    /// Registers us, and keeps who we are: a sign-in that is given up leaves no second client behind at the next.
    async fn register(
        &self,
        server: &AuthorizationServer,
        door: &dyn Door,
        before: Option<&Granted>,
        scope: Option<&Scopes>,
    ) -> Result<Client, AccessError> {
        let needed = || registration::ClientError::NeedsClientId(server.host());
        let endpoint = server.registration.as_ref().ok_or_else(needed)?;
        let request = registration::request(server, door.redirect(), scope);
        let body = Secret::new(request.to_string());
        const JSON: &str = "application/json";
        let fetch = Fetch::post(endpoint.url().clone(), endpoint.reach(), JSON, body);
        let (status, answer) = self.post(endpoint, &fetch).await?;
        let client = registration::read(status, answer.as_ref(), server, door.redirect())?;
        self.keep(server, client.clone(), before.cloned()).await?;
        Ok(client)
    }

    /// Keeps the sign-in at `server` in place of all others: tokens and clients of an issuer that the server no longer names are good for
    /// nothing, and must go nowhere.
    async fn keep(
        &self,
        server: &AuthorizationServer,
        client: Client,
        granted: Option<Granted>,
    ) -> Result<(), AccessError> {
        let held = self.lock().await?;
        let stored = Stored {
            issuer: server.issuer.clone(),
            client,
            granted,
        };
        self.save(&[stored]).await?;
        drop(held);
        Ok(())
    }
}

/// The address of the sign-in page with what is asked there (RFC 6749, section 4.1.1; RFC 7636; RFC 8707). What the page's own address
/// asks besides stays, unless it is what we ask.
fn address(
    page: &Endpoint,
    client: &Client,
    door: &dyn Door,
    pending: &Pending,
    resource: &str,
    scope: Option<&Scopes>,
) -> Url {
    let challenge = pkce::challenge(&pending.verifier);
    let scope = scope.map(Scopes::joined);
    let mut asked = vec![
        ("response_type", "code"),
        ("client_id", &client.id),
        ("redirect_uri", door.redirect()),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
        ("state", pending.state.expose()),
        ("resource", resource),
    ];
    if let Some(scope) = &scope {
        asked.push(("scope", scope));
    }
    let mut url = page.url().clone();
    let own: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(name, _)| *name != "scope" && !asked.iter().any(|(ours, _)| name == ours))
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect();
    url.query_pairs_mut()
        .clear()
        .extend_pairs(own)
        .extend_pairs(asked);
    url
}
