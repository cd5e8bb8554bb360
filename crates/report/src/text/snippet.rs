//! A line of a file as rustc would show it.

use super::canvas::{Line, Tone};
use super::measure::{cut_end, head, tail, width};
use crate::Look;
use crate::excerpt::Excerpt;

/// What is left free before a mark in a line that is too long to show whole.
const LEAD: usize = 16;

/// A line of a file and the carets below it.
pub(crate) struct Drawn {
    /// The two lines.
    pub(crate) lines: [Line; 2],
    /// Whether the label stands beside the carets.
    pub(crate) labelled: bool,
}

/// `excerpt` in two lines of at most `room` columns, `label` beside the carets where it fits.
pub(crate) fn draw(excerpt: &Excerpt, label: &str, room: usize, look: Look) -> Drawn {
    let number = excerpt.line.to_string();
    let bar = Line::default().to(number.len() + 1).then(Tone::Dim, "│ ");
    let gutter = bar.width();
    let window = Window::new(excerpt, room.saturating_sub(gutter), look.ellipsis());

    let source = Line::default()
        .then(Tone::Dim, format!("{number} │ "))
        .then(Tone::Plain, window.text);
    let carets = bar
        .then(Tone::Plain, " ".repeat(window.from))
        .then(Tone::Waits, "^".repeat(window.carets));
    let labelled = !label.is_empty() && carets.width() + 1 + width(label) <= room;
    let carets = if labelled {
        carets.then(Tone::Plain, format!(" {label}"))
    } else {
        carets
    };
    Drawn {
        lines: [source, carets],
        labelled,
    }
}

/// As much of a line as fits, with its mark in columns.
#[derive(Debug, PartialEq, Eq)]
struct Window {
    text: String,
    from: usize,
    carets: usize,
}

impl Window {
    fn new(excerpt: &Excerpt, room: usize, ellipsis: &str) -> Window {
        let line = excerpt.text.as_str();
        let offset = |count: usize| line.chars().take(count).map(char::len_utf8).sum::<usize>();
        let (from, to) = (offset(excerpt.from), offset(excerpt.to.max(excerpt.from)));
        let before = line.get(..from).unwrap_or_default();
        let marked = line.get(from..to).unwrap_or_default();
        let after = line.get(to..).unwrap_or_default();

        // The beginning of the line is given up only where the mark would not be seen otherwise.
        let (before, start) =
            if width(line) <= room || width(before) + width(marked) + width(ellipsis) <= room {
                (before.to_owned(), width(before))
            } else if width(before) > LEAD {
                let kept = tail(before, LEAD.min(room / 3));
                (format!("{ellipsis}{kept}"), width(ellipsis) + width(kept))
            } else {
                (before.to_owned(), width(before))
            };
        let text = format!("{before}{marked}{after}");
        let text = cut_end(&text, room, ellipsis);
        let carets = width(head(marked, room.saturating_sub(start))).max(1);
        Window {
            text: text.into_owned(),
            from: start.min(room.saturating_sub(1)),
            carets,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::canvas::Canvas;

    const LOOK: Look = Look {
        width: 80,
        unicode: true,
        colour: false,
    };

    fn window(text: &str, from: usize, to: usize, room: usize) -> Window {
        Window::new(
            &Excerpt {
                line: 1,
                text: text.to_owned(),
                from,
                to,
            },
            room,
            "…",
        )
    }

    #[test]
    fn a_long_line_is_shown_around_its_mark() {
        let text = format!("{}MARK{}", "a".repeat(100), "b".repeat(100));
        let shown = window(&text, 100, 104, 40);
        assert_eq!(
            shown.text,
            format!("…{}MARK{}…", "a".repeat(13), "b".repeat(21))
        );
        assert_eq!((shown.from, shown.carets), (14, 4));
    }

    #[test]
    fn a_mark_at_the_beginning_keeps_the_beginning() {
        let shown = window(&format!("  MARK{}", "b".repeat(100)), 2, 6, 20);
        assert_eq!((shown.from, shown.carets), (2, 4));
        assert!(shown.text.starts_with("  MARKb") && width(&shown.text) == 20);
    }

    #[test]
    fn carets_fill_the_columns_of_wide_characters() {
        let shown = window("漢字 \"漢\" x", 3, 6, 40);
        assert_eq!((shown.from, shown.carets), (5, 4));
    }

    #[test]
    fn carets_stand_below_the_first_character_too() {
        let excerpt = Excerpt {
            line: 3,
            text: "url = 1".to_owned(),
            from: 0,
            to: 3,
        };
        let mut canvas = Canvas::new(LOOK);
        let drawn = draw(&excerpt, "here", 40, LOOK);
        drawn.lines.into_iter().for_each(|line| canvas.line(line));
        assert_eq!(canvas.finish(), "3 │ url = 1\n  │ ^^^ here\n");
    }

    #[test]
    fn a_mark_past_the_end_is_one_caret() {
        assert_eq!(
            window("abc", 3, 3, 40),
            Window {
                text: "abc".to_owned(),
                from: 3,
                carets: 1
            }
        );
    }
}
