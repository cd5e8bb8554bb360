//! A command that starts nothing.

use camino::Utf8Path;
use muster_core::{Audience, Check, Confidence, Example, Field, Finding, Severity};
use muster_document::{Masked, Secret};

use super::{cmd_outside_windows, command_line, relative_path};
use crate::account::Subject;
use crate::program::Found;
use crate::start::Expanded;

pub(crate) static CHECK: Check = Check {
    id: "command-not-found",
    severity: Severity::Error,
    confidence: Confidence::Medium,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a command that starts no program here",
    explanation: "The agent looks for the command in the folders of PATH (the entry's own PATH, where it sets one), or where the path in it leads \
        from the session folder, and finds no file that it may run. The server is listed and does not start. Version managers such as nvm, fnm \
        and mise put `npx` and `node` on the PATH of a shell; an agent started from a desktop does not have it, while Muster looks \
        with the PATH of the shell it runs in.",
    help: "Install the program, correct its name, or write its full path. Few agents follow `~` in a command: Pi does. A script needs to be \
        executable (`chmod +x`), or goes behind its interpreter: command `node`, args `[\"server.js\"]`.",
    links: &[],
    example: Example {
        harness: "claude-code",
        path: ".mcp.json",
        before: r#"{
  "mcpServers": {
    "db": { "command": "npxx", "args": ["-y", "@acme/db"] }
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
    let account = subject.account;
    let Some(command) = &subject.entry().command else {
        return;
    };
    // Where another system is audited, what this machine holds says nothing.
    if !subject.may_start() || account.world.system_root.is_some() {
        return;
    }
    let explained = [
        cmd_outside_windows::CHECK.id,
        command_line::CHECK.id,
        relative_path::CHECK.id,
    ];
    let explained = |finding: &Finding| {
        explained.contains(&finding.check.id) && finding.place.as_ref() == command.place.as_ref()
    };
    if found.iter().any(explained) {
        return;
    }
    let Some(Missing { text, help }) = look_up(subject, command.value.expose()) else {
        return;
    };
    let finding = subject
        .finding(&CHECK, text)
        .with_help(help)
        .at(command.place.as_ref());
    found.push(finding);
}

/// What is missing, and what to do.
struct Missing {
    text: String,
    help: String,
}

/// What is missing of `command`; `None` where nothing is, or nothing can be told.
fn look_up(subject: &Subject<'_>, command: &str) -> Option<Missing> {
    let account = subject.account;
    let harness = account.name();
    let missing = |text: String, help: String| Some(Missing { text, help });
    let filled = match subject.expanded(Field::Command, command)? {
        Expanded::Text(filled) => filled,
        Expanded::Tilde => {
            return missing(
                format!(
                    "{harness} does not follow `~` in a command: it looks for a folder of that name"
                ),
                "write the path from / on".to_owned(),
            );
        }
    };
    // Filled in, it may hold what a variable keeps to itself.
    let written = filled == command;
    let shown = |path: &Utf8Path| match written {
        true => Masked::path(&Secret::new(account.shown(path))),
        false => Masked::word(&Secret::new(command)),
    };
    match subject.program(&filled)? {
        Found::Nothing(None) => missing(
            format!(
                "{} is in no folder of PATH",
                Masked::word(&Secret::new(command))
            ),
            "install it, correct its name, or write its full path".to_owned(),
        ),
        Found::Nothing(Some(path)) => missing(
            format!("there is no {} to start", shown(&path)),
            format!(
                "correct the path; a relative one is looked for in the folder that {harness} is started in"
            ),
        ),
        Found::NotExecutable(path) => missing(
            format!("{} may not be executed", shown(&path)),
            "chmod +x makes it executable".to_owned(),
        ),
        Found::Program(_) | Found::Unknown => None,
    }
}
