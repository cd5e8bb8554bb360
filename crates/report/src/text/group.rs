//! One harness: its headline, what is wrong as a whole, its rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use camino::Utf8Path;
use muster_core::{FileReport, FileState, Resolution, Server, Status};
use muster_document::Shown;

use super::canvas::{Canvas, Line, Tone};
use super::measure::{width, wrap};
use super::row::{self, Columns};
use crate::standing::{self, Tally, faulty_files};
use crate::{Detail, Survey};

/// Only what loads.
pub(crate) fn quiet(canvas: &mut Canvas, resolution: &Resolution, columns: &Columns) {
    let mut servers = resolution
        .servers
        .iter()
        .filter(|server| row::shows(server, Detail::Quiet))
        .peekable();
    if servers.peek().is_none() {
        return;
    }
    canvas.line(Line::default().then(Tone::Strong, resolution.name));
    servers.for_each(|server| row::write(canvas, server, columns, Detail::Quiet));
}

/// Everything about one harness.
pub(crate) fn full(
    canvas: &mut Canvas,
    survey: &Survey<'_>,
    resolution: &Resolution,
    columns: &Columns,
    detail: Detail,
) {
    headline(canvas, resolution);
    faults(canvas, survey, resolution);
    rows(canvas, survey, resolution, columns, detail);
    if detail == Detail::Verbose {
        details(canvas, survey, resolution);
    }
}

/// So many servers of one file that is never read share a row: another program's list would bury what matters.
const FOLDED: usize = 4;

fn rows(
    canvas: &mut Canvas,
    survey: &Survey<'_>,
    resolution: &Resolution,
    columns: &Columns,
    detail: Detail,
) {
    // By file, and by the reason that they share.
    let key = |server: &Server| -> Option<(Arc<Utf8Path>, Option<String>)> {
        let place = server.definition.place.as_ref()?;
        let folds = detail < Detail::Verbose && server.status == Status::Ignored;
        folds.then(|| (Arc::clone(&place.path), server.short.clone()))
    };
    let mut groups: BTreeMap<_, Vec<&Server>> = BTreeMap::new();
    for server in &resolution.servers {
        if let Some(key) = key(server) {
            groups.entry(key).or_default().push(server);
        }
    }
    groups.retain(|_, servers| servers.len() >= FOLDED);
    for server in &resolution.servers {
        match key(server).and_then(|key| groups.get_key_value(&key)) {
            None => row::write(canvas, server, columns, detail),
            // The first of them stands for all.
            Some(((file, _), servers)) => {
                if servers
                    .first()
                    .is_some_and(|first| std::ptr::eq(*first, server))
                {
                    row::write_folded(canvas, servers, &survey.path(file), columns);
                }
            }
        }
    }
}

/// The name, the version, and at the right what the group amounts to; what decides everything stands there too, or below where it
/// does not fit.
fn headline(canvas: &mut Canvas, resolution: &Resolution) {
    let screen = canvas.look.width;
    let tally = tally(resolution);
    let situation = resolution.situation.as_deref();
    let whole = situation.map_or(tally.clone(), |situation| format!("{tally} · {situation}"));
    let fits = |left: &Line, right: &str| left.width() + 2 + width(right) <= screen;
    let write = |canvas: &mut Canvas, left: Line, right: String| {
        canvas.line(left.right(Line::default().then(Tone::Plain, right), screen));
    };
    let [long, short] = [true, false].map(|versions| name(resolution, versions));
    if fits(&long, &whole) {
        return write(canvas, long, whole);
    }
    let (left, below) = match (fits(&long, &tally), fits(&short, &tally)) {
        (true, _) => (long, situation),
        (false, true) => (short, situation),
        (false, false) => {
            canvas.line(short);
            return below_headline(canvas, &whole);
        }
    };
    write(canvas, left, tally);
    below
        .into_iter()
        .for_each(|situation| below_headline(canvas, situation));
}

fn below_headline(canvas: &mut Canvas, text: &str) {
    for text in wrap(text, canvas.look.width.saturating_sub(2)) {
        canvas.line(Line::indented(2).then(Tone::Waits, text));
    }
}

/// The harness's name, with the version that was found or the one whose rules are applied.
pub(crate) fn name(resolution: &Resolution, versions: bool) -> Line {
    let name = Line::default().then(Tone::Strong, resolution.name);
    let rules = resolution.rules_version;
    match &resolution.installed {
        _ if !versions => name,
        Some(installed) if installed == rules => name.then(Tone::Dim, format!(" {installed}")),
        Some(installed) => name.then(Tone::Dim, format!(" {installed} · by the rules of {rules}")),
        None => name.then(Tone::Dim, format!(" · by the rules of {rules}")),
    }
}

