//! Servers that are slow to answer the first question, or do not survive it.

use std::time::Duration;

use muster_client::{List, Oddity, StartError, Version};
use serde_json::json;
use tokio::time::Instant;

use crate::server::{Server, act, discovered, hello};
use crate::start::{detect, speaks};

#[tokio::test(start_paused = true)]
async fn silence_is_broken_by_the_handshake() {
    let started = Instant::now();
    let (connection, heard) = detect(vec![act(async |mut server: Server| {
        server.expect("server/discover").await;
        server.initialize("2025-11-25").await;
        server.stay().await;
    })])
    .await;
    speaks(&connection, Version::V2025_11_25);
    assert_eq!(started.elapsed(), Duration::from_secs(3));
    assert_eq!(heard.oddities(), []);
}

#[tokio::test(start_paused = true)]
async fn a_late_error_to_the_question_is_ignored() {
    let (connection, _) = detect(vec![act(async |mut server: Server| {
        let probe = server.expect("server/discover").await;
        let handshake = server.expect("initialize").await;
        server
            .error(&probe, json!({"code": -32601, "message": "late"}))
            .await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        server.result(&handshake, hello("2025-11-25")).await;
        server.stay().await;
    })])
    .await;
    speaks(&connection, Version::V2025_11_25);
}

#[tokio::test(start_paused = true)]
async fn a_late_discovery_makes_a_server_modern() {
    let (connection, heard) = detect(vec![act(async |mut server: Server| {
        let probe = server.expect("server/discover").await;
        let handshake = server.expect("initialize").await;
        server.result(&probe, discovered()).await;
        server
            .error(
                &handshake,
                json!({"code": -32601, "message": "modern only"}),
            )
            .await;
        let id = server.expect("tools/list").await;
        server
            .result(&id, json!({"resultType": "complete", "tools": []}))
            .await;
        server.stay().await;
    })])
    .await;
    speaks(&connection, Version::V2026_07_28);
    assert_eq!(heard.oddities(), [Oddity::LateDiscovery]);
    let session = connection.unwrap().session;
    let deadline = Instant::now() + Duration::from_secs(5);
    assert_eq!(session.list(List::Tools, deadline).await.unwrap().pages, 1);
}

#[tokio::test(start_paused = true)]
async fn a_discovery_after_the_handshake_changes_nothing() {
    let (connection, heard) = detect(vec![act(async |mut server: Server| {
        let probe = server.expect("server/discover").await;
        server.initialize("2025-11-25").await;
        server.result(&probe, discovered()).await;
        let id = loop {
            // The question is cancelled once nobody waits for it.
            let message = server.next().await.unwrap();
            match message["method"].as_str() {
                Some("notifications/cancelled") => {
                    assert_eq!(message["params"]["requestId"], probe);
                }
                _ => break message["id"].clone(),
            }
        };
        server.result(&id, json!({"tools": []})).await;
        server.stay().await;
    })])
    .await;
    speaks(&connection, Version::V2025_11_25);
    let session = connection.unwrap().session;
    let deadline = Instant::now() + Duration::from_secs(5);
    session.list(List::Tools, deadline).await.unwrap();
    assert_eq!(
        heard.oddities(),
        [Oddity::StrayAnswer { id: "1".to_owned() }]
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_dies_at_the_question_is_started_once_more() {
    let dies = || {
        act(async |mut server: Server| {
            server.expect("server/discover").await;
        })
    };
    let (connection, heard) = detect(vec![
        dies(),
        act(async |mut server: Server| {
            server.initialize("2025-11-25").await;
            server.stay().await;
        }),
    ])
    .await;
    speaks(&connection, Version::V2025_11_25);
    assert_eq!(heard.oddities(), [Oddity::DiedAtProbe]);

    let (connection, _) = detect(vec![
        dies(),
        act(async |mut server: Server| {
            server.expect("initialize").await;
        }),
    ])
    .await;
    assert_eq!(
        connection.unwrap_err(),
        StartError::Ended {
            method: "initialize"
        }
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_dies_later_is_not_started_again() {
    let (connection, _) = detect(vec![act(async |mut server: Server| {
        server.expect("server/discover").await;
        server.expect("initialize").await;
    })])
    .await;
    assert_eq!(
        connection.unwrap_err(),
        StartError::Ended {
            method: "initialize"
        }
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_answers_costs_its_deadline() {
    let started = Instant::now();
    let (connection, _) = detect(vec![act(Server::stay)]).await;
    let error = connection.unwrap_err();
    assert_eq!(
        error,
        StartError::OutOfTime {
            method: "initialize",
            seconds: 20
        }
    );
    assert_eq!(started.elapsed(), Duration::from_secs(20));
}
