//! What is refused, and that nothing secret is shown of it.

use std::fmt::{Debug, Display};
use std::sync::Arc;

use muster_client::oauth::{Access, AccessError, Bearer};
use serde_json::{Value, json};

use crate::fake::{CANARY, Fake, Oddities};
use crate::server::{Reply, Server};

/// The words of `error`, which hold no secret, nor does what debuggers see.
fn words<E: Display + Debug>(error: &E) -> String {
    let words = error.to_string();
    let all = format!("{words} {error:?}");
    assert!(!all.contains(CANARY), "{all}");
    assert!(!all.contains('\x1b'), "{all}");
    words
}

/// Tries to sign in; the error's words without the port.
async fn refused(fake: &Fake) -> String {
    let (access, memory) = fake.access();
    let bearer = Bearer::find(&fake.challenges());
    let error = access
        .sign_in(bearer.as_ref(), &fake.nobody())
        .await
        .unwrap_err();
    assert!(!memory.all().contains("canary-access"));
    words(&error).replace(&format!(":{}", fake.server.port()), "")
}

async fn with_resource(resource: Value) -> Fake {
    Fake::start(Oddities {
        resource,
        ..Oddities::default()
    })
    .await
}

async fn with_server(server: Value) -> Fake {
    Fake::start(Oddities {
        server,
        ..Oddities::default()
    })
    .await
}

async fn with_answer(answer: Value) -> Fake {
    Fake::start(Oddities {
        answer,
        ..Oddities::default()
    })
    .await
}

#[tokio::test]
async fn metadata_of_another_resource_is_refused() {
    let fake = with_resource(json!({"resource": "https://evil.example/canary"})).await;
    assert_eq!(
        refused(&fake).await,
        "the server's metadata is refused: it describes `https://evil.example/•••`, which is not this server"
    );
    assert_eq!(fake.times("/authorize") + fake.times("/register"), 0);
}

#[tokio::test]
async fn metadata_that_should_be_there_is_not_made_up() {
    // The old way is open only to servers that know nothing of the new one.
    let fake = with_resource(json!(null)).await;
    assert_eq!(
        refused(&fake).await,
        "`127.0.0.1` has no metadata where it should be"
    );
    assert_eq!(fake.times("/authorize") + fake.times("/register"), 0);
    let fake = with_server(json!(null)).await;
    assert_eq!(
        refused(&fake).await,
        "`127.0.0.1` has no metadata where it should be"
    );
}

#[tokio::test]
async fn an_authorization_server_must_be_who_it_was_asked_as() {
    for issuer in [
        "https://evil.example",
        "http://127.0.0.1",
        "HTTP://127.0.0.1",
    ] {
        let fake = with_server(json!({"issuer": issuer})).await;
        let error = refused(&fake).await;
        assert!(error.contains("it speaks for"), "{error}");
        assert_eq!(fake.times("/authorize") + fake.times("/register"), 0);
    }
}

#[tokio::test]
async fn without_s256_nobody_signs_in() {
    for methods in [json!(null), json!(["plain"])] {
        let fake = with_server(json!({"code_challenge_methods_supported": methods})).await;
        assert_eq!(
            refused(&fake).await,
            "its authorization server `127.0.0.1` cannot be used: it does not offer PKCE with S256, \
             without which a stolen code could be used"
        );
        assert_eq!(fake.times("/authorize") + fake.times("/register"), 0);
    }
}

#[tokio::test]
async fn addresses_that_act_are_never_opened() {
    for field in [
        "authorization_endpoint",
        "token_endpoint",
        "registration_endpoint",
    ] {
        for address in [
            "javascript:alert(1)",
            "file:///etc/passwd",
            "--upload-pack=touch /x/pwned",
            "http://www.example.com/$(touch${IFS}/x/pwned)?response_type=code&calc.exe",
            "http://169.254.169.254/latest",
            "https://user:canary@as.example/",
        ] {
            let fake = with_server(json!({field: address})).await;
            let error = refused(&fake).await;
            assert!(error.contains(&format!("its `{field}`: ")), "{error}");
            assert_eq!(fake.times("/authorize") + fake.times("/register"), 0);
        }
    }
}

#[tokio::test]
async fn without_registration_an_id_is_asked_for() {
    let fake = with_server(json!({"registration_endpoint": null})).await;
    assert_eq!(
        refused(&fake).await,
        "`127.0.0.1` needs a client id you registered yourself"
    );
    assert_eq!(fake.times("/authorize"), 0);
}

#[tokio::test]
async fn a_refused_registration_says_why() {
    let fake = Fake::start(Oddities {
        registration: (
            400,
            json!({"error": "invalid_client_metadata", "error_description": "no\u{1b}[2J"}),
        ),
        ..Oddities::default()
    })
    .await;
    assert_eq!(
        refused(&fake).await,
        "`127.0.0.1` refused to register Muster: invalid_client_metadata: no\\u{1b}[2J"
    );
}

