//! Where a project begins: its root by markers, and the root that its trust is kept under.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Files, GitRoot};

/// What marks a project's root unless `project_root_markers` says otherwise.
pub(super) const DEFAULT_MARKERS: &[&str] = &[".git"];

/// The nearest folder from `cwd` upward that holds one of `markers`; `cwd` itself where none does. Observed on 0.171.0.
pub(super) fn project_root(files: &Files, cwd: &Utf8Path, markers: &[&str]) -> Utf8PathBuf {
    let marked = |folder: &&Utf8Path| {
        markers
            .iter()
            .any(|marker| is_marked(files, folder, marker))
    };
    cwd.ancestors().find(marked).unwrap_or(cwd).to_owned()
}

fn is_marked(files: &Files, folder: &Utf8Path, marker: &str) -> bool {
    match marker {
        ".git" => is_git(files, folder),
        marker => files.exists(&folder.join(marker)),
    }
}

/// A `.git` counts if it is a file, whatever it says, or a folder with `HEAD` in it.
fn is_git(files: &Files, folder: &Utf8Path) -> bool {
    let dot_git = folder.join(".git");
    files.is_file(&dot_git) || files.exists(&dot_git.join("HEAD"))
}

/// The repository around a folder, as trust sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Repository {
    /// The folder with the `.git`.
    pub(super) checkout: Utf8PathBuf,
    /// The folder whose trust counts: the main checkout's in a linked worktree. `None` where `.git` is a file that is no worktree's.
    pub(super) trust_root: Option<Utf8PathBuf>,
    /// The main checkout, if this is a linked worktree.
    pub(super) main: Option<Utf8PathBuf>,
}

/// The main checkout of a linked worktree: the folder above the repository's common folder, if its own `.git` leads there. So a
/// bare repository has one only if a `.git` beside it names it, and a repository whose folder was moved elsewhere has none.
/// Observed on 0.171.0.
fn main_checkout(files: &Files, root: &GitRoot) -> Option<Utf8PathBuf> {
    let common = root.common.as_deref()?;
    let above = common.parent()?;
    let leads_to = GitRoot::at(files, above).git_folder?;
    let same = leads_to == common
        || files
            .real_path(common)
            .is_some_and(|real| files.real_path(&leads_to) == Some(real));
    same.then(|| above.to_owned())
}

/// The repository around `cwd`. Observed on 0.171.0: a worktree counts as one only if the main checkout points back at it, so a
/// `.git` file alone cannot borrow another repository's trust; a submodule inherits nothing.
pub(super) fn repository(files: &Files, cwd: &Utf8Path) -> Option<Repository> {
    let checkout = cwd
        .ancestors()
        .find(|folder| is_git(files, folder))?
        .to_owned();
    let main = main_checkout(files, &GitRoot::at(files, &checkout));
    let trust_root = if files.is_folder(&checkout.join(".git")) {
        Some(checkout.clone())
    } else {
        main.clone()
    };
    Some(Repository {
        checkout,
        trust_root,
        main,
    })
}
