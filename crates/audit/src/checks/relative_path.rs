//! Paths that lead somewhere else in another folder.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{
    Audience, Check, Confidence, Example, Finding, Scope, Severity, Sourced, absolute,
};
use muster_document::{Masked, Secret};

use crate::account::Subject;
use crate::program::is_path;

pub(crate) static CHECK: Check = Check {
    id: "relative-path",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a path that is looked for in the session's folder",
    explanation: "A relative path in `command` or `args` starts from the folder that the session is started in, not from the file it is written in. In \
        a project it works in the project's folder and fails below it; in a file of your own that holds everywhere it works in one \
        folder alone.",
    help: "Write the whole path. In a project, start sessions in its folder, or have the command find the root: `sh -c 'exec \"$(git rev-parse \
        --show-toplevel)/tools/server\"'`.",
    links: &[],
    example: Example {
        harness: "codex",
        path: "~/.codex/config.toml",
        before: r#"[mcp_servers.notes]
command = "node"
args = ["./notes/server.js"]
"#,
        after: r#"[mcp_servers.notes]
command = "node"
args = ["/home/me/notes/server.js"]
"#,
        besides: &[],
    },
};

/// Programs that run a file which is their argument.
const INTERPRETERS: [&str; 13] = [
    "node", "deno", "bun", "tsx", "ts-node", "python", "python3", "ruby", "perl", "php", "bash",
    "sh", "java",
];

/// How files that are run by one of them end.
const SCRIPTS: [&str; 9] = [
    ".js", ".mjs", ".cjs", ".ts", ".py", ".sh", ".rb", ".php", ".jar",
];

pub(crate) fn look(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let account = subject.account;
    let entry = subject.entry();
    let Some(command) = &entry.command else {
        return;
    };
    if !subject.may_start() || account.world.system_root.is_some() {
        return;
    }
    let program = command.value.expose();
    let runs = INTERPRETERS.contains(&subject.base_name());
    let script = entry
        .args
        .iter()
        .find(|word| !word.value.expose().starts_with('-'))
        .filter(|word| runs && is_script(word.value.expose()));
    if is_path(program, account.world.platform) {
        found.extend(tell(subject, command));
    }
    found.extend(script.and_then(|script| tell(subject, script)));
}

fn is_script(word: &str) -> bool {
    SCRIPTS.iter().any(|end| word.ends_with(end))
}

/// What is to be said of `path`, which is to be run.
fn tell(subject: &Subject<'_>, path: &Sourced<Secret>) -> Option<Finding> {
    let account = subject.account;
    let (text, shown) = (path.value.expose(), Masked::path(&path.value));
    if !is_relative(text) {
        return None;
    }
    let here = absolute(text, &subject.folder()?);
    match subject.server.definition.scope {
        Scope::Project => {
            let base = base(&path.place.as_ref().or(subject.place())?.path)?;
            let beside = absolute(text, &base);
            // Where it is in neither place, it is missing altogether.
            let elsewhere =
                !account.world.files.exists(&here) && account.world.files.exists(&beside);
            elsewhere.then(|| {
                let told = format!(
                    "{shown} is looked for in {}, and stands in {}",
                    account.shown(&subject.folder().unwrap_or_default()),
                    account.shown(&base)
                );
                subject
                    .finding(&CHECK, told)
                    .as_bad_as(Severity::Error)
                    .with_help(format!(
                        "start the session in {}, or write the whole path",
                        account.shown(&base)
                    ))
                    .at(path.place.as_ref())
            })
        }
        Scope::User | Scope::System | Scope::Managed | Scope::Profile => {
            let told = format!("{shown} is looked for in whatever folder a session starts in");
            let finding = subject
                .finding(&CHECK, told)
                .with_help("write the whole path")
                .at(path.place.as_ref());
            Some(finding)
        }
        _ => None,
    }
}

fn is_relative(text: &str) -> bool {
    let drive = text.as_bytes().get(1) == Some(&b':');
    !text.starts_with(['/', '~', '\\', '$', '%', '{', '@'])
        && !text.contains(['$', '{', '%', ' '])
        && !text.contains("://")
        && !drive
}

/// The folder that a project's file speaks for: its own, or where that is the harness's (`.codex`), the one above.
fn base(file: &Utf8Path) -> Option<Utf8PathBuf> {
    let folder = file.parent()?;
    let hidden = folder.file_name().is_some_and(|name| name.starts_with('.'));
    let base = if hidden { folder.parent()? } else { folder };
    Some(base.to_owned())
}
