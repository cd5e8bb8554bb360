//! Tools that an agent loses over one.

use muster_core::{Audience, Check, Confidence, Finding, ListFault, Severity, tool_name};

use crate::answered::answer::Answer;
use crate::answered::lessons;
use crate::answered::offering::Offering;

pub(crate) static CHECK: Check = Check {
    id: "tools-lost",
    severity: Severity::Error,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "an agent loses every tool of a server over one",
    explanation: "The agent refuses the whole list of tools because one item of it, or the list itself, is not as it wants it. Most say that the server is connected all the same.",
    help: "Tell whoever makes the server, or use a version of it without the fault.",
    links: &[],
    example: lessons::FAULTY,
};

pub(crate) fn look(offering: &Offering<'_>, found: &mut Vec<Finding>) {
    for (server, fault) in &offering.offer.lost {
        let Some(answer) = offering.answer(*server) else {
            continue;
        };
        let (culprit, tool) = culprit(&answer, *fault);
        let text = format!(
            "{} loses all {} of its tools: its list of tools {}{culprit}",
            offering.name,
            answer.launched.tools.len(),
            fault.phrase(),
        );
        let mut finding = answer.finding(&CHECK, text);
        finding.harness = Some(offering.id);
        finding.tool = tool;
        found.push(finding);
    }
}

/// The tool that is at fault, in words, and by its name.
fn culprit(answer: &Answer<'_>, fault: ListFault) -> (String, Option<String>) {
    let index = match (fault, fault.of(answer.launched)) {
        (ListFault::NoTool, Some(Some(index))) => return (format!(" (item {})", index + 1), None),
        (_, Some(Some(index))) => index,
        _ => return (String::new(), None),
    };
    let tool = answer.launched.tools.get(index).and_then(tool_name);
    match tool {
        Some(name) => (
            format!(" ({})", answer.launch.word(name)),
            Some(name.to_owned()),
        ),
        None => (String::new(), None),
    }
}
