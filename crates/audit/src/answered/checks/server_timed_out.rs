//! A server that does not answer in time.

use muster_core::{Audience, Check, Confidence, Finding, Severity, State};

use crate::answered::answer::{Answer, seconds};
use crate::answered::lessons;

pub(crate) static CHECK: Check = Check {
    id: "server-timed-out",
    severity: Severity::Error,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server does not answer in time",
    explanation: "It was started and did not answer what it was asked before the time was over. Agents give up as well, each after a time of its own, and go on without the server.",
    help: "Start it by hand to see what it waits for. What is only slow at its first start (npx, uvx, docker pull) can be started once before; else allow it more time in the agent's own setting.",
    links: &[],
    example: lessons::SLOW,
};

pub(crate) fn look(answer: &Answer<'_>, found: &mut Vec<Finding>) {
    if let State::TimedOut { method, after } = &answer.launched.state {
        let text = format!(
            "no answer to {} within {}",
            answer.launch.plain(method),
            seconds(*after)
        );
        found.push(answer.failure(&CHECK, text));
    }
}
