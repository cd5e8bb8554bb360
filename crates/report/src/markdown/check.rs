//! `muster check` as Markdown.

use muster_document::{Scrubber, code};

use super::{finding, launched};
use crate::finding::tally;
use crate::standing::totals;
use crate::{Survey, VERSION};

/// Every finding, the worst first. What servers said passes `scrubber` before it is cut.
pub(crate) fn check(survey: &Survey<'_>, scrubber: &Scrubber) -> String {
    let mut text = format!("## Check of {}\n\n", code(&survey.here()));
    let sum = tally(survey.findings).unwrap_or_else(|| "no errors, no warnings".to_owned());
    text.push_str(&format!(
        "{sum} · {} session · muster {VERSION} · {}\n",
        survey.mode.word(),
        totals(survey.resolutions)
    ));
    if let Some(words) = survey.session {
        let line = code(&crate::target::command_line(words));
        text.push_str(&format!("\nAs {line}\n"));
    }
    if let Some(checked) = &survey.checked {
        text.push_str(&launched::all(checked, scrubber));
    }
    if !survey.findings.is_empty() {
        text.push_str("\n### Findings\n\n");
        let items = survey.findings.iter();
        items.for_each(|found| text.push_str(&finding::item(survey, found, true)));
    }
    text
}
