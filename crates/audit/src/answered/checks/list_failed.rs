//! A list that a server declares and does not give.

use muster_core::{Audience, Check, Confidence, Finding, Severity};

use crate::answered::answer::Answer;
use crate::answered::lessons;

pub(crate) static CHECK: Check = Check {
    id: "list-failed",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server does not give a list that it declares",
    explanation: "It says that it has prompts or resources, and answers with an error when asked for them.",
    help: "Tell whoever makes the server.",
    links: &[],
    example: lessons::FAULTY,
};

pub(crate) fn look(answer: &Answer<'_>, found: &mut Vec<Finding>) {
    for (method, why) in &answer.launched.failed_lists {
        if *method != "tools/list" {
            let text = format!("{method}: {}", answer.launch.plain(why));
            found.push(answer.finding(&CHECK, text));
        }
    }
}
