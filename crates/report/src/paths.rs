//! Paths and places as a person would write them here.

use std::borrow::Cow;

use camino::Utf8Path;
use muster_document::{Masking, Place, Secret, Shown};

use crate::Survey;

/// `path`, with what masking hides in an odd one: an address, or `…?token=…`.
pub(crate) fn without_secrets(path: &str) -> Cow<'_, str> {
    let is_odd = |byte| matches!(byte, b'?' | b'=' | b'"' | b'@');
    if !path.bytes().any(is_odd) {
        return Cow::Borrowed(path);
    }
    let masking = Masking::path(&Secret::new(path));
    if masking.hidden.is_empty() {
        Cow::Borrowed(path)
    } else {
        Cow::Owned(masking.text.to_string())
    }
}

fn shown(path: &str) -> String {
    Shown(&without_secrets(path)).to_string()
}

impl Survey<'_> {
    /// `path` from the session folder where it lies in it, from `~` where it lies in the home, else absolute.
    pub(crate) fn path(&self, path: &Utf8Path) -> String {
        shown(&muster_core::shown(path, self.folder, self.cwd, self.home))
    }

    /// `place` as `file:line:column`.
    pub(crate) fn place(&self, place: &Place) -> String {
        format!(
            "{}:{}:{}",
            self.path(&place.path),
            place.position.line,
            place.position.column
        )
    }

    /// The session folder.
    pub(crate) fn here(&self) -> String {
        Shown(&muster_core::tilde(self.folder, self.home)).to_string()
    }
}
