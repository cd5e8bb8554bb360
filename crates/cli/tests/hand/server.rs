//! The server: it does whatever its tools are called.

use std::io::{BufRead, Write};

use base64::Engine;
use serde_json::{Value, json};

/// What acts on terminals that are not on their guard: colour, title, clipboard, a bell, overrides, invisible letters.
pub(crate) const HOSTILE: &str = "a\u{1b}[31mred\u{1b}]0;title\u{7}\u{1b}]52;c;aGk=\u{7}\u{9b}2J\u{202e}abc\u{200b}\r\u{8}\u{e0041}z";

/// Serves until its input ends.
pub(crate) fn serve(kind: &str) {
    match kind {
        "exits" => {
            say_aside(&format!("no module, and {}", token()));
            std::process::exit(3);
        }
        "mute" => {
            for line in std::io::stdin().lock().lines() {
                drop(line);
            }
            return;
        }
        _ => {}
    }
    let mut server = Server {
        kind: kind.to_owned(),
    };
    while let Some(message) = read() {
        server.take(message);
    }
}

struct Server {
    kind: String,
}

pub(crate) fn token() -> String {
    std::env::var("TOKEN").unwrap_or_default()
}

fn read() -> Option<Value> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).ok()?;
    (!line.is_empty()).then(|| serde_json::from_str(&line).expect("JSON"))
}

fn say(message: &Value) {
    let mut stdout = std::io::stdout().lock();
    // Whoever hung up hears nothing more.
    _ = writeln!(stdout, "{message}").and_then(|()| stdout.flush());
}

fn say_aside(line: &str) {
    _ = writeln!(std::io::stderr(), "{line}");
}

