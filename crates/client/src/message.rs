//! JSON-RPC messages, read leniently: what a server really sent survives as it is.

use serde_json::{Map, Value};

/// The id of a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResponseId {
    /// A number of ours.
    Number(i64),
    /// The decimal text of a number of ours: wrong, and understood.
    Text(i64),
    /// Absent or `null`, which only an error may have.
    Absent,
    /// Nothing that was ever an id of ours; as JSON.
    Foreign(String),
}

/// An error as a server told it.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorObject {
    /// The code, where it is an integer.
    pub code: Option<i64>,
    /// The message, empty where there is none. Foreign text.
    pub message: String,
    /// What else it says.
    pub data: Option<Value>,
    /// The whole error as it was sent.
    pub raw: Value,
}

impl ErrorObject {
    /// -32700: what was sent is no JSON.
    pub const PARSE_ERROR: i64 = -32700;
    /// -32600: what was sent is no request.
    pub const INVALID_REQUEST: i64 = -32600;
    /// -32601: there is no such method.
    pub const METHOD_NOT_FOUND: i64 = -32601;
    /// -32602: the parameters are wrong; since 2026-07-28 also an unknown resource.
    pub const INVALID_PARAMS: i64 = -32602;
    /// -32603: the server failed by itself.
    pub const INTERNAL_ERROR: i64 = -32603;
    /// -32020: header fields and body say different things (2026-07-28).
    pub const HEADER_MISMATCH: i64 = -32020;
    /// -32021: the client lacks a capability (2026-07-28).
    pub const MISSING_CAPABILITY: i64 = -32021;
    /// -32022: the version is not supported (2026-07-28).
    pub const UNSUPPORTED_VERSION: i64 = -32022;
    /// -32042: a page must be visited first (2025-11-25).
    pub const URL_ELICITATION_REQUIRED: i64 = -32042;
    /// -32002: no such resource (up to 2025-11-25).
    pub const RESOURCE_NOT_FOUND: i64 = -32002;

    /// The error that `raw` tells. Total: a string is a message, anything else only raw.
    pub fn read(raw: Value) -> ErrorObject {
        let code = match raw.get("code") {
            Some(Value::Number(number)) => integer(number),
            _ => None,
        };
        let message = match (raw.get("message"), &raw) {
            (Some(Value::String(message)), _) | (_, Value::String(message)) => message.clone(),
            _ => String::new(),
        };
        let data = raw.get("data").cloned();
        ErrorObject {
            code,
            message,
            data,
            raw,
        }
    }

    /// Whether only a server of the modern era says so.
    pub fn is_modern(&self) -> bool {
        matches!(
            self.code,
            Some(Self::HEADER_MISMATCH | Self::MISSING_CAPABILITY | Self::UNSUPPORTED_VERSION)
        )
    }

    /// The versions that `data.supported` of [`ErrorObject::UNSUPPORTED_VERSION`] names.
    pub fn supported(&self) -> Vec<&str> {
        let supported = self.data.as_ref().and_then(|data| data.get("supported"));
        let versions = supported.and_then(Value::as_array);
        versions.map_or_else(Vec::new, |versions| {
            versions.iter().filter_map(Value::as_str).collect()
        })
    }
}

impl std::fmt::Display for ErrorObject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.code, self.message.as_str()) {
            (Some(code), "") => write!(f, "error {code}"),
            (Some(code), message) => write!(f, "error {code}: {message}"),
            (None, "") => f.write_str("an error without a message"),
            (None, message) => f.write_str(message),
        }
    }
}

/// One message of a server.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// It asks us.
    Request {
        /// Its id, a number or a string, to be sent back as it is.
        id: Value,
        /// What it asks.
        method: String,
        /// With what; `Null` where absent.
        params: Value,
    },
    /// It tells us.
    Notification {
        /// What it tells.
        method: String,
        /// With what; `Null` where absent.
        params: Value,
    },
    /// It answers.
    Response {
        /// What it answers to.
        id: ResponseId,
        /// The answer.
        outcome: Result<Value, ErrorObject>,
    },
}

/// What some bytes of a server turned out to be.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly every reading is a message, and lives briefly"
)]
pub enum Reading {
    /// A message.
    Message(Message),
    /// JSON-RPC with an id that is neither number nor string: passed over.
    OddId,
    /// No message at all.
    Noise,
}

/// Reads `bytes`: nothing of a blank text, one reading of an object, one for each element of a batch. Never fails; deep nesting
/// (over 128) is noise.
pub fn read(bytes: &[u8]) -> Vec<Reading> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let bytes = bytes.trim_ascii();
    if bytes.is_empty() {
        return Vec::new();
    }
    // Most noise is told by its first byte.
    if !matches!(bytes.first(), Some(b'{' | b'[')) {
        return vec![Reading::Noise];
    }
    match parse(bytes) {
        Some(Value::Array(batch)) if !batch.is_empty() => {
            batch.into_iter().map(read_value).collect()
        }
        Some(value) => vec![read_value(value)],
        None => vec![Reading::Noise],
    }
}

