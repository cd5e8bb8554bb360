//! What was approved and switched off for a project root: `mcp-approvals.json` and `mcp-disabled.json`.

use std::collections::HashMap;

use camino::Utf8Path;
use muster_core::{Dossier, Files, Loaded, Scope};
use muster_document::{Dialect, JsonDialect, Node, Place, Value};
use sha2::{Digest as _, Sha256};

use super::expand::{Met, Variables};
use super::ground::Ground;

/// What is kept for a project root.
#[derive(Debug, Default)]
pub(super) struct Kept {
    approvals: HashMap<String, Vec<(String, Place)>>,
    disabled: HashMap<String, Place>,
    /// A file of the two is there and cannot be used.
    pub(super) broken: bool,
    /// It may be kept in a folder whose name is not known.
    pub(super) hidden: bool,
}

/// What the user said to a project server.
#[derive(Debug, Clone)]
pub(super) enum Answer {
    /// Yes, to this very content.
    Yes(Place),
    /// Yes, to another content of that name; `sure` where all sources agree on what goes into the stored hash.
    ToAnother { place: Place, sure: bool },
    /// Nothing.
    None,
}

impl Kept {
    /// Reads what is kept for the project root of `ground`.
    pub(super) fn read(dossier: &mut Dossier<'_>, ground: &Ground) -> Kept {
        let mut kept = Kept::default();
        let Some(store) = &ground.store else {
            return kept;
        };
        kept.hidden = store.hidden;
        for (text, place) in kept.list(dossier, &store.folder.join("mcp-disabled.json")) {
            kept.disabled.entry(text).or_insert(place);
        }
        for (text, place) in kept.list(dossier, &store.folder.join("mcp-approvals.json")) {
            if let Some((name, hash)) = text.rsplit_once('-') {
                let known = kept.approvals.entry(name.to_owned()).or_default();
                known.push((hash.to_owned(), place));
            }
        }
        kept
    }

    /// The strings of a file that holds a list of them.
    fn list(&mut self, dossier: &mut Dossier<'_>, path: &Utf8Path) -> Vec<(String, Place)> {
        let dialect = Dialect::Json(JsonDialect::JSON_PARSE);
        let loaded = dossier.load(path, Scope::User, dialect, Files::LIMIT);
        let Some(document) = loaded.document() else {
            self.broken |= !matches!(loaded, Loaded::Absent);
            return Vec::new();
        };
        let items = document.root().as_array();
        self.broken |= items.is_none();
        let texts = items.unwrap_or_default().iter();
        texts
            .filter_map(|item| Some((item.as_str()?.to_owned(), document.place(item.span))))
            .collect()
    }

    /// Where `name` is switched off.
    pub(super) fn switched_off(&self, name: &str) -> Option<&Place> {
        self.disabled.get(name)
    }

    /// What was said to the entry `node`, called `name`, of the project root `root`.
    pub(super) fn answer(
        &self,
        root: &Utf8Path,
        name: &str,
        node: &Node,
        variables: &Variables<'_>,
    ) -> Answer {
        let Some(stored) = self.approvals.get(name) else {
            return Answer::None;
        };
        let hashes = hashes(root, node, variables);
        let found = stored.iter().find(|(hash, _)| hashes.contains(hash));
        if let Some((_, place)) = found {
            return Answer::Yes(place.clone());
        }
        let sure = node.get("command").is_some() && node.get("envFile").is_none();
        let last = stored.last();
        last.map_or(Answer::None, |(_, place)| Answer::ToAnother {
            place: place.clone(),
            sure,
        })
    }
}

/// The hashes that the sources know for an entry. They agree on command, args and env of a command, and on an address with nothing
/// beside it; some add envFile, some take of an address the url and headers alone, some say that variables are filled in first.
fn hashes(root: &Utf8Path, node: &Node, variables: &Variables<'_>) -> Vec<String> {
    let shapes: [Option<&[&str]>; 2] = match node.get("command") {
        Some(_) => [
            Some(&["command", "args", "env"]),
            Some(&["command", "args", "env", "envFile"]),
        ],
        None => [None, Some(&["url", "headers"])],
    };
    let as_written = |text: &str| text.to_owned();
    let filled_in = |text: &str| variables.expand(text, &mut Met::default());
    let ways: [&dyn Fn(&str) -> String; 2] = [&as_written, &filled_in];
    let each = shapes.iter().flat_map(|keys| ways.map(|way| (*keys, way)));
    each.map(|(keys, way)| hash(root, node, keys, way))
        .collect()
}

