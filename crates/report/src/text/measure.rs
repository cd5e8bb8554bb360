//! Text by the columns it fills on a terminal.

use std::borrow::Cow;

use muster_document::Shown;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The columns that `text` fills.
pub(crate) fn width(text: &str) -> usize {
    // All bytes are looked at, many at a time: nearly always none is odd.
    let plain = |plain, byte: u8| plain & matches!(byte, b' '..=b'~');
    if text.bytes().fold(true, plain) {
        return text.len();
    }
    UnicodeWidthStr::width(text)
}

/// `text` in at most `room` columns, its end cut off.
pub(crate) fn cut_end<'t>(text: &'t str, room: usize, ellipsis: &str) -> Cow<'t, str> {
    if width(text) <= room {
        return Cow::Borrowed(text);
    }
    let Some(kept) = room.checked_sub(width(ellipsis)) else {
        return Cow::Borrowed(head(text, room));
    };
    Cow::Owned(format!("{}{ellipsis}", head(text, kept)))
}

/// `text` in at most `room` columns, its middle cut out: the beginning says what it is, the end tells it from its like.
pub(crate) fn cut_middle<'t>(text: &'t str, room: usize, ellipsis: &str) -> Cow<'t, str> {
    if width(text) <= room {
        return Cow::Borrowed(text);
    }
    let Some(kept) = room.checked_sub(width(ellipsis)) else {
        return Cow::Borrowed(head(text, room));
    };
    let back = kept / 2;
    let cut = format!("{}{ellipsis}{}", head(text, kept - back), tail(text, back));
    Cow::Owned(cut)
}

/// `text`, neutralised, in lines of at most `room` columns, broken at blanks where there are any.
pub(crate) fn wrap(text: &str, room: usize) -> Vec<String> {
    // What is shown is what must be measured.
    let text = Shown(text).to_string();
    let room = room.max(1);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for mut word in text.split(' ').filter(|word| !word.is_empty()) {
        let gap = usize::from(!line.is_empty());
        if width(&line) + gap + width(word) > room && !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        while width(word) > room {
            let piece = some_head(word, room);
            lines.push(piece.to_owned());
            word = word.get(piece.len()..).unwrap_or_default();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// The longest beginning of `text` that fits `room` columns.
pub(crate) fn head(text: &str, room: usize) -> &str {
    let mut used = 0;
    let fits = |character: char| {
        used += character.width().unwrap_or(0);
        used <= room
    };
    let end: usize = text
        .chars()
        .take_while(copied(fits))
        .map(char::len_utf8)
        .sum();
    text.get(..end).unwrap_or_default()
}

/// The longest end of `text` that fits `room` columns.
pub(crate) fn tail(text: &str, room: usize) -> &str {
    let mut used = 0;
    let fits = |character: char| {
        used += character.width().unwrap_or(0);
        used <= room
    };
    let length: usize = text
        .chars()
        .rev()
        .take_while(copied(fits))
        .map(char::len_utf8)
        .sum();
    text.get(text.len() - length..).unwrap_or_default()
}

/// As [`head`], but never nothing, so that a loop over a text ends.
fn some_head(text: &str, room: usize) -> &str {
    match head(text, room) {
        "" => text
            .chars()
            .next()
            .and_then(|first| text.get(..first.len_utf8()))
            .unwrap_or(text),
        head => head,
    }
}

fn copied(mut test: impl FnMut(char) -> bool) -> impl FnMut(&char) -> bool {
    move |character| test(*character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_keep_both_ends_and_count_wide_characters_twice() {
        assert_eq!(cut_middle("npx -y @acme/server", 11, "…"), "npx -…erver");
        assert_eq!(cut_middle("漢字漢字", 5, "…"), "漢…字");
        assert_eq!(cut_middle("abc", 3, "…"), "abc");
        assert_eq!(cut_end("needs approval", 7, "..."), "need...");
        assert_eq!(cut_end("abc", 0, "…"), "");
    }

    #[test]
    fn wraps_at_blanks_and_breaks_words_that_fill_more_than_a_line() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("a bcdefghij k", 4), ["a", "bcde", "fghi", "j k"]);
        assert_eq!(wrap("", 4), [""]);
        assert_eq!(wrap("漢字", 1), ["漢", "字"]);
    }
}