/// `3 load · 1 waits`, or that nothing does.
fn tally(resolution: &Resolution) -> String {
    let tally = Tally::of(resolution);
    match (&resolution.stopped, &resolution.situation) {
        (Some(_), _) => "nothing loads".to_owned(),
        // Why nothing does says more than how many of what there are.
        (None, Some(_)) if tally.loads == 0 => "none load".to_owned(),
        _ => tally.phrase(),
    }
}

/// What stops the whole harness, and the files that it cannot use or that could not be read.
pub(crate) fn faults(canvas: &mut Canvas, survey: &Survey<'_>, resolution: &Resolution) {
    if let Some(stopped) = &resolution.stopped {
        let place = stopped.place.as_ref().map(|place| survey.place(place));
        fault(canvas, place.as_deref(), &stopped.text);
    }
    let stopped = resolution.stopped.as_ref();
    let told = |file: &FileReport| {
        stopped.is_some_and(|stopped| match &stopped.place {
            Some(place) => *place.path == *file.path,
            // A file that cannot be opened has no place in it, but it is named.
            None => stopped
                .text
                .contains(&Shown(file.path.as_str()).to_string()),
        })
    };
    for file in faulty_files(resolution).filter(|file| !told(file)) {
        let place = file
            .place
            .as_ref()
            .map_or_else(|| survey.path(&file.path), |place| survey.place(place));
        fault(canvas, Some(&place), &standing::fault(file));
    }
}

/// A place and what is wrong there: on one line if it fits, else below each other.
fn fault(canvas: &mut Canvas, place: Option<&str>, text: &str) {
    let mark = || Line::indented(2).then(Tone::Wrong, "✗").to(4);
    let screen = canvas.look.width;
    let Some(place) = place else {
        let mut lines = wrap(text, screen.saturating_sub(4)).into_iter();
        lines
            .next()
            .into_iter()
            .for_each(|first| canvas.line(mark().then(Tone::Plain, first)));
        return lines.for_each(|text| canvas.line(Line::indented(4).then(Tone::Plain, text)));
    };
    let placed = mark().then(Tone::Place, place);
    let together = Line::default().then(Tone::Plain, text);
    if placed.width() + 2 + together.width() <= screen {
        let gap = placed.width() + 2;
        return canvas.line(placed.to(gap).then(Tone::Plain, text));
    }
    canvas.line(placed);
    for text in wrap(text, screen.saturating_sub(4)) {
        canvas.line(Line::indented(4).then(Tone::Plain, text));
    }
}

/// Files and notes.
pub(crate) fn details(canvas: &mut Canvas, survey: &Survey<'_>, resolution: &Resolution) {
    if !resolution.files.is_empty() {
        canvas.line(Line::indented(2).then(Tone::Dim, "looked at"));
        resolution
            .files
            .iter()
            .for_each(|file| looked_at(canvas, survey, file));
    }
    for note in &resolution.notes {
        let place = note
            .place
            .as_ref()
            .map(|place| format!(" ({})", survey.place(place)))
            .unwrap_or_default();
        hanging(
            canvas,
            "note",
            &format!(
                "{}{place} [{}, {}]",
                note.text,
                note.rule.id,
                note.rule.evidence.phrase()
            ),
        );
    }
}

/// A file, its state, its scope.
fn looked_at(canvas: &mut Canvas, survey: &Survey<'_>, file: &FileReport) {
    let tone = match file.state {
        FileState::Broken | FileState::Unreadable => Tone::Wrong,
        FileState::Read | FileState::Absent | FileState::Skipped => Tone::Dim,
    };
    let place = file
        .place
        .as_ref()
        .map_or_else(|| survey.path(&file.path), |place| survey.place(place));
    let screen = canvas.look.width;
    let line = Line::indented(4)
        .then(tone, file.state.word())
        .to(13)
        .then(Tone::Dim, file.scope.word())
        .to(24);
    let room = screen.saturating_sub(line.width());
    canvas.line(line.then(
        Tone::Plain,
        super::measure::cut_middle(&place, room, canvas.look.ellipsis()),
    ));
    if let Some(note) = &file.note {
        wrap(note, screen.saturating_sub(24))
            .into_iter()
            .for_each(|text| canvas.line(Line::indented(24).then(Tone::Dim, text)));
    }
}

/// A word in the margin and text beside it.
fn hanging(canvas: &mut Canvas, word: &str, text: &str) {
    let indent = 2 + word.len() + 2;
    let mut first = Line::indented(2).then(Tone::Dim, word);
    for text in wrap(text, canvas.look.width.saturating_sub(indent)) {
        canvas.line(
            std::mem::take(&mut first)
                .to(indent)
                .then(Tone::Plain, text),
        );
    }
}
