//! Something in a list of tools that is no tool.

use muster_core::{Audience, Check, Confidence, Finding, Severity};
use serde_json::Value;

use crate::answered::answer::Answer;
use crate::answered::lessons;

pub(crate) static CHECK: Check = Check {
    id: "odd-tool",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server offers something that is no tool",
    explanation: "An item of its list of tools is no object, or its name is no text. Muster leaves that item out; some agents lose the whole list.",
    help: "Tell whoever makes the server.",
    links: &[],
    example: lessons::FAULTY,
};

/// So many of one server are told of.
const NAMED: usize = 3;

pub(crate) fn look(answer: &Answer<'_>, found: &mut Vec<Finding>) {
    for (index, value) in answer.launched.odd_tools.iter().take(NAMED) {
        let what = match value {
            Value::Object(object) if object.contains_key("name") => "has a name that is no text",
            Value::Object(_) => "has no name",
            _ => "is no object",
        };
        let text = format!("item {} of its list of tools {what}", index + 1);
        found.push(answer.finding(&CHECK, text));
    }
}
