//! `muster list` as text.

use muster_core::Resolution;

use super::canvas::{Canvas, Line, Tone};
use super::row::Columns;
use super::{closing, empty, group};
use crate::standing::has_something;
use crate::{Detail, Look, Survey};

/// Everything `survey` found, one group for each harness.
pub(crate) fn list(survey: &Survey<'_>, look: Look, detail: Detail) -> String {
    let columns = Columns::measure(survey.resolutions, look, detail);
    let mut canvas = Canvas::new(Look {
        width: columns.screen(),
        ..look
    });
    if detail == Detail::Quiet {
        for resolution in survey.resolutions {
            group::quiet(&mut canvas, resolution, &columns);
        }
        return canvas.finish();
    }
    heading(&mut canvas, survey);
    let (something, nothing): (Vec<&Resolution>, Vec<&Resolution>) =
        survey.resolutions.iter().partition(|r| has_something(r));
    if something.is_empty() {
        empty::world(&mut canvas, survey, detail);
        return canvas.finish();
    }
    for resolution in something {
        canvas.part();
        group::full(&mut canvas, survey, resolution, &columns, detail);
    }
    if !nothing.is_empty() {
        canvas.part();
        empty::harnesses(&mut canvas, survey, &nothing, detail);
    }
    canvas.part();
    closing::write(&mut canvas, survey, detail);
    canvas.finish()
}

/// Where, and what kind of session.
fn heading(canvas: &mut Canvas, survey: &Survey<'_>) {
    let left = Line::default().then(Tone::Strong, survey.here());
    let session = format!("{} session", survey.mode.word());
    let right = Line::default().then(Tone::Dim, format!("{session} · muster why NAME"));
    let fits = left.width() + 2 + right.width() <= canvas.look.width;
    let width = canvas.look.width;
    if fits {
        canvas.line(left.right(right, width));
    } else {
        canvas.line(left);
        canvas.line(right);
    }
    if let Some(words) = survey.session {
        canvas.line(
            Line::default()
                .then(Tone::Dim, "as ")
                .then(Tone::Plain, crate::target::command_line(words)),
        );
    }
}
