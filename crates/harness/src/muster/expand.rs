//! `${NAME}` and `${NAME:-default}`.

use muster_core::Environment;

/// How long a text may grow by its variables, in bytes: a file may name a long one a hundred thousand times.
const LONGEST: usize = 1 << 20;

/// Names of variables that are unset and have no default, in the order of their first use.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Missing {
    names: Vec<String>,
}

impl Missing {
    /// Enters a name, once.
    pub(super) fn add(&mut self, name: &str) {
        // Names are few: past this many, more of them say nothing more.
        if self.names.len() < 32 && !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
        }
    }

    /// The names.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }
}

/// `text` with its variables filled in. A variable that is set to nothing is set; what is put in is not looked at again.
pub(super) fn expand(text: &str, env: &Environment, missing: &mut Missing) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // Once a default has no end, no later one has.
    let mut closed = true;
    while let Some((before, after)) = rest
        .split_once("${")
        .filter(|_| out.len() < LONGEST.max(text.len()))
    {
        out.push_str(before);
        let Some((name, default, tail)) = reference(after, &mut closed) else {
            out.push_str("${");
            rest = after;
            continue;
        };
        match env.get(name).or(default) {
            Some(value) => out.push_str(value),
            None => missing.add(name),
        }
        rest = tail;
    }
    out.push_str(rest);
    out
}

/// The name and default of a reference whose opening was read, and what follows it.
fn reference<'t>(after: &'t str, closed: &mut bool) -> Option<(&'t str, Option<&'t str>, &'t str)> {
    let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let (name, rest) = after.split_at_checked(end?)?;
    if !is_name(name) {
        return None;
    }
    if let Some(tail) = rest.strip_prefix('}') {
        return Some((name, None, tail));
    }
    let default = rest.strip_prefix(":-").filter(|_| *closed)?;
    match default.split_once('}') {
        Some((default, tail)) => Some((name, Some(default), tail)),
        None => {
            *closed = false;
            None
        }
    }
}

/// Whether `name` is a variable's name: a letter or `_`, then letters, digits and `_`.
pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_filled_in_and_other_text_stays() {
        let env: Environment = [("A", "1"), ("EMPTY", ""), ("DEEP", "${A}")]
            .into_iter()
            .collect();
        for (text, expected, missing) in [
            ("${A}-${A}", "1-1", ""),
            ("x${EMPTY:-d}y", "xy", ""),
            ("${NO:-d:-e}", "d:-e", ""),
            ("${NO:-}|", "|", ""),
            ("${DEEP}", "${A}", ""),
            ("${NO}${NO}${OTHER}", "", "NO OTHER"),
            (
                "$A ${1} ${A-x} ${env:A} ${ A}",
                "$A ${1} ${A-x} ${env:A} ${ A}",
                "",
            ),
            ("${A:-x", "${A:-x", ""),
            ("${", "${", ""),
            ("${${A}", "${1", ""),
        ] {
            let mut found = Missing::default();
            assert_eq!(expand(text, &env, &mut found), expected, "{text}");
            assert_eq!(found.names().join(" "), missing, "{text}");
        }
    }
}
