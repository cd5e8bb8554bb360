//! Streamable HTTP of the legacy era: sessions, streams that are gone on with, and the stream beside all requests.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use muster_client::Version;
use serde_json::{Value, json};

use crate::server::{Asked, Reply, Server, eventually};
use crate::way::Way;

fn answer(asked: &Asked, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": asked.json()["id"], "result": result})
}

/// The answer to `initialize`, which gives `session`.
fn begun(asked: &Asked, session: &str) -> Reply {
    let result = json!({"protocolVersion": "2025-11-25"});
    let body = answer(asked, &result).to_string();
    let headers = [
        ("Content-Type", "application/json"),
        ("Mcp-Session-Id", session),
    ];
    Reply::new(200, &headers, &body)
}

fn lines(server: &Server) -> Vec<String> {
    let line = |asked: &Asked| {
        let what = match asked.rpc() {
            rpc if rpc.is_empty() => asked.method.clone(),
            rpc => rpc,
        };
        let said = |name: &str| asked.header(name).unwrap_or("-").to_owned();
        format!(
            "{what} {} {}",
            said("mcp-session-id"),
            said("mcp-protocol-version")
        )
    };
    server.asked().iter().map(line).collect()
}

#[tokio::test]
async fn a_session_is_said_with_everything_after_it_was_given_and_ended_in_the_end() {
    let server = Server::start(|asked| match asked.rpc().as_str() {
        "initialize" => begun(asked, "s-1"),
        "" => Reply::new(405, &[], ""),
        "notifications/initialized" => Reply::new(202, &[], ""),
        // Only the answer to `initialize` gives sessions.
        _ => {
            let headers = [
                ("Content-Type", "application/json"),
                ("Mcp-Session-Id", "other"),
            ];
            Reply::new(200, &headers, &answer(asked, &json!({})).to_string())
        }
    })
    .await;
    let mut way = Way::to(&server);
    assert_eq!(
        way.initialize().await,
        "Number(1): {\"protocolVersion\":\"2025-11-25\"}"
    );
    for id in 2..=3 {
        way.legacy(id, "tools/list", json!({})).await;
        assert_eq!(way.next().await, format!("Number({id}): {{}}"));
    }
    way.transport.close().await;
    assert_eq!(
        lines(&server),
        [
            "initialize - -",
            "notifications/initialized s-1 2025-11-25",
            "tools/list s-1 2025-11-25",
            "tools/list s-1 2025-11-25",
            "DELETE s-1 2025-11-25",
        ]
    );
    let modern = ["mcp-method", "mcp-name"];
    for asked in server.asked() {
        assert!(modern.iter().all(|name| asked.header(name).is_none()));
    }
}

#[tokio::test]
async fn the_end_of_a_session_is_not_waited_for_long() {
    let server = Server::start(|asked| match asked.rpc().as_str() {
        "initialize" => begun(asked, "s-1"),
        "" => Reply::nothing().hanging(),
        _ => Reply::new(202, &[], ""),
    })
    .await;
    let mut way = Way::to(&server);
    way.initialize().await;
    let before = Instant::now();
    way.transport.close().await;
    assert!(before.elapsed() < Duration::from_secs(4));
    assert_eq!(lines(&server).last().unwrap(), "DELETE s-1 2025-11-25");
}

#[tokio::test]
async fn a_session_that_cannot_be_sent_back_is_refused() {
    for odd in ["a b", "\u{fc}", &"x".repeat(1025)] {
        let odd = odd.to_owned();
        let server = Server::start(move |asked| begun(asked, &odd)).await;
        let mut way = Way::to(&server);
        way.legacy(1, "initialize", json!({})).await;
        let expected = "lost 1: the server gives a session id that no client may send back";
        assert_eq!(way.next().await, expected);
    }
}

#[tokio::test]
async fn a_revision_that_nobody_knows_is_said_as_the_server_wrote_it() {
    let server = Server::start(|asked| match asked.rpc().as_str() {
        "initialize" => Reply::json(
            200,
            &answer(asked, &json!({"protocolVersion": "2099-01-01"})),
        ),
        _ => Reply::json(200, &answer(asked, &json!({}))),
    })
    .await;
    let mut way = Way::to(&server);
    way.initialize().await;
    way.legacy(2, "tools/list", json!({})).await;
    assert_eq!(lines(&server)[1], "notifications/initialized - 2099-01-01");
}

