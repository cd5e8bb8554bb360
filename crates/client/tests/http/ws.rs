//! MCP over a WebSocket.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use muster_client::http::{OpenError, Remote};
use muster_client::{Era, List, Loss, Oddity, SendError, WebSocket};
use muster_core::Transport as Kind;
use muster_document::Secret;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};

use crate::server::{Reply, Server, eventually, within};
use crate::start::{How, LISTING, begin_at, begin_hastily};
use crate::way::{Way, limits, net};

/// A server that does `serve` with each socket, and remembers the handshakes.
async fn sockets<F: Future<Output = ()> + Send + 'static>(
    protocol: Option<&'static str>,
    serve: impl Fn(WebSocketStream<TcpStream>) -> F + Send + Sync + 'static,
) -> (String, Arc<Mutex<Vec<Request>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}/mcp?k=v", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let known = asked.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let known = known.clone();
            #[expect(clippy::result_large_err, reason = "the library's own type")]
            let shake = move |request: &Request, mut response: Response| {
                known.lock().unwrap().push(request.clone());
                if let Some(protocol) = protocol {
                    let value = protocol.parse().unwrap();
                    response
                        .headers_mut()
                        .insert("Sec-WebSocket-Protocol", value);
                }
                Ok(response)
            };
            let Ok(socket) = tokio_tungstenite::accept_hdr_async(stream, shake).await else {
                continue;
            };
            tokio::spawn(serve(socket));
        }
    });
    (url, asked)
}

async fn open(url: &str) -> Result<Way, OpenError> {
    let (net, remote, limits) = (net(), Remote::at(url), limits());
    let opening = WebSocket::open(&net, &remote, &limits);
    within(Duration::from_secs(5), opening).await.map(Way::of)
}

/// Answers every message with what `answer` makes of it.
async fn answering(
    mut socket: WebSocketStream<TcpStream>,
    answer: impl Fn(&Value) -> Option<Value>,
) {
    while let Some(Ok(message)) = socket.next().await {
        let Message::Text(text) = message else {
            continue;
        };
        let body: Value = serde_json::from_str(&text).unwrap();
        let Some(result) = answer(&body) else {
            continue;
        };
        let reply = json!({"jsonrpc": "2.0", "id": body["id"], "result": result}).to_string();
        if socket.send(Message::text(reply)).await.is_err() {
            return;
        }
    }
}

#[tokio::test]
async fn a_socket_is_opened_with_the_subprotocol_and_what_was_configured() {
    let (url, asked) = sockets(Some("mcp"), |socket| {
        answering(socket, |body| Some(body["method"].clone()))
    })
    .await;
    let mut remote = Remote::at(url);
    remote.headers = vec![
        ("X-Api-Key".to_owned(), Secret::new("k")),
        ("Sec-WebSocket-Protocol".to_owned(), Secret::new("other")),
        ("Connection".to_owned(), Secret::new("close")),
    ];
    let (net, limits) = (net(), limits());
    let mut way = Way::of(WebSocket::open(&net, &remote, &limits).await.unwrap());
    way.modern(1, "tools/list", json!({})).await;
    assert_eq!(way.next().await, "Number(1): \"tools/list\"");
    let asked = asked.lock().unwrap()[0].clone();
    assert_eq!(asked.uri().to_string(), "/mcp?k=v");
    let expected = [
        ("sec-websocket-protocol", Some("mcp")),
        ("x-api-key", Some("k")),
        ("connection", Some("Upgrade")),
        ("cookie", None),
        ("origin", None),
    ];
    for (name, value) in expected {
        let found = asked
            .headers()
            .get(name)
            .map(|value| value.to_str().unwrap());
        assert_eq!(found, value, "{name}");
    }
    assert!(!way.transport.forget(1));
    way.transport.close().await;
    let said = way.say(Some(2), "tools/list", json!({}), None).await;
    assert_eq!(said, Err(SendError::Closed));
}

#[tokio::test]
async fn what_a_server_says_over_a_socket_is_heard_whatever_it_is() {
    let (url, _) = sockets(None, async |mut socket: WebSocketStream<TcpStream>| {
        let note = "{\"jsonrpc\":\"2.0\",\"method\":\"n\",\"params\":1}";
        socket.send(Message::Ping("x".into())).await.unwrap();
        socket.send(Message::text("hello")).await.unwrap();
        socket
            .send(Message::binary(note.as_bytes().to_vec()))
            .await
            .unwrap();
        let answered = async {
            while let Some(Ok(message)) = socket.next().await {
                if matches!(message, Message::Pong(_)) {
                    return;
                }
            }
        };
        within(Duration::from_secs(5), answered).await;
        socket.send(Message::text(note)).await.unwrap();
        socket.close(None).await.unwrap();
    })
    .await;
    let mut way = open(&url).await.unwrap();
    let odd = "odd: Other(\"it does not say that it speaks the subprotocol mcp\")";
    assert_eq!(way.next().await, odd);
    assert_eq!(way.next().await, "noise: hello");
    assert_eq!(way.next().await, "n 1");
    assert_eq!(way.next().await, "n 1");
    assert_eq!(way.next().await, "closed: ByServer");
}