#[tokio::test]
async fn an_answer_that_is_not_for_us_ends_before_a_code_is_sent() {
    for (answer, expected) in [
        (
            json!({"state": "canary"}),
            "the answer does not belong to this sign-in",
        ),
        (
            json!({"state": null}),
            "the answer does not belong to this sign-in",
        ),
        (
            json!({"iss": null}),
            "the answer does not say which authorization server gives it, though it always should",
        ),
        (
            json!({"iss": "https://evil.example"}),
            "the answer comes from another authorization server than the one you were sent to",
        ),
        (
            json!({"iss": "https://evil.example", "error": "canary", "error_description": "canary"}),
            "the answer comes from another authorization server than the one you were sent to",
        ),
        (json!({"error": "access_denied"}), "access was denied"),
        (json!({"code": null}), "the answer holds no code"),
    ] {
        let fake = with_answer(answer).await;
        assert_eq!(refused(&fake).await, expected);
        assert_eq!(fake.times("/token"), 0);
    }
}

#[tokio::test]
async fn what_is_no_token_is_told_without_it() {
    for (reply, expected) in [
        (
            (400, json!({"error": "invalid_grant", "access_token": null})),
            "gives no token: the authorization server says: invalid_grant",
        ),
        (
            (500, json!("canary")),
            "gives no token: the authorization server answers with HTTP 500",
        ),
        (
            (200, json!({"access_token": "canary\n"})),
            "gives no token: the authorization server's answer is none: its token cannot be sent",
        ),
        (
            (200, json!({"access_token": "canary", "token_type": "mac"})),
            "gives no token: the authorization server's answer is none: its token is no bearer token",
        ),
    ] {
        let fake = Fake::start(Oddities {
            token_reply: Some(reply),
            ..Oddities::default()
        })
        .await;
        let error = refused(&fake).await;
        assert!(error.ends_with(expected), "{error}");
    }
}

#[tokio::test]
async fn a_token_request_follows_nobody() {
    let elsewhere = Server::start(|_| Reply::json(200, &json!({"access_token": "stolen"}))).await;
    let to = elsewhere.url("/token").to_string();
    let leads = Server::start(move |_| Reply::new(307, &[("Location", &to)], "")).await;
    let fake = with_server(json!({"token_endpoint": leads.url("/token").as_str()})).await;
    let error = refused(&fake).await;
    assert!(
        error.ends_with("gives no token: the authorization server answers with HTTP 307"),
        "{error}"
    );
    assert_eq!(leads.asked().len(), 1);
    assert_eq!(elsewhere.asked().len(), 0);
}

#[tokio::test]
async fn long_documents_are_not_read() {
    let fake = with_server(json!({"pad": "p".repeat(5_000_000)})).await;
    let error = refused(&fake).await;
    assert_eq!(
        error,
        "metadata of `127.0.0.1` could not be fetched: the answer is longer than 1048576 bytes"
    );
    let fake = Fake::start(Oddities {
        token_reply: Some((
            200,
            json!({"access_token": "canary", "pad": "p".repeat(5_000_000)}),
        )),
        ..Oddities::default()
    })
    .await;
    let error = refused(&fake).await;
    assert_eq!(
        error,
        "`127.0.0.1` could not be asked: the answer is longer than 1048576 bytes"
    );
}

#[tokio::test]
async fn an_address_of_metadata_must_be_one() {
    let fake = Fake::start(Oddities {
        points: false,
        ..Oddities::default()
    })
    .await;
    for address in [
        "javascript:x",
        "http://169.254.169.254/latest",
        "file:///etc/passwd",
    ] {
        let bearer = Bearer::find(&[format!("Bearer resource_metadata=\"{address}\"")]);
        let (access, _) = fake.access();
        let error = access
            .sign_in(bearer.as_ref(), &fake.nobody())
            .await
            .unwrap_err();
        let text = words(&error);
        assert!(
            text.starts_with("the address that the server gives for its metadata is refused"),
            "{text}"
        );
        assert!(matches!(error, AccessError::Discovery(_)));
    }
    assert_eq!(fake.server.asked().len(), 0);
}

#[tokio::test]
async fn servers_that_fail_are_no_servers_of_2025_03_26() {
    let failing = Server::start(|_| Reply::new(503, &[], "")).await;
    let fake = Fake::start(Oddities::default()).await;
    let (_, memory) = fake.access();
    let access = Access::new(
        fake.net.clone(),
        memory,
        Arc::new(|| 0),
        &failing.url("/mcp"),
    );
    let error = access.sign_in(None, &fake.nobody()).await.unwrap_err();
    let expected = format!(
        "`127.0.0.1:{}` answers with HTTP 503 where its metadata should be",
        failing.port()
    );
    assert_eq!(words(&error), expected);
}
