//! A server that wants tokens and the authorization server that gives them, as one server on loopback.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use muster_client::net::Net;
use muster_client::oauth::{
    Access, Account, Given, Held, Keeper, KeeperError, Nobody, Scopes, pkce_challenge,
};
use muster_core::Environment;
use muster_document::Secret;
use serde_json::{Value, json};
use url::{Url, form_urlencoded};

use crate::server::{Asked, Reply, Server};

/// Stands in everything that must not be shown.
pub(crate) const CANARY: &str = "canary";
/// Where answers go that nobody receives.
pub(crate) const REDIRECT: &str = "http://localhost:3000/callback";

/// What is different from a server that does everything well.
#[derive(Debug, Clone)]
pub(crate) struct Oddities {
    /// Laid over the server's metadata; `null` takes it away altogether.
    pub(crate) resource: Value,
    /// Laid over the authorization server's metadata; `null` takes it away altogether.
    pub(crate) server: Value,
    /// Laid over the parameters of the answer through the browser; `null` takes one away.
    pub(crate) answer: Value,
    /// Laid over the answer of the token endpoint.
    pub(crate) tokens: Value,
    /// In place of the answer of the token endpoint.
    pub(crate) token_reply: Option<(u16, Value)>,
    /// What is answered to a registration.
    pub(crate) registration: (u16, Value),
    /// More parameters of the challenge.
    pub(crate) challenge: String,
    /// Whether the challenge says where the metadata is.
    pub(crate) points: bool,
    /// The status of a refusal of a token that is known.
    pub(crate) refuses: Option<u16>,
    /// The scope that a token needs.
    pub(crate) needs: Option<&'static str>,
}

impl Default for Oddities {
    fn default() -> Self {
        Oddities {
            resource: json!({}),
            server: json!({}),
            answer: json!({}),
            tokens: json!({}),
            token_reply: None,
            registration: (201, json!({"client_id": "registered"})),
            challenge: String::new(),
            points: true,
            refuses: None,
            needs: None,
        }
    }
}

#[derive(Default)]
struct Books {
    oddities: Oddities,
    /// What codes are bound to: challenge, redirect, scope.
    codes: BTreeMap<String, (String, String, String)>,
    /// Access tokens and their scopes.
    tokens: BTreeMap<String, String>,
    refresh: BTreeMap<String, String>,
    count: usize,
}

/// The fake.
pub(crate) struct Fake {
    pub(crate) server: Server,
    /// One for all: to read the system's certificates takes longer than most tests.
    pub(crate) net: Net,
    books: Arc<Mutex<Books>>,
}

impl Fake {
    pub(crate) async fn start(oddities: Oddities) -> Fake {
        let books = Arc::new(Mutex::new(Books {
            oddities,
            ..Books::default()
        }));
        let own = books.clone();
        let server = Server::start(move |asked| own.lock().unwrap().answer(asked)).await;
        let net = Net::new(&Environment::default()).unwrap();
        Fake { server, net, books }
    }

    /// Behaves differently from now on.
    pub(crate) fn behave(&self, change: impl FnOnce(&mut Oddities)) {
        change(&mut self.books.lock().unwrap().oddities);
    }

    /// Forgets every access token.
    pub(crate) fn expire(&self) {
        self.books.lock().unwrap().tokens.clear();
    }

    pub(crate) fn url(&self) -> Url {
        self.server.url("/mcp")
    }

    /// How often `path` was asked for.
    pub(crate) fn times(&self, path: &str) -> usize {
        self.to(path).len()
    }

    /// What was asked of `path`: its parameters.
    pub(crate) fn to(&self, path: &str) -> Vec<Form> {
        let asked = self.server.asked().into_iter();
        asked
            .filter(|asked| asked.target.split('?').next() == Some(path))
            .map(|asked| Form::of(&asked))
            .collect()
    }

    /// The challenge that the server gives now.
    pub(crate) fn challenges(&self) -> Vec<String> {
        let books = self.books.lock().unwrap();
        vec![books.challenge(self.server.port())]
    }

    /// Whether the server takes `token`.
    pub(crate) fn takes(&self, token: &Secret) -> bool {
        self.books
            .lock()
            .unwrap()
            .tokens
            .contains_key(token.expose())
    }

    /// The way in, with an empty memory.
    pub(crate) fn access(&self) -> (Access, Arc<Memory>) {
        let memory = Arc::new(Memory::default());
        (self.access_with(&memory), memory)
    }

