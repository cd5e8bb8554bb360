//! Lists, page by page.

use std::time::Duration;

use muster_client::{Limits, List, Listed, Manner, Oddity, RequestError, Session};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::server::{Act, Server, act};
use crate::session::{session, session_in};

pub(crate) fn tools(names: &[&str]) -> Value {
    names.iter().map(|name| json!({"name": name})).collect()
}

/// Gives the pages `pages`, whatever cursor is asked for, the last one for ever.
fn gives(pages: Vec<Value>) -> Act {
    act(async move |mut server: Server| {
        server.be_legacy().await;
        let mut pages = pages.into_iter().peekable();
        while let Some(asked) = server.next().await {
            let page = match pages.len() {
                1 => pages.peek().cloned(),
                _ => pages.next(),
            };
            server.result(&asked["id"], page.unwrap()).await;
        }
    })
}

pub(crate) async fn list(session: &Session) -> Result<Listed, RequestError> {
    let deadline = Instant::now() + Duration::from_secs(20);
    session.list(List::Tools, deadline).await
}

pub(crate) fn names(listed: &Listed) -> Vec<&str> {
    let names = listed.items.iter().map(|item| item["name"].as_str());
    names.map(Option::unwrap).collect()
}

#[tokio::test(start_paused = true)]
async fn an_empty_cursor_is_a_cursor_and_null_is_the_end() {
    let (session, heard) = session(gives(vec![
        json!({"tools": tools(&["a", "b"]), "nextCursor": ""}),
        json!({"tools": tools(&["c"]), "nextCursor": "x"}),
        json!({"tools": tools(&["d"]), "nextCursor": null}),
    ]))
    .await;
    let listed = list(&session).await.unwrap();
    assert_eq!(names(&listed), ["a", "b", "c", "d"]);
    assert_eq!((listed.pages, listed.cut), (3, false));
    let method = "tools/list";
    assert_eq!(heard.oddities(), [Oddity::NullCursor { method }]);
}

#[tokio::test(start_paused = true)]
async fn a_cursor_that_comes_again_ends_the_list() {
    let (session, heard) = session(gives(vec![
        json!({"tools": tools(&["a", "b"]), "nextCursor": "again"}),
    ]))
    .await;
    let listed = list(&session).await.unwrap();
    assert_eq!(names(&listed), ["a", "b"]);
    assert_eq!(heard.oddities(), [Oddity::RepeatedCursor]);
}

#[tokio::test(start_paused = true)]
async fn an_endless_list_is_cut() {
    let endless = act(async |mut server: Server| {
        server.be_legacy().await;
        let mut page = 0;
        while let Some(asked) = server.next().await {
            page += 1;
            let page = json!({"tools": tools(&["t"]), "nextCursor": page.to_string()});
            server.result(&asked["id"], page).await;
        }
    });
    let limits = Limits {
        pages: 7,
        ..Limits::default()
    };
    let (session, heard) = session_in(
        Manner {
            limits,
            ..Manner::default()
        },
        endless,
    )
    .await;
    let listed = list(&session).await.unwrap();
    assert_eq!((listed.items.len(), listed.cut), (7, true));
    let (method, limit) = ("tools/list", "pages");
    assert_eq!(heard.oddities(), [Oddity::CutList { method, limit }]);
}

#[tokio::test(start_paused = true)]
async fn a_cursor_that_is_refused_begins_the_list_anew_once() {
    let (session, heard) = session(act(async |mut server: Server| {
        server.be_legacy().await;
        for cursor in ["one", "two"] {
            let id = server.expect("tools/list").await;
            let page = json!({"tools": tools(&["a"]), "nextCursor": cursor});
            server.result(&id, page).await;
            let id = server.expect("tools/list").await;
            server
                .error(&id, json!({"code": -32602, "message": "unknown cursor"}))
                .await;
        }
        server.stay().await;
    }))
    .await;
    let error = list(&session).await.unwrap_err();
    assert_eq!(error.to_string(), "error -32602: unknown cursor");
    assert_eq!(heard.oddities(), [Oddity::RefusedCursor]);
}

#[tokio::test(start_paused = true)]
async fn a_bad_item_costs_no_other() {
    let (session, heard) = session(gives(vec![json!({"tools": [
        {"name": "a", "futureField": {"kept": 1}}, "text", null, {"name": 5}, {"title": "no name"}, {"name": "b"},
    ]})]))
    .await;
    let listed = list(&session).await.unwrap();
    assert_eq!(names(&listed), ["a", "b"]);
    assert_eq!(listed.items[0]["futureField"], json!({"kept": 1}));
    let odd: Vec<usize> = listed.odd.iter().map(|(index, _)| *index).collect();
    assert_eq!(odd, [1, 2, 3, 4]);
    assert_eq!(heard.oddities().len(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_list_that_is_none_is_invalid() {
    for (result, why) in [
        (
            json!({"resultType": "wat", "tools": []}),
            "has the resultType \"wat\", which a list may not have",
        ),
        (
            json!({"resultType": "input_required", "tools": []}),
            "has the resultType \"input_required\", which a list may not have",
        ),
        (json!({"tools": {}}), "has tools that are no list"),
        (json!({}), "has no tools"),
        (json!(null), "has no tools"),
    ] {
        let (session, _) = session(gives(vec![result])).await;
        let error = list(&session).await.unwrap_err();
        assert_eq!(error.to_string(), format!("the answer to tools/list {why}"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_page_that_does_not_come_costs_the_deadline_alone() {
    let (session, _) = session(act(async |mut server: Server| {
        server.be_legacy().await;
        let id = server.expect("tools/list").await;
        let page = json!({"tools": tools(&["a"]), "nextCursor": "x"});
        server.result(&id, page).await;
        let id = server.expect("tools/list").await;
        let cancelled = server.next().await.unwrap();
        assert_eq!(cancelled["method"], "notifications/cancelled");
        assert_eq!(cancelled["params"]["requestId"], id);
        server.stay().await;
    }))
    .await;
    let started = Instant::now();
    let error = list(&session).await.unwrap_err();
    assert_eq!(error.to_string(), "no answer to tools/list within 20 s");
    assert_eq!(started.elapsed(), Duration::from_secs(20));
    session.close().await;
}
