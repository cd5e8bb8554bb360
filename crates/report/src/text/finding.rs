//! Findings as text, much as a compiler prints them.

use muster_core::{Finding, Severity};

use super::canvas::{Canvas, Line, Tone};
use super::measure::wrap;
use crate::Survey;

/// Where what follows a finding's first line begins.
const INDENT: usize = 2;

/// Every finding that is at least as bad as `least`, with its place and what to do.
pub(crate) fn all(canvas: &mut Canvas, survey: &Survey<'_>, least: Severity) {
    let told = survey.checked.map_or(&[][..], |checked| checked.told);
    let bad = |finding: &&Finding| finding.severity <= least && !told.contains(&finding.check.id);
    for finding in survey.findings.iter().filter(bad) {
        canvas.part();
        one(canvas, survey, finding);
    }
}

fn one(canvas: &mut Canvas, survey: &Survey<'_>, finding: &Finding) {
    let head = format!("{}[{}]:", finding.severity.word(), finding.check.id);
    let room = canvas.look.width.saturating_sub(INDENT);
    let lines = wrap(&format!("{head} {}", finding.text), room);
    for (at, text) in lines.iter().enumerate() {
        canvas.line(match text.strip_prefix(&head).filter(|_| at == 0) {
            Some(rest) => Line::default()
                .then(tone(finding.severity), &head)
                .then(Tone::Plain, rest),
            None => Line::indented(if at == 0 { 0 } else { INDENT }).then(Tone::Plain, text),
        });
    }
    let place = finding.place.as_ref().map(|place| survey.place(place));
    let subject = survey.subject(finding);
    let whose = [place, Some(subject).filter(|subject| !subject.is_empty())];
    let whose: Vec<String> = whose.into_iter().flatten().collect();
    for text in wrap(&format!("--> {}", whose.join(" · ")), room) {
        canvas.line(Line::indented(INDENT).then(Tone::Place, text));
    }
    if let Some(help) = &finding.help {
        for text in wrap(&format!("help: {help}"), room) {
            canvas.line(Line::indented(INDENT).then(Tone::Plain, text));
        }
    }
}

/// The colour of a severity.
pub(crate) fn tone(severity: Severity) -> Tone {
    match severity {
        Severity::Error => Tone::Wrong,
        Severity::Warning => Tone::Waits,
        Severity::Note => Tone::Dim,
    }
}
