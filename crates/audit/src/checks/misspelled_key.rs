//! Keys that are another harness's, or nobody's.

use muster_core::{
    Audience, Check, Confidence, Example, Finding, Idiom, Severity, Sourced, Status, Thing,
};
use muster_document::{Masked, Secret};

use super::dead_switch;
use crate::account::Subject;
use crate::keys::{Meant, meant};

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
    links: &[],
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
    let idiom = subject.account.idiom();
    if !idiom.keys.is_empty() {
        found.extend(unread.iter().filter_map(|key| tell(subject, idiom, key)));
    }
}

fn tell(subject: &Subject<'_>, idiom: &Idiom, key: &Sourced<String>) -> Option<Finding> {
    let harness = subject.account.name();
    // Switches have a check of their own.
    if dead_switch::is_switch(&key.value) {
        return None;
    }
    let written = Masked::word(&Secret::new(key.value.as_str()));
    let (severity, text, help) = match meant(idiom, &key.value)? {
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
            let (severity, what, instead) = lacking(idiom, thing)?;
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
    let mut things = subject.account.idiom().things(key);
    things.any(|thing| match thing {
        Thing::Command => entry.command.is_some() || entry.url.is_some(),
        Thing::Url => entry.url.is_some() || entry.command.is_some(),
        Thing::Args => !entry.args.is_empty(),
        Thing::Env => !entry.env.is_empty(),
        Thing::Headers => !entry.headers.is_empty(),
        Thing::Cwd => entry.cwd.is_some(),
        // Only a server that is lost misses the word.
        Thing::Transport => {
            entry.transport_word.is_some() || subject.server.status != Status::Invalid
        }
        Thing::StartTimeout => entry.startup_timeout.is_some(),
        Thing::CallTimeout => entry.call_timeout.is_some(),
        _ => false,
    })
}

/// What is to be minded with a key, by its name.
fn shape(key: &str) -> &'static str {
    if key.ends_with("_env_var") {
        ", with the name of a variable"
    } else if key.ends_with("_sec") {
        ", in seconds"
    } else {
        ""
    }
}

/// What an agent has no key for, how bad that is, and what to do instead; `None` where it is not worth a word.
fn lacking(idiom: &Idiom, thing: Thing) -> Option<(Severity, &'static str, &'static str)> {
    let (severity, what, usual) = match thing {
        Thing::Cwd => (
            Severity::Warning,
            "the working folder",
            Some("start it through a shell: sh -c 'cd FOLDER && exec COMMAND'"),
        ),
        Thing::Args => (Severity::Warning, "arguments", None),
        Thing::EnvFile => (
            Severity::Warning,
            "a file of variables",
            Some("name the variables in the entry"),
        ),
        Thing::StartTimeout | Thing::Timeout => (Severity::Note, "the time to start", None),
        Thing::OnlyTools | Thing::WithoutTools => (
            Severity::Note,
            "a choice of tools in an entry",
            Some("choose tools where this agent has its permissions"),
        ),
        _ => return None,
    };
    let mut own = idiom.instead.iter();
    let own = own
        .find(|(lacked, _)| *lacked == thing)
        .map(|(_, help)| *help);
    Some((severity, what, own.or(usual)?))
}
