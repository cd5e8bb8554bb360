//! A project's server in the place of the user's own.

use muster_core::{
    Audience, Check, Confidence, Example, Finding, Reason, Scope, Server, Severity, Sourced,
};
use muster_document::{Node, Secret};

use crate::account::{Account, ByPlace};

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
    links: &[],
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
    let servers = account.resolution.servers.iter();
    let of_project = servers.filter(|server| {
        server.definition.scope == Scope::Project && server.status.loads() != Some(false)
    });
    let mut by_place = None;
    for winner in of_project {
        if !winner.replaces.is_empty() {
            let own = by_place.get_or_insert_with(|| account.by_place());
            found.extend(replaced(account, winner, own));
        }
        found.extend(merged(account, winner));
    }
}

/// What `winner` takes the place of whole.
fn replaced(account: &Account<'_>, winner: &Server, servers: &ByPlace<'_>) -> Option<Finding> {
    let (lost, place) = winner.replaces.iter().find_map(|place| {
        let lost = servers.get(&(&*place.path, place.span.start)).copied()?;
        let mine = matches!(lost.definition.scope, Scope::User | Scope::Local);
        (mine && is_another(winner, lost)).then_some((lost, place))
    })?;
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
    Some(finding)
}

/// Where harnesses merge key by key: whose command or address the project's takes the place of, while the rest stays.
fn merged(account: &Account<'_>, winner: &Server) -> Option<Finding> {
    let others = winner
        .reasons
        .iter()
        .filter(|reason| reason.label == Reason::MERGES);
    let name = winner.definition.name.as_str();
    let path = others
        .filter_map(|reason| reason.place.as_ref())
        .find_map(|place| {
            let files = &account.resolution.files;
            let file = files.iter().find(|file| file.path == *place.path)?;
            let root = account.document(&file.path)?.root();
            let entry = account.idiom().tables.iter().find_map(|table| {
                let servers = table
                    .path
                    .iter()
                    .try_fold(root, |node, key| node.get(key))?;
                servers.get(name)
            })?;
            (file.scope == Scope::User && starts_another(winner, entry)).then_some(&file.path)
        })?;
    let path = account.shown(path);
    let text = format!(
        "the project says what your own server of that name starts; the rest of it stays as you wrote it in {path}, variables too"
    );
    let finding = account
        .finding(&CHECK, text)
        .about(name)
        .with_help("look at what it starts; to keep your own, give it another name")
        .at(winner.definition.place.as_ref());
    Some(finding)
}

/// Whether `entry` says a command or an address, and `winner` has another.
fn starts_another(winner: &Server, entry: &Node) -> bool {
    let won = &winner.definition.entry;
    let own = |key: &str| {
        let node = entry.get(key)?;
        node.as_str().or_else(|| node.as_array()?.first()?.as_str())
    };
    let differs = |own: Option<&str>, won: Option<&Sourced<Secret>>| {
        own.is_some_and(|own| won.is_none_or(|won| won.value.expose() != own))
    };
    differs(own("command"), won.command.as_ref()) || differs(own("url"), won.url.as_ref())
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
