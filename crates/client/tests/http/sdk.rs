//! The client against the official Rust SDK's server over Streamable HTTP, in every revision and every way it answers.

use std::sync::Arc;
use std::time::Duration;

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use muster_client::http::Remote;
use muster_client::{Ask, Era, Limits, Version};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::json;
use tokio::net::TcpListener;

use crate::handler::Sdk;
use crate::start::{How, LISTING, LOOKING, begin_within, listed};

/// Serves `sdk`: with sessions for the legacy era or without, with JSON or with event streams.
async fn serve(sdk: Sdk, sessions: bool, json: bool) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let mut config = StreamableHttpServerConfig::default();
    config.legacy_session_mode = sessions;
    config.json_response = json;
    let manager = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(sdk.clone()), manager, config);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let service = TowerToHyperService::new(service.clone());
            tokio::spawn(async move {
                let builder = Builder::new(TokioExecutor::new()).http1_only();
                // Whether the client leaves in order is not the server's to judge here.
                _ = builder
                    .serve_connection(TokioIo::new(stream), service)
                    .await;
            });
        }
    });
    url
}

#[tokio::test]
async fn its_servers_are_spoken_to_over_http_in_every_revision() {
    for (newest, version) in Version::ALL.into_iter().rev().enumerate() {
        for (sessions, json) in [(true, false), (false, false), (false, true)] {
            for how in [&LISTING, &LOOKING] {
                let url = serve(Sdk { newest: newest + 1 }, sessions, json).await;
                used(&url, how, version).await;
            }
        }
    }
}

async fn used(url: &str, how: &How, version: Version) {
    let begun = begin_within(&Remote::at(url), how, Limits::default()).await;
    assert!(begun.result.is_ok(), "{version}: {}", begun.error());
    let connection = begun.connection();
    assert_eq!(connection.facts.version, version);
    assert_eq!(connection.facts.server_info["name"], "sdk");
    let names: Vec<String> = listed(&begun)
        .await
        .iter()
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["echo", "shout"]);
    let params = json!({"name": "echo", "arguments": {"text": "h\u{e9}"}});
    let ask = Ask::new("tools/call", params, &Limits::default()).within(Duration::from_secs(10));
    let result = connection.session.ask_in_rounds(ask).await.unwrap();
    assert_eq!(result["content"][0]["text"], "{\"text\":\"h\u{e9}\"}");
    assert_eq!(begun.heard(), [], "{version}");
    assert_eq!(
        connection.facts.era == Era::Modern,
        version == Version::MODERN
    );
    connection.session.close().await;
}
