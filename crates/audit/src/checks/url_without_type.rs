//! An address without a word for the transport.

use muster_core::{
    Address, Audience, Check, Confidence, Example, Finding, Severity, Status, Transport,
};

use crate::account::Subject;

pub(crate) static CHECK: Check = Check {
    id: "url-without-type",
    severity: Severity::Error,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "an address without the word that says how it is spoken to",
    explanation: "Claude Code takes an entry without `type` for a command. One that holds a `url` and no `command` is skipped: `claude mcp \
        list` says so, `claude -p` does not. OpenCode needs `type` in every entry, and does not start where one lacks it. Many \
        others find out by themselves, which is why entries copied from their documentation often lack the word.",
    help: "Add `\"type\": \"http\"` (in OpenCode `\"type\": \"remote\"`); in Claude Code `\"sse\"` for a server that only speaks the older \
        protocol.",
    links: &[],
    example: Example {
        harness: "claude-code",
        path: ".mcp.json",
        before: r#"{
  "mcpServers": {
    "docs": { "url": "https://docs.example.com/mcp" }
  }
}
"#,
        after: r#"{
  "mcpServers": {
    "docs": { "type": "http", "url": "https://docs.example.com/mcp" }
  }
}
"#,
        besides: &[],
    },
};

pub(crate) fn look(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let (account, entry) = (subject.account, subject.entry());
    let idiom = account.idiom();
    let Some(url) = &entry.url else { return };
    let lacks_it = entry.transport_word.is_none() && entry.command.is_none();
    let refused = subject.server.status == Status::Invalid && idiom.address == Address::NeedsWord;
    if !lacks_it || !refused || in_broken_file(subject) || !is_told(subject) {
        return;
    }
    let (key, word) = (idiom.transport_key(), idiom.word_for(Transport::Http));
    let text = format!("{} skips an address without \"{key}\"", account.name());
    let finding = subject
        .finding(&CHECK, text)
        .with_help(format!("add \"{key}\": \"{}\"", word.unwrap_or("http")))
        .at(url.place.as_ref());
    found.push(finding);
}

/// Whether that is what it is refused for. A word that is no text is no word either.
fn is_told(subject: &Subject<'_>) -> bool {
    let reason = subject.server.reasons.last();
    let key = subject.account.idiom().transport_key();
    let named = [format!("\"{key}\""), format!(".{key}")];
    reason.is_some_and(|reason| named.iter().any(|key| reason.text.contains(key)))
}

fn in_broken_file(subject: &Subject<'_>) -> bool {
    let place = subject.place();
    place.is_some_and(|place| subject.account.is_broken(&place.path))
}
