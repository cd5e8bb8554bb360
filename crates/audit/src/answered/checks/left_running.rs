//! A server that leaves processes behind.

use muster_core::{Audience, Check, Confidence, Finding, Severity};
use muster_document::Masked;

use crate::answered::answer::Answer;
use crate::answered::lessons;

pub(crate) static CHECK: Check = Check {
    id: "left-running",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server leaves processes behind that cannot be ended",
    explanation: "After the server was asked to end, terminated and killed, something that it had started still runs. Agents do not look for such processes at all: they pile up.",
    help: "End it by its number, and tell whoever makes the server.",
    links: &[],
    example: lessons::FAULTY,
};

pub(crate) fn look(answer: &Answer<'_>, found: &mut Vec<Finding>) {
    for left in &answer.launched.left_running {
        let words = Masked::command_line(&left.argv).into_iter();
        let words: Vec<String> = words.map(String::from).collect();
        let text = format!(
            "process {} could not be ended: {}",
            left.pid,
            words.join(" ")
        );
        found.push(answer.finding(&CHECK, text));
    }
}
