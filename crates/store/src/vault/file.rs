//! Files that only their owner reads, replaced whole.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};

use camino::Utf8Path;
use muster_core::{FileFault, FileSource as _};
use muster_document::Secret;

use crate::Disk;

/// Nothing that is kept is longer.
const LIMIT: u64 = 1024 * 1024;

/// The text of the file at `path`; `None` if there is none.
pub(super) fn read(path: &Utf8Path) -> io::Result<Option<Secret>> {
    match Disk.read(path, LIMIT) {
        Ok(bytes) => {
            let text = String::from_utf8(bytes);
            let text = text.map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
            Ok(Some(Secret::new(text)))
        }
        Err(FileFault::Absent) => Ok(None),
        Err(fault) => Err(io::Error::other(fault.to_string())),
    }
}

/// Puts a file with `text` in the place of the one at `path`, all at once.
pub(super) fn write(path: &Utf8Path, text: &Secret) -> io::Result<()> {
    let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    // Nobody else may read it from the beginning on.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.expose().as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    // Without it the new name can be lost with the power. Where folders cannot be opened, the system sees to it.
    if let Ok(folder) = fs::File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Removes the file at `path`, if there is one.
pub(super) fn remove(path: &Utf8Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// How files of our own are opened.
pub(super) fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
