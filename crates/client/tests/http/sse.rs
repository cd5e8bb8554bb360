//! HTTP+SSE of 2024-11-05.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use muster_client::http::{HttpSse, OpenError, Remote};
use muster_client::{Loss, SendError, Version};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::server::{Reply, Server, eventually, within};
use crate::way::{Way, limits, net};

async fn open(server: &Server) -> Result<Way, OpenError> {
    open_at(server.url("/sse").as_str()).await
}

async fn open_at(url: &str) -> Result<Way, OpenError> {
    let (net, remote, limits) = (net(), Remote::at(url), limits());
    let opening = HttpSse::open(&net, &remote, &limits);
    within(Duration::from_secs(5), opening).await.map(Way::of)
}

const ENDPOINT: &str = "event: endpoint\ndata: /messages?s=1\n\n";

/// Answers over its one stream, on a listener of its own since the two connections belong together.
async fn talkative() -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/sse", listener.local_addr().unwrap());
    let heads = Arc::new(Mutex::new(Vec::new()));
    let (told, mut replies) = tokio::sync::mpsc::channel::<String>(8);
    let known = heads.clone();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut buffer = vec![0; 8192];
        let read = stream.read(&mut buffer).await.unwrap();
        known
            .lock()
            .unwrap()
            .push(String::from_utf8_lossy(&buffer[..read]).into_owned());
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(ENDPOINT.as_bytes()).await.unwrap();
        tokio::spawn(async move {
            while let Some(reply) = replies.recv().await {
                if stream.write_all(reply.as_bytes()).await.is_err() {
                    return;
                }
            }
        });
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut text = String::new();
            while !text.contains("}") {
                let read = stream.read(&mut buffer).await.unwrap();
                text += &String::from_utf8_lossy(&buffer[..read]);
            }
            let accepted = "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";
            stream.write_all(accepted.as_bytes()).await.unwrap();
            let answer = match text.contains("\"id\":2") {
                true => {
                    "event: message\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"id\":2,\"result\":{}}\n\n"
                }
                false => ": accepted\n\n",
            };
            known.lock().unwrap().push(text);
            told.send(answer.to_owned()).await.unwrap();
        }
    });
    (url, heads)
}

#[tokio::test]
async fn messages_go_to_the_endpoint_and_answers_come_over_the_stream() {
    let (url, heads) = talkative().await;
    let mut way = open_at(&url).await.unwrap();
    let version = Some(Version::V2024_11_05);
    way.say(None, "notifications/initialized", json!({}), version)
        .await
        .unwrap();
    way.say(Some(2), "tools/list", json!({}), version)
        .await
        .unwrap();
    assert_eq!(way.next().await, "Number(2): {}");
    let heads = heads.lock().unwrap().clone();
    assert!(
        heads[0].starts_with("GET /sse HTTP/1.1\r\n"),
        "{}",
        heads[0]
    );
    assert!(
        heads[0].contains("\r\naccept: text/event-stream\r\n"),
        "{}",
        heads[0]
    );
    for (head, method) in heads[1..]
        .iter()
        .zip(["notifications/initialized", "tools/list"])
    {
        assert!(
            head.starts_with("POST /messages?s=1 HTTP/1.1\r\n"),
            "{head}"
        );
        assert!(head.contains(method), "{head}");
    }
}

#[tokio::test]
async fn the_end_of_the_stream_is_the_end_of_everything() {
    let server = Server::start(|asked| match asked.method.as_str() {
        "GET" => Reply::events()
            .then(ENDPOINT)
            .after(Duration::from_millis(50), ": bye\n"),
        _ => Reply::new(202, &[], ""),
    })
    .await;
    let mut way = open(&server).await.unwrap();
    assert_eq!(way.next().await, "closed: ByServer");
    let said = way.say(Some(2), "tools/list", json!({}), None).await;
    assert_eq!(said, Err(SendError::Closed));
}

#[tokio::test]
async fn a_refused_message_is_lost() {
    let server = Server::start(|asked| match asked.method.as_str() {
        "GET" => Reply::events().then(ENDPOINT).hanging(),
        _ => Reply::new(400, &[], "no"),
    })
    .await;
    let mut way = open(&server).await.unwrap();
    way.legacy(2, "tools/list", json!({})).await;
    assert_eq!(way.next().await, "lost 2: HTTP 400");
    way.say(None, "x", json!({}), None).await.unwrap();
    assert_eq!(
        way.next().await,
        "odd: Other(\"it answers a notification with HTTP 400\")"
    );
    assert!(!way.transport.forget(2));
    way.transport.close().await;
    eventually(|| server.gone() == 1).await;
    let said = way.say(Some(3), "tools/list", json!({}), None).await;
    assert_eq!(said, Err(SendError::Closed));
}

#[tokio::test]
async fn a_stream_that_does_not_begin_with_an_endpoint_here_is_none() {
    let nonsense = |text: &str| OpenError::Stream(Loss::NoMcp(text.to_owned()));
    let elsewhere = Server::start(|_| Reply::new(202, &[], "")).await;
    let away = format!("event: endpoint\ndata: {}\n\n", elsewhere.url("/messages"));
    let expected = [
        (
            Reply::events().then("data: x\n\n").hanging(),
            nonsense("not an MCP server (its stream does not begin with an endpoint)"),
        ),
        (
            Reply::events().then(": x\n\n"),
            OpenError::Stream(Loss::Ended),
        ),
        (
            Reply::new(200, &[("Content-Type", "text/html")], "<html>"),
            nonsense("not an MCP server (web page)"),
        ),
        (
            Reply::json(200, &json!({})),
            nonsense("not an MCP server (it answers without a stream)"),
        ),
        (
            Reply::events()
                .repeated(Duration::ZERO, ": for ever\n", 10_000)
                .hanging(),
            OpenError::Stream(Loss::TooLong { limit: 40_000 }),
        ),
    ];
    for (reply, error) in expected {
        let server = Server::start(move |_| reply.clone()).await;
        assert_eq!(open(&server).await.err(), Some(error));
    }
    let server = Server::start(move |_| Reply::events().then(&away).hanging()).await;
    let error = open(&server).await.err().unwrap();
    assert!(matches!(error, OpenError::Endpoint(_)), "{error}");
    assert_eq!(elsewhere.asked().len(), 0);
    let server = Server::start(|_| Reply::new(404, &[], "")).await;
    let error = open(&server).await.err().unwrap();
    assert_eq!(error.to_string(), "HTTP 404");
}
