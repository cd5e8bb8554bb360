//! How a conversation over HTTP begins, row by row of the table in protocol.md 2.5.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use muster_client::http::Remote;
use muster_client::{
    Address, Connection, Era, EraChoice, Event, First, Happening, Limits, List, Manner, Oddity,
    StartError, Teller, Version, over_http,
};
use muster_core::Transport as Kind;
use serde_json::{Value, json};

use crate::server::{Asked, Reply, Server};
use crate::way::net;

/// What was heard of a beginning, and what came of it.
pub(crate) struct Begun {
    pub(crate) result: Result<Connection, StartError>,
    pub(crate) oddities: Vec<Oddity>,
    pub(crate) took: Duration,
    told: Arc<Mutex<Vec<Oddity>>>,
}

impl Begun {
    pub(crate) fn connection(&self) -> &Connection {
        self.result.as_ref().unwrap()
    }

    pub(crate) fn error(&self) -> String {
        self.result.as_ref().unwrap_err().to_string()
    }

    /// All oddities so far, also those of later.
    pub(crate) fn heard(&self) -> Vec<Oddity> {
        self.told.lock().unwrap().clone()
    }

    pub(crate) fn era(&self) -> Era {
        self.connection().facts.era
    }
}

pub(crate) struct How {
    pub(crate) first: First,
    pub(crate) choice: EraChoice,
    pub(crate) transport: Kind,
    pub(crate) fallback: Option<Kind>,
}

pub(crate) const LISTING: How = How {
    first: First::Tools,
    choice: EraChoice::Detect,
    transport: Kind::Http,
    fallback: None,
};
pub(crate) const LOOKING: How = How {
    first: First::Discover,
    ..LISTING
};

pub(crate) async fn begin(server: &Server, how: &How) -> Begun {
    begin_at(&Remote::at(server.url("/mcp")), how).await
}

pub(crate) async fn begin_at(remote: &Remote, how: &How) -> Begun {
    begin_within(remote, how, Limits::default()).await
}

/// With limits that are reached within a test.
pub(crate) async fn begin_hastily(remote: &Remote, how: &How) -> Begun {
    begin_within(remote, how, hasty()).await
}

pub(crate) fn hasty() -> Limits {
    Limits {
        probe_silence: Duration::from_millis(300),
        listing: Duration::from_secs(2),
        ..Limits::default()
    }
}

pub(crate) async fn begin_within(remote: &Remote, how: &How, limits: Limits) -> Begun {
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = told.clone();
    let listener = Arc::new(move |event: Event| {
        if let Happening::Warned(oddity) = event.happening {
            heard.lock().unwrap().push(oddity);
        }
    });
    let teller = Teller::new("s", listener);
    let deadline = tokio::time::Instant::now() + limits.listing;
    let manner = Manner {
        limits,
        ..Manner::default()
    };
    let net = net();
    let address = Address {
        net: &net,
        remote,
        transport: how.transport,
        fallback: how.fallback,
        first: how.first,
        listens: false,
    };
    let begun = Instant::now();
    let result = over_http(&address, &manner, how.choice, &teller, deadline).await;
    let took = begun.elapsed();
    let oddities = told.lock().unwrap().clone();
    Begun {
        result,
        oddities,
        took,
        told,
    }
}

pub(crate) fn rpcs(server: &Server) -> Vec<String> {
    let name = |asked: &Asked| match asked.rpc() {
        rpc if rpc.is_empty() => asked.method.clone(),
        rpc => rpc,
    };
    server.asked().iter().map(name).collect()
}

pub(crate) fn result(asked: &Asked, result: Value) -> Reply {
    Reply::json(
        200,
        &json!({"jsonrpc": "2.0", "id": asked.json()["id"], "result": result}),
    )
}

pub(crate) fn refusal(asked: &Asked, status: u16, code: i64, data: Value) -> Reply {
    let error = json!({"code": code, "message": "m", "data": data});
    Reply::json(
        status,
        &json!({"jsonrpc": "2.0", "id": asked.json()["id"], "error": error}),
    )
}

