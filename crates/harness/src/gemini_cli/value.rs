//! The values of a file as Gemini CLI has them: JavaScript's, with their variables filled.

use std::borrow::Cow;

use muster_document::{Key, Node, Value};

/// A value and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Js<'d> {
    /// What is written.
    pub(super) node: &'d Node,
    /// What it counts as.
    pub(super) content: Content<'d>,
}

/// What a value counts as.
#[derive(Debug, Clone)]
pub(super) enum Content<'d> {
    Null,
    Bool(bool),
    Number(f64),
    Text(Cow<'d, str>),
    List(Vec<Js<'d>>),
    /// Of duplicate keys the last, in the place of the first.
    Object(Vec<(&'d Key, Js<'d>)>),
}

impl<'d> Js<'d> {
    /// Reads `node`; `fill` puts the values of variables into a text.
    pub(super) fn read(node: &'d Node, fill: &dyn Fn(&'d str) -> Cow<'d, str>) -> Js<'d> {
        let content = match &node.value {
            Value::Null => Content::Null,
            Value::Bool(value) => Content::Bool(*value),
            Value::Number(number) => Content::Number(number.as_f64()),
            Value::String(text) | Value::Datetime(text) => Content::Text(fill(text)),
            Value::Array(items) => {
                Content::List(items.iter().map(|item| Js::read(item, fill)).collect())
            }
            Value::Table(_) => Content::Object(
                node.effective_members()
                    .into_iter()
                    .map(|member| (&member.key, Js::read(&member.value, fill)))
                    .collect(),
            ),
        };
        Js { node, content }
    }

    /// The member `key`; `None` if this is no object or has none.
    pub(super) fn get(&self, key: &str) -> Option<&Js<'d>> {
        self.member(key).map(|(_, value)| value)
    }

    /// The member `key` with its key.
    pub(super) fn member(&self, key: &str) -> Option<(&'d Key, &Js<'d>)> {
        let Content::Object(members) = &self.content else {
            return None;
        };
        let found = members.iter().find(|(name, _)| name.text == key);
        found.map(|(name, value)| (*name, value))
    }

    /// The members in file order; none if this is no object.
    pub(super) fn members(&self) -> &[(&'d Key, Js<'d>)] {
        match &self.content {
            Content::Object(members) => members,
            _ => &[],
        }
    }

    /// The elements, if this is a list.
    pub(super) fn list(&self) -> Option<&[Js<'d>]> {
        match &self.content {
            Content::List(items) => Some(items),
            _ => None,
        }
    }

    /// The text, if this is one.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether this is an object.
    pub(super) fn is_object(&self) -> bool {
        matches!(self.content, Content::Object(_))
    }

    /// Whether this is `null`.
    pub(super) fn is_null(&self) -> bool {
        matches!(self.content, Content::Null)
    }

    /// Whether it counts as true.
    pub(super) fn truthy(&self) -> bool {
        match &self.content {
            Content::Null => false,
            Content::Bool(value) => *value,
            Content::Number(value) => *value != 0.0 && !value.is_nan(),
            Content::Text(text) => !text.is_empty(),
            Content::List(_) | Content::Object(_) => true,
        }
    }

    /// What `String(value)` gives.
    pub(super) fn spelled(&self) -> String {
        match &self.content {
            Content::Null => "null".to_owned(),
            Content::Bool(value) => value.to_string(),
            Content::Number(value) => value.to_string(),
            Content::Text(text) => text.to_string(),
            Content::List(items) => {
                let item = |item: &Js<'d>| match item.content {
                    Content::Null => String::new(),
                    _ => item.spelled(),
                };
                items.iter().map(item).collect::<Vec<_>>().join(",")
            }
            Content::Object(_) => "[object Object]".to_owned(),
        }
    }

    /// What the schema calls it.
    pub(super) fn type_word(&self) -> &'static str {
        match self.content {
            Content::Null => "null",
            Content::Bool(_) => "boolean",
            Content::Number(_) => "number",
            Content::Text(_) => "string",
            Content::List(_) => "array",
            Content::Object(_) => "object",
        }
    }
}

/// What JavaScript's `Number(text)` gives; `None` where it is no number.
pub(super) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let digits = |radix| {
        let digits = text.get(2..)?;
        u64::from_str_radix(digits, radix)
            .ok()
            .map(|value| value as f64)
    };
    match text.get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some("0x") => return digits(16),
        Some("0o") => return digits(8),
        Some("0b") => return digits(2),
        _ => {}
    }
    match text.trim_start_matches(['+', '-']) {
        "Infinity" if text.starts_with('-') => Some(f64::NEG_INFINITY),
        "Infinity" => Some(f64::INFINITY),
        plain if plain.starts_with(|first: char| first.is_ascii_digit() || first == '.') => {
            text.parse().ok()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use camino::Utf8Path;
    use muster_document::{Dialect, Document, JsonDialect};

    use super::*;

    #[test]
    fn what_counts_as_true() {
        let text = r#"[0, 1, "", "a", "$X", null, false, true, [], {}]"#;
        let document = Document::parse(
            Arc::from(Utf8Path::new("/t")),
            text.as_bytes(),
            Dialect::Json(JsonDialect::JSON_PARSE),
        )
        .unwrap();
        let fill = |text| {
            if text == "$X" {
                Cow::Borrowed("")
            } else {
                Cow::Borrowed(text)
            }
        };
        let js = Js::read(document.root(), &fill);
        let truths: Vec<_> = js.list().unwrap().iter().map(Js::truthy).collect();
        assert_eq!(
            truths,
            [
                false, true, false, true, false, false, false, true, true, true
            ]
        );
        assert_eq!(js.spelled(), "0,1,,a,,,false,true,,[object Object]");
    }

    #[test]
    fn numbers_in_texts() {
        assert_eq!(number(" 5000 "), Some(5000.0));
        assert_eq!(number("0x10"), Some(16.0));
        assert_eq!(number("-1.5e2"), Some(-150.0));
        assert_eq!(number("5s"), None);
        assert_eq!(number("inf"), None);
        assert_eq!(number("Infinity"), Some(f64::INFINITY));
    }
}
