//! A JSON Schema read into a shape.

use serde_json::{Map, Value};

use super::shape::{Member, Shape};
use super::text;

/// Objects inside objects that are shown.
const DEPTH: usize = 6;
/// Shapes that one schema may give: what is beyond nobody reads.
const SHAPES: usize = 2_000;
/// Values of one enumeration that are shown.
const VALUES: usize = 24;
/// Characters of a value that are shown.
const LITERAL: usize = 48;

/// Reads one schema.
pub(super) struct Reader<'s> {
    root: &'s Value,
    /// References that are being followed.
    open: Vec<&'s str>,
    /// Shapes that may still be made.
    left: usize,
    depth: usize,
}

impl<'s> Reader<'s> {
    pub(super) fn new(root: &'s Value) -> Reader<'s> {
        Reader {
            root,
            open: Vec::new(),
            left: SHAPES,
            depth: 0,
        }
    }

    pub(super) fn shape(&mut self) -> Shape {
        self.read(self.root)
    }

    fn read(&mut self, schema: &'s Value) -> Shape {
        if self.left == 0 || self.depth > DEPTH * 2 {
            return Shape::Cut;
        }
        self.left -= 1;
        self.depth += 1;
        let shape = match schema {
            Value::Bool(false) => Shape::Never,
            Value::Object(object) => self.object(object),
            _ => Shape::Any,
        };
        self.depth -= 1;
        shape
    }

    fn object(&mut self, schema: &'s Map<String, Value>) -> Shape {
        let own = self.own(schema);
        let mut parts = vec![own];
        if let Some(Value::String(reference)) = schema.get("$ref") {
            parts.push(self.referred(reference));
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(Value::Array(choices)) = schema.get(key) {
                let shapes: Vec<Shape> = choices.iter().map(|choice| self.read(choice)).collect();
                // Choices that only say which members are required tell nothing about types.
                if !shapes.contains(&Shape::Any) {
                    parts.push(Shape::one_of(shapes));
                }
            }
        }
        if let Some(Value::Array(all)) = schema.get("allOf") {
            parts.extend(all.iter().map(|part| self.read(part)).collect::<Vec<_>>());
        }
        let shape = Shape::all_of(parts);
        match schema.get("nullable") {
            Some(Value::Bool(true)) => Shape::one_of([shape, Shape::Word("null")]),
            _ => shape,
        }
    }

    /// What the schema says by itself, without its references and combinations.
    fn own(&mut self, schema: &'s Map<String, Value>) -> Shape {
        if let Some(value) = schema.get("const") {
            return literal(value);
        }
        if let Some(Value::Array(values)) = schema.get("enum") {
            let more = (values.len() > VALUES).then_some(Shape::Cut);
            let values = values.iter().take(VALUES).map(literal);
            return Shape::one_of(values.chain(more));
        }
        match schema.get("type") {
            Some(Value::String(kind)) => self.typed(kind, schema),
            Some(Value::Array(kinds)) => {
                let kinds: Vec<&str> = kinds.iter().filter_map(Value::as_str).collect();
                Shape::one_of(
                    kinds
                        .into_iter()
                        .map(|kind| self.typed(kind, schema))
                        .collect::<Vec<_>>(),
                )
            }
            _ if schema.contains_key("properties") => self.typed("object", schema),
            _ if schema.contains_key("items") || schema.contains_key("prefixItems") => {
                self.typed("array", schema)
            }
            _ => Shape::Any,
        }
    }

    fn typed(&mut self, kind: &str, schema: &'s Map<String, Value>) -> Shape {
        match kind {
            "string" => Shape::Word("string"),
            "number" => Shape::Word("number"),
            "integer" => Shape::Word("integer"),
            "boolean" => Shape::Word("boolean"),
            "null" => Shape::Word("null"),
            "array" => self.list(schema),
            "object" => self.members(schema),
            _ => Shape::Any,
        }
    }

    fn list(&mut self, schema: &'s Map<String, Value>) -> Shape {
        // Before 2020-12 a tuple was written as a list of `items`.
        let tuple = schema.get("prefixItems").or_else(|| schema.get("items"));
        if let Some(Value::Array(items)) = tuple {
            return Shape::Tuple(items.iter().map(|item| self.read(item)).collect());
        }
        let items = schema.get("items");
        let item = items.map_or(Shape::Any, |items| self.read(items));
        Shape::List(Box::new(item))
    }

    fn members(&mut self, schema: &'s Map<String, Value>) -> Shape {
        let properties = schema.get("properties").and_then(Value::as_object);
        let Some(properties) = properties.filter(|properties| !properties.is_empty()) else {
            return match schema.get("additionalProperties") {
                Some(values @ Value::Object(_)) => Shape::Record(Box::new(self.read(values))),
                _ => Shape::Word("object"),
            };
        };
        let required = schema.get("required").and_then(Value::as_array);
        let is_required = |name: &str| {
            required.is_some_and(|required| required.iter().any(|word| word.as_str() == Some(name)))
        };
        let mut members: Vec<Member> = Vec::new();
        for (name, property) in properties {
            if self.left == 0 {
                break;
            }
            members.push(Member {
                name: name.clone(),
                shape: self.read(property),
                optional: !is_required(name),
                default: property.get("default").map(short),
                description: text(property, "description"),
            });
        }
        // What must be given is read first, each group in the order of the server.
        members.sort_by_key(|member| member.optional);
        Shape::Object(members)
    }

    fn referred(&mut self, reference: &'s str) -> Shape {
        let name = reference.rsplit('/').next().unwrap_or_default();
        if self.open.contains(&reference) {
            return match name {
                "#" | "" => Shape::Word("object"),
                name => Shape::Named(name.to_owned()),
            };
        }
        // Nothing outside the schema is ever looked up.
        let Some(pointer) = reference.strip_prefix('#') else {
            return Shape::Any;
        };
        let Some(target) = self.root.pointer(pointer) else {
            return Shape::Any;
        };
        self.open.push(reference);
        let shape = self.read(target);
        self.open.pop();
        shape
    }
}

fn literal(value: &Value) -> Shape {
    match value {
        Value::Null => Shape::Word("null"),
        other => Shape::Literal(short(other)),
    }
}

/// `value` as JSON, cut where it is long.
fn short(value: &Value) -> String {
    let text = match value {
        Value::Array(items) if items.len() > 8 => "[…]".to_owned(),
        Value::Object(members) if members.len() > 4 => "{…}".to_owned(),
        other => other.to_string(),
    };
    match text.char_indices().nth(LITERAL) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text,
    }
}
