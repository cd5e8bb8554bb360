//! Checking a settings file. What is wrong is only warned of; but a file in which nothing is wrong has its texts turned into the
//! numbers and truth values they stand for, and one with a single mistake has not. Observed on 0.61.0.

use std::borrow::Cow;

use muster_document::{Key, Masked, Shown, Span};

use super::value::{Content, Js, number};

/// What a value may be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Type {
    /// Anything.
    Any,
    Text,
    /// A number, or a text that spells one.
    Number,
    /// A truth value, or `"true"` or `"false"` in any case.
    Bool,
    OneOf(&'static [&'static str]),
    List(&'static Type),
    /// An object with values of one type.
    Map(&'static Type),
    /// An object that may have other keys too.
    Open(&'static [(&'static str, Type)]),
    /// An object whose other keys have values of one type.
    OpenWith(&'static [(&'static str, Type)], &'static Type),
    /// An object without other keys, and the keys it must have.
    Strict(&'static [(&'static str, Type)], &'static [&'static str]),
    AnyOf(&'static [Type]),
}

/// A mistake, in the real program's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Issue {
    /// The keys that lead there: `mcpServers.x.args[0]`.
    pub(super) path: String,
    /// The words. Values of the file are not in them.
    pub(super) message: String,
    /// Where it is.
    pub(super) span: Span,
}

/// How many mistakes are named: as many as the real program names.
const NAMED: usize = 5;

/// The mistakes found so far.
#[derive(Debug, Default)]
pub(super) struct Issues {
    /// The first of them.
    pub(super) named: Vec<Issue>,
    /// How many there are.
    pub(super) count: usize,
    path: Vec<String>,
}

impl Issues {
    fn add(&mut self, message: impl FnOnce() -> String, span: Span) {
        self.count += 1;
        if self.named.len() < NAMED {
            let path = self
                .path
                .iter()
                .fold(String::new(), |path, step| match step.as_str() {
                    step if step.starts_with('[') || path.is_empty() => path + step,
                    step => format!("{path}.{step}"),
                });
            self.named.push(Issue {
                path: Shown(&path).to_string(),
                message: message(),
                span,
            });
        }
    }

    fn within(&mut self, step: impl FnOnce() -> String, look: impl FnOnce(&mut Issues)) {
        self.path.push(step());
        look(self);
        self.path.pop();
    }
}

impl Type {
    /// Checks `value`, and names what is wrong.
    pub(super) fn check(&self, value: &Js<'_>, issues: &mut Issues) {
        let span = value.node.span;
        let expected =
            |expected: &str| format!("Expected {expected}, received {}", value.type_word());
        match self {
            Type::Any => {}
            Type::Text => {
                if value.text().is_none() {
                    issues.add(|| expected("string"), span);
                }
            }
            Type::Number => {
                if as_number(value).is_none() {
                    issues.add(|| expected("number"), span);
                }
            }
            Type::Bool => {
                if as_bool(value).is_none() {
                    issues.add(|| expected("boolean"), span);
                }
            }
            Type::OneOf(words) => {
                if !value.text().is_some_and(|text| words.contains(&text)) {
                    let words = words
                        .iter()
                        .map(|word| format!("'{word}'"))
                        .collect::<Vec<_>>()
                        .join(" | ");
                    let message = match value.text() {
                        // The value may be anything.
                        Some(_) => format!(
                            "Invalid enum value. Expected {words}, received '{}'",
                            Masked::HIDDEN
                        ),
                        None => expected(&words),
                    };
                    issues.add(|| message, span);
                }
            }
            Type::List(items) => match value.list() {
                Some(list) => {
                    for (at, item) in list.iter().enumerate() {
                        issues.within(|| format!("[{at}]"), |issues| items.check(item, issues));
                    }
                }
                None => issues.add(|| expected("array"), span),
            },
            Type::AnyOf(types) => {
                let fits = types.iter().any(|one| one.fits(value));
                if !fits {
                    issues.add(|| "Invalid input".to_owned(), span);
                }
            }
            Type::Map(_) | Type::Open(_) | Type::OpenWith(..) | Type::Strict(..)
                if !value.is_object() =>
            {
                issues.add(|| expected("object"), span);
            }
            Type::Map(_) | Type::Open(_) | Type::OpenWith(..) | Type::Strict(..) => {
                self.check_members(value, issues);
            }
        }
    }

    fn check_members(&self, value: &Js<'_>, issues: &mut Issues) {
        let mut unknown = Vec::new();
        for (key, member) in value.members() {
            match self.member(key) {
                Some(of) => issues.within(|| key.text.clone(), |issues| of.check(member, issues)),
                None if matches!(self, Type::Strict(..)) => unknown.push(*key),
                None => {}
            }
        }
        if let Type::Strict(_, required) = self {
            for name in required.iter().filter(|name| value.get(name).is_none()) {
                issues.within(
                    || (*name).to_owned(),
                    |issues| issues.add(|| "Required".to_owned(), value.node.span),
                );
            }
        }
        if let Some(first) = unknown.first() {
            let names: Vec<_> = unknown
                .iter()
                .map(|key| format!("'{}'", Shown(&key.text)))
                .collect();
            issues.add(
                || format!("Unrecognized key(s) in object: {}", names.join(", ")),
                first.span,
            );
        }
    }