    /// The way in, with what `memory` keeps.
    pub(crate) fn access_with(&self, memory: &Arc<Memory>) -> Access {
        let clock = memory.clone();
        let now = Arc::new(move || clock.clock.load(Ordering::Relaxed));
        Access::new(self.net.clone(), memory.clone(), now, &self.url())
    }

    /// Nobody, who signs in by asking for the page.
    pub(crate) fn nobody(&self) -> Nobody {
        Nobody {
            net: self.net.clone(),
            redirect: REDIRECT.to_owned(),
        }
    }
}

/// A client that somebody registered.
pub(crate) fn given(id: &str, secret: Option<&str>) -> Given {
    Given {
        id: Some(id.to_owned()),
        secret: secret.map(Secret::new),
        ..Given::default()
    }
}

pub(crate) fn scopes(text: &str) -> Option<Scopes> {
    Some(Scopes::read(text))
}

/// Parameters, of a query or a form.
#[derive(Debug, Clone)]
pub(crate) struct Form {
    pub(crate) fields: BTreeMap<String, String>,
    pub(crate) authorization: Option<String>,
    pub(crate) json: Value,
}

impl Form {
    fn of(asked: &Asked) -> Form {
        let query = asked.target.split_once('?').map_or("", |(_, query)| query);
        let text = if query.is_empty() { &asked.body } else { query };
        Form {
            fields: form_urlencoded::parse(text.as_bytes())
                .into_owned()
                .collect(),
            authorization: asked.header("authorization").map(str::to_owned),
            json: asked.json(),
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str)
    }
}

impl Books {
    fn challenge(&self, port: u16) -> String {
        let mut challenge = "Bearer realm=\"fake\"".to_owned();
        if self.oddities.points {
            let path = "/.well-known/oauth-protected-resource/mcp";
            challenge += &format!(", resource_metadata=\"http://127.0.0.1:{port}{path}\"");
        }
        challenge + &self.oddities.challenge
    }

    fn answer(&mut self, asked: &Asked) -> Reply {
        let host = asked.header("host").unwrap().to_owned();
        let base = format!("http://{host}");
        let port: u16 = host.rsplit_once(':').unwrap().1.parse().unwrap();
        let path = asked.target.split('?').next().unwrap();
        let form = Form::of(asked);
        match (asked.method.as_str(), path) {
            ("GET", "/.well-known/oauth-protected-resource/mcp") => document(
                json!({"resource": format!("{base}/mcp"), "authorization_servers": [base]}),
                &self.oddities.resource,
            ),
            ("GET", "/.well-known/oauth-authorization-server") => document(
                json!({
                    "issuer": base,
                    "authorization_endpoint": format!("{base}/authorize"),
                    "token_endpoint": format!("{base}/token"),
                    "registration_endpoint": format!("{base}/register"),
                    "revocation_endpoint": format!("{base}/revoke"),
                    "code_challenge_methods_supported": ["S256"],
                    "token_endpoint_auth_methods_supported": ["none"],
                    "authorization_response_iss_parameter_supported": true,
                }),
                &self.oddities.server,
            ),
            ("POST", "/register") => {
                let (status, answer) = &self.oddities.registration;
                Reply::json(*status, answer)
            }
            ("GET", "/authorize") => self.authorize(&form, &base),
            ("POST", "/token") => self.token(&form),
            ("POST", "/revoke") => Reply::json(200, &json!({})),
            ("POST", "/mcp") => self.serve(asked, port),
            _ => Reply::new(404, &[("Content-Type", "text/html")], "<h1>nothing</h1>"),
        }
    }

    fn authorize(&mut self, form: &Form, base: &str) -> Reply {
        self.count += 1;
        let code = format!("{CANARY}-code-{}", self.count);
        let field = |name: &str| form.get(name).unwrap_or_default().to_owned();
        let bound = (
            field("code_challenge"),
            field("redirect_uri"),
            field("scope"),
        );
        self.codes.insert(code.clone(), bound);
        let mut answer = json!({"code": code, "state": field("state"), "iss": base});
        lay(&mut answer, &self.oddities.answer);
        let mut to = Url::parse(&field("redirect_uri")).unwrap();
        for (name, value) in answer.as_object().unwrap() {
            to.query_pairs_mut()
                .append_pair(name, value.as_str().unwrap());
        }
        Reply::new(302, &[("Location", to.as_str())], "")
    }

