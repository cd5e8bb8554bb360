//! A working folder that is not there.

use muster_core::{Audience, Check, Confidence, Example, FileFault, FileKind, Finding, Severity};
use muster_document::{Masked, Secret};

use crate::account::Subject;

pub(crate) static CHECK: Check = Check {
    id: "missing-folder",
    severity: Severity::Error,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a working folder that is not there",
    explanation: "The server is to be started in a folder that does not exist. The agent then reports that the *command* is not found (`spawn npx \
        ENOENT`, `No such file or directory`), which sends people looking in the wrong place.",
    help: "Correct `cwd`, or make the folder. A relative one starts from the folder that the agent is started in; few \
        follow `~`, as Pi does.",
    links: &[],
    example: Example {
        harness: "codex",
        path: "~/.codex/config.toml",
        before: r#"[mcp_servers.notes]
command = "npx"
args = ["-y", "@acme/notes"]
cwd = "/home/me/ntoes"
"#,
        after: r#"[mcp_servers.notes]
command = "npx"
args = ["-y", "@acme/notes"]
cwd = "/home/me"
"#,
        besides: &[],
    },
};

pub(crate) fn look(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let (account, entry) = (subject.account, subject.entry());
    let Some(cwd) = entry.cwd.as_ref().filter(|_| entry.command.is_some()) else {
        return;
    };
    if !subject.may_start() || account.world.system_root.is_some() {
        return;
    }
    let Some(folder) = subject.folder() else {
        return;
    };
    // Filled in, it may hold what a variable keeps to itself.
    let written = !cwd.value.expose().contains(['$', '{']);
    let shown = match written {
        true => Masked::path(&Secret::new(account.shown(&folder))),
        false => Masked::path(&cwd.value),
    };
    let text = match account.world.files.metadata(&folder) {
        Ok(found) if found.kind == FileKind::Folder => return,
        Ok(_) => format!("{shown} is no folder to start in"),
        Err(FileFault::Absent) => format!("there is no folder {shown} to start in"),
        Err(_) => return,
    };
    let finding = subject
        .finding(&CHECK, text)
        .with_help("correct cwd, or make the folder")
        .at(cwd.place.as_ref());
    found.push(finding);
}
