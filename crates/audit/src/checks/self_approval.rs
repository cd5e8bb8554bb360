//! Files of a repository that approve what the repository brings.

use muster_core::{Audience, Check, Confidence, Example, FileState, Finding, Scope, Severity};
use muster_document::{Document, Node, Span};

use crate::account::Account;

pub(crate) static CHECK: Check = Check {
    id: "approves-itself",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a project that approves its own servers",
    explanation: "A file that comes with the project says yes to whatever servers the project brings, or to all calls of their tools. Once the folder is \
        trusted, which is one key press, every server that anybody adds to the project starts without a question. Approvals are for the \
        person whose machine it is.",
    help: "Take the approval out of the project's files. Each person keeps it: in Claude Code in ~/.claude/settings.json or \
        .claude/settings.local.json, which is not committed.",
    example: Example {
        harness: "claude-code",
        path: ".claude/settings.json",
        before: r#"{
  "enableAllProjectMcpServers": true
}
"#,
        after: r#"{
  "permissions": { "allow": [] }
}
"#,
        besides: &[],
    },
};

pub(crate) fn look(account: &Account<'_>, found: &mut Vec<Finding>) {
    let find = match account.id() {
        "claude-code" => of_claude_code,
        "gemini-cli" => of_gemini_cli,
        "codex" => of_codex,
        _ => return,
    };
    let files = account.resolution.files.iter();
    for file in files.filter(|file| file.scope == Scope::Project && file.state == FileState::Read) {
        // What is kept out of repositories by its name is the user's own.
        if file.path.as_str().ends_with(".local.json") {
            continue;
        }
        let Some(document) = account.document(&file.path) else {
            continue;
        };
        for (span, what) in find(document) {
            let finding = account
                .finding(&CHECK, format!("a file of the project {what}"))
                .with_help("take it out: each person says yes for himself")
                .at(Some(&document.place(span)));
            found.push(finding);
        }
    }
}

type Approvals = Vec<(Span, &'static str)>;

fn of_claude_code(document: &Document) -> Approvals {
    let all = document.root().member("enableAllProjectMcpServers");
    let all = all.filter(|member| member.value.as_bool() == Some(true));
    let what = "approves every server of its .mcp.json, those to come too";
    all.map(|member| (member.key.span, what))
        .into_iter()
        .collect()
}

fn of_gemini_cli(document: &Document) -> Approvals {
    let servers = document.root().get("mcpServers").map(Node::members);
    let trust = servers
        .unwrap_or_default()
        .iter()
        .filter_map(|server| server.value.member("trust"))
        .filter(|member| member.value.as_bool() == Some(true));
    trust
        .map(|member| {
            (
                member.key.span,
                "lets a server's tools run without a question",
            )
        })
        .collect()
}

fn of_codex(document: &Document) -> Approvals {
    let servers = document.root().get("mcp_servers").map(Node::members);
    let modes = servers
        .unwrap_or_default()
        .iter()
        .filter_map(|server| server.value.member("default_tools_approval_mode"))
        .filter(|member| member.value.as_str() == Some("approve"));
    modes
        .map(|member| {
            (
                member.key.span,
                "lets a server's tools run without a question",
            )
        })
        .collect()
}
