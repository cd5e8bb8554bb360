//! Definitions written where nobody looks.

use camino::Utf8Path;
use muster_core::{Audience, Check, Confidence, Example, Finding, Severity, Status};

use crate::account::Subject;

pub(crate) static CHECK: Check = Check {
    id: "never-read",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server written where the agent never looks",
    explanation: "The definition stands in a file, or under a key, that this agent does not read: `mcpServers` in Claude Code's settings.json, \
        `[mcpServers.x]` in Codex's config.toml, `.vscode/mcp.json`, the entry of another spelling of the folder. The agent passes it over \
        without a word, and the server is simply not there.",
    help: "Move the definition to where the finding says. What another program reads may stay where it is.",
    links: &[],
    example: Example {
        harness: "codex",
        path: "~/.codex/config.toml",
        before: r#"[mcpServers.db]
command = "npx"
args = ["-y", "@acme/db"]
"#,
        after: r#"[mcp_servers.db]
command = "npx"
args = ["-y", "@acme/db"]
"#,
        besides: &[],
    },
};

/// Folders and files of other programs, in which their servers stand rightly.
const FOREIGN: [&str; 7] = [
    ".vscode",
    ".zed",
    ".windsurf",
    ".roo",
    ".kiro",
    "claude_desktop_config.json",
    "mcp-config.json",
];

fn is_foreign(path: &Utf8Path) -> bool {
    let mut parts = path.components().map(|part| part.as_str());
    parts.any(|part| FOREIGN.contains(&part))
}

pub(crate) fn look(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let server = subject.server;
    if server.status != Status::Ignored {
        return;
    }
    let reason = server.reasons.last();
    let text = reason.map_or("written where the agent never looks", |reason| &reason.text);
    let mut finding = subject.finding(&CHECK, text);
    if subject.place().is_some_and(|place| is_foreign(&place.path)) {
        finding.severity = Severity::Note;
    }
    finding.help = server.remedies.first().cloned();
    found.push(finding);
}
