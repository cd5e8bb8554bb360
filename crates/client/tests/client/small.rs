//! Completion, the server's log, and the end of what nobody waits for.

use muster_client::{Completion, EraChoice, Happening, Limits, Manner, Reference};
use serde_json::{Map, Value, json};

use crate::server::{Heard, Server, act, begin};
use crate::session::{call, session};

#[tokio::test(start_paused = true)]
async fn an_argument_is_completed_with_what_is_known_of_the_others() {
    let (session, _) = session(act(async |mut server: Server| {
        server.be_legacy().await;
        let asked = server.next().await.unwrap();
        assert_eq!(
            asked["params"],
            json!({
                "ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a", "value": "ty"},
                "context": {"arguments": {"b": "1"}},
            })
        );
        let values: Vec<String> = (0..150).map(|n| format!("typed{n}")).collect();
        server
            .result(&asked["id"], json!({"completion": {"values": values, "total": 150}}))
            .await;
        let asked = server.next().await.unwrap();
        assert_eq!(asked["params"]["ref"], json!({"type": "ref/resource", "uri": "x://{a}"}));
        assert_eq!(asked["params"].get("context"), None);
        server.result(&asked["id"], json!({"completion": {"values": ["x", 5]}})).await;
        let asked = server.next().await.unwrap();
        server.result(&asked["id"], json!({})).await;
        server.stay().await;
    }))
    .await;
    let others: Map<String, Value> = [("b".to_owned(), json!("1"))].into_iter().collect();
    let found = session
        .complete(Reference::Prompt("p"), "a", "ty", &others)
        .await
        .unwrap();
    assert_eq!(
        (found.values.len(), found.total, found.more),
        (100, Some(150), true)
    );
    let none = Map::new();
    let template = Reference::Template("x://{a}");
    let found = session.complete(template, "a", "", &none).await.unwrap();
    let expected = Completion {
        values: vec!["x".to_owned()],
        total: None,
        more: false,
    };
    assert_eq!(found, expected);
    let error = session
        .complete(template, "a", "", &none)
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the answer to completion/complete has no completion"
    );
}

#[tokio::test(start_paused = true)]
async fn a_legacy_log_is_asked_for_once_and_a_modern_one_with_each_request() {
    let acting = act(async |mut server: Server| {
        let id = server.expect("server/discover").await;
        server
            .error(&id, json!({"code": -32601, "message": "no"}))
            .await;
        let id = server.expect("initialize").await;
        server
            .result(&id, json!({"protocolVersion": "2025-11-25", "capabilities": {"logging": {}}, "serverInfo": {}}))
            .await;
        server.expect("notifications/initialized").await;
        let asked = server.next().await.unwrap();
        assert_eq!(
            (&asked["method"], &asked["params"]),
            (&json!("logging/setLevel"), &json!({"level": "debug"}))
        );
        server
            .say(r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","logger":"l","data":"d"}}"#)
            .await;
        server.result(&asked["id"], json!({})).await;
        server.stay().await;
    });
    let heard = Heard::default();
    let connection = begin(vec![acting], Manner::default(), EraChoice::Detect, &heard)
        .await
        .unwrap();
    assert_eq!(
        connection
            .session
            .want_log(&connection.facts, "debug")
            .await,
        Ok(true)
    );
    let logged = heard.all().into_iter().find_map(|told| match told {
        Happening::Log {
            level,
            logger,
            data,
        } => Some((level, logger, data)),
        _ => None,
    });
    assert_eq!(
        logged,
        Some(("debug".to_owned(), Some("l".to_owned()), json!("d")))
    );

    let acting = act(async |mut server: Server| {
        server.be_modern().await;
        let asked = server.next().await.unwrap();
        assert_eq!(
            asked["params"]["_meta"]["io.modelcontextprotocol/logLevel"],
            "warning"
        );
        server
            .result(&asked["id"], json!({"resultType": "complete"}))
            .await;
        server.stay().await;
    });
    let manner = Manner {
        log_level: Some("warning"),
        ..Manner::default()
    };
    let connection = begin(vec![acting], manner, EraChoice::Detect, &heard)
        .await
        .unwrap();
    assert_eq!(
        connection
            .session
            .want_log(&connection.facts, "warning")
            .await,
        Ok(true)
    );
    connection
        .session
        .ask(call(&Limits::default()))
        .await
        .unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_server_without_a_log_is_not_asked_for_it() {
    let heard = Heard::default();
    let acting = act(async |mut server: Server| {
        server.be_legacy().await;
        assert_eq!(server.next().await, None);
    });
    let connection = begin(vec![acting], Manner::default(), EraChoice::Detect, &heard)
        .await
        .unwrap();
    assert_eq!(
        connection.session.want_log(&connection.facts, "info").await,
        Ok(false)
    );
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_conversation_waits_until_the_server_was_told_what_is_cancelled() {
    let (told, mut telling) = tokio::sync::mpsc::channel(1);
    let (session, _) = session(act(async move |mut server: Server| {
        server.be_legacy().await;
        let id = server.expect("tools/call").await;
        let cancelled = server.next().await.expect("a word before the end");
        assert_eq!(cancelled["method"], "notifications/cancelled");
        assert_eq!(cancelled["params"]["requestId"], id);
        assert_eq!(server.next().await, None);
        told.send(()).await.unwrap();
    }))
    .await;
    let pending = session.open(call(&Limits::default())).await.unwrap();
    drop(pending);
    session.close().await;
    assert_eq!(telling.recv().await, Some(()));
}
