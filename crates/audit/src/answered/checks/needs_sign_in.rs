//! A server that wants its user to sign in.

use muster_core::{Audience, Check, Confidence, Finding, Severity, State};

use crate::answered::answer::Answer;
use crate::answered::lessons;

pub(crate) static CHECK: Check = Check {
    id: "needs-sign-in",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server wants you to sign in",
    explanation: "It answers only to whoever is known to it. Most agents open a browser for this on request; a run that nobody can be asked in goes on without the server.",
    help: "Sign in, or configure a token where the server takes one.",
    links: &[],
    example: lessons::ELSEWHERE,
};

pub(crate) fn look(answer: &Answer<'_>, found: &mut Vec<Finding>) {
    if let State::NeedsSignIn { how } = &answer.launched.state {
        found.push(answer.failure(&CHECK, answer.launch.plain(how)));
    }
}
