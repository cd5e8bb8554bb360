//! What came of servers, as text: a line for each that works, a card for each that does not.

use std::time::Duration;

use muster_core::{Candidate, Launched, State};
use muster_document::{Scrubber, Shown};

use super::canvas::{Canvas, Line, Tone};
use super::measure::{cut_end, width, wrap};
use crate::checked::{Checked, last_words, line_of};
use crate::marks::Marks;
use crate::name::name;
use crate::standing::count;
use crate::view::reason;
use crate::{Detail, Survey};

/// Where a server's name begins.
const NAME: usize = 4;
/// Names are cut beyond this.
const WIDEST: usize = 24;
/// The words in the margin of a card, each with a gap.
const MARGIN: usize = 8;
/// So many tools in which something was found are named.
const MARKED: usize = 5;
/// So many last words are shown.
const LINES: usize = 4;

/// Every server, and what each harness gives its model.
pub(crate) fn all(
    canvas: &mut Canvas,
    survey: &Survey<'_>,
    checked: &Checked<'_>,
    scrubber: &Scrubber,
    detail: Detail,
) {
    let names = checked
        .candidates
        .iter()
        .map(|candidate| width(&label(candidate, checked)));
    let column = NAME + names.max().unwrap_or(0).clamp(6, WIDEST) + 2;
    let marks = Marks::new(survey.findings);
    for server in checked.each() {
        if detail == Detail::Quiet && server.1.state == State::Ok {
            continue;
        }
        one(canvas, checked, server, scrubber, column, detail);
        if let Some(marked) = marked(&marks.tools(server.1)) {
            let room = canvas.look.width.saturating_sub(column);
            for text in wrap(&marked, room) {
                canvas.line(Line::indented(column).then(Tone::Waits, text));
            }
        }
    }
    if checked.candidates.is_empty() {
        canvas.line(Line::default().then(Tone::Dim, "No server loads: nothing to start."));
    }
    canvas.part();
    totals(canvas, survey, checked);
}

/// The tools in which something was found.
fn marked(tools: &[&str]) -> Option<String> {
    let mut named: Vec<String> = tools
        .iter()
        .take(MARKED)
        .map(|tool| Shown(&name(tool)).to_string())
        .collect();
    if tools.len() > MARKED {
        named.push(format!("{} more", tools.len() - MARKED));
    }
    (!tools.is_empty()).then(|| format!("see below: {}", named.join(", ")))
}

/// The server's name; where two go by it, with the harnesses that mean this one.
fn label(candidate: &Candidate<'_>, checked: &Checked<'_>) -> String {
    let alike = checked
        .candidates
        .iter()
        .filter(|other| other.name == candidate.name);
    match alike.count() {
        0 | 1 => name(candidate.name).to_string(),
        _ => format!(
            "{} ({})",
            name(candidate.name),
            candidate.harnesses().join(", ")
        ),
    }
}

