//! `muster list --by server` as text: servers down, harnesses across.

use muster_document::Shown;

use super::canvas::{Canvas, Line, Tone};
use super::measure::{cut_middle, width, wrap};
use super::row::{GAP, tone};
use super::{closing, empty, list};
use crate::matrix::{Cell, Matrix, Row, mark};
use crate::name::name;
use crate::standing::{Standing, count};
use crate::target::target;
use crate::{Detail, Look, Survey};

/// Columns before the name.
const INDENT: usize = 2;
/// The least room for a name.
const SMALLEST_NAME: usize = 6;
/// A target that has less room than this stands on a line of its own, if anywhere.
const SMALLEST_TARGET: usize = 16;
/// The width that is filled even where the content would need less.
const USUAL_SCREEN: usize = 80;

/// Everything `survey` found, one row for each server.
pub(crate) fn matrix(survey: &Survey<'_>, look: Look, detail: Detail) -> String {
    let matrix = Matrix::new(survey);
    let (left, right) = list::heading(survey);
    let layout = Layout::measure(&matrix, look, left.width() + GAP + right.width());
    let mut canvas = Canvas::new(layout.look);
    if detail > Detail::Quiet {
        list::headline(&mut canvas, survey, left, right);
    }
    if matrix.rows.is_empty() {
        if detail > Detail::Quiet {
            empty::world(&mut canvas, survey, detail);
        }
        return canvas.finish();
    }
    canvas.part();
    canvas.line(layout.head());
    for row in matrix.rows.iter().filter(|row| row.shows(detail)) {
        layout.write(&mut canvas, &matrix, row, detail);
    }
    if detail > Detail::Quiet {
        layout.explain(&mut canvas, &matrix);
        close(&mut canvas, survey, &matrix, detail);
    }
    canvas.finish()
}

/// How wide the columns are, and what fits into them.
struct Layout {
    look: Look,
    name: usize,
    columns: Vec<Column>,
    /// A cell has its word behind its symbol.
    words: bool,
    /// The room for what a server is, behind the last column; 0 where there is none.
    target: usize,
}

struct Column {
    head: String,
    width: usize,
}

impl Layout {
    /// The most telling layout that fits the screen: whole words, then symbols alone, then the shortest heads. A screen that is wider
    /// than the rows and than `least` is not filled.
    fn measure(matrix: &Matrix<'_>, look: Look, least: usize) -> Layout {
        let widest = matrix.rows.iter().map(|row| width(&title(row))).max();
        let longest = (look.width / 4).clamp(12, 30);
        let name = widest.unwrap_or(0).clamp(SMALLEST_NAME, longest);
        let names: Vec<&str> = matrix
            .columns
            .iter()
            .map(|resolution| resolution.name)
            .collect();
        let first: Vec<String> = first_words(&names);
        let layouts = [
            (first.clone(), true),
            (first, false),
            (initials(&names), false),
        ];
        let mut chosen = None;
        for (heads, words) in layouts {
            let columns: Vec<Column> = heads
                .into_iter()
                .enumerate()
                .map(|(at, head)| {
                    let cells = matrix.rows.iter().filter_map(|row| row.cells.get(at));
                    let widest = cells.map(|cell| width(&shown(cell, words))).max();
                    Column {
                        width: width(&head).max(widest.unwrap_or(0)),
                        head,
                    }
                })
                .collect();
            let across: usize = columns.iter().map(|one| GAP + one.width).sum();
            // Names give way before columns do.
            let room = look
                .width
                .saturating_sub(INDENT + across)
                .max(SMALLEST_NAME);
            let name = if words { name } else { name.min(room) };
            let used = INDENT + name + across;
            let targets = matrix.rows.iter().map(|row| width(&what(row))).max();
            let wanted = (used + GAP + targets.unwrap_or(0))
                .max(least)
                .max(USUAL_SCREEN);
            let screen = wanted.min(look.width);
            let room = screen.saturating_sub(used + GAP);
            let layout = Layout {
                look: Look {
                    width: screen,
                    ..look
                },
                name,
                columns,
                words,
                target: if room < SMALLEST_TARGET { 0 } else { room },
            };
            let fits = used <= look.width;
            chosen = Some(layout);
            if fits {
                break;
            }
        }
        chosen.unwrap_or(Layout {
            look,
            name,
            columns: Vec::new(),
            words: false,
            target: 0,
        })
    }

