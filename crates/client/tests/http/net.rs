//! The HTTP client itself: how far it goes, what it sends, what it takes.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use muster_client::BoxFuture;
use muster_client::net::{
    Failure, Fetch, FetchError, Locality, Lookup, Net, Reach, Redirects, Refused, SystemLookup,
};
use muster_core::Environment;
use muster_document::Secret;
use reqwest::header::AUTHORIZATION;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use url::Url;

use crate::server::{Reply, Server};

/// Names and what they mean, in turn.
struct Names {
    names: BTreeMap<&'static str, Vec<&'static str>>,
    asked: AtomicUsize,
}

impl Names {
    fn new(names: impl IntoIterator<Item = (&'static str, Vec<&'static str>)>) -> Arc<Names> {
        Arc::new(Names {
            names: names.into_iter().collect(),
            asked: AtomicUsize::new(0),
        })
    }
}

impl Lookup for Names {
    fn lookup<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>> {
        Box::pin(async move {
            let turn = self.asked.fetch_add(1, Ordering::Relaxed);
            let Some(meanings) = self.names.get(host) else {
                return Err(io::Error::other("no such host"));
            };
            let meaning = meanings[turn.min(meanings.len() - 1)];
            let addresses = meaning
                .split(' ')
                .map(|ip| SocketAddr::new(ip.parse().unwrap(), 0));
            Ok(addresses.collect())
        })
    }
}

fn env(variables: &[(&str, &str)]) -> Environment {
    variables.iter().copied().collect()
}

fn net() -> Net {
    Net::new(&Environment::default()).unwrap()
}

fn named(name: &str, server: &Server, path: &str) -> Url {
    Url::parse(&format!("http://{name}:{}{path}", server.port())).unwrap()
}

fn refused(host: &str, locality: Locality) -> FetchError {
    let host = host.to_owned();
    FetchError::Failed(Failure::Refused(Refused::Locality { host, locality }))
}

#[tokio::test]
async fn a_document_comes_with_its_status_and_nothing_is_sent_that_was_not_asked_for() {
    let server = Server::start(|_| {
        Reply::new(
            404,
            &[
                ("Content-Type", "Application/JSON; charset=utf-8"),
                ("Set-Cookie", "a=b"),
            ],
            "{}",
        )
    })
    .await;
    let net = net();
    for _ in 0..2 {
        let fetch = Fetch::get(server.url("/doc?q"), Reach::Anywhere);
        let document = net.fetch(&fetch).await.unwrap();
        assert_eq!(document.status, 404);
        assert!(!document.is_success());
        assert_eq!(document.content_type.as_deref(), Some("application/json"));
        assert_eq!(document.body, b"{}");
    }
    for asked in server.asked() {
        assert_eq!(
            (asked.method.as_str(), asked.target.as_str()),
            ("GET", "/doc?q")
        );
        assert_eq!(asked.header("accept"), Some("application/json"));
        assert_eq!(asked.header("user-agent"), Some("muster/0.1.0"));
        for absent in ["cookie", "referer", "accept-encoding", "authorization"] {
            assert_eq!(asked.header(absent), None, "{absent}");
        }
    }
    assert_eq!(server.asked().len(), 2);
}

#[tokio::test]
async fn what_is_posted_arrives_with_its_headers() {
    let server = Server::start(|_| Reply::json(200, &json!({"access_token": "t"}))).await;
    let body = Secret::new("grant_type=authorization_code");
    let form = "application/x-www-form-urlencoded";
    let fetch = Fetch::post(server.url("/token"), Reach::Anywhere, form, body)
        .header(AUTHORIZATION, Secret::new("Basic eA=="));
    let document = net().fetch(&fetch).await.unwrap();
    assert!(document.is_success());
    let asked = &server.asked()[0];
    assert_eq!(asked.method, "POST");
    assert_eq!(asked.body, "grant_type=authorization_code");
    assert_eq!(asked.header("content-type"), Some(form));
    assert_eq!(asked.header("authorization"), Some("Basic eA=="));
    let debug = format!("{document:?} {fetch:?}");
    assert!(
        !debug.contains("access_token") && !debug.contains("eA=="),
        "{debug}"
    );
}

