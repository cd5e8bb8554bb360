//! Opening a path so that it never waits, whatever lies there.

use std::fs::File;
use std::io;

use camino::Utf8Path;

/// Opens `path` for reading without waiting for a writer at a named pipe and without becoming anything's controlling terminal.
#[cfg(unix)]
pub(crate) fn open(path: &Utf8Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};

    // On a regular file O_NONBLOCK changes nothing; at a pipe or a device it makes `open` return at once.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let descriptor = rustix::fs::open(path.as_std_path(), flags, Mode::empty())?;
    Ok(File::from(descriptor))
}

/// Opens `path` for reading.
#[cfg(not(unix))]
pub(crate) fn open(path: &Utf8Path) -> io::Result<File> {
    // A pipe of Windows stands at no path of the file system, so nothing here can make `open` wait. A folder is told apart first
    // because opening one fails there with "access denied", which would be the wrong reason.
    if std::fs::metadata(path)?.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    File::open(path)
}
