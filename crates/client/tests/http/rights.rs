//! Who calls: `Authorization`, and what is done where it is refused.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use muster_client::BoxFuture;
use muster_client::http::{Authorizer, Challenge, Remote, Verdict};
use muster_document::Secret;
use serde_json::json;

use crate::server::{Asked, Reply, Server};
use crate::start::{LISTING, begin_hastily, discovery, rpcs, tools};
use crate::way::Way;

/// Hands out `t0`, `t1`, … and gives up after `last`.
#[derive(Debug, Default)]
struct Tokens {
    turn: AtomicUsize,
    last: usize,
    told: Mutex<Vec<Challenge>>,
}

impl Authorizer for Tokens {
    fn authorization(&self) -> BoxFuture<'_, Option<Secret>> {
        let token = format!("Bearer t{}", self.turn.load(Ordering::Relaxed));
        Box::pin(async move { Some(Secret::new(token)) })
    }

    fn refused<'a>(&'a self, challenge: &'a Challenge) -> BoxFuture<'a, Verdict> {
        Box::pin(async move {
            self.told.lock().unwrap().push(challenge.clone());
            match self.turn.fetch_add(1, Ordering::Relaxed) < self.last {
                true => Verdict::Retry,
                false => Verdict::Stands,
            }
        })
    }
}

/// Lets in whoever brings the token `t2`.
async fn picky(status: u16) -> Server {
    Server::start(move |asked: &Asked| match asked.header("authorization") {
        Some("Bearer t2") => {
            let id = asked.json()["id"].clone();
            Reply::json(200, &json!({"jsonrpc": "2.0", "id": id, "result": {}}))
        }
        _ => Reply::new(status, &[("WWW-Authenticate", "Bearer scope=\"a\"")], ""),
    })
    .await
}

fn called_by(tokens: &Arc<Tokens>, server: &Server) -> Remote {
    Remote {
        authorizer: Some(tokens.clone()),
        ..Remote::at(server.url("/mcp"))
    }
}

fn tokens(last: usize) -> Arc<Tokens> {
    Arc::new(Tokens {
        last,
        ..Tokens::default()
    })
}

#[tokio::test]
async fn a_refused_right_is_asked_for_again_until_it_stands() {
    for status in [401, 403] {
        let server = picky(status).await;
        let tokens_now = tokens(2);
        let mut way = Way::with(&called_by(&tokens_now, &server), false);
        way.modern(1, "tools/list", json!({})).await;
        assert_eq!(way.next().await, "Number(1): {}");
        let told = tokens_now.told.lock().unwrap().clone();
        assert_eq!(told.len(), 2);
        assert_eq!(told[1].status, status);
        assert_eq!(told[1].challenges, ["Bearer scope=\"a\""]);
        assert_eq!(told[1].sent, Some(Secret::new("Bearer t1")));
        assert_eq!((told[1].method.as_str(), told[1].before), ("tools/list", 1));

        let server = picky(status).await;
        let mut way = Way::with(&called_by(&tokens(1), &server), false);
        way.modern(1, "tools/list", json!({})).await;
        assert_eq!(way.next().await, format!("lost 1: HTTP {status}"));
        assert_eq!(server.asked().len(), 2);
    }
}

#[tokio::test]
async fn a_server_that_is_never_content_is_no_loop() {
    let server = Server::start(|_| Reply::new(401, &[], "")).await;
    let mut way = Way::with(&called_by(&tokens(1000), &server), false);
    way.modern(1, "tools/list", json!({})).await;
    assert_eq!(way.next().await, "lost 1: HTTP 401");
    assert_eq!(server.asked().len(), 5);
}

#[tokio::test]
async fn where_a_configured_header_says_who_calls_nobody_is_asked() {
    let server = picky(401).await;
    let tokens = tokens(5);
    let mut remote = called_by(&tokens, &server);
    remote
        .headers
        .push(("authorization".to_owned(), Secret::new("Bearer mine")));
    let mut way = Way::with(&remote, false);
    way.modern(1, "tools/list", json!({})).await;
    assert_eq!(way.next().await, "lost 1: HTTP 401");
    assert_eq!(
        server.asked()[0].header("authorization"),
        Some("Bearer mine")
    );
    assert_eq!(tokens.told.lock().unwrap().len(), 0);
}

#[tokio::test]
async fn nothing_that_was_configured_goes_where_a_redirect_leads() {
    let thief = Server::start(|_| Reply::new(200, &[], "")).await;
    let away = format!("http://localhost:{}/steal", thief.port());
    for status in [301, 302, 303, 307, 308] {
        let away = away.clone();
        let server = Server::start(move |_| Reply::new(status, &[("Location", &away)], "")).await;
        let mut remote = Remote::at(server.url("/mcp"));
        remote
            .headers
            .push(("X-Api-Key".to_owned(), Secret::new("hunter2")));
        let mut way = Way::with(&remote, false);
        way.modern(1, "tools/list", json!({})).await;
        let heard = way.next().await;
        let expected = format!("lost 1: HTTP {status}: it leads to http://localhost:");
        assert!(heard.starts_with(&expected), "{heard}");
        assert!(heard.ends_with("which is not followed"), "{heard}");
        assert_eq!(server.asked().len(), 1);
    }
    assert_eq!(thief.asked().len(), 0);
}

/// Takes longer to get a token than a server may be silent.
#[derive(Debug, Default)]
struct Slow(Mutex<bool>);

impl Authorizer for Slow {
    fn authorization(&self) -> BoxFuture<'_, Option<Secret>> {
        let token = self.0.lock().unwrap().then(|| Secret::new("Bearer t2"));
        Box::pin(async move { token })
    }

    fn refused<'a>(&'a self, _: &'a Challenge) -> BoxFuture<'a, Verdict> {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(700)).await;
            *self.0.lock().unwrap() = true;
            Verdict::Retry
        })
    }
}

#[tokio::test]
async fn the_time_that_a_sign_in_takes_is_no_silence_of_the_server() {
    let server = Server::start(|asked| match asked.header("authorization") {
        None => Reply::new(401, &[], ""),
        Some(_) if asked.rpc() == "tools/list" => tools(asked),
        Some(_) => discovery(asked),
    })
    .await;
    let remote = Remote {
        authorizer: Some(Arc::new(Slow::default())),
        ..Remote::at(server.url("/mcp"))
    };
    let begun = begin_hastily(&remote, &LISTING).await;
    assert!(begun.result.is_ok(), "{}", begun.error());
    assert_eq!(
        rpcs(&server),
        ["tools/list", "tools/list", "server/discover"]
    );
}