#[tokio::test]
async fn a_header_cannot_be_split() {
    let server = Server::start(|_| Reply::new(200, &[], "")).await;
    for value in ["a\r\nX: y", "a\nb", "a\0b"] {
        let fetch =
            Fetch::get(server.url("/"), Reach::Anywhere).header(AUTHORIZATION, Secret::new(value));
        let error = net().fetch(&fetch).await.unwrap_err();
        assert_eq!(error, FetchError::Header("authorization".to_owned()));
    }
    assert_eq!(server.asked().len(), 0);
}

#[tokio::test]
async fn the_bound_of_bytes_holds_whatever_the_length_says() {
    let server = Server::start(|asked| match asked.target.as_str() {
        "/told" => Reply::stream(&[("Content-Length", "2000000")]),
        "/exact" => Reply::new(200, &[], &"x".repeat(1024 * 1024)),
        _ => Reply::stream(&[]).repeated(Duration::ZERO, &"x".repeat(65536), 200),
    })
    .await;
    for path in ["/told", "/untold"] {
        let fetch = Fetch::get(server.url(path), Reach::Anywhere);
        let error = net().fetch(&fetch).await.unwrap_err();
        assert_eq!(error, FetchError::TooLong { limit: 1024 * 1024 }, "{path}");
    }
    let fetch = Fetch::get(server.url("/exact"), Reach::Anywhere);
    assert_eq!(net().fetch(&fetch).await.unwrap().body.len(), 1024 * 1024);
}

#[tokio::test]
async fn the_bound_of_time_holds_against_silence_and_drips() {
    let server = Server::start(|asked| match asked.target.as_str() {
        "/silent" => Reply::nothing().hanging(),
        "/headers" => Reply::nothing().then("HTTP/1.1 200 OK\r\nX: ").repeated(
            Duration::from_millis(20),
            "a",
            500,
        ),
        _ => Reply::stream(&[]).repeated(Duration::from_millis(20), "a", 500),
    })
    .await;
    for path in ["/silent", "/headers", "/body"] {
        let mut fetch = Fetch::get(server.url(path), Reach::Anywhere);
        fetch.time = Duration::from_millis(200);
        let begun = std::time::Instant::now();
        let error = net().fetch(&fetch).await.unwrap_err();
        assert_eq!(error, FetchError::Failed(Failure::TimedOut), "{path}");
        assert!(begun.elapsed() < Duration::from_secs(2), "{path}");
    }
}

#[tokio::test]
async fn redirects_are_followed_only_where_asked_and_only_at_the_origin() {
    let elsewhere = Server::start(|_| Reply::new(200, &[], "stolen")).await;
    let away = format!("http://localhost:{}/steal?code=hunter2", elsewhere.port());
    let server = Server::start(move |asked| match asked.target.as_str() {
        "/a" => Reply::new(302, &[("Location", "/b")], ""),
        "/b" => Reply::new(307, &[("Location", "c")], ""),
        "/c" => Reply::new(200, &[], "here"),
        "/round" => Reply::new(302, &[("Location", "/round")], ""),
        _ => Reply::new(302, &[("Location", &away)], ""),
    })
    .await;
    let net = net();
    let get = |path: &str| Fetch::get(server.url(path), Reach::Anywhere);

    let document = net.fetch(&get("/away")).await.unwrap();
    assert_eq!(document.status, 302);
    let location = document.location.unwrap();
    assert!(location.expose().ends_with("/steal?code=hunter2"));

    let following = |path: &str| get(path).following(Redirects::SameOrigin);
    let document = net.fetch(&following("/a")).await.unwrap();
    assert_eq!((document.status, document.url.path()), (200, "/c"));
    assert_eq!(document.body, b"here");

    let to = format!("http://localhost:{}", elsewhere.port());
    let error = net.fetch(&following("/away")).await.unwrap_err();
    assert_eq!(error, FetchError::Redirected { to });
    assert!(!error.to_string().contains("hunter2"));

    let error = net.fetch(&following("/round")).await.unwrap_err();
    assert!(matches!(error, FetchError::Redirected { .. }));
    assert_eq!(elsewhere.asked().len(), 0);

    // What is posted is never posted twice.
    let mut post = following("/a");
    post.body = Some(("text/plain", Secret::new("x")));
    assert_eq!(net.fetch(&post).await.unwrap().status, 302);
}

