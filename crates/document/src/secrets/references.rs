//! References to variables, and placeholders: text that names a secret without being one.

use super::detect;
use crate::Span;

/// Longer text in braces is no reference. It also keeps a row of opening braces from costing the square of its length.
const LONGEST: usize = 128;

/// A reference inside other text: `${NAME}`, `${env:NAME}`, `${NAME:-fallback}`, `${{ … }}`, `{env:NAME}`, `{file:PATH}`, `{{NAME}}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reference {
    pub(super) span: Span,
    /// The text used where the variable is unset: it may be a secret.
    pub(super) fallback: Option<Span>,
}

/// The references in `text` that have braces, in order. Without braces (`$NAME`) one is only told from a password when it stands alone:
/// see [`is_only`].
pub(super) fn find(text: &str) -> Vec<Reference> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        let Some(brace) = rest.find('{') else { break };
        let open = at + brace;
        let dollar = rest
            .get(..brace)
            .is_some_and(|before| before.ends_with('$'));
        match read(text, open, dollar) {
            Some(reference) => {
                at = reference.span.end;
                found.push(reference);
            }
            None => at = open + 1,
        }
    }
    found
}

/// Names of the variables in `text`; without braces only in its last word.
pub(super) fn names(text: &str) -> Vec<&str> {
    // Most texts hold none.
    if !text.bytes().any(|byte| matches!(byte, b'{' | b'$')) {
        return Vec::new();
    }
    let last = text.rsplit(char::is_whitespace).next();
    let alone = last.filter(|word| word.starts_with('$') && !word.contains('{'));
    find(text)
        .into_iter()
        .map(|reference| reference.span.of(text))
        .chain(alone)
        .filter_map(name)
        .collect()
}

/// The name in one reference.
fn name(reference: &str) -> Option<&str> {
    let start = reference.find(|c: char| c.is_ascii_alphabetic() || c == '_')?;
    let inner = reference.get(start..)?;
    inner
        .strip_prefix("env:")
        .unwrap_or(inner)
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .next()
}

/// The parts of `text` that are no reference: what stands between them and their fallbacks.
pub(super) fn literals(text: &str) -> Vec<Span> {
    let mut parts = Vec::new();
    let mut at = 0;
    for reference in find(text) {
        parts.push(Span::new(at, reference.span.start));
        parts.extend(reference.fallback);
        at = reference.span.end;
    }
    parts.push(Span::new(at, text.len()));
    parts.retain(|part| part.start < part.end);
    parts
}

/// Whether `text` consists of references alone, a scheme (`Bearer ${X}`) and light punctuation aside. Fallbacks must be judged by
/// themselves.
pub(super) fn is_only(text: &str) -> bool {
    let text = text.trim_matches([' ', '"', '\'']);
    let text = match text.split_once(' ') {
        Some((scheme, rest)) if super::names::is_scheme(scheme) => rest.trim_start(),
        _ => text,
    };
    if is_bare(text) {
        return true;
    }
    let references = find(text);
    let mut at = 0;
    for reference in &references {
        if !Span::new(at, reference.span.start)
            .of(text)
            .chars()
            .all(is_joint)
        {
            return false;
        }
        at = reference.span.end;
    }
    !references.is_empty() && Span::new(at, text.len()).of(text).chars().all(is_joint)
}

/// Whether `text` is a placeholder: `<token>`, `YOUR_TOKEN_HERE`, `xxxx`, `***`.
pub(super) fn is_placeholder(text: &str) -> bool {
    let words_only = |text: &str| {
        text.len() <= 48
            && text.chars().any(char::is_alphabetic)
            && text
                .chars()
                .all(|c| c.is_ascii_alphabetic() || matches!(c, ' ' | '-' | '_' | '.'))
    };
    if let Some(inner) = text
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'))
    {
        return words_only(inner);
    }
    if text.chars().count() >= 3
        && ['x', 'X', '*', '.', '•']
            .iter()
            .any(|filler| text.chars().all(|c| c == *filler))
    {
        return true;
    }
    // One spelling throughout: `YOUR_KEY` or `your-key`, so that a password that begins so is not taken for one.
    is_framed(text) && words_only(text) && !(has_upper(text) && has_lower(text))
}

fn is_framed(text: &str) -> bool {
    const LEADS: [&str; 7] = [
        "your_", "your-", "your ", "replace_", "replace-", "insert_", "insert-",
    ];
    const TAILS: [&str; 2] = ["_here", "-here"];
    let starts = |lead: &&str| {
        let start = text.as_bytes().get(..lead.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(lead.as_bytes()))
    };
    let ends = |tail: &&str| {
        let end = text.len().checked_sub(tail.len());
        let end = end.and_then(|at| text.as_bytes().get(at..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(tail.as_bytes()))
    };
    LEADS.iter().any(starts) || TAILS.iter().any(ends)
}

fn has_upper(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_uppercase())
}

fn has_lower(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// Characters that may stand between references without being part of a secret.
fn is_joint(c: char) -> bool {
    matches!(
        c,
        ' ' | '"' | '\'' | ':' | '/' | '-' | '_' | '.' | '@' | '=' | ',' | ';'
    )
}

/// `$NAME`, `$env:NAME`, `%NAME%`: the whole of a value. Capitals only, for a password may begin with a dollar sign.
pub(super) fn is_bare(text: &str) -> bool {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
            && name
                .chars()
                .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
            && !detect::is_suspicious(name)
    };
    let windows = text
        .strip_prefix('%')
        .and_then(|rest| rest.strip_suffix('%'));
    let shell = text
        .strip_prefix("$env:")
        .or_else(|| text.strip_prefix('$'));
    windows.is_some_and(|name| name.len() > 2 && is_name(name)) || shell.is_some_and(is_name)
}

