//! Keys that look like a switch or a permission, and are none.

use muster_core::{Audience, Check, Confidence, Example, Finding, Idiom, Severity, Sourced};
use muster_document::Shown;

use crate::account::Subject;
use crate::keys::plain;
use crate::written::{is_empty_after, scalar_after};

pub(crate) static CHECK: Check = Check {
    id: "dead-switch",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a switch that this agent does not have",
    explanation: "`disabled: true` switches a server off in Cline, Windsurf and OpenCode; Claude Code, Codex, Gemini CLI, Cursor and Pi do not \
        read it, and the server starts. The same holds for `enabled: false` where the agent knows no such key, and for `autoApprove` and \
        `alwaysAllow`, which approve nothing outside Cline and its relatives.",
    help: "Use the switch that this agent has: `enabled` in Codex, OpenCode and Pi; `/mcp` (or disabledMcpServers of ~/.claude.json) in Claude Code; \
        `mcp.excluded` in Gemini CLI's settings; `agent mcp disable NAME` for Cursor. Or take the entry away.",
    links: &[],
    example: Example {
        harness: "codex",
        path: "~/.codex/config.toml",
        before: r#"[mcp_servers.db]
command = "npx"
args = ["-y", "@acme/db"]
disabled = true
"#,
        after: r#"[mcp_servers.db]
command = "npx"
args = ["-y", "@acme/db"]
enabled = false
"#,
        besides: &[],
    },
};

/// Keys whose truth means off, whose untruth does, and those that would approve tools.
const OFF: [&str; 3] = ["disabled", "disable", "isdisabled"];
const ON: [&str; 5] = ["enabled", "enable", "isactive", "active", "isenabled"];
const APPROVES: [&str; 5] = [
    "autoapprove",
    "alwaysallow",
    "autoallow",
    "trust",
    "trusted",
];

/// Whether `key` is one of them, in any spelling.
pub(super) fn is_switch(key: &str) -> bool {
    let plain = plain(key);
    let plain = plain.as_str();
    OFF.contains(&plain) || ON.contains(&plain) || APPROVES.contains(&plain)
}

pub(crate) fn look(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    if !subject.may_start() {
        return;
    }
    for key in &subject.entry().unread {
        found.extend(switch(subject, key));
    }
}

fn switch(subject: &Subject<'_>, key: &Sourced<String>) -> Option<Finding> {
    let account = subject.account;
    let (name, plain) = (key.value.as_str(), plain(&key.value));
    let plain = plain.as_str();
    let (place, harness) = (key.place.as_ref()?, account.name());
    let text = account.text(&place.path)?;
    let said = scalar_after(text, place.span);
    if (OFF.contains(&plain) && said == Some("true"))
        || (ON.contains(&plain) && said == Some("false"))
    {
        let text = format!(
            "`{}` does not switch the server off: {harness} does not read it",
            Shown(name)
        );
        let finding = subject
            .finding(&CHECK, text)
            .with_help(off(account.idiom(), &subject.server.definition.name))
            .at(Some(place));
        return Some(finding);
    }
    let grants = said != Some("false") && !is_empty_after(text, place.span);
    (APPROVES.contains(&plain) && grants).then(|| {
        let text = format!(
            "`{}` approves nothing here: {harness} does not read it",
            Shown(name)
        );
        subject
            .finding(&CHECK, text)
            .as_bad_as(Severity::Note)
            .with_help(account.idiom().approve_tools.unwrap_or(TAKE_AWAY))
            .at(Some(place))
    })
}

/// What to do about a key for which the agent has nothing of the kind.
const TAKE_AWAY: &str = "take it away, so that nobody relies on it";

/// How a server is switched off.
fn off(idiom: &Idiom, server: &str) -> String {
    let server = Shown(server).to_string();
    let how = idiom.switch_off.unwrap_or(TAKE_AWAY);
    how.replace("SERVER", &server)
}
