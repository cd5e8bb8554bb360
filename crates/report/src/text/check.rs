//! `muster check` as text: what a linter says.

use std::collections::BTreeSet;

use muster_core::{Finding, Severity};
use muster_document::Scrubber;

use super::canvas::{Canvas, Line, Tone};
use super::closing::hint;
use super::measure::wrap;
use super::{finding, launched};
use crate::finding::tally;
use crate::standing::totals;
use crate::{Detail, Look, Survey};

/// Every finding, the worst first, and what they amount to. What servers said passes `scrubber` before it is cut.
pub(crate) fn check(
    survey: &Survey<'_>,
    scrubber: &Scrubber,
    look: Look,
    detail: Detail,
) -> String {
    let mut canvas = Canvas::new(look);
    if let Some(checked) = &survey.checked {
        launched::all(&mut canvas, survey, checked, scrubber, detail);
    }
    finding::all(&mut canvas, survey, shown(detail));
    if detail > Detail::Quiet {
        canvas.part();
        close(&mut canvas, survey);
    }
    canvas.finish()
}

/// How bad a finding must be to be shown.
fn shown(detail: Detail) -> Severity {
    match detail {
        Detail::Quiet => Severity::Error,
        _ => Severity::Note,
    }
}

fn close(canvas: &mut Canvas, survey: &Survey<'_>) {
    let sum = match tally(survey.findings) {
        Some(tally) => Line::default().then(Tone::Strong, format!("{tally}.")),
        None if survey.findings.is_empty() => Line::default().then(Tone::Loads, "Nothing found."),
        None => Line::default().then(Tone::Loads, "No errors, no warnings."),
    };
    canvas.line(sum);
    for text in wrap(&totals(survey.resolutions), canvas.look.width) {
        canvas.line(Line::default().then(Tone::Dim, text));
    }
    // The rule of the worst is the one to read about.
    if let Some(worst) = survey.findings.first() {
        let rules: BTreeSet<&str> = survey.findings.iter().map(rule).collect();
        let more = match rules.len() {
            1 => "what it means, and what to do",
            _ => "what a finding means, and what to do",
        };
        hint(canvas, &format!("muster explain {}", worst.check.id), more);
    }
}

fn rule(finding: &Finding) -> &'static str {
    finding.check.id
}