/// The reference whose opening brace is at byte `open`.
fn read(text: &str, open: usize, dollar: bool) -> Option<Reference> {
    let start = if dollar { open - 1 } else { open };
    if text.get(open..)?.starts_with("{{") {
        let length = text
            .as_bytes()
            .get(open + 2..)?
            .windows(2)
            .take(LONGEST)
            .position(|pair| pair == b"}}")?;
        let inner = Span::new(open + 2, open + 2 + length);
        return is_path(inner.of(text).trim()).then_some(Reference {
            span: Span::new(start, inner.end + 2),
            fallback: None,
        });
    }
    let inner = Span::new(open + 1, closing(text, open)?);
    let reference = |fallback| {
        Some(Reference {
            span: Span::new(start, inner.end + 1),
            fallback,
        })
    };
    let (body, prefixed) = match inner.of(text).split_once(':') {
        Some((prefix, rest)) if is_source(prefix) => (rest, true),
        _ => (inner.of(text), false),
    };
    if inner.of(text).starts_with("file:") {
        return if body.contains(['{', '}', '\n']) {
            None
        } else {
            reference(None)
        };
    }
    if !dollar && !prefixed {
        return None;
    }
    let name = body.len()
        - body
            .trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.')
            .len();
    if !is_path(body.get(..name)?) {
        return None;
    }
    let after = body.get(name..)?;
    if after.is_empty() {
        return reference(None);
    }
    let operator = [":-", ":=", ":?", ":+", "-", "=", "?", "+"]
        .into_iter()
        .find(|operator| after.starts_with(operator))?;
    reference(Some(Span::new(
        inner.end - after.len() + operator.len(),
        inner.end,
    )))
}

/// The brace that closes the one at byte `open`.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate().skip(open).take(LONGEST) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(at),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Where harnesses take values from: `${env:X}`, `${input:x}`, `{file:x}`.
fn is_source(prefix: &str) -> bool {
    matches!(
        prefix,
        "env" | "input" | "command" | "config" | "file" | "secret" | "secrets" | "vars"
    )
}

/// A name, or names joined by dots (`secrets.TOKEN`), that is no key itself.
fn is_path(name: &str) -> bool {
    name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.')
        && !detect::is_suspicious(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_found_with_their_fallbacks() {
        let cases: [(&str, &[&str], &[&str]); 11] = [
            ("a${X}b${env:Y_2}", &["${X}", "${env:Y_2}"], &["a", "b"]),
            ("${X:-d}", &["${X:-d}"], &["d"]),
            ("${X:-${Y}}z", &["${X:-${Y}}"], &["${Y}", "z"]),
            ("${X-}", &["${X-}"], &[]),
            ("{env:X}{file:~/s.txt}", &["{env:X}", "{file:~/s.txt}"], &[]),
            ("${{ secrets.TOKEN }}", &["${{ secrets.TOKEN }}"], &[]),
            ("{{TOKEN}}", &["{{TOKEN}}"], &[]),
            ("{a:1}", &[], &["{a:1}"]),
            ("${a b}${", &[], &["${a b}${"]),
            ("${sk-abc}", &["${sk-abc}"], &["abc"]),
            ("$X", &[], &["$X"]),
        ];
        for (text, references, rest) in cases {
            assert_eq!(
                find(text)
                    .iter()
                    .map(|r| r.span.of(text))
                    .collect::<Vec<_>>(),
                references,
                "{text}"
            );
            assert_eq!(
                literals(text)
                    .iter()
                    .map(|s| s.of(text))
                    .collect::<Vec<_>>(),
                rest,
                "{text}"
            );
        }
    }

    #[test]
    fn names_of_the_variables() {
        for (text, expected) in [
            ("a${X}b${env:Y_2:-z}", &["X", "Y_2"][..]),
            ("Bearer $TOKEN", &["TOKEN"]),
            ("{env:A} {{B}}", &["A", "B"]),
            ("pa$WORD", &[]),
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
    }

    #[test]
    fn values_of_references_alone() {
        for text in [
            "${X}",
            "$X",
            "$env:TOKEN",
            "%TOKEN%",
            "Bearer ${X}",
            "bearer $TOKEN",
            "{env:X}",
            "${A}:${B}",
            "\"${X}\"",
            "${X:-abc}",
        ] {
            assert!(is_only(text), "{text}");
        }
        for text in [
            "",
            "abc",
            "$x9k",
            "${X}a",
            "Bearer abc",
            "$$AB",
            "%A%",
            "Bearer",
            "pa$WORD",
            "{X}",
            "$A1B2C3D4E5F6G7H8I9J0K1",
        ] {
            assert!(!is_only(text), "{text}");
        }
    }

    #[test]
    fn placeholders() {
        for text in [
            "<token>",
            "<your api-key>",
            "YOUR_TOKEN_HERE",
            "your-api-key",
            "xxxx",
            "***",
            "TOKEN_HERE",
            "REPLACE_ME",
        ] {
            assert!(is_placeholder(text), "{text}");
        }
        for text in [
            "<a8f3>",
            "yourPass-Word",
            "your_hunter2",
            "x",
            "token",
            "<>",
        ] {
            assert!(!is_placeholder(text), "{text}");
        }
    }
}
