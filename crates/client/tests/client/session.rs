//! What a server may do during a conversation, and what it may not.

use std::time::Duration;

use crate::listing::{list, names, tools};
use crate::server::{Act, Heard, Server, act, begin};
use muster_client::{Ask, EraChoice, Happening, Limits, Manner, Oddity, RequestError, Session};
use serde_json::{Value, json};
use tokio::time::Instant;

pub(crate) async fn session_in(manner: Manner, acting: Act) -> (Session, Heard) {
    let heard = Heard::default();
    let connection = begin(vec![acting], manner, EraChoice::Detect, &heard).await;
    (connection.expect("a conversation").session, heard)
}

pub(crate) async fn session(acting: Act) -> (Session, Heard) {
    session_in(Manner::default(), acting).await
}

#[tokio::test(start_paused = true)]
async fn a_line_that_is_too_long_is_dropped_and_the_next_one_read() {
    let limits = Limits {
        message: 1000,
        ..Limits::default()
    };
    let manner = Manner {
        limits,
        ..Manner::default()
    };
    let (session, heard) = session_in(
        manner,
        act(async |mut server: Server| {
            server.be_legacy().await;
            let id = server.expect("tools/list").await;
            server.say(&"x".repeat(5000)).await;
            server.result(&id, json!({"tools": tools(&["a"])})).await;
            server.stay().await;
        }),
    )
    .await;
    assert_eq!(names(&list(&session).await.unwrap()), ["a"]);
    assert_eq!(heard.oddities(), [Oddity::TooLong { bytes: 5000 }]);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_too_long_is_not_waited_for() {
    let limits = Limits {
        message: 1000,
        ..Limits::default()
    };
    let manner = Manner {
        limits,
        ..Manner::default()
    };
    let (session, _) = session_in(
        manner,
        act(async |mut server: Server| {
            server.be_legacy().await;
            let id = server.expect("tools/list").await;
            server
                .result(&id, json!({"tools": ["x".repeat(5000)]}))
                .await;
            server.stay().await;
        }),
    )
    .await;
    let started = tokio::time::Instant::now();
    let error = list(&session).await.unwrap_err();
    assert_eq!(error.to_string(), "the answer is longer than 1000 bytes");
    assert!(started.elapsed() < std::time::Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn floods_end_the_conversation() {
    let request = r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#;
    let notification =
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}"#;
    for (line, what) in [(request, "requests"), (notification, "notifications")] {
        let (session, _) = session(act(async move |mut server: Server| {
            server.be_legacy().await;
            server.expect("tools/list").await;
            for _ in 0..20_000 {
                server.say(line).await;
            }
            server.stay().await;
        }))
        .await;
        let error = list(&session).await.unwrap_err();
        assert_eq!(error, RequestError::Flood(what));
        assert_eq!(list(&session).await.unwrap_err(), RequestError::Flood(what));
    }
}

#[tokio::test(start_paused = true)]
async fn a_modern_server_that_asks_is_answered_unless_that_is_forbidden() {
    for strict in [false, true] {
        let manner = Manner {
            strict,
            ..Manner::default()
        };
        let (session, heard) = session_in(
            manner,
            act(async move |mut server: Server| {
                server.be_modern().await;
                let id = server.expect("tools/list").await;
                server
                    .say(r#"{"jsonrpc":"2.0","id":"s1","method":"ping"}"#)
                    .await;
                if !strict {
                    let answer = server.next().await.unwrap();
                    assert_eq!(answer, json!({"jsonrpc": "2.0", "id": "s1", "result": {}}));
                }
                server
                    .result(&id, json!({"resultType": "complete", "tools": []}))
                    .await;
                assert_eq!(server.next().await, None, "nothing more is said");
            }),
        )
        .await;
        list(&session).await.unwrap();
        session.close().await;
        let method = "ping".to_owned();
        assert_eq!(heard.oddities(), [Oddity::AskedClient { method }]);
    }
}

pub(crate) fn call(limits: &Limits) -> Ask {
    let mut ask = Ask::new("tools/call", json!({"name": "t", "arguments": {}}), limits);
    ask.progress = true;
    ask
}

#[tokio::test(start_paused = true)]
async fn progress_makes_patient_up_to_a_point() {
    let (session, heard) = session(act(async |mut server: Server| {
        server.be_legacy().await;
        let asked = server.next().await.unwrap();
        let token = asked["params"]["_meta"]["progressToken"].clone();
        for step in 1.. {
            tokio::time::sleep(Duration::from_secs(50)).await;
            let params = json!({"progressToken": token, "progress": step, "message": "on"});
            let told =
                json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params});
            server.say(&told.to_string()).await;
        }
    }))
    .await;
    let started = Instant::now();
    let error = session.ask(call(&Limits::default())).await.unwrap_err();
    assert_eq!(error.to_string(), "no answer to tools/call within 600 s");
    assert_eq!(started.elapsed(), Duration::from_secs(600));
    let told = heard.all();
    let told = told
        .iter()
        .filter(|told| matches!(told, Happening::Progress { .. }));
    assert_eq!(told.count(), 11);
}

#[tokio::test(start_paused = true)]
async fn progress_that_does_not_grow_is_none() {
    let (session, heard) = session(act(async |mut server: Server| {
        server.be_legacy().await;
        let asked = server.next().await.unwrap();
        let token = asked["params"]["_meta"]["progressToken"].clone();
        for progress in [1.0, 1.0, 0.5] {
            tokio::time::sleep(Duration::from_secs(20)).await;
            let params = json!({"progressToken": token, "progress": progress});
            let told =
                json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params});
            server.say(&told.to_string()).await;
        }
        server.stay().await;
    }))
    .await;
    let started = Instant::now();
    let error = session.ask(call(&Limits::default())).await.unwrap_err();
    assert_eq!(error.to_string(), "no answer to tools/call within 60 s");
    // Only the first, at 20 s, says that it goes on.
    assert_eq!(started.elapsed(), Duration::from_secs(80));
    let told = heard.all();
    let told = told
        .iter()
        .filter(|told| matches!(told, Happening::Progress { .. }));
    assert_eq!(told.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_reads_does_not_hold_us() {
    let (session, _) = session(act(async |mut server: Server| {
        server.be_legacy().await;
        // It keeps its ends open and does nothing.
        tokio::time::sleep(Duration::from_secs(3600)).await;
        drop(server);
    }))
    .await;
    let mut ask = call(&Limits::default());
    ask.params
        .insert("big".to_owned(), "x".repeat(1_000_000).into());
    let started = Instant::now();
    let error = session.ask(ask).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the server does not read what it is sent"
    );
    assert_eq!(started.elapsed(), Limits::default().write);
}

#[tokio::test(start_paused = true)]
async fn a_request_that_is_dropped_is_cancelled() {
    let (session, _) = session(act(async |mut server: Server| {
        server.be_legacy().await;
        let id = server.expect("tools/call").await;
        let cancelled = server.next().await.unwrap();
        assert_eq!(cancelled["method"], "notifications/cancelled");
        assert_eq!(cancelled["params"]["requestId"], id);
        let id = server.expect("ping").await;
        server.result(&id, json!({})).await;
        server.stay().await;
    }))
    .await;
    let pending = session.open(call(&Limits::default())).await.unwrap();
    drop(pending);
    tokio::task::yield_now().await;
    let ping = Ask::new("ping", Value::Null, &Limits::default());
    assert_eq!(session.ask(ping).await.unwrap(), json!({}));
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_server_fails_what_is_open() {
    let (session, _) = session(act(async |mut server: Server| {
        server.be_legacy().await;
        server.expect("tools/list").await;
    }))
    .await;
    let error = list(&session).await.unwrap_err();
    assert_eq!(error.to_string(), "the server closed the connection");
}
