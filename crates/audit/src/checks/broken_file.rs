//! Files that the harness cannot use.

use muster_core::{Audience, Check, Confidence, Example, FileState, Finding, Severity};

use crate::account::Account;

pub(crate) static CHECK: Check = Check {
    id: "broken-file",
    severity: Severity::Error,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a file that the agent cannot read",
    explanation: "The file does not parse as this agent parses it, or holds something of another shape than the agent wants. At best \
        none of its servers load; Codex, OpenCode and Gemini CLI do not even start. What is a mistake differs: Gemini CLI and OpenCode \
        take comments, OpenCode takes trailing commas, Claude Code, Codex and Pi take neither in JSON.",
    help: "Mend the file at the line that is named. Look at the character before the place as well: a comma too many or a quote too few \
        is noticed only at what follows.",
    links: &[],
    example: Example {
        harness: "claude-code",
        path: ".mcp.json",
        before: r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "@acme/db"] },
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

pub(crate) fn look(account: &Account<'_>, found: &mut Vec<Finding>) {
    let files = account.resolution.files.iter();
    for file in files.filter(|file| file.state == FileState::Broken) {
        let path = account.shown(&file.path);
        let text = match &file.note {
            Some(note) => format!("{path} cannot be used: {note}"),
            None => format!("{path} cannot be used"),
        };
        let finding = account
            .finding(&CHECK, text)
            .with_help("mend the file here: what it holds is lost until then")
            .at(file.place.as_ref());
        found.push(finding);
    }
}
