//! The account a harness keeps of the files it looked at.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use muster_document::{Dialect, Document, Place, SyntaxError};

use crate::{FileFault, Files, Note, Rule, Scope, World};

/// What became of a file that was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileState {
    /// Read and understood.
    Read,
    /// Not there.
    Absent,
    /// There, but the harness does not look into it.
    Skipped,
    /// There, but it could not be read: not a regular file, too large, or refused by the operating system.
    Unreadable,
    /// Read, but the harness cannot use it.
    Broken,
}

impl FileState {
    /// The word in JSON and on screen.
    pub fn word(self) -> &'static str {
        match self {
            FileState::Read => "read",
            FileState::Absent => "absent",
            FileState::Skipped | FileState::Unreadable => "skipped",
            FileState::Broken => "broken",
        }
    }
}

/// A file that was looked at.
#[derive(Debug, Clone)]
pub struct FileReport {
    /// Its path, absolute.
    pub path: Utf8PathBuf,
    /// Whose it is.
    pub scope: Scope,
    /// What became of it.
    pub state: FileState,
    /// Why it was skipped or is broken; or what is special about it.
    pub note: Option<String>,
    /// Where it is broken.
    pub place: Option<Place>,
}

/// A text that places refer to.
#[derive(Debug)]
pub enum Source {
    /// A file that parsed.
    Parsed(Document),
    /// A file that did not.
    Broken(SyntaxError),
}

impl Source {
    /// The document, if the file parsed.
    pub fn document(&self) -> Option<&Document> {
        match self {
            Source::Parsed(document) => Some(document),
            Source::Broken(_) => None,
        }
    }

    /// The file's path.
    pub fn path(&self) -> &Arc<Utf8Path> {
        match self {
            Source::Parsed(document) => document.path(),
            Source::Broken(error) => &error.place.path,
        }
    }
}

/// What a file gave.
#[derive(Debug, Clone)]
pub enum Loaded {
    /// It is not there.
    Absent,
    /// It is there but holds nothing: no bytes, only white space, or only a byte order mark.
    Empty,
    /// It parsed.
    Document(Rc<Source>),
    /// It did not parse.
    Broken(Rc<Source>),
    /// It was not read.
    Skipped(FileFault),
}

impl Loaded {
    /// The document, if the file parsed.
    pub fn document(&self) -> Option<&Document> {
        match self {
            Loaded::Document(source) => source.document(),
            _ => None,
        }
    }

    /// The parser's complaint, if it did not.
    pub fn error(&self) -> Option<&SyntaxError> {
        match self {
            Loaded::Broken(source) => match &**source {
                Source::Broken(error) => Some(error),
                Source::Parsed(_) => None,
            },
            _ => None,
        }
    }
}

impl Loaded {
    /// The parser's complaint with what can still be made of the file, to name the servers that it costs.
    pub fn salvage(&self, dialect: Dialect) -> Option<Document> {
        Document::salvage(self.error()?, dialect)
    }
}

/// Reads a world's files for one harness and keeps account of each, once.
#[derive(Debug)]
pub struct Dossier<'w> {
    /// The world whose files are read.
    pub world: &'w World<'w>,
    /// Every file looked at, in the order of the first look.
    pub files: Vec<FileReport>,
    /// What is about no single server.
    pub notes: Vec<Note>,
    /// The texts that places refer to.
    pub sources: Vec<Rc<Source>>,
    /// By the path's text, as [`Files`] remembers it.
    loaded: HashMap<String, Loaded>,
}

impl<'w> Dossier<'w> {
    /// An empty account of `world`.
    pub fn new(world: &'w World<'w>) -> Self {
        Dossier {
            world,
            files: Vec::new(),
            notes: Vec::new(),
            sources: Vec::new(),
            loaded: HashMap::new(),
        }
    }

