//! Tokens that are kept, renewed and given back.

use std::sync::Arc;

use serde_json::json;

use crate::fake::{Fake, Memory, Oddities};

async fn begun(oddities: Oddities) -> (Fake, Arc<Memory>) {
    let fake = Fake::start(oddities).await;
    let (access, memory) = fake.access();
    access.sign_in(None, &fake.nobody()).await.unwrap();
    (fake, memory)
}

#[tokio::test]
async fn a_token_is_renewed_when_it_is_nearly_over() {
    let (fake, memory) = begun(Oddities::default()).await;
    let access = fake.access_with(&memory);
    let first = access.token().await.unwrap().unwrap();
    memory.wait(3500);
    assert_eq!(access.token().await.unwrap(), Some(first.clone()));
    memory.wait(80);
    let second = access.token().await.unwrap().unwrap();
    assert_ne!(first, second);
    assert!(fake.takes(&second));
    let renewal = &fake.to("/token")[1];
    assert_eq!(renewal.get("grant_type"), Some("refresh_token"));
    assert_eq!(renewal.get("resource"), Some(fake.url().as_str()));
    // The refresh token was replaced, and what replaced it is kept.
    memory.wait(3600);
    assert!(access.token().await.unwrap().is_some());
    assert_eq!(fake.times("/token"), 3);
}

#[tokio::test]
async fn of_many_who_renew_one_asks() {
    let (fake, memory) = begun(Oddities::default()).await;
    let refused = fake.access_with(&memory).token().await.unwrap().unwrap();
    fake.expire();
    let many: Vec<_> = (0..8)
        .map(|_| {
            let (access, refused) = (fake.access_with(&memory), refused.clone());
            tokio::spawn(async move { access.renew(&refused).await.unwrap() })
        })
        .collect();
    let mut tokens = Vec::new();
    for one in many {
        tokens.push(one.await.unwrap().unwrap());
    }
    assert!(fake.takes(&tokens[0]));
    assert!(tokens.iter().all(|token| *token == tokens[0]));
    assert_eq!(fake.times("/token"), 2);
}

#[tokio::test]
async fn a_refresh_token_that_is_used_up_ends_the_sign_in() {
    let (fake, memory) = begun(Oddities::default()).await;
    let access = fake.access_with(&memory);
    let token = access.token().await.unwrap().unwrap();
    fake.behave(|oddities| oddities.token_reply = Some((400, json!({"error": "invalid_grant"}))));
    assert_eq!(access.renew(&token).await.unwrap(), None);
    assert_eq!(access.token().await.unwrap(), None);
    // Who we are there is still known.
    fake.behave(|oddities| oddities.token_reply = None);
    access.sign_in(None, &fake.nobody()).await.unwrap();
    assert_eq!(fake.times("/register"), 1);
}

#[tokio::test]
async fn an_authorization_server_that_fails_ends_nothing() {
    let (fake, memory) = begun(Oddities::default()).await;
    let access = fake.access_with(&memory);
    let token = access.token().await.unwrap().unwrap();
    fake.behave(|oddities| oddities.token_reply = Some((503, json!({}))));
    let error = access.renew(&token).await.unwrap_err();
    assert!(
        error.to_string().ends_with("answers with HTTP 503"),
        "{error}"
    );
    fake.behave(|oddities| oddities.token_reply = None);
    assert!(access.renew(&token).await.unwrap().is_some());
}

#[tokio::test]
async fn a_client_that_is_unknown_now_is_forgotten() {
    let (fake, memory) = begun(Oddities::default()).await;
    let access = fake.access_with(&memory);
    let token = access.token().await.unwrap().unwrap();
    fake.behave(|oddities| oddities.token_reply = Some((401, json!({"error": "invalid_client"}))));
    assert_eq!(access.renew(&token).await.unwrap(), None);
    assert_eq!(memory.all(), "");
}

#[tokio::test]
async fn without_a_refresh_token_nothing_is_renewed() {
    let (fake, memory) = begun(Oddities {
        tokens: json!({"refresh_token": null, "expires_in": null}),
        ..Oddities::default()
    })
    .await;
    let access = fake.access_with(&memory);
    let token = access.token().await.unwrap().unwrap();
    memory.wait(1_000_000);
    assert_eq!(access.token().await.unwrap(), Some(token.clone()));
    assert_eq!(access.renew(&token).await.unwrap(), None);
    assert_eq!(fake.times("/token"), 1);
}

#[tokio::test]
async fn signing_out_gives_tokens_back_and_forgets_them() {
    let (fake, memory) = begun(Oddities::default()).await;
    let access = fake.access_with(&memory);
    let out = access.sign_out().await.unwrap().unwrap();
    assert!(out.revoked);
    assert_eq!(
        out.issuer,
        format!("http://127.0.0.1:{}", fake.server.port())
    );
    let given_back = &fake.to("/revoke")[0];
    assert!(
        given_back
            .get("token")
            .unwrap()
            .starts_with("canary-refresh-")
    );
    assert_eq!(memory.all(), "");
    assert_eq!(access.sign_out().await.unwrap(), None);
}
