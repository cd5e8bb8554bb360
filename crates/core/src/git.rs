//! Facts about a repository, read from its files; git is never run.

use std::collections::HashSet;

use camino::{Utf8Path, Utf8PathBuf};

use crate::{Files, path};

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

/// The paths in a repository's index: what is tracked or staged.
#[derive(Debug, Default)]
pub struct GitIndex {
    paths: HashSet<Vec<u8>>,
}

impl GitIndex {
    /// Reads `<git_folder>/index`, versions 2 to 4. What cannot be read holds nothing.
    pub fn read(files: &Files, git_folder: &Utf8Path) -> GitIndex {
        let bytes = files.read(&git_folder.join("index"), Files::LIMIT).ok();
        GitIndex {
            paths: bytes
                .and_then(|bytes| index_paths(&bytes))
                .unwrap_or_default(),
        }
    }

    /// Whether `relative`, a path from the repository's root with `/` between names, is in the index.
    pub fn contains(&self, relative: &Utf8Path) -> bool {
        self.paths.contains(relative.as_str().as_bytes())
    }
}

/// Bytes before the flags of an entry: times, device, inode, mode, owner, group, size (40), then a SHA-1 (20).
const FIXED: usize = 60;

fn index_paths(bytes: &[u8]) -> Option<HashSet<Vec<u8>>> {
    let word = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    if bytes.get(..4)? != b"DIRC" {
        return None;
    }
    let (version, count) = (word(4)?, word(8)?);
    let mut paths = HashSet::new();
    let mut at = 12;
    let mut previous: Vec<u8> = Vec::new();
    for _ in 0..count {
        let flags = u16::from_be_bytes(bytes.get(at + FIXED..at + FIXED + 2)?.try_into().ok()?);
        let extended = version >= 3 && flags & 0x4000 != 0;
        let name_at = at + FIXED + if extended { 4 } else { 2 };
        let rest = bytes.get(name_at..)?;
        let name = if version == 4 {
            let (strip, used) = offset_varint(rest)?;
            let suffix_at = name_at + used;
            let end = bytes.get(suffix_at..)?.iter().position(|byte| *byte == 0)?;
            let keep = previous.len().checked_sub(strip)?;
            let mut name = previous.get(..keep)?.to_vec();
            name.extend_from_slice(bytes.get(suffix_at..suffix_at + end)?);
            at = suffix_at + end + 1;
            name
        } else {
            let end = rest.iter().position(|byte| *byte == 0)?;
            // Entries are padded with 1 to 8 NULs to a multiple of eight bytes.
            at += (name_at - at + end + 8) & !7;
            rest.get(..end)?.to_vec()
        };
        previous.clone_from(&name);
        paths.insert(name);
    }
    Some(paths)
}

/// Git's variable-length offset: seven bits a byte, each continuation adding one.
fn offset_varint(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value: usize = 0;
    for (at, byte) in bytes.iter().enumerate().take(8) {
        value = (value << 7) | usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value, at + 1));
        }
        value += 1;
    }
    None
}
