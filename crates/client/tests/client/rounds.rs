//! Requests in several rounds.

use std::sync::Arc;

use muster_client::{BoxFuture, Era, Handler, Limits, Manner, Refusal, RoundsError};
use serde_json::{Value, json};

use crate::server::{Server, act};
use crate::session::{call, session_in};

/// Answers elicitations with what it was asked.
struct Answering;

impl Handler for Answering {
    fn capabilities(&self, _: Era) -> Value {
        json!({"elicitation": {"form": {}}})
    }

    fn answers(&self, method: &str) -> bool {
        method == "elicitation/create"
    }

    fn answer<'a>(
        &'a self,
        method: &'a str,
        params: Value,
    ) -> BoxFuture<'a, Result<Value, Refusal>> {
        Box::pin(async move {
            match method {
                "elicitation/create" => Ok(json!({"action": "accept", "content": params})),
                _ => Err(Refusal::unknown(method)),
            }
        })
    }
}

fn answering() -> Manner {
    Manner {
        handler: Arc::new(Answering),
        ..Manner::default()
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_modern_server_wants_to_know_is_answered_in_the_next_round() {
    let (session, _) = session_in(
        answering(),
        act(async |mut server: Server| {
            server.be_modern().await;
            let first = server.next().await.unwrap();
            let meta = &first["params"]["_meta"];
            assert_eq!(
                meta["io.modelcontextprotocol/clientCapabilities"],
                json!({"elicitation": {"form": {}}})
            );
            server.result(&first["id"], json!({
            "resultType": "input_required", "requestState": "st\u{e4}te==",
            "inputRequests": {"k": {"method": "elicitation/create", "params": {"message": "who?"}}},
        })).await;
            let second = server.next().await.unwrap();
            assert_ne!(first["id"], second["id"]);
            assert_eq!(second["method"], "tools/call");
            assert_eq!(second["params"]["name"], "t");
            assert_eq!(second["params"]["requestState"], "st\u{e4}te==");
            let answers = &second["params"]["inputResponses"];
            assert_eq!(
                answers["k"],
                json!({"action": "accept", "content": {"message": "who?"}})
            );
            // The next round has no state, and so the request after it.
            server
                .result(
                    &second["id"],
                    json!({
                        "resultType": "input_required",
                        "inputRequests": {"l": {"method": "elicitation/create", "params": {}}},
                    }),
                )
                .await;
            let third = server.next().await.unwrap();
            assert_eq!(third["params"].get("requestState"), None);
            server
                .result(
                    &third["id"],
                    json!({"resultType": "complete", "content": []}),
                )
                .await;
            server.stay().await;
        }),
    )
    .await;
    let result = session
        .ask_in_rounds(call(&Limits::default()))
        .await
        .unwrap();
    assert_eq!(result["content"], json!([]));
}

#[tokio::test(start_paused = true)]
async fn questions_without_end_or_sense_are_refused() {
    let asks = |request: Value| {
        act(async move |mut server: Server| {
            server.be_modern().await;
            while let Some(asked) = server.next().await {
                server.result(&asked["id"], request.clone()).await;
            }
        })
    };
    let question = |method: &str| {
        let requests = json!({"k": {"method": method, "params": {}}});
        json!({"resultType": "input_required", "inputRequests": requests})
    };
    for (request, error) in [
        (
            question("elicitation/create"),
            "the server still asks after 10 rounds",
        ),
        (
            question("sampling/createMessage"),
            "the server asks for sampling/createMessage, which was not declared (undeclared capability)",
        ),
        (
            json!({"resultType": "input_required"}),
            "the answer to tools/call asks for input and says for none",
        ),
        (
            json!({"resultType": "wat"}),
            "the answer to tools/call has the unknown resultType \"wat\"",
        ),
    ] {
        let (session, _) = session_in(answering(), asks(request)).await;
        let refused = session.ask_in_rounds(call(&Limits::default())).await;
        let refused: RoundsError = refused.unwrap_err();
        assert_eq!(refused.to_string(), error);
    }
}
