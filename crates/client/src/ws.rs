//! MCP over a WebSocket: one message a frame of text, with the subprotocol `mcp`.
//!
//! The handshake (RFC 6455, 4.1) is a request by the client that everything else goes through, so that proxies, certificates, header
//! fields and rights hold here as well. Only the frames are another library's.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use muster_document::Secret;
use reqwest::header::{
    CONNECTION, HeaderMap, HeaderValue, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY,
    SEC_WEBSOCKET_PROTOCOL, SEC_WEBSOCKET_VERSION, UPGRADE,
};
use reqwest::{Method, Response, Upgraded};
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message, error::CapacityError};
use url::Url;

use crate::http::{Call, Caller, Delivered, OpenError, Remote, deliver, lost, other, parse};
use crate::net::{Failure, Net};
use crate::{
    BoxFuture, Closed, Incoming, Limits, Loss, Oddity, Opened, Outgoing, SendError, Transport,
};

/// The subprotocol.
const MCP: &str = "mcp";
/// What a server adds to a key before it hashes it (RFC 6455, 1.3).
const GUID: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/// Messages that may wait for the session; then the server waits.
const QUEUE: usize = 64;
/// How long a closing handshake may take.
const GOODBYE: Duration = Duration::from_secs(1);

type Frames = WebSocketStream<Upgraded>;

/// A way to one server over a WebSocket.
pub struct WebSocket {
    /// `None` once it is closed.
    writer: Mutex<Option<SplitSink<Frames, Message>>>,
    reader: JoinHandle<()>,
    limits: Limits,
}

impl WebSocket {
    /// Connects to `remote`, at a `ws:` or `wss:` address, as long as that takes, which the caller bounds.
    ///
    /// # Errors
    /// Where the server cannot be called, or does not speak the protocol.
    pub async fn open(net: &Net, remote: &Remote, limits: &Limits) -> Result<Opened, OpenError> {
        let (caller, _) = Caller::at(over_http(&remote.url)?, net, remote)?;
        let key = key().ok_or_else(|| refused("this machine gives no random numbers"))?;
        let call = Call {
            verb: Method::GET,
            url: caller.url.clone(),
            accept: "*/*",
            fields: fields(&key),
            body: None,
            method: String::new(),
        };
        let response = caller.call(&call).await;
        let response = response.map_err(|failure| OpenError::Stream(lost(failure)))?;
        if response.status().as_u16() != 101 {
            let answer = other(response).await;
            return Err(OpenError::Stream(Loss::Http(Box::new(answer))));
        }
        let agreed = agreed(&response, &key)?;
        let upgraded = response.upgrade().await;
        let upgraded = upgraded.map_err(|error| OpenError::Stream(lost(Failure::of(&error))))?;
        let config = WebSocketConfig::default()
            .max_message_size(Some(limits.message))
            .max_frame_size(Some(limits.message));
        let frames = WebSocketStream::from_raw_socket(upgraded, Role::Client, Some(config)).await;
        let (writer, reader) = frames.split();
        let (sender, inbox) = mpsc::channel(QUEUE);
        if !agreed {
            let text = "it does not say that it speaks the subprotocol mcp".to_owned();
            // There is room for this.
            _ = sender.try_send(Incoming::Odd(Oddity::Other(text)));
        }
        let transport = Arc::new(WebSocket {
            writer: Mutex::new(Some(writer)),
            reader: tokio::spawn(read(reader, limits.clone(), sender)),
            limits: limits.clone(),
        });
        Ok(Opened { transport, inbox })
    }
}

impl Transport for WebSocket {
    fn send(&self, message: Outgoing) -> BoxFuture<'_, Result<(), SendError>> {
        let text = Message::text(message.body.to_string());
        Box::pin(async move {
            let writing = async {
                let mut writer = self.writer.lock().await;
                let Some(frames) = writer.as_mut() else {
                    return Err(SendError::Closed);
                };
                let error = match timeout(self.limits.write, frames.send(text)).await {
                    Ok(Ok(())) => return Ok(()),
                    Ok(Err(_)) => SendError::Closed,
                    Err(_) => SendError::NotRead,
                };
                // Half a frame may be there: nothing sensible can follow.
                *writer = None;
                Err(error)
            };
            // Whoever waits for the socket waits for the message before, which has its own limit.
            let patience = self.limits.write.saturating_mul(2);
            let written = timeout(patience, writing).await;
            written.unwrap_or(Err(SendError::NotRead))
        })
    }

    fn forget(&self, _: i64) -> bool {
        false
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let closing = async {
                if let Some(mut writer) = self.writer.lock().await.take() {
                    // Who is gone already need not be told.
                    _ = writer.close().await;
                }
            };
            _ = timeout(GOODBYE, closing).await;
            self.reader.abort();
        })
    }
}

