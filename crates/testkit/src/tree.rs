//! A file tree in memory.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::rc::Rc;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{FileFault, FileKind, FileSource, Metadata};

use crate::fixture;

/// How many links are followed before a path counts as a loop, as on Linux.
const LINK_LIMIT: usize = 40;

/// A file tree in memory that keeps account of what it was asked. Clones share one tree, so that a test can keep one while a
/// [`Files`](muster_core::Files) owns the other.
#[derive(Clone, Default)]
pub struct Tree {
    items: Rc<RefCell<BTreeMap<Utf8PathBuf, Item>>>,
    log: Rc<RefCell<Log>>,
}

/// What lies at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) body: Body,
    pub(crate) mode: u32,
    pub(crate) owner: u32,
    /// The operating system refuses to read or list it.
    pub(crate) refused: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Body {
    File(Rc<[u8]>),
    Folder,
    Link(Utf8PathBuf),
    Special(FileKind),
}

impl Item {
    pub(crate) fn new(body: Body) -> Self {
        let mode = match &body {
            Body::Folder => 0o755,
            Body::Link(_) => 0o777,
            Body::File(_) | Body::Special(_) => 0o644,
        };
        Item {
            body,
            mode,
            owner: Tree::OWNER,
            refused: false,
        }
    }

    fn metadata(&self) -> Metadata {
        let (kind, size) = match &self.body {
            Body::File(bytes) => (
                FileKind::File,
                u64::try_from(bytes.len()).unwrap_or(u64::MAX),
            ),
            Body::Folder => (FileKind::Folder, 0),
            Body::Special(kind) => (*kind, 0),
            Body::Link(_) => (FileKind::Other, 0),
        };
        Metadata {
            kind,
            size,
            mode: Some(self.mode),
            owner: Some(self.owner),
        }
    }
}

#[derive(Debug, Default)]
struct Log {
    reads: HashMap<Utf8PathBuf, usize>,
    asked: BTreeSet<Utf8PathBuf>,
    listed: BTreeSet<Utf8PathBuf>,
}

impl Tree {
    /// The user id that owns everything unless a fixture says otherwise.
    pub const OWNER: u32 = 1000;

    /// A tree that holds nothing.
    pub fn empty() -> Self {
        Tree::default()
    }

    /// A tree from a fixture text: a line `//- PATH` opens a file, the lines up to the next such line are its content.
    ///
    /// | line | lays down |
    /// |---|---|
    /// | `//- /a/b.json` | a file |
    /// | `//- /a/b/` | a folder |
    /// | `//- /a/b -> ../c` | a link, its target as written |
    /// | `//- /a/b fifo` (or `device`, `socket`) | something that is not read |
    /// | `//- /a/b.json refused mode=0600 owner=0` | with these traits, in any number |
    ///
    /// Folders above are laid down with it. Indentation that all lines share is taken off.
    ///
    /// # Panics
    /// If the text is no fixture.
    pub fn fixture(text: &str) -> Self {
        let tree = Tree::empty();
        tree.lay(text);
        tree
    }

    /// Lays a fixture text down besides what is there.
    ///
    /// # Panics
    /// If the text is no fixture.
    pub fn lay(&self, text: &str) {
        for (path, item) in fixture::parse(text) {
            self.put(&path, item);
        }
    }

    /// Gives what is at `path` the permission bits `mode`.
    pub fn chmod(&self, path: impl AsRef<Utf8Path>, mode: u32) {
        if let Some(item) = self.items.borrow_mut().get_mut(path.as_ref()) {
            item.mode = mode;
        }
    }

    /// Lays down or replaces a file.
    pub fn file(&self, path: impl AsRef<Utf8Path>, content: impl AsRef<[u8]>) {
        self.put(
            path.as_ref(),
            Item::new(Body::File(content.as_ref().into())),
        );
    }

