//! A whole command line where a program is expected.

use muster_core::{Audience, Check, Confidence, Example, Finding, Severity};
use muster_document::{Masked, Secret};

use crate::account::Subject;
use crate::program::{Found, is_path, search_path};

pub(crate) static CHECK: Check = Check {
    id: "command-line-in-command",
    severity: Severity::Error,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a whole command line in `command`",
    explanation: "`command` names one program. No shell reads it: the agent looks for a file whose name is the whole text, blanks included, and \
        finds none. The words behind the first are arguments and stand in `args`.",
    help: "Leave the first word in `command` and write each of the others as an element of `args`.",
    links: &[],
    example: Example {
        harness: "claude-code",
        path: ".mcp.json",
        before: r#"{
  "mcpServers": {
    "db": { "command": "npx -y @acme/db" }
  }
}
"#,
        after: r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "@acme/db"] }
  }
}
"#,
        besides: &[],
    },
};

pub(crate) fn look(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let Some(command) = &subject.entry().command else {
        return;
    };
    let text = command.value.expose().trim();
    let Some((first, _)) = text.split_once(char::is_whitespace) else {
        return;
    };
    if !subject.may_start() || first.is_empty() || exists(subject, text) {
        return;
    }
    // A path with a blank in it is more likely than a program with arguments behind a folder that has one.
    if is_path(text, subject.account.world.platform) && !is_program(subject, first) {
        return;
    }
    // A variable that is set before the command holds a value.
    let help = match first.contains('=') {
        true => "write the program in command, its variables in env, and each other word in args"
            .to_owned(),
        false => format!(
            "write \"{}\" in command, and each of the other words in args",
            Masked::word(&Secret::new(first))
        ),
    };
    let finding = subject
        .finding(
            &CHECK,
            "the whole text of \"command\" is taken for the name of one program",
        )
        .with_help(help)
        .at(command.place.as_ref());
    found.push(finding);
}

/// Whether the whole text is a file after all.
fn exists(subject: &Subject<'_>, text: &str) -> bool {
    !matches!(look_up(subject, text), Some(Found::Nothing(_)) | None)
        && is_path(text, subject.account.world.platform)
}

/// Whether `word` by itself is a program, or one that would be looked for by its name.
fn is_program(subject: &Subject<'_>, word: &str) -> bool {
    !is_path(word, subject.account.world.platform)
        || matches!(look_up(subject, word), Some(Found::Program(_)))
}

fn look_up(subject: &Subject<'_>, text: &str) -> Option<Found> {
    let account = subject.account;
    let folder = subject.folder()?;
    let path = search_path(account.world).unwrap_or_default();
    Some(account.programs.look_up(account.world, text, &folder, path))
}
