//! Secrets where others can see them.

use muster_core::{Audience, Check, Confidence, Example, Finding, Scope, Severity, Sourced};
use muster_document::{Secret, Shown};

use crate::account::Subject;

pub(crate) static CHECK: Check = Check {
    id: "literal-secret",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a secret where others can see it",
    explanation: "A token in a file of the project goes wherever the project goes, and stays in its history. An argument can be seen by everybody on \
        the machine (`ps`) and is printed by the agents' own lists; an address ends up in logs, of proxies and of the server itself.",
    help: "Take the secret out and name a variable instead, in `env` or a header. What has been in a repository or a log is to be \
        replaced by a new one.",
    links: &[],
    example: Example {
        harness: "claude-code",
        path: ".mcp.json",
        before: r#"{
  "mcpServers": {
    "db": {
      "command": "npx",
      "args": ["-y", "@acme/db"],
      "env": { "DB_TOKEN": "kq83-vbn2-77xa-m4tz" }
    }
  }
}
"#,
        after: r#"{
  "mcpServers": {
    "db": {
      "command": "npx",
      "args": ["-y", "@acme/db"],
      "env": { "DB_TOKEN": "${DB_TOKEN:-}" }
    }
  }
}
"#,
        besides: &[],
    },
};

pub(crate) fn look(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let entry = subject.entry();
    let advice = "take it out, and have a variable in its place";
    let mut tell = |text: String, value: &Sourced<Secret>| {
        let finding = subject.finding(&CHECK, text);
        found.push(finding.with_help(advice).at(value.place.as_ref()));
    };
    let mut flag = "";
    let in_argument = entry.args.iter().find(|word| {
        let named = flag.starts_with("--") && word.value.is_credential_of(flag);
        flag = word.value.expose();
        named || in_argument(&word.value)
    });
    if let Some(word) = in_argument {
        tell(
            "a secret stands in an argument, where every process list shows it".to_owned(),
            word,
        );
    }
    if let Some(url) = entry.url.as_ref().filter(|url| in_address(&url.value)) {
        tell(
            "a secret stands in the address, which ends up in logs".to_owned(),
            url,
        );
    }
    if subject.server.definition.scope != Scope::Project {
        return;
    }
    for (name, value) in entry.env.iter().chain(&entry.headers) {
        if value.value.is_credential_of(name) || value.value.holds_credential() {
            tell(
                format!(
                    "the value of {} stands in a file that goes with the project",
                    Shown(name)
                ),
                value,
            );
        }
    }
}

fn in_argument(word: &Secret) -> bool {
    let text = word.expose();
    let named = || {
        let (flag, value) = text.strip_prefix("--")?.split_once('=')?;
        Some(Secret::new(value).is_credential_of(flag))
    };
    word.holds_credential() || named() == Some(true) || (text.contains("://") && in_address(word))
}

/// Whether the address has a secret by its looks, or one under a name that says so.
fn in_address(url: &Secret) -> bool {
    let text = url.expose();
    let query = text.split_once('?').map(|(_, query)| query);
    let parameters = query.into_iter().flat_map(|query| query.split(['&', '#']));
    let named = parameters
        .filter_map(|pair| pair.split_once('='))
        .any(|(name, value)| Secret::new(value).is_credential_of(name));
    named || url.holds_credential()
}