fn one(
    canvas: &mut Canvas,
    checked: &Checked<'_>,
    (candidate, launched, likely): (&Candidate<'_>, &Launched, Option<&(String, String)>),
    scrubber: &Scrubber,
    column: usize,
    detail: Detail,
) {
    let (symbol, tone) = symbol(&launched.state);
    let ellipsis = canvas.look.ellipsis();
    let label = Shown(&label(candidate, checked)).to_string();
    let head = || {
        Line::indented(2)
            .then(tone, symbol)
            .to(NAME)
            .then(
                Tone::Strong,
                cut_end(&label, column.saturating_sub(NAME + 1), ellipsis),
            )
            .to(column)
    };
    match &launched.state {
        State::Ok => canvas.line(works(head(), launched, scrubber, column)),
        state => {
            let room = canvas.look.width.saturating_sub(column);
            let what = wrap(&outcome(state, launched, scrubber), room);
            for (at, text) in what.iter().enumerate() {
                let line = match at {
                    0 => head(),
                    _ => Line::indented(column),
                };
                canvas.line(line.then(tone, text));
            }
        }
    }
    let room = canvas.look.width.saturating_sub(column + MARGIN);
    let mut margin = |word: &str, texts: Vec<String>| {
        for (at, text) in texts.iter().enumerate() {
            let word = if at == 0 { word } else { "" };
            let line = Line::indented(column).then(Tone::Dim, word);
            canvas.line(line.to(column + MARGIN).then(Tone::Plain, text));
        }
    };
    let is_open = !matches!(launched.state, State::Ok | State::NotStarted(_));
    if is_open {
        let words = last_words(launched, scrubber);
        let start = match detail {
            Detail::Verbose => 0,
            _ => words.len().saturating_sub(LINES),
        };
        let words = words.get(start..).unwrap_or_default();
        margin(
            "stderr",
            words
                .iter()
                .map(|line| cut_end(line, room, ellipsis).to_string())
                .collect(),
        );
        if let Some((cause, help)) = likely {
            margin("likely", wrap(cause, room));
            margin("try", wrap(help, room));
        }
    }
}

fn symbol(state: &State) -> (&'static str, Tone) {
    match state {
        State::Ok => ("✓", Tone::Loads),
        State::Failed(_) | State::TimedOut { .. } => ("✗", Tone::Wrong),
        State::NeedsSignIn { .. } => ("◌", Tone::Waits),
        State::NotStarted(_) => ("○", Tone::Dim),
    }
}

fn works(line: Line, launched: &Launched, scrubber: &Scrubber, column: usize) -> Line {
    let tokens: usize = launched.tools.iter().map(muster_core::tokens).sum();
    let started = launched.startup.map_or_else(String::new, seconds);
    let mut line = line
        .then(Tone::Plain, started)
        .to(column + 9)
        .then(Tone::Plain, count(launched.tools.len(), "tool", "tools"))
        .to(column + 20)
        .then(Tone::Plain, format!("about {} tokens", grouped(tokens)))
        .to(column + 40);
    if let Some(protocol) = &launched.protocol {
        line = line.then(Tone::Dim, cut_end(&line_of(protocol, scrubber), 12, ""));
    }
    line
}

/// What became of a server that does not work.
fn outcome(state: &State, launched: &Launched, scrubber: &Scrubber) -> String {
    let why = || reason(state, scrubber).unwrap_or_default();
    let after = seconds(launched.took);
    match (state, launched.exit) {
        (State::Failed(failure), Some(exit)) => match failure.method {
            Some(method) => {
                format!("stopped with {exit} after {after}, before it answered {method}")
            }
            None => format!("stopped with {exit} after {after}"),
        },
        (State::NotStarted(why), _) => format!("not started: {why}"),
        (State::NeedsSignIn { .. }, _) => {
            format!("needs sign-in: {}", why())
        }
        (State::TimedOut { .. }, _) => {
            let step = match launched.era {
                Some(_) => "timed out",
                None => "timed out while starting",
            };
            format!("{step}: {}", why())
        }
        _ => why(),
    }
}

/// What each harness gives its model.
fn totals(canvas: &mut Canvas, survey: &Survey<'_>, checked: &Checked<'_>) {
    let named: Vec<(&str, &muster_core::Offer)> = checked
        .offers
        .iter()
        .filter_map(|offer| {
            let has_any = checked
                .candidates
                .iter()
                .any(|candidate| candidate.harnesses().contains(&offer.harness));
            let mut resolutions = survey.resolutions.iter();
            let resolution = resolutions.find(|resolution| resolution.id == offer.harness)?;
            has_any.then_some((resolution.name, offer))
        })
        .collect();
    let column = named.iter().map(|(name, _)| width(name)).max().unwrap_or(0) + 3;
    for (name, offer) in named {
        let mut told = format!(
            "{} · about {} tokens",
            count(offer.tools.len(), "tool", "tools"),
            grouped(offer.tokens())
        );
        let collisions = offer.collisions().len();
        if collisions > 0 {
            told.push_str(&format!(
                " · {}",
                count(collisions, "name twice", "names twice")
            ));
        }
        if !offer.lost.is_empty() {
            told.push_str(&format!(
                " · loses those of {}",
                count(offer.lost.len(), "server", "servers")
            ));
        }
        let line = Line::default().then(Tone::Strong, name).to(column);
        canvas.line(line.then(Tone::Plain, told));
    }
}

/// `1,204`.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `0.41 s`.
pub(crate) fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match time.as_millis() {
        0..10_000 => format!("{seconds:.2} s"),
        _ => format!("{seconds:.0} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1204, "1,204"),
            (1_000_000, "1,000,000"),
        ] {
            assert_eq!(grouped(number), text);
        }
    }
}
