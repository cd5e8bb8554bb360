//! A variable that has no value here.

use muster_core::{
    Audience, Check, Confidence, Example, Field, Finding, Scope, Severity, Status, Unset,
    VariableForm,
};
use muster_document::{Masked, Secret, Shown};

use super::variable_dialect::{follows, reaches_server, texts};
use crate::account::Subject;
use crate::references::{self, Style};

pub(crate) static CHECK: Check = Check {
    id: "unset-variable",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a variable that is not set in this shell",
    explanation: "The entry takes a value from a variable that is not set where Muster runs, and gives no default. What becomes of it differs: \
        Claude Code warns and passes the text `${NAME}` on, OpenCode and the environment of Gemini CLI's servers get an empty value, Pi does \
        not start the server. An agent started elsewhere (from a desktop, by another user) may see other variables than this shell does.",
    help: "Set the variable where the agent is started, or give a default where the agent knows one (`${NAME:-default}` in Claude Code and \
        Gemini CLI).",
    links: &[],
    example: Example {
        harness: "claude-code",
        path: ".mcp.json",
        before: r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "@acme/db", "${DB_URL}"] }
  }
}
"#,
        after: r#"{
  "mcpServers": {
    "db": {
      "command": "npx",
      "args": ["-y", "@acme/db", "${DB_URL:-postgres://localhost/dev}"]
    }
  }
}
"#,
        besides: &[],
    },
};

pub(crate) fn look(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    // What an extension's settings hold is not known here.
    let starts = subject.may_start() || subject.server.status == Status::Broken;
    if !starts || subject.server.definition.scope == Scope::Extension {
        return;
    }
    let mut told: Vec<(&str, Unset)> = Vec::new();
    for (field, text) in texts(subject) {
        for reference in references::find(text.value.expose()) {
            let name = reference.name;
            let with_default = reference.style == Style::Form(VariableForm::Default);
            let unset = subject.account.harness.unset(field);
            let known = with_default
                || !follows(subject, field, reference.style)
                || matches!(reference.style, Style::Editor)
                || reaches_server(subject, field, &reference)
                || starts_anyway(subject, unset)
                || is_filled_in(subject, name, unset);
            if known || told.contains(&(name, unset)) {
                continue;
            }
            told.push((name, unset));
            found.push(tell(subject, field, name, unset).at(text.place.as_ref()));
        }
    }
    named_for_headers(subject, found);
    for forwarded in &subject.entry().forwarded {
        let name = forwarded.value.as_str();
        let plain = Masked::word(&Secret::new(name)).as_str() == name;
        if plain && !subject.account.is_set(name) {
            let text =
                format!("{name} is to be passed on, but is not set: the server does not get it");
            let finding = subject
                .finding(&CHECK, text)
                .as_bad_as(Severity::Note)
                .with_help(format!(
                    "set {name} where {} is started",
                    subject.account.name()
                ))
                .at(forwarded.place.as_ref());
            found.push(finding);
        }
    }
}

fn is_filled_in(subject: &Subject<'_>, name: &str, unset: Unset) -> bool {
    let account = subject.account;
    let plugin = subject.server.definition.scope == Scope::Plugin
        && account.idiom().plugin_variables.contains(&name);
    // Who gives up where a variable is unset does so where it is empty. Observed on Pi 1.6.0.
    let empty = unset == Unset::ServerFails && account.world.env.get(name) == Some("");
    plugin || (account.is_set(name) && !empty)
}

/// Whether the harness, which gives up where a variable is unset, has found all that it needs: it sets some itself.
fn starts_anyway(subject: &Subject<'_>, unset: Unset) -> bool {
    unset == Unset::ServerFails && subject.server.status == Status::Configured
}

/// Variables that the entry names without writing them as such, for header fields.
fn named_for_headers(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let harness = subject.account.name();
    for header in &subject.entry().header_variables {
        let name = header.variable.value.expose();
        let plain = Masked::word(&header.variable.value).as_str() == name;
        if !plain || subject.account.is_set(name) {
            continue;
        }
        let field = Shown(&header.field);
        let (severity, becomes) = match subject.server.status {
            Status::Broken => (
                Severity::Error,
                format!("{harness} does not start the server"),
            ),
            _ => (
                Severity::Warning,
                format!("the header field {field} is not sent"),
            ),
        };
        let finding = subject
            .finding(&CHECK, format!("{name} is not set: {becomes}"))
            .as_bad_as(severity)
            .with_help(format!("set {name} where {harness} is started"))
            .at(header.variable.place.as_ref());
        found.push(finding);
    }
}

fn tell(subject: &Subject<'_>, field: Field, name: &str, unset: Unset) -> Finding {
    let account = subject.account;
    let harness = account.name();
    let (becomes, severity) = match unset {
        Unset::StaysText => (
            format!(
                "the server gets the text {} instead of a value",
                spelled(subject, field, name)
            ),
            Severity::Warning,
        ),
        Unset::Empty => ("nothing is put in its place".to_owned(), Severity::Warning),
        Unset::ServerFails => (
            format!("{harness} does not start the server"),
            Severity::Error,
        ),
        Unset::Unknown => (
            format!("what {harness} then does is not known"),
            Severity::Warning,
        ),
    };
    let default = account
        .harness
        .variables(field)
        .contains(&VariableForm::Default);
    let help = match default {
        true => format!("set {name} where {harness} is started, or write ${{{name}:-default}}"),
        false => format!("set {name} where {harness} is started"),
    };
    let state = match account.world.env.get(name) {
        Some("") => "is empty",
        _ => "is not set",
    };
    subject
        .finding(&CHECK, format!("{name} {state}: {becomes}"))
        .as_bad_as(severity)
        .with_help(help)
}

fn spelled(subject: &Subject<'_>, field: Field, name: &str) -> String {
    let forms = subject.account.harness.variables(field);
    super::variable_dialect::spelling(forms, name).unwrap_or_else(|| name.to_owned())
}
