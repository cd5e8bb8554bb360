//! The disk as a source of files.

use std::fs;
use std::io::{self, Read as _};

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{FileFault, FileKind, FileSource, Metadata};

use crate::open::open;

/// The most names that [`Disk`] lists of one folder. No harness's folder comes near; a folder beyond it is refused, not cut short,
/// because half a listing would give wrong answers.
pub const LIST_LIMIT: usize = 100_000;

/// How much is set aside for a file before it is read, at most: the size on record is the file system's claim.
const FIRST_ALLOCATION: u64 = 1024 * 1024;

/// The disk of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

impl FileSource for Disk {
    fn metadata(&self, path: &Utf8Path) -> Result<Metadata, FileFault> {
        fs::metadata(path)
            .map(|found| describe(&found))
            .map_err(|error| fault(&error))
    }

    fn read(&self, path: &Utf8Path, limit: u64) -> Result<Vec<u8>, FileFault> {
        let mut file = open(path).map_err(|error| open_fault(path, &error))?;
        let found = describe(&file.metadata().map_err(|error| fault(&error))?);
        if found.kind != FileKind::File {
            return Err(FileFault::WrongKind(found.kind));
        }
        if found.size > limit {
            return Err(FileFault::TooLarge { limit });
        }
        read_bounded(&mut file, found.size, limit)
    }

    fn list(&self, path: &Utf8Path) -> Result<Vec<String>, FileFault> {
        let found = self.metadata(path)?;
        if found.kind != FileKind::Folder {
            return Err(FileFault::WrongKind(found.kind));
        }
        list_bounded(path, LIST_LIMIT)
    }

    fn link_target(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        Utf8PathBuf::from_path_buf(fs::read_link(path).ok()?).ok()
    }

    fn real_path(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        path.canonicalize_utf8().ok()
    }
}

/// At most `limit` bytes of `file`. The size on record is a hint only: a file can grow while it is read, and files of `/proc` say 0.
fn read_bounded(file: &mut impl io::Read, size: u64, limit: u64) -> Result<Vec<u8>, FileFault> {
    let mut bytes =
        Vec::with_capacity(usize::try_from(size.min(FIRST_ALLOCATION)).unwrap_or_default());
    let read = file
        .take(limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|error| fault(&error))?;
    match u64::try_from(read) {
        Ok(read) if read <= limit => Ok(bytes),
        _ => Err(FileFault::TooLarge { limit }),
    }
}

/// The UTF-8 names in the folder at `path`, sorted; a folder of more than `limit` names, of any kind, is refused.
fn list_bounded(path: &Utf8Path, limit: usize) -> Result<Vec<String>, FileFault> {
    let mut names = Vec::new();
    for (seen, entry) in fs::read_dir(path)
        .map_err(|error| fault(&error))?
        .enumerate()
    {
        if seen >= limit {
            return Err(FileFault::Refused(format!(
                "it holds more than {limit} entries"
            )));
        }
        let entry = entry.map_err(|error| fault(&error))?;
        names.extend(entry.file_name().into_string().ok());
    }
    names.sort_unstable();
    Ok(names)
}

fn describe(found: &fs::Metadata) -> Metadata {
    let kind = kind(found.file_type());
    let size = if kind == FileKind::File {
        found.len()
    } else {
        0
    };
    let (mode, owner) = permissions(found);
    Metadata {
        kind,
        size,
        mode,
        owner,
    }
}

#[cfg(unix)]
fn kind(of: fs::FileType) -> FileKind {
    use std::os::unix::fs::FileTypeExt as _;

    if of.is_file() {
        FileKind::File
    } else if of.is_dir() {
        FileKind::Folder
    } else if of.is_fifo() {
        FileKind::Fifo
    } else if of.is_char_device() || of.is_block_device() {
        FileKind::Device
    } else {
        FileKind::Other
    }
}

#[cfg(not(unix))]
fn kind(of: fs::FileType) -> FileKind {
    if of.is_file() {
        FileKind::File
    } else if of.is_dir() {
        FileKind::Folder
    } else {
        FileKind::Other
    }
}

/// Permission bits and the owner's user id.
#[cfg(unix)]
fn permissions(of: &fs::Metadata) -> (Option<u32>, Option<u32>) {
    use std::os::unix::fs::MetadataExt as _;

    (Some(of.mode() & 0o7777), Some(of.uid()))
}

#[cfg(not(unix))]
fn permissions(_of: &fs::Metadata) -> (Option<u32>, Option<u32>) {
    (None, None)
}

/// Why `path` could not be opened. What cannot be opened at all, such as a socket, is told by its kind.
fn open_fault(path: &Utf8Path, error: &io::Error) -> FileFault {
    match fault(error) {
        // Most files are looked for in many places where they are not.
        FileFault::Absent => FileFault::Absent,
        fault => match fs::metadata(path).map(|found| kind(found.file_type())) {
            Ok(kind) if kind != FileKind::File => FileFault::WrongKind(kind),
            _ => fault,
        },
    }
}

fn fault(error: &io::Error) -> FileFault {
    match error.kind() {
        // A path "below" a regular file does not exist either.
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => FileFault::Absent,
        kind => FileFault::Refused(kind.to_string()),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
