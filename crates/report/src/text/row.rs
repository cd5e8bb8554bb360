//! One line for one definition, and how wide its columns are.

use std::borrow::Cow;

use muster_core::{Resolution, Server};

use super::canvas::{Canvas, Line, Tone};
use super::measure::{cut_end, cut_middle, width, wrap};
use crate::standing::{Standing, short};
use crate::target::target;
use crate::{Detail, Look};
use muster_document::Shown;

/// Columns before the name: two blanks, the symbol, a blank.
const INDENT: usize = 4;
/// Blanks between columns.
pub(crate) const GAP: usize = 2;
/// A target that has less room than this says nothing and is left away.
const SMALLEST_TARGET: usize = 8;
/// The width that is filled even where the content would need less.
const USUAL_SCREEN: usize = 80;

/// How wide the columns of every row are: by their content, within bounds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Columns {
    name: usize,
    scope: usize,
    transport: usize,
    screen: usize,
}

impl Columns {
    /// Measures the rows that will be shown; `least` columns are wanted by what stands above them.
    pub(crate) fn measure(
        resolutions: &[Resolution],
        look: Look,
        detail: Detail,
        least: usize,
    ) -> Columns {
        let rows = || {
            resolutions
                .iter()
                .flat_map(|resolution| &resolution.servers)
                .filter(|server| shows(server, detail))
        };
        let widest = |measure: fn(&Server) -> usize| rows().map(measure).max().unwrap_or(0);
        let mut columns = Columns {
            name: widest(|server| width(&name(server))).min((look.width / 4).clamp(12, 40)),
            scope: widest(|server| server.definition.scope.word().len()),
            transport: widest(|server| transport(server).len()),
            screen: 0,
        };
        // A wide terminal is used as far as there is something to show on it; beyond that the eye would lose the line. What is no
        // wider than the least that is used is not measured.
        let least = least.max(USUAL_SCREEN);
        let needed = || {
            let whole = |server: &Server| {
                columns.before_target()
                    + width(&shown_target(server))
                    + GAP
                    + width(&verdict(server))
            };
            rows().map(whole).max().unwrap_or(0)
        };
        let wanted = if look.width > least {
            needed().max(least)
        } else {
            least
        };
        columns.screen = wanted.min(look.width);
        columns
    }

    /// The width that is used.
    pub(crate) fn screen(&self) -> usize {
        self.screen
    }

    fn before_target(&self) -> usize {
        let optional = |width: usize| if width > 0 { width + GAP } else { 0 };
        INDENT + self.name + GAP + optional(self.scope) + optional(self.transport)
    }
}

/// Whether `server` has a row.
pub(crate) fn shows(server: &Server, detail: Detail) -> bool {
    detail > Detail::Quiet || server.status.loads() == Some(true)
}

/// Writes the row of `server`; with [`Detail::Verbose`] also what did not fit and the rule that decided.
pub(crate) fn write(canvas: &mut Canvas, server: &Server, columns: &Columns, detail: Detail) {
    let standing = Standing::of(server.status);
    let tone = tone(standing);
    let ellipsis = canvas.look.ellipsis();
    let room = columns.screen.saturating_sub(columns.before_target());
    let name = name(server);
    let verdict = verdict(server);
    let verdict = cut_end(&verdict, room, ellipsis);
    let target = shown_target(server);
    let target_room = room.saturating_sub(width(&verdict) + GAP);
    let whole = width(&target) <= target_room;

    let mut line = Line::indented(2).then(tone, standing.symbol()).to(INDENT);
    line = line
        .then(Tone::Plain, cut_middle(&name, columns.name, ellipsis))
        .to(INDENT + columns.name + GAP);
    line = line.then(Tone::Dim, server.definition.scope.word());
    if columns.transport > 0 {
        line = line
            .to(INDENT + columns.name + GAP + columns.scope + GAP)
            .then(Tone::Dim, transport(server));
    }
    if whole || (detail < Detail::Verbose && target_room >= SMALLEST_TARGET) {
        line = line
            .to(columns.before_target())
            .then(Tone::Plain, cut_middle(&target, target_room, ellipsis));
    }
    line = line.right(Line::default().then(tone, verdict), columns.screen);
    canvas.line(if standing == Standing::Hidden {
        line.all(Tone::Dim)
    } else {
        line
    });

    if detail == Detail::Verbose {
        let cut_name = (width(&name) > columns.name).then_some(&*name);
        let cut_target = (!whole).then_some(&*target);
        below(canvas, [cut_name, cut_target].into_iter().flatten(), server);
    }
}

/// Writes one row for `servers`, which all stand in one file that the harness never reads, called `file`.
pub(crate) fn write_folded(
    canvas: &mut Canvas,
    servers: &[&Server],
    file: &str,
    columns: &Columns,
) {
    let Some(first) = servers.first() else {
        return;
    };
    let ellipsis = canvas.look.ellipsis();
    let room = columns.screen.saturating_sub(columns.before_target());
    let verdict = verdict(first);
    let verdict = cut_end(&verdict, room, ellipsis);
    let line = Line::indented(2)
        .then(Tone::Dim, Standing::of(first.status).symbol())
        .to(INDENT)
        .then(Tone::Dim, format!("{} servers in ", servers.len()));
    let target_room = columns
        .screen
        .saturating_sub(line.width() + width(&verdict) + GAP);
    let line = line.then(Tone::Dim, cut_middle(file, target_room, ellipsis));
    canvas.line(line.right(Line::default().then(Tone::Dim, verdict), columns.screen));
}

/// What did not fit the row, and the rule that decided.
fn below<'t>(canvas: &mut Canvas, cut: impl Iterator<Item = &'t str>, server: &Server) {
    for text in cut {
        let lines = wrap(text, canvas.look.width.saturating_sub(INDENT));
        lines
            .into_iter()
            .for_each(|text| canvas.line(Line::indented(INDENT).then(Tone::Plain, text)));
    }
    if let Some(reason) = server.reasons.last() {
        let rule = format!(
            "rule {} · {}",
            reason.rule.id,
            reason.rule.evidence.phrase()
        );
        canvas.line(Line::indented(INDENT).then(Tone::Dim, rule));
    }
}

/// The colour of a kind.
pub(crate) fn tone(standing: Standing) -> Tone {
    match standing {
        Standing::Loads => Tone::Loads,
        Standing::Waits => Tone::Waits,
        Standing::Off | Standing::Unread | Standing::Hidden => Tone::Dim,
        Standing::Wrong => Tone::Wrong,
        Standing::Unknown => Tone::Unknown,
    }
}

fn name(server: &Server) -> Cow<'_, str> {
    match crate::name::name(&server.definition.name) {
        Cow::Borrowed(name) => Shown(name).text(),
        Cow::Owned(name) => Cow::Owned(Shown(&name).to_string()),
    }
}

fn transport(server: &Server) -> &'static str {
    server
        .definition
        .entry
        .transport
        .map_or("", |transport| transport.word())
}

fn shown_target(server: &Server) -> String {
    Shown(&target(&server.definition.entry)).to_string()
}

fn verdict(server: &Server) -> Cow<'_, str> {
    Shown(short(server)).text()
}
