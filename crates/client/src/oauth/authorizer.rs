//! What the HTTP transports ask for the right to call, and tell of refusals.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use muster_document::{Scrubber, Secret};
use url::Url;

use super::access::{Access, AccessError, Now};
use super::agent::UserAgent;
use super::record::{Seconds, is_over};
use super::{Bearer, ClientError, Keeper, Scopes, registration};
use crate::BoxFuture;
use crate::http::{Authorizer, Challenge, Verdict};
use crate::net::Net;

/// Rounds of signing in for one request: the first, and a few steps up.
const ROUNDS: usize = 3;

/// Why a server does not let us in. Its words fit after "needs sign-in: ".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Barred {
    /// Somebody has to sign in.
    #[error("sign in at `{host}`")]
    SignIn {
        /// The authorization server.
        host: String,
    },
    /// The sign-in ended.
    #[error("the sign-in at `{host}` has ended")]
    Ended {
        /// The authorization server.
        host: String,
    },
    /// Nobody can sign in before they register a client.
    #[error("`{host}` needs a client id you registered yourself")]
    NeedsClientId {
        /// The authorization server.
        host: String,
    },
    /// The token lacks scopes.
    #[error("the sign-in at `{host}` lacks {}", match .scope { Some(scope) => format!("the scopes `{}`", scope.joined()), None => "a scope".to_owned() })]
    Scope {
        /// The authorization server.
        host: String,
        /// Those that are asked for.
        scope: Option<Scopes>,
    },
    /// It refuses a token that was issued a moment ago.
    #[error("it refuses the very token that `{host}` has just issued for it")]
    Loop {
        /// The authorization server.
        host: String,
    },
    /// It refuses the `Authorization` header that is configured for it.
    #[error("the configured Authorization header is refused")]
    HeaderRefused,
    /// It refuses without saying how to be let in.
    #[error("it forbids the request")]
    Forbidden,
    /// It describes itself as another server.
    #[error("{0}")]
    Mismatch(AccessError),
    /// Something else is in the way.
    #[error("{0}")]
    Fault(AccessError),
}

/// The sign-ins that are kept on this machine, and how servers are let know of them.
#[derive(Clone)]
pub struct SignIns {
    /// The way into the network.
    pub net: Net,
    /// Where they are kept.
    pub keeper: Arc<dyn Keeper>,
    /// What time it is.
    pub now: Now,
}

impl fmt::Debug for SignIns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignIns").finish_non_exhaustive()
    }
}

impl SignIns {
    /// The way into the server at `url`.
    pub fn access(&self, url: &Url) -> Access {
        Access::new(self.net.clone(), self.keeper.clone(), self.now.clone(), url)
    }

    /// The gate of the server at `url`, with `headers` configured for it, which only what is kept opens. `None` where a configured header
    /// says who calls, or the address is none.
    pub fn gate(&self, url: &Secret, headers: &[(String, Secret)]) -> Option<Gate> {
        let url = Url::parse(url.expose()).ok();
        let url = url.filter(|_| !says_who_calls(headers))?;
        Some(Gate::new(self.access(&url)))
    }
}

/// Whether one of the configured `headers` is `Authorization`, which a sign-in does not replace.
pub fn says_who_calls(headers: &[(String, Secret)]) -> bool {
    let own = |(name, _): &(String, Secret)| name.eq_ignore_ascii_case("authorization");
    headers.iter().any(own)
}

impl Barred {
    /// Why a server answered with `status`, if it barred the way: `own_header` says that an `Authorization` header is configured for it,
    /// else `gate` was asked for one.
    pub fn of(status: u16, own_header: bool, gate: Option<&Gate>) -> Option<Barred> {
        match (status, own_header) {
            (401, true) => Some(Barred::HeaderRefused),
            (401 | 403, false) => gate.and_then(Gate::barred),
            (403, true) => Some(Barred::Forbidden),
            _ => None,
        }
    }

    /// The command that lets in to the server called `server`, where there is one.
    pub fn remedy(&self, server: &str) -> Option<String> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        let named = !server.is_empty() && !server.starts_with('-') && server.chars().all(plain);
        let server = if named { server } else { "SERVER" };
        match self {
            Barred::NeedsClientId { .. } => Some(format!("muster login {server} --client-id ID")),
            _ if self.is_mended_by_sign_in() => Some(format!("muster login {server}")),
            _ => None,
        }
    }

    /// Whether somebody who signs in, with a client of their own where that is needed, is let in.
    pub fn is_mended_by_sign_in(&self) -> bool {
        matches!(
            self,
            Barred::SignIn { .. }
                | Barred::Ended { .. }
                | Barred::NeedsClientId { .. }
                | Barred::Scope { .. }
        )
    }
}

