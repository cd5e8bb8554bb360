//! Files of a project that are not in its repository, and worktrees that lack them.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{
    Audience, Check, Confidence, Example, FileState, Finding, GitIndex, GitRoot, Scope, Severity,
};

use crate::account::Account;

pub(crate) static CHECK: Check = Check {
    id: "missing-in-worktree",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a project's servers that its worktrees do not have",
    explanation: "A new worktree of a repository holds what is committed. A file with servers that is not (untracked, or ignored) stays behind in the \
        main checkout, and a session in the worktree has none of its servers, without a word.",
    help: "Commit the file, or copy it into each worktree. Servers that are yours alone belong into your own file: those that Claude Code \
        keeps for the folder (local scope) hold in all of a repository's worktrees.",
    links: &[],
    example: Example {
        harness: "claude-code",
        path: ".mcp.json",
        before: r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "@acme/db"] }
  }
}
"#,
        after: r#"{
  "mcpServers": {}
}
"#,
        besides: &[(".git/worktrees/fix/HEAD", "ref: refs/heads/fix\n")],
    },
};

pub(crate) fn look(account: &Account<'_>, found: &mut Vec<Finding>) {
    let world = account.world;
    // Nobody asks for the root where the harness has no project files.
    let files = account.resolution.files.iter();
    let mut project = files.filter(|file| file.scope == Scope::Project).peekable();
    if project.peek().is_none() {
        return;
    }
    let Some(root) = GitRoot::find(world.files, &world.cwd) else {
        return;
    };
    match root.main_checkout() {
        Some(main) => {
            let absent = project.filter(|file| file.state == FileState::Absent);
            let paths = absent.map(|file| file.path.as_path());
            found.extend(paths.filter_map(|path| lacking(account, &root, &main, path)));
        }
        None => found.extend(left_behind(account, &root)),
    }
}

/// What is to be said of `path`, which is not in this worktree but in the main checkout.
fn lacking(
    account: &Account<'_>,
    root: &GitRoot,
    main: &Utf8Path,
    path: &Utf8Path,
) -> Option<Finding> {
    let relative = path.strip_prefix(&root.folder).ok()?;
    let there = main.join(relative);
    let is_there = account.world.files.is_file(&there);
    // A folder above the worktree may be the main checkout, whose file is read anyway.
    let read = || {
        account
            .resolution
            .files
            .iter()
            .any(|file| file.path == there && file.state == FileState::Read)
    };
    (is_there && !read()).then(|| {
        let text = format!("{relative} of the main checkout is missing in this worktree");
        account.finding(&CHECK, text).with_help(format!(
            "commit {relative}, or copy it from {}",
            account.shown(main)
        ))
    })
}

/// The project's files with servers that worktrees do not get, where there are worktrees.
fn left_behind(account: &Account<'_>, root: &GitRoot) -> Vec<Finding> {
    let files = account.world.files;
    let servers = account.resolution.servers.iter();
    let places = servers
        .map(|server| &server.definition)
        .filter(|definition| definition.scope == Scope::Project)
        .filter_map(|definition| definition.place.as_ref());
    let mut told: BTreeSet<Utf8PathBuf> = BTreeSet::new();
    let mut index = None;
    let mut found = Vec::new();
    for place in places {
        let Ok(relative) = place.path.strip_prefix(&root.folder) else {
            continue;
        };
        let Some(git) = root
            .git_folder
            .as_ref()
            .filter(|_| !told.contains(relative))
        else {
            continue;
        };
        told.insert(relative.to_owned());
        let has_worktrees = files
            .list(&git.join("worktrees"))
            .is_ok_and(|names| !names.is_empty());
        if !has_worktrees {
            return found;
        }
        let index = index.get_or_insert_with(|| GitIndex::read(files, git));
        if !index.may_contain(relative) {
            let text = format!(
                "{relative} is not in the repository: its worktrees do not have these servers"
            );
            let finding = account
                .finding(&CHECK, text)
                .as_bad_as(Severity::Note)
                .with_help(format!("commit {relative}, or copy it into each worktree"))
                .at(Some(place));
            found.push(finding);
        }
    }
    found
}