    /// Lays down a folder.
    pub fn folder(&self, path: impl AsRef<Utf8Path>) {
        self.put(path.as_ref(), Item::new(Body::Folder));
    }

    /// Lays down a link with its target as written.
    pub fn link(&self, path: impl AsRef<Utf8Path>, target: impl AsRef<Utf8Path>) {
        self.put(
            path.as_ref(),
            Item::new(Body::Link(target.as_ref().to_owned())),
        );
    }

    /// Takes `path` away, with everything below it.
    pub fn remove(&self, path: impl AsRef<Utf8Path>) {
        self.items
            .borrow_mut()
            .retain(|at, _| !at.starts_with(path.as_ref()));
    }

    /// Every regular file, in order of paths.
    pub fn files(&self) -> Vec<Utf8PathBuf> {
        let items = self.items.borrow();
        items
            .iter()
            .filter(|(_, item)| matches!(item.body, Body::File(_)))
            .map(|(path, _)| path.clone())
            .collect()
    }

    /// The content of the regular file that lies at exactly `path`. Not counted as a read.
    pub fn content(&self, path: impl AsRef<Utf8Path>) -> Option<Vec<u8>> {
        match &self.items.borrow().get(path.as_ref())?.body {
            Body::File(bytes) => Some(bytes.to_vec()),
            _ => None,
        }
    }

    /// A tree of its own with the same content and an empty account.
    pub fn copy(&self) -> Self {
        Tree {
            items: Rc::new(RefCell::new(self.items.borrow().clone())),
            log: Rc::default(),
        }
    }

    /// How often the content of `path`, spelled so, was read.
    pub fn reads(&self, path: impl AsRef<Utf8Path>) -> usize {
        self.log
            .borrow()
            .reads
            .get(path.as_ref())
            .copied()
            .unwrap_or_default()
    }

    /// Every path whose content was read more than once.
    pub fn read_twice(&self) -> Vec<Utf8PathBuf> {
        let log = self.log.borrow();
        let mut paths: Vec<_> = log
            .reads
            .iter()
            .filter(|(_, times)| **times > 1)
            .map(|(path, _)| path.clone())
            .collect();
        paths.sort_unstable();
        paths
    }

    /// Every path that was asked about, whether or not anything lies there.
    pub fn asked(&self) -> Vec<Utf8PathBuf> {
        self.log.borrow().asked.iter().cloned().collect()
    }

    /// Whether anything was ever asked that depends on what lies at `path`: the path itself, however spelled, something below it, or
    /// a listing of its folder.
    pub fn was_asked(&self, path: impl AsRef<Utf8Path>) -> bool {
        let path = path.as_ref();
        let log = self.log.borrow();
        log.asked.contains(path)
            || path
                .parent()
                .is_some_and(|parent| log.listed.contains(parent))
    }

    pub(crate) fn put(&self, path: &Utf8Path, item: Item) {
        if !path.as_str().starts_with('/') {
            panic!("`{path}` is not absolute");
        }
        let mut items = self.items.borrow_mut();
        for folder in path.ancestors().skip(1) {
            items
                .entry(folder.to_owned())
                .or_insert_with(|| Item::new(Body::Folder));
        }
        items.insert(path.to_owned(), item);
    }

    /// What `path` leads to, links followed: its real path and what lies there.
    fn resolve(&self, path: &Utf8Path) -> Result<(Utf8PathBuf, Item), FileFault> {
        self.log.borrow_mut().asked.insert(path.to_owned());
        self.walk(path)
    }

