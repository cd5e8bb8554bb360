//! What it all amounts to, and what to ask next.

use muster_core::{Resolution, Server};
use muster_document::Shown;

use super::canvas::{Canvas, Line, Tone};
use super::measure::wrap;
use crate::finding::tally;
use crate::standing::{Standing, count, totals};
use crate::{Detail, Survey};

/// Where the explanation of a hint begins, at least.
const HINT: usize = 22;

/// Totals and hints.
pub(crate) fn write(canvas: &mut Canvas, survey: &Survey<'_>, detail: Detail) {
    for text in wrap(&totals(survey.resolutions), canvas.look.width) {
        canvas.line(Line::default().then(Tone::Plain, text));
    }
    if let Some(tally) = tally(survey.findings) {
        let text = match detail {
            Detail::Verbose => format!("{tally}."),
            _ => format!("{tally}: muster check shows them."),
        };
        canvas.line(Line::default().then(Tone::Waits, text));
    }
    if let Some((name, why)) = next(survey.resolutions) {
        hint(canvas, &format!("muster why {name}"), why);
    }
    more(canvas, survey, detail);
}

/// What `-v` would show besides.
pub(crate) fn more(canvas: &mut Canvas, survey: &Survey<'_>, detail: Detail) {
    if detail < Detail::Verbose {
        let notes: usize = survey
            .resolutions
            .iter()
            .map(|resolution| resolution.notes.len())
            .sum();
        let notes = if notes == 0 {
            String::new()
        } else {
            format!("{}, ", count(notes, "note", "notes"))
        };
        hint(
            canvas,
            "muster list -v",
            &format!("{notes}files looked at, rules, nothing cut"),
        );
    }
}

/// A command to try and what it shows.
pub(crate) fn hint(canvas: &mut Canvas, command: &str, shows: &str) {
    canvas.line(
        Line::indented(2)
            .then(Tone::Command, command)
            .to(HINT)
            .then(Tone::Dim, format!(" {shows}")),
    );
}

/// The server whose story the reader most likely wants, and what the story tells.
fn next(resolutions: &[Resolution]) -> Option<(String, &'static str)> {
    let servers = || {
        resolutions
            .iter()
            .flat_map(|resolution| &resolution.servers)
    };
    let first = |standing| {
        servers()
            .filter(move |server| Standing::of(server.status) == standing)
            .find_map(typed)
    };
    let wanted = [
        (Standing::Waits, "what would make it load"),
        (Standing::Wrong, "what is wrong, line by line"),
        (Standing::Off, "what switches it off"),
        (Standing::Unknown, "what it depends on"),
        (Standing::Unread, "where it would have to stand"),
        (Standing::Loads, "what makes it load"),
    ];
    wanted
        .into_iter()
        .find_map(|(standing, why)| Some((first(standing)?, why)))
}

/// The server's name as a word for a shell; `None` for names that are better not typed.
fn typed(server: &Server) -> Option<String> {
    let name = server.definition.name.as_str();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.:@/+".contains(c);
    if name.is_empty()
        || name.len() > 40
        || name.starts_with('-')
        || Shown(name).to_string() != name
    {
        return None;
    }
    if name.chars().all(plain) {
        return Some(name.to_owned());
    }
    (!name.contains('\'')).then(|| format!("'{name}'"))
}
