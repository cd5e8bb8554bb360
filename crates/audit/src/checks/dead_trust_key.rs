//! Trust that is written down under a name that is never looked up.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{
    Audience, Check, Confidence, Example, FileState, Finding, GitRoot, Severity, Status,
    TrustStore, normalize,
};
use muster_document::{Masked, Member, Node, Secret};

use crate::account::Account;

pub(crate) static CHECK: Check = Check {
    id: "dead-trust-key",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "trust under a spelling that is never looked up",
    explanation: "Agents keep in a file which folders you trust, by the folder's path. Claude Code, Codex and Pi look it up by the real path and compare \
        letter by letter: an entry through a symbolic link, with a slash at the end or in other capitals never counts. In Codex an \
        entry for a folder above does not count either. The folder stays untrusted although it is written down as trusted.",
    help: "Write the entry under the folder's real path, or let the agent ask again and answer there.",
    links: &[],
    example: Example {
        harness: "codex",
        path: "~/.codex/config.toml",
        before: r#"[projects."/work"]
trust_level = "trusted"
"#,
        after: r#"[projects."/work/repo"]
trust_level = "trusted"
"#,
        besides: &[(
            ".codex/config.toml",
            r#"[mcp_servers.db]
command = "npx"
args = ["-y", "@acme/db"]
"#,
        )],
    },
};

/// So many keys are followed through their links, which asks the disk for each.
const FOLLOWED: usize = 64;

const INHERITED: &str = "trust in a folder above is not inherited";

pub(crate) fn look(account: &Account<'_>, found: &mut Vec<Finding>) {
    let servers = &account.resolution.servers;
    let waits = |status| matches!(status, Status::Untrusted | Status::NeedsApproval);
    let store = account.idiom().trust.as_ref();
    let Some(store) = store.filter(|_| servers.iter().any(|server| waits(server.status))) else {
        return;
    };
    let live = live(account);
    for file in &account.resolution.files {
        let here = store
            .files
            .iter()
            .any(|end| file.path.as_str().ends_with(end));
        if !here || file.state != FileState::Read {
            continue;
        }
        let Some(document) = account.document(&file.path) else {
            continue;
        };
        let table = match store.table {
            Some(key) => document.root().get(key),
            None => Some(document.root()),
        };
        let trusted: Vec<&Member> = table
            .map(Node::members)
            .unwrap_or_default()
            .iter()
            .filter(|member| (store.trusts)(&member.value))
            .collect();
        let counts = |member: &&Member| {
            live.iter()
                .any(|live| account.world.is_native(&member.key.text, live))
        };
        if trusted.iter().any(counts) {
            return;
        }
        let dead = trusted.into_iter().take(FOLLOWED).filter_map(|member| {
            Some((member, why_dead(account, store, &live, &member.key.text)?))
        });
        for (member, why) in dead {
            let key = Masked::path(&Secret::new(member.key.text.as_str()));
            // Who trusts a folder above may have meant nothing by it.
            let severity = if why == INHERITED {
                Severity::Note
            } else {
                Severity::Warning
            };
            let first = live.first().map(|live| account.shown(live));
            let finding = account
                .finding(&CHECK, format!("trust in {key} does not count here: {why}"))
                .as_bad_as(severity)
                .with_help(format!("write it under {}", first.unwrap_or_default()))
                .at(Some(&document.place(member.key.span)));
            found.push(finding);
        }
    }
}

/// The folders that are looked up: this place's own first.
fn live(account: &Account<'_>) -> Vec<Utf8PathBuf> {
    let world = account.world;
    let root = GitRoot::find(world.files, &world.cwd);
    let checkout = root.as_ref().and_then(GitRoot::main_checkout);
    let folders = checkout.into_iter().chain(root.map(|root| root.folder));
    folders.chain([world.cwd.clone()]).collect()
}

/// Why trust in `key` does not count; `None` where it has nothing to do with this place.
fn why_dead(
    account: &Account<'_>,
    store: &TrustStore,
    live: &[Utf8PathBuf],
    key: &str,
) -> Option<&'static str> {
    let world = account.world;
    let path = Utf8Path::new(key);
    let is_live = |path: &Utf8Path| live.iter().any(|live| live == path);
    if live
        .iter()
        .any(|live| live.as_str().eq_ignore_ascii_case(key))
    {
        return Some("it is spelled in other capitals");
    }
    if !path.is_absolute() || store.links {
        return None;
    }
    let clean = normalize(path);
    if clean.as_str() != key && is_live(&clean) {
        return Some("paths are compared letter by letter");
    }
    if !store.below && world.cwd.starts_with(&clean) && !is_live(&clean) {
        return Some(INHERITED);
    }
    let real = world.files.real_path(&clean)?;
    let through =
        real != clean && (is_live(&real) || (store.below && world.cwd.starts_with(&real)));
    through.then_some("it goes through a link, and the real path is looked up")
}
