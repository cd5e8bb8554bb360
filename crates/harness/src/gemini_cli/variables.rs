//! Variables in texts: those of settings, of extensions, and what is done once more when a server is started.

use std::borrow::Cow;
use std::collections::HashSet;

use muster_core::{Environment, Reason};
use muster_document::{Node, Shown};

use super::entry::Config;
use super::rules;

/// How long a text may grow by its variables, in bytes: a file may name a long one a hundred thousand times.
const LONGEST: usize = 1 << 20;

/// `$NAME`, `${NAME}` and `${NAME:-default}` replaced by what `value` gives, in one pass; what is unset and has no default stays as it is
/// written. Observed on 0.61.0: there is no escape.
pub(super) fn fill<'t>(text: &'t str, value: impl Fn(&str) -> Option<String>) -> Cow<'t, str> {
    if !text.contains('$') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // Once a brace is never closed, no later one is.
    let mut closed = true;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        match reference(after, &mut closed).filter(|_| out.len() < LONGEST.max(text.len())) {
            Some(reference) => {
                match value(reference.name).or(reference.default.map(str::to_owned)) {
                    Some(value) => out.push_str(&value),
                    None => {
                        out.push('$');
                        out.push_str(reference.spelling);
                    }
                }
                rest = reference.tail;
            }
            None => {
                out.push('$');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// What `env` holds for `name`.
pub(super) fn of_environment(env: &Environment) -> impl Fn(&str) -> Option<String> {
    |name| env.get(name).map(str::to_owned)
}

/// A reference to a variable, found after its `$`.
struct Reference<'t> {
    name: &'t str,
    default: Option<&'t str>,
    /// As it is written, without the `$`.
    spelling: &'t str,
    /// What follows it.
    tail: &'t str,
}

/// `\$(?:(\w+)|{([^}]+?)(?::-([^}]*))?})`, the expression of the real program.
fn reference<'t>(after: &'t str, closed: &mut bool) -> Option<Reference<'t>> {
    if let Some(inner) = after.strip_prefix('{') {
        let found = if *closed { inner.split_once('}') } else { None };
        *closed = found.is_some();
        let (inside, tail) = found?;
        let (name, default) = match inside.split_once(":-") {
            Some((name, default)) if !name.is_empty() => (name, Some(default)),
            _ => (inside, None),
        };
        return (!name.is_empty()).then(|| Reference {
            name,
            default,
            spelling: after.get(..inside.len() + 2).unwrap_or_default(),
            tail,
        });
    }
    let length = after
        .bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        .count();
    let (name, tail) = after.split_at_checked(length)?;
    (!name.is_empty()).then_some(Reference {
        name,
        default: None,
        spelling: name,
        tail,
    })
}

/// `${KEY}` replaced by what `value` gives, whatever stands between the braces: the first pass over an extension's texts.
pub(super) fn hydrate<'t>(text: &'t str, value: impl Fn(&str) -> Option<String>) -> Cow<'t, str> {
    if !text.contains("${") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        out.push_str(before);
        let Some((key, tail)) = after.split_once('}').filter(|(key, _)| !key.contains('\n')) else {
            out.push_str("${");
            rest = after;
            if !after.contains('}') {
                break;
            }
            continue;
        };
        match value(key).filter(|_| out.len() < LONGEST.max(text.len())) {
            Some(value) => out.push_str(&value),
            None => {
                out.push_str("${");
                out.push_str(key);
                out.push('}');
            }
        }
        rest = tail;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// What `dotenv-expand` makes of `text`: values of variables and of headers go through it when their server is started. `unset` is told
