//! Programs of Windows in WSL.

use muster_core::{Audience, Check, Confidence, Example, Finding, Platform, Severity};
use muster_document::{Masked, Secret};

use crate::account::Subject;
use crate::program::{Found, search_path};

pub(crate) static CHECK: Check = Check {
    id: "windows-program-in-wsl",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a program of Windows, started from Linux",
    explanation: "In WSL the PATH of Windows stands behind that of Linux. Where a program is not installed in Linux, the one below /mnt/c is found: \
        it takes Linux paths for relative ones, does not see the variables that it is given, and is slow to start.",
    help: "Install the program in Linux, or keep Windows' folders off the PATH (`appendWindowsPath=false` in /etc/wsl.conf).",
    links: &[],
    example: Example {
        harness: "codex",
        path: "~/.codex/config.toml",
        before: r#"[mcp_servers.db]
command = "/mnt/c/Program Files/nodejs/npx.cmd"
args = ["-y", "@acme/db"]
"#,
        after: r#"[mcp_servers.db]
command = "npx"
args = ["-y", "@acme/db"]
"#,
        besides: &[],
    },
};

pub(crate) fn look(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let world = subject.account.world;
    let Some(command) = &subject.entry().command else {
        return;
    };
    if world.platform != Platform::Linux || !subject.may_start() {
        return;
    }
    let text = command.value.expose();
    let path = search_path(world).unwrap_or_default();
    let program = if is_windows(text) {
        text.to_owned()
    } else if path.contains("/mnt/") && !text.contains('/') && world.system_root.is_none() {
        let programs = &subject.account.programs;
        match programs.named(world, text, path) {
            Found::Program(program) if is_windows(program.as_str()) => program.into_string(),
            _ => return,
        }
    } else {
        return;
    };
    let shown = Masked::path(&Secret::new(program));
    let finding = subject
        .finding(
            &CHECK,
            format!("{shown} is a program of Windows, and this is Linux"),
        )
        .with_help("install it in Linux")
        .at(command.place.as_ref());
    found.push(finding);
}

/// Whether `path` leads into a drive of Windows: `/mnt/c/…`.
fn is_windows(path: &str) -> bool {
    let drive = path
        .strip_prefix("/mnt/")
        .and_then(|rest| rest.split_once('/'));
    drive
        .is_some_and(|(drive, _)| drive.len() == 1 && drive.chars().all(|c| c.is_ascii_lowercase()))
}
