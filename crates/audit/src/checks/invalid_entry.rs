//! Entries that the harness refuses or gives up on.

use muster_core::{Audience, Check, Confidence, Example, Finding, Severity, Status};

use crate::account::Subject;

pub(crate) static CHECK: Check = Check {
    id: "invalid-entry",
    severity: Severity::Error,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "an entry that the agent refuses",
    explanation: "The entry has a value of a wrong type, a name that is reserved, a transport that this agent does not speak, or lacks what the \
        agent needs to start it. Claude Code and Pi leave out this one server; one such entry keeps Codex and OpenCode from starting \
        at all.",
    help: "Correct the value that is named. `muster why NAME` shows the line, in the agent's own words.",
    links: &[],
    example: Example {
        harness: "claude-code",
        path: ".mcp.json",
        before: r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": "-y @acme/db" }
  }
}
"#,
        after: r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "@acme/db"] }
  }
}
"#,
        besides: &[],
    },
};

pub(crate) fn look(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let server = subject.server;
    let refused = matches!(
        server.status,
        Status::Invalid | Status::Unsupported | Status::Broken
    );
    let explained = found
        .iter()
        .any(|finding| finding.severity == Severity::Error);
    let Some(reason) = server.reasons.last().filter(|_| refused && !explained) else {
        return;
    };
    // What keeps the whole agent from starting is told once.
    let stopped = subject.account.resolution.stopped.as_ref();
    if stopped.is_some_and(|stopped| stopped.text == reason.text || stopped.place == reason.place) {
        return;
    }
    // What a whole file costs is told of the file.
    let place = reason.place.as_ref().or(subject.place());
    if place.is_some_and(|place| subject.account.is_broken(&place.path)) {
        return;
    }
    let mut finding = subject.finding(&CHECK, reason.text.as_str()).at(place);
    let remedy = server.remedies.first();
    finding.help = Some(
        remedy
            .map_or("correct this value", String::as_str)
            .to_owned(),
    );
    found.push(finding);
}
