//! `muster list` as text.

use muster_core::{Resolution, Severity};

use super::canvas::{Canvas, Line, Tone};
use super::row::{Columns, GAP};
use super::{closing, empty, finding, group};
use crate::standing::has_something;
use crate::{Detail, Look, Survey};

/// Everything `survey` found, one group for each harness.
pub(crate) fn list(survey: &Survey<'_>, look: Look, detail: Detail) -> String {
    let (left, right) = heading(survey);
    let columns = Columns::measure(
        survey.resolutions,
        look,
        detail,
        left.width() + GAP + right.width(),
    );
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
    headline(&mut canvas, survey, left, right);
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
    if detail == Detail::Verbose {
        finding::all(&mut canvas, survey, Severity::Note);
    }
    canvas.part();
    closing::write(&mut canvas, survey, detail);
    canvas.finish()
}

/// Where, and what kind of session.
pub(super) fn heading(survey: &Survey<'_>) -> (Line, Line) {
    let session = format!("{} session · muster why NAME", survey.mode.word());
    let left = Line::default().then(Tone::Strong, survey.here());
    (left, Line::default().then(Tone::Dim, session))
}

/// The heading on one line if it fits, and the command line that is answered for.
pub(super) fn headline(canvas: &mut Canvas, survey: &Survey<'_>, left: Line, right: Line) {
    let width = canvas.look.width;
    if left.width() + GAP + right.width() <= width {
        canvas.line(left.right(right, width));
    } else {
        canvas.line(left);
        canvas.line(right);
    }
    if let Some(words) = survey.session {
        let session = Line::default().then(Tone::Dim, "as ");
        canvas.line(session.then(Tone::Plain, crate::target::command_line(words)));
    }
}
