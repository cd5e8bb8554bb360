//! Who we are to an authorization server: a client id that somebody registered, a document of ours, or one that we register ourselves
//! (RFC 7591).

use std::fmt;

use muster_document::{Masked, Secret};
use serde_json::{Value, json};

use super::metadata::{AuthorizationServer, shown_word};
use super::{AuthMethod, Client, Origin, Scopes, Stored};

/// What the user configured of the client.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Given {
    /// A client id that was registered by hand; an https address is one of a document.
    pub id: Option<String>,
    /// Its secret.
    pub secret: Option<Secret>,
    /// The issuer that it was registered at, where that is known.
    pub issuer: Option<String>,
    /// The address of our own document, used where the authorization server takes such.
    pub document: Option<String>,
}

impl fmt::Debug for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Given").finish_non_exhaustive()
    }
}

/// How a client id is come by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// It is there.
    Use(Client),
    /// It is to be registered.
    Register,
}

/// Why there is no client.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// The authorization server registers nobody by itself.
    #[error("`{0}` needs a client id you registered yourself")]
    NeedsClientId(String),
    /// The given client id belongs to another authorization server.
    #[error("the client id was registered at `{registered}`, but the server now names `{named}`")]
    OtherIssuer {
        /// Where it was registered.
        registered: Masked,
        /// Whom the server names now.
        named: Masked,
    },
    /// It refused to register us.
    #[error("`{host}` refused to register Muster{}", .why.as_ref().map(|why| format!(": {why}")).unwrap_or_default())]
    Refused {
        /// Who.
        host: String,
        /// Its words, made harmless.
        why: Option<String>,
    },
    /// Its answer to the registration is none.
    #[error("`{host}` answers a registration with something else: {why}")]
    Nonsense {
        /// Who.
        host: String,
        /// What is wrong with it.
        why: &'static str,
    },
}

/// Chooses who we are at `server` (MCP 2026-07-28, "Client Registration"): what was given, a document, what was registered before, and
/// only then a new registration.
pub fn choose(
    given: &Given,
    stored: &[Stored],
    server: &AuthorizationServer,
) -> Result<Choice, ClientError> {
    if let Some(id) = &given.id {
        return match &given.issuer {
            Some(issuer) if *issuer != server.issuer && !is_document(id) => {
                Err(other_issuer(issuer, server))
            }
            _ => Ok(Choice::Use(given_client(id, given.secret.as_ref(), server))),
        };
    }
    let here = |stored: &&Stored| stored.issuer == server.issuer;
    let stored_here = || stored.iter().filter(here).map(|stored| &stored.client);
    if let Some(client) = stored_here().find(|client| client.origin == Origin::Given) {
        return Ok(Choice::Use(client.clone()));
    }
    if let (Some(document), true) = (&given.document, server.client_documents) {
        return Ok(Choice::Use(Client {
            id: document.clone(),
            secret: None,
            auth: AuthMethod::None,
            origin: Origin::Document,
            redirect: None,
        }));
    }
    if let Some(client) = stored_here().next() {
        return Ok(Choice::Use(client.clone()));
    }
    // It was registered by hand for this server, at an authorization server that the server no longer names.
    let elsewhere = stored
        .iter()
        .find(|stored| stored.client.origin == Origin::Given);
    match (elsewhere, &server.registration) {
        (Some(stored), _) => Err(other_issuer(&stored.issuer, server)),
        (None, Some(_)) => Ok(Choice::Register),
        (None, None) => Err(ClientError::NeedsClientId(server.host())),
    }
}

fn other_issuer(registered: &str, server: &AuthorizationServer) -> ClientError {
    ClientError::OtherIssuer {
        registered: Masked::url(&Secret::new(registered)),
        named: Masked::url(&Secret::new(server.issuer.as_str())),
    }
}

/// Whether a client id is the address of a document.
fn is_document(id: &str) -> bool {
    url::Url::parse(id).is_ok_and(|url| url.scheme() == "https" && url.path().len() > 1)
}

fn given_client(id: &str, secret: Option<&Secret>, server: &AuthorizationServer) -> Client {
    let document = is_document(id) && secret.is_none();
    Client {
        id: id.to_owned(),
        auth: method(None, secret.is_some(), &server.auth_methods),
        secret: secret.cloned(),
        origin: if document {
            Origin::Document
        } else {
            Origin::Given
        },
        redirect: None,
    }
}

/// How a client proves itself: as its registration says, else by the first way that both sides know, else by the default of RFC 8414.
fn method(said: Option<AuthMethod>, has_secret: bool, offered: &[AuthMethod]) -> AuthMethod {
    let order: &[AuthMethod] = if has_secret {
        &[AuthMethod::Basic, AuthMethod::Post, AuthMethod::None]
    } else {
        &[AuthMethod::None]
    };
    let usable = |method: &AuthMethod| has_secret || *method == AuthMethod::None;
    let shared = order
        .iter()
        .copied()
        .find(|method| offered.contains(method));
    said.filter(usable)
        .or(shared)
        .or(order.first().copied())
        .unwrap_or(AuthMethod::None)
}

