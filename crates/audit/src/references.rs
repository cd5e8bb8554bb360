//! Texts that look like a variable, in anybody's way of writing one.

use muster_core::VariableForm;
use muster_document::{Masked, Secret};

/// A way of writing a variable, some harness's or some other program's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Style {
    /// One that some harness follows.
    Form(VariableForm),
    /// `${workspaceFolder}` and the like, of VS Code and Cursor.
    Editor,
    /// `${input:NAME}` of VS Code.
    Input,
    /// `{{NAME}}` of templates.
    Braces2,
}

/// A variable in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reference<'t> {
    /// How it is written.
    pub(crate) style: Style,
    /// The variable's name.
    pub(crate) name: &'t str,
}

impl Reference<'_> {
    /// As it is written, without what stands in for it where it is unset: that may be a secret.
    pub(crate) fn shown(&self) -> String {
        let name = self.name;
        match self.style {
            Style::Form(VariableForm::Default) => format!("${{{name}:-…}}"),
            Style::Form(form) => form.example().replace("NAME", name),
            Style::Editor => format!("${{{name}}}"),
            Style::Input => format!("${{input:{name}}}"),
            Style::Braces2 => format!("{{{{{name}}}}}"),
        }
    }
}

/// Variables of VS Code and Cursor that are no environment variables.
const EDITOR: [&str; 6] = [
    "workspaceFolder",
    "workspaceFolderBasename",
    "workspaceRoot",
    "userHome",
    "pathSeparator",
    "cwd",
];

/// The variables in `text`. Of the ways without braces only what can hardly be anything else: capitals, and not inside a word.
pub(crate) fn find(text: &str) -> Vec<Reference<'_>> {
    let mut found = Vec::new();
    // Most texts hold none.
    if !text.contains(['$', '{', '%']) {
        return found;
    }
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        let Some(next) = rest.find(['$', '{', '%']) else {
            break;
        };
        let start = at + next;
        let (length, reference) = read(text, start);
        at = start + length;
        found.extend(reference.filter(|reference| can_be_told(reference.name)));
    }
    found
}

/// What begins at byte `start`, and how many bytes it takes: at least one.
fn read(text: &str, start: usize) -> (usize, Option<Reference<'_>>) {
    let rest = text.get(start..).unwrap_or_default();
    let before = text
        .get(..start)
        .and_then(|before| before.chars().next_back());
    if let Some(inner) = rest.strip_prefix("${") {
        // A template of GitHub's, which no harness sees.
        if inner.starts_with('{') {
            return (3, None);
        }
        return match inner.split_once('}') {
            Some((body, _)) => (body.len() + 3, in_braces(body)),
            None => (2, None),
        };
    }
    if rest.starts_with("$$") {
        return (2, None);
    }
    if let Some(after) = rest.strip_prefix('$') {
        let length = name_length(after);
        let name = after.get(..length).unwrap_or_default();
        let found = is_loud(name) && before.is_none_or(|c| !c.is_alphanumeric());
        let style = Style::Form(VariableForm::Dollar);
        return (length + 1, found.then_some(Reference { style, name }));
    }
    if let Some(inner) = rest.strip_prefix("{{") {
        let body = inner.split_once("}}").map(|(body, _)| body);
        let name = body.map(str::trim).filter(|name| is_loud(name));
        let style = Style::Braces2;
        return (2, name.map(|name| Reference { style, name }));
    }
    if let Some(inner) = rest.strip_prefix('{') {
        let body = inner.split_once('}').map(|(body, _)| body);
        let name = body.and_then(|body| body.strip_prefix("env:"));
        let style = Style::Form(VariableForm::EnvCurly);
        let reference = name
            .filter(|name| is_name(name))
            .map(|name| Reference { style, name });
        return (1, reference);
    }
    let after = rest.strip_prefix('%').unwrap_or_default();
    let length = name_length(after);
    let name = after.get(..length).unwrap_or_default();
    let closed = after
        .get(length..)
        .is_some_and(|after| after.starts_with('%'));
    // `%C3%A9` is an escape of an address.
    let found = closed && name.len() >= 3 && is_loud(name);
    let style = Style::Form(VariableForm::Percent);
    let taken = if found { length + 2 } else { 1 };
    (taken, found.then_some(Reference { style, name }))
}

/// What stands between `${` and `}`.
fn in_braces(body: &str) -> Option<Reference<'_>> {
    let some = |style, name| Some(Reference { style, name });
    let of_env = body
        .strip_prefix("env:")
        .map(|name| name.split_once(":-").map_or(name, |(name, _)| name));
    if let Some(name) = of_env.filter(|name| is_name(name)) {
        return some(Style::Form(VariableForm::EnvBraces), name);
    }
    if let Some(name) = body.strip_prefix("input:").filter(|name| is_name(name)) {
        return some(Style::Input, name);
    }
    if EDITOR.contains(&body) {
        return some(Style::Editor, body);
    }
    if let Some((name, _)) = body.split_once(":-").filter(|(name, _)| is_name(name)) {
        return some(Style::Form(VariableForm::Default), name);
    }
    let name = Some(body).filter(|name| is_name(name))?;
    some(Style::Form(VariableForm::Braces), name)
}

fn name_length(text: &str) -> usize {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    end.unwrap_or(text.len())
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name_length(name) == name.len()
        && name.len() <= 64
}

/// Capitals throughout, as names of variables are and passwords are not.
fn is_loud(name: &str) -> bool {
    is_name(name)
        && name.len() >= 2
        && !name.contains(|c: char| c.is_ascii_lowercase())
        && name.contains(|c: char| c.is_ascii_uppercase())
}

/// Whether the name is one, and not a secret that went astray.
fn can_be_told(name: &str) -> bool {
    Masked::word(&Secret::new(name)).as_str() == name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        find(text).iter().map(Reference::shown).collect()
    }

    #[test]
    fn every_way_of_writing_a_variable_is_known() {
        assert_eq!(
            shown("a${X}${env:Y:-d}${Z_1:-d} {env:W} $TOKEN %APPDATA%\\x {{KEY}} ${input:k}"),
            [
                "${X}",
                "${env:Y}",
                "${Z_1:-…}",
                "{env:W}",
                "$TOKEN",
                "%APPDATA%",
                "{{KEY}}",
                "${input:k}"
            ]
        );
        assert_eq!(shown("${workspaceFolder}/x"), ["${workspaceFolder}"]);
    }

    #[test]
    fn what_only_looks_like_one_is_none() {
        for text in [
            "pa$WORD",
            "$$HOME",
            "100%",
            "%C3%A9%20",
            "$x",
            "cost: $5",
            "{{.Name}}",
            "{{json .}}",
            "${{ secrets.X }}",
            "{a}",
            "${a.b}",
            "${",
            "%A%",
            "$A1B2C3D4E5F6G7H8I9J0K1",
        ] {
            assert!(shown(text).is_empty(), "{text}: {:?}", shown(text));
        }
    }

    #[test]
    fn every_text_is_read_to_its_end() {
        for text in [
            "$",
            "{",
            "%",
            "${}",
            "{{}}",
            "%%",
            "$é{é%é",
            "${env:}",
            "{env:",
        ] {
            assert!(find(text).is_empty(), "{text}");
        }
    }
}
