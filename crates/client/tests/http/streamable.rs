//! Streamable HTTP: what is sent in the modern era, and what becomes of every answer.

use std::time::Duration;

use muster_client::http::{OpenError, Remote, StreamableHttp};
use muster_client::{Loss, Outgoing, SendError, Version};
use muster_document::Secret;
use serde_json::{Value, json};

use crate::server::{Asked, Reply, Server, eventually};
use crate::way::{Way, limits, net};

fn answer(asked: &Asked, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": asked.json()["id"], "result": result})
}

fn event(message: &Value) -> String {
    format!("event: message\ndata: {message}\n\n")
}

#[tokio::test]
async fn a_modern_request_says_in_its_fields_what_its_body_says() {
    let server = Server::start(|asked| Reply::json(200, &answer(asked, &json!({})))).await;
    let mut remote = Remote::at(server.url("/mcp?k=v"));
    remote.headers = vec![
        ("X-Api-Key".to_owned(), Secret::new("k")),
        ("Accept".to_owned(), Secret::new("text/plain")),
        ("Mcp-Session-Id".to_owned(), Secret::new("mine")),
    ];
    let mut way = Way::with(&remote, false);
    for name in ["Accept", "Mcp-Session-Id"] {
        let text = format!("the configured header {name} is the protocol's own and is not sent");
        assert_eq!(way.next().await, format!("odd: Other({text:?})"));
    }
    let message = Outgoing {
        id: Some(7),
        method: "tools/call".to_owned(),
        body: json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "t"}}),
        version: Some(Version::MODERN),
        mirrored: vec![("Mcp-Param-Region".to_owned(), "eu".to_owned())],
        lists: false,
    };
    way.transport.send(message).await.unwrap();
    assert_eq!(way.next().await, "Number(7): {}");
    let asked = &server.asked()[0];
    assert_eq!(
        (asked.method.as_str(), asked.target.as_str()),
        ("POST", "/mcp?k=v")
    );
    let expected = [
        ("content-type", Some("application/json")),
        ("accept", Some("application/json, text/event-stream")),
        ("mcp-protocol-version", Some("2026-07-28")),
        ("mcp-method", Some("tools/call")),
        ("mcp-name", Some("t")),
        ("mcp-param-region", Some("eu")),
        ("x-api-key", Some("k")),
        ("mcp-session-id", None),
        ("last-event-id", None),
        ("accept-encoding", None),
        ("cookie", None),
        ("referer", None),
    ];
    for (name, value) in expected {
        assert_eq!(asked.header(name), value, "{name}");
    }
    way.transport.close().await;
    assert_eq!(
        server.asked().len(),
        1,
        "nothing is ended that was not begun"
    );
}

#[tokio::test]
async fn in_the_modern_era_only_requests_are_said() {
    let server = Server::start(|_| Reply::new(202, &[], "")).await;
    let way = Way::to(&server);
    let said = way
        .say(
            None,
            "notifications/cancelled",
            json!({}),
            Some(Version::MODERN),
        )
        .await;
    assert!(matches!(said, Err(SendError::Unsayable(_))), "{said:?}");
    assert_eq!(server.asked().len(), 0);
}

#[tokio::test]
async fn an_answer_comes_as_json_or_as_events_and_the_rest_of_the_stream_is_not_read() {
    let server = Server::start(|asked| {
        let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {}});
        let other = event(&progress).replace("event: message", "event: ping");
        match asked.json()["id"].as_i64() {
            Some(1) => Reply::json(200, &answer(asked, &json!({"n": 1}))),
            Some(2) => Reply::events()
                .then(": hello\r\n\r\n")
                .then(&other)
                .then(&event(&progress).replace('\n', "\r\n"))
                .then(&event(&answer(asked, &json!({"n": 2}))))
                .hanging(),
            // Neither a blank line nor anything after it.
            _ => Reply::events().then(&format!("data: {}", answer(asked, &json!({"n": 3})))),
        }
    })
    .await;
    let mut way = Way::to(&server);
    way.modern(1, "tools/list", json!({})).await;
    assert_eq!(way.next().await, "Number(1): {\"n\":1}");
    way.modern(2, "tools/list", json!({})).await;
    assert_eq!(way.next().await, "notifications/progress {}");
    assert_eq!(way.next().await, "Number(2): {\"n\":2}");
    eventually(|| server.gone() == 1).await;
    way.modern(3, "tools/list", json!({})).await;
    assert_eq!(way.next().await, "Number(3): {\"n\":3}");
}

