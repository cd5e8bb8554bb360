//! Tokens: how they are asked for and what comes back (RFC 6749, sections 4.1.3, 4.4, 5 and 6; RFC 8707).

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use muster_document::{Scrubber, Secret};
use serde_json::Value;
use url::form_urlencoded;

use super::metadata::shown_word;
use super::{AuthMethod, Client, Scopes};

/// A lifetime that nobody means: ten years.
const LONGEST: u64 = 10 * 365 * 24 * 60 * 60;

/// What tokens are asked for with.
#[derive(Clone, Copy)]
pub(super) enum Grant<'g> {
    /// A code that came back through the browser.
    Code {
        code: &'g Secret,
        verifier: &'g Secret,
        redirect: &'g str,
    },
    /// A refresh token.
    Refresh(&'g Secret),
    /// Nothing but who the client is.
    Client { scope: Option<&'g Scopes> },
}

impl Grant<'_> {
    /// What of it nobody else may see.
    fn secrets(&self) -> Vec<&Secret> {
        match self {
            Grant::Code { code, verifier, .. } => vec![code, verifier],
            Grant::Refresh(token) => vec![token],
            Grant::Client { .. } => Vec::new(),
        }
    }
}

/// A request to a token endpoint.
pub(super) struct Request {
    /// The form that is sent.
    pub(super) form: Secret,
    /// The `Authorization` header, where the client proves itself there.
    pub(super) authorization: Option<Secret>,
    /// Takes what is sent out of what comes back: errors may repeat it.
    pub(super) scrubber: Scrubber,
}

/// The request with which `client` asks for tokens for `resource`. `assertion` is its signed statement, where it proves itself so.
pub(super) fn request(
    client: &Client,
    grant: Grant<'_>,
    resource: &str,
    assertion: Option<&Secret>,
) -> Request {
    let mut form = form_urlencoded::Serializer::new(String::new());
    match grant {
        Grant::Code {
            code,
            verifier,
            redirect,
        } => form
            .append_pair("grant_type", "authorization_code")
            .append_pair("code", code.expose())
            .append_pair("code_verifier", verifier.expose())
            .append_pair("redirect_uri", redirect),
        Grant::Refresh(token) => form
            .append_pair("grant_type", "refresh_token")
            .append_pair("refresh_token", token.expose()),
        Grant::Client { scope } => {
            form.append_pair("grant_type", "client_credentials");
            match scope {
                Some(scope) => form.append_pair("scope", &scope.joined()),
                None => &mut form,
            }
        }
    };
    form.append_pair("resource", resource);
    let mut request = proven(form, client, assertion);
    for secret in grant.secrets().into_iter().chain(assertion) {
        request.scrubber.learn(secret);
    }
    request
}

/// The request with which `client` gives `token` back (RFC 7009).
pub(super) fn revocation(client: &Client, token: &Secret) -> Request {
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.append_pair("token", token.expose());
    proven(form, client, None)
}

/// The request of `form`, in which `client` proves itself.
fn proven(
    mut form: form_urlencoded::Serializer<'_, String>,
    client: &Client,
    assertion: Option<&Secret>,
) -> Request {
    let secret = client.secret.as_ref().map_or("", Secret::expose);
    let mut authorization = None;
    match client.auth {
        AuthMethod::Basic => authorization = Some(basic(&client.id, secret)),
        AuthMethod::Post => {
            form.append_pair("client_id", &client.id)
                .append_pair("client_secret", secret);
        }
        AuthMethod::PrivateKeyJwt => {
            const KIND: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
            form.append_pair("client_assertion_type", KIND)
                .append_pair("client_assertion", assertion.map_or("", Secret::expose));
        }
        AuthMethod::None => {
            form.append_pair("client_id", &client.id);
        }
    }
    let mut scrubber = Scrubber::default();
    for secret in client.secret.iter().chain(&authorization) {
        scrubber.learn(secret);
    }
    Request {
        form: Secret::new(form.finish()),
        authorization,
        scrubber,
    }
}

/// Id and secret in a header (RFC 6749, section 2.3.1): each encoded as in a form first.
fn basic(id: &str, secret: &str) -> Secret {
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let pair = format!("{}:{}", encoded(id), encoded(secret));
    Secret::new(format!("Basic {}", STANDARD.encode(pair)))
}

/// Tokens as they were given.
#[derive(Clone, PartialEq, Eq)]
pub struct Tokens {
    /// The access token.
    pub access: Secret,
    /// The refresh token, where there is one.
    pub refresh: Option<Secret>,
    /// Seconds that the access token lasts, where that is said.
    pub lasts: Option<u64>,
    /// The scopes that were granted, where they are said.
    pub scope: Option<Scopes>,
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokens")
            .field("lasts", &self.lasts)
            .field("scope", &self.scope)
            .finish_non_exhaustive()
    }
}

