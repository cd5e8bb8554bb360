//! A command and an address in one entry.

use muster_core::{Audience, Check, Confidence, Example, Finding, Severity, Status, Transport};

use crate::account::Subject;

pub(crate) static CHECK: Check = Check {
    id: "command-and-url",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a command and an address in one entry",
    explanation: "An entry with both means different things to different agents: Claude Code starts the command, Gemini CLI and Pi call the address \
        (Pi whatever `type` says), and Codex refuses the whole file. One of the two never runs, without a word.",
    help: "Leave the one that is meant. For a server that can be reached both ways, write two entries under two names.",
    links: &[],
    example: Example {
        harness: "claude-code",
        path: ".mcp.json",
        before: r#"{
  "mcpServers": {
    "docs": {
      "command": "npx",
      "args": ["-y", "@acme/docs"],
      "url": "https://docs.example.com/mcp"
    }
  }
}
"#,
        after: r#"{
  "mcpServers": {
    "docs": { "type": "http", "url": "https://docs.example.com/mcp" }
  }
}
"#,
        besides: &[],
    },
};

pub(crate) fn look(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let (account, server) = (subject.account, subject.server);
    let counts = subject.is_read() && server.status != Status::Overridden;
    let Some(place) = subject.place().filter(|_| counts) else {
        return;
    };
    // A refusal is told as such.
    if !account.idiom().command_beside_address || server.status == Status::Invalid {
        return;
    }
    let Some(node) = account.node(place) else {
        return;
    };
    let url = ["url", "httpUrl"].iter().find_map(|key| node.member(key));
    let (Some(command), Some(url)) = (node.member("command"), url) else {
        return;
    };
    let document = account.document(&place.path);
    let at = |span| document.map(|document| document.place(span));
    let (text, dead) = match subject.entry().transport {
        Some(Transport::Stdio) => ("starts the command, and never calls the address", url),
        Some(_) => ("calls the address, and never starts the command", command),
        None => return,
    };
    let finding = subject
        .finding(
            &CHECK,
            format!("{} {text}; other agents do the other", account.name()),
        )
        .with_help(format!(
            "take {} away, or make it an entry of its own",
            dead.key.text
        ))
        .at(at(dead.key.span).as_ref());
    found.push(finding);
}