#[tokio::test]
async fn what_is_no_answer_is_told_as_it_is() {
    let server = Server::start(|asked| {
        let version =
            json!({"code": -32022, "message": "no", "data": {"supported": ["2025-06-18"]}});
        let foreign = json!({"jsonrpc": "2.0", "id": "other", "error": version});
        match asked.json()["id"].as_i64() {
            Some(1) => Reply::json(400, &foreign),
            Some(2) => Reply::new(
                401,
                &[
                    ("WWW-Authenticate", "Bearer resource_metadata=\"http://x/\""),
                    ("WWW-Authenticate", "Basic realm=\"y\""),
                    ("Content-Type", "text/HTML; charset=utf-8"),
                ],
                "<html>no</html>",
            ),
            Some(3) => Reply::new(307, &[("Location", "//elsewhere.test/mcp?key=hunter2")], ""),
            Some(4) => Reply::new(503, &[("Retry-After", "7")], ""),
            Some(5) => Reply::json(404, &json!({"error": {"code": -32601, "message": "none"}})),
            _ => Reply::new(202, &[], ""),
        }
    })
    .await;
    let mut way = Way::to(&server);
    let mut told = Vec::new();
    for id in 1..=6 {
        way.modern(id, "tools/list", json!({})).await;
        match way.loss().await {
            Loss::Http(answer) => told.push(*answer),
            other => panic!("{other:?}"),
        }
    }
    let statuses: Vec<u16> = told.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [400, 401, 307, 503, 404, 202]);
    let error = told[0].error.as_ref().unwrap();
    assert_eq!(
        (error.code, error.supported()),
        (Some(-32022), vec!["2025-06-18"])
    );
    assert_eq!(told[0].content_type.as_deref(), Some("application/json"));
    assert_eq!(
        told[1].challenges,
        [
            "Bearer resource_metadata=\"http://x/\"",
            "Basic realm=\"y\""
        ]
    );
    assert_eq!(told[1].content_type.as_deref(), Some("text/html"));
    assert_eq!(told[1].body, "<html>no</html>");
    assert_eq!(told[1].error, None);
    let location = told[2].location.as_deref().unwrap();
    assert!(
        location.starts_with("http://elsewhere.test/mcp"),
        "{location}"
    );
    assert!(!location.contains("hunter2"), "{location}");
    assert_eq!(told[3].retry_after, Some(7));
    assert_eq!(told[4].error.as_ref().unwrap().code, Some(-32601));
}

#[tokio::test]
async fn what_is_no_mcp_server_is_told_in_words() {
    let expected = [
        (
            Reply::new(
                200,
                &[("Content-Type", "text/html")],
                "<title>Sign in</title>",
            ),
            "not an MCP server (web page)",
        ),
        (
            Reply::new(200, &[("Content-Type", "image/png")], "x"),
            "not an MCP server (it answers with image/png)",
        ),
        (
            Reply::new(200, &[("Content-Type", "application/json")], "{"),
            "the answer is no JSON-RPC message",
        ),
        (
            Reply::json(200, &json!({"ok": true})),
            "the answer is no JSON-RPC message",
        ),
        (
            Reply::json(200, &json!({"jsonrpc": "2.0", "method": "x"})),
            "the answer holds no response to the request",
        ),
        (
            Reply::json(200, &json!({"jsonrpc": "2.0", "id": 99, "result": 1})),
            "the answer holds no response to the request",
        ),
        (
            Reply::new(
                200,
                &[
                    ("Content-Type", "application/json"),
                    ("Content-Encoding", "gzip"),
                ],
                "\u{1f}x",
            ),
            "the answer is compressed (gzip), which was not asked for",
        ),
        (
            Reply::events().then(": nothing\n\n"),
            "the stream ended before the answer",
        ),
        (
            Reply::stream(&[
                ("Content-Type", "application/json"),
                ("Content-Length", "99"),
            ])
            .then("{\"jsonrpc\""),
            "the connection broke: connection closed in the middle of the answer",
        ),
        (
            Reply::nothing(),
            "the connection broke: connection closed before message completed",
        ),
    ];
    for (reply, words) in expected {
        let server = Server::start(move |_| reply.clone()).await;
        let mut way = Way::to(&server);
        way.modern(1, "tools/list", json!({})).await;
        let mut heard = way.next().await;
        // What was said beside the point is heard first.
        while !heard.starts_with("lost") {
            heard = way.next().await;
        }
        assert_eq!(heard, format!("lost 1: {words}"));
    }
    let nobody = Remote::at("http://127.0.0.1:1/mcp?key=hunter2");
    let mut way = Way::with(&nobody, false);
    way.modern(1, "tools/list", json!({})).await;
    assert_eq!(
        way.next().await,
        "lost 1: no connection: connection refused"
    );
}

#[tokio::test]
async fn an_error_without_an_id_answers_the_request_that_it_comes_back_for() {
    let server = Server::start(|_| {
        Reply::json(
            200,
            &json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32000, "message": "m"}}),
        )
    })
    .await;
    let mut way = Way::to(&server);
    way.modern(1, "tools/list", json!({})).await;
    assert_eq!(way.next().await, "odd: ErrorWithoutId");
    assert_eq!(way.next().await, "Number(1): error Some(-32000) m");
}

#[tokio::test]
async fn batches_are_taken_apart() {
    let server = Server::start(|asked| {
        let note = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": 1});
        Reply::json(200, &json!([note, answer(asked, &json!("x"))]))
    })
    .await;
    let mut way = Way::to(&server);
    way.legacy(1, "tools/list", json!({})).await;
    assert_eq!(way.next().await, "odd: Batch");
    assert_eq!(way.next().await, "notifications/message 1");
    assert_eq!(way.next().await, "Number(1): \"x\"");
}

