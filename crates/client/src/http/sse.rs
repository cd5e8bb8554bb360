//! HTTP+SSE, the transport of 2024-11-05: one stream that everything comes over, whose first event says where to send messages.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use reqwest::header::HeaderMap;
use reqwest::{Method, Response};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinHandle};
use tokio::time::timeout;
use url::Url;

use super::answer::{self, Kind, lost};
use super::call::{Call, Caller, OpenError, Remote};
use super::fields;
use super::stream::{Bounds, End, Stream};
use super::streamable::QUEUE;
use crate::net::{self, Net};
use crate::{
    BoxFuture, Closed, Incoming, Limits, Loss, Oddity, Opened, Outgoing, SendError, Transport,
};

/// The event that says where to send messages.
const ENDPOINT: &str = "endpoint";

/// A way to one server over HTTP+SSE.
pub struct HttpSse {
    caller: Arc<Caller>,
    /// Where messages go.
    endpoint: Url,
    limits: Limits,
    inbox: mpsc::Sender<Incoming>,
    reader: JoinHandle<()>,
    /// Requests that are being sent; `None` once it is closed.
    sending: Mutex<Option<HashMap<i64, AbortHandle>>>,
}

impl HttpSse {
    /// Opens the stream, and waits until the server says where to send messages: as long as it takes, which the caller bounds.
    ///
    /// # Errors
    /// Where the server cannot be called, offers no such stream, or wants messages to be sent to another origin, which would get what
    /// was configured for this one.
    pub async fn open(net: &Net, remote: &Remote, limits: &Limits) -> Result<Opened, OpenError> {
        let (caller, _) = Caller::new(net, remote)?;
        let call = Call {
            verb: Method::GET,
            url: caller.url.clone(),
            accept: "text/event-stream",
            fields: HeaderMap::new(),
            body: None,
            method: String::new(),
        };
        let response = caller.call(&call).await;
        let mut response = response.map_err(|failure| OpenError::Stream(lost(failure)))?;
        if !response.status().is_success() {
            let answer = answer::other(response).await;
            return Err(OpenError::Stream(Loss::Http(Box::new(answer))));
        }
        match answer::kind(&response).map_err(OpenError::Stream)? {
            Kind::Events => {}
            Kind::Json | Kind::Nothing => {
                let text = "not an MCP server (it answers without a stream)".to_owned();
                return Err(OpenError::Stream(Loss::NoMcp(text)));
            }
        }
        let mut stream = Stream::new(Bounds {
            event: limits.message,
            all: None,
            waste: limits.answer,
        });
        let first = stream.first(&mut response, ENDPOINT).await;
        let endpoint = endpoint(&caller.url, &first.map_err(OpenError::Stream)?)?;
        let (sender, inbox) = mpsc::channel(QUEUE);
        let transport = Arc::new(HttpSse {
            caller: Arc::new(caller),
            endpoint,
            limits: limits.clone(),
            reader: tokio::spawn(read(response, stream, sender.clone())),
            inbox: sender,
            sending: Mutex::new(Some(HashMap::new())),
        });
        Ok(Opened { transport, inbox })
    }

    fn sending(&self) -> MutexGuard<'_, Option<HashMap<i64, AbortHandle>>> {
        // Nothing panics while it is held; were it so, the table would still be whole.
        self.sending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self) {
        self.reader.abort();
        for (_, task) in self.sending().take().into_iter().flatten() {
            task.abort();
        }
    }

    fn call(&self, message: &Outgoing) -> Call {
        let mut fields = HeaderMap::new();
        fields::of_message(message, None, &mut fields);
        Call {
            verb: Method::POST,
            url: self.endpoint.clone(),
            accept: "application/json, text/event-stream",
            fields,
            body: Some(message.body.to_string().into_bytes()),
            method: message.method.clone(),
        }
    }
}

impl Transport for HttpSse {
    fn send(&self, message: Outgoing) -> BoxFuture<'_, Result<(), SendError>> {
        Box::pin(async move {
            let call = self.call(&message);
            let Some(id) = message.id else {
                return self.tell(&call).await;
            };
            let (caller, inbox) = (self.caller.clone(), self.inbox.clone());
            let mut sending = self.sending();
            let Some(open) = sending.as_mut().filter(|_| !self.reader.is_finished()) else {
                return Err(SendError::Closed);
            };
            // The answer comes over the stream; here comes only that there will be none.
            let task = tokio::spawn(async move {
                if let Some(why) = refusal(caller.call(&call).await.map_err(lost)).await {
                    _ = inbox.send(Incoming::Lost { id, why }).await;
                }
            });
            open.retain(|_, task| !task.is_finished());
            open.insert(id, task.abort_handle());
            Ok(())
        })
    }

    fn forget(&self, id: i64) -> bool {
        if let Some(task) = self.sending().as_mut().and_then(|open| open.remove(&id)) {
            task.abort();
        }
        false
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move { self.end() })
    }
}

