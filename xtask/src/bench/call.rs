//! What a call from the shell costs beyond the server's own start: `muster call` of a fresh server that answers at once.

use std::io::BufRead;

use camino::Utf8Path;
use serde_json::{Value, json};

use super::ground::Ground;
use super::measure::{Figures, in_child};
use crate::{Result, say};

/// The hidden chore that is such a server.
pub(crate) const INSTANT: &str = "__instant-server";

/// What the project promises.
const TARGET_MILLISECONDS: f64 = 15.0;

/// Lets the server alone and a call of it take turns, and says what the call costs more.
pub(super) fn run(muster: &Utf8Path, ground: &Ground, runs: usize) -> Result {
    let own = std::env::current_exe()?;
    let own = own.to_str().ok_or("this program's path is not UTF-8")?;
    let alone: Vec<String> = vec![own.to_owned(), INSTANT.to_owned()];
    let words = ["call", "echo", "message=hi", "--"].map(str::to_owned);
    let call: Vec<String> = std::iter::once(muster.to_string())
        .chain(words)
        .chain(alone.clone())
        .collect();
    let (mut server, mut called) = (Figures::default(), Figures::default());
    for _ in 0..runs {
        server.add(in_child(&alone, ground)?);
        called.add(in_child(&call, ground)?);
    }
    say::heading("one call from the shell to a fresh server that answers at once");
    for (name, figures) in [
        ("the server's own start and end", &server),
        ("muster call", &called),
    ] {
        let failed = if figures.failed() {
            "  (exits with an error)"
        } else {
            ""
        };
        say::line(&format!(
            "{name:<34} {:>7.1} ms {:>7.1} ms {:>7.1} ms {:>6.1} MiB{failed}",
            figures.wall(),
            figures.fastest(),
            figures.cpu(),
            figures.memory()
        ));
    }
    let beyond = called.wall() - server.wall();
    let fastest = called.fastest() - server.fastest();
    let word = if beyond < TARGET_MILLISECONDS {
        "met"
    } else {
        "missed"
    };
    say::line(&format!(
        "target under {TARGET_MILLISECONDS} ms beyond the server's own start: {word} ({beyond:.1} ms; fastest {fastest:.1} ms)"
    ));
    Ok(())
}

/// Serves one tool until its input ends.
pub(crate) fn serve() -> Result {
    for line in std::io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line?)?;
        let Some(id) = message.get("id") else {
            continue;
        };
        let mut result = match message.get("method").and_then(Value::as_str) {
            Some("server/discover") => json!({
                "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}},
                "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "instant", "version": "1"}},
            }),
            Some("tools/list") => {
                let schema =
                    json!({"type": "object", "properties": {"message": {"type": "string"}}});
                json!({"tools": [{"name": "echo", "inputSchema": schema}]})
            }
            _ => json!({"content": [{"type": "text", "text": "hi"}]}),
        };
        if let Some(result) = result.as_object_mut() {
            for (key, value) in [
                ("resultType", json!("complete")),
                ("ttlMs", json!(0)),
                ("cacheScope", json!("private")),
            ] {
                result.insert(key.to_owned(), value);
            }
        }
        let answer = json!({"jsonrpc": "2.0", "id": id, "result": result});
        say::line(&answer.to_string());
    }
    Ok(())
}