/// The JSON in `bytes`. Halves of surrogate pairs and bytes that are no UTF-8, which the parsers of many clients let pass, become
/// U+FFFD.
fn parse(bytes: &[u8]) -> Option<Value> {
    if let Ok(value) = serde_json::from_slice(bytes) {
        return Some(value);
    }
    let text = String::from_utf8_lossy(bytes);
    let whole = with_whole_surrogates(&text);
    serde_json::from_str(&whole).ok()
}

/// `text` with each escaped half of a surrogate pair that has no other half replaced.
fn with_whole_surrogates(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        whole.push_str(before);
        let taken = match (surrogate(escape), escape.get(6..).and_then(surrogate)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => {
                whole.push_str(escape.get(..12).unwrap_or(escape));
                12
            }
            (Some(_), _) => {
                whole.push_str("\\ufffd");
                6
            }
            // A backslash and what it escapes, which may be another one.
            (None, _) => {
                let length = 1 + escape.chars().nth(1).map_or(0, char::len_utf8);
                whole.push_str(escape.get(..length).unwrap_or(escape));
                length
            }
        };
        rest = escape.get(taken..).unwrap_or_default();
    }
    whole.push_str(rest);
    whole
}

/// The half of a surrogate pair that `text` begins with, escaped.
fn surrogate(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let unit = u32::from_str_radix(digits, 16).ok()?;
    (0xD800..=0xDFFF).contains(&unit).then_some(unit)
}

/// Reads one JSON value.
pub fn read_value(value: Value) -> Reading {
    let Value::Object(mut object) = value else {
        return Reading::Noise;
    };
    if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Reading::Noise;
    }
    match object.remove("method") {
        Some(Value::String(method)) => called(object, method),
        Some(_) => Reading::Noise,
        None => answered(object),
    }
}

fn called(mut object: Map<String, Value>, method: String) -> Reading {
    let params = object.remove("params").unwrap_or(Value::Null);
    let message = match object.remove("id") {
        None => Message::Notification { method, params },
        Some(id @ (Value::Number(_) | Value::String(_))) => Message::Request { id, method, params },
        Some(_) => return Reading::OddId,
    };
    Reading::Message(message)
}

fn answered(mut object: Map<String, Value>) -> Reading {
    let outcome = match (object.remove("result"), object.remove("error")) {
        (Some(result), None) => Ok(result),
        // `"error": null` beside a result says nothing.
        (Some(result), Some(Value::Null)) => Ok(result),
        (None | Some(Value::Null), Some(error)) if !error.is_null() => {
            Err(ErrorObject::read(error))
        }
        _ => return Reading::Noise,
    };
    let id = match object.remove("id") {
        None | Some(Value::Null) if outcome.is_err() => ResponseId::Absent,
        None => return Reading::Noise,
        Some(Value::Number(number)) => match integer(&number) {
            Some(number) => ResponseId::Number(number),
            None => ResponseId::Foreign(number.to_string()),
        },
        Some(Value::String(text)) => match text.parse() {
            Ok(number) => ResponseId::Text(number),
            Err(_) => ResponseId::Foreign(Value::String(text).to_string()),
        },
        Some(_) => return Reading::OddId,
    };
    Reading::Message(Message::Response { id, outcome })
}

/// The integer that `number` is, written `1` or `1.0`.
fn integer(number: &serde_json::Number) -> Option<i64> {
    if let Some(number) = number.as_i64() {
        return Some(number);
    }
    let float = number.as_f64()?;
    // Beyond 2^53 a float does not say which integer it means.
    (float.fract() == 0.0 && float.abs() < 9_007_199_254_740_992.0).then_some(float as i64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn result(line: &[u8]) -> Value {
        match read(line).as_slice() {
            [
                Reading::Message(Message::Response {
                    outcome: Ok(result),
                    ..
                }),
            ] => result.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn half_a_surrogate_pair_costs_one_character() {
        let line = br#"{"jsonrpc":"2.0","id":1,"result":["caf\ud83d end","\udc00\ud83d\ude00","\\ud83d","\ud83d\n"]}"#;
        let expected = json!([
            "caf\u{fffd} end",
            "\u{fffd}\u{1f600}",
            "\\ud83d",
            "\u{fffd}\n"
        ]);
        assert_eq!(result(line), expected);
    }

    #[test]
    fn a_byte_that_is_no_text_costs_one_character() {
        let line = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"a\xFFb\"}";
        assert_eq!(result(line), json!("a\u{fffd}b"));
    }

    #[test]
    fn what_is_no_json_stays_noise() {
        assert_eq!(
            read(br#"{"jsonrpc":"2.0","id":1,"result":"\ud83d"#),
            [Reading::Noise]
        );
        assert_eq!(read(b"{\\"), [Reading::Noise]);
        assert_eq!(read(b"{\\u"), [Reading::Noise]);
    }
}
