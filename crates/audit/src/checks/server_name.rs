//! Names that the harness keeps for itself or does not take.

use muster_core::{Audience, Check, Confidence, Example, Finding, Severity, Status};

use crate::account::Subject;

pub(crate) static CHECK: Check = Check {
    id: "server-name",
    severity: Severity::Error,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a name that the agent keeps for itself or does not take",
    explanation: "Claude Code takes nearly any name from a file, but keeps `workspace`, `claude-in-chrome`, `computer-use` and a few more for \
        itself, in any spelling that comes to the same letters. Codex starts only servers whose name is made of letters, digits and \
        `_ : @ / . -`, and keeps `codex_apps`. Pi takes letters, digits, `_` and `-`, and of two names that differ only in those two the \
        first alone.",
    help: "Give the server another name: letters, digits and dashes are taken everywhere. Approvals, switches and lists of tools go by the \
        name and need the new one too.",
    links: &[],
    example: Example {
        harness: "claude-code",
        path: ".mcp.json",
        before: r#"{
  "mcpServers": {
    "workspace": { "command": "npx", "args": ["-y", "@acme/files"] }
  }
}
"#,
        after: r#"{
  "mcpServers": {
    "shop-files": { "command": "npx", "args": ["-y", "@acme/files"] }
  }
}
"#,
        besides: &[],
    },
};

/// How the ids of the harnesses' rules about names end.
const RULES: [&str; 3] = ["-name", "/name", "/name-clash"];

pub(crate) fn look(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let server = subject.server;
    let refused = matches!(server.status, Status::Invalid | Status::Broken);
    let Some(reason) = server.reasons.last().filter(|_| refused) else {
        return;
    };
    if !RULES.iter().any(|rule| reason.rule.id.ends_with(rule)) {
        return;
    }
    let help = server.remedies.first().cloned();
    let finding = subject
        .finding(&CHECK, reason.text.as_str())
        .with_help(help.unwrap_or_else(|| "give it another name".to_owned()));
    found.push(finding);
}
