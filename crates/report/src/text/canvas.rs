//! Where lines are put together. Everything that reaches the screen goes through here: foreign text is neutralised and no line is
//! wider than the screen.

use std::fmt::Display;

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

/// A line in the making.
#[derive(Debug, Default)]
pub(crate) struct Line {
    pieces: Vec<(Tone, String)>,
    width: usize,
}

impl Line {
    /// A line that starts at column `indent`.
    pub(crate) fn indented(indent: usize) -> Line {
        Line::default().to(indent)
    }

    /// Adds `text`, neutralised: whatever it holds, it is visible and stays on this line.
    pub(crate) fn then(mut self, tone: Tone, text: impl Display) -> Line {
        let shown = Shown(&text.to_string()).to_string();
        self.width += width(&shown);
        self.pieces.push((tone, shown));
        self
    }

    /// Fills up with blanks to column `column`; at least one where something already stands beyond it.
    pub(crate) fn to(mut self, column: usize) -> Line {
        let gap = column.saturating_sub(self.width).max(usize::from(
            self.width > 0 && column > 0 && self.width >= column,
        ));
        self.width += gap;
        self.pieces.push((Tone::Plain, " ".repeat(gap)));
        self
    }

    /// Puts `right` at the right edge of `screen` columns.
    pub(crate) fn right(self, right: Line, screen: usize) -> Line {
        self.to(screen.saturating_sub(right.width))
            .followed_by(right)
    }

    /// Puts `next` behind this.
    pub(crate) fn followed_by(mut self, next: Line) -> Line {
        self.width += next.width;
        self.pieces.extend(next.pieces);
        self
    }

    /// The columns filled so far.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Takes back all colour but one.
    pub(crate) fn all(self, tone: Tone) -> Line {
        let text: String = self.pieces.into_iter().map(|(_, text)| text).collect();
        Line {
            pieces: vec![(tone, text)],
            width: self.width,
        }
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

    /// Writes `line`; what is too wide for the screen is cut, as the last resort.
    pub(crate) fn line(&mut self, line: Line) {
        let mut room = self.look.width;
        let last = line
            .pieces
            .iter()
            .rposition(|(_, text)| !text.trim_end().is_empty())
            .map_or(0, |last| last + 1);
        for (at, (tone, text)) in line.pieces.into_iter().take(last).enumerate() {
            let text = cut_end(&text, room, self.look.ellipsis());
            room -= width(&text).min(room);
            self.piece(
                tone,
                if at + 1 == last {
                    text.trim_end()
                } else {
                    &text
                },
            );
        }
        self.text.push('\n');
    }

    fn piece(&mut self, tone: Tone, text: &str) {
        let style = if self.look.colour {
            tone.style()
        } else {
            Style::new()
        };
        self.text.push_str(&style.render().to_string());
        self.text.push_str(text);
        self.text.push_str(&style.render_reset().to_string());
    }
}
