//! The client against the official Rust SDK's server: a second reading of the same specification.

use std::sync::Arc;
use std::time::Duration;

use muster_client::{Ask, EraChoice, Limits, List, Manner, Opened, Stdio, Version, over_stdio};
use rmcp::ServiceExt;
use serde_json::json;
use tokio::time::Instant;

use crate::handler::Sdk;
use crate::server::Heard;

fn open(server: Sdk, limits: &Limits) -> Opened {
    let (client_out, server_in) = tokio::io::duplex(64 * 1024);
    let (server_out, client_in) = tokio::io::duplex(64 * 1024);
    tokio::spawn(async move {
        let running = server.serve((server_in, server_out)).await;
        if let Ok(running) = running {
            _ = running.waiting().await;
        }
    });
    let (transport, inbox) = Stdio::open(client_out, client_in, limits);
    Opened {
        transport: Arc::new(transport),
        inbox,
    }
}

#[tokio::test]
async fn its_servers_are_spoken_to_in_every_revision() {
    for (newest, version) in Version::ALL.into_iter().rev().enumerate() {
        let heard = Heard::default();
        let limits = Limits::default();
        let server = Sdk { newest: newest + 1 };
        let opening = async || Ok(open(server.clone(), &limits));
        let deadline = Instant::now() + Duration::from_secs(20);
        let choice = EraChoice::Detect;
        let begun = over_stdio(
            opening,
            &Manner::default(),
            choice,
            &heard.teller(),
            deadline,
        )
        .await;
        let connection = begun.unwrap();
        assert_eq!(connection.facts.version, version);
        assert_eq!(connection.facts.server_info["name"], "sdk");
        let listed = connection
            .session
            .list(List::Tools, deadline)
            .await
            .unwrap();
        let names: Vec<&str> = listed
            .items
            .iter()
            .filter_map(|tool| tool["name"].as_str())
            .collect();
        assert_eq!(names, ["echo", "shout"]);
        let params = json!({"name": "echo", "arguments": {"text": "h\u{e9}"}});
        let ask = Ask::new("tools/call", params, &limits);
        let result = connection.session.ask_in_rounds(ask).await.unwrap();
        assert_eq!(result["content"][0]["text"], "{\"text\":\"h\u{e9}\"}");
        assert_eq!(heard.oddities(), [], "{version}");
        connection.session.close().await;
    }
}
