//! What a session makes of servers over HTTP: floods, broken streams, tools that may not be offered.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use muster_client::{Ask, Era, Limits, List, Oddity, RequestError};
use serde_json::{Value, json};

use crate::server::{Asked, Reply, Server, eventually};
use crate::start::{LISTING, begin, discovery, legacy, listed, result, rpcs, tools};

/// A modern server that says `call` to `tools/call`.
async fn modern(call: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Server {
    Server::start(move |asked| match asked.rpc().as_str() {
        "tools/list" => tools(asked),
        "server/discover" => discovery(asked),
        _ => call(asked),
    })
    .await
}

fn call() -> Ask {
    Ask::new("tools/call", json!({"name": "t"}), &Limits::default())
}

#[tokio::test]
async fn a_server_that_asks_or_tells_without_end_is_left() {
    let question = "data: {\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"roots/list\"}\n\n";
    let notice =
        "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n\n";
    for (flood, what) in [(question, "requests"), (notice, "notifications")] {
        let server =
            modern(move |_| Reply::events().repeated(Duration::ZERO, &flood.repeat(100), 2_000))
                .await;
        let begun = begin(&server, &LISTING).await;
        let session = &begun.connection().session;
        let before = Instant::now();
        let error = session.ask(call()).await.unwrap_err();
        assert_eq!(error, RequestError::Flood(what));
        session.close().await;
        assert!(before.elapsed() < Duration::from_secs(5));
        eventually(|| server.gone() == 1).await;
        // In the modern era nobody is answered over HTTP.
        assert_eq!(
            rpcs(&server),
            ["tools/list", "server/discover", "tools/call"]
        );
    }
}

#[tokio::test]
async fn questions_of_the_legacy_era_are_answered_by_a_post_of_their_own() {
    let server = legacy(|asked| match asked.rpc().as_str() {
        "tools/call" => Reply::events()
            .then("data: {\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"ping\"}\n\n")
            .then(&format!(
                "data: {}\n\n",
                json!({"jsonrpc": "2.0", "id": asked.json()["id"], "result": {}})
            )),
        "" => Reply::new(202, &[], ""),
        _ => Reply::new(400, &[], ""),
    })
    .await;
    let begun = begin(&server, &LISTING).await;
    assert_eq!(begun.connection().session.ask(call()).await, Ok(json!({})));
    eventually(|| server.asked().last().unwrap().rpc().is_empty()).await;
    let answer = server.asked().last().unwrap().json();
    assert_eq!(answer, json!({"jsonrpc": "2.0", "id": "q", "result": {}}));
}

#[tokio::test]
async fn a_broken_stream_costs_a_list_nothing_and_a_call_is_not_made_twice() {
    for broken in [Reply::nothing(), Reply::events().then(": a\n\n")] {
        let before = AtomicUsize::new(0);
        let server = Server::start(move |asked| match asked.rpc().as_str() {
            "server/discover" => discovery(asked),
            // The first one finds out the era, the second breaks.
            "tools/list" if before.fetch_add(1, Ordering::Relaxed) == 1 => broken.clone(),
            "tools/list" => tools(asked),
            _ => broken.clone(),
        })
        .await;
        let begun = begin(&server, &LISTING).await;
        assert_eq!(listed(&begun).await.len(), 1);
        assert_eq!(listed(&begun).await.len(), 1);
        let asked = server.asked();
        let ids: Vec<i64> = asked
            .iter()
            .filter(|asked| asked.rpc() == "tools/list")
            .map(|asked| asked.json()["id"].as_i64().unwrap())
            .collect();
        assert_eq!(ids.len(), 3);
        assert!(ids[1] < ids[2], "under a new id");

        let error = begun.connection().session.ask(call()).await.unwrap_err();
        assert!(matches!(error, RequestError::Lost(_)), "{error}");
        let calls = rpcs(&server)
            .iter()
            .filter(|rpc| *rpc == "tools/call")
            .count();
        assert_eq!(calls, 1);
    }
}

#[tokio::test]
async fn a_tool_with_a_wrong_mark_is_not_offered_over_http_and_its_neighbours_are() {
    let wrong = json!({"name": "wrong", "inputSchema": {"type": "object", "properties": {"a": {"type": "number", "x-mcp-header": "A"}}}});
    let right = json!({"name": "right", "inputSchema": {"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": "A"}}}});
    let page = json!({"tools": [wrong, right], "resultType": "complete"});
    let given = page.clone();
    let server = Server::start(move |asked| match asked.rpc().as_str() {
        "tools/list" => result(asked, given.clone()),
        _ => discovery(asked),
    })
    .await;
    let begun = begin(&server, &LISTING).await;
    assert_eq!(begun.era(), Era::Modern);
    let deadline = tokio::time::Instant::now() + Duration::from_secs(2);
    let listed = begun
        .connection()
        .session
        .list(List::Tools, deadline)
        .await
        .unwrap();
    assert_eq!(listed.items, std::slice::from_ref(&page["tools"][1]));
    assert_eq!(listed.odd, [(0, page["tools"][0].clone())]);
    let why = "a has an x-mcp-header and is neither a string, an integer nor a boolean".to_owned();
    let odd = Oddity::OddItem {
        method: "tools/list",
        index: 0,
        why,
    };
    eventually(|| begun.heard().contains(&odd)).await;

    // Before that revision the marks meant nothing.
    let server = Server::start(move |asked| match asked.rpc().as_str() {
        "initialize" => result(asked, json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {}})),
        "notifications/initialized" => Reply::new(202, &[], ""),
        "tools/list" if asked.header("mcp-method").is_none() => result(asked, page.clone()),
        _ => Reply::new(400, &[], ""),
    })
    .await;
    let begun = begin(&server, &LISTING).await;
    let deadline = tokio::time::Instant::now() + Duration::from_secs(2);
    let listed = begun
        .connection()
        .session
        .list(List::Tools, deadline)
        .await
        .unwrap();
    assert_eq!(
        (listed.items.len(), listed.odd),
        (2, Vec::<(usize, Value)>::new())
    );
}
