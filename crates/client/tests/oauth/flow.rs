//! What is asked of whom, in order, and what is kept of it.

use muster_client::oauth::{Bearer, Given};
use muster_document::Secret;
use serde_json::json;

use crate::fake::{CANARY, Fake, Oddities, REDIRECT, given, scopes};

async fn signed_in(fake: &Fake) -> Secret {
    let (access, _) = fake.access();
    let bearer = Bearer::find(&fake.challenges());
    let signed_in = access
        .sign_in(bearer.as_ref(), &fake.nobody())
        .await
        .unwrap();
    signed_in.access
}

#[tokio::test]
async fn a_sign_in_goes_its_way_and_is_kept() {
    let fake = Fake::start(Oddities {
        challenge: ", scope=\"read\"".to_owned(),
        server: json!({"scopes_supported": ["read", "offline_access"]}),
        ..Oddities::default()
    })
    .await;
    let (access, memory) = fake.access();
    let bearer = Bearer::find(&fake.challenges());
    let signed_in = access
        .sign_in(bearer.as_ref(), &fake.nobody())
        .await
        .unwrap();
    assert!(fake.takes(&signed_in.access));
    assert_eq!(signed_in.host, format!("127.0.0.1:{}", fake.server.port()));
    assert!(signed_in.renewable);
    assert_eq!(signed_in.lasts, Some(3600));
    assert!(!format!("{signed_in:?} {access:?}").contains(CANARY));

    let resource = fake.url().to_string();
    let registered = &fake.to("/register")[0].json;
    assert_eq!(registered["application_type"], "native");
    assert_eq!(registered["redirect_uris"], json!([REDIRECT]));
    let asked = &fake.to("/authorize")[0];
    for (name, value) in [
        ("response_type", "code"),
        ("client_id", "registered"),
        ("redirect_uri", REDIRECT),
        ("code_challenge_method", "S256"),
        ("resource", &resource),
        ("scope", "read offline_access"),
    ] {
        assert_eq!(asked.get(name), Some(value), "{name}");
    }
    assert_eq!(asked.get("state").unwrap().len(), 43);
    let exchanged = &fake.to("/token")[0];
    assert_eq!(exchanged.get("resource"), Some(resource.as_str()));
    assert_eq!(exchanged.get("client_id"), Some("registered"));

    // Another process finds it.
    let other = fake.access_with(&memory);
    assert_eq!(other.token().await.unwrap(), Some(signed_in.access));
    assert_eq!(fake.times("/token"), 1);
}

#[tokio::test]
async fn clients_prove_themselves_as_is_offered() {
    for (method, header, body) in [
        (
            "client_secret_basic",
            Some("Basic Z2l2ZW46Y2FuYXJ5LXNlY3JldA=="),
            None,
        ),
        ("client_secret_post", None, Some("canary-secret")),
        ("none", None, None),
    ] {
        let fake = Fake::start(Oddities {
            server: json!({
                "token_endpoint_auth_methods_supported": [method], "registration_endpoint": null
            }),
            ..Oddities::default()
        })
        .await;
        let (access, _) = fake.access();
        let access = access.with(given("given", Some("canary-secret")), None);
        access.sign_in(None, &fake.nobody()).await.unwrap();
        let form = &fake.to("/token")[0];
        assert_eq!(form.authorization.as_deref(), header, "{method}");
        assert_eq!(form.get("client_secret"), body, "{method}");
        let in_header = header.is_some();
        assert_eq!(
            form.get("client_id"),
            (!in_header).then_some("given"),
            "{method}"
        );
        assert_eq!(fake.times("/register"), 0);
    }
}

#[tokio::test]
async fn our_own_document_is_used_where_such_are_taken() {
    const DOCUMENT: &str = "https://muster.example/client.json";
    for (taken, id) in [(true, DOCUMENT), (false, "registered")] {
        let fake = Fake::start(Oddities {
            server: json!({"client_id_metadata_document_supported": taken}),
            ..Oddities::default()
        })
        .await;
        let (access, _) = fake.access();
        let given = Given {
            document: Some(DOCUMENT.to_owned()),
            ..Given::default()
        };
        let access = access.with(given, None);
        access.sign_in(None, &fake.nobody()).await.unwrap();
        assert_eq!(fake.to("/authorize")[0].get("client_id"), Some(id));
    }
}

#[tokio::test]
async fn servers_of_2025_03_26_are_their_own_authorization_servers() {
    let with_metadata = Oddities {
        resource: json!(null),
        points: false,
        ..Oddities::default()
    };
    let without = Oddities {
        server: json!(null),
        answer: json!({"iss": null}),
        ..with_metadata.clone()
    };
    for oddities in [with_metadata, without] {
        let fake = Fake::start(oddities).await;
        let token = signed_in(&fake).await;
        assert!(fake.takes(&token));
        assert_eq!(fake.times("/.well-known/oauth-protected-resource/mcp"), 1);
        assert_eq!(fake.times("/.well-known/oauth-protected-resource"), 1);
        let exchanged = &fake.to("/token")[0];
        assert_eq!(exchanged.get("resource"), Some(fake.url().as_str()));
    }
}

