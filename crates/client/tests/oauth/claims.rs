//! Claims about what servers may write. The tests give them what proptest makes, `fuzz/` what it likes.

use muster_client::oauth::{
    AuthorizationServer, Bearer, Challenge, Endpoint, Ground, ProtectedResource, parse_challenges,
};
use url::Url;

/// Any field gives the same challenges twice; written by the grammar, they are read as they were.
pub(crate) fn challenge(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let challenges = parse_challenges(&text);
    assert_eq!(challenges, parse_challenges(&text));
    for challenge in &challenges {
        assert!(!challenge.scheme.is_empty());
        assert!(challenge.token68.is_none() || challenge.params.is_empty() || text.contains(','));
    }
    let all: usize = challenges.iter().map(length).sum();
    assert!(all <= text.len(), "more than was written");
    let well = challenges
        .iter()
        .filter(|challenge| challenge.token68.is_none());
    let well: Vec<Challenge> = well.cloned().collect();
    let written: Vec<String> = well.iter().map(write).collect();
    assert_eq!(parse_challenges(&written.join(", ")), well, "{written:?}");
    assert_eq!(Bearer::find(&[&*text]), Bearer::find(&[&*text]));
}

fn length(challenge: &Challenge) -> usize {
    let params = challenge
        .params
        .iter()
        .map(|(name, value)| name.len() + value.len());
    challenge.scheme.len() + params.sum::<usize>()
}

fn write(challenge: &Challenge) -> String {
    let quoted = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"");
    let param = |(name, value): &(String, String)| format!("{name}=\"{}\"", quoted(value));
    let params: Vec<String> = challenge.params.iter().map(param).collect();
    format!("{} {}", challenge.scheme, params.join(", "))
}

/// Whatever a document says, what is taken of it may be opened and is about whom it was asked.
pub(crate) fn metadata(bytes: &[u8]) {
    let Ok(document) = serde_json::from_slice(bytes) else {
        return;
    };
    for server in [
        "https://h.example/mcp",
        "http://localhost:8080/mcp",
        "http://10.0.0.1/",
    ] {
        let server = Url::parse(server).unwrap();
        let ground = Ground::new(&server, false);
        match ProtectedResource::read(&document, &ground) {
            Ok(resource) => {
                let named = Url::parse(&resource.resource).unwrap();
                assert_eq!(named.origin(), server.origin());
                assert!(!resource.authorization_servers.is_empty());
                for issuer in &resource.authorization_servers {
                    may_be_opened(&issuer.at, &server);
                }
            }
            Err(error) => harmless(&error.to_string()),
        }
        let issuer = "https://as.example";
        match AuthorizationServer::read(&document, issuer, &ground) {
            Ok(read) => {
                assert_eq!(read.issuer, issuer);
                may_be_opened(&read.token, &server);
                let others = [&read.authorization, &read.registration, &read.revocation];
                for endpoint in others.into_iter().flatten() {
                    may_be_opened(endpoint, &server);
                }
            }
            Err(error) => harmless(&error.to_string()),
        }
    }
}

fn may_be_opened(endpoint: &Endpoint, server: &Url) {
    let url = endpoint.url();
    let host = url.host_str().unwrap();
    let is_local = |host: &str| {
        host.contains("localhost") || host.starts_with("127.") || host.starts_with('[')
    };
    let encrypted = url.scheme() == "https";
    let local = url.scheme() == "http" && is_local(host) && !server.as_str().starts_with("https:");
    assert!(encrypted || local, "{url}");
    assert!(
        url.username().is_empty() && url.fragment().is_none(),
        "{url}"
    );
}

fn harmless(text: &str) {
    assert!(!text.contains(char::is_control), "{text:?}");
}
