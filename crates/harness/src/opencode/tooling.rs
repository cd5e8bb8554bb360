//! Which tools the model sees, and under which names: `tools` and `permission` of the merged configuration. Observed on 1.18.33; the order
//! of the rules is read from the program.

use std::sync::Arc;

use camino::Utf8Path;
use muster_core::World;
use muster_document::{Dialect, Document, JsonDialect, Node};

use super::account::Account;
use super::schema::own;

/// The pattern of tool names.
pub(super) const TOOL_NAMES: &str = "<server>_<tool>";

/// The name under which the model sees `tool` of `server`.
pub(super) fn tool_name(server: &str, tool: &str) -> String {
    format!("{}_{}", plain(server), plain(tool))
}

/// A name as it stands in a tool's name: characters other than letters, digits, `_` and `-` become `_`, one for each of JavaScript's.
fn plain(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            c if c.is_ascii_alphanumeric() || c == '_' || c == '-' => out.push(c),
            c => out.extend(std::iter::repeat_n('_', c.len_utf16())),
        }
    }
    out
}

/// What is said of tools, in the order in which it counts: of those that speak of a tool the last decides.
#[derive(Debug, Default)]
pub(super) struct Filters {
    /// A pattern of tool names, and whether it hides what it matches.
    rules: Vec<(String, bool)>,
}

/// The tools of one server that are left, by the server's own names or patterns of them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Left {
    pub(super) only: Option<Vec<String>>,
    pub(super) without: Vec<String>,
    /// Hidden by a pattern, and offered all the same.
    pub(super) again: Vec<String>,
}

/// `permission` after the merge: in order, a tool's pattern with one action or one for each of several patterns.
#[derive(Debug, Clone)]
enum Action {
    One(String),
    Several(Vec<(String, String)>),
}

impl Filters {
    pub(super) fn of(account: &Account<'_>, world: &World<'_>) -> Filters {
        let mut tools: Vec<(String, Action)> = Vec::new();
        let mut permission: Vec<(String, Action)> = Vec::new();
        for (_, _, root) in account.good() {
            root.get("tools")
                .into_iter()
                .for_each(|node| lay_tools(&mut tools, node));
            root.get("permission")
                .into_iter()
                .for_each(|node| lay_permission(&mut permission, node));
        }
        let env = world.env.filled("OPENCODE_PERMISSION").and_then(json);
        env.iter()
            .for_each(|env| lay_permission(&mut permission, env.root()));
        for (name, action) in permission {
            put(&mut tools, &name, action);
        }
        let rules = tools.into_iter().flat_map(|(name, action)| match action {
            Action::One(action) => vec![(name, action == "deny")],
            Action::Several(several) => several
                .into_iter()
                .map(|(pattern, action)| (name.clone(), pattern == "*" && action == "deny"))
                .collect(),
        });
        Filters {
            rules: rules.collect(),
        }
    }

    /// What is left of the tools of `server`.
    pub(super) fn left(&self, server: &str) -> Left {
        let prefix = format!("{}_", plain(server));
        let mut left = Left::default();
        for (pattern, hides) in &self.rules {
            let rest = remainders(pattern, &prefix);
            let all = rest.iter().any(|rest| rest == "*");
            match (all, hides) {
                (true, true) => {
                    left.without = vec!["*".to_owned()];
                    left.again.clear();
                }
                (true, false) => left = Left::default(),
                (false, true) => {
                    left.again.retain(|known| !rest.contains(known));
                    let new = rest.into_iter().filter(|rest| !left.without.contains(rest));
                    let new: Vec<_> = new.collect();
                    left.without.extend(new);
                }
                (false, false) => {
                    left.without.retain(|known| !rest.contains(known));
                    if !left.without.is_empty() {
                        left.again.extend(rest);
                    }
                }
            }
        }
        if left.without == ["*"] && !left.again.is_empty() {
            return Left {
                only: Some(left.again),
                ..Left::default()
            };
        }
        left
    }
}

fn json(text: &str) -> Option<Document> {
    let dialect = Dialect::Json(JsonDialect::JSON_PARSE);
    Document::parse(Arc::from(Utf8Path::new("")), text.as_bytes(), dialect).ok()
}

fn put(list: &mut Vec<(String, Action)>, name: &str, action: Action) {
    match list.iter_mut().find(|(known, _)| known == name) {
        Some((_, old)) => match (old, action) {
            (Action::Several(old), Action::Several(new)) => {
                for (pattern, action) in new {
                    match old.iter_mut().find(|(known, _)| *known == pattern) {
                        Some((_, old)) => *old = action,
                        None => old.push((pattern, action)),
                    }
                }
            }
            (old, action) => *old = action,
        },
        None => list.push((name.to_owned(), action)),
    }
}

