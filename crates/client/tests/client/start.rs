//! How a conversation over standard streams begins, row by row.

use std::time::Duration;

use crate::server::{Act, Heard, Server, act, begin, discovered, hello};
use muster_client::{
    Connection, Era, EraChoice, ErrorObject, Manner, Oddity, RequestError, StartError, Version,
};
use serde_json::{Value, json};
use tokio::time::Instant;

pub(crate) async fn detect(acts: Vec<Act>) -> (Result<Connection, StartError>, Heard) {
    let heard = Heard::default();
    let connection = begin(acts, Manner::default(), EraChoice::Detect, &heard).await;
    (connection, heard)
}

#[track_caller]
pub(crate) fn speaks(connection: &Result<Connection, StartError>, version: Version) {
    let connection = connection.as_ref().expect("a conversation");
    assert_eq!(connection.facts.version, version);
    assert_eq!(connection.facts.era, version.era());
    assert_eq!(connection.session.version(), Some(version));
}

#[tokio::test(start_paused = true)]
async fn a_modern_server_is_spoken_to_as_such() {
    let (connection, heard) = detect(vec![act(async |mut server: Server| {
        let asked = server.next().await.unwrap();
        assert_eq!(asked["method"], "server/discover");
        let meta = &asked["params"]["_meta"];
        assert_eq!(
            meta["io.modelcontextprotocol/protocolVersion"],
            "2026-07-28"
        );
        assert_eq!(
            meta["io.modelcontextprotocol/clientCapabilities"],
            json!({})
        );
        assert_eq!(meta["io.modelcontextprotocol/clientInfo"]["name"], "muster");
        server.result(&asked["id"], discovered()).await;
        server.stay().await;
    })])
    .await;
    speaks(&connection, Version::V2026_07_28);
    assert_eq!(connection.unwrap().facts.server_info["name"], "fake");
    assert_eq!(heard.oddities(), []);
}

#[tokio::test(start_paused = true)]
async fn what_a_discovery_lacks_is_assumed_and_told() {
    let (connection, heard) = detect(vec![act(async |mut server: Server| {
        let id = server.expect("server/discover").await;
        let result = json!({"supportedVersions": ["2026-07-28"], "serverInfo": {"name": "top"}});
        server.result(&id, result).await;
        server.stay().await;
    })])
    .await;
    speaks(&connection, Version::V2026_07_28);
    assert_eq!(connection.unwrap().facts.server_info["name"], "top");
    let missing: Vec<&str> = heard
        .oddities()
        .iter()
        .map(|oddity| match oddity {
            Oddity::MissingField { field, .. } => *field,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        missing,
        ["resultType", "ttlMs", "cacheScope", "capabilities"]
    );
}

/// Answers the question with the line `answer`, in which `ID` stands for the id.
fn answers(answer: &'static str) -> Act {
    act(async move |mut server: Server| {
        let id = server.expect("server/discover").await;
        server.say(&answer.replace("ID", &id.to_string())).await;
        server.initialize("2025-06-18").await;
        server.stay().await;
    })
}

#[tokio::test(start_paused = true)]
async fn any_other_answer_means_legacy() {
    for answer in [
        r#"{"jsonrpc":"2.0","id":ID,"error":{"code":-32601,"message":"no such method"}}"#,
        r#"{"jsonrpc":"2.0","id":ID,"error":{"code":-32602,"message":"bad params"}}"#,
        r#"{"jsonrpc":"2.0","id":ID,"error":{"code":0,"message":"not initialized"}}"#,
        r#"{"jsonrpc":"2.0","id":ID,"error":{"code":"E_METHOD","message":"text code"}}"#,
        r#"{"jsonrpc":"2.0","id":ID,"error":"only words"}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"id is null"}}"#,
        r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"id is absent"}}"#,
        r#"{"jsonrpc":"2.0","id":"ID","error":{"code":-32601,"message":"id is text"}}"#,
        r#"{"jsonrpc":"2.0","id":ID,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":ID,"result":null}"#,
        r#"{"jsonrpc":"2.0","id":ID,"result":{"tools":[]}}"#,
        r#"{"jsonrpc":"2.0","id":ID,"result":{"supportedVersions":"2026-07-28"}}"#,
        r#"{"jsonrpc":"2.0","id":ID.0,"result":[]}"#,
    ] {
        let started = Instant::now();
        let (connection, _) = detect(vec![answers(answer)]).await;
        speaks(&connection, Version::V2025_06_18);
        assert!(
            started.elapsed() < Duration::from_secs(1),
            "waited at {answer}"
        );
    }
}

