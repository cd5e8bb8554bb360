//! `x-mcp-header`: parameters of a tool that are said in header fields too (2026-07-28, custom headers from tool parameters).

use serde_json::{Map, Value};

use super::fields::encode;

/// The mark in a schema.
const MARK: &str = "x-mcp-header";
/// The largest integer that every JSON parser reads exactly.
const SAFE: i64 = 9_007_199_254_740_991;

/// The parameters of one tool that are mirrored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mirrors(Vec<Mirror>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Mirror {
    /// The part of the name after `Mcp-Param-`.
    name: String,
    /// The keys that lead to the value in the arguments.
    path: Vec<String>,
}

/// Why a tool cannot be offered over HTTP, or called with these arguments. Texts are foreign.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MirrorError {
    /// The mark is no text.
    #[error("x-mcp-header of {0} is no text")]
    NoText(String),
    /// The name is none of a header field.
    #[error("x-mcp-header of {path} is no name of a header: {name:?}")]
    Name {
        /// Where.
        path: String,
        /// The name.
        name: String,
    },
    /// Two marks have one name.
    #[error("two parameters have the x-mcp-header {0}")]
    Twice(String),
    /// The parameter is neither a text, nor an integer, nor a boolean.
    #[error("{0} has an x-mcp-header and is neither a string, an integer nor a boolean")]
    Type(String),
    /// It is where no fixed path of properties leads.
    #[error("an x-mcp-header stands where no path of properties leads: {0}")]
    Unreachable(String),
    /// An argument cannot be mirrored: an object, a fraction, an integer that is not exact everywhere.
    #[error("{0} cannot be said in a header")]
    Argument(String),
}

impl Mirrors {
    /// The mirrored parameters of a tool with the input schema `schema`. A tool with an error is not to be offered over HTTP in the
    /// modern era; over other transports the marks mean nothing.
    ///
    /// # Errors
    /// Where a mark is not as it must be.
    pub fn of(schema: &Value) -> Result<Mirrors, MirrorError> {
        let mut mirrors = Mirrors::default();
        if let Value::Object(root) = schema {
            if root.contains_key(MARK) {
                return Err(MirrorError::Unreachable("the schema itself".to_owned()));
            }
            mirrors.look(root, &mut Vec::new())?;
        }
        Ok(mirrors)
    }

    /// Whether nothing is mirrored.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The header fields, names and encoded values, that mirror `arguments`.
    ///
    /// # Errors
    /// Where an argument cannot be said so.
    pub fn fields(
        &self,
        arguments: &Map<String, Value>,
    ) -> Result<Vec<(String, String)>, MirrorError> {
        let mut fields = Vec::new();
        for Mirror { name, path } in &self.0 {
            let mut keys = path.iter();
            let first = keys.next().and_then(|key| arguments.get(key));
            let value = keys.fold(first, |value, key| value?.get(key));
            let text = match value {
                None | Some(Value::Null) => continue,
                Some(Value::String(text)) => encode(text),
                Some(Value::Bool(bool)) => bool.to_string(),
                Some(Value::Number(number)) => {
                    let integer = integer(number);
                    let integer = integer.ok_or_else(|| MirrorError::Argument(path.join(".")))?;
                    integer.to_string()
                }
                Some(_) => return Err(MirrorError::Argument(path.join("."))),
            };
            fields.push((format!("Mcp-Param-{name}"), text));
        }
        Ok(fields)
    }

    /// Looks through `schema`, to which `path` leads by properties alone.
    fn look(
        &mut self,
        schema: &Map<String, Value>,
        path: &mut Vec<String>,
    ) -> Result<(), MirrorError> {
        for (keyword, value) in schema {
            if keyword != "properties" {
                below(keyword, value)?;
                continue;
            }
            let Value::Object(properties) = value else {
                continue;
            };
            for (key, property) in properties {
                let Value::Object(property) = property else {
                    continue;
                };
                path.push(key.clone());
                if let Some(mark) = property.get(MARK) {
                    self.take(mark, property, path)?;
                }
                self.look(property, path)?;
                path.pop();
            }
        }
        Ok(())
    }