    fn head(&self) -> Line {
        let mut line = Line::indented(INDENT);
        let mut at = INDENT + self.name;
        for column in &self.columns {
            line = line.to(at + GAP).then(Tone::Strong, &column.head);
            at += GAP + column.width;
        }
        line
    }

    fn write(&self, canvas: &mut Canvas, matrix: &Matrix<'_>, row: &Row<'_>, detail: Detail) {
        let ellipsis = self.look.ellipsis();
        let title = title(row);
        let mut line =
            Line::indented(INDENT).then(Tone::Plain, cut_middle(&title, self.name, ellipsis));
        let mut at = INDENT + self.name;
        for (column, cell) in self.columns.iter().zip(&row.cells) {
            line = line.to(at + GAP);
            if let Some(server) = cell.best() {
                let tone = tone(Standing::of(server.status));
                line = line.then(tone, shown(cell, self.words));
            }
            at += GAP + column.width;
        }
        let target = what(row);
        let whole = width(&target) <= self.target;
        if self.target > 0 && !target.is_empty() {
            let text = cut_middle(&target, self.target, ellipsis);
            line = line.to(at + GAP).then(Tone::Dim, text);
        }
        canvas.line(line);
        let mut below = |text: &str| {
            let room = self.look.width.saturating_sub(INDENT * 2);
            for text in wrap(text, room) {
                canvas.line(Line::indented(INDENT * 2).then(Tone::Dim, text));
            }
        };
        if detail == Detail::Verbose && width(&title) > self.name {
            below(&title);
        }
        let wanted = detail == Detail::Verbose || (row.shares_a_name && self.target == 0);
        if wanted && !whole && !target.is_empty() {
            below(&target);
        }
        if let Some(text) = aliases(matrix, row) {
            below(&text);
        }
    }

    /// What symbols and short heads stand for, where words had no room.
    fn explain(&self, canvas: &mut Canvas, matrix: &Matrix<'_>) {
        if self.words {
            return;
        }
        canvas.part();
        let heads = self.columns.iter().map(|column| &column.head);
        let short: Vec<String> = heads
            .zip(&matrix.columns)
            .filter(|(head, resolution)| !resolution.name.starts_with(&format!("{head} ")))
            .filter(|(head, resolution)| **head != resolution.name)
            .map(|(head, resolution)| format!("{head} {}", resolution.name))
            .collect();
        let symbols = "● loads · ◌ waits for you · ○ off or unused · ✗ wrong · ? unknown";
        for text in [short.join(" · "), symbols.to_owned()] {
            for text in wrap(&text, self.look.width) {
                if !text.is_empty() {
                    canvas.line(Line::default().then(Tone::Dim, text));
                }
            }
        }
    }
}

/// `a`, or `a, b` where it goes under two names.
fn title(row: &Row<'_>) -> String {
    let names: Vec<String> = row
        .names
        .iter()
        .map(|one| Shown(&name(one)).to_string())
        .collect();
    names.join(", ")
}

/// What is started or reached.
fn what(row: &Row<'_>) -> String {
    Shown(&target(row.entry)).to_string()
}

/// Who knows a server of several names under which.
fn aliases(matrix: &Matrix<'_>, row: &Row<'_>) -> Option<String> {
    if row.names.len() < 2 {
        return None;
    }
    let told = row.names.iter().map(|one| {
        let knows = |cell: &Cell<'_>| {
            let mut servers = cell.servers.iter();
            servers.any(|server| server.definition.name == *one)
        };
        let harnesses = matrix.columns.iter().zip(&row.cells);
        let harnesses = harnesses.filter(|(_, cell)| knows(cell));
        let harnesses: Vec<&str> = harnesses.map(|(resolution, _)| resolution.name).collect();
        format!("{} in {}", Shown(&name(one)), harnesses.join(", "))
    });
    Some(told.collect::<Vec<_>>().join("; "))
}