    fn token(&mut self, form: &Form) -> Reply {
        if let Some((status, answer)) = &self.oddities.token_reply {
            return Reply::json(*status, answer);
        }
        let denied = |error: &str| Reply::json(400, &json!({"error": error}));
        let scope = match form.get("grant_type") {
            Some("authorization_code") => {
                let Some((challenge, redirect, scope)) =
                    self.codes.remove(form.get("code").unwrap_or_default())
                else {
                    return denied("invalid_grant");
                };
                let verifier = Secret::new(form.get("code_verifier").unwrap_or_default());
                if pkce_challenge(&verifier) != challenge
                    || form.get("redirect_uri") != Some(redirect.as_str())
                {
                    return denied("invalid_grant");
                }
                scope
            }
            Some("refresh_token") => {
                // Good once.
                match self
                    .refresh
                    .remove(form.get("refresh_token").unwrap_or_default())
                {
                    Some(scope) => scope,
                    None => return denied("invalid_grant"),
                }
            }
            Some("client_credentials") => form.get("scope").unwrap_or_default().to_owned(),
            _ => return denied("unsupported_grant_type"),
        };
        self.count += 1;
        let (access, refresh) = (
            format!("{CANARY}-access-{}", self.count),
            format!("{CANARY}-refresh-{}", self.count),
        );
        self.tokens.insert(access.clone(), scope.clone());
        self.refresh.insert(refresh.clone(), scope);
        let mut answer = json!({
            "access_token": access, "refresh_token": refresh, "token_type": "Bearer", "expires_in": 3600
        });
        lay(&mut answer, &self.oddities.tokens);
        Reply::json(200, &answer)
    }

    fn serve(&self, asked: &Asked, port: u16) -> Reply {
        let token = asked
            .header("authorization")
            .and_then(|header| header.strip_prefix("Bearer "));
        let scope = token.and_then(|token| self.tokens.get(token));
        let status = match (scope, self.oddities.refuses, self.oddities.needs) {
            (None, _, _) => 401,
            (Some(_), Some(status), _) => status,
            (Some(scope), None, Some(needed)) if !scope.split(' ').any(|own| own == needed) => 403,
            _ => {
                return Reply::json(
                    200,
                    &json!({"jsonrpc": "2.0", "id": asked.json()["id"], "result": {}}),
                );
            }
        };
        let challenge = self.challenge(port);
        Reply::new(status, &[("WWW-Authenticate", &challenge)], "{}")
    }
}

fn document(mut document: Value, over: &Value) -> Reply {
    if over.is_null() {
        return Reply::new(404, &[], "");
    }
    lay(&mut document, over);
    Reply::json(200, &document)
}

/// Lays the fields of `over` onto `value`; `null` takes one away.
fn lay(value: &mut Value, over: &Value) {
    for (field, over) in over.as_object().unwrap() {
        if over.is_null() {
            value.as_object_mut().unwrap().remove(field);
        } else {
            value[field] = over.clone();
        }
    }
}

/// Keeps things in memory, and a clock that stands still until it is moved.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    kept: Mutex<BTreeMap<String, Secret>>,
    held: Arc<(Mutex<bool>, Condvar)>,
    pub(crate) clock: AtomicU64,
}

impl Memory {
    /// Everything that is kept, in one text.
    pub(crate) fn all(&self) -> String {
        let kept = self.kept.lock().unwrap();
        kept.values().map(Secret::expose).collect()
    }

    pub(crate) fn wait(&self, seconds: u64) {
        self.clock.fetch_add(seconds, Ordering::Relaxed);
    }
}

struct Hold(Arc<(Mutex<bool>, Condvar)>);

impl Drop for Hold {
    fn drop(&mut self) {
        *self.0.0.lock().unwrap() = false;
        self.0.1.notify_one();
    }
}

impl Keeper for Memory {
    fn load(&self, account: &Account) -> Result<Option<Secret>, KeeperError> {
        Ok(self.kept.lock().unwrap().get(account.as_str()).cloned())
    }

    fn save(&self, account: &Account, text: &Secret) -> Result<(), KeeperError> {
        let account = account.as_str().to_owned();
        self.kept.lock().unwrap().insert(account, text.clone());
        Ok(())
    }

    fn remove(&self, account: &Account) -> Result<(), KeeperError> {
        self.kept.lock().unwrap().remove(account.as_str());
        Ok(())
    }

    fn lock(&self, _account: &Account, patience: Duration) -> Result<Held, KeeperError> {
        let (held, freed) = &*self.held;
        let waited = freed.wait_timeout_while(held.lock().unwrap(), patience, |held| *held);
        let (mut held, timed_out) = waited.unwrap();
        if timed_out.timed_out() {
            return Err(KeeperError::Busy);
        }
        *held = true;
        Ok(Box::new(Hold(self.held.clone())))
    }
}
