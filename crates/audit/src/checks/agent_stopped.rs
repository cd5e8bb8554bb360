//! One fault that keeps the whole harness from starting.

use muster_core::{Audience, Check, Confidence, Example, FileState, Finding, Severity};

use crate::account::Account;

pub(crate) static CHECK: Check = Check {
    id: "agent-does-not-start",
    severity: Severity::Error,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "one mistake that keeps the whole agent from starting",
    explanation: "Some agents check everything they read before they do anything. One entry of a wrong shape, even one that is switched off, keeps \
        Codex and OpenCode from starting at all; a malformed trust file does so with Gemini CLI and Pi, a broken ~/.claude.json with \
        Claude Code. No server of any file loads until it is mended.",
    help: "Correct the line that is named. In Codex, `enabled = false` in a project for a server that the user's own file does not have is such a \
        mistake too, and so is a table that says neither `command` nor `url`.",
    links: &[],
    example: Example {
        harness: "codex",
        path: "~/.codex/config.toml",
        before: r#"[mcp_servers.db]
command = "npx"
args = "-y @acme/db"
"#,
        after: r#"[mcp_servers.db]
command = "npx"
args = ["-y", "@acme/db"]
"#,
        besides: &[],
    },
};

pub(crate) fn look(account: &Account<'_>, found: &mut Vec<Finding>) {
    let Some(stopped) = &account.resolution.stopped else {
        return;
    };
    let place = stopped.place.as_ref();
    // What a broken file costs is told of the file.
    let mut files = account.resolution.files.iter();
    let of_a_file = match place {
        Some(place) => account.is_broken(&place.path),
        None => files.any(|file| file.state == FileState::Broken),
    };
    if of_a_file {
        return;
    }
    let finding = account
        .finding(&CHECK, stopped.text.as_str())
        .with_help("correct it: no server of any file loads until then")
        .at(place);
    found.push(finding);
}