/// A cell as text.
fn shown(cell: &Cell<'_>, words: bool) -> String {
    match cell.best().map(|server| mark(Standing::of(server.status))) {
        None => String::new(),
        Some((symbol, word)) if words => format!("{symbol} {word}"),
        Some((symbol, _)) => symbol.to_owned(),
    }
}

/// The first word of each name, where that tells them apart.
fn first_words(names: &[&str]) -> Vec<String> {
    let first = |name: &&str| name.split(' ').next().unwrap_or(name).to_owned();
    let heads: Vec<String> = names.iter().map(first).collect();
    let apart = |head: &String| heads.iter().filter(|other| *other == head).count() == 1;
    let heads_apart = names.iter().zip(&heads).map(|(name, head)| {
        if apart(head) {
            head.clone()
        } else {
            (*name).to_owned()
        }
    });
    heads_apart.collect()
}

/// The shortest beginnings, of two letters and more, that tell the names apart.
fn initials(names: &[&str]) -> Vec<String> {
    let beginning = |name: &str, letters: usize| name.chars().take(letters).collect::<String>();
    let shortest = |name: &&str| {
        let longest = name.chars().count();
        let found = (2..longest).find(|letters| {
            let head = beginning(name, *letters);
            names
                .iter()
                .filter(|other| other.starts_with(&head))
                .count()
                == 1
        });
        beginning(name, found.unwrap_or(longest))
    };
    names.iter().map(shortest).collect()
}

/// What it amounts to, who knows nothing, what to ask next.
fn close(canvas: &mut Canvas, survey: &Survey<'_>, matrix: &Matrix<'_>, detail: Detail) {
    canvas.part();
    for resolution in survey.resolutions {
        if let Some(stopped) = &resolution.stopped {
            let text = format!("{}: {}", resolution.name, stopped.text);
            for text in wrap(&text, canvas.look.width) {
                canvas.line(Line::default().then(Tone::Wrong, text));
            }
        }
    }
    let [all, some, none] = matrix.loading(detail);
    let agents = matrix.columns.len();
    let everywhere = match matrix.columns.as_slice() {
        [only] => format!("in {}", only.name),
        _ => format!("in all {agents} agents"),
    };
    let some_of = match all {
        0 => format!("in some of {agents} agents"),
        _ => "in some".to_owned(),
    };
    let places = [
        (all, everywhere),
        (some, some_of),
        (none, "in none".to_owned()),
    ];
    let places = places.into_iter().filter(|(n, _)| *n > 0);
    let parts: Vec<String> = places
        .enumerate()
        .map(|(at, (n, place))| match at {
            0 => format!("{} {place}", count(n, "loads", "load")),
            _ => format!("{n} {place}"),
        })
        .collect();
    let hidden = matrix.rows.iter().filter(|row| !row.shows(detail)).count();
    let servers = count(matrix.rows.len() - hidden, "server", "servers");
    let mut text = format!("{servers}: {}.", parts.join(", "));
    if !matrix.others.is_empty() {
        let names: Vec<&str> = matrix.others.iter().map(|other| other.name).collect();
        text.push_str(&format!(" Nothing is configured in {}.", names.join(", ")));
    }
    if hidden > 0 {
        let stand = count(hidden, "more stands", "more stand");
        text.push_str(&format!(
            " {stand} where no agent reads them (-v shows them)."
        ));
    }
    for text in wrap(&text, canvas.look.width) {
        canvas.line(Line::default().then(Tone::Plain, text));
    }
    closing::hint(canvas, "muster why NAME", "the whole story of one");
    closing::hint(canvas, "muster list", "each agent by itself, with reasons");
}
