//! Foreign text of any length, made short enough to be read.

use std::borrow::Cow;

/// Characters of a name or a line that somebody else wrote.
pub(crate) const NAME: usize = 500;
/// Characters of a message that quotes such texts.
pub(crate) const MESSAGE: usize = 1_000;

/// `text` in at most `most` characters. The middle of a longer one is left out: a message ends with what it is about. Secrets must be
/// out of it before, for the half of one nobody knows again.
pub(crate) fn bounded(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    let tail = most / 4;
    let head = most.saturating_sub(tail + 1);
    let after = text.char_indices().nth(head).map(|(at, _)| at);
    let before = tail
        .checked_sub(1)
        .and_then(|tail| text.char_indices().rev().nth(tail));
    let before = before.map_or(text.len(), |(at, _)| at);
    let middle = after.and_then(|after| text.get(after..before));
    match middle.map(|middle| middle.chars().nth(1).is_some()) {
        Some(true) => Cow::Owned(format!(
            "{}…{}",
            text.get(..after.unwrap_or_default()).unwrap_or_default(),
            text.get(before..).unwrap_or_default()
        )),
        _ => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_keeps_its_beginning_and_its_end() {
        for (text, most, expected) in [
            ("", 8, ""),
            ("12345678", 8, "12345678"),
            ("123456789", 8, "12345…89"),
            ("üüüüüüüü", 8, "üüüüüüüü"),
            ("üüüüüxxxxüü", 8, "üüüüü…üü"),
            ("abc", 1, "…"),
        ] {
            assert_eq!(bounded(text, most), expected, "{text}");
        }
        let long = "é".repeat(1_000_000);
        assert_eq!(bounded(&long, NAME).chars().count(), NAME);
    }
}