fn lay_tools(list: &mut Vec<(String, Action)>, node: &Node) {
    for member in own(node) {
        let name = match member.key.text.as_str() {
            "write" | "edit" | "patch" => "edit",
            name => name,
        };
        let action = match member.value.as_bool() {
            Some(true) => "allow",
            _ => "deny",
        };
        put(list, name, Action::One(action.to_owned()));
    }
}

fn lay_permission(list: &mut Vec<(String, Action)>, node: &Node) {
    if let Some(action) = node.as_str() {
        return put(list, "*", Action::One(action.to_owned()));
    }
    for member in own(node) {
        let action = match member.value.as_str() {
            Some(action) => Action::One(action.to_owned()),
            None => Action::Several(
                own(&member.value)
                    .into_iter()
                    .filter_map(|inner| {
                        Some((inner.key.text.clone(), inner.value.as_str()?.to_owned()))
                    })
                    .collect(),
            ),
        };
        put(list, &member.key.text, action);
    }
}

/// What is left of `pattern` (`*` and `?`) after it has matched `prefix`: the patterns of what may follow. Empty where it cannot match.
fn remainders(pattern: &str, prefix: &str) -> Vec<String> {
    let pattern: Vec<char> = pattern.chars().collect();
    let mut states = vec![0];
    skip_stars(&pattern, &mut states);
    for c in prefix.chars() {
        let mut next = Vec::new();
        for state in states {
            match pattern.get(state) {
                Some('*') => next.push(state),
                Some('?') => next.push(state + 1),
                Some(wanted) if *wanted == c => next.push(state + 1),
                _ => {}
            }
        }
        skip_stars(&pattern, &mut next);
        states = next;
    }
    let mut rests: Vec<String> = states
        .into_iter()
        .filter_map(|state| pattern.get(state..))
        // An empty rest matches no tool: each has a name.
        .filter(|rest| !rest.is_empty())
        .map(|rest| rest.iter().collect())
        .collect();
    rests.sort();
    rests.dedup();
    if rests.iter().any(|rest| rest == "*") {
        return vec!["*".to_owned()];
    }
    // What a leading star stands for includes what comes without it.
    let starred: Vec<String> = rests
        .iter()
        .filter_map(|rest| rest.strip_prefix('*').map(str::to_owned))
        .collect();
    rests.retain(|rest| !starred.contains(rest));
    rests
}

/// Adds the states that are reached by letting a star stand for nothing.
fn skip_stars(pattern: &[char], states: &mut Vec<usize>) {
    let mut at = 0;
    while let Some(state) = states.get(at).copied() {
        let next = state + 1;
        if pattern.get(state) == Some(&'*') && !states.contains(&next) {
            states.push(next);
        }
        at += 1;
    }
    states.sort_unstable();
    states.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_of_plain_characters() {
        assert_eq!(tool_name("a.b", "x y"), "a_b_x_y");
        assert_eq!(tool_name("né😀-1", "t"), "n___-1_t");
    }

    fn left(rules: &[(&str, bool)], server: &str) -> Left {
        let rules = rules
            .iter()
            .map(|(pattern, hides)| ((*pattern).to_owned(), *hides))
            .collect();
        Filters { rules }.left(server)
    }

    #[test]
    fn the_last_rule_that_speaks_of_a_tool_decides() {
        let texts = |list: &[&str]| {
            list.iter()
                .map(|text| (*text).to_owned())
                .collect::<Vec<_>>()
        };
        let of = |without: &[&str]| Left {
            without: texts(without),
            ..Left::default()
        };
        assert_eq!(left(&[("a_*", true)], "a"), of(&["*"]));
        assert_eq!(left(&[("a_*", true)], "b"), Left::default());
        assert_eq!(left(&[("a_ping", true), ("b_x", true)], "a"), of(&["ping"]));
        assert_eq!(left(&[("*_ping", true)], "a"), of(&["*_ping", "ping"]));
        assert_eq!(left(&[("a*ng", true)], "a"), of(&["*ng"]));
        assert_eq!(left(&[("*", true), ("a*", false)], "a"), Left::default());
        let only = Left {
            only: Some(texts(&["ping"])),
            ..Left::default()
        };
        assert_eq!(left(&[("a_*", true), ("a_ping", false)], "a"), only);
        let again = Left {
            without: texts(&["p*"]),
            again: texts(&["ping"]),
            ..Left::default()
        };
        assert_eq!(left(&[("a_p*", true), ("a_ping", false)], "a"), again);
    }
}
