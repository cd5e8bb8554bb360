//! Paths by their text alone.

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

/// `path` without `.`, `..` and doubled separators, by its text alone; links are not looked at.
pub fn normalize(path: &Utf8Path) -> Utf8PathBuf {
    let mut clean = Utf8PathBuf::new();
    for component in path.components() {
        match component {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

/// `path` made absolute from `base` and normalised.
pub fn absolute(path: &str, base: &Utf8Path) -> Utf8PathBuf {
    normalize(&base.join(path))
}

/// `path` as a person would write it: `~` and `~/…` for `home` and below.
pub fn tilde(path: &Utf8Path, home: Option<&Utf8Path>) -> String {
    match home.and_then(|home| path.strip_prefix(home).ok()) {
        Some(rest) if rest.as_str().is_empty() => "~".to_owned(),
        Some(rest) => format!("~/{rest}"),
        None => path.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalises_by_text() {
        assert_eq!(absolute("./a//b/../c/", Utf8Path::new("/w")), "/w/a/c");
        assert_eq!(absolute("/x/../../y", Utf8Path::new("/w")), "/y");
    }

    #[test]
    fn a_folder_that_only_starts_like_home_is_not_home() {
        let home = Some(Utf8Path::new("/h/me"));
        assert_eq!(tilde(Utf8Path::new("/h/me/.x"), home), "~/.x");
        assert_eq!(tilde(Utf8Path::new("/h/me"), home), "~");
        assert_eq!(tilde(Utf8Path::new("/h/meta"), home), "/h/meta");
    }
}
