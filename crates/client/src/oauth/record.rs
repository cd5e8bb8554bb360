//! What is kept of a sign-in, and the trait behind which it is kept.

use std::any::Any;
use std::fmt;
use std::time::Duration;

use muster_document::Secret;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use url::Url;

use super::{AuthMethod, Client, Origin, Scopes, Tokens};

/// The version of the text that is kept.
const VERSION: u64 = 1;

/// Seconds since 1970.
pub type Seconds = u64;

/// Under what something is kept: a server. Its text shows the host and nothing else of the address, which may hold secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account(String);

impl Account {
    /// The account of the server that is named `resource`.
    pub(super) fn of(resource: &str) -> Account {
        let host = Url::parse(resource).ok();
        let host = host.as_ref().and_then(Url::host_str).unwrap_or("server");
        let digest = Sha256::digest(resource.as_bytes());
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let plain = |c: char| {
            if c.is_ascii_alphanumeric() || c == '.' || c == '-' {
                c
            } else {
                '_'
            }
        };
        let host: String = host.chars().take(80).map(plain).collect();
        Account(format!("{host}-{hex}"))
    }

    /// Its text: letters, digits, dots, dashes and underscores, fit to name a file.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What keeps secrets between runs: the system's keyring, a file, memory in tests. All calls may block.
pub trait Keeper: Send + Sync + fmt::Debug {
    /// What is kept for `account`.
    fn load(&self, account: &Account) -> Result<Option<Secret>, KeeperError>;

    /// Keeps `text` for `account`, in place of what was kept. When it returns, it is kept.
    fn save(&self, account: &Account, text: &Secret) -> Result<(), KeeperError>;

    /// Forgets what is kept for `account`.
    fn remove(&self, account: &Account) -> Result<(), KeeperError>;

    /// Holds `account` against all other processes until the guard is dropped.
    fn lock(&self, account: &Account, patience: Duration) -> Result<Held, KeeperError>;
}

/// A lock that is held.
pub type Held = Box<dyn Any + Send>;

/// Why nothing is kept or found. The words are of this machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeeperError {
    /// It cannot be read or written; why.
    #[error("sign-ins cannot be kept: {0}")]
    Failed(String),
    /// Another process holds it for too long.
    #[error("another process is signing in to this server")]
    Busy,
}

/// What one authorization server gave for one server.
#[derive(Clone, PartialEq, Eq)]
pub struct Stored {
    /// The issuer, byte for byte.
    pub issuer: String,
    /// Who we are there.
    pub client: Client,
    /// What was granted.
    pub granted: Option<Granted>,
}

/// Tokens, and what it takes to renew them.
#[derive(Clone, PartialEq, Eq)]
pub struct Granted {
    /// The access token.
    pub access: Secret,
    /// The refresh token.
    pub refresh: Option<Secret>,
    /// When the access token ends, where that was said.
    pub ends: Option<Seconds>,
    /// The scopes that were asked for or, where that was said, granted.
    pub scope: Option<Scopes>,
    /// The resource that they are for.
    pub resource: String,
    /// Where they are renewed.
    pub token_endpoint: String,
    /// Where they are given back.
    pub revocation_endpoint: Option<String>,
}

impl fmt::Debug for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stored")
            .field("client", &self.client)
            .field("granted", &self.granted)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Granted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Granted")
            .field("renewable", &self.refresh.is_some())
            .field("ends", &self.ends)
            .field("scope", &self.scope)
            .finish_non_exhaustive()
    }
}

impl Granted {
    /// What `tokens` grant, received at `now`. A refresh token that is not replaced stays, and so do scopes (RFC 6749, sections 5.1, 6).
    pub(super) fn updated(&self, tokens: &Tokens, now: Seconds) -> Granted {
        Granted {
            access: tokens.access.clone(),
            refresh: tokens.refresh.clone().or_else(|| self.refresh.clone()),
            ends: tokens.lasts.map(|lasts| now.saturating_add(lasts)),
            scope: tokens.scope.clone().or_else(|| self.scope.clone()),
            ..self.clone()
        }
    }

    /// Whether the access token is over, or nearly.
    pub(super) fn is_over(&self, now: Seconds) -> bool {
        is_over(self.ends, now)
    }
}

/// Whether what ends at `ends` is over at `now`, or nearly: a request takes its time.
pub(super) fn is_over(ends: Option<Seconds>, now: Seconds) -> bool {
    const MARGIN: Seconds = 30;
    ends.is_some_and(|ends| now.saturating_add(MARGIN) >= ends)
}

/// Everything that is kept for one server, the latest sign-in first. What is written by a later version, or by nobody, is nothing.
pub(super) fn read(text: &Secret) -> Vec<Stored> {
    let value: Option<Value> = serde_json::from_str(text.expose()).ok();
    let value = value.filter(|value| value.get("version").and_then(Value::as_u64) == Some(VERSION));
    let list = value.as_ref().and_then(|value| value.get("servers"));
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(|entry| stored(entry.as_object()?))
        .collect()
}

fn stored(entry: &Map<String, Value>) -> Option<Stored> {
    let client = entry.get("client")?.as_object()?;
    Some(Stored {
        issuer: text(entry, "issuer")?,
        client: Client {
            id: text(client, "id")?,
            secret: text(client, "secret").map(Secret::new),
            auth: AuthMethod::read(&text(client, "auth")?)?,
            origin: origin(&text(client, "origin")?)?,
            redirect: text(client, "redirect"),
        },
        granted: entry
            .get("granted")
            .and_then(Value::as_object)
            .and_then(granted),
    })
}

