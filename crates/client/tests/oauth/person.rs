//! A person with a browser: the door on this machine.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use muster_client::oauth::{Person, SignInPage, VisitError, WaitError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use url::Url;

use crate::fake::{CANARY, Fake, Oddities};

/// Sends `request` to `port` of this machine; the answer.
async fn visit(port: u16, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8(answer).unwrap()
}

async fn get(url: &Url) -> String {
    let port = url.port().unwrap();
    let target = &url[url::Position::BeforePath..];
    visit(
        port,
        &format!("GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"),
    )
    .await
}

/// Where the sign-in page sends a browser.
async fn answer_of(page: &SignInPage) -> Url {
    let answer = get(&page.url).await;
    let line = answer
        .lines()
        .find_map(|line| line.strip_prefix("Location: "));
    Url::parse(line.unwrap()).unwrap()
}

/// A browser that does as `act` says when it is shown a page, and what it saw.
fn browser<F>(
    act: impl Fn(SignInPage) -> F + Send + Sync + 'static,
) -> (Person, Arc<Mutex<Vec<String>>>)
where
    F: Future<Output = Vec<String>> + Send + 'static,
{
    let seen = Arc::new(Mutex::new(Vec::new()));
    let own = seen.clone();
    let show = move |page: &SignInPage| {
        let (doing, own) = (act(page.clone()), own.clone());
        tokio::spawn(async move {
            let answers = doing.await;
            own.lock().unwrap().extend(answers);
        });
    };
    let person = Person {
        port: None,
        patience: Duration::from_secs(20),
        show: Arc::new(show),
    };
    (person, seen)
}

fn status(answer: &str) -> &str {
    answer.split_once("\r\n").unwrap().0
}

#[tokio::test]
async fn a_browser_brings_the_answer_and_is_thanked() {
    let fake = Fake::start(Oddities::default()).await;
    let (access, _) = fake.access();
    let (person, seen) = browser(|page| async move {
        let to = answer_of(&page).await;
        assert!(to.as_str().starts_with(&page.redirect), "{to}");
        vec![get(&to).await]
    });
    let signed_in = access.sign_in(None, &person).await.unwrap();
    assert!(fake.takes(&signed_in.access));
    let redirect = fake.to("/authorize")[0]
        .get("redirect_uri")
        .unwrap()
        .to_owned();
    let redirect = Url::parse(&redirect).unwrap();
    assert_eq!(
        (redirect.host_str(), redirect.path()),
        (Some("127.0.0.1"), "/callback")
    );
    tokio::time::sleep(Duration::from_millis(50)).await;
    let seen = seen.lock().unwrap().join("");
    assert_eq!(status(&seen), "HTTP/1.1 200 OK");
    assert!(seen.contains("Muster has your answer"));
    assert!(!seen.contains(CANARY), "{seen}");
    for field in ["default-src 'none'", "no-referrer", "no-store", "nosniff"] {
        assert!(seen.contains(field), "{field}");
    }
    // The door is closed.
    assert!(
        TcpStream::connect(("127.0.0.1", redirect.port().unwrap()))
            .await
            .is_err()
    );
}

