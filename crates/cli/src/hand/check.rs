//! Arguments held against a tool's schema before anything is sent.

use jsonschema::PatternOptions;
use jsonschema::error::ValidationErrorKind;
use muster_document::Shown;
use serde_json::Value;

use super::arguments::ArgumentError;
use super::bounds::bounded;
use super::similar::similar;
use super::wanted::Wanted;

/// Steps back that a pattern may take, and bytes that it may compile to.
const BACKTRACKS: usize = 10_000;
const PATTERN: usize = 1024 * 1024;
/// Values that are named where others are not allowed.
const NAMED: usize = 12;

/// What came of holding arguments against a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Checked {
    /// They fit.
    Fits,
    /// The schema cannot be used; why, as may be printed.
    Unchecked(String),
}

/// Holds `arguments` against `schema`. Nothing outside the schema is looked up.
pub(crate) fn check(schema: &Value, arguments: &Value) -> Result<Checked, ArgumentError> {
    if !schema.is_object() {
        return Ok(Checked::Unchecked("it is no schema".to_owned()));
    }
    if let Err(unbounded) = bounded(schema) {
        return Ok(Checked::Unchecked(unbounded.to_string()));
    }
    let patterns = PatternOptions::fancy_regex()
        .backtrack_limit(BACKTRACKS)
        .size_limit(PATTERN)
        .dfa_size_limit(PATTERN);
    let built = jsonschema::options()
        .offline()
        .with_pattern_options(patterns)
        .build(schema);
    let validator = match built {
        Ok(validator) => validator,
        Err(error) => {
            let place = Shown(error.instance_path().as_str()).to_string();
            let place = if place.is_empty() {
                "its root".to_owned()
            } else {
                place
            };
            return Ok(Checked::Unchecked(format!("it is malformed at {place}")));
        }
    };
    match validator.validate(arguments) {
        Ok(()) => Ok(Checked::Fits),
        Err(error) => match said(schema, &error) {
            Some(error) => Err(error),
            None => Ok(Checked::Unchecked(
                "a pattern in it is too costly".to_owned(),
            )),
        },
    }
}

/// What is wrong, without the value; `None` where the schema itself failed.
fn said(schema: &Value, error: &jsonschema::ValidationError<'_>) -> Option<ArgumentError> {
    let name = named(error.instance_path().as_str());
    let subject = match name.as_str() {
        "" => "the arguments".to_owned(),
        name => format!("`{name}`"),
    };
    let inner = |property: &str| match name.as_str() {
        "" => Shown(property).to_string(),
        name => format!("{name}.{}", Shown(property)),
    };
    let unfit = |text: String| Some(ArgumentError::Unfit(text));
    match error.kind() {
        ValidationErrorKind::BacktrackLimitExceeded { .. }
        | ValidationErrorKind::RegexEngineFailure { .. }
        | ValidationErrorKind::Referencing(_) => None,
        ValidationErrorKind::Required { property } => {
            let property = property.as_str().unwrap_or_default();
            unfit(format!("`{}` is missing", inner(property)))
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            let first = unexpected.first().map(String::as_str).unwrap_or_default();
            let known = Wanted::of(schema, schema).names().unwrap_or_default();
            Some(ArgumentError::Unknown {
                name: inner(first),
                similar: similar(first, known),
            })
        }
        ValidationErrorKind::Type { kind } => {
            use jsonschema::error::TypeKind;
            let kinds = match kind {
                TypeKind::Single(kind) => kind.to_string(),
                TypeKind::Multiple(kinds) => {
                    let kinds: Vec<String> = kinds.iter().map(|kind| kind.to_string()).collect();
                    kinds.join(" or ")
                }
            };
            let hint = match kinds.as_str() {
                "boolean" => ": true or false",
                "object" | "array" => ": write JSON behind `:=`",
                _ => "",
            };
            unfit(format!("{subject} must be of type {kinds}{hint}"))
        }
        ValidationErrorKind::Enum { options } => {
            let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
            unfit(format!("{subject} must be one of {}", listed(options)))
        }
        ValidationErrorKind::Constant { expected_value } => unfit(format!(
            "{subject} must be {}",
            Shown(&expected_value.to_string())
        )),
        ValidationErrorKind::AnyOf { .. } | ValidationErrorKind::OneOfNotValid { .. } => {
            unfit(format!("{subject} is none of what may be given"))
        }
        _ => {
            let told = error.masked_with(subject).to_string();
            unfit(Shown(&told).to_string())
        }
    }
}

