//! Findings as people read them: which are shown where, and how they are counted.

use muster_core::{Finding, Server, Severity};
use muster_document::Scrubber;

use crate::Survey;
use crate::bounded::{MESSAGE, NAME, bounded};
use crate::name::name;
use crate::standing::count;

impl<'r> Survey<'r> {
    /// What was found about the server called `name` in the harness `id`, apart from what the story of `servers` tells anyway.
    pub(crate) fn findings_on(
        &self,
        id: &str,
        name: &str,
        servers: &[&Server],
    ) -> Vec<&'r Finding> {
        let about = |finding: &&Finding| {
            finding.harness == Some(id) && finding.server.as_deref() == Some(name)
        };
        let told = |finding: &&Finding| {
            let mut reasons = servers.iter().flat_map(|server| &server.reasons);
            reasons.any(|reason| reason.text == finding.text)
        };
        let findings = self.findings.iter();
        findings.filter(about).filter(|f| !told(f)).collect()
    }

    /// `tool query of db in Claude Code`: what `finding` is about; empty where it is about nothing alone.
    pub(crate) fn subject(&self, finding: &Finding) -> String {
        let harness = self
            .resolutions
            .iter()
            .find(|resolution| Some(resolution.id) == finding.harness)
            .map(|resolution| resolution.name);
        let server = finding.server.as_deref().map(name);
        let server = match (finding.tool.as_deref().map(name), server) {
            (Some(tool), Some(server)) => Some(format!("tool {tool} of {server}").into()),
            (_, server) => server,
        };
        match (server, harness) {
            (Some(server), Some(harness)) => format!("{server} in {harness}"),
            (Some(server), None) => server.into_owned(),
            (None, harness) => harness.unwrap_or_default().to_owned(),
        }
    }
}

/// `finding` without what `scrubber` knows, and no longer than can be read.
pub(crate) fn clean(finding: &Finding, scrubber: &Scrubber) -> Finding {
    let clean = |text: &str| bounded(&scrubber.scrub(text), MESSAGE).into_owned();
    Finding {
        text: clean(&finding.text),
        help: finding.help.as_deref().map(clean),
        tool: finding
            .tool
            .as_deref()
            .map(|tool| tool_name(tool, scrubber)),
        ..finding.clone()
    }
}

/// A name that a server gave to a tool, without what `scrubber` knows, and no longer than can be read.
pub(crate) fn tool_name(name: &str, scrubber: &Scrubber) -> String {
    bounded(&scrubber.scrub(name), NAME).into_owned()
}

/// `1 error, 2 warnings`; `None` where there is neither.
pub(crate) fn tally(findings: &[Finding]) -> Option<String> {
    let number = |severity| {
        let of = |finding: &&Finding| finding.severity == severity;
        findings.iter().filter(of).count()
    };
    let counted = [
        (number(Severity::Error), "error", "errors"),
        (number(Severity::Warning), "warning", "warnings"),
    ];
    let parts: Vec<String> = counted
        .into_iter()
        .filter(|(n, ..)| *n > 0)
        .map(|(n, one, many)| count(n, one, many))
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}
