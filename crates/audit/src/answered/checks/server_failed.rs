//! A server that could not be started, ended, or answered with an error.

use muster_core::{Audience, Check, Confidence, Finding, Severity, State};

use crate::answered::answer::Answer;
use crate::answered::lessons;

pub(crate) static CHECK: Check = Check {
    id: "server-failed",
    severity: Severity::Error,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server does not work",
    explanation: "It was started as the agent starts it, and could not be started, ended by itself, or answered with an error where every server must answer. In the agent it is missing, often without a word.",
    help: "Look at what it wrote last and at the likely cause below it; start it by hand with the folder and the variables of `muster why NAME --launch-plan`.",
    links: &[],
    example: lessons::FAILS,
};

pub(crate) fn look(answer: &Answer<'_>, found: &mut Vec<Finding>) {
    let State::Failed(failure) = &answer.launched.state else {
        return;
    };
    let text = answer.launch.plain(&failure.text);
    let text = match answer.launched.exit {
        Some(exit) => format!("{text} ({exit})"),
        None => text,
    };
    found.push(answer.failure(&CHECK, text));
}