/// Forgets its first session after one request, and answers `code` from then on.
async fn forgetful(code: u16, every: bool) -> Server {
    let (given, used) = (AtomicUsize::new(0), Mutex::new(Vec::<String>::new()));
    Server::start(move |asked| {
        if asked.rpc() == "initialize" {
            let number = given.fetch_add(1, Ordering::Relaxed) + 1;
            return begun(asked, &format!("s-{number}"));
        }
        let session = asked
            .header("mcp-session-id")
            .unwrap_or_default()
            .to_owned();
        let mut used = used.lock().unwrap();
        let listing = asked.rpc() == "tools/list";
        if used.contains(&session) && session == "s-1" || every && listing {
            let error = json!({"code": -32001, "message": "Session not found"});
            return Reply::json(code, &json!({"jsonrpc": "2.0", "id": null, "error": error}));
        }
        used.push(session);
        match asked.json().get("id") {
            Some(_) => Reply::json(200, &answer(asked, &json!({"n": 1}))),
            None => Reply::new(202, &[], ""),
        }
    })
    .await
}

#[tokio::test]
async fn a_forgotten_session_is_begun_anew_once_and_the_request_sent_again() {
    let server = forgetful(404, false).await;
    let mut way = Way::to(&server);
    way.initialize().await;
    way.legacy(2, "tools/list", json!({})).await;
    let odd = "odd: Other(\"it forgot the session; another one was begun\")";
    assert_eq!(way.next().await, odd);
    assert_eq!(way.next().await, "Number(2): {\"n\":1}");
    way.transport.close().await;
    assert_eq!(
        lines(&server),
        [
            "initialize - -",
            "notifications/initialized s-1 2025-11-25",
            "tools/list s-1 2025-11-25",
            "initialize - -",
            "notifications/initialized s-2 2025-11-25",
            "tools/list s-2 2025-11-25",
            "DELETE s-2 2025-11-25",
        ]
    );
}

#[tokio::test]
async fn requests_that_find_the_session_gone_together_begin_one_anew() {
    let server = forgetful(404, false).await;
    let mut way = Way::to(&server);
    way.initialize().await;
    for id in 2..=6 {
        way.legacy(id, "tools/call", json!({})).await;
    }
    let mut answers = 0;
    while answers < 5 {
        let heard = way.next().await;
        answers += usize::from(heard.starts_with("Number"));
        assert!(
            heard.starts_with("Number") || heard.starts_with("odd"),
            "{heard}"
        );
    }
    let begun = lines(&server)
        .iter()
        .filter(|line| line.starts_with("initialize"))
        .count();
    assert_eq!(begun, 2);
}

#[tokio::test]
async fn a_session_that_is_forgotten_again_and_again_is_no_loop() {
    let server = forgetful(404, true).await;
    let mut way = Way::to(&server);
    way.initialize().await;
    way.legacy(2, "tools/list", json!({})).await;
    for _ in 0..2 {
        assert!(way.next().await.starts_with("odd"));
    }
    let expected = "lost 2: the server says that the session has expired (HTTP 404)";
    assert_eq!(way.next().await, expected);
    let begun = lines(&server)
        .iter()
        .filter(|line| line.starts_with("initialize"))
        .count();
    assert_eq!(begun, 3);
}