impl fmt::Debug for WebSocket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebSocket").finish_non_exhaustive()
    }
}

impl Drop for WebSocket {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

/// Reads until the end.
async fn read(mut frames: SplitStream<Frames>, limits: Limits, inbox: mpsc::Sender<Incoming>) {
    // Bytes since the last message.
    let mut wasted = 0;
    let closed = loop {
        let bytes = match frames.next().await {
            None | Some(Ok(Message::Close(_))) => break Closed::ByServer,
            Some(Ok(Message::Text(text))) => text.as_bytes().to_vec(),
            Some(Ok(Message::Binary(bytes))) => bytes.to_vec(),
            // Pings are answered by the library.
            Some(Ok(_)) => continue,
            Some(Err(error)) => break closed(error, &limits),
        };
        wasted += bytes.len();
        match deliver(bytes, None, &inbox).await {
            Delivered::Nobody => return,
            Delivered::Answer | Delivered::Messages => wasted = 0,
            Delivered::Noise if wasted > limits.answer => {
                break Closed::Broke("nothing that it sends is a message".to_owned());
            }
            Delivered::Noise => {}
        }
    };
    _ = inbox.send(Incoming::Closed(closed)).await;
}

fn closed(error: Error, limits: &Limits) -> Closed {
    match error {
        Error::ConnectionClosed | Error::AlreadyClosed => Closed::ByServer,
        Error::Capacity(CapacityError::MessageTooLong { .. }) => {
            Closed::Broke(format!("a message is longer than {} bytes", limits.message))
        }
        error => Closed::Broke(error.to_string()),
    }
}

/// The address of the handshake: `wss:` is `https:`.
fn over_http(address: &Secret) -> Result<Url, OpenError> {
    let address = parse(address, &["ws", "wss"])?;
    let rest = address.as_str().strip_prefix("ws").unwrap_or_default();
    Url::parse(&format!("http{rest}")).map_err(OpenError::Url)
}

/// 16 random bytes (RFC 6455, 4.1).
fn key() -> Option<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(BASE64_STANDARD.encode(bytes))
}

/// What a server makes of `key`.
fn accepted(key: &str) -> String {
    let hash = sha1_smol::Sha1::from(format!("{key}{GUID}"));
    BASE64_STANDARD.encode(hash.digest().bytes())
}

fn fields(key: &str) -> HeaderMap {
    let mut fields = HeaderMap::new();
    fields.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
    fields.insert(UPGRADE, HeaderValue::from_static("websocket"));
    fields.insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
    fields.insert(SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(MCP));
    if let Ok(key) = HeaderValue::from_str(key) {
        fields.insert(SEC_WEBSOCKET_KEY, key);
    }
    fields
}

/// Whether the server says that it speaks the subprotocol.
///
/// # Errors
/// Where it speaks another one, or none of this kind at all.
fn agreed(response: &Response, key: &str) -> Result<bool, OpenError> {
    let field = |name| {
        response
            .headers()
            .get(name)
            .and_then(|value| value.to_str().ok())
    };
    let upgraded = field(UPGRADE).is_some_and(|to| to.eq_ignore_ascii_case("websocket"));
    if !upgraded || field(SEC_WEBSOCKET_ACCEPT) != Some(&accepted(key)) {
        return Err(refused("not a WebSocket server"));
    }
    match field(SEC_WEBSOCKET_PROTOCOL) {
        Some(MCP) => Ok(true),
        None => Ok(false),
        Some(_) => Err(refused("it speaks another subprotocol than mcp")),
    }
}

fn refused(why: &str) -> OpenError {
    OpenError::Stream(Loss::NoMcp(why.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_accepted_as_the_standard_shows() {
        // RFC 6455, 1.3.
        assert_eq!(
            accepted("dGhlIHNhbXBsZSBub25jZQ=="),
            "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
        );
        let (one, two) = (key().unwrap(), key().unwrap());
        assert_eq!(one.len(), 24);
        assert_ne!(one, two);
    }

    #[test]
    fn the_handshake_goes_to_the_same_place() {
        let at = |url: &str| over_http(&Secret::new(url)).map(|url| url.to_string()).ok();
        assert_eq!(at("ws://h/a?b"), Some("http://h/a?b".to_owned()));
        assert_eq!(at("wss://h:444/"), Some("https://h:444/".to_owned()));
        assert_eq!(at("wss://h:443/"), Some("https://h/".to_owned()));
        assert_eq!(at("http://h/"), None);
        assert_eq!(at("ws:"), None);
    }
}