#[tokio::test]
async fn a_message_is_bounded_and_so_is_what_is_none() {
    let (url, _) = sockets(
        Some("mcp"),
        async |mut socket: WebSocketStream<TcpStream>| {
            _ = socket.send(Message::text("x".repeat(50_000))).await;
            _ = socket.next().await;
        },
    )
    .await;
    let mut way = open(&url).await.unwrap();
    assert_eq!(
        way.next().await,
        "closed: Broke(\"a message is longer than 40000 bytes\")"
    );

    let (url, _) = sockets(
        Some("mcp"),
        async |mut socket: WebSocketStream<TcpStream>| {
            while socket.send(Message::text("x".repeat(1000))).await.is_ok() {}
        },
    )
    .await;
    let mut way = open(&url).await.unwrap();
    let mut heard = way.next().await;
    while heard.starts_with("noise") {
        heard = way.next().await;
    }
    assert_eq!(
        heard,
        "closed: Broke(\"nothing that it sends is a message\")"
    );
}

#[tokio::test]
async fn a_server_that_does_not_read_is_not_waited_for() {
    let (url, _) = sockets(Some("mcp"), async |socket: WebSocketStream<TcpStream>| {
        tokio::time::sleep(Duration::from_secs(60)).await;
        drop(socket);
    })
    .await;
    let way = open(&url).await.unwrap();
    let long = json!({"text": "x".repeat(1024 * 1024)});
    let writing = async {
        loop {
            if let Err(error) = way.say(Some(1), "tools/call", long.clone(), None).await {
                return error;
            }
        }
    };
    assert_eq!(
        within(Duration::from_secs(10), writing).await,
        SendError::NotRead
    );
    way.transport.close().await;
}

#[tokio::test]
async fn what_is_no_socket_is_told_as_it_is() {
    let upgrade = |fields: &[(&str, &str)]| {
        let mut head = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n".to_owned();
        for (name, value) in fields {
            head += &format!("{name}: {value}\r\n");
        }
        Reply::nothing().then(&(head + "\r\n")).hanging()
    };
    let no = |why: &str| OpenError::Stream(Loss::NoMcp(why.to_owned()));
    let expected = [
        (upgrade(&[]), no("not a WebSocket server")),
        (
            upgrade(&[("Upgrade", "websocket")]),
            no("not a WebSocket server"),
        ),
        (
            upgrade(&[
                ("Upgrade", "websocket"),
                ("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
            ]),
            no("not a WebSocket server"),
        ),
    ];
    for (reply, error) in expected {
        let server = Server::start(move |_| reply.clone()).await;
        let url = server.url("/").to_string().replace("http", "ws");
        assert_eq!(open(&url).await.err(), Some(error));
    }
    for (status, words) in [(401, "HTTP 401"), (404, "HTTP 404"), (200, "HTTP 200")] {
        let server = Server::start(move |_| Reply::new(status, &[], "")).await;
        let url = server.url("/").to_string().replace("http", "ws");
        assert_eq!(open(&url).await.unwrap_err().to_string(), words);
    }
    let (url, _) = sockets(Some("graphql-ws"), |socket| answering(socket, |_| None)).await;
    let error = open(&url).await.unwrap_err();
    assert_eq!(error, no("it speaks another subprotocol than mcp"));
    assert!(matches!(
        open("http://127.0.0.1:1/").await,
        Err(OpenError::Scheme(_))
    ));
}

#[tokio::test]
async fn a_conversation_over_a_socket_begins_like_one_over_standard_streams() {
    let socket = How {
        transport: Kind::Ws,
        ..LISTING
    };
    let modern = |body: &Value| {
        Some(match body["method"].as_str()? {
            "server/discover" => {
                json!({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "resultType": "complete", "ttlMs": 0, "cacheScope": "private"})
            }
            _ => json!({"tools": [{"name": "t"}], "resultType": "complete"}),
        })
    };
    let (url, _) = sockets(Some("mcp"), move |socket| answering(socket, modern)).await;
    let begun = begin_at(&Remote::at(url), &socket).await;
    assert_eq!(begun.era(), Era::Modern);
    let deadline = tokio::time::Instant::now() + Duration::from_secs(2);
    let listed = begun
        .connection()
        .session
        .list(List::Tools, deadline)
        .await
        .unwrap();
    assert_eq!(listed.items.len(), 1);

    // One that is silent about what it does not know, and one that closes over it.
    let legacy = |body: &Value| {
        let result = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {}});
        (body["method"] == "initialize").then_some(result)
    };
    let (url, _) = sockets(Some("mcp"), move |socket| answering(socket, legacy)).await;
    let begun = begin_hastily(&Remote::at(url), &socket).await;
    assert_eq!(begun.era(), Era::Legacy);

    let (url, asked) = sockets(
        Some("mcp"),
        move |mut socket: WebSocketStream<TcpStream>| async move {
            let Some(Ok(Message::Text(text))) = socket.next().await else {
                return;
            };
            let body: Value = serde_json::from_str(&text).unwrap();
            let Some(result) = legacy(&body) else { return };
            let reply = json!({"jsonrpc": "2.0", "id": body["id"], "result": result}).to_string();
            socket.send(Message::text(reply)).await.unwrap();
            _ = socket.next().await;
        },
    )
    .await;
    let begun = begin_at(&Remote::at(url), &socket).await;
    assert!(begun.result.is_ok(), "{}", begun.error());
    assert_eq!(begun.era(), Era::Legacy);
    assert!(begun.oddities.contains(&Oddity::DiedAtProbe));
    eventually(|| asked.lock().unwrap().len() == 2).await;

    let begun = begin_at(&Remote::at("ws://127.0.0.1:1/"), &socket).await;
    assert_eq!(
        begun.error(),
        "initialize: no connection: connection refused"
    );
}