#[tokio::test]
async fn an_answer_is_bounded_however_it_comes() {
    let server = Server::start(|asked| {
        let long = "x".repeat(30_000);
        match asked.json()["id"].as_i64() {
            Some(1) => Reply::json(200, &answer(asked, &json!(long))),
            Some(2) => Reply::json(200, &answer(asked, &json!(long))),
            Some(3) => Reply::events().then(&event(&answer(asked, &json!(long)))),
            Some(4) => Reply::events().then(&event(&answer(asked, &json!(long)))),
            // For ever, and nothing of it an answer.
            Some(5) => Reply::events().repeated(Duration::ZERO, "data: no\n\n", 100_000),
            Some(6) => Reply::events().repeated(Duration::ZERO, ": no\n", 100_000),
            Some(7) => Reply::events()
                .then("data: ")
                .repeated(Duration::ZERO, &long, 1000),
            _ => {
                let headers = [
                    ("Content-Type", "application/json"),
                    ("Content-Length", "99999999"),
                ];
                Reply::stream(&headers).hanging()
            }
        }
    })
    .await;
    let mut way = Way::to(&server);
    let listing = Loss::TooLong { limit: 20_000 };
    let other = Loss::TooLong { limit: 40_000 };
    for (id, method, expected) in [
        (1, "tools/list", Some(&listing)),
        (2, "tools/call", None),
        (3, "tools/list", Some(&listing)),
        (4, "tools/call", None),
        (5, "tools/call", Some(&other)),
        (6, "tools/call", Some(&other)),
        (7, "tools/call", Some(&other)),
        (8, "tools/call", Some(&other)),
    ] {
        way.modern(id, method, json!({})).await;
        let Some(expected) = expected else {
            let heard = way.next().await;
            assert!(heard.starts_with(&format!("Number({id}): \"xxx")), "{id}");
            continue;
        };
        loop {
            let heard = way.next().await;
            if heard.starts_with("lost") {
                assert_eq!(heard, format!("lost {id}: {expected}"));
                break;
            }
            let passed_over = heard == "noise: no" || heard.starts_with("odd: TooLong");
            assert!(passed_over, "{id}: {heard}");
        }
    }
}

#[tokio::test]
async fn a_request_that_nobody_waits_for_is_cancelled_by_closing_its_stream() {
    let server = Server::start(|asked| match asked.json()["id"].as_i64() {
        Some(1) => Reply::nothing().hanging(),
        Some(2) => Reply::nothing().then("HTTP/1.1 200 OK\r\nX: ").repeated(
            Duration::from_millis(20),
            "a",
            1000,
        ),
        Some(3) => Reply::events().repeated(Duration::from_millis(20), ": a\n", 1000),
        _ => Reply::json(200, &answer(asked, &json!({}))),
    })
    .await;
    let mut way = Way::to(&server);
    for id in 1..=3 {
        way.modern(id, "tools/call", json!({})).await;
        eventually(|| server.asked().len() == id as usize).await;
        assert!(way.transport.forget(id), "the closed stream says so");
        eventually(|| server.gone() == id as usize).await;
        assert!(!way.transport.forget(id));
    }
    way.silence().await;
    way.modern(4, "tools/call", json!({})).await;
    assert_eq!(way.next().await, "Number(4): {}");
    assert!(!way.transport.forget(4));
}

#[tokio::test]
async fn closing_closes_every_stream() {
    let server = Server::start(|_| Reply::events().hanging()).await;
    let way = Way::to(&server);
    way.modern(1, "subscriptions/listen", json!({})).await;
    way.modern(2, "tools/call", json!({})).await;
    eventually(|| server.asked().len() == 2).await;
    way.transport.close().await;
    eventually(|| server.gone() == 2).await;
    let said = way
        .say(Some(3), "tools/call", json!({}), Some(Version::MODERN))
        .await;
    assert_eq!(said, Err(SendError::Closed));
}

#[tokio::test]
async fn what_cannot_be_called_is_refused_before_anything_is_sent() {
    let open = |remote: &Remote| {
        StreamableHttp::open(&net(), remote, &limits(), false)
            .map(|_| ())
            .unwrap_err()
    };
    assert!(matches!(open(&Remote::at("mcp")), OpenError::Url(_)));
    for url in ["ftp://x/", "file:///etc/passwd", "ws://x/", "data:,x"] {
        assert!(
            matches!(open(&Remote::at(url)), OpenError::Scheme(_)),
            "{url}"
        );
    }
    let mut remote = Remote::at("http://127.0.0.1:1/");
    remote
        .headers
        .push(("X-Key".to_owned(), Secret::new("hunter2\r\nX: y")));
    assert_eq!(
        open(&remote).to_string(),
        "the value of the header X-Key cannot be sent"
    );
    assert!(!format!("{remote:?}").contains("hunter2"));
}
