//! Where nothing is configured: what was looked at, and how to begin.

use muster_core::{FileReport, Resolution};

use super::canvas::{Canvas, Line, Tone};
use super::group;
use super::measure::wrap;
use crate::{Detail, Survey};

/// So many files are named before the rest is counted.
const NAMED_FILES: usize = 6;
/// So many notes are shown; the rest are counted at the end.
const NAMED_NOTES: usize = 3;
/// Where the text beside the margin begins.
const MARGIN: usize = 15;

/// Nothing is configured anywhere.
pub(crate) fn world(canvas: &mut Canvas, survey: &Survey<'_>, detail: Detail) {
    canvas.part();
    canvas.line(Line::default().then(Tone::Plain, "No MCP server is configured here."));
    for resolution in survey.resolutions {
        canvas.part();
        canvas.line(group::name(resolution, true));
        if detail == Detail::Verbose {
            group::details(canvas, survey, resolution);
        } else if !resolution.files.is_empty() {
            beside(canvas, "looked at", &looked_at(survey, &resolution.files));
        }
        if detail < Detail::Verbose {
            let notes = resolution.notes.iter().take(NAMED_NOTES);
            notes.for_each(|note| beside(canvas, "note", &note.text));
        }
        for (at, step) in resolution.first_steps.iter().enumerate() {
            beside(canvas, if at == 0 { "to begin" } else { "" }, step);
        }
    }
    canvas.part();
    super::closing::hint(
        canvas,
        "muster demo",
        "a made-up project with servers, to look around in",
    );
    super::closing::more(canvas, survey, detail);
}

/// The harnesses in which nothing is configured, while something is in others: one line.
pub(crate) fn harnesses(
    canvas: &mut Canvas,
    survey: &Survey<'_>,
    nothing: &[&Resolution],
    detail: Detail,
) {
    let names = nothing
        .iter()
        .map(|resolution| resolution.name)
        .collect::<Vec<_>>()
        .join(" · ");
    let screen = canvas.look.width;
    canvas.line(Line::default().then(Tone::Strong, names).right(
        Line::default().then(Tone::Dim, "nothing configured"),
        screen,
    ));
    if detail == Detail::Verbose {
        nothing
            .iter()
            .for_each(|resolution| group::details(canvas, survey, resolution));
    }
}

/// The files in a sentence.
pub(crate) fn looked_at(survey: &Survey<'_>, files: &[FileReport]) -> String {
    let mut names: Vec<String> = files
        .iter()
        .take(NAMED_FILES)
        .map(|file| survey.path(&file.path))
        .collect();
    if files.len() > NAMED_FILES {
        names.push(format!("{} more (-v)", files.len() - NAMED_FILES));
    }
    names.join(", ")
}

/// A word in the margin and text beside it.
fn beside(canvas: &mut Canvas, word: &str, text: &str) {
    let mut first = Line::indented(2).then(Tone::Dim, word);
    for text in wrap(text, canvas.look.width.saturating_sub(MARGIN)) {
        canvas.line(
            std::mem::take(&mut first)
                .to(MARGIN)
                .then(Tone::Plain, text),
        );
    }
}
