//! Every text that a model may be told of something, and where it stands.

use std::rc::Rc;

use serde_json::Value;

/// A text of something that a server offers. Foreign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text<'t> {
    /// What it is there.
    pub(crate) part: Part,
    /// The parameter it belongs to, with those around it: `filter.name`. Foreign.
    pub(crate) parameter: Option<Rc<str>>,
    /// It stands in the output schema.
    pub(crate) output: bool,
    /// What it says.
    pub(crate) words: &'t str,
}

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Part {
    /// The name of the thing, or of its parameter.
    Name,
    /// The name for people.
    Title,
    /// The description.
    Description,
    /// How a server wants to be used.
    Instructions,
    /// One of the values that a parameter may have.
    Choice,
    /// The value that a parameter has where none is given.
    Default,
    /// An example of a value.
    Example,
    /// An address.
    Address,
    /// Something in the annotations.
    Annotation,
    /// Something that is for programs: `_meta`, `icons`.
    Aside,
    /// Anything else, key or value.
    Word,
}

impl Part {
    /// What it is called.
    #[allow(dead_code, reason = "for checks to come")]
    pub(crate) fn phrase(self) -> &'static str {
        match self {
            Part::Name => "name",
            Part::Title => "title",
            Part::Description => "description",
            Part::Instructions => "instructions",
            Part::Choice => "values",
            Part::Default => "default",
            Part::Example => "examples",
            Part::Address => "address",
            Part::Annotation => "annotations",
            Part::Aside => "data for programs",
            Part::Word => "schema",
        }
    }
}

/// Words of JSON Schema: as keys they tell a model nothing.
const KEYWORDS: &[&str] = &[
    "$anchor",
    "$comment",
    "$defs",
    "$dynamicAnchor",
    "$dynamicRef",
    "$id",
    "$ref",
    "$schema",
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contains",
    "contentEncoding",
    "contentMediaType",
    "default",
    "definitions",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "deprecated",
    "description",
    "else",
    "enum",
    "example",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "if",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "nullable",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "readOnly",
    "required",
    "then",
    "title",
    "type",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
    "writeOnly",
];

/// Texts as they are gathered.
#[derive(Default)]
pub(crate) struct Texts<'t> {
    output: bool,
    found: Vec<Text<'t>>,
}

impl<'t> Texts<'t> {
    /// Those of a tool, a prompt or a resource: its name, title and description first.
    pub(crate) fn of_item(value: &'t Value) -> Vec<Text<'t>> {
        let mut texts = Texts::default();
        let Some(object) = value.as_object() else {
            return Vec::new();
        };
        let first = [
            ("name", Part::Name),
            ("title", Part::Title),
            ("description", Part::Description),
            ("uri", Part::Address),
            ("uriTemplate", Part::Address),
        ];
        for (key, part) in first {
            if let Some(value) = object.get(key) {
                texts.all(part, None, value);
            }
        }
        for (key, value) in object {
            match key.as_str() {
                key if first.iter().any(|(known, _)| *known == key) => {}
                "inputSchema" => texts.schema(None, value),
                "outputSchema" => {
                    texts.output = true;
                    texts.schema(None, value);
                    texts.output = false;
                }
                "arguments" => texts.arguments(value),
                "annotations" => texts.all(Part::Annotation, None, value),
                "_meta" | "icons" | "mimeType" => texts.all(Part::Aside, None, value),
                key => {
                    texts.push(Part::Word, None, key);
                    texts.all(Part::Word, None, value);
                }
            }
        }
        texts.found
    }

    /// Those of a server itself.
    pub(crate) fn of_server(
        instructions: Option<&'t str>,
        info: Option<&'t Value>,
    ) -> Vec<Text<'t>> {
        let mut texts = Texts::default();
        if let Some(instructions) = instructions {
            texts.push(Part::Instructions, None, instructions);
        }
        for (key, value) in info.and_then(Value::as_object).into_iter().flatten() {
            let part = match key.as_str() {
                "name" => Part::Name,
                "title" => Part::Title,
                "description" => Part::Description,
                _ => Part::Aside,
            };
            texts.all(part, None, value);
        }
        texts.found
    }

    fn push(&mut self, part: Part, parameter: Option<&Rc<str>>, words: &'t str) {
        self.found.push(Text {
            part,
            parameter: parameter.cloned(),
            output: self.output,
            words,
        });
    }

    /// Every text in `value`, keys too.
    fn all(&mut self, part: Part, parameter: Option<&Rc<str>>, value: &'t Value) {
        match value {
            Value::String(words) => self.push(part, parameter, words),
            Value::Array(items) => {
                for item in items {
                    self.all(part, parameter, item);
                }
            }
            Value::Object(object) => {
                for (key, value) in object {
                    self.push(part, parameter, key);
                    self.all(part, parameter, value);
                }
            }
            _ => {}
        }
    }

    /// Those of a prompt's arguments.
    fn arguments(&mut self, value: &'t Value) {
        let Some(arguments) = value.as_array() else {
            return self.all(Part::Word, None, value);
        };
        for argument in arguments {
            let name: Option<Rc<str>> = argument.get("name").and_then(Value::as_str).map(Rc::from);
            for (key, value) in argument.as_object().into_iter().flatten() {
                let part = match key.as_str() {
                    "name" => Part::Name,
                    "title" => Part::Title,
                    "description" => Part::Description,
                    _ => Part::Word,
                };
                self.all(part, name.as_ref(), value);
            }
        }
    }