#[tokio::test]
async fn a_session_that_is_good_for_one_message_alone_is_used_for_the_request() {
    let left = AtomicUsize::new(0);
    let server = Server::start(move |asked| match asked.rpc().as_str() {
        "initialize" => {
            left.store(1, Ordering::Relaxed);
            // Always the same name: the server may have forgotten that it gave it.
            begun(asked, "s-1")
        }
        _ if left.swap(0, Ordering::Relaxed) == 0 => Reply::new(404, &[], ""),
        "tools/list" => Reply::json(200, &answer(asked, &json!({"n": 1}))),
        _ => Reply::new(202, &[], ""),
    })
    .await;
    let mut way = Way::to(&server);
    way.initialize().await;
    way.legacy(2, "tools/list", json!({})).await;
    for _ in 0..2 {
        assert!(way.next().await.starts_with("odd"));
    }
    assert_eq!(way.next().await, "Number(2): {\"n\":1}");
    eventually(|| lines(&server).len() == 9).await;
    let greeting = "notifications/initialized s-1 2025-11-25";
    assert_eq!(
        lines(&server)[6..],
        ["initialize - -", "tools/list s-1 2025-11-25", greeting]
    );
}

#[tokio::test]
async fn a_session_that_expires_with_another_status_is_told_as_such() {
    let server = forgetful(400, false).await;
    let mut way = Way::to(&server);
    way.initialize().await;
    way.legacy(2, "tools/list", json!({})).await;
    let expected = "lost 2: the server says that the session has expired (HTTP 400)";
    assert_eq!(way.next().await, expected);
    assert_eq!(server.asked().len(), 3);
}

#[tokio::test]
async fn a_stream_that_breaks_off_is_gone_on_with_after_the_time_it_says() {
    let server = Server::start(
        |asked| match (asked.method.as_str(), asked.rpc().as_str()) {
            (_, "initialize") => begun(asked, "s-1"),
            ("GET", _) => match asked.header("last-event-id") {
                Some("e-1") => Reply::events().then("id: e-2\nretry: 20\ndata:\n\n"),
                _ => Reply::events()
                    .then("data: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"n\":2}}\n\n")
                    .hanging(),
            },
            (_, "tools/call") => Reply::events().then("id: e-1\nretry: 200\ndata: \n\n"),
            _ => Reply::new(202, &[], ""),
        },
    )
    .await;
    let mut way = Way::to(&server);
    way.initialize().await;
    let before = Instant::now();
    way.legacy(2, "tools/call", json!({})).await;
    assert_eq!(way.next().await, "Number(2): {\"n\":2}");
    assert!(before.elapsed() >= Duration::from_millis(220));
    let gets: Vec<Asked> = server
        .asked()
        .into_iter()
        .filter(|asked| asked.method == "GET")
        .collect();
    let ids: Vec<_> = gets
        .iter()
        .map(|asked| asked.header("last-event-id"))
        .collect();
    assert_eq!(ids, [Some("e-1"), Some("e-2")]);
    for asked in &gets {
        assert_eq!(asked.header("accept"), Some("text/event-stream"));
        assert_eq!(asked.header("mcp-session-id"), Some("s-1"));
        assert_eq!(asked.header("mcp-protocol-version"), Some("2025-11-25"));
    }
}

#[tokio::test]
async fn a_stream_is_not_gone_on_with_for_ever_nor_without_an_id_nor_in_the_modern_era() {
    let server = Server::start(
        |asked| match (asked.method.as_str(), asked.rpc().as_str()) {
            ("GET", _) if asked.header("last-event-id") == Some("refused") => {
                Reply::new(405, &[], "")
            }
            ("GET", _) => Reply::events(),
            (_, "tools/call") => Reply::events().then("id: e-1\nretry: 1\ndata:\n\n"),
            (_, "prompts/get") => Reply::events().then("id: refused\nretry: 1\ndata:\n\n"),
            _ => Reply::events().then("retry: 1\ndata:\n\n"),
        },
    )
    .await;
    let mut way = Way::to(&server);
    let ended = |id: i64| format!("lost {id}: the stream ended before the answer");
    way.legacy(1, "tools/call", json!({})).await;
    assert_eq!(way.next().await, ended(1));
    assert_eq!(server.asked().len(), 6);
    way.legacy(2, "prompts/get", json!({})).await;
    assert_eq!(way.next().await, ended(2));
    assert_eq!(server.asked().len(), 8);
    way.legacy(3, "resources/read", json!({})).await;
    assert_eq!(way.next().await, ended(3));
    way.modern(4, "tools/call", json!({})).await;
    assert_eq!(way.next().await, ended(4));
    assert_eq!(server.asked().len(), 10);
}