/// every name that has no value and no default; nothing is put in its place.
pub(super) fn expand(
    text: &str,
    env: &dyn Fn(&str) -> Option<String>,
    unset: &mut dyn FnMut(&str),
) -> String {
    let mut result = text.to_owned();
    let mut seen: HashSet<String> = HashSet::new();
    // A value may hold further references, and they are followed: a bound stands for the real program's patience.
    for _ in 0..1000 {
        if result.len() > LONGEST {
            break;
        }
        let Some((template, expression)) = next_reference(&result) else {
            break;
        };
        seen.insert(result.clone());
        let (key, splitter, default) = split(&expression);
        let value = env(key).filter(|value| !value.is_empty());
        let replacement = match (splitter, value) {
            (Some(":+" | "+"), Some(_)) => default.to_owned(),
            (Some(":+" | "+"), None) => String::new(),
            (_, Some(value)) if !seen.contains(&value) => value,
            (splitter, value) => {
                if splitter.is_none() && value.is_none() && env(key).is_none() {
                    unset(key);
                }
                default.to_owned()
            }
        };
        result = result.replacen(&template, &replacement, 1);
    }
    result.replace("\\$", "$")
}

/// The first `${…}` or `$NAME` that no backslash stands before: the reference itself and what is in it.
fn next_reference(text: &str) -> Option<(String, String)> {
    let mut from = 0;
    while let Some(at) = text.get(from..)?.find('$').map(|at| from + at) {
        from = at + 1;
        if text.get(..at)?.ends_with('\\') {
            continue;
        }
        let after = text.get(at + 1..)?;
        if let Some(inner) = after.strip_prefix('{') {
            let end = inner.find(['{', '}']);
            if let Some(end) =
                end.filter(|end| *end > 0 && inner.as_bytes().get(*end) == Some(&b'}'))
            {
                let expression = inner.get(..end)?;
                return Some((format!("${{{expression}}}"), expression.to_owned()));
            }
            continue;
        }
        let length = after
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
            .count();
        let name = after.get(..length)?;
        if !name.is_empty() && !name.starts_with(|first: char| first.is_ascii_digit()) {
            return Some((format!("${name}"), name.to_owned()));
        }
    }
    None
}

/// An expression as name, operator and what follows it.
fn split(expression: &str) -> (&str, Option<&'static str>, &str) {
    let found = expression.char_indices().find_map(|(at, _)| {
        let rest = expression.get(at..)?;
        let splitter = [":+", "+", ":-", "-"]
            .into_iter()
            .find(|splitter| rest.starts_with(splitter))?;
        Some((at, splitter))
    });
    match found {
        Some((at, splitter)) => {
            let (key, rest) = expression.split_at(at);
            (
                key,
                Some(splitter),
                rest.get(splitter.len()..).unwrap_or_default(),
            )
        }
        None => (expression, None, ""),
    }
}

/// How many variables are named in a sentence.
const NAMED: usize = 8;

