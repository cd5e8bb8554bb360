//! Changes that servers tell of.

use std::time::Duration;

use muster_client::{
    Change, EraChoice, Filter, Limits, ListenError, ListeningEnd, Manner, RequestError,
    ServerFacts, Session,
};
use serde_json::{Value, json};

use crate::server::{Act, Heard, Server, act, begin};

async fn connection(acting: Act) -> (Session, ServerFacts) {
    let heard = Heard::default();
    let connection = begin(vec![acting], Manner::default(), EraChoice::Detect, &heard).await;
    let connection = connection.unwrap();
    (connection.session, connection.facts)
}

fn everything() -> Filter {
    Filter {
        tools: true,
        prompts: true,
        resources: true,
        uris: vec!["x://a".to_owned()],
    }
}

fn told(id: &Value, method: &str, mut params: Value) -> String {
    params["_meta"] = json!({"io.modelcontextprotocol/subscriptionId": id});
    json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string()
}

fn acknowledged(id: &Value, notifications: Value) -> String {
    let params = json!({"notifications": notifications});
    told(id, "notifications/subscriptions/acknowledged", params)
}

#[tokio::test(start_paused = true)]
async fn changes_of_this_subscription_alone_are_heard_until_its_end() {
    let (session, facts) = connection(act(async |mut server: Server| {
        server.be_modern().await;
        let asked = server.next().await.unwrap();
        assert_eq!(asked["method"], "subscriptions/listen");
        assert_eq!(
            asked["params"]["notifications"],
            json!({"toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true, "resourceSubscriptions": ["x://a"]})
        );
        let id = &asked["id"];
        let text = Value::from(id.to_string());
        let agreed = json!({"toolsListChanged": true, "resourceSubscriptions": ["x://a"]});
        // What bears no id, or the text of it, is not of this subscription.
        server.say(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#).await;
        server.say(&told(&text, "notifications/tools/list_changed", json!({}))).await;
        server.say(&acknowledged(id, agreed)).await;
        server.say(&told(&text, "notifications/tools/list_changed", json!({}))).await;
        // Not agreed to.
        server.say(&told(id, "notifications/prompts/list_changed", json!({}))).await;
        server.say(&told(id, "notifications/resources/updated", json!({"uri": "x://b"}))).await;
        server.say(&told(id, "notifications/resources/updated", json!({"uri": "x://a"}))).await;
        // It may take long.
        tokio::time::sleep(Duration::from_secs(100_000)).await;
        server.say(&told(id, "notifications/tools/list_changed", json!({}))).await;
        let meta = json!({"io.modelcontextprotocol/subscriptionId": id});
        server.result(id, json!({"resultType": "complete", "_meta": meta})).await;
        server.stay().await;
    }))
    .await;
    let mut listening = session.listen(&everything(), &facts).await.unwrap();
    assert!(listening.accepted().tools && !listening.accepted().prompts);
    assert_eq!(
        listening.next().await,
        Ok(Change::Resource("x://a".to_owned()))
    );
    assert_eq!(listening.next().await, Ok(Change::Tools));
    assert_eq!(listening.next().await, Err(ListeningEnd::Graceful));
}

#[tokio::test(start_paused = true)]
async fn a_subscription_that_begins_wrongly_is_none() {
    type Says = fn(&Value) -> String;
    let cases: [(Says, ListenError); 2] = [
        (
            |id| told(id, "notifications/tools/list_changed", json!({})),
            ListenError::Unacknowledged,
        ),
        (
            |id| {
                acknowledged(
                    id,
                    json!({"toolsListChanged": true, "resourceSubscriptions": ["x://b"]}),
                )
            },
            ListenError::TooMuch,
        ),
    ];
    for (says, error) in cases {
        let (session, facts) = connection(act(async move |mut server: Server| {
            server.be_modern().await;
            let id = server.expect("subscriptions/listen").await;
            server.say(&says(&id)).await;
            let cancelled = server.next().await.unwrap();
            assert_eq!(cancelled["method"], "notifications/cancelled");
            assert_eq!(cancelled["params"]["requestId"], id);
        }))
        .await;
        let listening = session.listen(&everything(), &facts).await;
        assert_eq!(listening.unwrap_err(), error);
        session.close().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_agrees_to_nothing_is_not_waited_for() {
    let (session, facts) = connection(act(async |mut server: Server| {
        server.be_modern().await;
        server.stay().await;
    }))
    .await;
    let error = session.listen(&everything(), &facts).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "no answer to subscriptions/listen within 60 s"
    );
}

#[tokio::test(start_paused = true)]
async fn every_end_is_told_apart() {
    for (kind, end) in [
        ("cancelled", ListeningEnd::TornDown),
        (
            "refused",
            ListeningEnd::Abrupt(RequestError::Refused(Box::new(
                muster_client::ErrorObject::read(json!({"code": -32603, "message": "x"})),
            ))),
        ),
        ("flood", ListeningEnd::Overflow),
    ] {
        let (session, facts) = connection(act(async move |mut server: Server| {
            server.be_modern().await;
            let id = server.expect("subscriptions/listen").await;
            server.say(&acknowledged(&id, json!({"toolsListChanged": true}))).await;
            match kind {
                "cancelled" => {
                    let cancelled = |id: Value| {
                        let params = json!({"requestId": id});
                        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}).to_string()
                    };
                    // Another request's end is not this one's.
                    server.say(&cancelled(json!(999))).await;
                    server.say(&cancelled(id)).await;
                }
                "refused" => server.error(&id, json!({"code": -32603, "message": "x"})).await,
                _ => {
                    // Once somebody listens.
                    tokio::time::sleep(Duration::from_millis(1)).await;
                    for _ in 0..200 {
                        server.say(&told(&id, "notifications/tools/list_changed", json!({}))).await;
                    }
                }
            }
            server.stay().await;
        }))
        .await;
        let mut listening = session.listen(&everything(), &facts).await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
        let mut ended = listening.next().await;
        if kind == "flood" {
            // Some are heard before it is noticed.
            while ended == Ok(Change::Tools) {
                ended = listening.next().await;
            }
        }
        assert_eq!(ended, Err(end), "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_breaks_is_listened_to_again_and_anything_may_have_changed() {
    let (session, facts) = connection(act(async |mut server: Server| {
        server.be_modern().await;
        let id = server.expect("subscriptions/listen").await;
        server
            .say(&acknowledged(&id, json!({"toolsListChanged": true})))
            .await;
        server
            .error(&id, json!({"code": -32603, "message": "x"}))
            .await;
        let id = server.expect("subscriptions/listen").await;
        server
            .error(&id, json!({"code": -32603, "message": "still"}))
            .await;
        let id = server.expect("subscriptions/listen").await;
        server
            .say(&acknowledged(&id, json!({"toolsListChanged": true})))
            .await;
        server
            .say(&told(&id, "notifications/tools/list_changed", json!({})))
            .await;
        server.stay().await;
    }))
    .await;
    let mut following = session.follow(everything(), &facts).await.unwrap();
    assert_eq!(following.next().await, Ok(Change::Anything));
    assert_eq!(following.next().await, Ok(Change::Tools));
}

#[tokio::test(start_paused = true)]
async fn a_legacy_server_tells_what_it_declares() {
    let (session, facts) = connection(act(async |mut server: Server| {
        let id = server.expect("server/discover").await;
        server.error(&id, json!({"code": -32601, "message": "no"})).await;
        let id = server.expect("initialize").await;
        let capabilities = json!({"tools": {"listChanged": true}, "resources": {"subscribe": true}});
        server
            .result(&id, json!({"protocolVersion": "2025-06-18", "capabilities": capabilities, "serverInfo": {"name": "s", "version": "1"}}))
            .await;
        server.expect("notifications/initialized").await;
        let asked = server.next().await.unwrap();
        assert_eq!(asked["method"], "resources/subscribe");
        assert_eq!(asked["params"], json!({"uri": "x://a"}));
        server.result(&asked["id"], json!({})).await;
        server.say(r#"{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}"#).await;
        server.say(r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"x://a"}}"#).await;
        server.say(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#).await;
        // It hangs up.
    }))
    .await;
    let mut listening = session.listen(&everything(), &facts).await.unwrap();
    assert!(listening.accepted().tools && !listening.accepted().resources);
    assert_eq!(
        listening.next().await,
        Ok(Change::Resource("x://a".to_owned()))
    );
    assert_eq!(listening.next().await, Ok(Change::Tools));
    let end = listening.next().await.unwrap_err();
    assert!(
        matches!(end, ListeningEnd::Abrupt(RequestError::Closed(_))),
        "{end:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_ear_that_stays_open_is_no_flood() {
    let limits = Limits {
        notifications: 50,
        ..Limits::default()
    };
    let manner = Manner {
        limits,
        ..Manner::default()
    };
    let acting = act(async |mut server: Server| {
        server.be_modern().await;
        let id = server.expect("subscriptions/listen").await;
        server
            .say(&acknowledged(&id, json!({"toolsListChanged": true})))
            .await;
        for _ in 0..200 {
            tokio::time::sleep(Duration::from_secs(2)).await;
            server
                .say(&told(&id, "notifications/tools/list_changed", json!({})))
                .await;
        }
        let meta = json!({"io.modelcontextprotocol/subscriptionId": id});
        server
            .result(&id, json!({"resultType": "complete", "_meta": meta}))
            .await;
        server.stay().await;
    });
    let heard = Heard::default();
    let connection = begin(vec![acting], manner, EraChoice::Detect, &heard)
        .await
        .unwrap();
    let (session, facts) = (connection.session, connection.facts);
    let mut listening = session.listen(&everything(), &facts).await.unwrap();
    for _ in 0..200 {
        assert_eq!(listening.next().await, Ok(Change::Tools));
    }
    assert_eq!(listening.next().await, Err(ListeningEnd::Graceful));
}
