//! The disk, as far as the made-up home reaches.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{FileFault, FileSource, Metadata};
use muster_store::Disk;

/// Shows the files in one folder and nothing else: harnesses also look into the folders above, which are the user's.
pub(super) struct Fence {
    folder: Utf8PathBuf,
}

impl Fence {
    /// A fence around `folder`.
    pub(super) fn around(folder: &Utf8Path) -> Fence {
        Fence {
            folder: folder.to_owned(),
        }
    }

    fn holds(&self, path: &Utf8Path) -> Result<(), FileFault> {
        if path.starts_with(&self.folder) {
            Ok(())
        } else {
            Err(FileFault::Absent)
        }
    }
}

impl FileSource for Fence {
    fn metadata(&self, path: &Utf8Path) -> Result<Metadata, FileFault> {
        self.holds(path).and_then(|()| Disk.metadata(path))
    }

    fn read(&self, path: &Utf8Path, limit: u64) -> Result<Vec<u8>, FileFault> {
        self.holds(path).and_then(|()| Disk.read(path, limit))
    }

    fn list(&self, path: &Utf8Path) -> Result<Vec<String>, FileFault> {
        self.holds(path).and_then(|()| Disk.list(path))
    }

    fn link_target(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        self.holds(path).ok().and_then(|()| Disk.link_target(path))
    }

    fn real_path(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        self.holds(path).ok().and_then(|()| Disk.real_path(path))
    }
}
