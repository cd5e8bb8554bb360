//! Paths as a platform writes them, on whatever machine Muster runs.
//!
//! On Windows a path has a drive and backslashes, and files of a harness name others by such paths. When the tree of a Windows machine is
//! looked at from elsewhere, or in memory, its drive `C:` is the system root. Documented, not observed: no real program was run there.

use camino::{Utf8Path, Utf8PathBuf};

use crate::{Platform, World, path};

impl World<'_> {
    /// The file that `text` names from `base`: a path as this platform writes it, absolute or not, by its text alone.
    pub fn at(&self, text: &str, base: &Utf8Path) -> Utf8PathBuf {
        if self.platform != Platform::Windows {
            return path::absolute(text, base);
        }
        let text = text.replace('\\', "/");
        match (without_drive(&text), &self.system_root) {
            (Some(inside), Some(root)) => path::absolute(inside, root),
            (Some(_), None) => path::normalize(Utf8Path::new(&text)),
            (None, _) if text.starts_with("//") => path::normalize(Utf8Path::new(&text)),
            (None, root) => match text.strip_prefix('/') {
                Some(inside) => path::absolute(inside, root.as_deref().unwrap_or(drive_of(base))),
                None => path::absolute(&text, base),
            },
        }
    }

    /// `path` as files of a harness write it on this platform; on Windows with the drive and, for comparing, with slashes.
    pub fn native(&self, path: &Utf8Path) -> String {
        if self.platform != Platform::Windows {
            return path.to_string();
        }
        let inside = self
            .system_root
            .as_deref()
            .and_then(|root| path.strip_prefix(root).ok());
        match inside {
            Some(inside) => format!("C:/{inside}").replace('\\', "/"),
            None => path.as_str().replace('\\', "/"),
        }
    }

    /// Whether `text`, a path that a file of a harness holds, is `path`. On Windows either slash and any case will do.
    pub fn is_native(&self, text: &str, path: &Utf8Path) -> bool {
        match self.platform {
            Platform::Windows => {
                let native = self.native(path);
                text.replace('\\', "/").to_lowercase() == native.to_lowercase()
            }
            _ => text == path.as_str(),
        }
    }

    /// `path` and the folders above it, up to the root of the platform's own file system.
    pub fn ancestors<'p>(&self, path: &'p Utf8Path) -> impl Iterator<Item = &'p Utf8Path> {
        let root = self
            .system_root
            .clone()
            .filter(|root| self.platform == Platform::Windows && path.starts_with(root));
        let inside =
            move |folder: &&Utf8Path| root.as_ref().is_none_or(|root| folder.starts_with(root));
        path.ancestors().take_while(inside)
    }

    /// Whether `path` is a root: `/`, or on Windows a drive's.
    pub fn is_root(&self, path: &Utf8Path) -> bool {
        let drive = self.platform == Platform::Windows
            && (self.system_root.as_deref() == Some(path)
                || without_drive(path.as_str()).is_some_and(str::is_empty));
        drive || path.parent().is_none_or(|above| above.as_str().is_empty())
    }
}

/// What follows the drive and its slash in `text`; `None` where it begins with no drive.
pub(crate) fn without_drive(text: &str) -> Option<&str> {
    let mut characters = text.chars();
    let letter = characters.next()?.is_ascii_alphabetic();
    let rest = characters.as_str().strip_prefix(':')?;
    let inside = rest.strip_prefix(['/', '\\']);
    (letter && (rest.is_empty() || inside.is_some())).then(|| inside.unwrap_or(rest))
}

/// The root of the drive that `path` is on.
fn drive_of(path: &Utf8Path) -> &Utf8Path {
    path.ancestors()
        .filter(|above| !above.as_str().is_empty())
        .last()
        .unwrap_or(path)
}
