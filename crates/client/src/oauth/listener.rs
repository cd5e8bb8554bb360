//! Where the browser brings the answer: an address on this machine, open for one sign-in.

use std::io;
use std::net::Ipv4Addr;
use std::time::Duration;

use muster_document::Secret;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use url::{Url, form_urlencoded};

use super::{Param, Pending, ResponseError};

/// Where answers arrive.
const PATH: &str = "/callback";
/// Bytes of a request that are read.
const BYTES: usize = 16 * 1024;
/// How long one visitor may take to say what it wants.
const PATIENCE: Duration = Duration::from_secs(10);
/// So many visitors with something else are turned away before the door closes.
const VISITORS: usize = 200;

/// A door on this machine that waits for one answer.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
    port: u16,
    redirect: String,
}

/// Why no answer came.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WaitError {
    /// Nobody came in time.
    #[error("nobody signed in within {} minutes", .0.as_secs() / 60)]
    TimedOut(Duration),
    /// Too many visitors with something else.
    #[error("something keeps calling at the address that waits for the answer")]
    Crowded,
    /// The door broke; why.
    #[error("the address that waits for the answer broke: {0}")]
    Broke(String),
    /// The answer is not acted on.
    #[error(transparent)]
    Response(#[from] ResponseError),
}

impl Listener {
    /// Opens a door at `port`, or at any free one where that is 0.
    ///
    /// # Errors
    /// Where the port is taken or not to be had.
    pub async fn open(port: u16) -> io::Result<Listener> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let port = listener.local_addr()?.port();
        Ok(Listener {
            listener,
            port,
            redirect: format!("http://127.0.0.1:{port}{PATH}"),
        })
    }

    /// The port of `redirect`, if it is an address of such a door.
    pub fn port_of(redirect: &str) -> Option<u16> {
        let url = Url::parse(redirect).ok()?;
        let own =
            url.scheme() == "http" && url.host_str() == Some("127.0.0.1") && url.path() == PATH;
        url.port().filter(|_| own)
    }

    /// What an authorization server is told to send the browser to.
    pub fn redirect(&self) -> &str {
        &self.redirect
    }

    /// Waits until the browser brings the answer to `pending`, and gives the code in it. Whatever else calls is turned away: pages in the
    /// same browser can call here too, and may not end a sign-in by it.
    ///
    /// # Errors
    /// Where no answer comes within `patience`, or it is not acted on.
    pub async fn wait(&self, pending: &Pending, patience: Duration) -> Result<Secret, WaitError> {
        match timeout(patience, self.answer(pending)).await {
            Ok(answer) => answer,
            Err(_) => Err(WaitError::TimedOut(patience)),
        }
    }

    async fn answer(&self, pending: &Pending) -> Result<Secret, WaitError> {
        let (tell, mut told) = tokio::sync::mpsc::channel(1);
        for _ in 0..VISITORS {
            let mut stream = tokio::select! {
                biased;
                Some(answer) = told.recv() => return answer,
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => stream,
                    Err(error) => return Err(WaitError::Broke(error.kind().to_string())),
                },
            };
            // Each visitor for itself: browsers open connections that they say nothing on.
            let (tell, pending, port) = (tell.clone(), pending.clone(), self.port);
            tokio::spawn(async move {
                let said = timeout(PATIENCE, head(&mut stream)).await;
                let (page, answer) = match said {
                    Ok(Ok(head)) => receive(&head, port, &pending),
                    _ => (Page::Odd, None),
                };
                let _ = timeout(PATIENCE, send(&mut stream, page)).await;
                if let Some(answer) = answer {
                    let _ = tell.send(answer.map_err(WaitError::from)).await;
                }
            });
        }
        Err(WaitError::Crowded)
    }
}

/// The start line and the header fields of a request.
async fn head(stream: &mut TcpStream) -> io::Result<String> {
    let mut bytes = Vec::new();
    let mut chunk = [0_u8; 2048];
    loop {
        let count = stream.read(&mut chunk).await?;
        bytes.extend_from_slice(chunk.get(..count).unwrap_or_default());
        let ended = bytes.windows(4).any(|window| window == b"\r\n\r\n");
        if ended {
            return String::from_utf8(bytes).map_err(|_| io::ErrorKind::InvalidData.into());
        }
        if count == 0 || bytes.len() > BYTES {
            return Err(io::ErrorKind::InvalidData.into());
        }
    }
}

/// What a visitor is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Page {
    /// The code has arrived.
    Done,
    /// The answer is a no, or is not acted on.
    Failed,
    /// It is not for this sign-in.
    Foreign,
    /// There is nothing here.
    Nothing,
    /// It cannot be understood.
    Odd,
}

