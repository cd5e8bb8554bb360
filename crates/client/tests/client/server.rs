//! A server in this process, over pipes in memory: what it is sent, and what it says.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use muster_client::{
    Connection, EraChoice, Event, Happening, Limits, Manner, Oddity, Opened, StartError, Stdio,
    Teller, over_stdio,
};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines};
use tokio::time::Instant;

/// The server's end of the pipes.
pub(crate) struct Server {
    from_client: Lines<BufReader<DuplexStream>>,
    to_client: DuplexStream,
}

impl Server {
    /// The next message, of which `method` is expected; its id.
    pub(crate) async fn expect(&mut self, method: &str) -> Value {
        let message = self.next().await.expect("the client says something");
        assert_eq!(message["method"], method, "in {message}");
        message["id"].clone()
    }

    /// The next message; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        let line = self.from_client.next_line().await.expect("whole lines")?;
        Some(serde_json::from_str(&line).expect("JSON"))
    }

    pub(crate) async fn say(&mut self, text: &str) {
        self.bytes(format!("{text}\n").as_bytes()).await;
    }

    pub(crate) async fn bytes(&mut self, bytes: &[u8]) {
        // A client that hung up hears nothing more.
        _ = self.to_client.write_all(bytes).await;
    }

    pub(crate) async fn result(&mut self, id: &Value, result: Value) {
        self.say(&json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string())
            .await;
    }

    pub(crate) async fn error(&mut self, id: &Value, error: Value) {
        self.say(&json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string())
            .await;
    }

    /// Answers the handshake, and hears that it is done.
    pub(crate) async fn initialize(&mut self, version: &str) {
        let id = self.expect("initialize").await;
        self.result(&id, hello(version)).await;
        self.expect("notifications/initialized").await;
    }

    /// Refuses the modern question and answers the handshake.
    pub(crate) async fn be_legacy(&mut self) {
        let id = self.expect("server/discover").await;
        self.error(&id, json!({"code": -32601, "message": "Method not found"}))
            .await;
        self.initialize("2025-11-25").await;
    }

    /// Answers the modern question.
    pub(crate) async fn be_modern(&mut self) {
        let id = self.expect("server/discover").await;
        self.result(&id, discovered()).await;
    }

    /// Reads on until the client hangs up.
    pub(crate) async fn stay(mut self) {
        while self.next().await.is_some() {}
    }
}

/// What `initialize` answers.
pub(crate) fn hello(version: &str) -> Value {
    json!({"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": "fake", "version": "1"}})
}

/// What `server/discover` answers.
pub(crate) fn discovered() -> Value {
    json!({
        "resultType": "complete", "ttlMs": 0, "cacheScope": "private", "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {}}, "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "fake", "version": "1"}},
    })
}

/// What was told.
#[derive(Clone, Default)]
pub(crate) struct Heard(Arc<Mutex<Vec<Happening>>>);

impl Heard {
    pub(crate) fn teller(&self) -> Teller {
        let heard = self.0.clone();
        Teller::new(
            "fake",
            Arc::new(move |event: Event| heard.lock().unwrap().push(event.happening)),
        )
    }

    pub(crate) fn oddities(&self) -> Vec<Oddity> {
        let heard = self.0.lock().unwrap();
        let warned = heard.iter().filter_map(|happening| match happening {
            Happening::Warned(oddity) => Some(oddity.clone()),
            _ => None,
        });
        warned.collect()
    }

    pub(crate) fn all(&self) -> Vec<Happening> {
        self.0.lock().unwrap().clone()
    }
}

/// Something a server does with its end.
pub(crate) type Act = Box<dyn FnOnce(Server) -> Acting + Send>;

/// What it is doing.
pub(crate) type Acting = Pin<Box<dyn Future<Output = ()> + Send>>;

/// An act out of an async closure.
pub(crate) fn act<F, A>(acting: F) -> Act
where
    F: FnOnce(Server) -> A + Send + 'static,
    A: Future<Output = ()> + Send + 'static,
{
    Box::new(move |server| Box::pin(acting(server)))
}

/// Pipes to a server that does `acting`.
pub(crate) fn open(acting: Act, limits: &Limits) -> Opened {
    let (client_out, server_in) = tokio::io::duplex(64 * 1024);
    let (server_out, client_in) = tokio::io::duplex(64 * 1024);
    let server = Server {
        from_client: BufReader::new(server_in).lines(),
        to_client: server_out,
    };
    tokio::spawn(acting(server));
    let (transport, inbox) = Stdio::open(client_out, client_in, limits);
    Opened {
        transport: Arc::new(transport),
        inbox,
    }
}

/// Begins with servers that do `acts`, one after the other as they are started.
pub(crate) async fn begin(
    acts: Vec<Act>,
    manner: Manner,
    choice: EraChoice,
    heard: &Heard,
) -> Result<Connection, StartError> {
    let mut acts = VecDeque::from(acts);
    let limits = manner.limits.clone();
    let deadline = Instant::now() + limits.listing;
    let opening = async || match acts.pop_front() {
        Some(acting) => Ok(open(acting, &limits)),
        None => Err(StartError::Open("started too often".to_owned())),
    };
    over_stdio(opening, &manner, choice, &heard.teller(), deadline).await
}
