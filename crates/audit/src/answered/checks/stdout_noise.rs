//! A server that writes other things than messages to its standard output.

use muster_core::{Audience, Check, Confidence, Finding, Severity};

use crate::answered::answer::Answer;
use crate::answered::lessons;

pub(crate) static CHECK: Check = Check {
    id: "stdout-noise",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server writes other things than messages to its standard output",
    explanation: "Over standard streams every line of the output must be a message. Agents pass over what is none, or fail with a parse error, or wait for ever; a half line can swallow an answer.",
    help: "Have the server log to standard error: often a flag, a log level or a variable. A banner is most often printed by a wrapper, not by the server.",
    links: &[],
    example: lessons::NOISE,
};

pub(crate) fn look(answer: &Answer<'_>, found: &mut Vec<Finding>) {
    let noise = &answer.launched.noise;
    let lines = match noise.lines {
        0 => return,
        1 => "1 line that is no message".to_owned(),
        lines => format!("{lines} lines that are no messages"),
    };
    let first = noise.first.as_deref().unwrap_or_default();
    let text = format!(
        "writes logs to its standard output: {lines}, first: {}",
        answer.launch.plain(first)
    );
    found.push(answer.finding(&CHECK, text));
}
