//! Which file a command starts.

use std::cell::RefCell;
use std::collections::HashMap;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{FileFault, FileKind, Platform, World};

/// What there is of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    /// This file, which may be run.
    Program(Utf8PathBuf),
    /// This file, which may not be.
    NotExecutable(Utf8PathBuf),
    /// Nothing; where a path was given, this is where it leads.
    Nothing(Option<Utf8PathBuf>),
    /// That cannot be told from here.
    Unknown,
}

/// Look-ups of programs, each made once.
#[derive(Default)]
pub(crate) struct Programs {
    /// Names on the world's own search path: most are.
    names: RefCell<HashMap<String, Found>>,
    others: RefCell<HashMap<String, Found>>,
}

impl Programs {
    /// What the name `command` starts on the world's own search path, `path`.
    pub(crate) fn named(&self, world: &World<'_>, command: &str, path: &str) -> Found {
        remembered(&self.names, command, || {
            look_up(world, command, &world.cwd, path)
        })
    }

    /// What `command` starts in the folder `folder` with the search path `path`.
    pub(crate) fn look_up(
        &self,
        world: &World<'_>,
        command: &str,
        folder: &Utf8Path,
        path: &str,
    ) -> Found {
        // One text, so that a look-up copies nothing else. No part can hold the separator and be a path.
        let key = format!("{command}\0{folder}\0{path}");
        remembered(&self.others, &key, || look_up(world, command, folder, path))
    }
}

fn remembered(
    known: &RefCell<HashMap<String, Found>>,
    key: &str,
    look: impl FnOnce() -> Found,
) -> Found {
    if let Some(found) = known.borrow().get(key) {
        return found.clone();
    }
    let found = look();
    known.borrow_mut().insert(key.to_owned(), found.clone());
    found
}

fn look_up(world: &World<'_>, command: &str, folder: &Utf8Path, path: &str) -> Found {
    if command.is_empty() {
        return Found::Unknown;
    }
    if is_path(command, world.platform) {
        let candidate = world.at(command, folder);
        return match with_endings(world, &candidate) {
            Found::Nothing(_) => Found::Nothing(Some(candidate)),
            found => found,
        };
    }
    let separator = if world.platform == Platform::Windows {
        ';'
    } else {
        ':'
    };
    let mut best = Found::Nothing(None);
    for place in path.split(separator).filter(|place| !place.is_empty()) {
        match with_endings(world, &world.at(place, folder).join(command)) {
            Found::Nothing(_) => {}
            program @ Found::Program(_) => return program,
            found => {
                if matches!(best, Found::Nothing(_)) {
                    best = found;
                }
            }
        }
    }
    best
}

/// Whether `command` is looked for where it says, and not in the search path.
pub(crate) fn is_path(command: &str, platform: Platform) -> bool {
    command.contains('/') || (platform == Platform::Windows && command.contains('\\'))
}

/// The file at `candidate`, on Windows also with the endings that make a program there.
fn with_endings(world: &World<'_>, candidate: &Utf8Path) -> Found {
    if world.platform != Platform::Windows {
        return at(world, candidate);
    }
    let endings = world
        .env
        .get("PATHEXT")
        .unwrap_or(".COM;.EXE;.BAT;.CMD")
        .to_lowercase();
    std::iter::once("")
        .chain(endings.split(';').filter(|ending| !ending.is_empty()))
        .map(|ending| at(world, &Utf8PathBuf::from(format!("{candidate}{ending}"))))
        .find(|found| !matches!(found, Found::Nothing(_)))
        .unwrap_or(Found::Nothing(None))
}

fn at(world: &World<'_>, path: &Utf8Path) -> Found {
    match world.files.metadata(path) {
        Ok(found) if found.kind == FileKind::File => match found.mode {
            Some(mode) if mode & 0o111 == 0 => Found::NotExecutable(path.to_owned()),
            _ => Found::Program(path.to_owned()),
        },
        Ok(_) | Err(FileFault::Absent) => Found::Nothing(None),
        Err(_) => Found::Unknown,
    }
}

/// The search path of `world`.
pub(crate) fn search_path<'w>(world: &'w World<'_>) -> Option<&'w str> {
    world.env.get("PATH")
}

/// The name of the program that `command` names: no folder, no ending that Windows adds, in lower case.
pub(crate) fn base_name(command: &str) -> String {
    let file = command.rsplit(['/', '\\']).next().unwrap_or_default();
    let file = file.to_ascii_lowercase();
    let endings = [".exe", ".cmd", ".bat"];
    let stem = endings.iter().find_map(|ending| file.strip_suffix(ending));
    stem.map(str::to_owned).unwrap_or(file)
}
