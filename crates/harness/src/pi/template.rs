//! Values of `env` and `headers`: variables in them, and commands that give them.

use muster_core::Environment;

/// How long a value may grow by its variables, in bytes.
const LONGEST: usize = 1 << 20;

/// What becomes of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value<'t> {
    /// This text.
    Text(String),
    /// What a shell command prints; it is never run here.
    Command(&'t str),
    /// Nothing: these variables are unset or empty, each once, in order.
    Missing(Vec<&'t str>),
}

impl<'t> Value<'t> {
    /// What Pi makes of `written`, with its own variables before `env`. Observed on 1.6.0: what an entry sets itself is not asked,
    /// `${NAME:-default}` and `${env:NAME}` stay as they are, `$$` is `$` and `$!` is `!`.
    pub(super) fn of(written: &'t str, env: &Environment) -> Value<'t> {
        if let Some(command) = written.strip_prefix('!') {
            return Value::Command(command);
        }
        let mut text = String::with_capacity(written.len());
        let mut missing: Vec<&str> = Vec::new();
        let mut rest = written;
        // Once a brace has no end, no later one has.
        let mut closed = true;
        while let Some((before, after)) = rest.split_once('$') {
            text.push_str(before);
            let (part, tail) = Part::read(after, &mut closed);
            match part {
                Part::Literal(literal) => text.push_str(literal),
                Part::Dollar => text.push('$'),
                Part::Braces(odd) => text.extend(["${", odd, "}"]),
                Part::Variable(name) => match value(name, env) {
                    Some(value) if text.len() < LONGEST.max(written.len()) => text.push_str(value),
                    Some(_) => {}
                    None if missing.contains(&name) => {}
                    None => missing.push(name),
                },
            }
            rest = tail;
        }
        text.push_str(rest);
        match missing.is_empty() {
            true => Value::Text(text),
            false => Value::Missing(missing),
        }
    }
}

/// Pi sets two variables for itself before it reads anything.
fn value<'e>(name: &str, env: &'e Environment) -> Option<&'e str> {
    let own = OWN_VARIABLES.iter().find(|(own, _)| *own == name);
    own.map(|(_, value)| *value).or_else(|| env.filled(name))
}

/// What Pi puts into its own environment, and so into that of every server.
pub(super) const OWN_VARIABLES: [(&str, &str); 2] =
    [("AI_AGENT", "pi"), ("PI_CODING_AGENT", "true")];

/// What a `$` begins.
enum Part<'t> {
    Literal(&'t str),
    Dollar,
    /// What stands in braces that name no variable.
    Braces(&'t str),
    Variable(&'t str),
}

impl<'t> Part<'t> {
    /// Reads what follows a `$`, and gives the rest. `closed` turns false where no `}` follows at all.
    fn read(after: &'t str, closed: &mut bool) -> (Part<'t>, &'t str) {
        for literal in ["$", "!"] {
            if let Some(tail) = after.strip_prefix(literal) {
                return (Part::Literal(literal), tail);
            }
        }
        if let Some(inside) = after.strip_prefix('{').filter(|_| *closed) {
            match inside.split_once('}') {
                Some((name, tail)) if name_length(name) == name.len() && !name.is_empty() => {
                    return (Part::Variable(name), tail);
                }
                Some((odd, tail)) => return (Part::Braces(odd), tail),
                None => *closed = false,
            }
        }
        match after.split_at_checked(name_length(after)) {
            Some((name, tail)) if !name.is_empty() => (Part::Variable(name), tail),
            _ => (Part::Dollar, after),
        }
    }
}

/// How many bytes at the start of `text` are a variable's name.
fn name_length(text: &str) -> usize {
    let letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    match text.bytes().next() {
        Some(first) if letter(&first) && !first.is_ascii_digit() => {
            text.bytes().take_while(letter).count()
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Value<'_> {
        let env = [
            ("SRC", "val"),
            ("EMPTY", ""),
            ("NEST", "$SRC"),
            ("AI_AGENT", "x"),
        ]
        .into_iter()
        .collect();
        Value::of(text, &env)
    }

    #[test]
    fn variables_and_what_only_looks_like_one() {
        for (written, expected) in [
            ("pre-$SRC-post ${SRC}${SRC}", "pre-val-post valval"),
            ("$$SRC $!x $", "$SRC !x $"),
            (
                "${not valid} ${} ${1} $1 ${SRC:-d} ${env:SRC}",
                "${not valid} ${} ${1} $1 ${SRC:-d} ${env:SRC}",
            ),
            ("${unclosed $SRC ${", "${unclosed val ${"),
            ("$NEST", "$SRC"),
            ("${AI_AGENT}", "pi"),
            ("a !echo no", "a !echo no"),
            ("", ""),
        ] {
            assert_eq!(of(written), Value::Text(expected.to_owned()), "{written}");
        }
        assert_eq!(of("!echo $SRC"), Value::Command("echo $SRC"));
    }

    #[test]
    fn what_is_unset_or_empty_is_named_once() {
        assert_eq!(of("$A ${EMPTY} $A"), Value::Missing(vec!["A", "EMPTY"]));
    }

    #[test]
    fn a_value_does_not_grow_without_end() {
        let env = [("LONG", "x".repeat(10_000))].into_iter().collect();
        let written = "${LONG}".repeat(100_000);
        assert!(matches!(Value::of(&written, &env), Value::Text(text) if text.len() < 2 * LONGEST));
        assert_eq!(of(&"${".repeat(500_000)), Value::Text("${".repeat(500_000)));
    }
}
