//! Findings as items of a Markdown list.

use muster_core::Finding;
use muster_document::code;

use super::plain;
use crate::Survey;

/// One finding, with its place, what it is about where `subject` says so, and what to do.
pub(super) fn item(survey: &Survey<'_>, finding: &Finding, subject: bool) -> String {
    let about = match survey.subject(finding) {
        about if subject && !about.is_empty() => format!("{}: ", plain(&about)),
        _ => String::new(),
    };
    let place = finding
        .place
        .as_ref()
        .map(|place| format!(" — {}", code(&survey.place(place))))
        .unwrap_or_default();
    let help = finding
        .help
        .as_ref()
        .map(|help| format!(". Help: {}", plain(help)))
        .unwrap_or_default();
    format!(
        "- **{}**: {about}{}{place} ({}){help}\n",
        finding.severity.word(),
        plain(&finding.text),
        plain(finding.check.id),
    )
}