/// Answers the question with the versions `supported`, refused or not, and expects to be initialized with `offered`.
fn offers(refuses: bool, supported: &'static [&'static str], offered: &'static str) -> Act {
    act(async move |mut server: Server| {
        let id = server.expect("server/discover").await;
        if refuses {
            let data = json!({"supported": supported, "requested": "2026-07-28"});
            let error = json!({"code": -32022, "message": "unsupported", "data": data});
            server.error(&id, error).await;
        } else {
            server
                .result(&id, json!({"supportedVersions": supported}))
                .await;
        }
        let asked = server.next().await.unwrap();
        assert_eq!(asked["method"], "initialize");
        assert_eq!(asked["params"]["protocolVersion"], offered);
        server.result(&asked["id"], hello(offered)).await;
        server.stay().await;
    })
}

#[tokio::test(start_paused = true)]
async fn a_server_of_only_legacy_versions_is_offered_the_newest() {
    for refuses in [true, false] {
        let (connection, _) = detect(vec![offers(
            refuses,
            &["2024-11-05", "2025-03-26"],
            "2025-03-26",
        )])
        .await;
        speaks(&connection, Version::V2025_03_26);
    }
    let (connection, _) = detect(vec![offers(true, &[], "2025-11-25")]).await;
    speaks(&connection, Version::V2025_11_25);
}

