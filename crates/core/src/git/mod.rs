//! Facts about a repository, read from its files; git is never run.

mod index;

use camino::{Utf8Path, Utf8PathBuf};

use crate::{Files, path};

pub use index::GitIndex;

/// The largest file of a `.git` folder's small text files that is read, in bytes.
const SMALL: u64 = 64 * 1024;

/// A folder that holds an entry called `.git`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitRoot {
    /// The folder.
    pub folder: Utf8PathBuf,
    /// In a linked worktree (or what claims to be one), the repository's common folder: usually `<main checkout>/.git`.
    pub common: Option<Utf8PathBuf>,
    /// The folder that holds `index` and `HEAD`.
    pub git_folder: Option<Utf8PathBuf>,
}

impl GitRoot {
    /// The nearest folder at or above `from` that holds an entry called `.git` of any kind.
    pub fn find(files: &Files, from: &Utf8Path) -> Option<GitRoot> {
        let folder = from
            .ancestors()
            .find(|folder| files.exists(&folder.join(".git")))?;
        Some(GitRoot::at(files, folder))
    }

    /// The root that git itself finds: an entry called `.git` counts only with a repository behind it, and without one the search goes
    /// on above; a `.git` file that leads nowhere ends it. In a bare repository the folder of the nearest entry counts. `None` where
    /// nothing from `from` upwards is called `.git`.
    pub fn discover(files: &Files, from: &Utf8Path) -> Option<GitRoot> {
        let nearest = GitRoot::find(files, from)?;
        for folder in nearest.folder.ancestors() {
            let dot_git = folder.join(".git");
            if files.exists(&dot_git) {
                let root = GitRoot::at(files, folder);
                let whole = root
                    .git_folder
                    .as_deref()
                    .is_some_and(|git_folder| is_repository(files, git_folder));
                if whole {
                    return Some(root);
                }
                if !files.is_folder(&dot_git) {
                    return None;
                }
            }
            if is_repository(files, folder) {
                return Some(nearest);
            }
        }
        None
    }

    /// The root at `folder`, which holds an entry called `.git`.
    pub fn at(files: &Files, folder: &Utf8Path) -> GitRoot {
        let dot_git = folder.join(".git");
        if files.is_folder(&dot_git) {
            return GitRoot {
                folder: folder.to_owned(),
                common: None,
                git_folder: Some(dot_git),
            };
        }
        let git_folder = read_small(files, &dot_git)
            .and_then(|text| {
                text.trim()
                    .strip_prefix("gitdir:")
                    .map(|target| path::absolute(target.trim(), folder))
            })
            .filter(|git_folder| files.is_folder(git_folder));
        let common = git_folder
            .as_deref()
            .and_then(|git_folder| worktree_common(files, folder, git_folder));
        GitRoot {
            folder: folder.to_owned(),
            common,
            git_folder,
        }
    }

    /// The main checkout's root, if this is a linked worktree of one; a bare repository counts as its own root.
    pub fn main_checkout(&self) -> Option<Utf8PathBuf> {
        let common = self.common.as_deref()?;
        match common.file_name() {
            Some(".git") => common.parent().map(Utf8Path::to_owned),
            _ => Some(common.to_owned()),
        }
    }
}

/// Whether git takes `folder` for a repository's own folder: a `HEAD` that names something, `objects` and `refs`.
fn is_repository(files: &Files, folder: &Utf8Path) -> bool {
    let head = read_small(files, &folder.join("HEAD"));
    let names = head.is_some_and(|head| match head.strip_prefix("ref:") {
        Some(name) => name.trim_start().starts_with("refs/"),
        None => head.chars().take_while(char::is_ascii_hexdigit).count() >= 40,
    });
    let common = || match read_small(files, &folder.join("commondir")) {
        Some(common) => path::absolute(common.trim(), folder),
        None => folder.to_owned(),
    };
    names && {
        let common = common();
        files.is_folder(&common.join("objects")) && files.is_folder(&common.join("refs"))
    }
}

/// The common folder of a linked worktree, if the link is whole: the administrative folder lies below the common folder's
/// `worktrees` and points back at `folder`. A repository cannot claim another's by writing a `.git` file alone.
fn worktree_common(files: &Files, folder: &Utf8Path, git_folder: &Utf8Path) -> Option<Utf8PathBuf> {
    let common = path::absolute(
        read_small(files, &git_folder.join("commondir"))?.trim(),
        git_folder,
    );
    let back = read_small(files, &git_folder.join("gitdir"))?;
    let back = path::absolute(back.trim(), git_folder);
    let same = |a: &Utf8Path, b: &Utf8Path| {
        a == b
            || files
                .real_path(a)
                .is_some_and(|real| files.real_path(b) == Some(real))
    };
    (same(&back, &folder.join(".git")) && git_folder.parent() == Some(&common.join("worktrees")))
        .then_some(common)
}

fn read_small(files: &Files, path: &Utf8Path) -> Option<String> {
    String::from_utf8(files.read(path, SMALL).ok()?.to_vec()).ok()
}
