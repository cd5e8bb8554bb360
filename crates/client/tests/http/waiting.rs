//! How a conversation over HTTP begins with servers that are slow, silent, or say that there is nothing to begin.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use muster_client::Era;
use muster_client::http::Remote;
use serde_json::{Value, json};

use crate::server::{Reply, Server, eventually};
use crate::start::{
    LISTING, LOOKING, begin, begin_at, begin_hastily, discovery, legacy, refusal, rpcs,
};

#[tokio::test]
async fn what_says_enough_is_not_asked_further() {
    let login = [("WWW-Authenticate", "Bearer")];
    let away = [("Location", "https://elsewhere.test/mcp?key=hunter2")];
    let html = [("Content-Type", "text/html")];
    let expected = [
        (Reply::new(401, &login, ""), "HTTP 401"),
        (Reply::new(403, &login, ""), "HTTP 403"),
        (
            Reply::new(301, &away, ""),
            "HTTP 301: it leads to https://elsewhere.test/mcp",
        ),
        (
            Reply::new(307, &away, ""),
            "HTTP 307: it leads to https://elsewhere.test/mcp",
        ),
        (Reply::new(408, &[], ""), "HTTP 408"),
        (Reply::new(429, &[], ""), "HTTP 429"),
        (Reply::new(429, &[("Retry-After", "3600")], ""), "HTTP 429"),
        (Reply::new(500, &[], ""), "HTTP 500"),
        (Reply::new(502, &html, "<html>"), "HTTP 502"),
        (
            Reply::new(200, &html, "<title>Sign in</title>"),
            "not an MCP server (web page)",
        ),
        (
            Reply::new(200, &[("Content-Type", "text/plain")], "ok"),
            "not an MCP server (it answers with text/plain)",
        ),
    ];
    for (reply, words) in expected {
        for how in [&LISTING, &LOOKING] {
            let reply = reply.clone();
            let server = legacy(move |_| reply.clone()).await;
            let begun = begin(&server, how).await;
            assert!(begun.error().contains(words), "{}", begun.error());
            assert!(!begun.error().contains("hunter2"), "{}", begun.error());
            assert_eq!(server.asked().len(), 1, "{words}");
        }
    }
    let begun = begin_at(&Remote::at("http://127.0.0.1:1/mcp"), &LISTING).await;
    assert_eq!(
        begun.error(),
        "tools/list: no connection: connection refused"
    );
}

#[tokio::test]
async fn a_server_that_asks_to_come_later_is_asked_later() {
    for status in [429, 503] {
        let before = AtomicUsize::new(0);
        let server = Server::start(move |asked| match before.fetch_add(1, Ordering::Relaxed) {
            0 => Reply::new(status, &[("Retry-After", "1")], ""),
            _ => discovery(asked),
        })
        .await;
        let begun = begin(&server, &LOOKING).await;
        assert_eq!(begun.era(), Era::Modern);
        assert!(begun.took >= Duration::from_secs(1));
        assert_eq!(server.asked().len(), 2);

        // Not for ever.
        let server = Server::start(move |_| Reply::new(status, &[("Retry-After", "0")], "")).await;
        let begun = begin(&server, &LOOKING).await;
        assert_eq!(begun.error(), format!("server/discover: HTTP {status}"));
        assert_eq!(server.asked().len(), 3);
    }
}

#[tokio::test]
async fn a_server_that_says_nothing_to_the_first_question_is_initialized() {
    for reply in [
        Reply::nothing().hanging(),
        Reply::events().repeated(Duration::from_millis(50), ": a\n", 1000),
    ] {
        let server = legacy(move |_| reply.clone()).await;
        let begun = begin_hastily(&Remote::at(server.url("/mcp")), &LISTING).await;
        assert_eq!(begun.era(), Era::Legacy);
        assert!(begun.took >= Duration::from_millis(300) && begun.took < Duration::from_secs(2));
        // The question was withdrawn before.
        eventually(|| server.gone() == 1).await;
        assert_eq!(
            rpcs(&server),
            ["tools/list", "initialize", "notifications/initialized"]
        );
    }
}

#[tokio::test]
async fn a_modern_server_that_was_only_slow_is_given_all_the_time_there_is() {
    let server = Server::start(|asked| match asked.rpc().as_str() {
        "initialize" => refusal(asked, 404, -32601, Value::Null),
        "" => Reply::new(405, &[], ""),
        _ => {
            let late = json!({"jsonrpc": "2.0", "id": asked.json()["id"], "result": {"supportedVersions": ["2026-07-28"]}}).to_string();
            let head = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n", late.len());
            Reply::nothing().after(Duration::from_millis(700), &(head + &late))
        }
    })
    .await;
    let begun = begin_hastily(&Remote::at(server.url("/mcp")), &LOOKING).await;
    assert!(begun.result.is_ok(), "{}", begun.error());
    assert_eq!(begun.era(), Era::Modern);
}

#[tokio::test]
async fn nothing_takes_longer_than_everything_may() {
    let replies = [
        Reply::nothing().hanging(),
        Reply::nothing().then("HTTP/1.1 200 OK\r\nX: ").repeated(
            Duration::from_millis(20),
            "a",
            1000,
        ),
        Reply::events().repeated(Duration::from_millis(20), ": a\n", 1000),
        Reply::stream(&[("Content-Type", "application/json")]).repeated(
            Duration::from_millis(20),
            " ",
            1000,
        ),
        Reply::stream(&[("Retry-After", "1")]).repeated(Duration::from_millis(20), " ", 1000),
    ];
    let mut all = tokio::task::JoinSet::new();
    for reply in replies {
        for how in [&LISTING, &LOOKING] {
            let reply = reply.clone();
            all.spawn(async move {
                let server = Server::start(move |_| reply.clone()).await;
                let begun = begin_hastily(&Remote::at(server.url("/mcp")), how).await;
                assert_eq!(begun.error(), "not ready within 2 s");
                assert!(begun.took < Duration::from_secs(3));
                eventually(|| server.gone() == server.asked().len()).await;
            });
        }
    }
    while let Some(done) = all.join_next().await {
        done.unwrap();
    }
}
