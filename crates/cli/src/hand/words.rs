//! Arguments as words of a command line: `key=value`, `key:=json`, `key=@file`, `key:=@file`, `outer.inner=value`.

use std::io::Read;

use muster_document::Shown;
use serde_json::{Map, Value};

/// Bytes that are taken from a file or from stdin.
const LIMIT: u64 = 16 * 1024 * 1024;

/// What a word gives.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Given {
    /// Text, which becomes what the tool's schema wants.
    Text(String),
    /// JSON, taken as it is.
    Json(Value),
}

/// One argument.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Word {
    /// Its name; dots lead into objects.
    pub(crate) key: String,
    /// Its value.
    pub(crate) given: Given,
}

/// Why words are no arguments. Values are not shown: they may be secret.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WordError {
    /// It assigns nothing.
    #[error("`{0}` gives no argument a value")]
    NoValue(String),
    /// The text behind `:=` is no JSON.
    #[error("the value of `{key}` is no JSON: {why}")]
    NoJson {
        /// The argument.
        key: String,
        /// What is wrong, without quoting it.
        why: String,
    },
    /// A file that was named cannot be read.
    #[error("cannot read the value of `{key}` from `{path}`")]
    File {
        /// The argument.
        key: String,
        /// The file as it was named.
        path: String,
        /// Why not.
        source: std::io::Error,
    },
    /// `--json` is no object.
    #[error("`--json` wants one object: {0}")]
    NoObject(String),
    /// Stdin cannot be read.
    #[error("cannot read `--json -` from stdin")]
    Stdin(#[source] std::io::Error),
}

impl Word {
    /// Reads `word`.
    pub(crate) fn read(word: &str) -> Result<Word, WordError> {
        let equals = word.find('=').filter(|at| *at > 0);
        let Some((left, right)) = equals.and_then(|at| word.split_at_checked(at)) else {
            return Err(WordError::NoValue(named(word)));
        };
        let value = right.strip_prefix('=').unwrap_or(right);
        let (key, is_json) = match left.strip_suffix(':') {
            Some(key) => (key, true),
            None => (left, false),
        };
        if key.is_empty() {
            return Err(WordError::NoValue(named(word)));
        }
        let text = match value.strip_prefix('@') {
            Some(path) => from_file(key, path)?,
            None => value.to_owned(),
        };
        let given = if is_json {
            Given::Json(json(&text).map_err(|why| WordError::NoJson {
                key: named(key),
                why,
            })?)
        } else {
            Given::Text(text)
        };
        Ok(Word {
            key: key.to_owned(),
            given,
        })
    }
}

/// The object that `--json` gives: itself, `-` for stdin, `@file` for a file.
pub(crate) fn whole(text: &str) -> Result<Map<String, Value>, WordError> {
    let text = match text.strip_prefix('@') {
        Some(path) => from_file("--json", path)?,
        None if text == "-" => read(std::io::stdin().lock()).map_err(WordError::Stdin)?,
        None => text.to_owned(),
    };
    match json(&text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(WordError::NoObject(
            "this is another kind of JSON".to_owned(),
        )),
        Err(why) => Err(WordError::NoObject(why)),
    }
}

fn json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| {
        let kind = match error.classify() {
            serde_json::error::Category::Eof => "it ends too early",
            _ => "it is malformed",
        };
        format!("{kind} at line {}, column {}", error.line(), error.column())
    })
}

fn from_file(key: &str, path: &str) -> Result<String, WordError> {
    let read = std::fs::File::open(path).and_then(read);
    read.map_err(|source| WordError::File {
        key: named(key),
        path: Shown(path).to_string(),
        source,
    })
}

fn read(from: impl Read) -> std::io::Result<String> {
    let mut text = String::new();
    let read = from.take(LIMIT + 1).read_to_string(&mut text)?;
    if read as u64 > LIMIT {
        let why = format!("it is longer than {} MiB", LIMIT / 1024 / 1024);
        return Err(std::io::Error::other(why));
    }
    Ok(text)
}

/// A name for a message: what stands before a value, never a value.
fn named(word: &str) -> String {
    let name = word.split(['=', ':']).next().unwrap_or_default();
    let masked = muster_document::Masked::word(&muster_document::Secret::new(name));
    masked.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(word: &str) -> Word {
        Word::read(word).unwrap()
    }

    #[test]
    fn words_are_text_or_json() {
        for (word, key, given) in [
            ("a=1", "a", Given::Text("1".to_owned())),
            ("a=", "a", Given::Text(String::new())),
            ("a=b=c", "a", Given::Text("b=c".to_owned())),
            ("a:=1", "a", Given::Json(json!(1))),
            ("a:={\"x\":[1]}", "a", Given::Json(json!({"x": [1]}))),
            ("a.b=-1", "a.b", Given::Text("-1".to_owned())),
            (
                "url=http://x/:=1",
                "url",
                Given::Text("http://x/:=1".to_owned()),
            ),
        ] {
            let key = key.to_owned();
            assert_eq!(read(word), Word { key, given }, "{word}");
        }
    }

    #[test]
    fn what_assigns_nothing_is_refused_without_its_value() {
        for (word, message) in [
            ("hello", "`hello` gives no argument a value"),
            ("=x", "`` gives no argument a value"),
            (":=x", "`` gives no argument a value"),
            (
                "a:=[hunter2",
                "the value of `a` is no JSON: it is malformed at line 1, column 2",
            ),
            (
                "a:=[",
                "the value of `a` is no JSON: it ends too early at line 1, column 1",
            ),
        ] {
            assert_eq!(Word::read(word).unwrap_err().to_string(), message);
        }
        assert_eq!(
            whole("[1]").unwrap_err().to_string(),
            "`--json` wants one object: this is another kind of JSON"
        );
    }
}