/// The first 16 hexadecimal digits of the SHA-256 of what Cursor writes for an entry: the whole of it, or `keys` alone.
fn hash(
    root: &Utf8Path,
    node: &Node,
    keys: Option<&[&str]>,
    way: &dyn Fn(&str) -> String,
) -> String {
    let mut text = String::from("{\"path\":");
    quote(root.as_str(), &mut text);
    text.push_str(",\"server\":");
    match keys {
        None => compact(node, &mut text, way),
        Some(keys) => {
            let members = keys.iter().filter_map(|key| Some((*key, node.get(key)?)));
            object(members, &mut text, way);
        }
    }
    text.push('}');
    let digest = Sha256::digest(text.as_bytes());
    let first = digest.iter().take(8);
    first.map(|byte| format!("{byte:02x}")).collect()
}

/// Writes `node` as `JSON.stringify` does.
fn compact(node: &Node, out: &mut String, way: &dyn Fn(&str) -> String) {
    match &node.value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => out.push_str(&plain_number(&number.text, number.as_f64())),
        Value::String(text) | Value::Datetime(text) => quote(&way(text), out),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                compact(item, out, way);
            }
            out.push(']');
        }
        Value::Table(_) => {
            // JavaScript keeps the keys of an object in order, those that are array indices before the others.
            let mut members = node.effective_members();
            members.sort_by_key(|member| index(&member.key.text).map_or(u64::MAX, u64::from));
            let members = members.iter();
            object(
                members.map(|member| (member.key.text.as_str(), &member.value)),
                out,
                way,
            );
        }
    }
}

fn object<'n>(
    members: impl Iterator<Item = (&'n str, &'n Node)>,
    out: &mut String,
    way: &dyn Fn(&str) -> String,
) {
    out.push('{');
    for (at, (key, value)) in members.enumerate() {
        if at > 0 {
            out.push(',');
        }
        quote(key, out);
        out.push(':');
        compact(value, out, way);
    }
    out.push('}');
}

/// A key that JavaScript takes for an index of an array.
fn index(key: &str) -> Option<u32> {
    let number: u32 = key.parse().ok()?;
    (number < u32::MAX && number.to_string() == key).then_some(number)
}

fn plain_number(spelled: &str, value: f64) -> String {
    // Beyond these JavaScript writes an exponent, which configuration has no use for.
    match value.abs() {
        0.0 => "0".to_owned(),
        size if (1e-6..1e21).contains(&size) => value.to_string(),
        _ => spelled.to_owned(),
    }
}

fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use muster_document::Document;

    use super::*;

    fn compacted(text: &str) -> String {
        let dialect = Dialect::Json(JsonDialect::JSON_PARSE);
        let path = Arc::from(Utf8Path::new("/x.json"));
        let document = Document::parse(path, text.as_bytes(), dialect).unwrap();
        let mut out = String::new();
        compact(document.root(), &mut out, &str::to_owned);
        out
    }

    #[test]
    fn entries_are_written_as_javascript_writes_them() {
        for (text, expected) in [
            (
                r#"{ "b": [1, 2.50, -0, 1e3], "a": {"x": null, "y": true} }"#,
                r#"{"b":[1,2.5,0,1000],"a":{"x":null,"y":true}}"#,
            ),
            (
                r#"{"b": 1, "10": 2, "2": 3, "02": 4, "b": 5}"#,
                r#"{"2":3,"10":2,"b":5,"02":4}"#,
            ),
            (r#""\u00e4\/\u0001\n<é>""#, "\"ä/\\u0001\\n<é>\""),
        ] {
            assert_eq!(compacted(text), expected);
        }
    }
}
