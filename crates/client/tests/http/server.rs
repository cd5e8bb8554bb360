//! A server on loopback that answers each request as a test says, and remembers what it was asked.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use url::Url;

/// What was asked.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) method: String,
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Asked {
    /// The value of the header field `name`, given in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let field = self.headers.iter().find(|(known, _)| known == name);
        field.map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// The method of the JSON-RPC message in the body.
    pub(crate) fn rpc(&self) -> String {
        self.json()["method"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }
}

/// Bytes, one after the other, with pauses; then the connection is closed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reply(Vec<(Duration, Vec<u8>)>);

impl Reply {
    /// Nothing at all.
    pub(crate) fn nothing() -> Reply {
        Reply::default()
    }

    /// An answer with a body.
    pub(crate) fn new(status: u16, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut head = format!("HTTP/1.1 {status} Whatever\r\nConnection: close\r\n");
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
        Reply::nothing().then(&head)
    }

    /// JSON.
    pub(crate) fn json(status: u16, body: &serde_json::Value) -> Reply {
        Reply::new(
            status,
            &[("Content-Type", "application/json")],
            &body.to_string(),
        )
    }

    /// An answer whose end is the end of the connection, begun.
    pub(crate) fn stream(headers: &[(&str, &str)]) -> Reply {
        let mut head = "HTTP/1.1 200 OK\r\nConnection: close\r\n".to_owned();
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        Reply::nothing().then(&(head + "\r\n"))
    }

    /// An event stream, begun.
    pub(crate) fn events() -> Reply {
        Reply::stream(&[("Content-Type", "text/event-stream")])
    }

    /// More bytes.
    pub(crate) fn then(self, bytes: &str) -> Reply {
        self.after(Duration::ZERO, bytes)
    }

    /// More bytes, after a pause.
    pub(crate) fn after(mut self, pause: Duration, bytes: &str) -> Reply {
        self.0.push((pause, bytes.as_bytes().to_vec()));
        self
    }

    /// A pause longer than any test.
    pub(crate) fn hanging(self) -> Reply {
        self.after(Duration::from_secs(3600), "")
    }

    /// The same bytes again and again.
    pub(crate) fn repeated(mut self, pause: Duration, bytes: &str, times: usize) -> Reply {
        for _ in 0..times {
            self = self.after(pause, bytes);
        }
        self
    }
}

/// The server. Ends with its value.
pub(crate) struct Server {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    gone: Arc<Mutex<usize>>,
    task: JoinHandle<()>,
}

impl Server {
    /// Answers each request with what `answer` makes of it.
    pub(crate) async fn start(answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (asked, gone) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(0)));
        let answer = Arc::new(answer);
        let task = tokio::spawn({
            let (asked, gone) = (asked.clone(), gone.clone());
            async move {
                while let Ok((stream, _)) = listener.accept().await {
                    let (answer, asked) = (answer.clone(), asked.clone());
                    let gone = gone.clone();
                    tokio::spawn(async move {
                        if !serve(stream, &*answer, &asked).await {
                            *gone.lock().unwrap() += 1;
                        }
                    });
                }
            }
        });
        Server {
            address,
            asked,
            gone,
            task,
        }
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// `http://127.0.0.1:port` with `path`.
    pub(crate) fn url(&self, path: &str) -> Url {
        Url::parse(&format!("http://{}{path}", self.address)).unwrap()
    }

    /// What was asked so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// How many clients left before their answer was complete.
    pub(crate) fn gone(&self) -> usize {
        *self.gone.lock().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Serves one request. Whether its client stayed until the end.
async fn serve(
    mut stream: TcpStream,
    answer: &(impl Fn(&Asked) -> Reply + Sync),
    asked: &Mutex<Vec<Asked>>,
) -> bool {
    let Some(request) = read(&mut stream).await else {
        return true;
    };
    let reply = answer(&request);
    asked.lock().unwrap().push(request);
    let (mut reader, mut writer) = stream.split();
    let writing = async {
        for (pause, bytes) in reply.0 {
            if !pause.is_zero() {
                tokio::time::sleep(pause).await;
            }
            if writer.write_all(&bytes).await.is_err() {
                return false;
            }
        }
        true
    };
    let mut byte = [0];
    tokio::select! {
        written = writing => written,
        // Clients send nothing after their request: what comes is the end.
        _ = reader.read(&mut byte) => false,
    }
}

async fn read(stream: &mut TcpStream) -> Option<Asked> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 8192];
    let head = loop {
        if let Some(at) = find(&bytes, b"\r\n\r\n") {
            break at;
        }
        match stream.read(&mut buffer).await {
            Ok(read @ 1..) => bytes.extend_from_slice(&buffer[..read]),
            _ => return None,
        }
    };
    let text = String::from_utf8_lossy(&bytes[..head]).into_owned();
    let mut lines = text.split("\r\n");
    let mut words = lines.next()?.split(' ').map(str::to_owned);
    let (method, target) = (words.next()?, words.next()?);
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length: usize = length.map_or(0, |(_, value)| value.parse().unwrap());
    while bytes.len() < head + 4 + length {
        match stream.read(&mut buffer).await {
            Ok(read @ 1..) => bytes.extend_from_slice(&buffer[..read]),
            _ => return None,
        }
    }
    let body = String::from_utf8_lossy(&bytes[head + 4..]).into_owned();
    Some(Asked {
        method,
        target,
        headers,
        body,
    })
}

fn find(hay: &[u8], needle: &[u8]) -> Option<usize> {
    hay.windows(needle.len())
        .position(|window| window == needle)
}

/// Waits until `done` holds, at most five seconds.
pub(crate) async fn eventually(mut done: impl FnMut() -> bool) {
    let waiting = async {
        while !done() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    within(Duration::from_secs(5), waiting).await;
}

/// What `future` gives, which must be there within `limit`.
pub(crate) async fn within<T>(limit: Duration, future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(limit, future).await {
        Ok(value) => value,
        Err(_) => panic!("not within {limit:?}"),
    }
}
