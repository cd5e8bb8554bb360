//! Answers that are kept.

use std::time::Duration;

use muster_client::{
    Ask, Cache, CacheOwner, Cached, Change, ErrorObject, Limits, RequestError, Session,
};
use serde_json::{Value, json};

use crate::server::{Act, Server, act};
use crate::session::session;

fn owner(context: &str) -> CacheOwner {
    CacheOwner {
        server: "db".to_owned(),
        context: context.to_owned(),
    }
}

/// Answers the `n`th request with `answers(n)`.
fn answering(answers: fn(usize) -> Value) -> Act {
    act(async move |mut server: Server| {
        server.be_modern().await;
        let mut number = 0;
        while let Some(asked) = server.next().await {
            if asked["id"].is_null() {
                continue;
            }
            match answers(number) {
                Value::Null => {}
                answer if answer.get("code").is_some() => server.error(&asked["id"], answer).await,
                answer => server.result(&asked["id"], answer).await,
            }
            number += 1;
        }
    })
}

async fn get(session: &Session, cache: &Cache, ask: Ask) -> Result<Cached, RequestError> {
    session.ask_cached(cache, &owner("me"), ask).await
}

fn list() -> Ask {
    Ask::new("tools/list", json!({}), &Limits::default())
}

fn read(uri: &str) -> Ask {
    Ask::new("resources/read", json!({"uri": uri}), &Limits::default())
}

/// The number that an answer bears, and whether it was kept.
fn number(cached: Result<Cached, RequestError>) -> (u64, bool) {
    let cached = cached.unwrap();
    (cached.value["n"].as_u64().unwrap(), cached.kept)
}

#[tokio::test(start_paused = true)]
async fn an_answer_is_kept_as_long_as_the_server_says() {
    let (session, _) = session(answering(
        |n| json!({"resultType": "complete", "ttlMs": 10_000, "cacheScope": "private", "n": n}),
    ))
    .await;
    let cache = Cache::default();
    assert_eq!(number(get(&session, &cache, list()).await), (0, false));
    tokio::time::sleep(Duration::from_millis(9_900)).await;
    assert_eq!(number(get(&session, &cache, list()).await), (0, true));
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(number(get(&session, &cache, list()).await), (1, false));
}

#[tokio::test(start_paused = true)]
async fn pages_addresses_and_askers_are_kept_apart() {
    let (session, _) = session(answering(
        |n| json!({"resultType": "complete", "ttlMs": 10_000, "cacheScope": "public", "n": n}),
    ))
    .await;
    let cache = Cache::default();
    let page = |cursor: &str| Ask::new("tools/list", json!({"cursor": cursor}), &Limits::default());
    for (n, ask) in [list(), page(""), page("a"), read("x://a"), read("x://b")]
        .into_iter()
        .enumerate()
    {
        let expected = (n as u64, false);
        assert_eq!(number(get(&session, &cache, ask.clone()).await), expected);
        assert_eq!(number(get(&session, &cache, ask).await), (n as u64, true));
    }
    let other = session
        .ask_cached(&cache, &owner("somebody else"), list())
        .await;
    assert_eq!(number(other), (5, false));
    // Calls are never kept.
    let call = || Ask::new("tools/call", json!({"name": "t"}), &Limits::default());
    assert_eq!(number(get(&session, &cache, call()).await), (6, false));
    assert_eq!(number(get(&session, &cache, call()).await), (7, false));
    assert_eq!(cache.len(), 6);
}

#[tokio::test(start_paused = true)]
async fn news_drop_what_they_make_wrong() {
    let (session, _) = session(answering(|n| json!({"ttlMs": 10_000, "n": n}))).await;
    let cache = Cache::default();
    get(&session, &cache, list()).await.unwrap();
    get(&session, &cache, read("x://a")).await.unwrap();
    cache.changed(&owner("me"), &Change::Prompts);
    cache.changed(&owner("somebody else"), &Change::Anything);
    cache.changed(&owner("me"), &Change::Resource("x://b".to_owned()));
    assert_eq!(cache.len(), 2);
    cache.changed(&owner("me"), &Change::Resource("x://a".to_owned()));
    assert_eq!(number(get(&session, &cache, list()).await), (0, true));
    cache.changed(&owner("me"), &Change::Tools);
    assert!(cache.is_empty());
    assert_eq!(number(get(&session, &cache, list()).await), (2, false));
}

#[tokio::test(start_paused = true)]
async fn what_may_not_be_kept_is_not() {
    let (session, _) = session(answering(|n| {
        let mut answer = json!({"resultType": "complete", "n": n});
        match n {
            0 => {}
            1 => answer["ttlMs"] = 0.into(),
            2 => answer["ttlMs"] = (-5).into(),
            3 => answer["ttlMs"] = "10".into(),
            4 => {
                answer["ttlMs"] = 10_000.into();
                answer["resultType"] = "input_required".into();
            }
            // Absurd: held to a day.
            _ => answer["ttlMs"] = json!(1e300),
        }
        answer
    }))
    .await;
    let cache = Cache::default();
    for n in 0..6 {
        assert_eq!(
            number(get(&session, &cache, read("x://a")).await),
            (n, false)
        );
        assert_eq!(cache.len(), usize::from(n == 5));
    }
    tokio::time::sleep(Duration::from_secs(24 * 60 * 60 + 1)).await;
    assert_eq!(
        number(get(&session, &cache, read("x://a")).await),
        (6, false)
    );
}

#[tokio::test(start_paused = true)]
async fn what_is_too_old_stands_in_for_a_server_that_is_silent_and_says_so() {
    let (session, _) = session(answering(|n| match n {
        0 => json!({"ttlMs": 1_000, "n": 0}),
        1 => Value::Null,
        2 => json!({"code": -32602, "message": "gone"}),
        _ => Value::Null,
    }))
    .await;
    let cache = Cache::default();
    get(&session, &cache, list()).await.unwrap();
    tokio::time::sleep(Duration::from_secs(2)).await;
    let stale = get(&session, &cache, list()).await.unwrap();
    assert_eq!((stale.value["n"].as_u64(), stale.kept), (Some(0), true));
    assert_eq!(
        stale.stale.unwrap().to_string(),
        "no answer to tools/list within 60 s"
    );
    let refused = get(&session, &cache, list()).await.unwrap_err();
    assert_eq!(
        refused.refusal().and_then(|error| error.code),
        Some(ErrorObject::INVALID_PARAMS)
    );
    tokio::time::sleep(Duration::from_secs(2 * 60 * 60)).await;
    assert!(get(&session, &cache, list()).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn it_does_not_grow_without_bound() {
    let (session, _) = session(answering(|n| json!({"ttlMs": 10_000 + n, "n": n}))).await;
    let cache = Cache::default();
    for n in 0..600 {
        get(&session, &cache, read(&format!("x://{n}")))
            .await
            .unwrap();
    }
    assert_eq!(cache.len(), 512);
    assert!(get(&session, &cache, read("x://599")).await.unwrap().kept);
    assert!(!get(&session, &cache, read("x://0")).await.unwrap().kept);
}
