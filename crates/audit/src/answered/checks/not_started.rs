//! A server that was left out.

use muster_core::{Audience, Check, Confidence, Finding, Severity, State};

use crate::answered::answer::Answer;
use crate::answered::lessons;

pub(crate) static CHECK: Check = Check {
    id: "not-started",
    severity: Severity::Note,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server was left out",
    explanation: "Muster starts only what your own files define, or what you approved in the agent. What comes with a repository is started only when you say so, and what runs elsewhere only with `--remote`.",
    help: "`--include-unapproved` starts what comes with the repository, `--remote` reaches what runs elsewhere.",
    links: &[],
    example: lessons::ELSEWHERE,
};

pub(crate) fn look(answer: &Answer<'_>, found: &mut Vec<Finding>) {
    if let State::NotStarted(why) = &answer.launched.state {
        found.push(answer.finding(&CHECK, why.clone()));
    }
}