impl HttpSse {
    /// Sends what has no answer, which is with the server before the next message is sent.
    async fn tell(&self, call: &Call) -> Result<(), SendError> {
        if self.sending().is_none() {
            return Err(SendError::Closed);
        }
        let text = match timeout(self.limits.write, self.caller.call(call)).await {
            Ok(Ok(response)) if response.status().is_success() => return Ok(()),
            Ok(Ok(response)) => {
                let status = response.status().as_u16();
                format!("it answers a notification with HTTP {status}")
            }
            Ok(Err(failure)) => return Err(SendError::Failed(failure.to_string())),
            Err(_) => return Err(SendError::NotRead),
        };
        _ = self.inbox.send(Incoming::Odd(Oddity::Other(text))).await;
        Ok(())
    }
}

impl fmt::Debug for HttpSse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpSse").finish_non_exhaustive()
    }
}

impl Drop for HttpSse {
    fn drop(&mut self) {
        self.end();
    }
}

/// Where messages go, as the server said: at the origin that was configured, or nowhere.
fn endpoint(configured: &Url, told: &str) -> Result<Url, OpenError> {
    let endpoint = configured.join(told);
    let endpoint = endpoint.map_err(|error| {
        OpenError::Stream(Loss::Nonsense(format!(
            "its endpoint is no address: {error}"
        )))
    })?;
    let bounds = net::Bounds::around(configured, false);
    bounds.same_origin(&endpoint).map_err(OpenError::Endpoint)?;
    Ok(endpoint)
}

async fn refusal(sent: Result<Response, Loss>) -> Option<Loss> {
    match sent {
        Ok(response) if response.status().is_success() => None,
        Ok(response) => Some(Loss::Http(Box::new(answer::other(response).await))),
        Err(why) => Some(why),
    }
}

/// Reads until the end of the stream, which is the end of everything.
async fn read(mut response: Response, mut stream: Stream, inbox: mpsc::Sender<Incoming>) {
    let closed = match stream.read(&mut response, None, &inbox).await {
        End::Ended => Closed::ByServer,
        End::Broke(Loss::Broke(why)) => Closed::Broke(why),
        End::Broke(why) | End::Useless(why) => Closed::Broke(why.to_string()),
        End::Answered | End::Nobody => return,
    };
    _ = inbox.send(Incoming::Closed(closed)).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_go_to_the_origin_that_was_configured_or_nowhere() {
        let configured = Url::parse("https://mcp.example.com/a/sse?key=k").unwrap();
        let at = |told: &str| {
            let found = endpoint(&configured, told);
            found
                .map(|url| url.to_string())
                .map_err(|error| error.to_string())
        };
        let here = "https://mcp.example.com";
        assert_eq!(
            at("/messages?session=1"),
            Ok(format!("{here}/messages?session=1"))
        );
        assert_eq!(at("messages"), Ok(format!("{here}/a/messages")));
        assert_eq!(at("?session=1"), Ok(format!("{here}/a/sse?session=1")));
        assert_eq!(at("https://mcp.example.com:443/m"), Ok(format!("{here}/m")));
        for (told, origin) in [
            ("https://evil.example.com/m", "https://evil.example.com"),
            ("//evil.example.com/m", "https://evil.example.com"),
            ("http://mcp.example.com/m", "http://mcp.example.com"),
            (
                "https://mcp.example.com:8443/m",
                "https://mcp.example.com:8443",
            ),
            ("https://mcp.example.com@evil.test/m", "https://evil.test"),
            ("\\\\evil.test\\m", "https://evil.test"),
            ("javascript:alert(1)", "javascript:"),
            ("file:///etc/passwd", "file:"),
        ] {
            let expected = format!(
                "it wants to be spoken to elsewhere: {origin} is another origin than {here}"
            );
            assert_eq!(at(told), Err(expected), "{told}");
        }
        assert_eq!(
            at("http://["),
            Err("its endpoint is no address: invalid IPv6 address".to_owned())
        );
    }
}
