use std::sync::Arc;

use camino::Utf8Path;

use super::*;

fn refusal(entry: &str) -> Option<String> {
    let text = format!("{{\"x\":{entry}}}");
    let path: Arc<Utf8Path> = Arc::from(Utf8Path::new("/f"));
    let document = Document::parse(path, text.as_bytes(), super::super::dialect::JSON).unwrap();
    let node = document.root().get("x").unwrap();
    check(&document, "x", node).refusal.map(|refusal| {
        let message = refusal
            .message
            .strip_prefix("Skipped — ")
            .unwrap()
            .to_owned();
        message
            .strip_prefix("invalid MCP server config for \"x\": ")
            .map(str::to_owned)
            .unwrap_or(message)
    })
}

#[test]
fn refusals_use_the_words_of_the_real_program() {
    let cases = [
        (r#""x""#, "(root): expected object, received string"),
        ("null", "(root): expected object, received null"),
        (r#"{"type":null,"command":"c"}"#, "type: expected \"stdio\""),
        (
            r#"{"type":"sdk"}"#,
            "MCP server \"x\" declares type \"sdk\", which only an SDK host application can register",
        ),
        (
            r#"{"type":"HTTP","url":"http://h"}"#,
            "unknown MCP server type \"HTTP\" for server \"x\"",
        ),
        (
            r#"{"type":"hunter2","url":"http://h"}"#,
            "unknown MCP server type \"•••\" for server \"x\"",
        ),
        (
            r#"{"url":"http://h"}"#,
            "MCP server \"x\" has a \"url\" but no \"type\"; add \"type\": \"http\" (or \"sse\" / \"ws\") to this entry",
        ),
        ("{}", "command: expected string, received undefined"),
        (r#"{"command":""}"#, "command: Command cannot be empty"),
        (
            r#"{"command":3,"args":"x"}"#,
            "command: expected string, received number; args: expected array, received string",
        ),
        (
            r#"{"command":"x","args":[1,null,{}],"env":{"A":null,"B":true}}"#,
            "args.0: expected string, received number; args.1: expected string, received null; \
             args.2: expected string, received object; env.A: expected string, received null; \
             env.B: expected string, received boolean",
        ),
        (
            r#"{"type":"http","url":"http://h","oauth":{"clientId":1,"callbackPort":-1,"scopes":"","authServerMetadataUrl":"http://x","xaa":1}}"#,
            "oauth.clientId: expected string, received number; oauth.callbackPort: Too small: expected number to be >0; \
             oauth.authServerMetadataUrl: authServerMetadataUrl must use https://; \
             oauth.scopes: Too small: expected string to have >=1 characters; oauth.xaa: expected boolean, received number",
        ),
        (
            r#"{"command":"c","timeout":0}"#,
            "timeout: Too small: expected number to be >0",
        ),
        (
            r#"{"command":"c","timeout":1.5}"#,
            "timeout: expected int, received number",
        ),
        (
            r#"{"command":"c","timeout":-1.5}"#,
            "timeout: expected int, received number",
        ),
        (
            r#"{"command":"c","timeout":1e999}"#,
            "timeout: expected number, received Infinity",
        ),
        (
            r#"{"command":"c","timeout":9007199254740993}"#,
            "timeout: Too big: expected int to be <=9007199254740991",
        ),
        (
            r#"{"command":"c","timeout":null}"#,
            "timeout: expected number, received null",
        ),
    ];
    for (entry, words) in cases {
        assert_eq!(refusal(entry).as_deref(), Some(words), "{entry}");
    }
}

#[test]
fn entries_that_load() {
    for entry in [
        r#"{"command":"c","url":"http://h"}"#,
        r#"{"command":" "}"#,
        r#"{"type":"streamable-http","url":""}"#,
        r#"{"type":"ws","url":"x","oauth":1}"#,
        r#"{"command":"c","disabled":true,"cwd":1,"headers":1,"oauth":1}"#,
        r#"{"type":"http","url":"x","oauth":{"callbackPort":70000,"other":1},"command":1,"args":1}"#,
        r#"{"command":"c","timeout":9007199254740991}"#,
    ] {
        assert_eq!(refusal(entry), None, "{entry}");
    }
}

#[test]
fn reserved_names_are_compared_without_trailing_underscores_only() {
    for name in [
        "workspace",
        "workspace!",
        "workspace_",
        "claude_ai",
        "claude.ai_",
        "Claude_Preview",
        "claude-in-chrome ",
        "__proto__",
    ] {
        assert!(is_reserved(name), "{name}");
    }
    for name in [
        "Workspace",
        "Claude.ai",
        "claude-preview",
        "ide",
        "_workspace",
        "!workspace",
        " workspace",
        "_claude_ai",
        "_proto_",
    ] {
        assert!(!is_reserved(name), "{name}");
    }
}
