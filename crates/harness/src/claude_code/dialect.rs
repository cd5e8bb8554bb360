//! What Claude Code's parsers accept, and JavaScript's idea of values.

use muster_document::{Dialect, JsonDialect, Node, Value};

/// `.mcp.json` of folders, the state file, `plugin.json`: JSON with a byte order mark allowed.
pub(super) const JSON: Dialect = Dialect::Json(JsonDialect::JSON_PARSE.with_bom());

/// Settings files: also UTF-16LE with a byte order mark.
pub(super) const SETTINGS: Dialect =
    Dialect::Json(JsonDialect::JSON_PARSE.with_bom().with_utf16le());

/// A plugin's `.mcp.json` and `installed_plugins.json`: a byte order mark loses the file.
pub(super) const PLUGIN_JSON: Dialect = Dialect::Json(JsonDialect::JSON_PARSE);

/// The largest `.mcp.json` that is read, in bytes.
pub(super) const PROJECT_FILE_LIMIT: u64 = 2_097_152;

/// What JavaScript calls the type of a value; its words for an absent one is `undefined`.
pub(super) fn type_word(node: Option<&Node>) -> &'static str {
    match node.map(|node| &node.value) {
        None => "undefined",
        Some(Value::Null) => "null",
        Some(Value::Bool(_)) => "boolean",
        Some(Value::Number(number)) if number.as_f64().is_infinite() => "Infinity",
        Some(Value::Number(_)) => "number",
        Some(Value::String(_) | Value::Datetime(_)) => "string",
        Some(Value::Array(_)) => "array",
        Some(Value::Table(_)) => "object",
    }
}

/// Whether JavaScript takes a value for true.
pub(super) fn truthy(node: &Node) -> bool {
    match &node.value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != 0.0 && !number.as_f64().is_nan(),
        Value::String(text) => !text.is_empty(),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => true,
    }
}
