//! Times in the unit of another harness.

use std::time::Duration;

use muster_core::{Audience, Check, Confidence, Example, Finding, Severity, Sourced, TimeUnit};

use crate::account::Subject;

pub(crate) static CHECK: Check = Check {
    id: "timeout-unit",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a time in another agent's unit",
    explanation: "`timeout` counts milliseconds in Claude Code, Gemini CLI and OpenCode, and seconds in Pi; Codex says so in its keys, \
        `startup_timeout_sec` and `tool_timeout_sec`. `30000` copied into Pi waits for eight hours, `30` copied into OpenCode gives a \
        server a thirtieth of a second to start.",
    help: "Write the time in this agent's unit.",
    links: &[],
    example: Example {
        harness: "codex",
        path: "~/.codex/config.toml",
        before: r#"[mcp_servers.db]
command = "npx"
args = ["-y", "@acme/db"]
startup_timeout_sec = 30000
"#,
        after: r#"[mcp_servers.db]
command = "npx"
args = ["-y", "@acme/db"]
startup_timeout_sec = 30
"#,
        besides: &[],
    },
};

/// A server that needs longer to start is broken.
const LONG_START: Duration = Duration::from_secs(1000);
/// Tools that work for an hour or two exist.
const LONG_CALL: Duration = Duration::from_secs(4 * 3600);
/// Nothing starts or answers reliably in less.
const SHORT: Duration = Duration::from_millis(500);

pub(crate) fn look(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    if !subject.may_start() {
        return;
    }
    let entry = subject.entry();
    let start = entry
        .startup_timeout
        .as_ref()
        .map(|time| (time, LONG_START));
    let call = entry.call_timeout.as_ref().map(|time| (time, LONG_CALL));
    let mut told = None;
    for (time, long) in start.into_iter().chain(call) {
        // One key may stand for both.
        if told != Some(&time.place) {
            found.extend(tell(subject, time, long));
        }
        told = Some(&time.place);
    }
}

fn tell(subject: &Subject<'_>, time: &Sourced<Duration>, long: Duration) -> Option<Finding> {
    let account = subject.account;
    let unit = account.idiom().times?;
    let harness = account.name();
    let (text, help) = if unit == TimeUnit::Seconds && time.value >= long {
        let seconds = time.value.as_secs();
        (
            format!("{harness} counts seconds: this is {}", lasting(time.value)),
            format!(
                "if milliseconds were meant, write {}",
                seconds.div_ceil(1000)
            ),
        )
    } else if unit == TimeUnit::Milliseconds && time.value < SHORT && !time.value.is_zero() {
        let number = time.value.as_millis();
        (
            format!("{harness} counts milliseconds: this is less than a second"),
            format!("if seconds were meant, write {number}000"),
        )
    } else {
        return None;
    };
    Some(
        subject
            .finding(&CHECK, text)
            .with_help(help)
            .at(time.place.as_ref()),
    )
}

/// A long time in words.
fn lasting(time: Duration) -> String {
    match time.as_secs() {
        seconds if seconds >= 2 * 3600 => format!("{} hours", seconds / 3600),
        seconds => format!("{} minutes", seconds / 60),
    }
}
