//! Where Cursor looks: the project root, the user's file, the folder of what was approved and switched off.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{GitRoot, World, absolute};

use super::session::{CommandLine, Surface};

/// The longest name of a project's data folder that all sources agree on, in characters.
const SURE_SLUG: usize = 92;

/// The files and folders that count.
#[derive(Debug)]
pub(super) struct Ground {
    /// The project root.
    pub(super) root: Utf8PathBuf,
    /// `~/.cursor/mcp.json`; `None` without a home.
    pub(super) user_file: Option<Utf8PathBuf>,
    /// `.cursor/mcp.json` of the project root.
    pub(super) project_file: Utf8PathBuf,
    /// `.cursor/mcp.json` of the session folder and of folders above it that are not the project root, the nearest first.
    pub(super) nested_files: Vec<Utf8PathBuf>,
    /// The folder of what was approved and switched off for this project root.
    pub(super) store: Option<Store>,
}

/// A project's folder in Cursor's data folder.
#[derive(Debug)]
pub(super) struct Store {
    /// The folder.
    pub(super) folder: Utf8PathBuf,
    /// Its name is too long to be sure of, and others are there.
    pub(super) hidden: bool,
}

impl Ground {
    /// Finds the ground of `world`.
    pub(super) fn survey(world: &World<'_>, line: &CommandLine) -> Ground {
        let cwd = world.cwd.as_path();
        // What names the workspace sets the root; the editor opens a folder as it is.
        let fixed = line.workspace.is_some() || line.surface == Surface::Editor;
        let git = (!fixed).then(|| GitRoot::find(world.files, cwd)).flatten();
        let root = git.map_or_else(|| cwd.to_owned(), |git| git.folder);
        let user_file = world.home.as_ref().map(|home| file_in(home));
        let nested = cwd.ancestors().filter(|folder| *folder != root);
        let nested_files = nested
            .map(file_in)
            .filter(|file| Some(file) != user_file.as_ref() && world.files.is_file(file))
            .collect();
        Ground {
            project_file: file_in(&root),
            store: store(world, line, &root),
            root,
            user_file,
            nested_files,
        }
    }

    /// Whether the user's file is the project's too: a session in the home itself.
    pub(super) fn home_is_project(&self) -> bool {
        self.user_file.as_ref() == Some(&self.project_file)
    }
}

/// The file that a folder's servers stand in.
pub(super) fn file_in(folder: &Utf8Path) -> Utf8PathBuf {
    folder.join(".cursor").join("mcp.json")
}

/// Cursor's data folder: `--data-dir`, `CURSOR_DATA_DIR` or `~/.cursor`.
pub(super) fn data_folder(world: &World<'_>, line: &CommandLine) -> Option<Utf8PathBuf> {
    let named = line.data_dir.as_deref();
    let named = named.or_else(|| world.env.filled("CURSOR_DATA_DIR"));
    match named {
        Some(folder) => Some(absolute(folder, &world.start)),
        None => Some(world.home.as_ref()?.join(".cursor")),
    }
}

fn store(world: &World<'_>, line: &CommandLine, root: &Utf8Path) -> Option<Store> {
    let projects = data_folder(world, line)?.join("projects");
    let slug = slug(root);
    let folder = projects.join(&slug);
    let hidden = slug.len() > SURE_SLUG
        && !world.files.is_folder(&folder)
        && world
            .files
            .list(&projects)
            .is_ok_and(|names| !names.is_empty());
    Some(Store { folder, hidden })
}

/// The name of a project's data folder: each run of other characters than ASCII letters and digits is one `-`, none at the ends.
fn slug(root: &Utf8Path) -> String {
    root.as_str()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_is_words_joined() {
        for (root, expected) in [
            ("/private/tmp/x/_cursor_ws", "private-tmp-x-cursor-ws"),
            ("/work/my repo.git/", "work-my-repo-git"),
            ("C:\\Users\\me", "C-Users-me"),
            ("/ä/b", "b"),
        ] {
            assert_eq!(slug(Utf8Path::new(root)), expected);
        }
    }
}
