//! Words made into the arguments of a tool, each read as the tool's schema wants it.

use serde_json::{Map, Value};

use super::similar::similar;
use super::wanted::Wanted;
use super::words::{Given, Word};

/// Why words do not fit a tool. Values are not shown: they may be secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ArgumentError {
    /// There is no such parameter.
    #[error("there is no parameter `{name}`{}", meant(.similar))]
    Unknown {
        /// As it was written, as may be printed.
        name: String,
        /// Parameters that are called much the same.
        similar: Vec<String>,
    },
    /// It is given twice, and is no list.
    #[error("`{0}` is given twice, and is no list")]
    Twice(String),
    /// It is given as a whole and by its members.
    #[error("`{0}` is given as a whole and by its members")]
    Both(String),
    /// It does not fit what the schema says.
    #[error("{0}")]
    Unfit(String),
}

fn meant(similar: &[String]) -> String {
    match similar {
        [] => String::new(),
        some => format!("; did you mean {}?", some.join(", or ")),
    }
}

/// What was given for one name.
#[derive(Debug, Default)]
struct Node {
    given: Vec<Given>,
    members: Vec<(String, Node)>,
}

impl Node {
    fn add(&mut self, path: &[&str], given: Given) {
        let Some((name, rest)) = path.split_first() else {
            self.given.push(given);
            return;
        };
        match self.members.iter_mut().find(|(known, _)| known == name) {
            Some((_, node)) => node.add(rest, given),
            None => {
                let mut node = Node::default();
                node.add(rest, given);
                self.members.push(((*name).to_owned(), node));
            }
        }
    }
}

/// The arguments that `words` give a tool with the input schema `schema`, on top of the object `base`.
pub(crate) fn arguments(
    schema: &Value,
    base: Map<String, Value>,
    words: &[Word],
) -> Result<Map<String, Value>, ArgumentError> {
    let mut tree = Node::default();
    for word in words {
        tree.add(&path(schema, &word.key), word.given.clone());
    }
    object(schema, schema, base, &tree, "")
}

/// The names that `key` leads through: one, where the tool has a parameter with dots in its name.
fn path<'k>(schema: &Value, key: &'k str) -> Vec<&'k str> {
    let whole = Wanted::of(schema, schema).member(key).is_some();
    if whole || key.starts_with('.') || key.ends_with('.') || key.contains("..") {
        vec![key]
    } else {
        key.split('.').collect()
    }
}

fn object(
    root: &Value,
    schema: &Value,
    mut object: Map<String, Value>,
    node: &Node,
    above: &str,
) -> Result<Map<String, Value>, ArgumentError> {
    let wanted = Wanted::of(root, schema);
    let known = wanted.names();
    for (name, node) in &node.members {
        let full = if above.is_empty() {
            name.clone()
        } else {
            format!("{above}.{name}")
        };
        if let Some(known) = &known
            && !known.contains(&name.as_str())
        {
            return Err(ArgumentError::Unknown {
                name: muster_document::Shown(&full).to_string(),
                similar: similar(name, known.iter().copied()),
            });
        }
        let schema = wanted.member(name).unwrap_or(&Value::Null);
        let below = object.get(name).and_then(Value::as_object).cloned();
        let value = value(root, schema, below.unwrap_or_default(), node, &full)?;
        object.insert(name.clone(), value);
    }
    Ok(object)
}

fn value(
    root: &Value,
    schema: &Value,
    base: Map<String, Value>,
    node: &Node,
    name: &str,
) -> Result<Value, ArgumentError> {
    if !node.members.is_empty() {
        return match node.given.as_slice() {
            [] => object(root, schema, base, node, name).map(Value::Object),
            _ => Err(ArgumentError::Both(name.to_owned())),
        };
    }
    let wanted = Wanted::of(root, schema);
    let item = wanted.item().unwrap_or(&Value::Null);
    match node.given.as_slice() {
        [Given::Json(value)] => Ok(value.clone()),
        [Given::Text(text)] => Ok(read(root, &wanted, text)),
        several if wanted.takes("array") || wanted.takes_anything() => {
            let items = several.iter().map(|given| match given {
                Given::Json(value) => value.clone(),
                Given::Text(text) => read(root, &Wanted::of(root, item), text),
            });
            Ok(Value::Array(items.collect()))
        }
        _ => Err(ArgumentError::Twice(name.to_owned())),
    }
}

