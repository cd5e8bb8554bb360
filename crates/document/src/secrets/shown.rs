//! Foreign text that cannot act.

use std::borrow::Cow;
use std::fmt;

use super::markdown::MarkdownShown;

/// Text written by somebody else, printed so that it cannot act: control characters, bidirectional overrides, zero-width and
/// blank-looking characters appear as `\u{…}`, line feed, carriage return and tab as `\n`, `\r`, `\t`. What is left is one line of
/// visible text. Backslashes of the text itself stay as they are, so the result is to be read, not to be parsed.
#[derive(Clone, Copy)]
pub struct Shown<'t>(pub &'t str);

impl<'t> Shown<'t> {
    /// The text for Markdown: besides what `Display` does, nothing in it is markup, in a paragraph or in a table's cell.
    pub fn markdown(self) -> MarkdownShown<'t> {
        MarkdownShown(self.0)
    }

    /// The text as `Display` prints it; nearly always that is the text itself.
    pub fn text(self) -> Cow<'t, str> {
        if is_plain(self.0) {
            return Cow::Borrowed(self.0);
        }
        Cow::Owned(visible(self.0))
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_plain(self.0) {
            return f.write_str(self.0);
        }
        self.0.chars().try_for_each(|c| write_visible(f, c))
    }
}

/// As its `Display`, in quotes: it may stand in the `Debug` text of other types.
impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

/// Writes `c`, or its escape if it cannot be seen or could act.
pub(super) fn write_visible(out: &mut impl fmt::Write, c: char) -> fmt::Result {
    match c {
        ' '..='~' => out.write_char(c),
        '\n' => out.write_str("\\n"),
        '\r' => out.write_str("\\r"),
        '\t' => out.write_str("\\t"),
        _ if is_hidden(c) => write!(out, "\\u{{{:x}}}", u32::from(c)),
        _ => out.write_char(c),
    }
}

/// Whether every byte of `text` is a visible character. All are looked at, many at a time: nearly always they are.
fn is_plain(text: &str) -> bool {
    let visible = |plain, byte: u8| plain & matches!(byte, b' '..=b'~');
    text.bytes().fold(true, visible)
}

/// `text` as [`Shown`] prints it.
pub(super) fn visible(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        // Writing to a string cannot fail.
        let _ = write_visible(&mut out, c);
    }
    out
}

/// Characters outside ASCII that act or that look like nothing: C1 controls, all of `Default_Ignorable_Code_Point`, bidirectional controls,
/// blanks and line ends other than those of ASCII, fillers, format controls without a glyph, private use, noncharacters. Sorted.
const HIDDEN: &[(u32, u32)] = &[
    (0x7f, 0xa0),        // DEL, C1 controls, no-break space
    (0xad, 0xad),        // soft hyphen
    (0x34f, 0x34f),      // combining grapheme joiner
    (0x61c, 0x61c),      // Arabic letter mark
    (0x70f, 0x70f),      // Syriac abbreviation mark
    (0x115f, 0x1160),    // Hangul fillers
    (0x1680, 0x1680),    // Ogham space
    (0x17b4, 0x17b5),    // Khmer inherent vowels
    (0x180b, 0x180f),    // Mongolian selectors
    (0x2000, 0x200f),    // spaces, zero-width, marks of direction
    (0x2028, 0x202f), // line and paragraph separators, embeddings, overrides, narrow no-break space
    (0x205f, 0x206f), // mathematical space, word joiner, invisible operators, isolates
    (0x2800, 0x2800), // blank Braille pattern
    (0x3000, 0x3000), // ideographic space
    (0x3164, 0x3164), // Hangul filler
    (0xe000, 0xf8ff), // private use
    (0xfdd0, 0xfdef), // noncharacters
    (0xfe00, 0xfe0f), // variation selectors
    (0xfeff, 0xfeff), // byte order mark
    (0xffa0, 0xffa0), // halfwidth Hangul filler
    (0xfff0, 0xfffc), // interlinear annotation, object replacement
    (0xfffe, 0xffff), // noncharacters
    (0x13430, 0x1343f), // Egyptian format controls
    (0x16fe4, 0x16fe4), // Khitan filler
    (0x1bca0, 0x1bca3), // shorthand format controls
    (0x1d159, 0x1d159), // musical null notehead
    (0x1d173, 0x1d17a), // musical format controls
    (0xe0000, 0xe0fff), // tags, variation selectors
    (0xf0000, 0x10ffff), // private use
];

fn is_hidden(c: char) -> bool {
    let code = u32::from(c);
    if code < 0x20 || code & 0xfffe == 0xfffe {
        return true;
    }
    let at = HIDDEN.partition_point(|(_, last)| *last < code);
    HIDDEN.get(at).is_some_and(|(first, _)| *first <= code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_or_looks_like_nothing_is_escaped() {
        let cases = [
            ("plain ünïcode 漢字 😀 \\ `|", "plain ünïcode 漢字 😀 \\ `|"),
            ("a\nb\r\tc\0\x1b[31m\x7f", r"a\nb\r\tc\u{0}\u{1b}[31m\u{7f}"),
            ("\u{85}\u{9b}2J\u{a0}\u{ad}", r"\u{85}\u{9b}2J\u{a0}\u{ad}"),
            (
                "\u{202e}cba\u{2066}\u{200b}\u{200d}\u{2060}\u{feff}",
                r"\u{202e}cba\u{2066}\u{200b}\u{200d}\u{2060}\u{feff}",
            ),
            (
                "\u{2028}\u{2029}\u{3000}\u{2003}\u{1680}",
                r"\u{2028}\u{2029}\u{3000}\u{2003}\u{1680}",
            ),
            (
                "\u{3164}\u{ffa0}\u{115f}\u{2800}\u{34f}\u{61c}",
                r"\u{3164}\u{ffa0}\u{115f}\u{2800}\u{34f}\u{61c}",
            ),
            (
                "\u{fe0f}\u{e0041}\u{e0100}\u{fff9}\u{fffc}",
                r"\u{fe0f}\u{e0041}\u{e0100}\u{fff9}\u{fffc}",
            ),
            (
                "\u{e000}\u{fdd0}\u{1fffe}\u{10ffff}\u{f0000}",
                r"\u{e000}\u{fdd0}\u{1fffe}\u{10ffff}\u{f0000}",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(Shown(text).to_string(), expected);
            assert_eq!(visible(text), expected);
        }
    }

    #[test]
    fn the_table_is_sorted() {
        assert!(HIDDEN.is_sorted_by(|a, b| a.0 <= a.1 && a.1 < b.0));
    }
}