    /// Those of the schema of `parameter`, or of all parameters.
    fn schema(&mut self, parameter: Option<&Rc<str>>, schema: &'t Value) {
        let object = match schema {
            Value::Object(object) => object,
            Value::Array(schemas) => {
                for schema in schemas {
                    self.schema(parameter, schema);
                }
                return;
            }
            other => return self.all(Part::Word, parameter, other),
        };
        for (key, value) in object {
            match (key.as_str(), value) {
                ("properties" | "patternProperties" | "dependentSchemas", Value::Object(named)) => {
                    for (name, schema) in named {
                        let path: Rc<str> = match parameter {
                            Some(outer) => format!("{outer}.{name}").into(),
                            None => name.as_str().into(),
                        };
                        self.push(Part::Name, Some(&path), name);
                        self.schema(Some(&path), schema);
                    }
                }
                ("$defs" | "definitions", Value::Object(named)) => {
                    for (name, schema) in named {
                        self.push(Part::Word, parameter, name);
                        self.schema(Some(&name.as_str().into()), schema);
                    }
                }
                ("title", Value::String(words)) => self.push(Part::Title, parameter, words),
                ("description", Value::String(words)) => {
                    self.push(Part::Description, parameter, words);
                }
                ("enum" | "const", value) => self.all(Part::Choice, parameter, value),
                ("default", value) => self.all(Part::Default, parameter, value),
                ("example" | "examples", value) => self.all(Part::Example, parameter, value),
                // Their items are names of parameters that are named anyway.
                ("required", Value::Array(_)) => self.all(Part::Word, parameter, value),
                (key, value) => {
                    if !KEYWORDS.contains(&key) {
                        self.push(Part::Word, parameter, key);
                    }
                    self.schema(parameter, value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(value: &Value) -> Vec<(Part, Option<String>, bool, String)> {
        let texts = Texts::of_item(value);
        let told = texts.into_iter().map(|text| {
            let parameter = text.parameter.map(|name| name.to_string());
            (text.part, parameter, text.output, text.words.to_owned())
        });
        told.collect()
    }

    #[test]
    fn every_text_of_a_tool_is_found_with_where_it_stands() {
        let tool = json!({
            "name": "n", "title": "t", "description": "d",
            "inputSchema": {
                "type": "object", "description": "whole",
                "properties": {
                    "a": {"type": "string", "title": "at", "description": "ad", "enum": ["e1", "e2"], "default": "ddd", "x-odd": "o"},
                    "b": {"type": "array", "items": {"properties": {"c": {"const": "k", "examples": ["ex"]}}}},
                },
            },
            "outputSchema": {"properties": {"r": {"description": "rd"}}},
            "annotations": {"title": "nt"},
            "_meta": {"m": "mm"},
            "strange": "s",
        });
        let told = told(&tool);
        let expect = |part, parameter: Option<&str>, output, words: &str| {
            let wanted = (part, parameter.map(str::to_owned), output, words.to_owned());
            assert!(told.contains(&wanted), "{wanted:?} in {told:#?}");
        };
        assert_eq!(told[0].3, "n");
        expect(Part::Title, None, false, "t");
        expect(Part::Description, None, false, "d");
        expect(Part::Description, None, false, "whole");
        expect(Part::Name, Some("a"), false, "a");
        expect(Part::Title, Some("a"), false, "at");
        expect(Part::Description, Some("a"), false, "ad");
        expect(Part::Choice, Some("a"), false, "e2");
        expect(Part::Default, Some("a"), false, "ddd");
        expect(Part::Word, Some("a"), false, "x-odd");
        expect(Part::Word, Some("a"), false, "o");
        expect(Part::Name, Some("b.c"), false, "c");
        expect(Part::Choice, Some("b.c"), false, "k");
        expect(Part::Example, Some("b.c"), false, "ex");
        expect(Part::Description, Some("r"), true, "rd");
        expect(Part::Annotation, None, false, "nt");
        expect(Part::Aside, None, false, "mm");
        expect(Part::Word, None, false, "strange");
        expect(Part::Word, None, false, "s");
    }

    #[test]
    fn arguments_of_prompts_are_parameters() {
        let prompt = json!({"name": "p", "arguments": [{"name": "a", "description": "ad"}, 7]});
        let mut told = told(&prompt);
        told.sort_by_key(|(part, ..)| *part as u8);
        let name = |words: &str| Some(words.to_owned());
        assert_eq!(
            told,
            [
                (Part::Name, None, false, "p".to_owned()),
                (Part::Name, name("a"), false, "a".to_owned()),
                (Part::Description, name("a"), false, "ad".to_owned()),
            ]
        );
    }

    #[test]
    fn what_is_no_object_tells_nothing() {
        assert_eq!(told(&json!("x")), []);
        assert_eq!(told(&json!({"inputSchema": "words"})).len(), 1);
    }
}
