//! Header fields: those that a user configured, and those of the protocol.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use muster_document::Secret;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use crate::{Era, Outgoing, Version};

/// The revision of a message (since 2025-06-18).
pub(super) const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
/// The session of the legacy era.
pub(super) const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
/// Where to go on in a stream of the legacy era.
pub(super) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");
/// What header fields that mirror parameters begin with.
const PARAM: &str = "mcp-param-";

/// Fields that say how a message is sent, which are not for a user to say.
const OWN: &[&str] = &[
    "accept",
    "accept-encoding",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "expect",
    "host",
    "keep-alive",
    "last-event-id",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// What is wrong with a configured header.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// It is called something that no header field may be called. Foreign text.
    #[error("{0:?} is no name of a header")]
    Name(String),
    /// Its value holds a line break, or another character that cannot be sent. The value is not told.
    #[error("the value of the header {0} cannot be sent")]
    Value(String),
}

/// The header fields that a user configured, and the names of those that are left out because they are the protocol's own.
pub(crate) fn configured(
    headers: &[(String, Secret)],
) -> Result<(HeaderMap, Vec<String>), FieldError> {
    let mut fields = HeaderMap::new();
    let mut left_out = Vec::new();
    for (name, value) in headers {
        let parsed = HeaderName::from_bytes(name.as_bytes());
        let field = parsed.map_err(|_| FieldError::Name(name.clone()))?;
        let value = HeaderValue::from_bytes(value.expose().trim().as_bytes());
        let mut value = value.map_err(|_| FieldError::Value(name.clone()))?;
        value.set_sensitive(true);
        match is_own(field.as_str()) {
            true => left_out.push(name.clone()),
            // A name may be written twice in different cases: the later counts.
            false => _ = fields.insert(field, value),
        }
    }
    Ok((fields, left_out))
}

/// Whether the field `name`, in lower case, is the protocol's own.
fn is_own(name: &str) -> bool {
    OWN.contains(&name) || name.starts_with("mcp-") || name.starts_with("sec-websocket-")
}

/// Puts the fields of the protocol that `message` has in the era of its version.
pub(super) fn of_message(message: &Outgoing, agreed: Option<&str>, fields: &mut HeaderMap) {
    let text = match message.version.map(Version::as_str) {
        // Nothing is agreed on before `initialize` is answered.
        _ if message.method == "initialize" => None,
        // A revision that Muster does not know is said as the server wrote it.
        Some(version) if modern(message) => Some(version),
        said => agreed.or(said),
    };
    if let Some(value) = text.and_then(|text| HeaderValue::from_str(text).ok()) {
        fields.insert(PROTOCOL_VERSION, value);
    }
    if !modern(message) {
        return;
    }
    if let Ok(method) = HeaderValue::from_str(&encode(&message.method)) {
        fields.insert(METHOD, method);
    }
    if let Some(name) = name(message).and_then(|name| HeaderValue::from_str(&encode(name)).ok()) {
        fields.insert(NAME, name);
    }
    for (name, value) in &message.mirrored {
        let name = HeaderName::from_bytes(name.as_bytes());
        if let (Ok(name), Ok(value)) = (name, HeaderValue::from_str(value))
            && name.as_str().starts_with(PARAM)
        {
            fields.insert(name, value);
        }
    }
}

/// Whether `message` is said in the modern era.
pub(super) fn modern(message: &Outgoing) -> bool {
    message
        .version
        .is_some_and(|version| version.era() == Era::Modern)
}

/// What the request is about, where intermediaries are told (2026-07-28, standard request headers).
fn name(message: &Outgoing) -> Option<&str> {
    let field = match message.method.as_str() {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        _ => return None,
    };
    let params = message.body.get("params")?;
    params.get(field).and_then(Value::as_str)
}