    /// Reads and parses the file at `path` and enters it into the account; a second call for the same path gives the same.
    pub fn load(&mut self, path: &Utf8Path, scope: Scope, dialect: Dialect, limit: u64) -> Loaded {
        if let Some(known) = self.loaded.get(path.as_str()) {
            return known.clone();
        }
        let loaded = self.read(path, dialect, limit);
        let (state, note, place) = match &loaded {
            Loaded::Absent => (FileState::Absent, None, None),
            Loaded::Empty => (FileState::Read, Some("the file is empty".to_owned()), None),
            Loaded::Document(_) => (FileState::Read, None, None),
            Loaded::Skipped(fault) => (FileState::Unreadable, Some(fault.to_string()), None),
            Loaded::Broken(_) => {
                let error = loaded.error();
                (
                    FileState::Broken,
                    error.map(ToString::to_string),
                    error.map(|error| error.place.clone()),
                )
            }
        };
        self.files.push(FileReport {
            path: path.to_owned(),
            scope,
            state,
            note,
            place,
        });
        if let Loaded::Document(source) | Loaded::Broken(source) = &loaded {
            self.sources.push(Rc::clone(source));
        }
        self.loaded.insert(path.to_string(), loaded.clone());
        loaded
    }

    /// Parses a file that the harness does not read itself, to say what somebody may have expected of it. The account does not
    /// change; places in the file can be shown.
    pub fn examine(&mut self, path: &Utf8Path, dialect: Dialect) -> Option<Rc<Source>> {
        if let Some(Loaded::Document(source)) = self.loaded.get(path.as_str()) {
            return Some(Rc::clone(source));
        }
        let Loaded::Document(source) = self.read(path, dialect, Files::LIMIT) else {
            return None;
        };
        self.sources.push(Rc::clone(&source));
        Some(source)
    }

    fn read(&self, path: &Utf8Path, dialect: Dialect, limit: u64) -> Loaded {
        let bytes = match self.world.files.read(path, limit) {
            Ok(bytes) => bytes,
            Err(FileFault::Absent) => return Loaded::Absent,
            Err(fault) => return Loaded::Skipped(fault),
        };
        let parse = || parse(path, &bytes, dialect);
        self.world.files.parsed(path, dialect, parse)
    }

    /// Changes what the account says of the file at `path`: for files that parse but that the harness cannot use.
    pub fn mark(
        &mut self,
        path: &Utf8Path,
        state: FileState,
        note: impl Into<String>,
        place: Option<Place>,
    ) {
        if let Some(report) = self
            .files
            .iter_mut()
            .find(|report| report.path.as_str() == path.as_str())
        {
            report.state = state;
            report.note = Some(note.into());
            report.place = place;
        }
    }

    /// Enters a file that was looked at in another way than by [`Dossier::load`]; a file that is known already stays as it is.
    pub fn look_at(&mut self, path: &Utf8Path, scope: Scope, note: Option<String>) {
        if !self
            .files
            .iter()
            .any(|report| report.path.as_str() == path.as_str())
        {
            self.files.push(FileReport {
                path: path.to_owned(),
                scope,
                state: FileState::Skipped,
                note,
                place: None,
            });
        }
    }

    /// Enters a note.
    pub fn note(&mut self, rule: &'static Rule, text: impl Into<String>, place: Option<Place>) {
        self.notes.push(Note {
            rule,
            text: text.into(),
            place,
        });
    }
}

/// What `bytes`, the content of the file at `path`, say in `dialect`.
fn parse(path: &Utf8Path, bytes: &[u8], dialect: Dialect) -> Loaded {
    let blank = bytes
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(bytes)
        .iter()
        .all(u8::is_ascii_whitespace);
    if blank {
        return Loaded::Empty;
    }
    match Document::parse(Arc::from(path), bytes, dialect) {
        Ok(document) => Loaded::Document(Rc::new(Source::Parsed(document))),
        Err(error) => Loaded::Broken(Rc::new(Source::Broken(error))),
    }
}
