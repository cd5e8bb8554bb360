//! The user's secrets in files that everybody on the machine may read.

use std::collections::HashSet;

use camino::Utf8Path;
use muster_core::{Audience, Check, Confidence, Entry, Example, Finding, Scope, Severity};

use crate::account::Account;

pub(crate) static CHECK: Check = Check {
    id: "readable-secrets",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "secrets in a file that everybody on this machine may read",
    explanation: "The file holds values of variables or header fields that are secret, and its permissions let every user of the machine read it, as \
        do those of the folders above. Some agents write their files so themselves: Pi's mcp.json is made with mode 0644.",
    help: "`chmod 600 FILE`. Or name variables in place of the values.",
    links: &[],
    example: Example {
        harness: "codex",
        path: "~/.codex/config.toml",
        before: r#"[mcp_servers.db]
command = "npx"
args = ["-y", "@acme/db"]
env = { DB_TOKEN = "kq83-vbn2-77xa-m4tz" }
"#,
        after: r#"[mcp_servers.db]
command = "npx"
args = ["-y", "@acme/db"]
env_vars = ["DB_TOKEN"]
"#,
        besides: &[],
    },
};

pub(crate) fn look(account: &Account<'_>, found: &mut Vec<Finding>) {
    let mut asked: HashSet<&Utf8Path> = HashSet::new();
    for server in &account.resolution.servers {
        let definition = &server.definition;
        let own = matches!(
            definition.scope,
            Scope::User | Scope::Local | Scope::Profile | Scope::Own
        );
        let Some(place) = definition.place.as_ref().filter(|_| own) else {
            continue;
        };
        if asked.contains(&*place.path) || !holds_secrets(&definition.entry) {
            continue;
        }
        asked.insert(&place.path);
        if is_open(account, &place.path) {
            let path = account.shown(&place.path);
            let finding = account
                .finding(
                    &CHECK,
                    format!("everybody on this machine may read {path}, which holds secrets"),
                )
                .with_help(format!("chmod 600 {path}"))
                .at(Some(place));
            found.push(finding);
        }
    }
}

fn holds_secrets(entry: &Entry) -> bool {
    let mut values = entry.env.iter().chain(&entry.headers);
    values.any(|(name, value)| value.value.is_credential_of(name) || value.value.holds_credential())
}

/// Whether everybody may read the file at `path` and go through the folders above it.
fn is_open(account: &Account<'_>, path: &Utf8Path) -> bool {
    let allows = |path: &Utf8Path, bit: u32| {
        let found = account.world.files.metadata(path).ok();
        found
            .and_then(|found| found.mode)
            .is_some_and(|mode| mode & bit != 0)
    };
    let mut above = path.ancestors().skip(1);
    allows(path, 0o004) && above.all(|folder| allows(folder, 0o001))
}