pub(crate) fn tools(asked: &Asked) -> Reply {
    result(
        asked,
        json!({"tools": [{"name": "t"}], "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}),
    )
}

pub(crate) fn discovery(asked: &Asked) -> Reply {
    result(
        asked,
        json!({
            "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}, "prompts": {}},
            "resultType": "complete", "ttlMs": 0, "cacheScope": "private",
            "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "fixture"}},
        }),
    )
}

/// A server of the legacy era: it knows the handshake and tools, and says `first` to anything before.
pub(crate) async fn legacy(first: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Server {
    Server::start(move |asked| match asked.rpc().as_str() {
        "initialize" => result(asked, json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "old"}})),
        "notifications/initialized" => Reply::new(202, &[], ""),
        "tools/list" if asked.header("mcp-protocol-version") == Some("2025-06-18") => {
            result(asked, json!({"tools": [{"name": "t"}]}))
        }
        _ => first(asked),
    })
    .await
}

pub(crate) async fn listed(begun: &Begun) -> Vec<Value> {
    let deadline = tokio::time::Instant::now() + Duration::from_secs(2);
    begun
        .connection()
        .session
        .list(List::Tools, deadline)
        .await
        .unwrap()
        .items
}

#[tokio::test]
async fn a_modern_server_gives_its_tools_at_once_and_is_not_asked_for_them_twice() {
    let server = Server::start(|asked| match asked.rpc().as_str() {
        "tools/list" => tools(asked),
        _ => discovery(asked),
    })
    .await;
    let begun = begin(&server, &LISTING).await;
    let facts = &begun.connection().facts;
    assert_eq!((facts.era, facts.version), (Era::Modern, Version::MODERN));
    assert_eq!(facts.server_info, json!({"name": "fixture"}));
    assert!(facts.declares("prompts"));
    assert_eq!(listed(&begun).await, [json!({"name": "t"})]);
    assert_eq!(rpcs(&server), ["tools/list", "server/discover"]);
    assert_eq!(begun.oddities, []);
    // A list that is asked for again is fetched again.
    assert_eq!(listed(&begun).await.len(), 1);
    assert_eq!(rpcs(&server).len(), 3);
    let asked = &server.asked()[0];
    assert_eq!(asked.header("mcp-method"), Some("tools/list"));
    let meta = &asked.json()["params"]["_meta"];
    assert_eq!(
        meta["io.modelcontextprotocol/protocolVersion"],
        "2026-07-28"
    );

    let begun = begin(&server, &LOOKING).await;
    assert_eq!(begun.era(), Era::Modern);
    assert_eq!(rpcs(&server)[3..], ["server/discover"]);
}

#[tokio::test]
async fn a_modern_server_that_does_not_say_what_it_is_still_gives_its_tools() {
    let server = Server::start(|asked| match asked.rpc().as_str() {
        "tools/list" => tools(asked),
        _ => Reply::new(500, &[], ""),
    })
    .await;
    let begun = begin(&server, &LISTING).await;
    assert_eq!(begun.era(), Era::Modern);
    assert_eq!(listed(&begun).await.len(), 1);
    assert_eq!(
        begun.oddities,
        [Oddity::Other(
            "it does not answer server/discover".to_owned()
        )]
    );
}

#[tokio::test]
async fn an_answer_as_events_is_as_good() {
    let server = Server::start(|asked| {
        let id = asked.json()["id"].clone();
        let page =
            json!({"jsonrpc": "2.0", "id": id, "result": {"tools": [], "resultType": "complete"}});
        match asked.rpc().as_str() {
            "tools/list" => Reply::events().then(&format!("data: {page}\n\n")).hanging(),
            _ => discovery(asked),
        }
    })
    .await;
    assert_eq!(begin(&server, &LISTING).await.era(), Era::Modern);
}

#[tokio::test]
async fn tools_before_the_handshake_and_without_a_word_on_how_they_are_meant_are_usable() {
    let lax = |asked: &Asked| result(asked, json!({"tools": [{"name": "early"}]}));
    // Modern after all.
    let server = Server::start(move |asked| match asked.rpc().as_str() {
        "tools/list" => lax(asked),
        _ => discovery(asked),
    })
    .await;
    let begun = begin(&server, &LISTING).await;
    assert_eq!(
        (begun.era(), begun.oddities.clone()),
        (Era::Modern, vec![Oddity::Unconfirmed])
    );
    assert_eq!(listed(&begun).await, [json!({"name": "early"})]);

    // Legacy, and lax.
    let server = legacy(move |asked| match asked.rpc().as_str() {
        "tools/list" => lax(asked),
        _ => refusal(asked, 200, -32601, Value::Null),
    })
    .await;
    let begun = begin(&server, &LISTING).await;
    assert_eq!(
        (begun.era(), begun.oddities.clone()),
        (Era::Legacy, vec![Oddity::Unconfirmed])
    );
    assert_eq!(begun.connection().facts.server_info, json!({"name": "old"}));
    assert_eq!(listed(&begun).await, [json!({"name": "t"})]);

    // Nothing else at all.
    let server = Server::start(move |asked| match asked.rpc().as_str() {
        "tools/list" => lax(asked),
        _ => Reply::new(404, &[], ""),
    })
    .await;
    let begun = begin(&server, &LISTING).await;
    assert_eq!(begun.era(), Era::Modern);
    assert_eq!(listed(&begun).await, [json!({"name": "early"})]);
}

