//! MCP over a process's standard streams: one message a line.

mod lines;

use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinHandle;
use tokio::time::timeout;

pub use lines::{Line, Lines};

use crate::message::{Reading, read};
use crate::{BoxFuture, Closed, Incoming, Limits, Oddity, Outgoing, SendError, Transport};

/// Messages that may wait for the session; then the server waits, as a full pipe makes it.
const QUEUE: usize = 64;
/// Bytes of a line that is no message which are worth showing.
const NOISE_SHOWN: usize = 256;
/// Bytes read at once.
const CHUNK: usize = 16 * 1024;

/// The two streams of a server.
pub struct Stdio {
    /// `None` once it is closed.
    stdin: Arc<Mutex<Option<Box<dyn AsyncWrite + Send + Unpin>>>>,
    reader: JoinHandle<()>,
    limits: Limits,
}

impl Stdio {
    /// Speaks over the two streams. What comes in comes out of the queue.
    pub fn open(
        stdin: impl AsyncWrite + Send + Unpin + 'static,
        stdout: impl AsyncRead + Send + Unpin + 'static,
        limits: &Limits,
    ) -> (Stdio, mpsc::Receiver<Incoming>) {
        let (sender, inbox) = mpsc::channel(QUEUE);
        let reader = tokio::spawn(pump(stdout, Lines::new(limits.message), sender));
        let stdio = Stdio {
            stdin: Arc::new(Mutex::new(Some(Box::new(stdin)))),
            reader,
            limits: limits.clone(),
        };
        (stdio, inbox)
    }
}

impl Transport for Stdio {
    fn send(&self, message: Outgoing) -> BoxFuture<'_, Result<(), SendError>> {
        let mut line = message.body.to_string();
        line.push('\n');
        Box::pin(async move {
            let writing = async {
                let mut stdin = self.stdin.lock().await;
                let Some(pipe) = stdin.as_mut() else {
                    return Err(SendError::Closed);
                };
                let written = async {
                    pipe.write_all(line.as_bytes()).await?;
                    pipe.flush().await
                };
                match timeout(self.limits.write, written).await {
                    Ok(Ok(())) => Ok(()),
                    // Half a line may be there: nothing sensible can follow.
                    Ok(Err(_)) => {
                        *stdin = None;
                        Err(SendError::Closed)
                    }
                    Err(_) => {
                        *stdin = None;
                        Err(SendError::NotRead)
                    }
                }
            };
            // Whoever waits for the pipe waits for the message before, which has its own limit.
            let patience = self.limits.write.saturating_mul(2);
            timeout(patience, writing)
                .await
                .unwrap_or(Err(SendError::NotRead))
        })
    }

    fn forget(&self, _: i64) -> bool {
        false
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            // A writer that hangs holds the lock for no longer than its own limit.
            if let Ok(mut stdin) = timeout(self.limits.write, self.stdin.lock()).await {
                *stdin = None;
            }
        })
    }

    fn answers_in_modern_era(&self) -> bool {
        true
    }
}

impl std::fmt::Debug for Stdio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stdio").finish_non_exhaustive()
    }
}

impl Drop for Stdio {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

/// Reads until the end of the stream. It goes on after the session is gone, so that no server waits at a full pipe while it is ended.
async fn pump(
    mut stdout: impl AsyncRead + Send + Unpin,
    mut lines: Lines,
    inbox: mpsc::Sender<Incoming>,
) {
    let mut chunk = vec![0; CHUNK];
    let closed = loop {
        match stdout.read(&mut chunk).await {
            Ok(0) => break Closed::ByServer,
            Ok(read) => {
                let bytes = chunk.get(..read).unwrap_or(&chunk);
                for line in lines.take(bytes) {
                    hand_over(line, &inbox).await;
                }
            }
            Err(error) => break Closed::Broke(error.to_string()),
        }
    };
    if let Some(line) = lines.end() {
        hand_over(line, &inbox).await;
    }
    _ = inbox.send(Incoming::Closed(closed)).await;
}

async fn hand_over(line: Line, inbox: &mpsc::Sender<Incoming>) {
    for incoming in incoming(&line) {
        // Where nobody hears any more the pipe is still emptied.
        _ = inbox.send(incoming).await;
    }
}

/// What a line says: nothing where it is blank.
pub fn incoming(line: &Line) -> Vec<Incoming> {
    let bytes = match line {
        Line::Whole(bytes) => bytes,
        Line::TooLong { bytes, start } => {
            let answers = [b"{\"jsonrpc\"".as_slice(), b"{\"result\"", b"{\"id\""];
            return vec![Incoming::Dropped {
                bytes: *bytes,
                answers: answers
                    .iter()
                    .any(|begin| start.trim_ascii_start().starts_with(begin)),
            }];
        }
    };
    let readings = read(bytes);
    let mut found = Vec::with_capacity(readings.len());
    if readings.len() > 1 {
        found.push(Incoming::Odd(Oddity::Batch));
    }
    found.extend(readings.into_iter().map(|reading| match reading {
        Reading::Message(message) => Incoming::Message(message, bytes.len()),
        Reading::OddId => Incoming::Odd(Oddity::OddId),
        Reading::Noise => Incoming::Noise(cut(bytes)),
    }));
    found
}

fn cut(bytes: &[u8]) -> String {
    let start = bytes.get(..NOISE_SHOWN).unwrap_or(bytes);
    String::from_utf8_lossy(start).trim_end().to_owned()
}
