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

/// `path` as a person would write it in the session folder `cwd`, called `folder`: from there where it lies in it, else as
/// [`tilde`] has it. In the home itself nothing is relative: its files are known by their `~`.
pub fn shown(
    path: &Utf8Path,
    folder: &Utf8Path,
    cwd: &Utf8Path,
    home: Option<&Utf8Path>,
) -> String {
    let below = [folder, cwd]
        .into_iter()
        .find_map(|folder| path.strip_prefix(folder).ok());
    match below {
        Some(inside) if !inside.as_str().is_empty() && Some(cwd) != home => inside.to_string(),
        _ => tilde(path, home),
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
    fn a_path_is_shown_from_the_session_folder_then_from_home() {
        let (home, cwd) = (Utf8Path::new("/h/me"), Utf8Path::new("/h/me/w"));
        let seen = |path: &str, cwd: &Utf8Path| {
            shown(Utf8Path::new(path), Utf8Path::new("/link"), cwd, Some(home))
        };
        assert_eq!(seen("/h/me/w/.mcp.json", cwd), ".mcp.json");
        assert_eq!(seen("/link/.mcp.json", cwd), ".mcp.json");
        assert_eq!(seen("/h/me/w", cwd), "~/w");
        assert_eq!(seen("/h/me/.x", cwd), "~/.x");
        assert_eq!(seen("/etc/x", cwd), "/etc/x");
        assert_eq!(seen("/h/me/.x", home), "~/.x");
    }

    #[test]
    fn a_folder_that_only_starts_like_home_is_not_home() {
        let home = Some(Utf8Path::new("/h/me"));
        assert_eq!(tilde(Utf8Path::new("/h/me/.x"), home), "~/.x");
        assert_eq!(tilde(Utf8Path::new("/h/me"), home), "~");
        assert_eq!(tilde(Utf8Path::new("/h/meta"), home), "/h/meta");
    }
}