/// `value` as a header field holds it (2026-07-28, value encoding): as it is where that is visible ASCII, else in Base64 between marks.
pub fn encode(value: &str) -> String {
    let plain = |byte: u8| matches!(byte, b'\t' | b' '..=b'~');
    let blank = |byte: Option<&u8>| matches!(byte, Some(b' ' | b'\t'));
    let bytes = value.as_bytes();
    let marked = value.starts_with("=?base64?") && value.ends_with("?=");
    let padded = blank(bytes.first()) || blank(bytes.last());
    match bytes.iter().copied().all(plain) && !padded && !marked {
        true => value.to_owned(),
        false => format!("=?base64?{}?=", BASE64_STANDARD.encode(value)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_encoded_as_the_specification_shows() {
        // The table of 2026-07-28, value encoding, and what the words around it say.
        let expected = [
            ("us-west1", "us-west1"),
            ("", ""),
            ("us west 1", "us west 1"),
            ("a\tb", "a\tb"),
            ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
            (" padded ", "=?base64?IHBhZGRlZCA=?="),
            ("\tindented", "=?base64?CWluZGVudGVk?="),
            ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
            ("line1\r\nline2", "=?base64?bGluZTENCmxpbmUy?="),
            ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
            ("=?base64?", "=?base64?"),
            ("\u{7f}", "=?base64?fw==?="),
        ];
        for (value, encoded) in expected {
            assert_eq!(encode(value), encoded, "{value:?}");
        }
    }

    #[test]
    fn configured_headers_do_not_speak_for_the_protocol() {
        let header = |name: &str, value: &str| (name.to_owned(), Secret::new(value));
        let headers = [
            header("Authorization", "Bearer x"),
            header("Accept", "text/plain"),
            header("MCP-Protocol-Version", "1"),
            header("mcp-param-region", "x"),
            header("Transfer-Encoding", "chunked"),
            header("X-Key", "one"),
            header("x-key", "two"),
        ];
        let (fields, left_out) = configured(&headers).unwrap();
        assert_eq!(
            left_out,
            [
                "Accept",
                "MCP-Protocol-Version",
                "mcp-param-region",
                "Transfer-Encoding"
            ]
        );
        assert_eq!(fields.len(), 2);
        assert_eq!(fields["x-key"], "two");
        assert!(fields["authorization"].is_sensitive());
    }

    #[test]
    fn a_configured_header_cannot_be_split_and_its_value_is_not_told() {
        let error = |name: &str, value: &str| {
            let headers = [(name.to_owned(), Secret::new(value))];
            configured(&headers).unwrap_err().to_string()
        };
        for value in ["hunter2\r\nX: y", "hunter2\ny", "hunter2\0"] {
            assert_eq!(
                error("X-Key", value),
                "the value of the header X-Key cannot be sent"
            );
        }
        assert_eq!(error("X Key", "v"), "\"X Key\" is no name of a header");
        assert_eq!(error("X\r\nY", "v"), "\"X\\r\\nY\" is no name of a header");
    }

    #[test]
    fn a_message_carries_the_fields_of_its_era() {
        let mut message = Outgoing {
            id: Some(1),
            method: "tools/call".to_owned(),
            body: json!({"params": {"name": "grüß", "uri": "no"}}),
            version: Some(Version::MODERN),
            mirrored: vec![
                ("Mcp-Param-Region".to_owned(), "eu".to_owned()),
                ("Host".to_owned(), "elsewhere".to_owned()),
            ],
            lists: false,
        };
        let fields = |message: &Outgoing, agreed: Option<&str>| {
            let mut fields = HeaderMap::new();
            of_message(message, agreed, &mut fields);
            let mut fields: Vec<String> = fields
                .iter()
                .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
                .collect();
            fields.sort();
            fields
        };
        assert_eq!(
            fields(&message, None),
            [
                "mcp-method: tools/call",
                "mcp-name: =?base64?Z3LDvMOf?=",
                "mcp-param-region: eu",
                "mcp-protocol-version: 2026-07-28"
            ]
        );
        message.method = "resources/read".to_owned();
        assert!(fields(&message, None).contains(&"mcp-name: no".to_owned()));
        message.version = Some(Version::V2025_06_18);
        assert_eq!(fields(&message, None), ["mcp-protocol-version: 2025-06-18"]);
        let unknown = fields(&message, Some("2099-01-01"));
        assert_eq!(unknown, ["mcp-protocol-version: 2099-01-01"]);
        message.method = "initialize".to_owned();
        assert_eq!(fields(&message, None), Vec::<String>::new());
    }
}
