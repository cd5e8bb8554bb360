//! What a tool takes and gives, as people read it: `search(query: string, limit?: number = 10) → {hits: string[]}`.
//!
//! ```text
//! JSON Schema ─► Shape (bounded: depth, members, references) ─► one line, or as many as the screen needs
//! ```
//!
//! A schema is foreign and may be hostile: references are followed inside it alone, and everything is bounded.

mod lay;
mod read;
mod shape;

use serde_json::Value;

pub(crate) use lay::Piece;
#[cfg(test)]
pub(crate) use lay::pieces_width;
pub(crate) use shape::Shape;

use lay::Layout;
use read::Reader;
use shape::Member;

/// A tool's name, what it takes and what it gives.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Signature {
    name: String,
    /// `None` where the schema is no object of named parameters.
    parameters: Option<Vec<Member>>,
    /// What stands for everything that is taken, where parameters have no names.
    whole: Option<Shape>,
    result: Option<Shape>,
}

/// A parameter as it is told by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// Its name.
    pub(crate) name: String,
    /// Its type in one line.
    pub(crate) shape: String,
    /// Whether it may be left out.
    pub(crate) optional: bool,
    /// What it means. Foreign text.
    pub(crate) description: Option<String>,
}

impl Signature {
    /// The signature of `tool`, as `tools/list` gave it.
    pub(crate) fn of_tool(tool: &Value) -> Signature {
        let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
        let output = tool.get("outputSchema").filter(|schema| schema.is_object());
        Signature {
            result: output.map(|schema| Reader::new(schema).shape()),
            ..Signature::taking(name, tool.get("inputSchema").unwrap_or(&Value::Null))
        }
    }

    /// The signature of a prompt, as `prompts/list` gave it: all arguments are text.
    pub(crate) fn of_prompt(prompt: &Value) -> Signature {
        let name = prompt
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let arguments = prompt.get("arguments").and_then(Value::as_array);
        let member = |argument: &Value| {
            Some(Member {
                name: argument.get("name")?.as_str()?.to_owned(),
                shape: Shape::Word("string"),
                optional: argument.get("required") != Some(&Value::Bool(true)),
                default: None,
                description: text(argument, "description"),
            })
        };
        let arguments = arguments.into_iter().flatten().filter_map(member);
        Signature {
            name: name.to_owned(),
            parameters: Some(arguments.collect()),
            whole: None,
            result: None,
        }
    }

    /// `name` with the parameters of `schema`.
    fn taking(name: &str, schema: &Value) -> Signature {
        let (parameters, whole) = match Reader::new(schema).shape() {
            Shape::Object(members) => (Some(members), None),
            Shape::Word("object") | Shape::Any => (Some(Vec::new()), None),
            other => (None, Some(other)),
        };
        Signature {
            name: name.to_owned(),
            parameters,
            whole,
            result: None,
        }
    }

    /// All of it in one line. Foreign text.
    pub(crate) fn line(&self) -> String {
        let pieces = self.flat();
        pieces.iter().map(|piece| piece.text.as_str()).collect()
    }

    /// The parameters, one by one.
    pub(crate) fn parameters(&self) -> Vec<Parameter> {
        let members = self.parameters.iter().flatten();
        members
            .map(|member| Parameter {
                name: member.name.clone(),
                shape: member.shape.line(),
                optional: member.optional,
                description: member.description.clone(),
            })
            .collect()
    }

    pub(crate) fn flat(&self) -> Vec<Piece> {
        Layout::flat_signature(self)
    }

    /// As lines of at most `room` columns where that can be, each with its indentation; with all of its result if the `whole` is wanted.
    pub(crate) fn lines(&self, room: usize, whole: bool) -> Vec<(usize, Vec<Piece>)> {
        Layout::signature(self, room, whole)
    }
}

impl Shape {
    /// In one line. Foreign text.
    fn line(&self) -> String {
        let pieces = Layout::flat_shape(self);
        pieces.iter().map(|piece| piece.text.as_str()).collect()
    }
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key)?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests;
