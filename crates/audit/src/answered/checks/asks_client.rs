//! A server that asks its client.

use muster_core::{Audience, Check, Confidence, Finding, Oddity, Severity};

use crate::answered::answer::Answer;
use crate::answered::lessons;

pub(crate) static CHECK: Check = Check {
    id: "asks-client",
    severity: Severity::Note,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server asks its client",
    explanation: "It asks for folders, for answers of a model or of you. Not every agent gives them; a server that does not go on without is of no use there.",
    help: "Look whether it works in the agents that you use.",
    links: &[],
    example: lessons::FAULTY,
};

pub(crate) fn look(answer: &Answer<'_>, found: &mut Vec<Finding>) {
    for oddity in &answer.launched.oddities {
        if let Oddity::AskedClient { method } = oddity {
            let method = answer.launch.plain(method);
            let text = format!("asks its client for {method}, which a check does not give");
            found.push(answer.finding(&CHECK, text));
        }
    }
}
