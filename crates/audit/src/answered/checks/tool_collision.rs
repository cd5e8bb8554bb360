//! Tools of one name.

use muster_core::{Audience, Check, Confidence, Finding, Severity};

use crate::answered::lessons;
use crate::answered::offering::Offering;

pub(crate) static CHECK: Check = Check {
    id: "tool-collision",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "two tools have one name",
    explanation: "The model cannot tell them apart: one of them is never called, or the request is refused.",
    help: "Rename one of the servers, or hide one of the tools.",
    links: &[],
    example: lessons::FAULTY,
};

pub(crate) fn look(offering: &Offering<'_>, found: &mut Vec<Finding>) {
    let (launch, name) = (offering.launch(), offering.name);
    for (first, second) in offering.offer.collisions() {
        let (Some(one), Some(other)) = (
            launch.candidates.get(first.server),
            launch.candidates.get(second.server),
        ) else {
            continue;
        };
        // The server's own name for it: what a harness makes of a name nobody would know again as a secret.
        let own = offering.gist(second).map_or("", |gist| gist.name.as_ref());
        let own = launch.word(own);
        let text = match first.server == second.server {
            true => format!("two of its tools are {own} in {name}"),
            false => format!(
                "{} and {} both offer {own}: {name}'s model cannot tell them apart",
                launch.word(one.name),
                launch.word(other.name),
            ),
        };
        found.extend(offering.finding(second, &CHECK, text));
    }
}