    fn take(
        &mut self,
        mark: &Value,
        property: &Map<String, Value>,
        path: &[String],
    ) -> Result<(), MirrorError> {
        let Value::String(name) = mark else {
            return Err(MirrorError::NoText(path.join(".")));
        };
        if name.is_empty() || !name.bytes().all(is_token) {
            return Err(MirrorError::Name {
                path: path.join("."),
                name: name.clone(),
            });
        }
        let known = |mirror: &Mirror| mirror.name.eq_ignore_ascii_case(name);
        if self.0.iter().any(known) {
            return Err(MirrorError::Twice(name.clone()));
        }
        let of = property.get("type").and_then(Value::as_str);
        if !matches!(of, Some("string" | "integer" | "boolean")) {
            return Err(MirrorError::Type(path.join(".")));
        }
        self.0.push(Mirror {
            name: name.clone(),
            path: path.to_vec(),
        });
        Ok(())
    }
}

/// Refuses marks in schemas below `keyword`, which leads away from the path of properties.
fn below(keyword: &str, value: &Value) -> Result<(), MirrorError> {
    match keyword {
        // Each member is a schema.
        "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions" => {
            let mut members = value.as_object().into_iter().flatten();
            members.try_for_each(|(_, schema)| refuse(keyword, schema))
        }
        // A schema, or several.
        "items"
        | "prefixItems"
        | "additionalItems"
        | "unevaluatedItems"
        | "contains"
        | "additionalProperties"
        | "unevaluatedProperties"
        | "propertyNames"
        | "contentSchema"
        | "allOf"
        | "anyOf"
        | "oneOf"
        | "not"
        | "if"
        | "then"
        | "else" => match value {
            Value::Array(schemas) => schemas
                .iter()
                .try_for_each(|schema| refuse(keyword, schema)),
            schema => refuse(keyword, schema),
        },
        // Anything else holds no schema: `default`, `enum`, `examples` may hold what looks like a mark.
        _ => Ok(()),
    }
}

fn refuse(keyword: &str, schema: &Value) -> Result<(), MirrorError> {
    let Value::Object(schema) = schema else {
        return Ok(());
    };
    if schema.contains_key(MARK) {
        return Err(MirrorError::Unreachable(keyword.to_owned()));
    }
    schema
        .iter()
        .try_for_each(|(keyword, value)| below(keyword, value))
}

/// What a header field may be called (RFC 9110, 5.6.2).
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

