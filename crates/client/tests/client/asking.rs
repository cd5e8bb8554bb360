//! What servers ask the user, in both eras.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use muster_client::{
    Answers, BoxFuture, Elicitation, Elicited, Elicits, Limits, Manner, RoundsError, Session,
};
use serde_json::{Map, Value, json};

use crate::server::{Act, Server, act};
use crate::session::{call, session_in};

/// Does what it is told, and remembers what it was asked.
struct User {
    does: Elicited,
    after: Duration,
    asked: Mutex<Vec<Elicitation>>,
}

impl Elicits for User {
    fn elicit(&self, question: Elicitation) -> BoxFuture<'_, Elicited> {
        self.asked.lock().unwrap().push(question);
        Box::pin(async move {
            tokio::time::sleep(self.after).await;
            self.does.clone()
        })
    }
}

fn user(does: Elicited) -> Arc<User> {
    Arc::new(User {
        does,
        after: Duration::ZERO,
        asked: Mutex::default(),
    })
}

fn manner(user: &Arc<User>) -> Manner {
    let answers = Answers {
        roots: Some(vec!["/home/me/shop".into()]),
        elicits: Some(user.clone()),
        samples: None,
    };
    Manner {
        handler: Arc::new(answers),
        ..Manner::default()
    }
}

fn accepted() -> Elicited {
    let content: Map<String, Value> = [("name".to_owned(), json!("me"))].into_iter().collect();
    Elicited::Accepted(content)
}

fn form() -> Value {
    json!({"message": "who?", "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}}})
}

async fn ask(session: &Session) -> Result<Value, RoundsError> {
    session.ask_in_rounds(call(&Limits::default())).await
}

/// Asks `method` with `params` during a call, and answers the call with what came back.
fn asks(method: &'static str, params: Value) -> Act {
    act(async move |mut server: Server| {
        server.be_legacy().await;
        let id = server.expect("tools/call").await;
        let asked = json!({"jsonrpc": "2.0", "id": "q1", "method": method, "params": params});
        server.say(&asked.to_string()).await;
        let mut answer = server.next().await.unwrap();
        assert_eq!(answer["id"], "q1");
        answer.as_object_mut().unwrap().remove("jsonrpc");
        server.result(&id, answer).await;
        server.stay().await;
    })
}

#[tokio::test(start_paused = true)]
async fn a_legacy_server_is_answered_what_was_declared() {
    for (method, params, answer) in [
        (
            "elicitation/create",
            form(),
            json!({"id": "q1", "result": {"action": "accept", "content": {"name": "me"}}}),
        ),
        (
            "roots/list",
            json!({}),
            json!({"id": "q1", "result": {"roots": [{"uri": "file:///home/me/shop", "name": "shop"}]}}),
        ),
        (
            "sampling/createMessage",
            json!({"messages": []}),
            json!({"id": "q1", "error": {"code": -32601, "message": "this client has no model to sample from"}}),
        ),
        (
            "elicitation/create",
            json!({"mode": "url", "url": "http://host.example/"}),
            json!({"id": "q1", "error": {"code": -32602, "message": "the url is neither https nor on this machine"}}),
        ),
    ] {
        let (session, _) = session_in(manner(&user(accepted())), asks(method, params)).await;
        assert_eq!(ask(&session).await.unwrap(), answer, "{method}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_user_who_takes_time_is_no_silence_of_the_server() {
    let user = Arc::new(User {
        does: accepted(),
        after: Duration::from_secs(300),
        asked: Mutex::default(),
    });
    let (session, _) = session_in(manner(&user), asks("elicitation/create", form())).await;
    let answer = ask(&session).await.unwrap();
    assert_eq!(answer["result"]["action"], "accept");
}

#[tokio::test(start_paused = true)]
async fn a_modern_server_is_told_what_can_be_answered() {
    let (session, _) = session_in(
        manner(&user(Elicited::Declined)),
        act(async |mut server: Server| {
            server.be_modern().await;
            let first = server.next().await.unwrap();
            let meta = &first["params"]["_meta"];
            assert_eq!(
                meta["io.modelcontextprotocol/clientCapabilities"],
                json!({"roots": {}, "elicitation": {"form": {}, "url": {}}})
            );
            let requests = json!({
                "a": {"method": "elicitation/create", "params": form()},
                "b": {"method": "roots/list", "params": {}},
            });
            let wanted = json!({"resultType": "input_required", "inputRequests": requests});
            server.result(&first["id"], wanted).await;
            let second = server.next().await.unwrap();
            let answers = &second["params"]["inputResponses"];
            assert_eq!(answers["a"], json!({"action": "decline"}));
            assert_eq!(answers["b"]["roots"][0]["name"], "shop");
            let done = json!({"resultType": "complete", "content": []});
            server.result(&second["id"], done).await;
            server.stay().await;
        }),
    )
    .await;
    assert_eq!(ask(&session).await.unwrap()["content"], json!([]));
}

#[tokio::test(start_paused = true)]
async fn a_page_that_must_be_visited_first_is_shown_and_the_call_repeated() {
    let error = json!({"code": -32042, "message": "sign in", "data": {"elicitations": [
        {"mode": "url", "elicitationId": "e1", "url": "https://host.example/in", "message": "sign in"},
    ]}});
    let acting = |error: Value| {
        act(async move |mut server: Server| {
            server.be_legacy().await;
            let id = server.expect("tools/call").await;
            server.error(&id, error).await;
            let id = server.expect("tools/call").await;
            server.result(&id, json!({"content": ["done"]})).await;
            server.stay().await;
        })
    };
    let agreeing = user(Elicited::Accepted(Map::new()));
    let (session, _) = session_in(manner(&agreeing), acting(error.clone())).await;
    assert_eq!(ask(&session).await.unwrap()["content"], json!(["done"]));
    let asked = agreeing.asked.lock().unwrap().clone();
    let [Elicitation::Visit(visit)] = asked.as_slice() else {
        panic!("one page: {asked:?}");
    };
    assert_eq!(
        (visit.host(), visit.id.as_deref()),
        ("host.example", Some("e1"))
    );

    let (session, _) = session_in(manner(&user(Elicited::Declined)), acting(error)).await;
    let refused = ask(&session).await.unwrap_err();
    assert_eq!(refused.to_string(), "error -32042: sign in");
}
