//! What `+`, `-` and `!` before the words of a list of extensions switch on and off.

use camino::Utf8Path;
use muster_core::{World, normalize};

use super::ground::expand_home;

/// One such word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pattern<'t> {
    /// `+` and `-` name one thing exactly, `!` takes wildcards.
    kind: char,
    text: &'t str,
}

/// Something that may be switched off.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target<'t> {
    /// Its whole path, or `builtin:NAME`.
    pub(super) path: &'t str,
    /// Its path from the folder of the settings, where it has one.
    pub(super) relative: Option<&'t str>,
}

impl<'t> Pattern<'t> {
    /// The pattern in `word`; `None` where it names something to load.
    pub(super) fn read(word: &'t str) -> Option<Pattern<'t>> {
        let kind = word.chars().next()?;
        let text = word.strip_prefix(['+', '-', '!'])?;
        Some(Pattern { kind, text })
    }

    /// Whether `word` says only what of other words is to be loaded.
    pub(super) fn is_one(word: &str) -> bool {
        word.starts_with(['+', '-', '!']) || word.contains(['*', '?'])
    }

    fn matches(self, target: Target<'_>, world: &World<'_>) -> bool {
        let text = match self.kind {
            '!' => self.text,
            _ => self.text.strip_prefix("./").unwrap_or(self.text),
        };
        let text = expand_home(text, world);
        let mut names = [Some(target.path), target.relative].into_iter().flatten();
        match self.kind {
            '!' => {
                let name = Utf8Path::new(target.path).file_name();
                names.chain(name).any(|name| glob(&text, name))
            }
            _ => names.any(|name| name == text),
        }
    }
}

/// The word of the user's settings that keeps `target` from loading, if one does: `-` is stronger than `+`, and `+` than `!`.
pub(super) fn off_by<'w, T: Copy>(
    words: &[(&'w str, T)],
    target: Target<'_>,
    world: &World<'_>,
) -> Option<(&'w str, T)> {
    let last_of = |kind: char| {
        words.iter().copied().find(|(word, _)| {
            Pattern::read(word)
                .is_some_and(|pattern| pattern.kind == kind && pattern.matches(target, world))
        })
    };
    last_of('-').or_else(|| last_of('!').filter(|_| last_of('+').is_none()))
}

/// The word of a project's settings that decides about `target`, and whether it switches it on: the last that speaks of it.
pub(super) fn decided_by<'w, T: Copy>(
    words: &[(&'w str, T)],
    target: Target<'_>,
    world: &World<'_>,
) -> Option<(bool, &'w str, T)> {
    let decides = |(word, extra): &(&'w str, T)| {
        let pattern = Pattern::read(word)?;
        let matches = pattern.matches(target, world);
        matches.then_some((pattern.kind == '+', *word, *extra))
    };
    words.iter().rev().find_map(decides)
}

/// Whether `text` matches `pattern`: `*` and `?` stand for characters of one segment, `**` for any segments. Hidden names need their dot.
fn glob(pattern: &str, text: &str) -> bool {
    let pattern: Vec<&str> = pattern.split('/').collect();
    let text: Vec<&str> = text.split('/').collect();
    segments(&pattern, &text)
}

/// Linear in both but for the last `**`: an earlier one never has to give back what it took.
fn segments(pattern: &[&str], text: &[&str]) -> bool {
    let (mut at, mut from) = (0, 0);
    let mut open: Option<(usize, usize)> = None;
    while let Some(segment) = text.get(from) {
        match pattern.get(at) {
            Some(&"**") => {
                open = Some((at + 1, from));
                at += 1;
            }
            Some(wanted) if one_segment(wanted, segment) => {
                at += 1;
                from += 1;
            }
            _ => match open {
                Some((after, taken)) if !hidden(text.get(taken)) => {
                    open = Some((after, taken + 1));
                    at = after;
                    from = taken + 1;
                }
                _ => return false,
            },
        }
    }
    pattern
        .get(at..)
        .unwrap_or_default()
        .iter()
        .all(|rest| *rest == "**")
}

fn hidden(segment: Option<&&str>) -> bool {
    segment.is_some_and(|segment| segment.starts_with('.'))
}

fn one_segment(pattern: &str, text: &str) -> bool {
    if text.starts_with('.') && !pattern.starts_with('.') {
        return false;
    }
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut at, mut from) = (0, 0);
    let mut open: Option<(usize, usize)> = None;
    while let Some(letter) = text.get(from) {
        match pattern.get(at) {
            Some('*') => {
                open = Some((at + 1, from));
                at += 1;
            }
            Some(wanted) if *wanted == '?' || wanted == letter => {
                at += 1;
                from += 1;
            }
            _ => match open {
                Some((after, taken)) => {
                    open = Some((after, taken + 1));
                    at = after;
                    from = taken + 1;
                }
                None => return false,
            },
        }
    }
    pattern
        .get(at..)
        .unwrap_or_default()
        .iter()
        .all(|rest| *rest == '*')
}

/// `path` as it is called from `base`, if it lies in it.
pub(super) fn relative(path: &Utf8Path, base: &Utf8Path) -> Option<String> {
    let path = normalize(path);
    path.strip_prefix(base).ok().map(ToString::to_string)
}

#[cfg(test)]
mod tests {
    use muster_testkit::Stage;

    use super::*;

    const MCP: Target<'_> = Target {
        path: "builtin:mcp",
        relative: None,
    };

    #[test]
    fn what_switches_the_built_in_support_off() {
        let stage = Stage::new("");
        let world = stage.world();
        for (words, off) in [
            (vec!["-builtin:mcp"], true),
            (vec!["!builtin:*"], true),
            (vec!["!**"], true),
            (vec!["!*", "+builtin:mcp"], false),
            (vec!["+builtin:mcp", "-builtin:mcp"], true),
            (
                vec!["-builtin:codemode", "-mcp", "builtin:mcp", "-builtin:*"],
                false,
            ),
        ] {
            let words: Vec<_> = words.into_iter().map(|word| (word, ())).collect();
            assert_eq!(off_by(&words, MCP, &world).is_some(), off, "{words:?}");
        }
        let words = [("-builtin:mcp", ()), ("+builtin:mcp", ())];
        assert_eq!(
            decided_by(&words, MCP, &world).map(|(on, ..)| on),
            Some(true)
        );
    }

    #[test]
    fn wildcards() {
        for (pattern, text, fits) in [
            ("*.js", "mine.js", true),
            ("*.js", "a/mine.js", false),
            ("**/mine.js", "a/b/mine.js", true),
            ("**/mine.js", "mine.js", true),
            ("extensions/**", "extensions/a/b.ts", true),
            ("*", ".hidden", false),
            ("m?ne.*s", "mine.ts", true),
            ("*a*b", "xaxxab", true),
        ] {
            assert_eq!(glob(pattern, text), fits, "{pattern} {text}");
        }
    }
}