fn granted(entry: &Map<String, Value>) -> Option<Granted> {
    Some(Granted {
        access: Secret::new(text(entry, "access")?),
        refresh: text(entry, "refresh").map(Secret::new),
        ends: entry.get("ends").and_then(Value::as_u64),
        scope: text(entry, "scope").as_deref().map(Scopes::read),
        resource: text(entry, "resource")?,
        token_endpoint: text(entry, "token_endpoint")?,
        revocation_endpoint: text(entry, "revocation_endpoint"),
    })
}

fn text(object: &Map<String, Value>, field: &str) -> Option<String> {
    object.get(field).and_then(Value::as_str).map(str::to_owned)
}

const ORIGINS: [(Origin, &str); 3] = [
    (Origin::Given, "given"),
    (Origin::Document, "document"),
    (Origin::Registered, "registered"),
];

fn origin(name: &str) -> Option<Origin> {
    let found = ORIGINS.iter().find(|(_, own)| *own == name);
    found.map(|(origin, _)| *origin)
}

/// The text that is kept for `all`.
pub(super) fn write(all: &[Stored]) -> Secret {
    let servers: Vec<Value> = all.iter().map(entry).collect();
    Secret::new(json!({"version": VERSION, "servers": servers}).to_string())
}

fn entry(stored: &Stored) -> Value {
    let client = &stored.client;
    let named = ORIGINS.iter().find(|(origin, _)| *origin == client.origin);
    let expose = |secret: &Option<Secret>| secret.as_ref().map(|secret| secret.expose().to_owned());
    json!({
        "issuer": stored.issuer,
        "client": {
            "id": client.id,
            "secret": expose(&client.secret),
            "auth": client.auth.name(),
            "origin": named.map(|(_, name)| name),
            "redirect": client.redirect,
        },
        "granted": stored.granted.as_ref().map(|granted| json!({
            "access": granted.access.expose(),
            "refresh": expose(&granted.refresh),
            "ends": granted.ends,
            "scope": granted.scope.as_ref().map(Scopes::joined),
            "resource": granted.resource,
            "token_endpoint": granted.token_endpoint,
            "revocation_endpoint": granted.revocation_endpoint,
        })),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Stored {
        Stored {
            issuer: "https://as.example".to_owned(),
            client: Client {
                id: "id".to_owned(),
                secret: Some(Secret::new("canary-secret")),
                auth: AuthMethod::Basic,
                origin: Origin::Registered,
                redirect: Some("http://127.0.0.1:1/callback".to_owned()),
            },
            granted: Some(Granted {
                access: Secret::new("canary-access"),
                refresh: Some(Secret::new("canary-refresh")),
                ends: Some(1000),
                scope: Some(Scopes::read("a b")),
                resource: "https://h.example/mcp".to_owned(),
                token_endpoint: "https://as.example/token".to_owned(),
                revocation_endpoint: None,
            }),
        }
    }

    #[test]
    fn what_is_kept_comes_back() {
        let bare = Stored {
            granted: None,
            client: Client {
                secret: None,
                auth: AuthMethod::None,
                origin: Origin::Given,
                redirect: None,
                ..example().client
            },
            ..example()
        };
        let all = vec![example(), bare];
        assert_eq!(read(&write(&all)), all);
        assert_eq!(read(&write(&[])), []);
    }

    #[test]
    fn what_nobody_wrote_is_nothing() {
        for text in [
            "",
            "{}",
            "[]",
            "{\"version\":2,\"servers\":[]}",
            "{\"version\":1,\"servers\":[7,{},null]}",
        ] {
            assert_eq!(read(&Secret::new(text)), [], "{text}");
        }
    }

    #[test]
    fn nothing_secret_is_printed() {
        assert!(!format!("{:?}", example()).contains("canary"));
    }

    #[test]
    fn a_refresh_token_that_is_not_replaced_stays() {
        let granted = example().granted.unwrap();
        let tokens = Tokens {
            access: Secret::new("new"),
            refresh: None,
            lasts: Some(60),
            scope: None,
        };
        let updated = granted.updated(&tokens, 500);
        assert_eq!(updated.refresh, granted.refresh);
        assert_eq!(updated.scope, granted.scope);
        assert_eq!(updated.ends, Some(560));
        let rotated = Tokens {
            refresh: Some(Secret::new("rotated")),
            ..tokens
        };
        let updated = granted.updated(&rotated, 500);
        assert_eq!(updated.refresh, rotated.refresh);
        assert!(updated.is_over(531) && !updated.is_over(529));
        let endless = Granted {
            ends: None,
            ..updated
        };
        assert!(!endless.is_over(u64::MAX));
    }

    #[test]
    fn an_account_shows_the_host_alone() {
        let account = Account::of("https://h.example:8443/s/canary/mcp?key=canary");
        assert!(account.as_str().starts_with("h.example-"));
        assert!(!account.as_str().contains("canary"));
        assert_eq!(account.as_str().len(), "h.example-".len() + 64);
        assert_ne!(account, Account::of("https://h.example:8443/s/other/mcp"));
        assert!(Account::of("http://[::1]/x").as_str().starts_with("___1_-"));
    }
}
