//! What the transports are told when a server refuses them.

use std::sync::Arc;

use muster_client::http::{Authorizer, Challenge, Verdict};
use muster_client::oauth::{Barred, Gate};
use muster_document::Secret;
use serde_json::json;

use crate::fake::{CANARY, Fake, Oddities};

/// One request to the server through `gate`, sent again as the gate says; the status in the end and how often it was sent.
async fn call(fake: &Fake, gate: &Gate, method: &str) -> (u16, usize) {
    for before in 0..10 {
        let sent = gate.authorization().await;
        let answered = ask(fake, sent.as_ref()).await;
        let (status, challenges) = answered;
        if !matches!(status, 401 | 403) {
            return (status, before + 1);
        }
        let refusal = Challenge {
            status,
            challenges,
            sent,
            method: method.to_owned(),
            before,
        };
        if gate.refused(&refusal).await == Verdict::Stands {
            return (status, before + 1);
        }
    }
    panic!("sent again and again")
}

async fn ask(fake: &Fake, sent: Option<&Secret>) -> (u16, Vec<String>) {
    use muster_client::net::{Fetch, Reach};
    let body = Secret::new(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
    let mut fetch = Fetch::post(fake.url(), Reach::Local, "application/json", body);
    if let Some(sent) = sent {
        fetch = fetch.header(reqwest::header::AUTHORIZATION, sent.clone());
    }
    let document = fake.net.fetch(&fetch).await.unwrap();
    let challenges = document.headers.get_all("www-authenticate").iter();
    let challenges = challenges.map(|value| value.to_str().unwrap().to_owned());
    (document.status, challenges.collect())
}

fn words(gate: &Gate, fake: &Fake) -> String {
    let barred = gate.barred().unwrap();
    let text = format!("{barred} {barred:?} {gate:?}");
    assert!(!text.contains(CANARY), "{text}");
    barred
        .to_string()
        .replace(&format!(":{}", fake.server.port()), "")
}

fn with_somebody(fake: &Fake) -> Gate {
    Gate::with_agent(fake.access().0, Arc::new(fake.nobody()))
}

#[tokio::test]
async fn without_a_sign_in_it_is_said_where_to() {
    for (oddities, expected) in [
        (Oddities::default(), "sign in at `127.0.0.1`"),
        (
            Oddities {
                resource: json!(null),
                points: false,
                ..Oddities::default()
            },
            "sign in at `127.0.0.1`",
        ),
        (
            Oddities {
                server: json!({"registration_endpoint": null}),
                ..Oddities::default()
            },
            "`127.0.0.1` needs a client id you registered yourself",
        ),
        (
            Oddities {
                resource: json!({"resource": "https://other.example/mcp"}),
                ..Oddities::default()
            },
            "the server's metadata is refused: it describes `https://other.example/mcp`, which is not this server",
        ),
    ] {
        let fake = Fake::start(oddities).await;
        let gate = Gate::new(fake.access().0);
        assert_eq!(call(&fake, &gate, "tools/list").await, (401, 1));
        assert_eq!(words(&gate, &fake), expected);
        let is_mismatch = matches!(gate.barred(), Some(Barred::Mismatch(_)));
        assert_eq!(is_mismatch, expected.contains("other.example"));
        assert_eq!(fake.times("/register") + fake.times("/token"), 0);
    }
}

#[tokio::test]
async fn what_is_kept_opens_and_is_renewed_where_it_is_refused() {
    let fake = Fake::start(Oddities::default()).await;
    let (access, memory) = fake.access();
    access.sign_in(None, &fake.nobody()).await.unwrap();
    let gate = Gate::new(fake.access_with(&memory));
    assert_eq!(call(&fake, &gate, "tools/list").await, (200, 1));
    fake.expire();
    assert_eq!(call(&fake, &gate, "tools/list").await, (200, 2));
    assert_eq!(call(&fake, &gate, "tools/list").await, (200, 1));
    assert_eq!(gate.barred(), None);
    // Whoever shows what the server says knows what must not be in it.
    let secrets = gate.secrets();
    let secrets: Vec<&str> = secrets.iter().map(Secret::expose).collect();
    assert_eq!(secrets, ["canary-access-2", "canary-access-3"]);

    fake.expire();
    fake.behave(|oddities| oddities.token_reply = Some((400, json!({"error": "invalid_grant"}))));
    assert_eq!(call(&fake, &gate, "tools/list").await, (401, 1));
    assert_eq!(words(&gate, &fake), "the sign-in at `127.0.0.1` has ended");
}

#[tokio::test]
async fn a_server_that_refuses_what_was_just_issued_is_asked_once() {
    let fake = Fake::start(Oddities {
        refuses: Some(401),
        ..Oddities::default()
    })
    .await;
    let gate = with_somebody(&fake);
    // A new scope each time, as if more of them would help.
    fake.behave(|oddities| {
        oddities.challenge = ", error=\"insufficient_scope\", scope=\"s1\"".to_owned()
    });
    assert_eq!(call(&fake, &gate, "tools/list").await, (401, 2));
    assert_eq!(
        words(&gate, &fake),
        "it refuses the very token that `127.0.0.1` has just issued for it"
    );
    assert_eq!(fake.times("/authorize"), 1);

    // The same where nobody signs in.
    let (access, memory) = fake.access();
    access.sign_in(None, &fake.nobody()).await.unwrap();
    let gate = Gate::new(fake.access_with(&memory));
    assert_eq!(call(&fake, &gate, "tools/list").await, (401, 2));
    assert!(matches!(gate.barred(), Some(Barred::Loop { .. })));
}

#[tokio::test]
async fn missing_scopes_are_added_to_those_that_were_granted() {
    let fake = Fake::start(Oddities {
        challenge: ", scope=\"read\"".to_owned(),
        ..Oddities::default()
    })
    .await;
    let gate = with_somebody(&fake);
    assert_eq!(call(&fake, &gate, "tools/list").await, (200, 2));
    fake.behave(|oddities| {
        oddities.needs = Some("write");
        oddities.challenge = ", error=\"insufficient_scope\", scope=\"write\"".to_owned();
    });
    assert_eq!(call(&fake, &gate, "tools/call").await, (200, 2));
    assert_eq!(fake.to("/authorize")[1].get("scope"), Some("read write"));

    // Where nobody can be asked, it is said what is missing.
    let quiet = Gate::new(fake.access().0);
    let (access, memory) = fake.access();
    access.sign_in(None, &fake.nobody()).await.unwrap();
    fake.behave(|oddities| oddities.needs = Some("admin"));
    let kept = Gate::new(fake.access_with(&memory));
    assert_eq!(call(&fake, &kept, "tools/call").await, (403, 1));
    assert_eq!(
        words(&kept, &fake),
        "the sign-in at `127.0.0.1` lacks the scopes `write`"
    );
    assert_eq!(quiet.barred(), None);
    // A token that comes back as a scope is not shown.
    let token = access.token().await.unwrap().unwrap();
    let echo = format!(
        ", error=\"insufficient_scope\", scope=\"write {}\"",
        token.expose()
    );
    fake.behave(|oddities| oddities.challenge = echo);
    call(&fake, &kept, "tools/call").await;
    assert_eq!(
        words(&kept, &fake),
        "the sign-in at `127.0.0.1` lacks the scopes `write`"
    );
}

#[tokio::test]
async fn steps_up_that_change_nothing_end() {
    let fake = Fake::start(Oddities {
        challenge: ", error=\"insufficient_scope\", scope=\"admin\"".to_owned(),
        refuses: Some(403),
        ..Oddities::default()
    })
    .await;
    let gate = with_somebody(&fake);
    assert_eq!(call(&fake, &gate, "tools/list").await, (403, 2));
    assert_eq!(fake.times("/authorize"), 1);
    // Ever new scopes: a few times.
    for count in 0..10 {
        fake.behave(|oddities| {
            oddities.challenge = format!(", error=\"insufficient_scope\", scope=\"s{count}\"");
        });
        call(&fake, &gate, "tools/call").await;
    }
    assert!(
        fake.times("/authorize") <= 4,
        "{}",
        fake.times("/authorize")
    );
    assert!(matches!(gate.barred(), Some(Barred::Scope { .. })));
}

#[tokio::test]
async fn a_plain_no_is_no_question_of_signing_in() {
    let fake = Fake::start(Oddities {
        refuses: Some(403),
        ..Oddities::default()
    })
    .await;
    let gate = with_somebody(&fake);
    assert_eq!(call(&fake, &gate, "tools/list").await, (403, 2));
    assert_eq!(gate.barred(), Some(Barred::Forbidden));
    assert_eq!(fake.times("/authorize"), 1);
}

#[tokio::test]
async fn a_server_that_names_another_issuer_is_signed_in_to_there() {
    let (first, second) = (
        Fake::start(Oddities::default()).await,
        Fake::start(Oddities::default()).await,
    );
    let gate = with_somebody(&first);
    assert_eq!(call(&first, &gate, "tools/list").await, (200, 2));
    let issuer = second.server.url("/").to_string();
    let issuer = issuer.trim_end_matches('/').to_owned();
    first.behave(|oddities| {
        oddities.resource = json!({"authorization_servers": [issuer]});
        oddities.token_reply = Some((400, json!({"error": "invalid_grant"})));
        oddities.refuses = Some(401);
    });
    // The fake takes its own tokens alone: what counts is who was asked.
    call(&first, &gate, "tools/call").await;
    assert_eq!((second.times("/register"), second.times("/token")), (1, 1));
    assert_eq!(first.times("/register"), 1);
}

#[tokio::test]
async fn many_requests_sign_in_once() {
    let fake = Arc::new(Fake::start(Oddities::default()).await);
    let gate = with_somebody(&fake);
    let many: Vec<_> = (0..6)
        .map(|_| {
            let (fake, gate) = (fake.clone(), gate.clone());
            tokio::spawn(async move { call(&fake, &gate, "tools/list").await.0 })
        })
        .collect();
    for one in many {
        assert_eq!(one.await.unwrap(), 200);
    }
    assert_eq!(fake.times("/authorize"), 1);
}
