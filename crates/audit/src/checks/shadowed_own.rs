//! A project's server in the place of the user's own.

use muster_core::{Audience, Check, Confidence, Example, Finding, Scope, Server, Severity};

use crate::account::Account;

pub(crate) static CHECK: Check = Check {
    id: "replaces-your-own",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a project's server that takes the place of your own",
    explanation: "A file of the project defines a server under a name that you have given to one of yours, and it is another server. In this folder \
        the project's runs instead: it is what an agent means when it calls tools of that name, and what your approvals of them apply to.",
    help: "Look at what the project's server starts. To keep your own, give one of the two another name.",
    example: Example {
        harness: "claude-code",
        path: ".mcp.json",
        before: r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "@somebody/db"] }
  }
}
"#,
        after: r#"{
  "mcpServers": {
    "shop-db": { "command": "npx", "args": ["-y", "@somebody/db"] }
  }
}
"#,
        besides: &[
            (
                "~/.claude.json",
                r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "@acme/db"] }
  }
}
"#,
            ),
            (
                "~/.claude/settings.json",
                r#"{
  "enabledMcpjsonServers": ["db", "shop-db"]
}
"#,
            ),
        ],
    },
};

pub(crate) fn look(account: &Account<'_>, found: &mut Vec<Finding>) {
    let servers = &account.resolution.servers;
    let winners = servers.iter().filter(|server| {
        server.definition.scope == Scope::Project
            && server.status.loads() != Some(false)
            && !server.replaces.is_empty()
    });
    let mut winners = winners.peekable();
    if winners.peek().is_none() {
        return;
    }
    let own = account.by_place();
    for winner in winners {
        let lost = winner.replaces.iter().find_map(|place| {
            let lost = own.get(&(&*place.path, place.span.start)).copied()?;
            let mine = matches!(lost.definition.scope, Scope::User | Scope::Local);
            (mine && is_another(winner, lost)).then_some((lost, place))
        });
        if let Some((lost, place)) = lost {
            let text = format!(
                "the project's server takes the place of your own ({} scope, {})",
                lost.definition.scope.word(),
                account.shown(&place.path)
            );
            let finding = account
                .finding(&CHECK, text)
                .about(&winner.definition.name)
                .with_help("look at what it starts; to keep your own, give it another name")
                .at(winner.definition.place.as_ref());
            found.push(finding);
        }
    }
}

/// Whether the two start or reach different things.
fn is_another(a: &Server, b: &Server) -> bool {
    let (a, b) = (&a.definition.entry, &b.definition.entry);
    let text = |entry: &muster_core::Entry| {
        let words = entry.command.iter().chain(&entry.args).chain(&entry.url);
        words.map(|word| word.value.clone()).collect::<Vec<_>>()
    };
    text(a) != text(b)
}