/// What is sent to register a client whose answers go to `redirect`.
pub(super) fn request(
    server: &AuthorizationServer,
    redirect: &str,
    scope: Option<&Scopes>,
) -> Value {
    let offered = &server.auth_methods;
    let preferred = [AuthMethod::None, AuthMethod::Basic, AuthMethod::Post];
    let auth = preferred
        .into_iter()
        .find(|method| offered.contains(method));
    let mut request = json!({
        "client_name": "Muster",
        "redirect_uris": [redirect],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": auth.unwrap_or(AuthMethod::None).name(),
        // Without it OpenID providers take a client for a web page and refuse its address on this machine.
        "application_type": "native",
    });
    if let (Some(scope), Some(object)) = (scope, request.as_object_mut()) {
        object.insert("scope".to_owned(), Value::String(scope.joined()));
    }
    request
}

/// The client that the answer to a registration describes.
pub(super) fn read(
    status: u16,
    answer: Option<&Value>,
    server: &AuthorizationServer,
    redirect: &str,
) -> Result<Client, ClientError> {
    let text = |field: &str| {
        let text = answer
            .and_then(|answer| answer.get(field))
            .and_then(Value::as_str);
        text.filter(|text| !text.is_empty())
    };
    if !(200..300).contains(&status) {
        let words = [text("error"), text("error_description")];
        let words: Vec<String> = words.into_iter().flatten().map(shown_word).collect();
        return Err(ClientError::Refused {
            host: server.host(),
            why: Some(words.join(": "))
                .filter(|words| !words.is_empty())
                .or(Some(format!("HTTP {status}"))),
        });
    }
    let id = text("client_id").ok_or(ClientError::Nonsense {
        host: server.host(),
        why: "it names no client id",
    })?;
    let secret = text("client_secret").map(Secret::new);
    let said = text("token_endpoint_auth_method").and_then(AuthMethod::read);
    Ok(Client {
        id: id.to_owned(),
        auth: method(said, secret.is_some(), &server.auth_methods),
        secret,
        origin: Origin::Registered,
        redirect: Some(redirect.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oauth::Ground;

    const ISSUER: &str = "https://as.example";

    fn server(more: Value) -> AuthorizationServer {
        let mut document = json!({
            "issuer": ISSUER,
            "authorization_endpoint": "https://as.example/authorize",
            "token_endpoint": "https://as.example/token",
            "code_challenge_methods_supported": ["S256"],
        });
        for (field, value) in more.as_object().unwrap() {
            document[field] = value.clone();
        }
        let url = url::Url::parse("https://h.example/mcp").unwrap();
        AuthorizationServer::read(&document, ISSUER, &Ground::new(&url, false)).unwrap()
    }

    fn everything() -> AuthorizationServer {
        server(json!({
            "client_id_metadata_document_supported": true,
            "registration_endpoint": "https://as.example/register"
        }))
    }

    fn stored(issuer: &str, id: &str, origin: Origin) -> Stored {
        Stored {
            issuer: issuer.to_owned(),
            client: Client {
                id: id.to_owned(),
                secret: None,
                auth: AuthMethod::None,
                origin,
                redirect: None,
            },
            granted: None,
        }
    }

    fn id(choice: Result<Choice, ClientError>) -> String {
        match choice.unwrap() {
            Choice::Use(client) => client.id,
            Choice::Register => "(register)".to_owned(),
        }
    }

    #[test]
    fn what_was_given_comes_before_a_document_and_that_before_a_registration() {
        let document = Given {
            document: Some("https://muster.example/client.json".to_owned()),
            ..Given::default()
        };
        let given = Given {
            id: Some("given".to_owned()),
            ..document.clone()
        };
        let registered = [stored(ISSUER, "registered", Origin::Registered)];
        assert_eq!(id(choose(&given, &registered, &everything())), "given");
        assert_eq!(
            id(choose(&document, &registered, &everything())),
            "https://muster.example/client.json"
        );
        assert_eq!(
            id(choose(&Given::default(), &registered, &everything())),
            "registered"
        );
        assert_eq!(
            id(choose(&Given::default(), &[], &everything())),
            "(register)"
        );
        let no_documents = server(json!({"registration_endpoint": "https://as.example/register"}));
        assert_eq!(id(choose(&document, &[], &no_documents)), "(register)");
        let kept = [registered[0].clone(), stored(ISSUER, "kept", Origin::Given)];
        assert_eq!(id(choose(&document, &kept, &everything())), "kept");
    }

    #[test]
    fn without_any_way_the_user_is_asked_for_an_id() {
        let error = choose(&Given::default(), &[], &server(json!({}))).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`as.example` needs a client id you registered yourself"
        );
        let documents = server(json!({"client_id_metadata_document_supported": true}));
        assert!(choose(&Given::default(), &[], &documents).is_err());
    }

    #[test]
    fn an_id_stays_with_the_issuer_that_gave_it() {
        let elsewhere = Given {
            id: Some("given".to_owned()),
            issuer: Some("https://as.example/".to_owned()),
            ..Given::default()
        };
        assert!(matches!(
            choose(&elsewhere, &[], &everything()),
            Err(ClientError::OtherIssuer { .. })
        ));
        let portable = Given {
            id: Some("https://muster.example/client.json".to_owned()),
            ..elsewhere
        };
        assert_eq!(
            id(choose(&portable, &[], &everything())),
            "https://muster.example/client.json"
        );
        let other = "https://old.example";
        let registered = [stored(other, "old", Origin::Registered)];
        assert_eq!(
            id(choose(&Given::default(), &registered, &everything())),
            "(register)"
        );
        let given = [stored(other, "old", Origin::Given)];
        let error = choose(&Given::default(), &given, &everything()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the client id was registered at `https://old.example`, but the server now names `https://as.example`"
        );
    }

    #[test]
    fn a_registration_says_that_we_run_on_this_machine() {
        let offers =
            |methods: Value| server(json!({"token_endpoint_auth_methods_supported": methods}));
        let redirect = "http://127.0.0.1:4711/callback";
        let scope = Scopes::read("a b");
        let full = request(
            &offers(json!(["client_secret_basic"])),
            redirect,
            Some(&scope),
        );
        assert_eq!(
            full,
            json!({
                "client_name": "Muster",
                "redirect_uris": [redirect],
                "grant_types": ["authorization_code", "refresh_token"],
                "response_types": ["code"],
                "token_endpoint_auth_method": "client_secret_basic",
                "application_type": "native",
                "scope": "a b",
            })
        );
        for (methods, expected) in [
            (json!([]), "none"),
            (json!(["client_secret_post", "none"]), "none"),
            (json!(["client_secret_post"]), "client_secret_post"),
            (json!(["private_key_jwt"]), "none"),
        ] {
            let sent = request(&offers(methods), redirect, None);
            assert_eq!(sent["token_endpoint_auth_method"], expected);
            assert_eq!(sent.get("scope"), None);
        }
    }

    #[test]
    fn a_registered_client_proves_itself_as_the_answer_says() {
        let redirect = "http://127.0.0.1:4711/callback";
        let auth = |answer: Value, offered: Value| {
            let server = server(json!({"token_endpoint_auth_methods_supported": offered}));
            read(201, Some(&answer), &server, redirect).unwrap().auth
        };
        let secret = |method: Value| json!({"client_id": "i", "client_secret": "canary", "token_endpoint_auth_method": method});
        assert_eq!(auth(secret(json!(null)), json!([])), AuthMethod::Basic);
        assert_eq!(
            auth(secret(json!(null)), json!(["client_secret_post"])),
            AuthMethod::Post
        );
        assert_eq!(auth(secret(json!(null)), json!(["none"])), AuthMethod::None);
        assert_eq!(
            auth(
                secret(json!("client_secret_post")),
                json!(["client_secret_basic"])
            ),
            AuthMethod::Post
        );
        let bare = json!({"client_id": "i", "token_endpoint_auth_method": "client_secret_basic"});
        assert_eq!(auth(bare, json!(["client_secret_basic"])), AuthMethod::None);
        let server = server(json!({}));
        let client = read(200, Some(&secret(json!("none"))), &server, redirect).unwrap();
        assert_eq!(client.redirect.as_deref(), Some(redirect));
        assert!(!format!("{client:?}").contains("canary"));
    }

    #[test]
    fn a_refused_registration_is_told_in_its_own_harmless_words() {
        let server = server(json!({}));
        let words =
            json!({"error": "invalid_redirect_uri", "error_description": "no \u{1b}[2Jloopback"});
        let refused = read(400, Some(&words), &server, "x").unwrap_err();
        assert_eq!(
            refused.to_string(),
            "`as.example` refused to register Muster: invalid_redirect_uri: no \\u{1b}[2Jloopback"
        );
        let silent = read(403, None, &server, "x").unwrap_err();
        assert_eq!(
            silent.to_string(),
            "`as.example` refused to register Muster: HTTP 403"
        );
        let empty = read(201, Some(&json!({"client_id": ""})), &server, "x").unwrap_err();
        assert_eq!(
            empty.to_string(),
            "`as.example` answers a registration with something else: it names no client id"
        );
    }
}