fn notify(method: &str, params: Value) {
    say(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
}

/// Asks the client, and gives its answer.
fn ask(method: &str, params: Value) -> Value {
    say(&json!({"jsonrpc": "2.0", "id": "q", "method": method, "params": params}));
    loop {
        let answer = read().expect("an answer");
        if answer["id"] == "q" {
            return answer;
        }
    }
}

fn text(text: impl Into<String>) -> Value {
    json!({"content": [{"type": "text", "text": text.into()}]})
}

fn tools() -> Value {
    let none = json!({"type": "object"});
    let plain = |name: &str| json!({"name": name, "inputSchema": none});
    json!([
        {
            "name": "echo", "description": "Says it again.\n\nAs often as wanted.", "annotations": {"readOnlyHint": true},
            "inputSchema": {
                "type": "object", "required": ["message"], "additionalProperties": false,
                "properties": {
                    "message": {"type": "string", "description": "What to say"},
                    "times": {"type": "integer", "default": 1, "minimum": 1},
                    "mood": {"enum": ["calm", "loud"]},
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "where": {"type": "object", "properties": {"x": {"type": "number"}}},
                },
            },
        },
        {"name": "weather", "inputSchema": none, "outputSchema": {"type": "object", "required": ["temperature"], "properties": {"temperature": {"type": "number"}}}},
        {"name": "circle", "inputSchema": {"$ref": "#"}},
        {"name": format!("bad{HOSTILE}"), "description": HOSTILE, "inputSchema": {"properties": {HOSTILE: {"enum": [HOSTILE], "default": HOSTILE}}}},
        plain("arguments"), plain("env"), plain("fail"), plain("hostile"), plain("picture"), plain("huge"), plain("lines"), plain("slow"),
        plain("ask"), plain("sample"), plain("roots"), plain("log"), plain("die"), plain("refuse"), plain("links"),
        {"description": "without a name"},
    ])
}

impl Server {
    fn take(&mut self, message: Value) {
        let Some(id) = message.get("id").cloned() else {
            return;
        };
        let params = &message["params"];
        let method = message["method"].as_str().unwrap_or_default();
        let told = crate::echo::answer(&self.kind, method);
        let done = told.unwrap_or_else(|| self.done(method, params));
        let complete = |mut result: Value| {
            if self.kind == "modern" {
                result["resultType"] = "complete".into();
            }
            result
        };
        say(&match done {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": complete(result)}),
            Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
        });
    }

    fn done(&self, method: &str, params: &Value) -> Result<Value, Value> {
        match method {
            "server/discover" if self.kind == "modern" => Ok(json!({
                "resultType": "complete", "ttlMs": 0, "cacheScope": "private", "supportedVersions": ["2026-07-28"],
                "capabilities": {"tools": {}, "resources": {}, "prompts": {}},
                "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "fake", "version": "1"}},
            })),
            "initialize" => Ok(json!({
                "protocolVersion": "2025-11-25", "serverInfo": {"name": "fake", "version": "1"}, "instructions": "Be kind.",
                "capabilities": {"tools": {}, "resources": {}, "prompts": {}, "logging": {}, "completions": {}},
            })),
            "logging/setLevel" => Ok(json!({})),
            "tools/list" => Ok(json!({"tools": tools()})),
            "tools/call" => self.call(params),
            "resources/list" => Ok(json!({"resources": [
                {"uri": "x://text", "name": "a text", "mimeType": "text/plain", "size": 5},
                {"uri": format!("x://{HOSTILE}"), "name": HOSTILE},
            ]})),
            "resources/templates/list" => {
                Ok(json!({"resourceTemplates": [{"uriTemplate": "x://{id}", "name": "any"}]}))
            }
            "resources/read" => self.resource(params["uri"].as_str().unwrap_or_default()),
            "prompts/list" => Ok(json!({"prompts": [
                {"name": "greet", "description": "Greets", "arguments": [{"name": "who", "required": true}, {"name": "how"}]},
            ]})),
            "prompts/get" => Ok(json!({"messages": [
                {"role": "user", "content": {"type": "text", "text": format!("Greet {}", params["arguments"]["who"])}},
                {"role": "assistant", "content": {"type": "image", "mimeType": "image/png", "data": "aGk="}},
            ]})),
            "completion/complete" => Ok(json!({"completion": {"values": ["Ada", "Alan"]}})),
            _ => Err(json!({"code": -32601, "message": "Method not found"})),
        }
    }

    fn call(&self, params: &Value) -> Result<Value, Value> {
        let arguments = &params["arguments"];
        Ok(match params["name"].as_str().unwrap_or_default() {
            "echo" => {
                let message = arguments["message"].as_str().unwrap_or_default();
                let times = arguments["times"].as_u64().unwrap_or(1);
                text(message.repeat(times as usize))
            }
            "arguments" => json!({"content": [], "structuredContent": {"given": arguments}}),
            "weather" => {
                let told = json!({"temperature": 5.5});
                json!({"content": [{"type": "text", "text": told.to_string()}], "structuredContent": told})
            }
            "env" => secrets(),
            "fail" => {
                let mut failed = text("no such table");
                failed["isError"] = true.into();
                failed
            }
            "hostile" => json!({"content": [
                {"type": "text", "text": format!("one\n{HOSTILE}\ttwo")},
                {"type": "resource_link", "uri": HOSTILE, "name": HOSTILE},
                {"type": HOSTILE},
            ], "structuredContent": {HOSTILE: HOSTILE}}),
            "picture" => json!({"content": [
                {"type": "text", "text": "Look:"},
                {"type": "image", "mimeType": "image/png", "data": "aGk="},
                {"type": "audio", "mimeType": "audio/wav", "data": "aGk="},
            ]}),
            "links" => json!({"content": [
                {"type": "resource_link", "uri": "x://text", "name": "a text", "mimeType": "text/plain"},
                {"type": "resource", "resource": {"uri": "x://text", "mimeType": "text/plain", "text": "hello"}},
            ]}),
            "huge" => text("y".repeat(20 * 1024 * 1024)),
            "lines" => text("line\n".repeat(5_000)),
            "slow" => self.slow(params),
            "ask" => {
                let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
                let answer = ask(
                    "elicitation/create",
                    json!({"message": HOSTILE, "requestedSchema": schema}),
                );
                text(answer["result"].to_string())
            }
            "sample" => {
                text(ask("sampling/createMessage", json!({"messages": []}))["error"].to_string())
            }
            "roots" => text(ask("roots/list", json!({}))["result"].to_string()),
            "log" => {
                say_aside("aside");
                notify(
                    "notifications/message",
                    json!({"level": "info", "logger": "l", "data": format!("in the log {}", token())}),
                );
                text("logged")
            }
            "die" => {
                say_aside(&format!("boom {}", token()));
                std::process::exit(7);
            }
            "refuse" => {
                return Err(json!({"code": -32000, "message": format!("not with {}", token())}));
            }
            other => text(format!("no {other}")),
        })
    }

    /// Never ends by itself; leaves a file for what it heard.
    fn slow(&self, params: &Value) -> Value {
        let token = &params["_meta"]["progressToken"];
        notify(
            "notifications/progress",
            json!({"progressToken": token, "progress": 1, "total": 4, "message": "on it"}),
        );
        std::fs::write("called", "").expect("a folder of its own");
        while let Some(message) = read() {
            if message["method"] == "notifications/cancelled" {
                std::fs::write("cancelled", "").expect("a folder of its own");
            }
        }
        std::process::exit(0);
    }

    fn resource(&self, uri: &str) -> Result<Value, Value> {
        let part = |key: &str, value: String| json!({"contents": [{"uri": uri, key: value}]});
        Ok(match uri {
            "x://text" => part("text", "hello\n".to_owned()),
            "x://hostile" => part("text", HOSTILE.to_owned()),
            "x://secret" => part("text", token()),
            "x://blob" => part("blob", base64([0xff, 0x00, 0x1b])),
            "x://secret-blob" => part("blob", base64(token())),
            "x://two" => {
                json!({"contents": [{"uri": "x://a", "text": "a"}, {"uri": "x://b", "blob": "aGk="}]})
            }
            _ => return Err(json!({"code": -32002, "message": "Resource not found"})),
        })
    }
}

fn base64(bytes: impl AsRef<[u8]>) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// The secret in every form that a server may print it in, as text, in data, as a name of a link, and in what is no result.
fn secrets() -> Value {
    let token = token();
    let percent: String = token.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let json = Value::from(token.as_str()).to_string();
    let forms = [
        token.clone(),
        base64(&token),
        base64(format!("x{token}y")),
        percent,
        json.clone(),
        Value::from(json).to_string(),
        token
            .replace('+', "%2B")
            .replace(' ', "+")
            .replace('"', "%22")
            .replace('ü', "%C3%BC"),
    ];
    let texts = forms
        .iter()
        .map(|form| json!({"type": "text", "text": format!("it is {form}.")}));
    let mut content: Vec<Value> = texts.collect();
    content.push(json!({"type": "resource_link", "uri": format!("x://{token}"), "name": token}));
    json!({"content": content, "structuredContent": {"forms": forms, "deep": [{"a": token}], token: "a name"}})
}