#[tokio::test]
async fn an_earlier_registration_is_used_again_until_it_is_unknown() {
    let fake = Fake::start(Oddities::default()).await;
    let (access, _) = fake.access();
    access.sign_in(None, &fake.nobody()).await.unwrap();
    access.sign_in(None, &fake.nobody()).await.unwrap();
    assert_eq!(fake.times("/register"), 1);

    fake.behave(|oddities| {
        oddities.token_reply = Some((401, json!({"error": "invalid_client"})));
    });
    let error = access.sign_in(None, &fake.nobody()).await.unwrap_err();
    // Once more, and no further.
    assert_eq!(fake.times("/register"), 2);
    assert_eq!(
        error.to_string(),
        format!(
            "`127.0.0.1:{}` gives no token: the authorization server says: invalid_client",
            fake.server.port()
        )
    );
}

#[tokio::test]
async fn a_server_that_changes_its_issuer_gets_nothing_of_the_old_one() {
    let first = Fake::start(Oddities::default()).await;
    let second = Fake::start(Oddities {
        registration: (201, json!({"client_id": "of-the-second"})),
        ..Oddities::default()
    })
    .await;
    let (access, memory) = first.access();
    access.sign_in(None, &first.nobody()).await.unwrap();
    let old_issuer = first.server.url("/").to_string();
    let old_issuer = old_issuer.trim_end_matches('/');
    assert!(memory.all().contains(old_issuer));

    let new_issuer = second.server.url("/").to_string();
    let new_issuer = new_issuer.trim_end_matches('/').to_owned();
    first.behave(|oddities| oddities.resource = json!({"authorization_servers": [new_issuer]}));
    let signed_in = access.sign_in(None, &first.nobody()).await.unwrap();
    assert!(second.takes(&signed_in.access));
    assert_eq!(second.times("/register"), 1);
    assert_eq!(
        second.to("/authorize")[0].get("client_id"),
        Some("of-the-second")
    );
    let kept = memory.all();
    assert!(kept.contains(&new_issuer));
    assert!(
        !kept.contains(&format!("\"{old_issuer}\"")),
        "the old sign-in is still kept"
    );
    assert_eq!(first.times("/token"), 1);
}

#[tokio::test]
async fn an_id_that_was_given_stays_with_its_issuer() {
    let first = Fake::start(Oddities::default()).await;
    let second = Fake::start(Oddities::default()).await;
    let (access, memory) = first.access();
    let by_hand = access.clone().with(given("by-hand", None), None);
    by_hand.sign_in(None, &first.nobody()).await.unwrap();
    // Without naming it again.
    access.sign_in(None, &first.nobody()).await.unwrap();
    assert_eq!(first.to("/authorize")[1].get("client_id"), Some("by-hand"));

    let issuer = second.server.url("/").to_string();
    let issuer = issuer.trim_end_matches('/').to_owned();
    first.behave(|oddities| oddities.resource = json!({"authorization_servers": [issuer]}));
    let error = access
        .sign_in(None, &first.nobody())
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("the client id was registered at `http://127.0.0.1:"),
        "{error}"
    );
    assert_eq!(second.times("/authorize") + second.times("/register"), 0);
    assert!(memory.all().contains("by-hand"));
}

#[tokio::test]
async fn scopes_come_from_the_user_the_challenge_or_the_list() {
    let fake = Fake::start(Oddities {
        resource: json!({"scopes_supported": ["a", "b"]}),
        ..Oddities::default()
    })
    .await;
    let (access, _) = fake.access();
    access.sign_in(None, &fake.nobody()).await.unwrap();
    let bearer = Bearer::find(&["Bearer scope=\"c\""]);
    access
        .sign_in(bearer.as_ref(), &fake.nobody())
        .await
        .unwrap();
    let (fresh, _) = fake.access();
    fresh
        .sign_in(bearer.as_ref(), &fake.nobody())
        .await
        .unwrap();
    let asked = access.with(Given::default(), scopes("mine"));
    asked.sign_in(None, &fake.nobody()).await.unwrap();
    let asked: Vec<Option<String>> = fake
        .to("/authorize")
        .iter()
        .map(|form| form.get("scope").map(str::to_owned))
        .collect();
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(asked, [some("a b"), some("a b c"), some("c"), some("mine")]);
}

#[tokio::test]
async fn a_client_signs_in_for_itself() {
    let fake = Fake::start(Oddities {
        server: json!({
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
            "authorization_endpoint": null, "code_challenge_methods_supported": null,
        }),
        ..Oddities::default()
    })
    .await;
    let (access, _) = fake.access();
    let access = access.with(given("machine", Some("canary-secret")), None);
    let token = access.sign_in_as_client(None, None).await.unwrap();
    assert!(fake.takes(&token));
    let form = &fake.to("/token")[0];
    assert_eq!(form.get("grant_type"), Some("client_credentials"));
    assert_eq!(
        form.authorization.as_deref(),
        Some("Basic bWFjaGluZTpjYW5hcnktc2VjcmV0")
    );
    assert_eq!(access.token().await.unwrap(), Some(token));
}
