//! A command that starts nothing.

use muster_core::{Audience, Check, Confidence, Example, Finding, Platform, Severity, Start};
use muster_document::{Masked, Secret};

use super::{cmd_outside_windows, command_line, relative_path};
use crate::account::Subject;
use crate::program::{Found, is_path, search_path};

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
    help: "Install the program, correct its name, or write its full path. No agent but Pi follows `~` in a command. A script needs to be \
        executable (`chmod +x`), or goes behind its interpreter: command `node`, args `[\"server.js\"]`.",
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
    let Some(missing) = look_up(subject, command.value.expose()) else {
        return;
    };
    let text = match &missing {
        Missing::Nowhere(name) => format!("{name} is in no folder of PATH"),
        Missing::NoFile(path) => format!("there is no {path} to start"),
        Missing::NotExecutable(path) => format!("{path} may not be executed"),
        Missing::Tilde => format!(
            "{} does not follow `~` in a command: it looks for a folder of that name",
            account.name()
        ),
    };
    let help = match &missing {
        Missing::NotExecutable(_) => "chmod +x makes it executable".to_owned(),
        Missing::Tilde => "write the path from / on".to_owned(),
        Missing::NoFile(_) => format!(
            "correct the path; a relative one is looked for in the folder that {} is started in",
            account.name()
        ),
        Missing::Nowhere(_) => "install it, correct its name, or write its full path".to_owned(),
    };
    let finding = subject
        .finding(&CHECK, text)
        .with_help(help)
        .at(command.place.as_ref());
    found.push(finding);
}

enum Missing {
    /// In no folder of PATH: the name.
    Nowhere(String),
    /// Nothing at this path.
    NoFile(String),
    /// A file at this path that may not be run.
    NotExecutable(String),
    /// The path begins with a `~` that stays.
    Tilde,
}

/// What is missing of `command`; `None` where nothing is, or nothing can be told.
fn look_up(subject: &Subject<'_>, command: &str) -> Option<Missing> {
    let account = subject.account;
    let own_path = subject
        .entry()
        .env
        .iter()
        .any(|(name, _)| name.eq_ignore_ascii_case("PATH"));
    let plain = !command.contains(['$', '%', '{']) && !command.starts_with('~');
    // The short way: most commands are where the world's PATH leads.
    if plain && !own_path {
        let folder = subject.folder()?;
        let path = search_path(account.world)?;
        let found = account
            .programs
            .look_up(account.world, command, &folder, path);
        if matches!(found, Found::Program(_) | Found::Unknown) {
            return None;
        }
    }
    // The long way: as the harness would start it.
    let plan = subject.plan()?;
    let Start::Process { argv, cwd, env, .. } = &plan.start else {
        return None;
    };
    let command = argv.first()?.expose();
    if command.is_empty() || command.contains(['$', '{']) {
        return None;
    }
    if command.starts_with("~/") {
        return Some(Missing::Tilde);
    }
    let path = env
        .iter()
        .find(|handed| handed.name.eq_ignore_ascii_case("PATH"))
        .map(|handed| handed.value.expose());
    let windows = account.world.platform == Platform::Windows;
    let path = match path {
        Some(path) => path,
        None if is_path(command, account.world.platform) => "",
        // There a variable's name may be spelled in any case.
        None if windows => search_path(account.world)?,
        None => return None,
    };
    let shown = |path: &str| Masked::path(&Secret::new(path)).to_string();
    match account.programs.look_up(account.world, command, cwd, path) {
        Found::Nothing(None) => Some(Missing::Nowhere(
            Masked::word(&Secret::new(command)).to_string(),
        )),
        Found::Nothing(Some(path)) => Some(Missing::NoFile(shown(&account.shown(&path)))),
        Found::NotExecutable(path) => Some(Missing::NotExecutable(shown(&account.shown(&path)))),
        Found::Program(_) | Found::Unknown => None,
    }
}
