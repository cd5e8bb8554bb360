//! Keys that are another harness's, or nobody's.

use muster_core::{Audience, Check, Confidence, Example, Finding, Severity, Sourced, Status};
use muster_document::{Masked, Secret};

use super::dead_switch;
use crate::account::Subject;
use crate::keys::{Keys, Meant, Thing};

pub(crate) static CHECK: Check = Check {
    id: "misspelled-key",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a key that the agent passes over",
    explanation: "Agents pass over what they do not know, without a word: in OpenCode `env` is called `environment`, in Codex `headers` is \
        `http_headers`, in Claude Code there is no `cwd`. The server then starts without its variables, without its token, in another \
        folder.",
    help: "Write the key that this agent reads. Where it has none for the thing, the command can do it: `sh -c 'cd /data && exec server'` \
        starts a server in a folder.",
    example: Example {
        harness: "codex",
        path: "~/.codex/config.toml",
        before: r#"[mcp_servers.docs]
url = "https://docs.example.com/mcp"
headers = { X-Team = "shop" }
"#,
        after: r#"[mcp_servers.docs]
url = "https://docs.example.com/mcp"
http_headers = { X-Team = "shop" }
"#,
        besides: &[],
    },
};

pub(crate) fn look(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let unread = &subject.entry().unread;
    let counts = subject.is_read() && subject.server.status != Status::Overridden;
    if unread.is_empty() || !counts {
        return;
    }
    if let Some(keys) = Keys::of(subject.account.id()) {
        found.extend(unread.iter().filter_map(|key| tell(subject, keys, key)));
    }
}

fn tell(subject: &Subject<'_>, keys: &Keys, key: &Sourced<String>) -> Option<Finding> {
    let harness = subject.account.name();
    // Switches have a check of their own.
    if dead_switch::is_switch(&key.value) {
        return None;
    }
    let written = Masked::word(&Secret::new(key.value.as_str()));
    let (severity, text, help) = match keys.meant(&key.value)? {
        Meant::Key(right) => {
            // Who writes both writes for several agents.
            if right == key.value || says(subject, right) {
                return None;
            }
            let severity = if right.contains("timeout") || right.contains("ools") {
                Severity::Note
            } else {
                Severity::Warning
            };
            (
                severity,
                format!("{harness} does not read `{written}`: it calls this `{right}`"),
                format!("write {right}{}", shape(right)),
            )
        }
        Meant::Nothing(thing) => {
            let (severity, what, instead) = lacking(subject.account.id(), thing)?;
            (
                severity,
                format!("{harness} has no key for {what}: `{written}` is not read"),
                instead.to_owned(),
            )
        }
    };
    Some(
        subject
            .finding(&CHECK, text)
            .as_bad_as(severity)
            .with_help(help)
            .at(key.place.as_ref()),
    )
}

/// Whether the entry says the thing already that `key` stands for, or works without.
fn says(subject: &Subject<'_>, key: &str) -> bool {
    let entry = subject.entry();
    match key {
        "command" => entry.command.is_some() || entry.url.is_some(),
        "url" => entry.url.is_some() || entry.command.is_some(),
        "args" => !entry.args.is_empty(),
        "env" | "environment" => !entry.env.is_empty(),
        "headers" | "http_headers" => !entry.headers.is_empty(),
        "cwd" => entry.cwd.is_some(),
        // Only a server that is lost misses the word.
        "type" => entry.transport_word.is_some() || subject.server.status != Status::Invalid,
        "startup_timeout_sec" => entry.startup_timeout.is_some(),
        "tool_timeout_sec" => entry.call_timeout.is_some(),
        "timeout" => entry.startup_timeout.is_some() || entry.call_timeout.is_some(),
        _ => false,
    }
}

/// What is to be minded with a key.
fn shape(key: &str) -> &'static str {
    match key {
        "bearer_token_env_var" => ", with the name of a variable",
        "startup_timeout_sec" | "tool_timeout_sec" => ", in seconds",
        _ => "",
    }
}

/// What a harness has no key for, how bad that is, and what to do instead; `None` where it is not worth a word.
fn lacking(harness: &str, thing: Thing) -> Option<(Severity, &'static str, &'static str)> {
    match thing {
        Thing::Cwd => Some((
            Severity::Warning,
            "the working folder",
            "start it through a shell: sh -c 'cd FOLDER && exec COMMAND'",
        )),
        Thing::Args if harness == "opencode" => Some((
            Severity::Warning,
            "arguments",
            "write program and arguments as one list: \"command\": [\"npx\", \"-y\", …]",
        )),
        Thing::EnvFile => Some((
            Severity::Warning,
            "a file of variables",
            "name the variables in the entry",
        )),
        Thing::StartTimeout | Thing::Timeout if harness == "claude-code" => Some((
            Severity::Note,
            "the time to start",
            "set MCP_TIMEOUT, in milliseconds, where Claude Code is started",
        )),
        Thing::OnlyTools | Thing::WithoutTools => Some((
            Severity::Note,
            "a choice of tools in an entry",
            "choose tools where this agent has its permissions",
        )),
        _ => None,
    }
}