/// Lets a transport into one server with what is kept, and by signing in where there is somebody to do it.
#[derive(Clone)]
pub struct Gate {
    access: Access,
    /// Who signs in; nobody where only what is kept counts.
    agent: Option<Arc<dyn UserAgent>>,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// One request at a time renews or signs in; the others wait and find it done.
    turn: tokio::sync::Mutex<Turn>,
    barred: Mutex<Option<Barred>>,
    /// Tokens that calls were made with.
    handed: Mutex<Vec<Secret>>,
}

/// What this process knows.
#[derive(Default)]
struct Turn {
    /// What is in use, once it was looked up: keyrings are slow.
    current: Option<Current>,
    /// How often a sign-in was asked to add scopes, by the method that wanted them.
    steps: Vec<(String, usize)>,
}

/// What calls are made with.
#[derive(Clone)]
struct Current {
    access: Option<Secret>,
    ends: Option<Seconds>,
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gate")
            .field("access", &self.access)
            .finish_non_exhaustive()
    }
}

impl Gate {
    /// A gate that only what is kept opens.
    pub fn new(access: Access) -> Gate {
        Gate {
            access,
            agent: None,
            state: Arc::default(),
        }
    }

    /// A gate at which `agent` signs in.
    pub fn with_agent(access: Access, agent: Arc<dyn UserAgent>) -> Gate {
        Gate {
            agent: Some(agent),
            ..Gate::new(access)
        }
    }