/// `text` as what is wanted; as it is where it is nothing of that, which the schema's check will tell.
fn read(root: &Value, wanted: &Wanted<'_>, text: &str) -> Value {
    let as_json: Option<Value> = serde_json::from_str(text).ok();
    let spelled = |value: &&Value| match value {
        Value::String(word) => word == text,
        other => as_json.as_ref() == Some(*other),
    };
    if let Some(value) = wanted.values().find(spelled) {
        return value.clone();
    }
    // Whatever else may be given: words are texts first, and `:=` says otherwise.
    if wanted.takes("string") || wanted.takes_anything() {
        return Value::from(text);
    }
    let fits = |value: &Value| match value {
        Value::Number(_) => wanted.takes("number") || wanted.takes("integer"),
        Value::Bool(_) => wanted.takes("boolean"),
        Value::Null => wanted.takes("null"),
        Value::Array(_) => wanted.takes("array"),
        Value::Object(_) => wanted.takes("object"),
        Value::String(_) => false,
    };
    if let Some(value) = as_json.filter(fits) {
        return value;
    }
    if wanted.takes("array") {
        let item = wanted.item().unwrap_or(&Value::Null);
        // A list of lists is given as JSON.
        let item = Wanted::of(root, item);
        if !item.takes("array") {
            return Value::Array(vec![read(root, &item, text)]);
        }
    }
    Value::from(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "query": {"type": "string"},
                "limit": {"type": "integer"},
                "ratio": {"anyOf": [{"type": "number"}, {"type": "null"}]},
                "deep": {"type": "boolean"},
                "tags": {"type": "array", "items": {"type": "string"}},
                "pages": {"$ref": "#/$defs/Pages"},
                "kind": {"enum": ["a", 2, true]},
                "both": {"type": ["string", "number"]},
                "filter": {"type": "object", "properties": {"state": {"type": "string"}, "since": {"type": "number"}}},
                "a.b": {"type": "integer"},
                "free": {},
                "grid": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
            },
            "$defs": {"Pages": {"type": "array", "items": {"type": "integer"}}},
        })
    }

    fn given(words: &[&str]) -> Result<Value, ArgumentError> {
        let words: Vec<Word> = words.iter().map(|word| Word::read(word).unwrap()).collect();
        arguments(&schema(), Map::new(), &words).map(Value::Object)
    }

    #[test]
    fn text_becomes_what_the_schema_wants() {
        for (words, expected) in [
            (&["query=5"][..], json!({"query": "5"})),
            (&["limit=5"], json!({"limit": 5})),
            (&["limit=-5"], json!({"limit": -5})),
            (&["limit=five"], json!({"limit": "five"})),
            (&["ratio=0.5"], json!({"ratio": 0.5})),
            (&["ratio=null"], json!({"ratio": null})),
            (&["deep=true"], json!({"deep": true})),
            (&["deep=yes"], json!({"deep": "yes"})),
            (&["kind=a"], json!({"kind": "a"})),
            (&["kind=2"], json!({"kind": 2})),
            (&["kind=true"], json!({"kind": true})),
            (&["both=5"], json!({"both": "5"})),
            (&["both:=5"], json!({"both": 5})),
            (&["free=5"], json!({"free": "5"})),
        ] {
            assert_eq!(given(words).unwrap(), expected, "{words:?}");
        }
    }

    #[test]
    fn lists_are_repeated_or_json_and_commas_are_text() {
        for (words, expected) in [
            (&["tags=a"][..], json!({"tags": ["a"]})),
            (&["tags=a,b"], json!({"tags": ["a,b"]})),
            (&["tags=a", "tags=b"], json!({"tags": ["a", "b"]})),
            (&["tags=[\"a\",\"b\"]"], json!({"tags": ["a", "b"]})),
            (&["tags:=[\"a\"]"], json!({"tags": ["a"]})),
            (&["pages=1", "pages=2"], json!({"pages": [1, 2]})),
            (&["grid:=[[1]]"], json!({"grid": [[1]]})),
            (&["grid=[[1]]"], json!({"grid": [[1]]})),
            (&["free=1", "free=2"], json!({"free": ["1", "2"]})),
        ] {
            assert_eq!(given(words).unwrap(), expected, "{words:?}");
        }
        assert_eq!(
            given(&["query=a", "query=b"]).unwrap_err().to_string(),
            "`query` is given twice, and is no list"
        );
    }

    #[test]
    fn dots_lead_into_objects_unless_a_parameter_is_called_so() {
        for (words, expected) in [
            (
                &["filter.state=open", "filter.since=5"][..],
                json!({"filter": {"state": "open", "since": 5}}),
            ),
            (&["a.b=5"], json!({"a.b": 5})),
            (&["free.x.y=1"], json!({"free": {"x": {"y": "1"}}})),
            (
                &["filter={\"state\":\"x\"}"],
                json!({"filter": {"state": "x"}}),
            ),
        ] {
            assert_eq!(given(words).unwrap(), expected, "{words:?}");
        }
        assert_eq!(
            given(&["filter.state=x", "filter:={}"]).unwrap_err(),
            ArgumentError::Both("filter".to_owned())
        );
    }

    #[test]
    fn words_stand_above_the_object_that_was_given_whole() {
        let base = json!({"query": "old", "filter": {"state": "open", "since": 1}});
        let words = [Word::read("filter.since=2").unwrap()];
        let base = base.as_object().unwrap().clone();
        assert_eq!(
            Value::Object(arguments(&schema(), base, &words).unwrap()),
            json!({"query": "old", "filter": {"state": "open", "since": 2}})
        );
    }

    #[test]
    fn a_misspelled_name_is_refused_with_the_right_one() {
        assert_eq!(
            given(&["qurey=x"]).unwrap_err().to_string(),
            "there is no parameter `qurey`; did you mean query?"
        );
        assert_eq!(
            given(&["filter.stat=x"]).unwrap_err().to_string(),
            "there is no parameter `filter.stat`; did you mean state?"
        );
        assert_eq!(
            given(&["zzzzzzzz=x"]).unwrap_err().to_string(),
            "there is no parameter `zzzzzzzz`"
        );
        let open = json!({"type": "object", "properties": {"a": {}}, "additionalProperties": true});
        let words = [Word::read("b=1").unwrap()];
        let free = arguments(&open, Map::new(), &words).unwrap();
        assert_eq!(Value::Object(free), json!({"b": "1"}));
    }
}