fn integer(number: &serde_json::Number) -> Option<i64> {
    let integer = match (number.as_i64(), number.as_f64()) {
        (Some(integer), _) => integer,
        (None, Some(float)) if float.fract() == 0.0 && float.abs() <= SAFE as f64 => float as i64,
        _ => return None,
    };
    (-SAFE..=SAFE).contains(&integer).then_some(integer)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn property(property: Value) -> Result<Mirrors, String> {
        schema(json!({"type": "object", "properties": {"p": property}}))
    }

    fn schema(schema: Value) -> Result<Mirrors, String> {
        Mirrors::of(&schema).map_err(|error| error.to_string())
    }

    #[test]
    fn marked_arguments_become_header_fields() {
        let mirrors = schema(json!({"type": "object", "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "query": {"type": "string"},
            "dry": {"type": "boolean", "x-mcp-header": "Dry-Run"},
            "options": {"type": "object", "properties": {
                "limit": {"type": "integer", "x-mcp-header": "Limit"},
                // A parameter of that name is no mark.
                "x-mcp-header": {"type": "string"},
            }},
            "absent": {"type": "string", "x-mcp-header": "Absent"},
            "null": {"type": "string", "x-mcp-header": "Null"},
        }}))
        .unwrap();
        let arguments = json!({
            "region": "zürich", "query": "x", "dry": false, "null": null,
            "options": {"limit": -7, "x-mcp-header": "y"},
        });
        let fields = mirrors.fields(arguments.as_object().unwrap()).unwrap();
        let mut fields: Vec<String> = fields
            .into_iter()
            .map(|(name, value)| format!("{name}: {value}"))
            .collect();
        fields.sort();
        assert_eq!(
            fields,
            [
                "Mcp-Param-Dry-Run: false",
                "Mcp-Param-Limit: -7",
                "Mcp-Param-Region: =?base64?esO8cmljaA==?="
            ]
        );
        assert!(schema(json!(true)).unwrap().is_empty());
        assert!(
            schema(json!({"properties": {"a": true}}))
                .unwrap()
                .is_empty()
        );
    }

    #[test]
    fn integers_are_exact_or_not_said_at_all() {
        let mirrors = property(json!({"type": "integer", "x-mcp-header": "N"})).unwrap();
        let said = |value: Value| {
            let fields = mirrors.fields(json!({"p": value}).as_object().unwrap());
            fields
                .map(|fields| fields[0].1.clone())
                .map_err(|error| error.to_string())
        };
        assert_eq!(said(json!(42)), Ok("42".to_owned()));
        assert_eq!(said(json!(42.0)), Ok("42".to_owned()));
        assert_eq!(said(json!(SAFE)), Ok(SAFE.to_string()));
        assert_eq!(said(json!(-SAFE)), Ok((-SAFE).to_string()));
        for odd in [
            json!(SAFE + 1),
            json!(1.5),
            json!(u64::MAX),
            json!(1e300),
            json!([1]),
            json!({}),
        ] {
            assert_eq!(
                said(odd.clone()),
                Err("p cannot be said in a header".to_owned()),
                "{odd}"
            );
        }
    }

    #[test]
    fn a_mark_that_is_not_as_it_must_be_costs_the_tool() {
        for name in [
            "",
            "My Region",
            "Region:Primary",
            "Région",
            "Region\t1",
            "a\r\nb",
            "a/b",
        ] {
            let error = property(json!({"type": "string", "x-mcp-header": name})).unwrap_err();
            let expected = format!("x-mcp-header of p is no name of a header: {name:?}");
            assert_eq!(error, expected);
        }
        for of in [
            json!("object"),
            json!("array"),
            json!("null"),
            json!("number"),
            Value::Null,
        ] {
            let error = property(json!({"type": of, "x-mcp-header": "X"})).unwrap_err();
            let expected =
                "p has an x-mcp-header and is neither a string, an integer nor a boolean";
            assert_eq!(error, expected, "{of}");
        }
        let error = property(json!({"type": "string", "x-mcp-header": 1})).unwrap_err();
        assert_eq!(error, "x-mcp-header of p is no text");
        let twice = json!({"properties": {
            "a": {"type": "string", "x-mcp-header": "MyField"},
            "b": {"properties": {"c": {"type": "string", "x-mcp-header": "myfield"}}},
        }});
        let error = schema(twice).unwrap_err();
        assert!(
            error.starts_with("two parameters have the x-mcp-header "),
            "{error}"
        );
    }

    #[test]
    fn a_mark_off_the_path_of_properties_costs_the_tool() {
        let marked = json!({"type": "string", "x-mcp-header": "X"});
        let inside = json!({"properties": {"deep": marked}});
        for keyword in [
            "items",
            "not",
            "if",
            "then",
            "else",
            "additionalProperties",
            "contains",
        ] {
            for below in [&marked, &inside] {
                let error = property(json!({"type": "object", (keyword): below})).unwrap_err();
                let named = if below == &marked {
                    keyword
                } else {
                    "properties"
                };
                let expected =
                    format!("an x-mcp-header stands where no path of properties leads: {named}");
                assert_eq!(error, expected, "{keyword}");
            }
        }
        for keyword in ["oneOf", "anyOf", "allOf", "prefixItems", "items"] {
            assert!(schema(json!({(keyword): [marked]})).is_err(), "{keyword}");
        }
        for keyword in [
            "$defs",
            "definitions",
            "patternProperties",
            "dependentSchemas",
        ] {
            assert!(
                schema(json!({(keyword): {"d": marked}})).is_err(),
                "{keyword}"
            );
        }
        assert!(schema(marked.clone()).is_err());
        // What is no schema may look as it likes.
        for keyword in ["default", "examples", "enum", "const", "x-vendor"] {
            assert!(schema(json!({(keyword): marked})).is_ok(), "{keyword}");
        }
    }
}
