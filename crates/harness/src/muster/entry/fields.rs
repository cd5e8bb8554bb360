//! Values of an entry by their type, with the words for those of another.

use std::time::Duration;

use muster_core::{Sourced, Status};
use muster_document::{Node, Place, Secret, Shown, Value};

use super::super::rules;
use super::{Look, Problem};

impl Look<'_> {
    pub(super) fn text(&mut self, key: &str) -> Option<Sourced<Secret>> {
        let value = self.get(key)?;
        if value.as_str().is_none() {
            self.mistyped(key, value, "a string");
        }
        self.sourced(key, value)
    }

    pub(super) fn texts(&mut self, key: &str) -> Vec<Sourced<Secret>> {
        let Some(list) = self.get(key) else {
            return Vec::new();
        };
        if list.as_array().is_none() {
            self.mistyped(key, list, "a list of strings");
        }
        let items = list.as_array().unwrap_or_default();
        if let Some((at, odd)) = items
            .iter()
            .enumerate()
            .find(|(_, item)| item.as_str().is_none())
        {
            self.mistyped(&format!("{key}[{at}]"), odd, "a string");
        }
        let texts = items.iter();
        texts.filter_map(|item| self.sourced(key, item)).collect()
    }

    pub(super) fn record(&mut self, key: &str) -> Vec<(String, Sourced<Secret>)> {
        let Some(record) = self.get(key) else {
            return Vec::new();
        };
        if !record.is_table() {
            self.mistyped(key, record, "an object of strings");
        }
        let members = record.effective_members();
        if let Some(odd) = members
            .iter()
            .find(|member| member.value.as_str().is_none())
        {
            let path = format!("{key}.{}", Shown(&odd.key.text));
            self.mistyped(&path, &odd.value, "a string");
        }
        let texts = members.into_iter();
        texts
            .filter_map(|member| {
                let value = self.sourced(key, &member.value)?;
                Some((member.key.text.clone(), value))
            })
            .collect()
    }

    /// The duration that the number `key` gives, `unit` of which make a second.
    pub(super) fn duration(&mut self, key: &str, unit: f64) -> Option<Sourced<Duration>> {
        let value = self.get(key)?;
        let number = match &value.value {
            Value::Number(number) => Some(number.as_f64() / unit),
            _ => None,
        };
        let duration = number
            .filter(|seconds| *seconds > 0.0)
            .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        match duration {
            Some(duration) => Some(Sourced {
                value: duration,
                place: Some(self.document.place(value.span)),
            }),
            None => {
                self.mistyped(key, value, "a number above 0");
                None
            }
        }
    }

    pub(super) fn sourced(&mut self, key: &str, node: &Node) -> Option<Sourced<Secret>> {
        let text = node.as_str()?;
        let place = Some(self.document.place(node.span));
        if text.contains('\0') {
            let told = format!("{key} holds a NUL, which no program can be given");
            self.problem_at("holds a NUL", told, place.clone(), "take the NUL out");
        }
        Some(Sourced {
            value: Secret::new(text),
            place,
        })
    }

    pub(super) fn mistyped(&mut self, key: &str, node: &Node, wanted: &str) {
        let text = match (&node.value, wanted) {
            (Value::Number(_), "a number above 0") => format!("{key} is not {wanted}"),
            _ => format!("{key} is {}, not {wanted}", noun(node)),
        };
        let short = match format!("{key} is not {wanted}") {
            short if short.chars().count() <= 30 => short,
            _ => "a value of a wrong type".to_owned(),
        };
        self.problem(&short, text, node, &format!("write {key} as {wanted}"));
    }

    pub(super) fn problem(&mut self, short: &str, text: String, node: &Node, remedy: &str) {
        self.problem_at(short, text, Some(self.document.place(node.span)), remedy);
    }

    pub(super) fn problem_at(
        &mut self,
        short: &str,
        text: String,
        place: Option<Place>,
        remedy: &str,
    ) {
        self.problems.push(Problem {
            status: Status::Invalid,
            short: short.to_owned(),
            text,
            place: place.unwrap_or_else(|| self.document.place(self.node.span)),
            remedy: remedy.to_owned(),
            rule: &rules::ENTRY,
        });
    }
}

/// What a value is, with its article.
pub(super) fn noun(node: &Node) -> &'static str {
    match node.value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Datetime(_) => "a date",
        Value::Array(_) => "a list",
        Value::Table(_) => "an object",
    }
}
