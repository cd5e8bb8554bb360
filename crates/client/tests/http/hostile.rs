//! The servers of `hostile/` that listen, as real processes, with the answers that their `about.json` expects.

use std::time::{Duration, Instant};

use muster_client::http::Remote;
use muster_client::net::{Bounds, Fetch, FetchError, Locality, Reach, Refused};
use muster_client::{Address, over_http};
use muster_client::{
    Event, HttpAnswer, Limits, List, Loss, Manner, Oddity, RequestError, StartError, Teller,
};
use muster_document::Secret;
use serde_json::{Value, json};
use url::Url;

use crate::process::{Hostile, script};
use crate::start::{Begun, LISTING, begin_within, hasty};
use crate::way::net;

impl Hostile {
    async fn begin(&self) -> Begun {
        begin_within(&Remote::at(self.url()), &LISTING, patient()).await
    }
}

/// Limits that a loaded machine keeps.
fn patient() -> Limits {
    Limits::default()
}

async fn tools(begun: &Begun) -> Result<Vec<Value>, RequestError> {
    let deadline = tokio::time::Instant::now() + Duration::from_secs(10);
    let session = &begun.connection().session;
    session
        .list(List::Tools, deadline)
        .await
        .map(|listed| listed.items)
}

async fn names(begun: &Begun) -> Vec<String> {
    let tools = tools(begun).await.unwrap();
    tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect()
}

fn http(begun: &Begun) -> &HttpAnswer {
    match begun.result.as_ref().unwrap_err() {
        StartError::Request {
            error: RequestError::Lost(Loss::Http(answer)),
            ..
        } => answer,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn b0_the_stream_beside_is_optional() {
    for get in ["404", "406", "400", "200html"] {
        let server = Hostile::start("B0", &[("REPRO_GET", get)]);
        let begun = begin_listening(&server.url()).await;
        let deadline = tokio::time::Instant::now() + Duration::from_secs(10);
        let listed = begun.session.list(List::Tools, deadline).await.unwrap();
        assert_eq!(listed.items.len(), 1, "{get}");
    }
}

async fn begin_listening(url: &str) -> muster_client::Connection {
    let (net, remote, manner) = (net(), Remote::at(url), Manner::default());
    let address = Address {
        net: &net,
        remote: &remote,
        transport: muster_core::Transport::Http,
        fallback: None,
        first: muster_client::First::Tools,
        listens: true,
    };
    let teller = Teller::new("s", std::sync::Arc::new(|_: Event| ()));
    let deadline = tokio::time::Instant::now() + manner.limits.listing;
    let choice = muster_client::EraChoice::Detect;
    over_http(&address, &manner, choice, &teller, deadline)
        .await
        .unwrap()
}

#[tokio::test]
async fn b1_an_expired_session_is_begun_anew_once() {
    let server = Hostile::start("B1", &[]);
    let begun = server.begin().await;
    assert_eq!(names(&begun).await, ["ping"]);

    let server = Hostile::start("B1", &[("REPRO_CODE", "400")]);
    let begun = server.begin().await;
    let error = tools(&begun).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the server says that the session has expired (HTTP 400)"
    );
}

#[tokio::test]
async fn b2_a_server_that_wants_a_sign_in_says_so_and_is_not_asked_otherwise() {
    for (mode, status) in [
        ("none", 401),
        ("meta", 401),
        ("mismatch", 401),
        ("nodcr", 401),
        ("403scope", 403),
    ] {
        let server = Hostile::start("B2", &[("REPRO_MODE", mode)]);
        let begun = server.begin().await;
        let answer = http(&begun);
        assert_eq!(answer.status, status, "{mode}");
        let metadata = format!(
            "Bearer resource_metadata=\"http://127.0.0.1:{}/.well-known/oauth-protected-resource/mcp\"",
            server.port
        );
        match mode {
            "none" => assert_eq!(answer.challenges, Vec::<String>::new()),
            // It counts what it was asked: this was the first time.
            "403scope" => {
                let scope = format!("{metadata}, error=\"insufficient_scope\", scope=\"s0\"");
                assert_eq!(answer.challenges, [scope]);
            }
            _ => assert_eq!(answer.challenges, [metadata]),
        }
    }
    // A configured header that is refused is in no message.
    let server = Hostile::start("B2", &[]);
    let mut remote = Remote::at(server.url());
    remote
        .headers
        .push(("Authorization".to_owned(), Secret::new("Bearer hunter2")));
    let begun = begin_within(&remote, &LISTING, patient()).await;
    assert_eq!(begun.error(), "tools/list: HTTP 401");
    assert!(!format!("{:?}", begun.result).contains("hunter2"));
}

#[tokio::test]
async fn b3_hostile_metadata_leads_nowhere() {
    let server = Hostile::start("B3", &[]);
    let (net, base) = (net(), Url::parse(&server.url()).unwrap());
    let document = async |path: &str| {
        let url = base.join(path).unwrap();
        let reach = Bounds::around(&base, false).judge(&url).unwrap();
        net.fetch(&Fetch::get(url, reach)).await
    };
    let resource = document("/.well-known/oauth-protected-resource")
        .await
        .unwrap();
    let resource: Value = serde_json::from_slice(&resource.body).unwrap();
    let judged: Vec<Result<Reach, Refused>> = resource["authorization_servers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|url| {
            let url = Url::parse(url.as_str().unwrap()).unwrap();
            Bounds::around(&base, false).judge(&url)
        })
        .collect();
    assert_eq!(
        judged,
        [
            Ok(Reach::Local),
            Err(Refused::Locality {
                host: "169.254.169.254".to_owned(),
                locality: Locality::LinkLocal
            }),
            Err(Refused::Scheme("file".to_owned())),
            Err(Refused::Scheme("javascript".to_owned())),
        ]
    );
    let error = document("/.well-known/oauth-authorization-server")
        .await
        .unwrap_err();
    assert_eq!(error, FetchError::TooLong { limit: 1024 * 1024 });
}

