//! The index of a repository: what is tracked or staged.

use std::collections::HashSet;

use camino::{Utf8Path, Utf8PathBuf};

use super::read_small;
use crate::{Files, path};

/// The paths in a repository's index.
#[derive(Debug, Default)]
pub struct GitIndex {
    /// Lower-case; `None` where the index cannot be read.
    paths: Option<HashSet<String>>,
}

impl GitIndex {
    /// Reads `<git_folder>/index`, versions 2 to 4, split or not, of SHA-1 and SHA-256 repositories. One that is not there holds
    /// nothing.
    pub fn read(files: &Files, git_folder: &Utf8Path) -> GitIndex {
        let path = git_folder.join("index");
        if !files.exists(&path) {
            return GitIndex {
                paths: Some(HashSet::new()),
            };
        }
        let hash = hash_length(files, git_folder);
        let paths = read_file(files, &path, hash).and_then(|index| {
            let mut paths = index.paths;
            if let Some(base) = index.base {
                // What the split index takes out of its base counts as tracked still: that errs on the side of caution.
                let base = git_folder.join(format!("sharedindex.{base}"));
                paths.extend(read_file(files, &base, hash)?.paths);
            }
            Some(paths)
        });
        GitIndex { paths }
    }

    /// Whether `relative`, a path from the repository's root with `/` between names, may be in the index. Case does not matter: on
    /// some file systems it makes no other file. An index that cannot be read may hold anything.
    pub fn may_contain(&self, relative: &Utf8Path) -> bool {
        self.paths
            .as_ref()
            .is_none_or(|paths| paths.contains(&relative.as_str().to_lowercase()))
    }
}

/// Bytes of an object's name.
fn hash_length(files: &Files, git_folder: &Utf8Path) -> usize {
    let common = read_small(files, &git_folder.join("commondir"))
        .map_or(Utf8PathBuf::from(git_folder), |common| {
            path::absolute(common.trim(), git_folder)
        });
    let config = read_small(files, &common.join("config"))
        .unwrap_or_default()
        .to_lowercase();
    let sha256 = config.lines().any(|line| {
        let (key, value) = line.split_once('=').unwrap_or_default();
        key.trim() == "objectformat" && value.trim() == "sha256"
    });
    if sha256 { 32 } else { 20 }
}

/// One file of an index.
struct IndexFile {
    paths: HashSet<String>,
    /// The name of the shared index that this one is split from, in hexadecimal.
    base: Option<String>,
}

fn read_file(files: &Files, path: &Utf8Path, hash: usize) -> Option<IndexFile> {
    let bytes = files.read(path, Files::LIMIT).ok()?;
    let mut reader = Reader {
        bytes: &bytes,
        at: 0,
    };
    if reader.take(4)? != b"DIRC" {
        return None;
    }
    let (version, count) = (reader.word()?, reader.word()?);
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut paths = HashSet::new();
    let mut previous = Vec::new();
    for _ in 0..count {
        let name = reader.entry(version, hash, &previous)?;
        paths.insert(String::from_utf8_lossy(&name).to_lowercase());
        previous = name;
    }
    Some(IndexFile {
        paths,
        base: reader.base(hash),
    })
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let end = self.at.checked_add(length)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    fn word(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }

    /// Up to the next NUL, which is passed over.
    fn text(&mut self) -> Option<&'b [u8]> {
        let length = self
            .bytes
            .get(self.at..)?
            .iter()
            .position(|byte| *byte == 0)?;
        let text = self.take(length)?;
        self.at += 1;
        Some(text)
    }

    /// The name of the next entry: after times, device, inode, mode, owner, group, size (40 bytes), the object's name and the flags.
    fn entry(&mut self, version: u32, hash: usize, previous: &[u8]) -> Option<Vec<u8>> {
        let start = self.at;
        self.take(40 + hash)?;
        let flags = u16::from_be_bytes(self.take(2)?.try_into().ok()?);
        if version >= 3 && flags & 0x4000 != 0 {
            self.take(2)?;
        }
        if version == 4 {
            let strip = self.offset()?;
            let mut name = previous.get(..previous.len().checked_sub(strip)?)?.to_vec();
            name.extend_from_slice(self.text()?);
            return Some(name);
        }
        let name = self.text()?.to_vec();
        // Entries are padded with 1 to 8 NULs to a multiple of eight bytes, of which one is read.
        self.at += (8 - (self.at - start) % 8) % 8;
        Some(name)
    }

    /// Git's variable-length offset: seven bits a byte, each continuation adding one.
    fn offset(&mut self) -> Option<usize> {
        let mut value: usize = 0;
        for _ in 0..8 {
            let byte = *self.take(1)?.first()?;
            value = (value << 7) | usize::from(byte & 0x7f);
            if byte & 0x80 == 0 {
                return Some(value);
            }
            value += 1;
        }
        None
    }

    /// The object named by the extension `link`, if there is one before the checksum at the end.
    fn base(&mut self, hash: usize) -> Option<String> {
        while self.at + hash < self.bytes.len() {
            let signature = self.take(4)?;
            let length = usize::try_from(self.word()?).ok()?;
            let content = self.take(length)?;
            if signature == b"link" {
                let name = content.get(..hash)?;
                return name
                    .iter()
                    .any(|byte| *byte != 0)
                    .then(|| name.iter().map(|byte| format!("{byte:02x}")).collect());
            }
        }
        None
    }
}
