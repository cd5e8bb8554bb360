//! Whether a foreign JSON Schema can be checked against without harm: a validator follows it recursively, and there are schemas that
//! refer to themselves without ever coming to a smaller value, or whose choices multiply.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// Levels of a schema.
const DEPTH: usize = 64;
/// Parts of a schema.
const PARTS: usize = 50_000;
/// Parts that one value may have to be held against.
const CHOICES: u64 = 20_000;

/// Keywords whose schemas speak of the same value.
const IN_PLACE: [&str; 8] = [
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
];

/// Why a schema is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unbounded {
    /// It is too deep.
    #[error("it is too deep")]
    Deep,
    /// It is too large.
    #[error("it is too large")]
    Large,
    /// It refers to itself in a circle.
    #[error("it refers to itself in a circle")]
    Circle,
    /// It has too many choices.
    #[error("it has too many choices")]
    Choices,
    /// It refers to what lies outside of it.
    #[error("it refers to another document")]
    Outside,
}

/// Whether `schema` can be used.
///
/// # Errors
/// Where it cannot; why.
pub(crate) fn bounded(schema: &Value) -> Result<(), Unbounded> {
    let mut parts = Vec::new();
    gather(schema, 0, &mut parts)?;
    let mut weighing = Weighing {
        root: schema,
        known: HashMap::new(),
    };
    for part in parts {
        if weighing.weigh(part, 0)? > CHOICES {
            return Err(Unbounded::Choices);
        }
    }
    Ok(())
}

/// Every object in `value`, be it a schema or not.
fn gather<'v>(
    value: &'v Value,
    depth: usize,
    parts: &mut Vec<&'v Map<String, Value>>,
) -> Result<(), Unbounded> {
    if depth > DEPTH {
        return Err(Unbounded::Deep);
    }
    match value {
        Value::Array(items) => items
            .iter()
            .try_for_each(|item| gather(item, depth + 1, parts)),
        Value::Object(object) => {
            if parts.len() >= PARTS {
                return Err(Unbounded::Large);
            }
            for key in ["$ref", "$dynamicRef", "$recursiveRef"] {
                if let Some(Value::String(reference)) = object.get(key)
                    && !reference.starts_with('#')
                {
                    return Err(Unbounded::Outside);
                }
            }
            parts.push(object);
            object
                .values()
                .try_for_each(|value| gather(value, depth + 1, parts))
        }
        _ => Ok(()),
    }
}

struct Weighing<'s> {
    root: &'s Value,
    /// What parts weigh; `None` while that is being found out.
    known: HashMap<*const Map<String, Value>, Option<u64>>,
}

impl<'s> Weighing<'s> {
    /// How many parts a value may be held against for `part` alone.
    fn weigh(&mut self, part: &'s Map<String, Value>, depth: usize) -> Result<u64, Unbounded> {
        let key = std::ptr::from_ref(part);
        match self.known.get(&key) {
            Some(Some(weight)) => return Ok(*weight),
            Some(None) => return Err(Unbounded::Circle),
            None => {}
        }
        // References make it deeper than it is written.
        if depth > DEPTH * 8 {
            return Err(Unbounded::Deep);
        }
        self.known.insert(key, None);
        let mut weight: u64 = 1;
        let target = ["$ref", "$dynamicRef", "$recursiveRef"]
            .iter()
            .filter_map(|key| part.get(*key)?.as_str()?.strip_prefix('#'))
            .filter_map(|pointer| self.root.pointer(pointer));
        let targets: Vec<&Value> = target.collect();
        let below = IN_PLACE.iter().filter_map(|key| part.get(*key));
        for below in below.chain(targets) {
            let several: Vec<&Value> = match below {
                Value::Array(items) => items.iter().collect(),
                // `dependentSchemas` is an object of schemas; to count it as one too is harmless.
                Value::Object(object) => std::iter::once(below).chain(object.values()).collect(),
                _ => Vec::new(),
            };
            for one in several {
                if let Value::Object(object) = one {
                    weight = weight.saturating_add(self.weigh_or_known(object, depth)?);
                }
            }
        }
        self.known.insert(key, Some(weight));
        Ok(weight)
    }

    fn weigh_or_known(
        &mut self,
        part: &'s Map<String, Value>,
        depth: usize,
    ) -> Result<u64, Unbounded> {
        self.weigh(part, depth + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn honest_schemas_are_used() {
        for schema in [
            json!({}),
            json!(true),
            json!({"type": "object", "properties": {"a": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/N"}]}},
                "$defs": {"N": {"type": "object", "properties": {"next": {"$ref": "#/$defs/N"}}}}}),
            json!({"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#"}}}}),
        ] {
            assert_eq!(bounded(&schema), Ok(()), "{schema}");
        }
    }

    #[test]
    fn schemas_that_could_do_harm_are_not() {
        assert_eq!(bounded(&json!({"$ref": "#"})), Err(Unbounded::Circle));
        assert_eq!(
            bounded(
                &json!({"anyOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"allOf": [{"$ref": "#"}]}}})
            ),
            Err(Unbounded::Circle)
        );
        for reference in [
            "https://host.example/s",
            "file:///etc/passwd",
            "other.json#/x",
        ] {
            let schema = json!({"properties": {"a": {"$ref": reference}}});
            assert_eq!(bounded(&schema), Err(Unbounded::Outside));
        }
        let mut definitions = Map::new();
        for level in 0..40 {
            let next = json!({"$ref": format!("#/$defs/d{}", level + 1)});
            definitions.insert(format!("d{level}"), json!({"anyOf": [next.clone(), next]}));
        }
        let schema = json!({"properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": definitions});
        assert_eq!(bounded(&schema), Err(Unbounded::Choices));
        let mut deep = json!({});
        for _ in 0..100 {
            deep = json!({"not": deep});
        }
        assert_eq!(bounded(&deep), Err(Unbounded::Deep));
        let many: Vec<Value> = (0..60_000).map(|_| json!({})).collect();
        assert_eq!(bounded(&json!({"x": many})), Err(Unbounded::Large));
    }
}