#[tokio::test]
async fn a_server_that_refuses_the_version_is_asked_again_as_it_says() {
    for status in [400, 200] {
        for how in [&LISTING, &LOOKING] {
            let asked_before = AtomicUsize::new(0);
            let server =
                Server::start(
                    move |asked| match asked_before.fetch_add(1, Ordering::Relaxed) {
                        // The very version that it refused.
                        0 => refusal(asked, status, -32022, json!({"supported": ["2026-07-28"]})),
                        _ if asked.rpc() == "tools/list" => tools(asked),
                        _ => discovery(asked),
                    },
                )
                .await;
            let begun = begin(&server, how).await;
            assert_eq!(begun.era(), Era::Modern);
            let (one, two) = (&server.asked()[0], &server.asked()[1]);
            assert_eq!(one.rpc(), two.rpc());
            assert_ne!(one.json()["id"], two.json()["id"]);

            let server = Server::start(move |asked| {
                refusal(asked, status, -32022, json!({"supported": ["2026-07-28"]}))
            })
            .await;
            let begun = begin(&server, how).await;
            assert!(
                begun.error().contains("error -32022: m"),
                "{}",
                begun.error()
            );
            assert_eq!(server.asked().len(), 2);

            let server = legacy(move |asked| {
                refusal(
                    asked,
                    status,
                    -32022,
                    json!({"supported": ["2025-06-18", "2024-11-05"]}),
                )
            })
            .await;
            let begun = begin(&server, how).await;
            assert_eq!(begun.era(), Era::Legacy);
            assert_eq!(
                server.asked()[1].json()["params"]["protocolVersion"],
                "2025-06-18"
            );

            let server = Server::start(move |asked| {
                refusal(asked, status, -32022, json!({"supported": ["2099-01-01"]}))
            })
            .await;
            let begun = begin(&server, how).await;
            let expected = "no common version: the server supports 2099-01-01, Muster";
            assert!(begun.error().starts_with(expected), "{}", begun.error());
            assert_eq!(server.asked().len(), 1);
        }
    }
}

#[tokio::test]
async fn the_other_errors_of_the_modern_era_are_what_the_server_says() {
    for (code, status) in [(-32020, 400), (-32021, 400), (-32020, 200), (-32021, 422)] {
        let server = legacy(move |asked| refusal(asked, status, code, Value::Null)).await;
        let begun = begin(&server, &LISTING).await;
        assert!(
            begun.error().contains(&format!("error {code}: m")),
            "{}",
            begun.error()
        );
        assert_eq!(server.asked().len(), 1);
    }
}

#[tokio::test]
async fn a_modern_server_may_have_no_tools() {
    let server = Server::start(|asked| match asked.rpc().as_str() {
        "tools/list" => refusal(asked, 404, -32601, Value::Null),
        _ => result(asked, json!({"supportedVersions": ["2026-07-28"], "capabilities": {}, "resultType": "complete", "ttlMs": 0, "cacheScope": "private"})),
    })
    .await;
    let begun = begin(&server, &LISTING).await;
    assert_eq!(begun.era(), Era::Modern);
    assert!(!begun.connection().facts.declares("tools"));

    // To the question for its revisions the same says that it is legacy.
    for how in [&LISTING, &LOOKING] {
        let server = legacy(|asked| refusal(asked, 404, -32601, Value::Null)).await;
        assert_eq!(begin(&server, how).await.era(), Era::Legacy);
    }
}

