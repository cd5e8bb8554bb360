//! Foreign text in Markdown.
//!
//! Characters that could be markup are written as numeric character references, not with backslashes: references mean the same in
//! paragraphs and in cells of tables, where a backslash before a pipe is read by two parsers with different rules. A reference is not
//! enough for `@` and `#`, which sites turn into mentions and links to issues *after* Markdown: a zero-width space (as a reference)
//! behind them stops that. Text to be copied is better shown with [`code`], where nothing acts and nothing is added.

use std::fmt;

use super::shown::{visible, write_visible};

/// Text of somebody else as plain Markdown text, for a paragraph or a table's cell: see [`Shown::markdown`](crate::Shown::markdown).
#[derive(Clone, Copy)]
pub struct MarkdownShown<'t>(pub(super) &'t str);

impl fmt::Display for MarkdownShown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = Before::default();
        for c in visible(self.0).chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '@' | '#' => write!(f, "&#{};&#8203;", u32::from(c))?,
                _ if is_markup(c) || before.makes_markup_of(c) => write!(f, "&#{};", u32::from(c))?,
                _ => write_visible(f, c)?,
            }
            before.push(c);
        }
        Ok(())
    }
}

/// Markup anywhere in a line. `:` makes addresses and emoji, `$` formulas.
fn is_markup(c: char) -> bool {
    matches!(
        c,
        '\\' | '`' | '*' | '_' | '[' | ']' | '{' | '}' | '|' | '~' | '!' | ':' | '$' | '^' | '"'
    )
}

/// What stands before a character, as far as it can make markup of it.
#[derive(Default)]
struct Before {
    /// Anything at all: at the start of a line `-`, `+`, `=`, blanks act.
    any: bool,
    /// Something other than digits: `1.` and `1)` start lists.
    other_than_digits: bool,
    /// How many `w` in a row: `www.` starts an address.
    ws: usize,
}

impl Before {
    fn makes_markup_of(&self, c: char) -> bool {
        match c {
            '-' | '+' | '=' | ' ' => !self.any,
            ')' => !self.other_than_digits,
            '.' => !self.other_than_digits || self.ws == 3,
            _ => false,
        }
    }

    fn push(&mut self, c: char) {
        self.any = true;
        self.other_than_digits |= !c.is_ascii_digit();
        self.ws = if matches!(c, 'w' | 'W') {
            self.ws + 1
        } else {
            0
        };
    }
}

/// What stands for a pipe between two code spans.
pub(super) const PIPE: &str = "&#124;";

/// `text` as a code span that its content cannot leave, fit for a paragraph and for a table's cell; control and invisible characters are
/// escaped as by [`Shown`](crate::Shown). A pipe would end a cell even in a code span, so there the span is interrupted: `` `a`&#124;`b` ``.
pub fn code(text: &str) -> String {
    let text = visible(text);
    // A blank on both sides is taken off again by Markdown, so it may be added where a backtick or such a blank would be misread.
    let is_odd = |part: &str| part.starts_with(['`', ' ']) || part.ends_with(['`', ' ']);
    let pad = if text.split('|').any(is_odd) { " " } else { "" };
    let span = |part: &str| {
        if part.is_empty() {
            return String::new();
        }
        let fence = "`".repeat(longest_run(part) + 1);
        format!("{fence}{pad}{part}{pad}{fence}")
    };
    text.split('|').map(span).collect::<Vec<_>>().join(PIPE)
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shown;

    #[test]
    fn nothing_in_it_is_markup() {
        let cases = [
            ("db", "db"),
            ("my-server 2 (beta), ok/x", "my-server 2 (beta), ok/x"),
            ("a|b`c", "a&#124;b&#96;c"),
            ("<img src=x> &amp;", "&lt;img src=x&gt; &amp;amp;"),
            ("[x](y) ![z]", "&#91;x&#93;(y) &#33;&#91;z&#93;"),
            (
                "**b** _i_ ~~s~~ $x$",
                "&#42;&#42;b&#42;&#42; &#95;i&#95; &#126;&#126;s&#126;&#126; &#36;x&#36;",
            ),
            ("https://x.y www.z.w", "https&#58;//x.y www&#46;z.w"),
            (
                "@me a@b.c x#12",
                "&#64;&#8203;me a&#64;&#8203;b.c x&#35;&#8203;12",
            ),
            ("- x", "&#45; x"),
            ("12. x", "12&#46; x"),
            ("    x", "&#32;   x"),
            ("a\n| b", "a&#92;n&#124; b"),
            ("\u{202e}x", "&#92;u&#123;202e&#125;x"),
        ];
        for (text, expected) in cases {
            assert_eq!(Shown(text).markdown().to_string(), expected, "{text}");
        }
    }

    #[test]
    fn code_cannot_be_left() {
        let cases = [
            ("", ""),
            ("npx -y @acme/db", "`npx -y @acme/db`"),
            ("a`b", "``a`b``"),
            ("`x``", "``` `x`` ```"),
            (" x ", "`  x  `"),
            ("a|b|", "`a`&#124;`b`&#124;"),
            ("a|`b", "` a `&#124;`` `b ``"),
            ("a\\|b", "`a\\`&#124;`b`"),
            ("a\n\u{200b}", "`a\\n\\u{200b}`"),
        ];
        for (text, expected) in cases {
            assert_eq!(code(text), expected, "{text}");
        }
    }
}
