use std::sync::Arc;

use camino::Utf8Path;
use muster_core::Status;
use muster_document::Document;

use super::super::settings::JSON;
use super::*;

/// The short words on the entry `text`; nothing where Pi takes it.
fn short(text: &str) -> Option<String> {
    let document = Document::parse(Arc::from(Utf8Path::new("/t")), text.as_bytes(), JSON).unwrap();
    check("x", Span::new(0, 1), document.root()).map(|refusal| refusal.short)
}

#[test]
fn the_first_complaint_counts() {
    for (text, expected) in [
        (
            r#"{"command": "x", "args": [], "env": {}, "cwd": ".", "timeout": 0.5}"#,
            None,
        ),
        (
            r#"{"type": "sse", "enabled": 1}"#,
            Some("enabled is no boolean"),
        ),
        (
            r#"{"type": "sse", "command": "x"}"#,
            Some("SSE is not supported"),
        ),
        (
            r#"{"type": "ws", "url": "wss://h/"}"#,
            Some("WebSocket is not supported"),
        ),
        (
            r#"{"type": "HTTP", "url": "http://h/"}"#,
            Some("unknown type"),
        ),
        (r#"{"type": null, "command": "x"}"#, Some("unknown type")),
        (
            r#"{"type": "stdio", "url": "http://h/"}"#,
            Some("type stdio without command"),
        ),
        (
            r#"{"type": "http", "command": "x"}"#,
            Some("type http without url"),
        ),
        (r#"{"url": 1}"#, Some("url is no string")),
        (r#"{"command": null}"#, Some("command is no string")),
        (r#"{}"#, Some("no command and no url")),
        (
            r#"{"command": "x", "url": ""}"#,
            Some("url is no http address"),
        ),
        (r#"{"command": "x", "url": null, "headers": 1}"#, None),
        (
            r#"{"command": "x", "type": "stdio", "url": "nowhere"}"#,
            None,
        ),
        (
            r#"{"url": "http://h/", "args": 1, "env": 1, "cwd": 1}"#,
            None,
        ),
        (r#"{"command": "x", "oauth": 1, "auth": 1}"#, None),
        (
            r#"{"command": "x", "exposure": "codemode-deferred", "toolExposure": {"*": "hidden"}}"#,
            None,
        ),
        (
            r#"{"command": "x", "toolExposure": {"a": null}}"#,
            Some("unknown exposure of a tool"),
        ),
        (r#"{"url": "https://h/", "auth": {"provider": "p"}}"#, None),
        (
            r#"{"url": "http://h/", "auth": {"provider": "p"}}"#,
            Some("auth needs https"),
        ),
        (
            r#"{"url": "https://h/", "auth": null}"#,
            Some("auth has no provider"),
        ),
    ] {
        assert_eq!(short(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn fields_of_oauth() {
    for (oauth, expected) in [
        (
            r#"{"clientId": "c", "clientSecret": "s", "callbackPort": 80, "scope": "", "clientName": "n", "clientRegistration": "dcr"}"#,
            None,
        ),
        (r#"{"callbackPort": 80.5}"#, Some("callbackPort is no port")),
        (
            r#"{"callbackPort": 65536}"#,
            Some("callbackPort is no port"),
        ),
        (
            r#"{"callbackUrl": "http://localhost:8080/x", "callbackPort": 8080}"#,
            None,
        ),
        (
            r#"{"callbackUrl": "http://localhost:8080/x", "callbackPort": 81}"#,
            Some("two callback ports"),
        ),
        (
            r#"{"callbackUrl": "http://localhost/x?y"}"#,
            Some("callbackUrl is not local"),
        ),
        (
            r#"{"callbackUrl": "https://localhost/x"}"#,
            Some("callbackUrl is not local"),
        ),
        (r#"{"clientName": "  "}"#, Some("clientName is empty")),
        (
            r#"{"clientRegistration": "cimd", "callbackUrl": "http://127.0.0.1/callback"}"#,
            None,
        ),
        (r#"{"clientRegistration": "cimd"}"#, None),
        (
            r#"{"clientRegistration": "cimd", "callbackUrl": "http://[::1]/callback"}"#,
            Some("cimd needs /callback"),
        ),
        (
            r#"{"clientRegistration": "cimd", "clientId": "c"}"#,
            Some("cimd beside a client"),
        ),
        (
            r#"{"authServerMetadataUrl": "http://h/"}"#,
            Some("metadata URL is not https"),
        ),
        (r#"{"authServerMetadataUrl": "http://127.0.0.1/"}"#, None),
        (r#"{"unknown": 1}"#, None),
        ("null", Some("oauth is no object")),
    ] {
        let text = format!(r#"{{"url": "https://h/", "oauth": {oauth}}}"#);
        assert_eq!(short(&text).as_deref(), expected, "{oauth}");
    }
}

#[test]
fn names() {
    let table = r#"{"command": "x"}"#;
    let document = Document::parse(Arc::from(Utf8Path::new("/t")), table.as_bytes(), JSON).unwrap();
    for (name, fits) in [
        ("a-b_1", true),
        ("", false),
        ("a.b", false),
        ("\u{e9}", false),
        ("__proto__", true),
    ] {
        let refusal = check(name, Span::new(0, 1), document.root());
        assert_eq!(refusal.is_none(), fits, "{name}");
        assert!(refusal.is_none_or(|refusal| refusal.status == Status::Invalid));
    }
}

#[test]
fn what_the_model_can_reach() {
    let text = r#"{"command": "x", "exposure": "hidden", "toolExposure": {"a": "direct", "b*": "hidden"}, "disabled": true, "url2": 1}"#;
    let document = Document::parse(Arc::from(Utf8Path::new("/t")), text.as_bytes(), JSON).unwrap();
    let entry = read(&document, document.root());
    assert_eq!(entry.tools_only, Some(vec!["a".to_owned()]));
    assert_eq!(entry.tools_without, ["b*"]);
    let unread: Vec<_> = entry.unread.iter().map(|key| key.value.as_str()).collect();
    assert_eq!(unread, ["disabled", "url2"]);
}
