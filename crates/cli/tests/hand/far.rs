//! Servers at an address, which no agent knows or the user's own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::context::Context;
use crate::scene::done;

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test(
            "a_server_at_an_address_is_used_with_the_fields_that_are_given",
            || done(a_server_at_an_address_is_used_with_the_fields_that_are_given),
        ),
        Trial::test("a_server_that_wants_a_sign_in_says_so", || {
            done(a_server_that_wants_a_sign_in_says_so)
        }),
        Trial::test("nobody_at_the_address", || done(nobody_at_the_address)),
    ]
}

/// A request: its header fields, and its body.
type Heard = (Vec<String>, Value);

/// A modern server at an address of this machine, which answers with `status`.
fn server(status: &'static str) -> (String, Receiver<Heard>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/mcp", listener.local_addr().unwrap());
    let (tell, heard) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let stream = stream.unwrap();
            if let Some(request) = answer(&stream, status) {
                _ = tell.send(request);
            }
        }
    });
    (address, heard)
}

fn answer(mut stream: &TcpStream, status: &str) -> Option<Heard> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut fields = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        match line.trim_end() {
            "" => break,
            field => fields.push(field.to_owned()),
        }
    }
    let length = fields.iter().find_map(|field| {
        let (name, value) = field.split_once(": ")?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.parse::<usize>().ok())?
    });
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let result = match body["method"].as_str().unwrap_or_default() {
        "tools/list" => {
            json!({"tools": [{"name": "echo", "inputSchema": {"type": "object"}}], "ttlMs": 0, "cacheScope": "private"})
        }
        "tools/call" => json!({"content": [{"type": "text", "text": fields.join(" ")}]}),
        _ => {
            json!({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "ttlMs": 0, "cacheScope": "private"})
        }
    };
    let mut result = result;
    result["resultType"] = "complete".into();
    let text = json!({"jsonrpc": "2.0", "id": body["id"], "result": result}).to_string();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        text.len()
    );
    stream
        .write_all(head.as_bytes())
        .and_then(|()| stream.write_all(text.as_bytes()))
        .ok()?;
    Some((fields, body))
}

fn a_server_at_an_address_is_used_with_the_fields_that_are_given() {
    let (address, heard) = server("200 OK");
    let context = Context::new();
    let told = context.run(["tools", &address]).fine();
    assert!(told.contains("echo()"), "{told}");
    let words = [
        "call",
        &address,
        "echo",
        "--header",
        "X-Key: hunter-q7z-8",
        "--header",
        "X-Team: shop",
    ];
    let told = context.run(words).fine();
    assert!(
        told.contains("•••") && !told.contains("hunter-q7z-8"),
        "{told}"
    );
    let called = heard
        .iter()
        .find(|(_, body)| body["method"] == "tools/call")
        .unwrap();
    assert!(
        called
            .0
            .iter()
            .any(|field| field.eq_ignore_ascii_case("X-Key: hunter-q7z-8")),
        "{called:?}"
    );
}

fn a_server_that_wants_a_sign_in_says_so() {
    let (address, _heard) = server("401 Unauthorized");
    let file = json!({"mcpServers": {"far": {"type": "http", "url": address}}});
    let context = Context::new().file(".claude.json", &file.to_string());
    let run = context.run(["tools", "far"]);
    assert_eq!((run.code, run.stdout.as_str()), (3, ""), "{}", run.stderr);
    let host = address
        .trim_start_matches("http://")
        .trim_end_matches("/mcp");
    assert_eq!(
        run.stderr,
        format!(
            "error: `far` does not let you in: sign in at `{host}`\nhint: `muster login far` signs in\n"
        )
    );
}

fn nobody_at_the_address() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/mcp", listener.local_addr().unwrap());
    drop(listener);
    let run = Context::new().run(["tools", &address]);
    assert_eq!((run.code, run.stdout.as_str()), (3, ""));
    assert!(
        run.stderr.contains("could not be started: "),
        "{}",
        run.stderr
    );
}