    fn fits(&self, value: &Js<'_>) -> bool {
        let mut issues = Issues::default();
        self.check(value, &mut issues);
        issues.count == 0
    }

    /// The type of the member `key`.
    fn member(&self, key: &Key) -> Option<&Type> {
        let of = |fields: &'static [(&'static str, Type)]| {
            fields
                .iter()
                .find(|(name, _)| *name == key.text)
                .map(|(_, of)| of)
        };
        match self {
            Type::Map(values) => Some(values),
            Type::Open(fields) | Type::Strict(fields, _) => of(fields),
            Type::OpenWith(fields, rest) => of(fields).or(Some(rest)),
            _ => None,
        }
    }

    /// Turns texts into what they stand for. For a value in which nothing is wrong.
    pub(super) fn coerce(&self, value: &mut Js<'_>) {
        match self {
            Type::Number => {
                if let Some(number) = as_number(value) {
                    value.content = Content::Number(number);
                }
            }
            Type::Bool => {
                if let Some(truth) = as_bool(value) {
                    value.content = Content::Bool(truth);
                }
            }
            Type::List(of) => {
                if let Content::List(items) = &mut value.content {
                    items.iter_mut().for_each(|item| of.coerce(item));
                }
            }
            Type::AnyOf(types) => {
                if let Some(one) = types.iter().find(|one| one.fits(value)) {
                    one.coerce(value);
                }
            }
            _ => {
                if let Content::Object(members) = &mut value.content {
                    if matches!(self, Type::Map(_)) {
                        // The checker copies members one by one, and this name is no ordinary one in JavaScript.
                        members.retain(|(key, _)| key.text != "__proto__");
                    }
                    for (key, member) in members {
                        if let Some(of) = self.member(key) {
                            of.coerce(member);
                        }
                    }
                }
            }
        }
    }
}

fn as_number(value: &Js<'_>) -> Option<f64> {
    match &value.content {
        Content::Number(value) => Some(*value),
        Content::Text(text) => number(text),
        _ => None,
    }
}

fn as_bool(value: &Js<'_>) -> Option<bool> {
    match &value.content {
        Content::Bool(value) => Some(*value),
        Content::Text(text) if text.eq_ignore_ascii_case("true") => Some(true),
        Content::Text(text) if text.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

/// A text that is no reference: for values that nothing fills.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use camino::Utf8Path;
    use muster_document::{Dialect, Document, JsonDialect};

    use super::super::schema_table::SETTINGS;
    use super::*;

    fn complaints(text: &str) -> Vec<String> {
        let document = Document::parse(
            Arc::from(Utf8Path::new("/t")),
            text.as_bytes(),
            Dialect::Json(JsonDialect::JSON_PARSE),
        )
        .unwrap();
        let mut issues = Issues::default();
        SETTINGS.check(&Js::read(document.root(), &plain), &mut issues);
        issues
            .named
            .into_iter()
            .map(|issue| format!("{}: {}", issue.path, issue.message))
            .collect()
    }

    /// The real program's words, 0.61.0; only values are hidden.
    #[test]
    fn the_real_words() {
        for (text, expected) in [
            (
                r#"{"mcpServers": {"b": {"foo": 1}}}"#,
                "mcpServers.b: Unrecognized key(s) in object: 'foo'",
            ),
            (
                r#"{"mcpServers": {"b": null}}"#,
                "mcpServers.b: Expected object, received null",
            ),
            (
                r#"{"mcpServers": []}"#,
                "mcpServers: Expected object, received array",
            ),
            (
                r#"{"mcpServers": {"x": {"args": ["a", 5]}}}"#,
                "mcpServers.x.args[1]: Expected string, received number",
            ),
            (
                r#"{"mcpServers": {"x": {"env": {"N": true}}}}"#,
                "mcpServers.x.env.N: Expected string, received boolean",
            ),
            (
                r#"{"mcpServers": {"x": {"type": "HTTP"}}}"#,
                "mcpServers.x.type: Invalid enum value. Expected 'stdio' | 'sse' | 'http', received '•••'",
            ),
            (r#"{"telemetry": null}"#, "telemetry: Invalid input"),
            (r#"{"ui": null}"#, "ui: Expected object, received null"),
        ] {
            assert_eq!(complaints(text), [expected], "{text}");
        }
    }

    #[test]
    fn what_passes() {
        for text in [
            r#"{"anything": 1, "mcpServers": {"x": {"timeout": "5000", "trust": "FALSE", "oauth": {"a": 1}}}}"#,
            r#"{"tools": {"sandbox": "docker"}, "telemetry": {"enabled": true}, "context": {"fileName": ["A.md"]}}"#,
            r#"{"security": {"folderTrust": {"enabled": "false"}, "other": []}}"#,
        ] {
            assert_eq!(complaints(text), [] as [String; 0], "{text}");
        }
    }
}