    /// Why the last refusal stood.
    pub fn barred(&self) -> Option<Barred> {
        let barred = self.state.barred.lock();
        barred.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Every token that calls were made with: servers may repeat them, and whoever shows what a server says takes them out.
    pub fn secrets(&self) -> Vec<Secret> {
        let handed = self.state.handed.lock();
        handed.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn hand(&self, token: &Secret) {
        let mut handed = self
            .state
            .handed
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if !handed.contains(token) {
            handed.push(token.clone());
        }
    }

    fn bar(&self, barred: Barred) -> Verdict {
        let mut last = self
            .state
            .barred
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *last = Some(barred);
        Verdict::Stands
    }

    async fn judge(&self, refusal: &Challenge) -> Verdict {
        let refusal = Refusal::read(refusal);
        if refusal.status != 401 && !refusal.lacks_scope {
            return self.bar(Barred::Forbidden);
        }
        let mut turn = self.state.turn.lock().await;
        match self.another(&refusal).await {
            Ok(Some(_)) => {
                turn.current = None;
                return Verdict::Retry;
            }
            Ok(None) => {}
            Err(error) => return self.bar(fault(error)),
        }
        if let Some(agent) = &self.agent
            && self.may_help(&refusal, &mut turn).await
        {
            turn.current = None;
            return match self.access.sign_in(refusal.bearer.as_ref(), &**agent).await {
                Ok(_) => Verdict::Retry,
                Err(error) => self.bar(fault(error)),
            };
        }
        let barred = self.explain(&refusal).await;
        self.bar(barred)
    }

    /// Another token than the refused one: what another request or process has got meanwhile, or a renewed one. A token that was got for
    /// this very request, and is refused, is renewed no more.
    async fn another(&self, refusal: &Refusal) -> Result<Option<Secret>, AccessError> {
        let kept = self.access.token().await?;
        let kept = kept.filter(|token| refusal.sent.as_ref() != Some(token));
        if kept.is_some() && refusal.before < ROUNDS {
            return Ok(kept);
        }
        match &refusal.sent {
            Some(sent) if refusal.status == 401 && refusal.before == 0 => {
                let renewed = self.access.renew(sent).await?;
                Ok(renewed.filter(|token| token != sent))
            }
            _ => Ok(None),
        }
    }

    /// Whether a sign-in can change the answer: not where the last one was for this very request, and nothing more is asked for now than
    /// was asked for then.
    async fn may_help(&self, refusal: &Refusal, turn: &mut Turn) -> bool {
        if !refusal.lacks_scope || refusal.sent.is_none() {
            return refusal.before == 0;
        }
        let stored = self.access.stored().await.unwrap_or_default();
        let granted = stored.iter().find_map(|stored| stored.granted.as_ref());
        let had = granted.and_then(|granted| granted.scope.as_ref());
        let more = match (refusal.scope(), had) {
            (Some(wanted), Some(had)) => !had.cover(wanted),
            (Some(_), None) => true,
            (None, _) => false,
        };
        refusal.status == 403 && more && turn.step(&refusal.method)
    }

    async fn explain(&self, refusal: &Refusal) -> Barred {
        let found = match self.access.discover(refusal.bearer.as_ref()).await {
            Ok(found) => found,
            Err(error) => return fault(error),
        };
        let host = found.server.host();
        let was_let_in = refusal.sent.is_some();
        if was_let_in && refusal.lacks_scope && refusal.status == 403 {
            let mut scrubber = Scrubber::default();
            refusal.sent.iter().for_each(|sent| scrubber.learn(sent));
            // A token that comes back as a scope is none.
            let scope = refusal.scope().map(Scopes::joined);
            let scope = scope.map(|scope| Scopes::read(&scrubber.scrub(&scope)));
            return Barred::Scope { host, scope };
        }
        if was_let_in && refusal.before > 0 {
            return Barred::Loop { host };
        }
        if let Err(why) = found.server.sign_in_page() {
            return Barred::Fault(AccessError::Server { host, why });
        }
        let stored = self.access.stored().await.unwrap_or_default();
        match registration::choose(&self.access.given, &stored, &found.server) {
            Err(ClientError::NeedsClientId(host)) => Barred::NeedsClientId { host },
            Err(error) => Barred::Fault(error.into()),
            Ok(_) if was_let_in => Barred::Ended { host },
            Ok(_) => Barred::SignIn { host },
        }
    }

    async fn current(&self) -> Result<Option<Secret>, AccessError> {
        // Whoever renews is waited for: the token in use is about to change.
        let mut turn = self.state.turn.lock().await;
        let now = (self.access.now)();
        if let Some(current) = turn
            .current
            .as_ref()
            .filter(|current| !current.is_over(now))
        {
            return Ok(current.access.clone());
        }
        let access = self.access.token().await?;
        let stored = self.access.stored().await?;
        let granted = stored.iter().find_map(|stored| stored.granted.as_ref());
        turn.current = Some(Current {
            access: access.clone(),
            ends: granted.and_then(|granted| granted.ends),
        });
        Ok(access)
    }
}

impl Current {
    fn is_over(&self, now: Seconds) -> bool {
        self.access.is_some() && is_over(self.ends, now)
    }
}

impl Turn {
    /// Counts a step up for `method`; whether it is still one of a few.
    fn step(&mut self, method: &str) -> bool {
        match self.steps.iter_mut().find(|(own, _)| own == method) {
            Some((_, steps)) => {
                *steps += 1;
                *steps < ROUNDS
            }
            None => {
                self.steps.push((method.to_owned(), 1));
                true
            }
        }
    }
}

/// A refusal, understood.
struct Refusal {
    status: u16,
    bearer: Option<Bearer>,
    lacks_scope: bool,
    sent: Option<Secret>,
    method: String,
    before: usize,
}

impl Refusal {
    fn read(refusal: &Challenge) -> Refusal {
        let bearer = Bearer::find(&refusal.challenges);
        let sent = refusal.sent.as_ref().map(Secret::expose);
        let token = sent.and_then(|header| header.strip_prefix("Bearer "));
        Refusal {
            status: refusal.status,
            lacks_scope: bearer.as_ref().is_some_and(Bearer::wants_more_scope),
            bearer,
            sent: token.map(Secret::new),
            method: refusal.method.clone(),
            before: refusal.before,
        }
    }

    fn scope(&self) -> Option<&Scopes> {
        self.bearer
            .as_ref()
            .and_then(|bearer| bearer.scope.as_ref())
    }
}

impl Authorizer for Gate {
    fn authorization(&self) -> BoxFuture<'_, Option<Secret>> {
        Box::pin(async move {
            match self.current().await {
                Ok(Some(token)) => {
                    self.hand(&token);
                    Some(Secret::new(format!("Bearer {}", token.expose())))
                }
                Ok(None) => None,
                Err(error) => {
                    self.bar(fault(error));
                    None
                }
            }
        })
    }

    fn refused<'a>(&'a self, challenge: &'a Challenge) -> BoxFuture<'a, Verdict> {
        Box::pin(self.judge(challenge))
    }
}

fn fault(error: AccessError) -> Barred {
    match error {
        AccessError::Discovery(why) if why.is_mismatch() => Barred::Mismatch(why.into()),
        AccessError::Client(ClientError::NeedsClientId(host)) => Barred::NeedsClientId { host },
        error => Barred::Fault(error),
    }
}
