//! One key twice in one object.

use muster_core::{Audience, Check, Confidence, Example, FileState, Finding, Severity};
use muster_document::{Document, Member, Node, Shown};

use crate::account::Account;

pub(crate) static CHECK: Check = Check {
    id: "duplicate-key",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a key that stands twice in one object",
    explanation: "Every agent that reads JSON takes the last of two members with one name, without a word. The first server of the name, its variables, \
        its approval: gone. Most editors mark it, few people look.",
    help: "Rename or remove one of the two.",
    links: &[],
    example: Example {
        harness: "claude-code",
        path: ".mcp.json",
        before: r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "@acme/db"] },
    "db": { "command": "npx", "args": ["-y", "@acme/db-next"] }
  }
}
"#,
        after: r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "@acme/db"] },
    "db-next": { "command": "npx", "args": ["-y", "@acme/db-next"] }
  }
}
"#,
        besides: &[],
    },
};

/// The keys under which servers stand, by server.
const MAPS: [&str; 4] = ["mcpServers", "mcp", "servers", "mcp_servers"];

/// An entry's own objects are not deep.
const DEPTH: usize = 4;

pub(crate) fn look(account: &Account<'_>, found: &mut Vec<Finding>) {
    for file in &account.resolution.files {
        if file.state == FileState::Read
            && let Some(document) = account.document(&file.path)
        {
            let root = document.root();
            twice(account, document, root, found);
            let maps = MAPS.iter().filter_map(|key| root.get(key));
            maps.for_each(|map| search(account, document, map, DEPTH, found));
        }
    }
}

/// Looks in `node` and below it, `depth` deep.
fn search(
    account: &Account<'_>,
    document: &Document,
    node: &Node,
    depth: usize,
    found: &mut Vec<Finding>,
) {
    twice(account, document, node, found);
    let Some(deeper) = depth.checked_sub(1) else {
        return;
    };
    for member in node.members() {
        search(account, document, &member.value, deeper, found);
    }
}

/// Tells the members of `node` that a later one takes the place of.
fn twice(account: &Account<'_>, document: &Document, node: &Node, found: &mut Vec<Finding>) {
    let members = node.members();
    if members.len() < 2 {
        return;
    }
    let mut by_name: Vec<&Member> = members.iter().collect();
    // Stable: of one name, in the order of the file.
    by_name.sort_by(|a, b| a.key.text.cmp(&b.key.text));
    for pair in by_name.windows(2) {
        let [first, second] = pair else { continue };
        if first.key.text == second.key.text {
            let last = document.place(second.key.span);
            let name = Shown(&first.key.text).to_string();
            let finding = account
                .finding(
                    &CHECK,
                    format!(
                        "\"{name}\" stands again in line {}: this one is lost",
                        last.position.line
                    ),
                )
                .with_help("rename or remove one of the two")
                .at(Some(&document.place(first.key.span)));
            found.push(finding);
        }
    }
}
