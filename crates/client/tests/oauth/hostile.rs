//! The servers of `hostile/` that are about signing in, as real processes.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use muster_client::http::Remote;
use muster_client::net::Net;
use muster_client::oauth::{Access, Barred, Gate, Nobody, Person};
use muster_client::{
    Address, EraChoice, First, Loss, Manner, RequestError, StartError, Teller, over_http,
};
use muster_core::{Environment, Transport};
use muster_document::Secret;
use tokio::time::Instant;
use url::Url;

use crate::fake::{Memory, REDIRECT};
use crate::server::eventually;

/// A server of `hostile/`, which ends with its value.
struct Hostile {
    child: Child,
    port: u16,
}

impl Hostile {
    async fn start(name: &str, mode: &str) -> Hostile {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hostile");
        let free = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap();
        let child = Command::new("python3")
            .arg(folder.join(name).join("files/srv/server.py"))
            .arg(free.port().to_string())
            .env("REPRO_MODE", mode)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let address = SocketAddr::from(([127, 0, 0, 1], free.port()));
        eventually(|| TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_ok()).await;
        Hostile {
            child,
            port: free.port(),
        }
    }

    /// Begins a conversation; the words of what barred the way, without the port.
    async fn barred(&self, signs_in: bool, header: Option<&str>) -> (Option<Barred>, String) {
        let net = Net::new(&Environment::default()).unwrap();
        let url = Url::parse(&format!("http://127.0.0.1:{}/mcp", self.port)).unwrap();
        let access = Access::new(
            net.clone(),
            Arc::new(Memory::default()),
            Arc::new(|| 0),
            &url,
        );
        let nobody = Nobody {
            net: net.clone(),
            redirect: REDIRECT.to_owned(),
        };
        let gate = match signs_in {
            true => Gate::with_agent(access, Arc::new(nobody)),
            false => Gate::new(access),
        };
        let headers = header.map(|value| ("Authorization".to_owned(), Secret::new(value)));
        let remote = Remote {
            headers: headers.into_iter().collect(),
            authorizer: Some(Arc::new(gate.clone())),
            ..Remote::at(url.as_str())
        };
        let address = Address {
            net: &net,
            remote: &remote,
            transport: Transport::Http,
            fallback: None,
            first: First::Tools,
            listens: false,
        };
        let deadline = Instant::now() + Duration::from_secs(20);
        let (manner, teller) = (Manner::default(), Teller::silent("repro"));
        let begun = over_http(&address, &manner, EraChoice::Detect, &teller, deadline).await;
        let error = begun.unwrap_err();
        let status = match &error {
            StartError::Request {
                error: RequestError::Lost(Loss::Http(answer)),
                ..
            } => answer.status,
            other => panic!("{other}"),
        };
        let barred = Barred::of(status, header.is_some(), Some(&gate));
        let words = barred.as_ref().map(ToString::to_string).unwrap_or_default();
        let all = format!("{words} {barred:?} {error} {error:?} {remote:?}");
        assert!(!all.contains("SECRETHDR"), "{all}");
        (barred, words.replace(&format!(":{}", self.port), ""))
    }
}

impl Drop for Hostile {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn b2_says_what_it_takes_to_be_let_in() {
    for (mode, expected) in [
        ("none", "sign in at `127.0.0.1`"),
        ("meta", "sign in at `127.0.0.1`"),
        (
            "nodcr",
            "`127.0.0.1` needs a client id you registered yourself",
        ),
        (
            "mismatch",
            "the server's metadata is refused: it describes `http://127.0.0.1/•••`, which is not this server",
        ),
        ("loop", "sign in at `127.0.0.1`"),
        ("403scope", "sign in at `127.0.0.1`"),
    ] {
        let hostile = Hostile::start("B2-auth-401", mode).await;
        let (barred, words) = hostile.barred(false, None).await;
        assert_eq!(words, expected, "{mode}");
        assert_eq!(
            barred.unwrap().is_mended_by_sign_in(),
            mode != "mismatch",
            "{mode}"
        );
    }
}

#[tokio::test]
async fn b2_refuses_a_configured_header() {
    let hostile = Hostile::start("B2-auth-401", "meta").await;
    let (barred, words) = hostile
        .barred(false, Some("Bearer SECRETHDR0123456789"))
        .await;
    assert_eq!(barred, Some(Barred::HeaderRefused));
    assert_eq!(words, "the configured Authorization header is refused");
}

#[tokio::test]
async fn b3_gets_nothing_opened() {
    let hostile = Hostile::start("B3-hostile-auth-metadata", "").await;
    for signs_in in [false, true] {
        let (_, words) = hostile.barred(signs_in, None).await;
        assert_eq!(
            words,
            "metadata of `127.0.0.1` could not be fetched: the answer is longer than 1048576 bytes"
        );
    }
    // What would be opened is shown to nobody.
    let net = Net::new(&Environment::default()).unwrap();
    let url = Url::parse(&format!("http://127.0.0.1:{}/mcp", hostile.port)).unwrap();
    let access = Access::new(net, Arc::new(Memory::default()), Arc::new(|| 0), &url);
    let person = Person {
        port: None,
        patience: Duration::from_secs(1),
        show: Arc::new(|_| panic!("a page is shown")),
    };
    let (_, bearer) = access.challenge(&[]).await.unwrap();
    assert!(access.sign_in(bearer.as_ref(), &person).await.is_err());
}