#[tokio::test]
async fn a_request_of_the_legacy_era_is_not_cancelled_by_its_stream() {
    let server = Server::start(|_| Reply::events().hanging()).await;
    let way = Way::to(&server);
    way.legacy(1, "tools/call", json!({})).await;
    eventually(|| server.asked().len() == 1).await;
    assert!(!way.transport.forget(1), "the session has to say so");
    eventually(|| server.gone() == 1).await;
}

#[tokio::test]
async fn the_stream_beside_is_optional_and_asked_for_only_where_it_is_wanted() {
    for (status, kind) in [
        (404, "text/plain"),
        (406, "text/event-stream"),
        (200, "text/html"),
        (405, ""),
    ] {
        let server =
            Server::start(
                move |asked| match (asked.method.as_str(), asked.rpc().as_str()) {
                    (_, "initialize") => begun(asked, "s-1"),
                    ("GET", _) => Reply::new(status, &[("Content-Type", kind)], "<html>hi</html>"),
                    (_, "tools/list") => Reply::json(200, &answer(asked, &json!({}))),
                    _ => Reply::new(202, &[], ""),
                },
            )
            .await;
        let mut way = Way::to(&server);
        way.initialize().await;
        way.silence().await;
        assert!(lines(&server).iter().all(|line| !line.starts_with("GET")));

        let mut way = Way::listening_to(&server);
        way.initialize().await;
        eventually(|| lines(&server).contains(&"GET s-1 2025-11-25".to_owned())).await;
        way.silence().await;
        way.legacy(2, "tools/list", json!({})).await;
        assert_eq!(way.next().await, "Number(2): {}");
        let gets = lines(&server)
            .iter()
            .filter(|line| line.starts_with("GET"))
            .count();
        assert_eq!(gets, 1, "{status} {kind}");
    }
}

#[tokio::test]
async fn what_comes_over_the_stream_beside_is_heard_also_after_a_break() {
    let note = |n: usize| {
        let note = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": n});
        format!("id: n-{n}\nretry: 10\ndata: {note}\n\n")
    };
    let server = Server::start(
        move |asked| match (asked.method.as_str(), asked.rpc().as_str()) {
            (_, "initialize") => begun(asked, "s-1"),
            ("GET", _) => match asked.header("last-event-id") {
                None => Reply::events().then(&note(1)),
                Some(_) => Reply::events().then(&note(2)).hanging(),
            },
            _ => Reply::new(202, &[], ""),
        },
    )
    .await;
    let mut way = Way::listening_to(&server);
    way.initialize().await;
    assert_eq!(way.next().await, "notifications/message 1");
    assert_eq!(way.next().await, "notifications/message 2");
    way.transport.close().await;
    eventually(|| server.gone() == 1).await;
}

#[tokio::test]
async fn a_notification_is_with_the_server_before_the_next_message_is_sent() {
    let server = Server::start(|asked| match asked.rpc().as_str() {
        "slow" => Reply::nothing().after(
            Duration::from_millis(100),
            "HTTP/1.1 202 A\r\nContent-Length: 0\r\n\r\n",
        ),
        "never" => Reply::nothing().hanging(),
        "refused" => Reply::new(400, &[], ""),
        _ => Reply::new(204, &[], ""),
    })
    .await;
    let mut way = Way::to(&server);
    let legacy = Some(Version::V2025_06_18);
    let before = Instant::now();
    way.say(None, "slow", json!({}), legacy).await.unwrap();
    assert!(before.elapsed() >= Duration::from_millis(100));
    way.say(None, "fine", json!({}), legacy).await.unwrap();
    way.silence().await;
    way.say(None, "refused", json!({}), legacy).await.unwrap();
    assert_eq!(
        way.next().await,
        "odd: Other(\"it answers a notification with HTTP 400\")"
    );
    way.say(None, "never", json!({}), legacy).await.unwrap();
    assert_eq!(
        way.next().await,
        "odd: Other(\"it does not acknowledge notifications\")"
    );
    way.transport.close().await;
    eventually(|| server.gone() == 1).await;
}