#[tokio::test]
async fn a_name_is_judged_where_it_is_resolved_to_connect() {
    let server = Server::start(|_| Reply::new(200, &[], "inside")).await;
    let names = Names::new([
        ("home.test", vec!["127.0.0.1"]),
        ("mixed.test", vec!["1.1.1.1 127.0.0.1"]),
        ("wrapped.test", vec!["::ffff:127.0.0.1"]),
        ("private.test", vec!["10.1.2.3"]),
        ("metadata.test", vec!["169.254.169.254"]),
    ]);
    let net = Net::with_lookup(&Environment::default(), names).unwrap();
    let ask = async |name: &str, reach: Reach| {
        let fetch = Fetch::get(named(name, &server, "/"), reach);
        net.fetch(&fetch).await.map(|document| document.body)
    };
    for name in ["home.test", "mixed.test", "wrapped.test"] {
        let expected = Err(refused(name, Locality::Loopback));
        assert_eq!(ask(name, Reach::Internet).await, expected, "{name}");
    }
    let expected = Err(refused("private.test", Locality::Private));
    assert_eq!(ask("private.test", Reach::Internet).await, expected);
    for reach in [Reach::Internet, Reach::Local] {
        let expected = Err(refused("metadata.test", Locality::LinkLocal));
        assert_eq!(ask("metadata.test", reach).await, expected);
    }
    assert_eq!(server.asked().len(), 0);
    assert_eq!(ask("home.test", Reach::Local).await, Ok(b"inside".to_vec()));
    assert_eq!(
        ask("home.test", Reach::Anywhere).await,
        Ok(b"inside".to_vec())
    );
    // The connection that was allowed is not there for who may not make it.
    let expected = Err(refused("home.test", Locality::Loopback));
    assert_eq!(ask("home.test", Reach::Internet).await, expected);
}

#[tokio::test]
async fn the_system_is_asked_for_names() {
    let found = SystemLookup.lookup("localhost").await.unwrap();
    assert!(
        found
            .iter()
            .all(|address| address.ip().is_loopback() && address.port() == 0)
    );
    assert!(!found.is_empty());
    // No name server is asked for this one.
    assert!(SystemLookup.lookup("no name at all").await.is_err());
}

#[tokio::test]
async fn a_name_that_changes_its_meaning_is_judged_by_the_one_that_is_connected_to() {
    let server = Server::start(|_| Reply::new(200, &[], "inside")).await;
    let names = Names::new([("rebinding.test", vec!["127.0.0.1", "169.254.169.254"])]);
    let net = Net::with_lookup(&Environment::default(), names).unwrap();
    let fetch = Fetch::get(named("rebinding.test", &server, "/"), Reach::Local);
    assert!(net.fetch(&fetch).await.is_ok());
    let expected = refused("rebinding.test", Locality::LinkLocal);
    assert_eq!(net.fetch(&fetch).await.unwrap_err(), expected);
}

#[tokio::test]
async fn failures_are_told_in_words_without_the_url() {
    let names = Names::new([]);
    let net = Net::with_lookup(&Environment::default(), names).unwrap();
    let closed = TcpListener::bind("127.0.0.1:0")
        .await
        .unwrap()
        .local_addr()
        .unwrap();
    let resets = Server::start(|_| Reply::nothing()).await;
    let cut = Server::start(|_| Reply::stream(&[("Content-Length", "99")]).then("x")).await;
    let nonsense = Server::start(|_| Reply::nothing().then("SSH-2.0-OpenSSH\r\n")).await;
    let expected = [
        (
            format!("http://{closed}/?key=hunter2"),
            "connection refused",
        ),
        ("http://nobody.test/hunter2".to_owned(), "no such host"),
        (
            resets.url("/hunter2").to_string(),
            "connection closed before message completed",
        ),
        (
            cut.url("/hunter2").to_string(),
            "connection closed in the middle of the answer",
        ),
        (
            nonsense.url("/hunter2").to_string(),
            "invalid HTTP version parsed",
        ),
    ];
    for (url, words) in expected {
        let fetch = Fetch::get(Url::parse(&url).unwrap(), Reach::Anywhere);
        let error = net.fetch(&fetch).await.unwrap_err();
        assert_eq!(error.to_string(), words, "{url}");
    }
}