/// `/filter/tags/0` as people write it: `filter.tags[0]`.
fn named(pointer: &str) -> String {
    let mut name = String::new();
    for part in pointer.split('/').skip(1) {
        let part = part.replace("~1", "/").replace("~0", "~");
        if part.bytes().all(|byte| byte.is_ascii_digit()) {
            name.push_str(&format!("[{part}]"));
        } else {
            if !name.is_empty() {
                name.push('.');
            }
            name.push_str(&Shown(&part).to_string());
        }
    }
    name
}

fn listed(values: &[Value]) -> String {
    let words = values.iter().take(NAMED).map(|value| match value {
        Value::String(word) => Shown(word).to_string(),
        other => Shown(&other.to_string()).to_string(),
    });
    let mut words: Vec<String> = words.collect();
    if values.len() > NAMED {
        words.push(format!("{} more", values.len() - NAMED));
    }
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema() -> Value {
        json!({
            "type": "object", "required": ["query"], "additionalProperties": false,
            "properties": {
                "query": {"type": "string", "minLength": 2},
                "limit": {"type": "integer", "minimum": 1},
                "kind": {"enum": ["a", "b"]},
                "deep": {"type": "boolean"},
                "filter": {"type": "object", "required": ["state"], "properties": {"state": {"type": "string"}}},
                "tags": {"type": "array", "items": {"type": "string"}},
                "when": {"type": "string", "pattern": "^[0-9]+$"},
                "some": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            },
        })
    }

    #[test]
    fn what_does_not_fit_is_named_and_not_quoted() {
        for (arguments, message) in [
            (json!({}), "`query` is missing"),
            (
                json!({"query": "hunter2", "limit": "hunter2"}),
                "`limit` must be of type integer",
            ),
            (
                json!({"query": "x"}),
                "`query` is shorter than 2 characters",
            ),
            (
                json!({"query": "xx", "limit": 0}),
                "`limit` is less than the minimum of 1",
            ),
            (
                json!({"query": "xx", "kind": "hunter2"}),
                "`kind` must be one of a, b",
            ),
            (
                json!({"query": "xx", "deep": "yes"}),
                "`deep` must be of type boolean: true or false",
            ),
            (
                json!({"query": "xx", "filter": {}}),
                "`filter.state` is missing",
            ),
            (
                json!({"query": "xx", "tags": ["a", 5]}),
                "`tags[1]` must be of type string",
            ),
            (
                json!({"query": "xx", "tags": "a"}),
                "`tags` must be of type array: write JSON behind `:=`",
            ),
            (
                json!({"query": "xx", "when": "hunter2"}),
                "`when` does not match \"^[0-9]+$\"",
            ),
            (
                json!({"query": "xx", "some": "hunter2"}),
                "`some` is none of what may be given",
            ),
            (
                json!({"query": "xx", "qurey": 1}),
                "there is no parameter `qurey`; did you mean query?",
            ),
            (
                json!([]),
                "the arguments must be of type object: write JSON behind `:=`",
            ),
        ] {
            let error = check(&schema(), &arguments).unwrap_err().to_string();
            assert_eq!(error, message, "{arguments}");
        }
        let fits = json!({"query": "xx", "limit": 1, "kind": "b", "filter": {"state": "x"}});
        assert_eq!(check(&schema(), &fits), Ok(Checked::Fits));
    }

    #[test]
    fn a_schema_that_cannot_be_used_is_said_and_stops_nothing() {
        for (schema, why) in [
            (json!(null), "it is no schema"),
            (json!({"$ref": "#"}), "it refers to itself in a circle"),
            (
                json!({"properties": {"a": {"$ref": "https://host.example/x"}}}),
                "it refers to another document",
            ),
            (json!({"type": "wat"}), "it is malformed at /type"),
            (
                json!({"properties": {"a": {"pattern": "("}}}),
                "it is malformed at /properties/a/pattern",
            ),
            (
                json!({"$ref": "#/$defs/none"}),
                "it is malformed at its root",
            ),
        ] {
            let checked = check(&schema, &json!({"a": "x"}));
            assert_eq!(checked, Ok(Checked::Unchecked(why.to_owned())), "{schema}");
        }
        let costly = json!({"properties": {"a": {"pattern": "^(a|a)*(?=b)c$"}}});
        let text = "a".repeat(5_000);
        let checked = check(&costly, &json!({"a": text}));
        assert_eq!(
            checked,
            Ok(Checked::Unchecked(
                "a pattern in it is too costly".to_owned()
            ))
        );
    }
}
