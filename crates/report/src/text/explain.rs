//! `muster explain` as text.

use muster_core::{Check, Harness, Rule};

use super::canvas::{Canvas, Line, Tone};
use super::finding;
use super::measure::{cut_end, width, wrap};
use crate::{Look, Topic};

/// Where text below a heading begins.
const INDENT: usize = 2;
/// Prose is not wider than this: longer lines are hard to read.
const PROSE: usize = 78;

/// One topic whole, several as a list. `more` are commands that list others, each with what it lists.
pub(crate) fn explain(topics: &[Topic], more: &[(String, String)], look: Look) -> String {
    let mut canvas = Canvas::new(look);
    match topics {
        [Topic::Check(check)] => page(&mut canvas, check),
        [Topic::Rule(harness, rule)] => rule_page(&mut canvas, *harness, rule),
        several => list(&mut canvas, several),
    }
    if !more.is_empty() {
        canvas.part();
    }
    let column = more.iter().map(|(command, _)| width(command)).max();
    for (command, shows) in more {
        canvas.line(
            Line::indented(INDENT)
                .then(Tone::Command, command)
                .to(INDENT + column.unwrap_or(0) + 2)
                .then(Tone::Dim, shows),
        );
    }
    canvas.finish()
}

fn list(canvas: &mut Canvas, topics: &[Topic]) {
    let widest = topics.iter().map(|topic| width(topic.id())).max();
    let column = INDENT + widest.unwrap_or(0) + 2;
    for topic in topics {
        let tone = match topic {
            Topic::Check(check) => finding::tone(check.severity),
            Topic::Rule(..) => Tone::Plain,
        };
        let room = canvas.look.width.saturating_sub(column);
        let title = cut_end(topic.title(), room, canvas.look.ellipsis());
        canvas.line(
            Line::indented(INDENT)
                .then(tone, topic.id())
                .to(column)
                .then(Tone::Plain, title),
        );
    }
}

fn page(canvas: &mut Canvas, check: &Check) {
    let kind = format!(
        "{} · {} confidence",
        check.severity.word(),
        check.confidence.word()
    );
    let kind = match check.audience {
        muster_core::Audience::Everyone => kind,
        other => format!("{kind} · for the {} audience", other.word()),
    };
    head(canvas, check.id, &kind);
    prose(canvas, 0, check.title);
    canvas.part();
    prose(canvas, INDENT, check.explanation);
    canvas.part();
    canvas.line(Line::default().then(Tone::Strong, "What to do"));
    prose(canvas, INDENT, check.help);
    if !check.links.is_empty() {
        canvas.part();
        canvas.line(Line::default().then(Tone::Strong, "More"));
    }
    for link in check.links {
        canvas.line(Line::indented(INDENT).then(Tone::Place, *link));
    }
    let example = &check.example;
    for (path, text) in example.besides {
        file(canvas, path, text);
    }
    file(canvas, &format!("{}, before", example.path), example.before);
    file(canvas, &format!("{}, after", example.path), example.after);
}

fn file(canvas: &mut Canvas, title: &str, text: &str) {
    canvas.part();
    canvas.line(Line::default().then(Tone::Strong, title));
    for line in text.lines() {
        canvas.line(Line::indented(INDENT).then(Tone::Plain, line));
    }
}

fn rule_page(canvas: &mut Canvas, harness: &dyn Harness, rule: &Rule) {
    head(canvas, rule.id, &rule.evidence.phrase());
    prose(canvas, 0, harness.name());
    canvas.part();
    prose(canvas, INDENT, rule.summary);
    if !rule.cases.is_empty() {
        canvas.part();
        canvas.line(Line::default().then(Tone::Strong, "Golden cases that pin it"));
        for case in rule.cases {
            let case = format!("cases/{}/{case}", harness.id());
            canvas.line(Line::indented(INDENT).then(Tone::Plain, case));
        }
    }
}

/// The id, and at the right what kind of rule it is.
fn head(canvas: &mut Canvas, id: &str, kind: &str) {
    let screen = canvas.look.width.min(80);
    let left = Line::default().then(Tone::Strong, id);
    let right = Line::default().then(Tone::Dim, kind);
    if left.width() + 2 + right.width() <= screen {
        canvas.line(left.right(right, screen));
    } else {
        canvas.line(left);
        canvas.line(right);
    }
}

fn prose(canvas: &mut Canvas, indent: usize, text: &str) {
    let room = canvas.look.width.min(PROSE).saturating_sub(indent);
    for line in wrap(text, room) {
        canvas.line(Line::indented(indent).then(Tone::Plain, line));
    }
}