#[tokio::test]
async fn a_proxy_is_used_for_what_is_elsewhere_and_never_for_this_machine() {
    let proxy = Server::start(|asked| match asked.method.as_str() {
        "CONNECT" => Reply::new(403, &[], ""),
        _ => Reply::new(200, &[], "by proxy"),
    })
    .await;
    let server = Server::start(|_| Reply::new(200, &[], "direct")).await;
    let address = format!("http://user:hunter2@proxy.test:{}", proxy.port());
    let names = Names::new([
        // A proxy may stand anywhere, also where servers may not send us.
        ("proxy.test", vec!["127.0.0.1"]),
        ("spared.test", vec!["127.0.0.1"]),
    ]);
    let variables = [
        ("HTTP_PROXY", address.as_str()),
        ("https_proxy", address.as_str()),
        ("NO_PROXY", "other.test, spared.test"),
    ];
    let net = Net::with_lookup(&env(&variables), names).unwrap();
    let body = async |url: &str, reach: Reach| {
        let fetch = Fetch::get(Url::parse(url).unwrap(), reach);
        let fetched = net.fetch(&fetch).await;
        fetched.map(|document| String::from_utf8(document.body).unwrap())
    };
    let far = body("http://far.test/x", Reach::Internet).await;
    assert_eq!(far.unwrap(), "by proxy");
    let asked = &proxy.asked()[0];
    assert_eq!(asked.target, "http://far.test/x");
    let credentials = Some("Basic dXNlcjpodW50ZXIy");
    assert_eq!(asked.header("proxy-authorization"), credentials);

    let error = body("https://far.test/x", Reach::Internet)
        .await
        .unwrap_err();
    assert!(!error.to_string().contains("hunter2"), "{error}");
    assert_eq!(proxy.asked()[1].method, "CONNECT");
    assert_eq!(proxy.asked()[1].target, "far.test:443");

    for host in ["127.0.0.1", "localhost", "spared.test"] {
        let names = [
            ("localhost", vec!["127.0.0.1"]),
            ("spared.test", vec!["127.0.0.1"]),
        ];
        let net = Net::with_lookup(&env(&variables), Names::new(names)).unwrap();
        let fetch = Fetch::get(named(host, &server, "/"), Reach::Local);
        assert_eq!(net.fetch(&fetch).await.unwrap().body, b"direct", "{host}");
    }
    assert_eq!(proxy.asked().len(), 2);
    assert!(!format!("{net:?}").contains("hunter2"));
}

#[tokio::test]
async fn the_certificates_that_the_environment_names_are_trusted() {
    let key = rcgen::KeyPair::generate().unwrap();
    let mut params = rcgen::CertificateParams::new(vec!["secure.test".to_owned()]).unwrap();
    params.is_ca = rcgen::IsCa::ExplicitNoCa;
    let certificate = params.self_signed(&key).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("roots.pem");
    std::fs::write(&file, certificate.pem()).unwrap();
    let port = serve_encrypted(certificate.der().clone(), &key).await;

    let file = file.to_str().unwrap();
    let fetched = async |variables: &[(&str, &str)]| {
        let names = Names::new([("secure.test", vec!["127.0.0.1"])]);
        let net = Net::with_lookup(&env(variables), names).unwrap();
        let url = Url::parse(&format!("https://secure.test:{port}/")).unwrap();
        let fetched = net.fetch(&Fetch::get(url, Reach::Local)).await;
        fetched
            .map(|document| document.body)
            .map_err(|error| error.to_string())
    };
    let trusted = Ok(b"secret".to_vec());
    assert_eq!(fetched(&[("SSL_CERT_FILE", file)]).await, trusted);
    assert_eq!(fetched(&[("NODE_EXTRA_CA_CERTS", file)]).await, trusted);
    let untrusted = fetched(&[]).await.unwrap_err();
    assert_eq!(untrusted, "invalid peer certificate: UnknownIssuer");
    let nowhere = folder.path().join("nothing.pem");
    let missing = fetched(&[("SSL_CERT_FILE", nowhere.to_str().unwrap())]).await;
    assert_eq!(
        missing.unwrap_err(),
        "SSL_CERT_FILE names no certificates that can be read"
    );
}

/// Answers `secret` to every request over TLS.
async fn serve_encrypted(
    certificate: rustls::pki_types::CertificateDer<'static>,
    key: &rcgen::KeyPair,
) -> u16 {
    let key = rustls::pki_types::PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(stream).await else {
                continue;
            };
            let mut buffer = [0; 4096];
            _ = stream.read(&mut buffer).await;
            let answer = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 6\r\n\r\nsecret";
            _ = stream.write_all(answer).await;
            _ = stream.shutdown().await;
        }
    });
    port
}