#[tokio::test]
async fn whoever_else_calls_ends_nothing() {
    let fake = Fake::start(Oddities::default()).await;
    let (access, _) = fake.access();
    let (person, seen) = browser(|page| async move {
        let to = answer_of(&page).await;
        let port = to.port().unwrap();
        let target = to[url::Position::BeforePath..].to_owned();
        // Says nothing for as long as it may.
        let silent = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        let own = format!("127.0.0.1:{port}");
        let mut answers = Vec::new();
        for request in [
            format!("GET {target} HTTP/1.1\r\nHost: evil.example:{port}\r\n\r\n"),
            format!("GET {target} HTTP/1.1\r\n\r\n"),
            format!("GET {target} HTTP/1.1\r\nHost: {own}\r\nHost: {own}\r\n\r\n"),
            format!("POST {target} HTTP/1.1\r\nHost: {own}\r\n\r\n"),
            "\r\n\r\n".to_owned(),
            format!("GET /favicon.ico HTTP/1.1\r\nHost: {own}\r\n\r\n"),
            format!("GET /callback?code=x&state=guessed HTTP/1.1\r\nHost: {own}\r\n\r\n"),
            format!("GET /callback?error=access_denied HTTP/1.1\r\nHost: {own}\r\n\r\n"),
            format!("GET {target}&state=x HTTP/1.1\r\nHost: {own}\r\n\r\n"),
            format!(
                "GET /{} HTTP/1.1\r\nHost: {own}\r\n\r\n",
                "x".repeat(20_000)
            ),
            format!("GET {target} HTTP/1.1\r\nhost:localhost:{port}\r\n\r\n"),
        ] {
            let answer = visit(port, &request).await;
            answers.push(status(&answer).to_owned());
        }
        drop(silent);
        answers
    });
    let signed_in = access.sign_in(None, &person).await.unwrap();
    assert!(fake.takes(&signed_in.access));
    tokio::time::sleep(Duration::from_millis(50)).await;
    let (odd, nothing) = ("HTTP/1.1 400 Bad Request", "HTTP/1.1 404 Not Found");
    let seen = seen.lock().unwrap().clone();
    let expected = [
        odd,
        odd,
        odd,
        odd,
        odd,
        nothing,
        odd,
        odd,
        odd,
        odd,
        "HTTP/1.1 200 OK",
    ];
    assert_eq!(seen, expected);
    assert_eq!(fake.times("/token"), 1);
}

#[tokio::test]
async fn a_no_is_told_at_once() {
    let fake = Fake::start(Oddities {
        answer: serde_json::json!({"error": "access_denied", "code": null}),
        ..Oddities::default()
    })
    .await;
    let (access, _) = fake.access();
    let (person, seen) = browser(|page| async move { vec![get(&answer_of(&page).await).await] });
    let error = access.sign_in(None, &person).await.unwrap_err();
    assert_eq!(error.to_string(), "access was denied");
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(seen.lock().unwrap().join("").contains("Not signed in"));
}

#[tokio::test]
async fn nobody_is_waited_for_longer_than_was_said() {
    let fake = Fake::start(Oddities::default()).await;
    let (access, _) = fake.access();
    let (person, _) = browser(|_| async { Vec::new() });
    let person = Person {
        patience: Duration::from_millis(50),
        ..person
    };
    let error = access.sign_in(None, &person).await.unwrap_err();
    let expected = VisitError::Wait(WaitError::TimedOut(Duration::from_millis(50)));
    assert_eq!(error, expected.into());
}

#[tokio::test]
async fn the_next_sign_in_uses_the_port_of_the_registration() {
    let fake = Fake::start(Oddities::default()).await;
    let (access, _) = fake.access();
    let (person, _) = browser(|page| async move { vec![get(&answer_of(&page).await).await] });
    access.sign_in(None, &person).await.unwrap();
    access.sign_in(None, &person).await.unwrap();
    assert_eq!(fake.times("/register"), 1);
    let redirect = |at: usize| {
        fake.to("/authorize")[at]
            .get("redirect_uri")
            .unwrap()
            .to_owned()
    };
    assert_eq!(redirect(0), redirect(1));
    // Somebody else has it now.
    let port = Url::parse(&redirect(0)).unwrap().port().unwrap();
    let taken = tokio::net::TcpListener::bind(("127.0.0.1", port))
        .await
        .unwrap();
    access.sign_in(None, &person).await.unwrap();
    assert_eq!(fake.times("/register"), 2);
    let fixed = Person {
        port: Some(port),
        ..person
    };
    let error = access.sign_in(None, &fixed).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("port {port} of this machine cannot wait for the answer: address in use")
    );
    drop(taken);
}
