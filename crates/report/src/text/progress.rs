//! What is shown while servers start, and before.

use std::time::Duration;

use muster_core::{Candidate, Launched, State};

use super::canvas::{Canvas, Line, Tone};
use super::launched::seconds;
use super::measure::wrap;
use crate::checked::target;
use crate::name::name;
use crate::standing::count;
use crate::{Look, Page};

/// One server while it starts, or when it is done.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'p> {
    /// Its name.
    pub name: &'p str,
    /// What came of it; `None` while it starts.
    pub state: Option<&'p Launched>,
    /// How long it has taken.
    pub since: Duration,
    /// How long it may take.
    pub limit: Duration,
}

/// Where what is said of a server begins.
const COLUMN: usize = 16;

/// A line for each of `rows`.
pub fn progress(rows: &[Progress<'_>], look: Look) -> Page {
    let mut canvas = Canvas::new(look);
    for row in rows {
        let (symbol, tone) = match row.state.map(|launched| &launched.state) {
            None => ("…", Tone::Dim),
            Some(State::Ok) => ("✓", Tone::Loads),
            Some(_) => ("✗", Tone::Wrong),
        };
        let line = Line::indented(2)
            .then(tone, symbol)
            .to(4)
            .then(Tone::Strong, name(row.name))
            .to(COLUMN);
        canvas.line(match row.state {
            None => line.then(
                Tone::Dim,
                format!("{} s of {} s", row.since.as_secs(), row.limit.as_secs()),
            ),
            Some(launched) => line
                .then(Tone::Plain, seconds(row.since))
                .to(COLUMN + 9)
                .then(
                    Tone::Plain,
                    match launched.state {
                        State::Ok => count(launched.tools.len(), "tool", "tools"),
                        _ => launched.state.word().to_owned(),
                    },
                ),
        });
    }
    Page::own_text(canvas.finish(), look)
}

/// `heading`, and what would be started or reached for each of `candidates`, word by word.
pub fn commands(candidates: &[&Candidate<'_>], heading: &str, look: Look) -> Page {
    let mut canvas = Canvas::new(look);
    canvas.line(Line::default().then(Tone::Strong, heading));
    for candidate in candidates {
        let label = name(candidate.name);
        canvas.line(Line::indented(2).then(Tone::Strong, label));
        for text in wrap(&target(candidate), look.width.saturating_sub(6)) {
            canvas.line(Line::indented(6).then(Tone::Plain, text));
        }
    }
    Page::own_text(canvas.finish(), look)
}
