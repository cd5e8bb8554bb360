//! A server that says what it was given wherever it says anything, and one whose names are too long to be read.

use serde_json::{Value, json};

/// Characters of a name that is too long.
pub(crate) const HUGE: usize = 500_000;

/// What the kind `kind` answers to `method`; `None` where it is no server of these.
pub(crate) fn answer(kind: &str, method: &str) -> Option<Result<Value, Value>> {
    match kind {
        "echoes" => Some(echo(method, &crate::server::token())),
        "huge" => Some(huge(method)),
        _ => None,
    }
}

fn echo(method: &str, token: &str) -> Result<Value, Value> {
    let told = format!("It connects with the token {token} and nothing else.");
    Ok(match method {
        "initialize" => json!({
            "protocolVersion": "2025-11-25", "instructions": told,
            "serverInfo": {"name": format!("for {token}"), "version": token},
            "capabilities": {"tools": {}, "resources": {}, "prompts": {}},
        }),
        "tools/list" => json!({"tools": [
            {"name": "give", "description": told, "inputSchema": {
                "type": "object", "required": [token], "additionalProperties": false,
                "properties": {token: {"enum": [format!("as {token}")], "default": token, "description": told}},
            }},
            {"name": "choose", "inputSchema": {"type": "object", "properties": {
                "one": {"enum": [token, [token]]}, "only": {"const": token}, "like": {"type": "string", "pattern": token},
            }}},
            {"name": format!("query_as_{token}="), "inputSchema": {"type": "object"}},
        ]}),
        "prompts/list" => json!({"prompts": [
            {"name": "greet", "description": told, "arguments": [{"name": token, "required": true, "description": told}]},
        ]}),
        "resources/list" => json!({"resources": [
            {"uri": format!("x://{token}"), "name": token, "description": told},
        ]}),
        "resources/templates/list" => json!({"resourceTemplates": []}),
        _ => return Err(json!({"code": -32000, "message": told})),
    })
}

fn huge(method: &str) -> Result<Value, Value> {
    let name = &"n".repeat(HUGE);
    Ok(match method {
        "initialize" => json!({
            "protocolVersion": "2025-11-25", "serverInfo": {"name": name, "version": "1"},
            "capabilities": {"tools": {}, "prompts": {}},
        }),
        "tools/list" => json!({"tools": [
            {"name": name},
            {"name": "give", "inputSchema": {
                "type": "object", "required": [name], "properties": {name.as_str(): {}, "one": {"enum": [name, name]}},
            }},
        ]}),
        "prompts/list" => json!({"prompts": [{"name": name}]}),
        _ => return Err(json!({"code": -32000, "message": name})),
    })
}