/// What `head` asks for, and the answer that it brings. An answer whose state is another's ends nothing.
fn receive(
    head: &str,
    port: u16,
    pending: &Pending,
) -> (Page, Option<Result<Secret, ResponseError>>) {
    let mut lines = head.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (method, target, version) = (words.next(), words.next(), words.next());
    let hosts: Vec<&str> = lines
        .filter_map(|line| line.split_once(':'))
        .filter(|(name, _)| name.eq_ignore_ascii_case("host"))
        .map(|(_, value)| value.trim())
        .collect();
    // Another name for this machine is a page that had its own name changed into ours.
    let (by_number, by_name) = (format!("127.0.0.1:{port}"), format!("localhost:{port}"));
    let own = |host: &&str| **host == *by_number || **host == *by_name;
    let is_http = version.is_some_and(|version| version.starts_with("HTTP/1."));
    if method != Some("GET") || !is_http || hosts.len() != 1 || !hosts.iter().all(own) {
        return (Page::Odd, None);
    }
    let (path, query) = match target.unwrap_or_default().split_once('?') {
        Some((path, query)) => (path, query),
        None => (target.unwrap_or_default(), ""),
    };
    if path != PATH {
        return (Page::Nothing, None);
    }
    match pending.judge(&params(query)) {
        Err(ResponseError::OtherState | ResponseError::Repeated(_)) => (Page::Foreign, None),
        Err(error) => (Page::Failed, Some(Err(error))),
        Ok(code) => (Page::Done, Some(Ok(code))),
    }
}

/// The parameters of a query.
pub(super) fn params(query: &str) -> Vec<Param> {
    form_urlencoded::parse(query.as_bytes())
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect()
}

async fn send(stream: &mut TcpStream, page: Page) -> io::Result<()> {
    let (status, title, text) = match page {
        Page::Done => (
            "200 OK",
            "Muster has your answer",
            "Go back to the terminal: you can close this page.",
        ),
        Page::Failed => (
            "200 OK",
            "Not signed in",
            "The terminal says why. You can close this page.",
        ),
        Page::Foreign => (
            "400 Bad Request",
            "This is not the answer that Muster waits for",
            "It still waits for yours.",
        ),
        Page::Nothing => (
            "404 Not Found",
            "Nothing here",
            "Muster waits for a sign-in.",
        ),
        Page::Odd => (
            "400 Bad Request",
            "Not understood",
            "Muster waits for a sign-in.",
        ),
    };
    let body = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\
         <style>body{{font:1.1em/1.5 system-ui,sans-serif;max-width:32em;margin:20vh auto;padding:0 1em}}</style>\
         <h1>{title}</h1><p>{text}</p></html>\n"
    );
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\n\
         Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'\r\n\
         Referrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n\
         Connection: close\r\n\r\n{body}",
        length = body.len(),
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::oauth::AuthorizationServer;

    fn pending() -> Pending {
        let url = Url::parse("http://localhost:3000/mcp").unwrap();
        let ground = crate::oauth::Ground::new(&url, false);
        Pending::new(&AuthorizationServer::by_default(&ground).unwrap()).unwrap()
    }

    /// Pieces of requests, rightly and wrongly put together.
    fn request(state: String) -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("GET ".to_owned()),
            Just("/callback?".to_owned()),
            Just(" HTTP/1.1\r\n".to_owned()),
            Just("Host: 127.0.0.1:7\r\n".to_owned()),
            Just("Host: evil.example\r\n".to_owned()),
            Just("code=c&".to_owned()),
            Just(format!("state={state}&")),
            Just("state=guessed&".to_owned()),
            Just("error=access_denied&".to_owned()),
            "[ -~\r\n]{0,4}",
            "\\PC{0,2}",
        ];
        prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    #[test]
    fn the_right_request_is_answered() {
        let pending = pending();
        let state = pending.state.expose();
        let head =
            format!("GET /callback?code=c&state={state} HTTP/1.1\r\nHost: 127.0.0.1:7\r\n\r\n");
        let (page, answer) = receive(&head, 7, &pending);
        assert_eq!(page, Page::Done);
        assert_eq!(answer.unwrap().unwrap().expose(), "c");
        assert_eq!(receive(&head, 8, &pending).0, Page::Odd);
    }

    proptest! {
        #[test]
        fn only_who_knows_the_state_ends_the_wait(
            (pending, head) in Just(pending()).prop_flat_map(|pending| {
                let state = pending.state.expose().to_owned();
                (Just(pending), request(state))
            })
        ) {
            let (page, answer) = receive(&head, 7, &pending);
            if answer.is_some() {
                prop_assert!(matches!(page, Page::Done | Page::Failed));
                prop_assert!(head.starts_with("GET /callback?"));
                prop_assert!(head.contains(pending.state.expose()));
                prop_assert!(head.contains("Host: 127.0.0.1:7\r\n"));
                prop_assert!(!head.contains("Host: evil.example"));
            }
        }
    }
}
