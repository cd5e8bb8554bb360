//! `mcp.serverCommand`: a command line in the settings that becomes a server called `mcp`.

/// What is put in place of a variable: its name and how it is written are given.
type Fill<'f> = &'f dyn Fn(&str, &str) -> String;

/// The name of the server that it makes.
pub(super) const NAME: &str = "mcp";

/// The words of `line`, as `shell-quote` splits it: quotes, backslashes and variables count. `None` where it holds
/// an operator, a pattern or a comment, on which Gemini CLI fails. Observed on 0.61.0.
pub(super) fn words(line: &str, fill: Fill<'_>) -> Option<Vec<String>> {
    let chars: Vec<char> = line.chars().collect();
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(c) = chars.get(at).copied() {
        if c.is_whitespace() {
            at += 1;
        } else if is_control(c) {
            return None;
        } else {
            words.push(word(&chars, &mut at, fill)?);
        }
    }
    Some(words)
}

fn is_control(c: char) -> bool {
    matches!(c, '&' | ';' | '(' | ')' | '|' | '<' | '>')
}

/// One word, up to a blank or an operator.
fn word(chars: &[char], at: &mut usize, fill: Fill<'_>) -> Option<String> {
    let mut out = String::new();
    let mut quote = None;
    while let Some(c) = chars.get(*at).copied() {
        if quote.is_none() && (c.is_whitespace() || is_control(c)) {
            break;
        }
        *at += 1;
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (Some('\''), c) => out.push(c),
            (Some(_), '\\') => {
                let next = chars.get(*at).copied();
                *at += 1;
                match next {
                    Some(next @ ('"' | '\\' | '$')) => out.push(next),
                    Some(next) => out.extend(['\\', next]),
                    None => out.push('\\'),
                }
            }
            (None, '"' | '\'') => {
                // A quote that is never closed is passed over.
                quote = chars.get(*at..)?.contains(&c).then_some(c);
            }
            (None, '\\') => {
                out.extend(chars.get(*at));
                *at += 1;
            }
            (_, '$') => out.push_str(&variable(chars, at, fill)?),
            (None, '*' | '?' | '#') => return None,
            (_, c) => out.push(c),
        }
    }
    Some(out)
}

fn variable(chars: &[char], at: &mut usize, fill: Fill<'_>) -> Option<String> {
    let rest = chars.get(*at..)?;
    let (name, length): (String, usize) = match rest.first() {
        Some('{') => {
            let end = rest.iter().position(|c| *c == '}').filter(|end| *end > 1)?;
            (rest.get(1..end)?.iter().collect(), end + 1)
        }
        Some(c) if c.is_ascii_alphanumeric() || *c == '_' => {
            let name: String = rest
                .iter()
                .take_while(|c| c.is_ascii_alphanumeric() || **c == '_')
                .collect();
            let length = name.len();
            (name, length)
        }
        _ => return Some("$".to_owned()),
    };
    let spelling: String = std::iter::once(&'$')
        .chain(rest.iter().take(length))
        .collect();
    *at += length;
    Some(fill(&name, &spelling))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let fill = |name: &str, _: &str| {
            if name == "A" {
                "scx".to_owned()
            } else {
                String::new()
            }
        };
        for (line, expected) in [
            (
                "python3 x.py 'two words'",
                Some(vec!["python3", "x.py", "two words"]),
            ),
            (
                "a '$A' \"$A\" $A ${A}b $NONE",
                Some(vec!["a", "$A", "scx", "scx", "scxb", ""]),
            ),
            ("a\\ b \"c\\\"d\" e\"f\"g", Some(vec!["a b", "c\"d", "efg"])),
            ("  ", Some(vec![])),
            ("python3 | cat", None),
            ("python3 *", None),
            ("python3 # x", None),
        ] {
            let expected = expected.map(|words| words.into_iter().map(str::to_owned).collect());
            assert_eq!(words(line, &fill), expected, "{line}");
        }
        let written = words("a \"$A ${B}\"", &|_, spelling| spelling.to_owned());
        assert_eq!(written, Some(vec!["a".to_owned(), "$A ${B}".to_owned()]));
    }
}
