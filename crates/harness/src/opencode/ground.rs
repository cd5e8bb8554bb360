//! Where OpenCode looks: folders and files, from the world alone.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{GitRoot, Platform, World, absolute};

use super::session::CommandLine;

/// The folders of a session and the switches of its environment. Windows and macOS paths are read from the program, not observed.
#[derive(Debug)]
pub(super) struct Ground {
    /// `$XDG_CONFIG_HOME/opencode`, else `~/.config/opencode`; `None` without a home.
    pub(super) global: Option<Utf8PathBuf>,
    /// The administrator's folder.
    pub(super) managed: Utf8PathBuf,
    /// The file that `OPENCODE_CONFIG` names.
    pub(super) custom: Option<Utf8PathBuf>,
    /// Folders of which `opencode.json` and `opencode.jsonc` are read, in the order of reading: a later one wins.
    pub(super) dots: Vec<DotFolder>,
    /// Folders whose project files are read, the nearest first.
    pub(super) walk: Vec<Utf8PathBuf>,
    /// The root of the repository; `None` outside of one, where the walk goes up to the root of the file system.
    pub(super) root: Option<Utf8PathBuf>,
    /// `OPENCODE_DISABLE_PROJECT_CONFIG` is on.
    pub(super) project_off: bool,
    /// The home of `{file:~/…}`.
    pub(super) home: Option<Utf8PathBuf>,
    /// Where relative paths in variables start.
    base: Utf8PathBuf,
}

/// A folder like `.opencode`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DotFolder {
    pub(super) path: Utf8PathBuf,
    pub(super) kind: DotKind,
}

/// Why a [`DotFolder`] is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DotKind {
    /// `.opencode` of the project or of a folder above it.
    Project,
    /// `~/.opencode`.
    Home,
    /// `OPENCODE_CONFIG_DIR`.
    Named,
}

impl Ground {
    /// Observed on 1.18.33.
    pub(super) fn find(world: &World<'_>) -> Ground {
        let env = &world.env;
        let home = world.home.clone();
        let base = base(world);
        let config = match env.filled("XDG_CONFIG_HOME") {
            Some(folder) => Some(absolute(folder, base)),
            None => home.as_deref().map(|home| home.join(".config")),
        };
        let root = GitRoot::discover(world.files, &world.cwd).map(|root| root.folder);
        let walk = walk(&world.cwd, root.as_deref());
        let project_off = is_on(env.get("OPENCODE_DISABLE_PROJECT_CONFIG"));
        let mut ground = Ground {
            global: config.map(|folder| folder.join("opencode")),
            managed: managed(world, base),
            custom: env
                .filled("OPENCODE_CONFIG")
                .map(|file| absolute(file, base)),
            dots: Vec::new(),
            walk,
            root,
            project_off,
            home,
            base: base.to_owned(),
        };
        ground.dots = ground.dot_folders(world, !project_off);
        ground
    }

    /// The folders like `.opencode` that are there, each once, in the order of reading. The project's come with the nearest first, so that
    /// among them the one nearest the root wins.
    pub(super) fn dot_folders(&self, world: &World<'_>, project: bool) -> Vec<DotFolder> {
        let home = match world.env.get("OPENCODE_TEST_HOME") {
            Some(folder) => Some(absolute(folder, &self.base)),
            None => self.home.clone(),
        };
        let home = home.map(|home| home.join(".opencode"));
        let of_project = |folder: &Utf8PathBuf| {
            let path = folder.join(".opencode");
            let kind = match home.as_ref() == Some(&path) {
                true => DotKind::Home,
                false => DotKind::Project,
            };
            DotFolder { path, kind }
        };
        let mut folders: Vec<DotFolder> = Vec::new();
        if project {
            folders.extend(self.walk.iter().map(of_project));
        }
        folders.extend(home.iter().map(|path| DotFolder {
            path: path.clone(),
            kind: DotKind::Home,
        }));
        folders.retain(|folder| world.files.exists(&folder.path));
        folders.extend(
            world
                .env
                .filled("OPENCODE_CONFIG_DIR")
                .map(|named| DotFolder {
                    path: absolute(named, &self.base),
                    kind: DotKind::Named,
                }),
        );
        let mut kept: Vec<DotFolder> = Vec::new();
        for folder in folders {
            if !kept.iter().any(|known| known.path == folder.path) {
                kept.push(folder);
            }
        }
        kept
    }

    /// The project's files in one folder, in the order of reading.
    pub(super) fn files(folder: &Utf8Path) -> [Utf8PathBuf; 2] {
        [folder.join("opencode.json"), folder.join("opencode.jsonc")]
    }
}

/// The folders from `cwd` up to `root`, both with; up to the root of the file system where `root` is none or not above.
pub(super) fn walk(cwd: &Utf8Path, root: Option<&Utf8Path>) -> Vec<Utf8PathBuf> {
    let mut folders = Vec::new();
    for folder in cwd.ancestors() {
        folders.push(folder.to_owned());
        if Some(folder) == root {
            break;
        }
    }
    folders
}

/// Where OpenCode is when it reads its configuration.
fn base<'w>(world: &'w World<'_>) -> &'w Utf8Path {
    let words = world.session.as_ref().map(|session| &session.words);
    let line = words.and_then(|words| CommandLine::parse(words).ok());
    match line {
        Some(line) if line.moves_late => &world.start,
        _ => &world.cwd,
    }
}

fn managed(world: &World<'_>, base: &Utf8Path) -> Utf8PathBuf {
    if let Some(folder) = world.env.filled("OPENCODE_TEST_MANAGED_CONFIG_DIR") {
        return absolute(folder, base);
    }
    match world.platform {
        Platform::Linux => world.system("/etc/opencode"),
        Platform::MacOs => world.system("/Library/Application Support/opencode"),
        Platform::Windows => {
            let data = world.env.filled("ProgramData").unwrap_or("C:\\ProgramData");
            Utf8Path::new(data).join("opencode")
        }
    }
}

/// Whether a switch of OpenCode's is on: `1` or `true`, in any case.
fn is_on(value: Option<&str>) -> bool {
    value.is_some_and(|value| value == "1" || value.eq_ignore_ascii_case("true"))
}