#[tokio::test]
async fn what_a_legacy_server_says_to_the_first_question_leads_to_the_handshake() {
    let html = [("Content-Type", "text/html")];
    let replies: Vec<Reply> = [400, 404, 405, 406, 409, 410, 415, 422]
        .into_iter()
        .flat_map(|status| [Reply::new(status, &[], ""), Reply::new(status, &html, "<html>")])
        .chain([
            Reply::json(400, &json!({"jsonrpc": "2.0", "id": "server-error", "error": {"code": -32600, "message": "m"}})),
            Reply::json(400, &json!({"error": "missing session"})),
            Reply::json(200, &json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32000, "message": "m"}})),
            Reply::json(200, &json!({"jsonrpc": "2.0", "id": 1, "error": {"code": "odd", "message": "m"}})),
            Reply::json(200, &json!({"jsonrpc": "2.0", "id": 1, "result": {}})),
            Reply::json(500, &json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32603, "message": "m"}})),
            Reply::new(202, &[], ""),
            Reply::events().then(": nothing\n\n"),
            Reply::nothing(),
        ])
        .collect();
    for reply in replies {
        for how in [&LISTING, &LOOKING] {
            let reply = reply.clone();
            let shown = format!("{reply:?}");
            let server = legacy(move |_| reply.clone()).await;
            let begun = begin(&server, how).await;
            assert!(begun.result.is_ok(), "{shown}: {}", begun.error());
            let facts = &begun.connection().facts;
            assert_eq!(
                (facts.era, facts.version),
                (Era::Legacy, Version::V2025_06_18)
            );
            assert_eq!(listed(&begun).await, [json!({"name": "t"})], "{shown}");
            let initialize = server
                .asked()
                .into_iter()
                .find(|asked| asked.rpc() == "initialize");
            let initialize = initialize.unwrap();
            assert_eq!(initialize.json()["params"]["protocolVersion"], "2025-11-25");
            for absent in ["mcp-protocol-version", "mcp-method", "mcp-session-id"] {
                assert_eq!(initialize.header(absent), None, "{absent}");
            }
        }
    }
}

#[tokio::test]
async fn a_version_that_the_handshake_is_refused_for_is_corrected_once() {
    for (status, code) in [(400, -32022), (200, -32602), (400, -32000)] {
        let server = Server::start(move |asked| match asked.rpc().as_str() {
            "initialize" if asked.json()["params"]["protocolVersion"] == "2025-03-26" => result(
                asked,
                json!({"protocolVersion": "2025-03-26", "capabilities": {}, "serverInfo": {}}),
            ),
            "initialize" => refusal(asked, status, code, json!({"supported": ["2025-03-26"]})),
            _ => Reply::new(404, &[], ""),
        })
        .await;
        let begun = begin(&server, &LOOKING).await;
        assert_eq!(
            begun.connection().facts.version,
            Version::V2025_03_26,
            "{code}"
        );

        let server = Server::start(move |asked| {
            refusal(asked, status, code, json!({"supported": ["2025-03-26"]}))
        })
        .await;
        let pinned = How {
            choice: EraChoice::Pinned(Era::Legacy),
            ..LOOKING
        };
        let begun = begin(&server, &pinned).await;
        assert!(
            begun.error().contains(&format!("error {code}: m")),
            "{}",
            begun.error()
        );
        let handshakes = rpcs(&server)
            .iter()
            .filter(|rpc| *rpc == "initialize")
            .count();
        assert_eq!(handshakes, 2);
    }
}

#[tokio::test]
async fn a_pinned_era_is_not_left() {
    let modern = How {
        choice: EraChoice::Pinned(Era::Modern),
        ..LOOKING
    };
    let server = legacy(|_| Reply::new(400, &[], "")).await;
    assert_eq!(
        begin(&server, &modern).await.error(),
        "server/discover: HTTP 400"
    );
    assert_eq!(server.asked().len(), 1);
    let server =
        legacy(|asked| refusal(asked, 400, -32022, json!({"supported": ["2025-06-18"]}))).await;
    let error = begin(&server, &modern).await.error();
    assert!(
        error.starts_with("no common version: the server supports 2025-06-18"),
        "{error}"
    );
    let server = Server::start(discovery).await;
    assert_eq!(begin(&server, &modern).await.era(), Era::Modern);

    let old = How {
        choice: EraChoice::Pinned(Era::Legacy),
        ..LISTING
    };
    let server = legacy(|_| Reply::new(500, &[], "")).await;
    assert_eq!(begin(&server, &old).await.era(), Era::Legacy);
    assert_eq!(rpcs(&server), ["initialize", "notifications/initialized"]);
}
