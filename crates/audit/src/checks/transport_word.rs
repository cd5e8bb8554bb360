//! A word for the transport that the harness does not take.

use muster_core::{
    Address, Audience, Check, Confidence, Example, Finding, Idiom, Severity, Sourced, Status,
    Transport,
};
use muster_document::{Masked, Secret};

use crate::account::Subject;
use crate::words::meant;

pub(crate) static CHECK: Check = Check {
    id: "transport-word",
    severity: Severity::Error,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a word for the transport that this agent does not take",
    explanation: "Every agent has its own words for how a server is reached, spelled exactly so. Claude Code takes `stdio`, `http` (or \
        `streamable-http`), `sse` and `ws`; Gemini CLI `stdio`, `http` and `sse`; OpenCode `local` and `remote`; Pi `stdio` and `http`. \
        `streamableHttp`, `HTTP` or `websocket`, copied from elsewhere, cost the server. Codex and Cursor read no such word: in Codex an \
        address is always Streamable HTTP, whatever `type` says.",
    help: "Write the word that this agent takes. Where it does not speak the transport at all, use the server's Streamable HTTP address, or \
        a bridge such as mcp-remote.",
    links: &[],
    example: Example {
        harness: "claude-code",
        path: ".mcp.json",
        before: r#"{
  "mcpServers": {
    "docs": {
      "type": "streamableHttp",
      "url": "https://docs.example.com/mcp"
    }
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
    if !subject.is_read() || subject.server.status == Status::Overridden {
        return;
    }
    let idiom = subject.account.idiom();
    match idiom.transports {
        [] => found.extend(passed_over(subject, idiom)),
        _ => found.extend(wrong(subject, idiom)),
    }
}

fn wrong(subject: &Subject<'_>, idiom: &Idiom) -> Option<Finding> {
    let entry = subject.entry();
    let word = entry.transport_word.as_ref()?;
    if idiom.takes_transport(&word.value) || is_reserved(subject, &word.value) {
        return None;
    }
    let harness = subject.account.name();
    let told = told(word);
    let transport = meant(&word.value).or_else(|| guess(subject));
    let help = match transport.map(|transport| (transport, idiom.word_for(transport))) {
        Some((_, Some(right))) => format!("write \"{}\": \"{right}\"", idiom.transport_key()),
        Some((transport, None)) => unspoken(harness, transport),
        None => "write the word that this agent takes".to_owned(),
    };
    let lost = subject.server.status.loads() == Some(false);
    let severity = if lost {
        Severity::Error
    } else {
        Severity::Warning
    };
    let finding = subject
        .finding(
            &CHECK,
            format!("{harness} knows no transport called {told}"),
        )
        .as_bad_as(severity)
        .with_help(help)
        .at(word.place.as_ref());
    Some(finding)
}

/// Whether `word` belongs to some agent on purpose.
fn is_reserved(subject: &Subject<'_>, word: &str) -> bool {
    let mut agents = subject.account.agents.iter();
    agents.any(|agent| agent.idiom().reserved_transports.contains(&word))
}

/// A harness that reads no word for the transport, and somebody who wanted one that it does not speak.
fn passed_over(subject: &Subject<'_>, idiom: &Idiom) -> Option<Finding> {
    let account = subject.account;
    if idiom.address != Address::OnlyHttp || subject.entry().url.is_none() {
        return None;
    }
    let word = subject.entry().transport_word.as_ref()?;
    let transport = meant(&word.value)?;
    let other = matches!(transport, Transport::Sse | Transport::Ws);
    other.then(|| {
        let text = format!(
            "{} speaks Streamable HTTP alone, whatever is written here",
            account.name()
        );
        subject
            .finding(&CHECK, text)
            .as_bad_as(Severity::Warning)
            .with_help(unspoken(account.name(), transport))
            .at(word.place.as_ref())
    })
}

fn unspoken(harness: &str, transport: Transport) -> String {
    let transport = match transport {
        Transport::Sse => "the older SSE protocol",
        Transport::Ws => "WebSocket",
        Transport::Http => "Streamable HTTP",
        Transport::Stdio => "stdio",
    };
    format!(
        "{harness} does not speak {transport}: use the server's Streamable HTTP address, or a bridge such as mcp-remote"
    )
}

/// What an entry with an odd word most likely is.
fn guess(subject: &Subject<'_>) -> Option<Transport> {
    let entry = subject.entry();
    match (&entry.command, &entry.url) {
        (Some(_), None) => Some(Transport::Stdio),
        (None, Some(_)) => Some(Transport::Http),
        _ => None,
    }
}

/// The word in quotes; with anything but letters in it, it may be a value that went astray.
fn told(word: &Sourced<String>) -> String {
    let secret = Secret::new(word.value.as_str());
    let letters = |c: char| c.is_ascii_alphabetic() || matches!(c, '-' | '_');
    let told = if word.value.chars().all(letters) {
        Masked::word(&secret)
    } else {
        Masked::value(&secret)
    };
    format!("\"{told}\"")
}