/// The variables that an entry names and that nobody sets, with what becomes of them. `read` is the environment when the file was read,
/// `late` the one after the `.env`.
pub(super) fn unset(
    config: &Config<'_, '_>,
    read: &Environment,
    late: &Environment,
) -> Option<Reason> {
    let mut kept = Vec::new();
    let mut emptied = Vec::new();
    let note = |into: &mut Vec<String>, name: &str| {
        if into.len() <= NAMED && !into.iter().any(|known| known == name) {
            into.push(name.to_owned());
        }
    };
    let mut look = |node: &Node, again: bool| {
        let Some(text) = node.as_str().filter(|text| text.contains('$')) else {
            return;
        };
        let names = std::cell::RefCell::new(Vec::new());
        let once = fill(text, |name| {
            let value = read.get(name);
            if value.is_none() && !text.contains(&format!("{{{name}:-")) {
                names.borrow_mut().push(name.to_owned());
            }
            value.map(str::to_owned)
        });
        if again {
            expand(
                &once,
                &|name| late.get(name).map(str::to_owned),
                &mut |name| note(&mut emptied, name),
            );
        } else {
            names.take().iter().for_each(|name| note(&mut kept, name));
        }
    };
    for key in ["command", "cwd", "url", "httpUrl"] {
        config
            .get(key)
            .iter()
            .for_each(|(_, value)| look(value.node, false));
    }
    let args = config
        .get("args")
        .and_then(|(_, value)| value.list())
        .unwrap_or_default();
    args.iter().for_each(|arg| look(arg.node, false));
    config
        .env()
        .iter()
        .chain(&config.headers())
        .for_each(|(_, _, value)| look(value.node, true));
    let sentence = |names: &[String], becomes: &str| {
        let shown: Vec<_> = names
            .iter()
            .take(NAMED)
            .map(|name| Shown(name).to_string())
            .collect();
        let more = if names.len() > NAMED { " and more" } else { "" };
        (!names.is_empty()).then(|| format!("{}{more} unset: {becomes}", shown.join(", ")))
    };
    let parts = [
        sentence(&kept, "passed on as written"),
        sentence(&emptied, "nothing is put in its place"),
    ];
    let text = parts.into_iter().flatten().collect::<Vec<_>>().join("; ");
    (!text.is_empty()).then(|| Reason::new(&rules::EXPANSION, "variables", text, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env() -> Environment {
        [
            ("A", "aval"),
            ("EMPTY", ""),
            ("NEST", "<$A>"),
            ("a b", "odd"),
        ]
        .into_iter()
        .collect()
    }

    #[test]
    fn in_settings() {
        let env = env();
        for (text, expected) in [
            ("$A-${A}-${A:-z}", "aval-aval-aval"),
            ("${NOPE:-d}$NOPE${NOPE}", "d$NOPE${NOPE}"),
            ("\\$A $$A", "\\aval $aval"),
            ("${EMPTY:-x}", ""),
            ("${NOPE:-}", ""),
            ("$NEST", "<$A>"),
            ("${a b}", "odd"),
            ("${NOPE:-$A}", "$A"),
            ("${:-x} ${} $ ${A", "${:-x} ${} $ ${A"),
            ("$A\u{e9}", "aval\u{e9}"),
        ] {
            assert_eq!(fill(text, of_environment(&env)), expected, "{text}");
        }
    }

    #[test]
    fn at_the_start_of_a_server() {
        let env = env();
        let at_start = |text: &str| {
            let mut missing = Vec::new();
            let value = |name: &str| env.get(name).map(str::to_owned);
            let out = expand(text, &value, &mut |name| missing.push(name.to_owned()));
            (out, missing)
        };
        for (text, expected) in [
            ("$A ${A}", "aval aval"),
            ("$NEST", "<aval>"),
            ("\\$A", "$A"),
            ("${NOPE:-d} ${NOPE-e} ${A:+y} ${NOPE:+y}", "d e y "),
            ("${EMPTY:-x}", "x"),
            ("$1 $ ${} ${a{b}}", "$1 $ ${} ${a{b}}"),
        ] {
            assert_eq!(at_start(text).0, expected, "{text}");
        }
        assert_eq!(
            at_start("a${NO}b$TOO"),
            ("ab".to_owned(), vec!["NO".to_owned(), "TOO".to_owned()])
        );
    }

    #[test]
    fn in_extensions() {
        let value = |key: &str| (key == "/" || key == "extensionPath").then(|| format!("<{key}>"));
        assert_eq!(
            hydrate("${extensionPath}${/}x${A} ${", value),
            "<extensionPath></>x${A} ${"
        );
    }

    #[test]
    fn unclosed_references_take_no_longer_than_others() {
        // Quadratic work on any of these would take minutes.
        for text in [
            "${".repeat(500_000),
            "$".repeat(500_000),
            "${A:-".repeat(300_000),
        ] {
            assert_eq!(fill(&text, |_| None).len(), text.len());
            assert_eq!(hydrate(&text, |_| None).len(), text.len());
        }
        let long = "${A} ".repeat(300_000);
        assert_eq!(fill(&long, |_| Some("aval".to_owned())).len(), long.len());
    }
}
