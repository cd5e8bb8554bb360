//! The files of a world: asked through a trait, remembered, so that one run sees one version of each.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use camino::{Utf8Path, Utf8PathBuf};
use muster_document::Dialect;

use crate::Loaded;

/// What kind of thing a path leads to, links followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A named pipe.
    Fifo,
    /// A character or block device.
    Device,
    /// A socket, or something else that is not read.
    Other,
}

impl FileKind {
    /// What to call it in a sentence.
    pub fn noun(self) -> &'static str {
        match self {
            FileKind::File => "a regular file",
            FileKind::Folder => "a folder",
            FileKind::Fifo => "a named pipe",
            FileKind::Device => "a device",
            FileKind::Other => "not a regular file",
        }
    }
}

/// What is known of a path, links followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metadata {
    /// What it is.
    pub kind: FileKind,
    /// Bytes, of a regular file.
    pub size: u64,
    /// Permission bits (`0o644`), where the platform has them.
    pub mode: Option<u32>,
    /// The owner's user id, where the platform has one.
    pub owner: Option<u32>,
}

/// Why a file gives nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileFault {
    /// There is nothing at the path (or only a dangling link).
    #[error("does not exist")]
    Absent,
    /// It is not a regular file (or not a folder, where one was asked for).
    #[error("is {}", .0.noun())]
    WrongKind(FileKind),
    /// It is larger than allowed; it was not read.
    #[error("is larger than {limit} bytes")]
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// The operating system refuses.
    #[error("cannot be read: {0}")]
    Refused(String),
}

/// Where files come from: the disk, or a tree in memory. Paths are absolute. Links are followed except where said.
pub trait FileSource {
    /// What is at `path`.
    ///
    /// # Errors
    /// [`FileFault::Absent`] or [`FileFault::Refused`].
    fn metadata(&self, path: &Utf8Path) -> Result<Metadata, FileFault>;

    /// The bytes of the regular file at `path`, at most `limit` of them. Never waits for another process.
    ///
    /// # Errors
    /// Any [`FileFault`].
    fn read(&self, path: &Utf8Path, limit: u64) -> Result<Vec<u8>, FileFault>;

    /// The names in the folder at `path`, sorted; names that are not UTF-8 are left out.
    ///
    /// # Errors
    /// [`FileFault::Absent`], [`FileFault::WrongKind`] or [`FileFault::Refused`].
    fn list(&self, path: &Utf8Path) -> Result<Vec<String>, FileFault>;

    /// The target of the link at `path` as it is written; `None` if `path` is no link.
    fn link_target(&self, path: &Utf8Path) -> Option<Utf8PathBuf>;

    /// `path` with every link in it resolved; `None` where it leads nowhere.
    fn real_path(&self, path: &Utf8Path) -> Option<Utf8PathBuf>;
}

/// The files of a world. Each is asked for once and then remembered: every part of a run sees the same bytes. What is remembered goes by
/// the path's text, which is far cheaper to look up than its parts.
pub struct Files {
    source: Box<dyn FileSource>,
    memory: RefCell<Memory>,
}

struct Memory {
    metadata: HashMap<String, Result<Metadata, FileFault>>,
    contents: HashMap<String, Result<Rc<[u8]>, FileFault>>,
    listings: HashMap<String, Result<Rc<[String]>, FileFault>>,
    real_paths: HashMap<String, Option<Utf8PathBuf>>,
    parsed: HashMap<(String, Dialect), Loaded>,
}

impl Default for Memory {
    /// With room for what a usual answer asks for.
    fn default() -> Self {
        Memory {
            metadata: HashMap::with_capacity(192),
            contents: HashMap::with_capacity(48),
            listings: HashMap::new(),
            real_paths: HashMap::with_capacity(24),
            parsed: HashMap::new(),
        }
    }
}

impl Files {
    /// The largest file that is read for any harness, in bytes.
    pub const LIMIT: u64 = 64 * 1024 * 1024;

    /// Files from `source`.
    pub fn new(source: impl FileSource + 'static) -> Self {
        Files {
            source: Box::new(source),
            memory: RefCell::default(),
        }
    }

    /// What is at `path`, links followed.
    ///
    /// # Errors
    /// As [`FileSource::metadata`].
    pub fn metadata(&self, path: &Utf8Path) -> Result<Metadata, FileFault> {
        if let Some(known) = self.memory.borrow().metadata.get(path.as_str()) {
            return known.clone();
        }
        let found = self.source.metadata(path);
        self.memory
            .borrow_mut()
            .metadata
            .insert(path.to_string(), found.clone());
        found
    }

    /// The bytes of the regular file at `path`, at most [`Files::LIMIT`] or `limit`, whichever is smaller.
    ///
    /// # Errors
    /// Any [`FileFault`].
    pub fn read(&self, path: &Utf8Path, limit: u64) -> Result<Rc<[u8]>, FileFault> {
        let known = self.memory.borrow().contents.get(path.as_str()).cloned();
        let content = known.unwrap_or_else(|| {
            // Read up to Muster's own limit whatever the harness's is: a file that is too large for it still names what it costs.
            let found = self.source.read(path, Self::LIMIT).map(Rc::from);
            self.memory
                .borrow_mut()
                .contents
                .insert(path.to_string(), found.clone());
            found
        })?;
        if u64::try_from(content.len()).unwrap_or(u64::MAX) > limit {
            return Err(FileFault::TooLarge { limit });
        }
        Ok(content)
    }

    /// The names in the folder at `path`, sorted.
    ///
    /// # Errors
    /// As [`FileSource::list`].
    pub fn list(&self, path: &Utf8Path) -> Result<Rc<[String]>, FileFault> {
        if let Some(known) = self.memory.borrow().listings.get(path.as_str()) {
            return known.clone();
        }
        let found = self.source.list(path).map(Rc::from);
        self.memory
            .borrow_mut()
            .listings
            .insert(path.to_string(), found.clone());
        found
    }

    /// The target of the link at `path` as it is written; `None` if `path` is no link.
    pub fn link_target(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        self.source.link_target(path)
    }

    /// `path` with every link in it resolved; `None` where it leads nowhere.
    pub fn real_path(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        if let Some(known) = self.memory.borrow().real_paths.get(path.as_str()) {
            return known.clone();
        }
        let found = self.source.real_path(path);
        self.memory
            .borrow_mut()
            .real_paths
            .insert(path.to_string(), found.clone());
        found
    }

    /// What `parse` makes of the file at `path` in `dialect`. Several harnesses read the same files, and to start a server is to read
    /// them again.
    pub(crate) fn parsed(
        &self,
        path: &Utf8Path,
        dialect: Dialect,
        parse: impl FnOnce() -> Loaded,
    ) -> Loaded {
        let key = (path.to_string(), dialect);
        if let Some(known) = self.memory.borrow().parsed.get(&key) {
            return known.clone();
        }
        let parsed = parse();
        self.memory.borrow_mut().parsed.insert(key, parsed.clone());
        parsed
    }

    /// Whether something is at `path`, links followed.
    pub fn exists(&self, path: &Utf8Path) -> bool {
        self.metadata(path).is_ok()
    }

    /// Whether a regular file is at `path`, links followed.
    pub fn is_file(&self, path: &Utf8Path) -> bool {
        self.metadata(path)
            .is_ok_and(|found| found.kind == FileKind::File)
    }

    /// Whether a folder is at `path`, links followed.
    pub fn is_folder(&self, path: &Utf8Path) -> bool {
        self.metadata(path)
            .is_ok_and(|found| found.kind == FileKind::Folder)
    }
}

impl std::fmt::Debug for Files {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Files")
    }
}
