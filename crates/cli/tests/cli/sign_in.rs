//! `muster login` and `muster logout`, with the real binary, a server on loopback and a browser that is a few lines long.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::thread;

use crate::context::Context;

/// A server that wants tokens, and gives them.
struct Server {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let own = asked.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                answer(stream, port, &own);
            }
        });
        Server { port, asked }
    }

    fn configuration(&self) -> String {
        format!(
            r#"{{"mcpServers": {{"notion": {{"type": "http", "url": "http://127.0.0.1:{}/mcp"}}, "local": {{"command": "x"}}}}}}"#,
            self.port
        )
    }

    /// The first words of what was asked.
    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

/// A request: its first line, its body, and whether it is called with the token.
fn read(stream: &mut TcpStream) -> Option<(String, String, bool)> {
    let mut reader = BufReader::new(stream);
    let (mut first, mut length, mut authorized) = (String::new(), 0, false);
    reader.read_line(&mut first).ok()?;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let line = line.trim().to_ascii_lowercase();
        authorized |= line == "authorization: bearer canary-access";
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((first, String::from_utf8(body).ok()?, authorized))
}

fn answer(mut stream: TcpStream, port: u16, asked: &Mutex<Vec<String>>) {
    let Some((first, body, authorized)) = read(&mut stream) else {
        return;
    };
    let target = first.split(' ').nth(1).unwrap_or_default().to_owned();
    asked
        .lock()
        .unwrap()
        .push(format!("{} {body}", first.trim()));
    let base = format!("http://127.0.0.1:{port}");
    let path = target.split('?').next().unwrap();
    let (status, more, body) = match path {
        "/.well-known/oauth-protected-resource/mcp" => (
            "200 OK",
            String::new(),
            format!(r#"{{"resource": "{base}/mcp", "authorization_servers": ["{base}"]}}"#),
        ),
        "/.well-known/oauth-authorization-server" => (
            "200 OK",
            String::new(),
            format!(
                r#"{{"issuer": "{base}", "authorization_endpoint": "{base}/authorize", "token_endpoint": "{base}/token",
                "registration_endpoint": "{base}/register", "revocation_endpoint": "{base}/revoke",
                "code_challenge_methods_supported": ["S256"], "scopes_supported": ["read", "offline_access"]}}"#
            ),
        ),
        "/register" => ("201 Created", String::new(), r#"{"client_id": "registered"}"#.to_owned()),
        "/authorize" => {
            let field = |name: &str| {
                let query = target.split_once('?').unwrap().1;
                let pair = query.split('&').find_map(|pair| pair.strip_prefix(&format!("{name}=")));
                pair.unwrap().to_owned()
            };
            let redirect = field("redirect_uri").replace("%3A", ":").replace("%2F", "/");
            let to = format!("{redirect}?code=canary-code&state={}", field("state"));
            ("302 Found", format!("Location: {to}\r\n"), String::new())
        }
        "/token" => (
            "200 OK",
            String::new(),
            r#"{"access_token": "canary-access", "refresh_token": "canary-refresh", "token_type": "Bearer", "expires_in": 3600}"#
                .to_owned(),
        ),
        "/revoke" => ("200 OK", String::new(), String::new()),
        // It repeats what it was called with, as servers do.
        "/mcp" if authorized => {
            let request: serde_json::Value = serde_json::from_str(&body).unwrap();
            let result = serde_json::json!({
                "resultType": "complete", "ttlMs": 0, "cacheScope": "private", "supportedVersions": ["2026-07-28"],
                "capabilities": {"tools": {}},
                "tools": [{"name": "canary-access", "inputSchema": {"type": "object"}}],
            });
            let answer = serde_json::json!({"jsonrpc": "2.0", "id": request["id"], "result": result});
            ("200 OK", String::new(), answer.to_string())
        }
        "/mcp" => {
            let metadata = format!("{base}/.well-known/oauth-protected-resource/mcp");
            let challenge = format!("WWW-Authenticate: Bearer resource_metadata=\"{metadata}\", scope=\"read\"\r\n");
            ("401 Unauthorized", challenge, "{}".to_owned())
        }
        _ => ("404 Not Found", String::new(), String::new()),
    };
    let answer = format!(
        "HTTP/1.1 {status}\r\n{more}Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let _ = stream.write_all(answer.as_bytes());
}

/// Goes to `url` as a browser would, and on to where it leads; what is shown in the end.
fn browse(url: &str) -> String {
    let rest = url.strip_prefix("http://").unwrap();
    let (host, path) = rest.split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    match answer
        .lines()
        .find_map(|line| line.strip_prefix("Location: "))
    {
        Some(to) => browse(to.trim()),
        None => answer,
    }
}

/// Runs `login` and signs in where it says; what it printed, and what the browser showed.
fn login(context: &Context, words: &[&str]) -> (i32, String, String, String) {
    let mut command = context.command();
    let mut child = command
        .args(["login", "--no-browser"])
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    let mut page = String::new();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    loop {
        let mut line = String::new();
        if lines.read_line(&mut line).unwrap() == 0 {
            break;
        }
        if line.trim().starts_with("http://") {
            page = browse(line.trim());
        }
        said.push_str(&line);
    }
    let done = child.wait_with_output().unwrap();
    let stdout = String::from_utf8(done.stdout).unwrap();
    (done.status.code().unwrap(), stdout, said, page)
}

fn sign_ins(context: &Context) -> Vec<(String, String)> {
    let folder = context.path(".local/state/muster/sign-ins");
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let kept = files.map(|file| {
        let name = file.file_name().into_string().unwrap();
        (name, std::fs::read_to_string(file.path()).unwrap())
    });
    kept.filter(|(name, _)| name.ends_with(".json")).collect()
}

#[test]
fn a_sign_in_is_made_and_kept_and_ended() {
    let server = Server::start();
    let context = Context::new().file(".claude.json", &server.configuration());
    let (code, stdout, said, page) = login(&context, &["notion"]);
    assert_eq!(code, 0, "{said}");
    let port = server.port;
    assert_eq!(
        stdout,
        format!(
            "● signed in to notion\n  at      http://127.0.0.1:{port}/mcp\n  by      127.0.0.1:{port}\n  \
             scopes  read offline_access\n  lasts   until you sign out; it renews itself\n"
        )
    );
    let told = format!(
        "Signing in to notion at http://127.0.0.1:{port}/mcp\nThe sign-in page is at 127.0.0.1:{port}."
    );
    assert!(said.starts_with(&told), "{said}");
    assert!(page.contains("Muster has your answer"), "{page}");
    for text in [&stdout, &said, &page] {
        assert!(!text.contains("canary"), "{text}");
    }
    let kept = sign_ins(&context);
    let [(name, text)] = &kept[..] else {
        panic!("{kept:?}")
    };
    assert!(name.starts_with("127.0.0.1-"), "{name}");
    assert!(text.contains("canary-access") && text.contains("canary-refresh"));

    // Once more: known already.
    let (code, json, _, _) = login(&context, &["notion", "--scope", "mine", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (code, &json["schema"]),
        (0, &serde_json::json!("muster.login/1"))
    );
    assert_eq!(
        json["scopes"],
        serde_json::json!(["mine", "read", "offline_access"])
    );
    let registrations = server
        .asked()
        .iter()
        .filter(|asked| asked.starts_with("POST /register"))
        .count();
    assert_eq!(registrations, 1);

    let out = context.run(["logout", "notion"]).fine();
    assert_eq!(
        out,
        format!("● signed out, tokens given back: notion\n  at      http://127.0.0.1:{port}/mcp\n")
    );
    assert_eq!(sign_ins(&context), []);
    assert!(
        server
            .asked()
            .iter()
            .any(|asked| asked.contains("token=canary-refresh"))
    );
    let again = context.run(["logout", "notion"]).fine();
    assert!(
        again.starts_with("○ there was no sign-in to notion\n"),
        "{again}"
    );
}

#[test]
fn a_check_uses_the_sign_in_and_says_where_one_is_missing() {
    let server = Server::start();
    let context = Context::new().file(".claude.json", &server.configuration());
    let check = || {
        let run = context.run([
            "check", "--remote", "--server", "notion", "--format", "json",
        ]);
        let checked: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert!(!run.stdout.contains("canary"), "{}", run.stdout);
        checked["launched"][0].clone()
    };
    let launched = check();
    assert_eq!(launched["state"], "needs-sign-in");
    let text = context
        .run(["check", "--remote", "--server", "notion"])
        .stdout;
    let port = server.port;
    let expected = format!("needs sign-in: sign in at `127.0.0.1:{port}`: muster login notion");
    assert!(text.contains(&expected), "{text}");

    assert_eq!(login(&context, &["notion"]).0, 0);
    let launched = check();
    assert_eq!(launched["state"], "ok", "{launched}");
    assert_eq!(launched["tools"].as_array().unwrap().len(), 1);
    let tools = context.run(["tools", "notion"]);
    assert_eq!(tools.code, 0, "{}", tools.stderr);
    assert!(
        !tools.stdout.contains("canary") && tools.stdout.contains("•••"),
        "{}",
        tools.stdout
    );
}

#[test]
fn an_address_and_a_port_may_be_named() {
    let server = Server::start();
    let context = Context::new();
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let url = format!("http://127.0.0.1:{}/mcp", server.port);
    let (code, _, said, _) = login(
        &context,
        &[
            &url,
            "--client-id",
            "mine",
            "--callback-port",
            &free.to_string(),
        ],
    );
    assert_eq!(code, 0, "{said}");
    let asked = server.asked().join("\n");
    assert!(asked.contains(&format!(
        "redirect_uri=http%3A%2F%2F127.0.0.1%3A{free}%2Fcallback"
    )));
    assert!(asked.contains("client_id=mine"));
    assert!(!asked.contains("POST /register"));
    assert_eq!(sign_ins(&context).len(), 1);
}

#[test]
fn what_cannot_be_signed_in_to_says_so() {
    let server = Server::start();
    let elsewhere = format!(
        "[mcp_servers.notion]\nurl = \"http://127.0.0.1:{}/other\"\n",
        server.port
    );
    let header = r#"{"mcpServers": {"keyed": {"httpUrl": "https://h.example/mcp", "headers": {"Authorization": "Bearer canary-header"}}}}"#;
    let context = Context::new()
        .file(".claude.json", &server.configuration())
        .file(".codex/config.toml", &elsewhere)
        .file(".gemini/settings.json", header)
        .file(
            ".gemini/trustedFolders.json",
            r#"{"{{ROOT}}/project": "TRUST_FOLDER"}"#,
        );
    let port = server.port;
    for (words, expected) in [
        (&["login", "nothing"][..], "error: no agent knows a server called `nothing` here\nhint: `muster list` shows the servers that are known; an address works, too\n".to_owned()),
        (&["login", "local"], "error: `local` is started on this machine: it takes its secrets from its environment\n".to_owned()),
        (&["login", "keyed"], "error: Gemini CLI sends `keyed` an Authorization header of its own, which a sign-in does not replace\nhint: take the header out of its configuration first\n".to_owned()),
        (
            &["login", "notion"],
            format!(
                "error: `notion` is not the same server everywhere: Claude Code (claude-code) at http://127.0.0.1:{port}/mcp, \
                 Codex (codex) at http://127.0.0.1:{port}/•••\nhint: say whose: muster login notion --harness ID\n"
            ),
        ),
        (&["login", "ftp://h.example/"], "error: the address of `ftp://h.example/` is none that can be called\n".to_owned()),
        (
            &["login", "https://h.example/", "--client-id", "x", "--client-secret-env", "UNSET"],
            "error: the variable `UNSET` holds no secret: it is unset or empty\n".to_owned(),
        ),
    ] {
        let run = context.run(words);
        assert_eq!((run.code, run.stderr.as_str()), (2, expected.as_str()), "{words:?}");
        assert_eq!(run.stdout, "");
    }
    assert_eq!(server.asked().len(), 0);
}

#[test]
fn a_server_that_is_not_there_does_not_answer() {
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let url = format!("http://127.0.0.1:{port}/mcp");
    let run = Context::new().run(["login", "--no-browser", &url]);
    assert_eq!(run.code, 3);
    assert!(
        run.stderr.contains(&format!(
            "error: `{url}` does not answer: connection refused\n"
        )),
        "{}",
        run.stderr
    );
}
