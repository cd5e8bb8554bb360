//! Secrets that are kept between runs: in the system's keyring where there is one, else in files that only their owner reads.
//!
//! A file counts before the keyring: it is there only where the keyring could not be used when something was kept last.

mod file;
#[cfg(any(target_os = "macos", windows, feature = "secret-service"))]
mod keyring;
#[cfg(not(any(target_os = "macos", windows, feature = "secret-service")))]
#[path = "no_keyring.rs"]
mod keyring;

use std::fs::{DirBuilder, File, TryLockError};
use std::io;
use std::thread;
use std::time::{Duration, Instant};

use camino::Utf8PathBuf;
use muster_document::Secret;

/// How long is waited before a lock is tried once more.
const PAUSE: Duration = Duration::from_millis(20);

/// Secrets by name, in one folder and in the keyring. All calls may block.
#[derive(Debug, Clone)]
pub struct Vault {
    folder: Utf8PathBuf,
    keyring: bool,
}

/// Holds a name against other processes, and this one's other threads, until it is dropped.
#[derive(Debug)]
pub struct VaultLock {
    _file: File,
}

impl Vault {
    /// The vault in `folder`, which comes about when something is kept. Without `keyring` the system's is left alone: it knows one user,
    /// not other homes.
    pub fn new(folder: Utf8PathBuf, keyring: bool) -> Vault {
        Vault { folder, keyring }
    }

    /// What is kept under `name`.
    ///
    /// # Errors
    /// Where there may be something that cannot be read.
    pub fn load(&self, name: &str) -> io::Result<Option<Secret>> {
        let path = self.path(name, "json")?;
        match file::read(&path)? {
            Some(text) => Ok(Some(text)),
            None if self.keyring => Ok(keyring::load(name)),
            None => Ok(None),
        }
    }

    /// Keeps `text` under `name`. It is kept when this returns.
    ///
    /// # Errors
    /// Where it is not kept; then what was kept before still is.
    pub fn save(&self, name: &str, text: &Secret) -> io::Result<()> {
        let path = self.path(name, "json")?;
        if self.keyring && keyring::save(name, text) {
            return file::remove(&path);
        }
        self.make_folder()?;
        file::write(&path, text)
    }

    /// Forgets what is kept under `name`.
    ///
    /// # Errors
    /// Where it is still there.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        if self.keyring {
            keyring::remove(name);
        }
        file::remove(&self.path(name, "json")?)
    }

    /// Holds `name`; `None` if somebody else still holds it after `patience`.
    ///
    /// # Errors
    /// Where locks cannot be had.
    pub fn lock(&self, name: &str, patience: Duration) -> io::Result<Option<VaultLock>> {
        let path = self.path(name, "lock")?;
        self.make_folder()?;
        let file = file::options().create(true).truncate(false).open(path)?;
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(VaultLock { _file: file })),
                Err(TryLockError::WouldBlock) if begun.elapsed() >= patience => return Ok(None),
                Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }

    fn make_folder(&self) -> io::Result<()> {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&self.folder)
    }

    /// The file of `name`, which must be fit to be a part of a path.
    fn path(&self, name: &str, extension: &str) -> io::Result<Utf8PathBuf> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
        if name.is_empty() || name.starts_with('.') || name.len() > 200 || !name.bytes().all(plain)
        {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        Ok(self.folder.join(format!("{name}.{extension}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vault() -> (tempfile::TempDir, Vault) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().join("a/b")).unwrap();
        (folder, Vault::new(path, false))
    }

    #[test]
    fn what_is_kept_comes_back_until_it_is_removed() {
        let (_folder, vault) = vault();
        assert_eq!(vault.load("name").unwrap(), None);
        vault.remove("name").unwrap();
        for text in ["first", "", "third, which is longer"] {
            vault.save("name", &Secret::new(text)).unwrap();
            assert_eq!(vault.load("name").unwrap(), Some(Secret::new(text)));
        }
        assert_eq!(vault.load("other").unwrap(), None);
        vault.remove("name").unwrap();
        assert_eq!(vault.load("name").unwrap(), None);
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_reads_it() {
        use std::os::unix::fs::PermissionsExt;
        let (_folder, vault) = vault();
        vault.save("name", &Secret::new("text")).unwrap();
        let lock = vault.lock("name", Duration::ZERO).unwrap();
        assert!(lock.is_some());
        let mode = |path: &camino::Utf8Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&vault.folder), 0o700);
        assert_eq!(mode(&vault.folder.join("name.json")), 0o600);
        assert_eq!(mode(&vault.folder.join("name.lock")), 0o600);
        // Written anew over a file that others could read.
        let path = vault.folder.join("open.json");
        std::fs::write(&path, "old").unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
        vault.save("open", &Secret::new("text")).unwrap();
        assert_eq!(mode(&path), 0o600);
        let left: Vec<_> = vault.folder.read_dir_utf8().unwrap().collect();
        assert_eq!(left.len(), 3, "nothing else is left behind");
    }

    #[test]
    fn a_name_leads_nowhere_else() {
        let (_folder, vault) = vault();
        for name in [
            "", ".", "..", "../x", "a/b", "a\\b", ".hidden", "a b", "a\0", "ä",
        ] {
            let kinds = [
                vault.load(name).unwrap_err().kind(),
                vault.save(name, &Secret::new("x")).unwrap_err().kind(),
                vault.remove(name).unwrap_err().kind(),
                vault.lock(name, Duration::ZERO).unwrap_err().kind(),
            ];
            assert_eq!(kinds, [io::ErrorKind::InvalidInput; 4], "{name:?}");
        }
    }

    #[test]
    fn one_at_a_time_holds_a_name() {
        let (_folder, vault) = vault();
        let held = vault.lock("name", Duration::ZERO).unwrap();
        assert!(held.is_some());
        assert!(
            vault
                .lock("name", Duration::from_millis(30))
                .unwrap()
                .is_none()
        );
        assert!(vault.lock("other", Duration::ZERO).unwrap().is_some());
        let waiting = thread::spawn(move || vault.lock("name", Duration::from_secs(20)).unwrap());
        drop(held);
        assert!(waiting.join().unwrap().is_some());
    }

    #[test]
    fn what_is_no_file_is_an_error_and_no_wait() {
        let (_folder, vault) = vault();
        vault.make_folder().unwrap();
        std::fs::create_dir(vault.folder.join("name.json")).unwrap();
        assert!(vault.load("name").is_err());
        std::fs::write(vault.folder.join("long.json"), vec![b'x'; 2 * 1024 * 1024]).unwrap();
        assert!(vault.load("long").is_err());
        std::fs::write(vault.folder.join("odd.json"), [0xff, 0xfe]).unwrap();
        assert!(vault.load("odd").is_err());
    }
}