/// Why there are no tokens. Holds nothing of what was sent, and of an answer only its error, made harmless.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// The authorization server says no.
    #[error("the authorization server says: {words}")]
    Denied {
        /// What follows from its error.
        kind: Denial,
        /// Its error and the description of that, made harmless.
        words: String,
    },
    /// It fails without saying why.
    #[error("the authorization server answers with HTTP {0}")]
    Status(u16),
    /// Its answer is none.
    #[error("the authorization server's answer is none: {0}")]
    Nonsense(&'static str),
}

/// What an error of a token endpoint means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Denial {
    /// `invalid_grant`: the code or the refresh token is used up.
    Spent,
    /// `invalid_client`, `unauthorized_client`: the client is not known, or not any more.
    UnknownClient,
    /// Anything else.
    Other,
}

impl TokenError {
    /// Whether the grant (the refresh token, the code) is used up: it will never work again.
    pub fn is_spent(&self) -> bool {
        self.is(Denial::Spent)
    }

    /// Whether the client is not known, or not any more.
    pub fn is_unknown_client(&self) -> bool {
        self.is(Denial::UnknownClient)
    }

    fn is(&self, wanted: Denial) -> bool {
        matches!(self, TokenError::Denied { kind, .. } if *kind == wanted)
    }
}

/// The tokens in an answer; `scrubber` knows what was sent.
pub(super) fn read(
    status: u16,
    answer: Option<&Value>,
    scrubber: &Scrubber,
) -> Result<Tokens, TokenError> {
    let text = |field: &str| {
        let text = answer
            .and_then(|answer| answer.get(field))
            .and_then(Value::as_str);
        text.filter(|text| !text.is_empty())
    };
    // Some say no with a status of success.
    if let (Some(error), None) = (text("error"), text("access_token")) {
        // Before it is cut: half a secret would not be known any more.
        let shown = |text: &str| shown_word(&scrubber.scrub(text));
        let words = match text("error_description") {
            Some(description) => format!("{}: {}", shown(error), shown(description)),
            None => shown(error),
        };
        let kind = match error {
            "invalid_grant" => Denial::Spent,
            "invalid_client" | "unauthorized_client" => Denial::UnknownClient,
            _ => Denial::Other,
        };
        return Err(TokenError::Denied { kind, words });
    }
    if !(200..300).contains(&status) {
        return Err(TokenError::Status(status));
    }
    let access = text("access_token").ok_or(TokenError::Nonsense("it holds no token"))?;
    // RFC 6750, section 2.1: anything else cannot stand in the header.
    if !access.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(TokenError::Nonsense("its token cannot be sent"));
    }
    if text("token_type").is_some_and(|kind| !kind.eq_ignore_ascii_case("bearer")) {
        return Err(TokenError::Nonsense("its token is no bearer token"));
    }
    let lasts = match answer.and_then(|answer| answer.get("expires_in")) {
        Some(Value::Number(number)) => number.as_u64().or(number
            .as_f64()
            .filter(|lasts| *lasts >= 0.0)
            .map(|lasts| lasts as u64)),
        Some(Value::String(text)) => text.parse().ok(),
        _ => None,
    };
    Ok(Tokens {
        access: Secret::new(access),
        refresh: text("refresh_token").map(Secret::new),
        lasts: lasts.map(|lasts| lasts.min(LONGEST)),
        // What was sent is no scope, whoever says so.
        scope: text("scope").map(|scope| Scopes::read(&scrubber.scrub(scope))),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::oauth::Origin;

    fn none() -> Scrubber {
        Scrubber::default()
    }

    fn client(auth: AuthMethod) -> Client {
        Client {
            id: "an id".to_owned(),
            secret: Some(Secret::new("s:cret&")),
            auth,
            origin: Origin::Registered,
            redirect: None,
        }
    }

    fn sent(auth: AuthMethod) -> (String, Option<String>) {
        let (code, verifier) = (Secret::new("c&d"), Secret::new("v"));
        let grant = Grant::Code {
            code: &code,
            verifier: &verifier,
            redirect: "http://127.0.0.1:1/callback",
        };
        let assertion = Secret::new("a.b.c");
        let request = request(
            &client(auth),
            grant,
            "https://h.example/mcp",
            Some(&assertion),
        );
        let header = request
            .authorization
            .map(|header| header.expose().to_owned());
        (request.form.expose().to_owned(), header)
    }

    #[test]
    fn a_client_proves_itself_as_it_was_agreed() {
        const FORM: &str = "grant_type=authorization_code&code=c%26d&code_verifier=v\
            &redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fcallback&resource=https%3A%2F%2Fh.example%2Fmcp";
        assert_eq!(
            sent(AuthMethod::None),
            (format!("{FORM}&client_id=an+id"), None)
        );
        // base64 of `an+id:s%3Acret%26`.
        let basic = "Basic YW4raWQ6cyUzQWNyZXQlMjY=".to_owned();
        assert_eq!(sent(AuthMethod::Basic), (FORM.to_owned(), Some(basic)));
        let post = format!("{FORM}&client_id=an+id&client_secret=s%3Acret%26");
        assert_eq!(sent(AuthMethod::Post), (post, None));
        let jwt = format!(
            "{FORM}&client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer\
             &client_assertion=a.b.c"
        );
        assert_eq!(sent(AuthMethod::PrivateKeyJwt), (jwt, None));
    }

    #[test]
    fn the_other_grants_say_what_they_are() {
        let form = |grant| {
            let request = request(&client(AuthMethod::None), grant, "https://h.example", None);
            request.form.expose().to_owned()
        };
        let refresh = Secret::new("r");
        assert_eq!(
            form(Grant::Refresh(&refresh)),
            "grant_type=refresh_token&refresh_token=r&resource=https%3A%2F%2Fh.example&client_id=an+id"
        );
        let scope = Scopes::read("a b");
        assert_eq!(
            form(Grant::Client {
                scope: Some(&scope)
            }),
            "grant_type=client_credentials&scope=a+b&resource=https%3A%2F%2Fh.example&client_id=an+id"
        );
    }

    #[test]
    fn tokens_are_read_leniently() {
        let full = json!({
            "access_token": "canary-access", "token_type": "bearer", "expires_in": 3600,
            "refresh_token": "canary-refresh", "scope": "a b"
        });
        let tokens = read(200, Some(&full), &none()).unwrap();
        assert_eq!(tokens.access.expose(), "canary-access");
        assert_eq!(tokens.refresh.as_ref().unwrap().expose(), "canary-refresh");
        assert_eq!(tokens.lasts, Some(3600));
        assert_eq!(tokens.scope.as_ref().unwrap().joined(), "a b");
        assert!(!format!("{tokens:?}").contains("canary"));

        for (lasts, expected) in [
            (json!("60"), Some(60)),
            (json!(60.5), Some(60)),
            (json!(-1), None),
            (json!(null), None),
            (json!(1e300), Some(LONGEST)),
        ] {
            let bare = json!({"access_token": "t", "expires_in": lasts});
            assert_eq!(read(201, Some(&bare), &none()).unwrap().lasts, expected);
        }
    }

    #[test]
    fn what_is_no_token_says_so_and_shows_none() {
        let error = |status, answer: Value| read(status, Some(&answer), &none()).unwrap_err();
        let denied = error(
            400,
            json!({"error": "invalid_grant", "error_description": "gone\n\u{1b}[2J"}),
        );
        assert!(denied.is_spent() && !denied.is_unknown_client());
        assert_eq!(
            denied.to_string(),
            "the authorization server says: invalid_grant: gone\\n\\u{1b}[2J"
        );
        assert!(error(401, json!({"error": "invalid_client"})).is_unknown_client());
        assert!(error(200, json!({"error": "invalid_grant"})).is_spent());
        assert_eq!(error(503, json!({})), TokenError::Status(503));
        assert_eq!(
            read(200, None, &none()),
            Err(TokenError::Nonsense("it holds no token"))
        );
        for answer in [
            json!({"access_token": "canary\r\nX: y"}),
            json!({"access_token": "canary", "token_type": "DPoP"}),
            json!({"access_token": 7}),
        ] {
            let error = error(200, answer);
            assert!(matches!(error, TokenError::Nonsense(_)));
            assert!(!format!("{error} {error:?}").contains("canary"));
        }
        let echoed = error(400, json!({"error": "sk-ant-api03-0123456789abcdefABCDEF"}));
        assert!(!echoed.to_string().contains("0123456789"), "{echoed}");
    }

    #[test]
    fn what_was_sent_does_not_come_back_in_an_error() {
        let client = Client {
            secret: Some(Secret::new("canary client secret")),
            ..client(AuthMethod::Basic)
        };
        let (code, verifier) = (
            Secret::new("canary-the-code"),
            Secret::new("canary-the-verifier"),
        );
        let (refresh, assertion) = (
            Secret::new("canary-refresh"),
            Secret::new("canary.as.sertion"),
        );
        let grant = Grant::Code {
            code: &code,
            verifier: &verifier,
            redirect: "http://127.0.0.1:1/callback",
        };
        for grant in [grant, Grant::Refresh(&refresh)] {
            let request = request(&client, grant, "https://h.example", Some(&assertion));
            let header = request.authorization.as_ref().unwrap().expose();
            for part in [request.form.expose(), header, "canary client secret"] {
                let echo = json!({"error": part, "error_description": format!("{} {part}", "x".repeat(190))});
                let error = read(400, Some(&echo), &request.scrubber).unwrap_err();
                let text = format!("{error} {error:?}");
                assert!(
                    !text.contains("canary") && !text.contains("Y2FuYXJ5"),
                    "{text}"
                );
            }
        }
    }
}
