//! From Streamable HTTP to HTTP+SSE and back, where a server knows only one of them.

use std::time::Duration;

use muster_client::{Era, EraChoice, First, List, Oddity};
use muster_core::Transport as Kind;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::server::{Reply, Server};
use crate::start::{How, LISTING, begin, begin_at, begin_hastily};
use muster_client::http::Remote;

const OLDER: How = How {
    first: First::Tools,
    choice: EraChoice::Detect,
    transport: Kind::Sse,
    fallback: None,
};

/// A server of 2024-11-05: one stream, and `status` for whatever is posted elsewhere than to its endpoint.
async fn older(status: u16) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/sse", listener.local_addr().unwrap());
    let (told, replies) = tokio::sync::mpsc::channel::<String>(8);
    let replies = std::sync::Arc::new(tokio::sync::Mutex::new(replies));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(connection(stream, status, told.clone(), replies.clone()));
        }
    });
    url
}

async fn connection(
    mut stream: TcpStream,
    status: u16,
    told: tokio::sync::mpsc::Sender<String>,
    replies: std::sync::Arc<tokio::sync::Mutex<tokio::sync::mpsc::Receiver<String>>>,
) {
    let mut text = String::new();
    let mut buffer = [0; 8192];
    loop {
        let Ok(read @ 1..) = stream.read(&mut buffer).await else {
            return;
        };
        text += &String::from_utf8_lossy(&buffer[..read]);
        if text.starts_with("GET") || text.ends_with('}') {
            break;
        }
    }
    if text.starts_with("GET /sse") {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: endpoint\ndata: /m\n\n";
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut replies = replies.lock().await;
        while let Some(reply) = replies.recv().await {
            stream.write_all(reply.as_bytes()).await.unwrap();
        }
        return;
    }
    let here = text.starts_with("POST /m ");
    let status = if here { 202 } else { status };
    let head = format!("HTTP/1.1 {status} X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let body: Value = serde_json::from_str(text.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    let result = match body["method"].as_str() {
        Some("initialize") => {
            json!({"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}, "serverInfo": {"name": "older"}})
        }
        Some("tools/list") => json!({"tools": [{"name": "t"}]}),
        _ => return,
    };
    if here {
        let answer = json!({"jsonrpc": "2.0", "id": body["id"], "result": result});
        told.send(format!("event: message\ndata: {answer}\n\n"))
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn a_server_that_knows_no_handshake_here_is_spoken_to_over_its_stream() {
    for status in [400, 404, 405] {
        let url = older(status).await;
        let begun = begin_at(&Remote::at(url), &LISTING).await;
        assert!(begun.result.is_ok(), "{}", begun.error());
        let connection = begun.connection();
        assert_eq!(
            (connection.facts.era, connection.facts.version_text.as_str()),
            (Era::Legacy, "2024-11-05")
        );
        let odd = "it speaks HTTP+SSE, the transport of 2024-11-05, alone".to_owned();
        assert_eq!(begun.oddities, [Oddity::Other(odd)]);
        let deadline = tokio::time::Instant::now() + Duration::from_secs(2);
        let listed = connection
            .session
            .list(List::Tools, deadline)
            .await
            .unwrap();
        assert_eq!(listed.items, [json!({"name": "t"})]);
    }
    let begun = begin_at(&Remote::at(older(422).await), &LISTING).await;
    assert_eq!(begun.error(), "initialize: HTTP 422");
}

#[tokio::test]
async fn where_there_is_no_stream_either_the_first_refusal_counts() {
    let server = Server::start(|asked| match asked.method.as_str() {
        "GET" => Reply::events().hanging(),
        _ => Reply::new(404, &[], ""),
    })
    .await;
    let begun = begin_hastily(&Remote::at(server.url("/mcp")), &LISTING).await;
    assert_eq!(begun.error(), "initialize: HTTP 404");
    assert!(begun.took < Duration::from_secs(2));
}

#[tokio::test]
async fn what_is_configured_as_the_older_transport_is_spoken_to_so_and_else_only_as_the_agent_does()
{
    let begun = begin_at(&Remote::at(older(404).await), &OLDER).await;
    assert!(begun.result.is_ok(), "{}", begun.error());
    assert_eq!(begun.oddities, []);

    let newer = async || {
        Server::start(|asked| match (asked.method.as_str(), asked.rpc().as_str()) {
            ("GET", _) => Reply::new(405, &[], ""),
            (_, "initialize") => Reply::json(200, &json!({"jsonrpc": "2.0", "id": asked.json()["id"], "result": {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {}}})),
            (_, "notifications/initialized") => Reply::new(202, &[], ""),
            _ => Reply::new(400, &[], ""),
        })
        .await
    };
    let server = newer().await;
    assert_eq!(begin(&server, &OLDER).await.error(), "initialize: HTTP 405");
    let both = How {
        fallback: Some(Kind::Http),
        ..OLDER
    };
    let server = newer().await;
    let begun = begin(&server, &both).await;
    assert!(begun.result.is_ok(), "{}", begun.error());
    // What is refused for want of rights is not tried otherwise.
    let server = Server::start(|_| Reply::new(401, &[], "")).await;
    assert_eq!(begin(&server, &both).await.error(), "initialize: HTTP 401");
    assert_eq!(server.asked().len(), 1);
}
