//! Files of a repository that approve what the repository brings.

use muster_core::{
    Audience, Check, Confidence, Example, FileState, Finding, Scope, SelfApproval, Severity,
};
use muster_document::{Node, Span};

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
    links: &[],
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
    let approvals = account.idiom().self_approvals;
    if approvals.is_empty() {
        return;
    }
    let files = account.resolution.files.iter();
    for file in files.filter(|file| file.scope == Scope::Project && file.state == FileState::Read) {
        // What is kept out of repositories by its name is the user's own.
        if file.path.as_str().ends_with(".local.json") {
            continue;
        }
        let Some(document) = account.document(&file.path) else {
            continue;
        };
        for approval in approvals {
            for span in given(approval, document.root()) {
                let finding = account
                    .finding(&CHECK, format!("a file of the project {}", approval.what))
                    .with_help("take it out: each person says yes for himself")
                    .at(Some(&document.place(span)));
                found.push(finding);
            }
        }
    }
}

/// Where the file with `root` gives `approval`.
fn given(approval: &SelfApproval, root: &Node) -> Vec<Span> {
    let holders: Vec<&Node> = match approval.servers {
        None => vec![root],
        Some(table) => {
            let servers = root.get(table).map(Node::members).unwrap_or_default();
            servers.iter().map(|server| &server.value).collect()
        }
    };
    let keys = holders
        .into_iter()
        .filter_map(|holder| holder.member(approval.key))
        .filter(|member| (approval.approves)(&member.value));
    keys.map(|member| member.key.span).collect()
}
