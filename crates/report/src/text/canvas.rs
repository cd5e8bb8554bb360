//! Where lines are put together. Everything that reaches the screen goes through here: foreign text is neutralised and no line is
//! wider than the screen.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};

use anstyle::{AnsiColor, Style};
use muster_document::Shown;

use super::measure::{cut_end, width};
use crate::Look;

/// What a piece of text means; its colour follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Ordinary text.
    Plain,
    /// A heading.
    Strong,
    /// What is there but not the point.
    Dim,
    /// Something that loads.
    Loads,
    /// Something that waits for the user.
    Waits,
    /// Something that is wrong.
    Wrong,
    /// Something that cannot be known.
    Unknown,
    /// A command to type.
    Command,
    /// A place in a file.
    Place,
}

impl Tone {
    fn style(self) -> Style {
        match self {
            Tone::Plain => Style::new(),
            Tone::Strong => Style::new().bold(),
            Tone::Dim => Style::new().dimmed(),
            Tone::Loads => AnsiColor::Green.on_default(),
            Tone::Waits => AnsiColor::Yellow.on_default(),
            Tone::Wrong => AnsiColor::Red.on_default().bold(),
            Tone::Unknown => AnsiColor::Magenta.on_default(),
            Tone::Command => Style::new().bold(),
            Tone::Place => AnsiColor::Cyan.on_default(),
        }
    }
}

/// As many as most gaps need.
const BLANKS: &str = "                                                                ";

/// A line in the making: one text, and what its parts mean.
#[derive(Debug, Default)]
pub(crate) struct Line {
    text: String,
    /// The parts, each with the byte at which it ends.
    pieces: Vec<(Tone, usize)>,
    width: usize,
}

impl Line {
    /// A line that starts at column `indent`.
    pub(crate) fn indented(indent: usize) -> Line {
        Line::default().to(indent)
    }

    /// Adds `text`, neutralised: whatever it holds, it is visible and stays on this line.
    pub(crate) fn then(mut self, tone: Tone, text: impl Display) -> Line {
        let start = self.text.len();
        // Writing to a string does not fail.
        let _ = write!(self.text, "{text}");
        let added = self.text.get(start..).unwrap_or_default();
        match Shown(added).text() {
            Cow::Borrowed(shown) => self.width += width(shown),
            Cow::Owned(shown) => {
                self.width += width(&shown);
                self.text.truncate(start);
                self.text.push_str(&shown);
            }
        }
        self.pieces.push((tone, self.text.len()));
        self
    }

    /// Fills up with blanks to column `column`; at least one where something already stands beyond it.
    pub(crate) fn to(mut self, column: usize) -> Line {
        let gap = column.saturating_sub(self.width).max(usize::from(
            self.width > 0 && column > 0 && self.width >= column,
        ));
        self.width += gap;
        for at in (0..gap).step_by(BLANKS.len()) {
            let blanks = BLANKS.get(..gap - at).unwrap_or(BLANKS);
            self.text.push_str(blanks);
        }
        self.pieces.push((Tone::Plain, self.text.len()));
        self
    }

    /// Puts `right` at the right edge of `screen` columns.
    pub(crate) fn right(self, right: Line, screen: usize) -> Line {
        self.to(screen.saturating_sub(right.width))
            .followed_by(right)
    }

    /// Puts `next` behind this.
    pub(crate) fn followed_by(mut self, next: Line) -> Line {
        let start = self.text.len();
        self.width += next.width;
        self.text.push_str(&next.text);
        let moved = next.pieces.into_iter();
        self.pieces
            .extend(moved.map(|(tone, end)| (tone, start + end)));
        self
    }

    /// The columns filled so far.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Takes back all colour but one.
    pub(crate) fn all(mut self, tone: Tone) -> Line {
        self.pieces = vec![(tone, self.text.len())];
        self
    }

    /// The parts with what they mean.
    fn pieces(&self) -> impl Iterator<Item = (Tone, &str)> {
        let mut start = 0;
        self.pieces.iter().map(move |(tone, end)| {
            let piece = self.text.get(start..*end).unwrap_or_default();
            start = *end;
            (*tone, piece)
        })
    }
}

/// The lines so far.
#[derive(Debug)]
pub(crate) struct Canvas {
    /// What the screen can do.
    pub(crate) look: Look,
    text: String,
}

impl Canvas {
    /// An empty canvas.
    pub(crate) fn new(look: Look) -> Canvas {
        Canvas {
            look,
            text: String::new(),
        }
    }

    /// Ends with everything written.
    pub(crate) fn finish(self) -> String {
        self.text
    }

    /// Writes an empty line.
    pub(crate) fn blank(&mut self) {
        self.text.push('\n');
    }

    /// Writes an empty line between what is there and what comes.
    pub(crate) fn part(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.blank();
        }
    }

    /// Writes `line`, without blanks at its end; what is too wide for the screen is cut, as the last resort.
    pub(crate) fn line(&mut self, line: Line) {
        let mut room = self.look.width;
        let whole = line.width <= room;
        let mut left = line.text.trim_end().len();
        for (tone, text) in line.pieces() {
            if left == 0 {
                break;
            }
            let text = text.get(..left).unwrap_or(text);
            left -= text.len();
            if whole {
                self.piece(tone, text);
                continue;
            }
            let text = cut_end(text, room, self.look.ellipsis());
            room -= width(&text).min(room);
            self.piece(tone, if left == 0 { text.trim_end() } else { &text });
        }
        self.text.push('\n');
    }

    /// Writes one line of somebody's text as it is: neutralised, never cut. Tabs stay, which move nothing but the cursor.
    pub(crate) fn verbatim(&mut self, line: &str) {
        for (at, part) in line.trim_end_matches('\r').split('\t').enumerate() {
            if at > 0 {
                self.text.push('\t');
            }
            self.text.push_str(&Shown(part).to_string());
        }
        self.text.push('\n');
    }

    /// Writes `line` however wide it is: paths and addresses are to be copied.
    pub(crate) fn wide(&mut self, line: Line) {
        let narrow = std::mem::replace(&mut self.look.width, usize::MAX);
        self.line(line);
        self.look.width = narrow;
    }

    fn piece(&mut self, tone: Tone, text: &str) {
        if !self.look.colour {
            return self.text.push_str(text);
        }
        let style = tone.style();
        // Writing to a string does not fail.
        let _ = write!(
            self.text,
            "{}{text}{}",
            style.render(),
            style.render_reset()
        );
    }
}