    fn walk(&self, path: &Utf8Path) -> Result<(Utf8PathBuf, Item), FileFault> {
        let items = self.items.borrow();
        let mut real = Utf8PathBuf::from("/");
        let mut item = Item::new(Body::Folder);
        // The names still to go, the next one last.
        let mut names = names_of(path);
        let mut links = 0;
        while let Some(name) = names.pop() {
            if item.body != Body::Folder {
                return Err(FileFault::Absent);
            }
            if item.refused {
                return Err(refusal());
            }
            let next = match name.as_str() {
                ".." => real.parent().unwrap_or(Utf8Path::new("/")).to_owned(),
                name => real.join(name),
            };
            self.log.borrow_mut().asked.insert(next.clone());
            item = match items.get(&next) {
                Some(found) => found.clone(),
                None if next == "/" => Item::new(Body::Folder),
                None => return Err(FileFault::Absent),
            };
            if let Body::Link(target) = &item.body {
                links += 1;
                if links > LINK_LIMIT {
                    return Err(FileFault::Refused(
                        "too many levels of symbolic links".to_owned(),
                    ));
                }
                if target.as_str().starts_with('/') {
                    real = Utf8PathBuf::from("/");
                }
                names.extend(names_of(target));
                item = Item::new(Body::Folder);
            } else {
                real = next;
            }
        }
        Ok((real, item))
    }
}

impl fmt::Debug for Tree {
    /// The tree as a fixture text, to be pasted into a test. Bytes that are not text are replaced.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\n")?;
        for (path, item) in &*self.items.borrow() {
            match &item.body {
                Body::Folder => writeln!(f, "//- {path}/")?,
                Body::Link(target) => writeln!(f, "//- {path} -> {target}")?,
                Body::Special(kind) => writeln!(f, "//- {path} ({})", kind.noun())?,
                Body::File(bytes) => writeln!(f, "//- {path}\n{}", String::from_utf8_lossy(bytes))?,
            }
        }
        Ok(())
    }
}

/// The names of `path`, the first one last. `.` and doubled separators are no names.
fn names_of(path: &Utf8Path) -> Vec<String> {
    path.as_str()
        .rsplit('/')
        .filter(|name| !name.is_empty() && *name != ".")
        .map(str::to_owned)
        .collect()
}

fn refusal() -> FileFault {
    FileFault::Refused("permission denied".to_owned())
}

impl FileSource for Tree {
    fn metadata(&self, path: &Utf8Path) -> Result<Metadata, FileFault> {
        self.resolve(path).map(|(_, item)| item.metadata())
    }

    fn read(&self, path: &Utf8Path, limit: u64) -> Result<Vec<u8>, FileFault> {
        *self
            .log
            .borrow_mut()
            .reads
            .entry(path.to_owned())
            .or_default() += 1;
        let (_, item) = self.resolve(path)?;
        let found = item.metadata();
        match item.body {
            _ if item.refused => Err(refusal()),
            Body::File(_) if found.size > limit => Err(FileFault::TooLarge { limit }),
            Body::File(bytes) => Ok(bytes.to_vec()),
            _ => Err(FileFault::WrongKind(found.kind)),
        }
    }

    fn list(&self, path: &Utf8Path) -> Result<Vec<String>, FileFault> {
        let (real, item) = self.resolve(path)?;
        if item.body != Body::Folder {
            return Err(FileFault::WrongKind(item.metadata().kind));
        }
        if item.refused {
            return Err(refusal());
        }
        let items = self.items.borrow();
        let inside = items.keys().filter(|at| at.parent() == Some(&*real));
        let names = inside
            .filter_map(|at| at.file_name().map(str::to_owned))
            .collect();
        self.log.borrow_mut().listed.insert(real);
        Ok(names)
    }

    fn link_target(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        let (folder, name) = (path.parent()?, path.file_name()?);
        let real = self.walk(folder).ok()?.0.join(name);
        self.log
            .borrow_mut()
            .asked
            .extend([path.to_owned(), real.clone()]);
        match &self.items.borrow().get(&real)?.body {
            Body::Link(target) => Some(target.clone()),
            _ => None,
        }
    }

    fn real_path(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        self.resolve(path).ok().map(|(real, _)| real)
    }
}

#[cfg(test)]
mod tests;