#[tokio::test]
async fn b4_a_redirect_is_told_and_gets_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for code in ["301", "302", "303", "307", "308"] {
        let log = folder.path().join(code);
        let server = Hostile::start(
            "B4",
            &[("REPRO_CODE", code), ("REPRO_LOG", log.to_str().unwrap())],
        );
        let mut remote = Remote::at(server.url());
        for (name, value) in [
            ("Authorization", "Bearer hunter2"),
            ("X-Api-Key", "SECRETKEY"),
        ] {
            remote.headers.push((name.to_owned(), Secret::new(value)));
        }
        let begun = begin_within(&remote, &LISTING, patient()).await;
        let error = begun.error();
        let expected = format!(
            "tools/list: HTTP {code}: it leads to http://localhost:{}/",
            server.port + 1
        );
        assert!(error.starts_with(&expected), "{error}");
        for secret in ["SECRETQ0123", "SECRETKEY", "hunter2"] {
            assert!(
                !format!("{error} {:?}", begun.result).contains(secret),
                "{error}"
            );
        }
        assert!(!log.exists(), "nobody called there");
    }
}

#[tokio::test]
async fn b5_a_picky_server_is_content() {
    let server = Hostile::start("B5", &[]);
    let begun = server.begin().await;
    assert_eq!(begun.connection().facts.version_text, "2025-06-18");
    assert_eq!(names(&begun).await, ["ping"]);
    assert_eq!(begun.oddities, Vec::<Oddity>::new());
}

#[tokio::test]
async fn b6_events_in_every_form_are_understood_and_the_stream_is_left() {
    let server = Hostile::start("B6", &[]);
    let before = Instant::now();
    let begun = server.begin().await;
    assert_eq!(names(&begun).await, ["ping"]);
    // The server would go on for half a minute after each answer.
    assert!(before.elapsed() < Duration::from_secs(8));
}

#[tokio::test]
async fn b7_whatever_never_ends_is_ended() {
    for mode in ["drip", "never"] {
        let server = Hostile::start("B7", &[("REPRO_MODE", mode)]);
        let begun = begin_within(&Remote::at(server.url()), &LISTING, hasty()).await;
        assert_eq!(begun.error(), "not ready within 2 s", "{mode}");
        assert!(begun.took < Duration::from_secs(3), "{mode}");
    }
}

#[tokio::test]
async fn b7_every_fault_has_its_own_short_reason() {
    let limit = Limits::default().listing_answer;
    let expected = [
        (
            "endless",
            format!("tools/list: the answer is longer than {limit} bytes"),
        ),
        (
            "html",
            "tools/list: not an MCP server (web page)".to_owned(),
        ),
        (
            "truncated",
            "initialize: the connection broke: connection closed in the middle of the answer"
                .to_owned(),
        ),
        (
            "bomb",
            "tools/list: the answer is compressed (gzip), which was not asked for".to_owned(),
        ),
    ];
    for (mode, error) in expected {
        let server = Hostile::start("B7", &[("REPRO_MODE", mode)]);
        // It takes the server a while to make its bomb.
        let limits = Limits {
            probe_silence: Duration::from_secs(40),
            listing: Duration::from_secs(60),
            ..Limits::default()
        };
        let begun = begin_within(&Remote::at(server.url()), &LISTING, limits).await;
        assert_eq!(begun.error(), error, "{mode}");
    }
    let server = Hostile::start("B7", &[("REPRO_MODE", "reset")]);
    let begun = begin_within(&Remote::at(server.url()), &LISTING, hasty()).await;
    let error = begun.error();
    assert!(
        error.contains("connection") || error == "not ready within 2 s",
        "{error}"
    );
    assert!(begun.took < Duration::from_secs(3));
}

#[test]
fn every_listening_server_is_tried_here() {
    let here = include_str!("hostile.rs");
    for fault in 0..=7 {
        assert!(here.contains(&format!("async fn b{fault}_")), "B{fault}");
        let about = script(&format!("B{fault}"))
            .ancestors()
            .nth(3)
            .unwrap()
            .join("about.json");
        let about: Value = serde_json::from_str(&std::fs::read_to_string(about).unwrap()).unwrap();
        assert_ne!(about["expect"], json!(null));
    }
}