#[tokio::test(start_paused = true)]
async fn without_a_common_version_both_lists_are_told() {
    for refuses in [true, false] {
        let (connection, _) = detect(vec![act(async move |mut server: Server| {
            let id = server.expect("server/discover").await;
            let supported = json!(["2030-01-01"]);
            match refuses {
                true => {
                    let data = json!({"supported": supported});
                    server
                        .error(&id, json!({"code": -32022, "message": "", "data": data}))
                        .await;
                }
                false => {
                    server
                        .result(&id, json!({"supportedVersions": supported}))
                        .await
                }
            }
            server.stay().await;
        })])
        .await;
        let error = connection.unwrap_err();
        assert_eq!(
            error,
            StartError::NoCommonVersion {
                theirs: vec!["2030-01-01".to_owned()]
            }
        );
        let said = error.to_string();
        assert!(
            said.contains("2030-01-01") && said.contains("2024-11-05"),
            "{said}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_version_that_is_refused_and_supported_is_asked_for_once_more() {
    let refusal =
        json!({"code": -32022, "message": "try again", "data": {"supported": ["2026-07-28"]}});
    let error = refusal.clone();
    let (connection, _) = detect(vec![act(async move |mut server: Server| {
        let id = server.expect("server/discover").await;
        server.error(&id, error).await;
        let again = server.expect("server/discover").await;
        assert_ne!(id, again, "an id is used once");
        server.result(&again, discovered()).await;
        server.stay().await;
    })])
    .await;
    speaks(&connection, Version::V2026_07_28);

    let (connection, _) = detect(vec![act(async move |mut server: Server| {
        for _ in 0..2 {
            let id = server.expect("server/discover").await;
            server.error(&id, refusal.clone()).await;
        }
        assert_eq!(server.next().await, None, "nothing is asked a third time");
    })])
    .await;
    refused(connection, ErrorObject::UNSUPPORTED_VERSION);
}

#[track_caller]
fn refused(connection: Result<Connection, StartError>, code: i64) {
    match connection {
        Err(StartError::Request {
            error: RequestError::Refused(error),
            ..
        }) => {
            assert_eq!(error.code, Some(code));
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn other_modern_errors_end_the_attempt() {
    for code in [-32020, -32021] {
        let (connection, _) = detect(vec![act(async move |mut server: Server| {
            let id = server.expect("server/discover").await;
            server
                .error(&id, json!({"code": code, "message": "no"}))
                .await;
            assert_eq!(server.next().await, None, "nothing else is asked");
        })])
        .await;
        refused(connection, code);
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_no_answer_is_passed_over() {
    let (connection, heard) = detect(vec![act(async |mut server: Server| {
        let id = server.expect("server/discover").await;
        server.bytes(b"\xEF\xBB\xBF\n\n   \r\n").await;
        for stray in [
            r#"{"jsonrpc":"2.0","id":77,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":"probe","result":{}}"#,
            r#"{"jsonrpc":"2.0","id":true,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1.5,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1}}"#,
            r#"{"jsonrpc":"1.0","id":1,"result":{}}"#,
            r#"{"level":"info","id":1,"msg":"a log line"}"#,
            "Server running on stdio",
            "[]",
            "42",
        ] {
            server.say(stray).await;
        }
        server.bytes(b"\xFF\xFE binary\n").await;
        server.result(&id, discovered()).await;
        server.stay().await;
    })])
    .await;
    speaks(&connection, Version::V2026_07_28);
    let odd = heard.oddities();
    let strays: Vec<&Oddity> = odd
        .iter()
        .filter(|oddity| matches!(oddity, Oddity::StrayAnswer { .. }))
        .collect();
    assert_eq!(strays.len(), 3, "{odd:?}");
    assert!(odd.contains(&Oddity::OddId), "{odd:?}");
    let noise = heard.all();
    let noise = noise
        .iter()
        .filter(|happening| matches!(happening, muster_client::Happening::Noise(_)));
    assert_eq!(noise.count(), 7);
}

#[tokio::test(start_paused = true)]
async fn an_answer_may_come_in_a_batch() {
    let (connection, heard) = detect(vec![act(async |mut server: Server| {
        let id = server.expect("server/discover").await;
        server.error(&id, json!({"code": -32601, "message": ""})).await;
        let id = server.expect("initialize").await;
        let answer = json!({"jsonrpc": "2.0", "id": id, "result": hello("2025-03-26")});
        let log = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}});
        server.say(&Value::Array(vec![log, answer]).to_string()).await;
        server.stay().await;
    })])
    .await;
    speaks(&connection, Version::V2025_03_26);
    assert_eq!(heard.oddities(), [Oddity::Batch]);
}

#[tokio::test(start_paused = true)]
async fn an_unknown_revision_is_spoken_to_all_the_same() {
    let (connection, heard) = detect(vec![act(async |mut server: Server| {
        let id = server.expect("server/discover").await;
        server
            .error(&id, json!({"code": -32601, "message": ""}))
            .await;
        server.initialize("2099-01-01").await;
        server.stay().await;
    })])
    .await;
    speaks(&connection, Version::V2025_11_25);
    assert_eq!(connection.unwrap().facts.version_text, "2099-01-01");
    let version = "2099-01-01".to_owned();
    assert_eq!(heard.oddities(), [Oddity::UnknownVersion { version }]);
}

#[tokio::test(start_paused = true)]
async fn only_pings_are_answered_before_a_version_is_agreed_on() {
    let (connection, _) = detect(vec![act(async |mut server: Server| {
        let probe = server.expect("server/discover").await;
        server
            .say(r#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#)
            .await;
        let answer = server.next().await.unwrap();
        assert_eq!(answer, json!({"jsonrpc": "2.0", "id": "a", "result": {}}));
        server
            .say(r#"{"jsonrpc":"2.0","id":7,"method":"roots/list"}"#)
            .await;
        let answer = server.next().await.unwrap();
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&json!(7), &json!(-32601))
        );
        server.result(&probe, discovered()).await;
        server.stay().await;
    })])
    .await;
    speaks(&connection, Version::V2026_07_28);
}

#[tokio::test(start_paused = true)]
async fn a_pinned_era_is_not_asked_for() {
    let heard = Heard::default();
    let legacy = act(async |mut server: Server| {
        server.initialize("2025-11-25").await;
        server.stay().await;
    });
    let choice = EraChoice::Pinned(Era::Legacy);
    let connection = begin(vec![legacy], Manner::default(), choice, &heard).await;
    speaks(&connection, Version::V2025_11_25);

    let not_modern = act(async |mut server: Server| {
        let id = server.expect("server/discover").await;
        server
            .error(&id, json!({"code": -32601, "message": ""}))
            .await;
        assert_eq!(server.next().await, None);
    });
    let choice = EraChoice::Pinned(Era::Modern);
    let connection = begin(vec![not_modern], Manner::default(), choice, &heard).await;
    assert!(
        matches!(connection, Err(StartError::NoCommonVersion { .. })),
        "{connection:?}"
    );
}
