//! A variable written in a way that the harness does not follow.

use muster_core::{
    Audience, Check, Confidence, Example, Field, Finding, Severity, Sourced, VariableForm,
};
use muster_document::Secret;

use crate::account::Subject;
use crate::references::{self, Reference, Style};

pub(crate) static CHECK: Check = Check {
    id: "variable-dialect",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a variable in another agent's way of writing one",
    explanation: "`${NAME}`, `${NAME:-default}`, `$NAME`, `${env:NAME}`, `{env:NAME}`: each agent follows its own way of writing a variable, in \
        its own fields, and passes everything else on as plain text. The server then gets `${env:TOKEN}` itself where it expects a \
        token. Codex fills in nothing at all; Pi does so in `env` and `headers` alone.",
    help: "Write the variable as this agent does. In Codex, name it in `env_vars` to pass it on, or in `bearer_token_env_var` and \
        `env_http_headers` for an address.",
    links: &[],
    example: Example {
        harness: "claude-code",
        path: ".mcp.json",
        before: r#"{
  "mcpServers": {
    "db": {
      "command": "npx",
      "args": ["-y", "@acme/db"],
      "env": { "DB_URL": "${env:DB_URL}" }
    }
  }
}
"#,
        after: r#"{
  "mcpServers": {
    "db": {
      "command": "npx",
      "args": ["-y", "@acme/db"],
      "env": { "DB_URL": "${DB_URL:-postgres://localhost/dev}" }
    }
  }
}
"#,
        besides: &[],
    },
};

/// Programs that fill in variables of their arguments themselves.
const SHELLS: [&str; 11] = [
    "sh",
    "bash",
    "zsh",
    "dash",
    "fish",
    "ksh",
    "env",
    "cmd",
    "powershell",
    "pwsh",
    "make",
];

pub(crate) fn look(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    if !subject.may_start() {
        return;
    }
    let mut told: Vec<(Field, String)> = Vec::new();
    for (field, text) in texts(subject) {
        for reference in references::find(text.value.expose()) {
            let meant = !follows(subject, field, reference.style)
                && !reaches_server(subject, field, &reference);
            if !meant || !is_written(subject, text, &reference) {
                continue;
            }
            let once = (field, reference.shown());
            if !told.contains(&once) {
                found.push(tell(subject, field, &reference).at(text.place.as_ref()));
                told.push(once);
            }
        }
    }
}

/// Every text of the entry that a variable could be filled in, with its field. Of a shell's arguments the shell takes care.
pub(super) fn texts<'s>(
    subject: &Subject<'s>,
) -> impl Iterator<Item = (Field, &'s Sourced<Secret>)> + use<'s> {
    let entry = subject.entry();
    let shell = SHELLS.contains(&subject.base_name());
    let args = if shell { &[][..] } else { &entry.args };
    let values = |field, pairs: &'s [(String, Sourced<Secret>)]| {
        pairs.iter().map(move |(_, value)| (field, value))
    };
    let command = entry.command.iter().map(|text| (Field::Command, text));
    let url = entry.url.iter().map(|text| (Field::Url, text));
    let cwd = entry.cwd.iter().map(|text| (Field::Cwd, text));
    command
        .chain(args.iter().map(|text| (Field::Argument, text)))
        .chain(values(Field::EnvValue, &entry.env))
        .chain(values(Field::HeaderValue, &entry.headers))
        .chain(url)
        .chain(cwd)
}

/// Whether the harness follows `style` in `field`.
pub(super) fn follows(subject: &Subject<'_>, field: Field, style: Style) -> bool {
    let forms = subject.account.harness.variables(field);
    match style {
        Style::Form(form) => forms.contains(&form),
        // Who writes `${env:NAME}` is an editor and has its variables too.
        Style::Editor => forms.contains(&VariableForm::EnvBraces),
        Style::Input | Style::Braces2 => false,
    }
}

/// Programs that fill in `${NAME}` in their arguments, from their own environment.
const FILLS_IN: [&str; 1] = ["mcp-remote"];

/// Whether the server is meant to fill the variable in itself: it is given it, or is known to.
pub(super) fn reaches_server(
    subject: &Subject<'_>,
    field: Field,
    reference: &Reference<'_>,
) -> bool {
    let entry = subject.entry();
    let given = || entry.env.iter().any(|(name, _)| name == reference.name);
    let known = |word: &Sourced<Secret>| {
        let package = word.value.expose().split('@').next();
        package.is_some_and(|package| FILLS_IN.contains(&package))
    };
    field == Field::Argument && (given() || entry.args.iter().any(known))
}

/// Whether the file itself holds the reference. An entry may hold what is only meant by a file that names a variable by itself.
fn is_written(subject: &Subject<'_>, text: &Sourced<Secret>, reference: &Reference<'_>) -> bool {
    let spelled = text
        .place
        .as_ref()
        .and_then(|place| subject.account.spelled(place));
    let shown = reference.shown();
    let opening = shown.split(['…', '}']).next().unwrap_or(&shown);
    spelled.is_none_or(|spelled| spelled.contains(opening))
}

fn tell(subject: &Subject<'_>, field: Field, reference: &Reference<'_>) -> Finding {
    let account = subject.account;
    let (harness, shown) = (account.name(), reference.shown());
    let forms = account.harness.variables(field);
    let text = match forms.is_empty() {
        true => format!(
            "{harness} fills in no variable in {}: {shown} stays text",
            with_article(field)
        ),
        false => format!("{shown} is not how {harness} writes a variable"),
    };
    subject
        .finding(&CHECK, text)
        .with_help(advice(subject, field, reference))
}

fn advice(subject: &Subject<'_>, field: Field, reference: &Reference<'_>) -> String {
    let account = subject.account;
    let name = reference.name;
    match reference.style {
        Style::Input => {
            return "only VS Code asks for inputs: name an environment variable instead".to_owned();
        }
        Style::Editor => {
            return "only editors know this one: write the path itself".to_owned();
        }
        _ => {}
    }
    let forms = account.harness.variables(field);
    if let Some(right) = spelling(forms, name) {
        let default = reference.style == Style::Form(VariableForm::Default);
        return match default && !forms.contains(&VariableForm::Default) {
            true => format!("write {right}; {} knows no defaults", account.name()),
            false => format!("write {right}"),
        };
    }
    if let Some(instead) = (account.idiom().instead_of_variable)(field) {
        return instead.replace("NAME", name);
    }
    let others: Vec<String> = Field::ALL
        .into_iter()
        .filter(|field| !account.harness.variables(*field).is_empty())
        .map(plural)
        .collect();
    match others.as_slice() {
        [] => "write the value itself".to_owned(),
        others => format!(
            "write the value itself: {} fills in variables in {} alone",
            account.name(),
            others.join(" and ")
        ),
    }
}

fn plural(field: Field) -> String {
    match field {
        Field::Url => "addresses".to_owned(),
        other => format!("{}s", other.word()),
    }
}

/// The variable `name` as one of `forms` writes it, the plainest that there is.
pub(super) fn spelling(forms: &[VariableForm], name: &str) -> Option<String> {
    let plainest = [
        VariableForm::Braces,
        VariableForm::EnvBraces,
        VariableForm::EnvCurly,
        VariableForm::Dollar,
        VariableForm::Percent,
    ];
    let form = plainest.into_iter().find(|form| forms.contains(form))?;
    Some(form.example().replace("NAME", name))
}

fn with_article(field: Field) -> String {
    let word = field.word();
    let article = if word.starts_with(['a', 'e']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {word}")
}
