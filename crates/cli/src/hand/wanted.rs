//! What a JSON Schema wants of a value, as far as that decides how text is read. References are followed inside the schema alone.

use serde_json::{Map, Value};

/// References and combinations that are followed.
const DEPTH: usize = 16;
/// Parts of a schema that are looked at.
const PARTS: usize = 1_000;

/// Parts of a schema that all speak of one value.
#[derive(Debug, Default)]
pub(crate) struct Wanted<'s> {
    parts: Vec<&'s Map<String, Value>>,
}

impl<'s> Wanted<'s> {
    /// What `schema`, a part of `root`, wants.
    pub(crate) fn of(root: &'s Value, schema: &'s Value) -> Wanted<'s> {
        let mut wanted = Wanted::default();
        wanted.gather(root, schema, 0);
        wanted
    }

    fn gather(&mut self, root: &'s Value, schema: &'s Value, depth: usize) {
        let Value::Object(part) = schema else {
            return;
        };
        if depth > DEPTH || self.parts.len() >= PARTS {
            return;
        }
        self.parts.push(part);
        if let Some(Value::String(reference)) = part.get("$ref")
            && let Some(target) = reference
                .strip_prefix('#')
                .and_then(|pointer| root.pointer(pointer))
        {
            self.gather(root, target, depth + 1);
        }
        for key in ["anyOf", "oneOf", "allOf"] {
            let several = part.get(key).and_then(Value::as_array);
            for one in several.into_iter().flatten() {
                self.gather(root, one, depth + 1);
            }
        }
    }

    /// Whether a value of the kind `kind` is spoken of.
    pub(crate) fn takes(&self, kind: &str) -> bool {
        self.parts.iter().any(|part| match part.get("type") {
            Some(Value::String(word)) => word == kind,
            Some(Value::Array(words)) => words.iter().any(|word| word == kind),
            _ => match kind {
                "object" => part.contains_key("properties"),
                "array" => part.contains_key("items") || part.contains_key("prefixItems"),
                "null" => part.get("nullable") == Some(&Value::Bool(true)),
                _ => false,
            },
        })
    }

    /// Whether nothing is said of the kinds that it takes.
    pub(crate) fn takes_anything(&self) -> bool {
        let kinds = [
            "string", "number", "integer", "boolean", "null", "array", "object",
        ];
        !kinds.iter().any(|kind| self.takes(kind)) && self.values().next().is_none()
    }

    /// The very values that are allowed.
    pub(crate) fn values(&self) -> impl Iterator<Item = &'s Value> {
        self.parts.iter().flat_map(|part| {
            let several = part.get("enum").and_then(Value::as_array);
            several.into_iter().flatten().chain(part.get("const"))
        })
    }

    /// The schema of what a list holds.
    pub(crate) fn item(&self) -> Option<&'s Value> {
        self.parts.iter().find_map(|part| part.get("items"))
    }

    /// The schema of the member `name`.
    pub(crate) fn member(&self, name: &str) -> Option<&'s Value> {
        let mut properties = self.parts.iter();
        let named = properties.find_map(|part| part.get("properties")?.get(name));
        named.or_else(|| {
            let mut parts = self.parts.iter();
            parts.find_map(|part| {
                part.get("additionalProperties")
                    .filter(|one| one.is_object())
            })
        })
    }

    /// The names of all members that are described; `None` where there may be others, or nothing is said of members.
    pub(crate) fn names(&self) -> Option<Vec<&'s str>> {
        let open = self.parts.iter().any(|part| {
            let more = part.get("additionalProperties");
            more.is_some_and(|more| *more != Value::Bool(false))
                || part.contains_key("patternProperties")
                || part.contains_key("unevaluatedProperties")
        });
        if open {
            return None;
        }
        let described = self
            .parts
            .iter()
            .filter_map(|part| part.get("properties")?.as_object());
        let mut any = false;
        let mut names: Vec<&str> = Vec::new();
        for properties in described {
            any = true;
            for name in properties.keys() {
                if !names.contains(&name.as_str()) {
                    names.push(name);
                }
            }
        }
        any.then_some(names)
    }
}
