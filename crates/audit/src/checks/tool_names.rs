//! Servers whose tools come to the same names.

use std::collections::HashMap;

use muster_core::{Audience, Check, Confidence, Example, Finding, Server, Severity};
use muster_document::Shown;

use crate::account::Account;

pub(crate) static CHECK: Check = Check {
    id: "tool-name-clash",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "two servers whose tools come to the same names",
    explanation: "A model sees tools under names that are made of the server's name, with every other character than letters, digits and `_` made `_`. \
        `shop-db` and `shop_db` come to the same: both start, and of tools that both have one set is left. In Pi the second server is not \
        loaded at all.",
    help: "Rename one of the two, so that they differ in a letter or a digit.",
    links: &[],
    example: Example {
        harness: "claude-code",
        path: "~/.claude.json",
        before: r#"{
  "mcpServers": {
    "shop db": { "command": "npx", "args": ["-y", "@acme/db"] },
    "shop_db": { "command": "npx", "args": ["-y", "@acme/db-next"] }
  }
}
"#,
        after: r#"{
  "mcpServers": {
    "shop db": { "command": "npx", "args": ["-y", "@acme/db"] },
    "shop_db_next": { "command": "npx", "args": ["-y", "@acme/db-next"] }
  }
}
"#,
        besides: &[],
    },
};

pub(crate) fn look(account: &Account<'_>, found: &mut Vec<Finding>) {
    let servers = &account.resolution.servers;
    if account.idiom().tells_tools_apart || servers.len() < 2 {
        return;
    }
    let mut names: HashMap<String, &Server> = HashMap::new();
    for server in servers
        .iter()
        .filter(|server| server.status.loads() == Some(true))
    {
        let definition = &server.definition;
        let seen = account.harness.tool_name(&definition.name, "tool");
        match names.get(&seen) {
            Some(first) if first.definition.name != definition.name => {
                let text = format!(
                    "its tools come to the same names as those of {}: of each, one is left",
                    Shown(&first.definition.name)
                );
                let finding = account
                    .finding(&CHECK, text)
                    .about(&definition.name)
                    .with_help("rename one of the two, so that they differ in a letter or a digit")
                    .at(definition.place.as_ref());
                found.push(finding);
            }
            Some(_) => {}
            None => {
                names.insert(seen, server);
            }
        }
    }
}
