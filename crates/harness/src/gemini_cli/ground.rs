//! Where Gemini CLI looks: its own folder, the project's file, the administrator's files.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Environment, Platform, World, absolute};

/// The folder of its own below a home or a project.
pub(super) const FOLDER: &str = ".gemini";

/// The paths that decide which files count.
#[derive(Debug)]
pub(super) struct Ground {
    /// The session folder, links resolved.
    pub(super) cwd: Utf8PathBuf,
    /// The folder that holds the user's `.gemini`: `GEMINI_CLI_HOME`, else the home.
    pub(super) home: Utf8PathBuf,
    /// `~/.gemini/settings.json`.
    pub(super) user_settings: Utf8PathBuf,
    /// `.gemini/settings.json` of the session folder; `None` where that is the home folder.
    pub(super) project_settings: Option<Utf8PathBuf>,
    /// The administrator's files.
    pub(super) system_settings: SystemFile,
    /// What the administrator gives as defaults.
    pub(super) system_defaults: SystemFile,
    /// `trustedFolders.json`.
    pub(super) trusted_folders: Utf8PathBuf,
}

/// A system-wide file.
#[derive(Debug, Clone)]
pub(super) struct SystemFile {
    /// Where it is.
    pub(super) path: Utf8PathBuf,
    /// A variable names it.
    pub(super) named: bool,
}

impl Ground {
    /// Finds the ground of `world`. Observed on 0.61.0, except the system folders of macOS and Windows, which were read in its source.
    pub(super) fn survey(world: &World<'_>) -> Ground {
        let cwd = world.cwd.clone();
        let home = home(world, &world.env);
        let own = home.join(FOLDER);
        let in_home = world.files.real_path(&home).as_deref() == Some(cwd.as_path()) || home == cwd;
        let system_settings =
            named(world, "GEMINI_CLI_SYSTEM_SETTINGS_PATH").unwrap_or_else(|| {
                usual(world.system(match world.platform {
                    Platform::Linux => "/etc/gemini-cli/settings.json",
                    Platform::MacOs => "/Library/Application Support/GeminiCli/settings.json",
                    Platform::Windows => "C:/ProgramData/gemini-cli/settings.json",
                }))
            });
        let beside = system_settings.path.with_file_name("system-defaults.json");
        let system_defaults =
            named(world, "GEMINI_CLI_SYSTEM_DEFAULTS_PATH").unwrap_or(SystemFile {
                path: beside,
                named: system_settings.named,
            });
        let trusted_folders = match world.env.filled("GEMINI_CLI_TRUSTED_FOLDERS_PATH") {
            Some(path) => absolute(path, &cwd),
            None => own.join("trustedFolders.json"),
        };
        Ground {
            user_settings: own.join("settings.json"),
            project_settings: (!in_home).then(|| cwd.join(FOLDER).join("settings.json")),
            system_settings,
            system_defaults,
            trusted_folders,
            cwd,
            home,
        }
    }
}

/// The folder that holds the user's `.gemini` where the environment is `env`.
pub(super) fn home(world: &World<'_>, env: &Environment) -> Utf8PathBuf {
    match env.filled("GEMINI_CLI_HOME") {
        Some(home) => absolute(home, &world.cwd),
        None => world.home.clone().unwrap_or_else(|| Utf8PathBuf::from("/")),
    }
}

fn named(world: &World<'_>, variable: &str) -> Option<SystemFile> {
    let path = world.env.filled(variable)?;
    Some(SystemFile {
        path: absolute(path, &world.cwd),
        named: true,
    })
}

fn usual(path: Utf8PathBuf) -> SystemFile {
    SystemFile { path, named: false }
}

/// Why the system-wide file at `file` is not used: it or a folder above it is not root's alone. `None` where it is safe, or where the
/// platform has no such owners. Observed on 0.61.0 on Linux; the access lists that Windows has instead are not looked at.
pub(super) fn insecurity(world: &World<'_>, file: &SystemFile) -> Option<String> {
    if world.platform == Platform::Windows {
        return None;
    }
    let top = world.system_root.as_deref().filter(|_| !file.named);
    let real = world
        .files
        .real_path(&file.path)
        .unwrap_or_else(|| file.path.clone());
    let above = |path: &Utf8Path| -> Vec<Utf8PathBuf> {
        let folders = path
            .ancestors()
            .skip(1)
            .take_while(|folder| Some(*folder) != top);
        folders.map(Utf8Path::to_owned).collect()
    };
    let parent = |path: &Utf8PathBuf| {
        Some(format!(
            "Parent directory '{path}' is insecure: {}",
            fault(world, path, true)?
        ))
    };
    above(&file.path)
        .iter()
        .find_map(parent)
        .or_else(|| {
            Some(format!(
                "File is insecure: {}",
                fault(world, &file.path, false)?
            ))
        })
        .or_else(|| above(&real).iter().find_map(parent))
}

/// What is wrong with one file or folder, in the real program's words.
fn fault(world: &World<'_>, path: &Utf8Path, folder: bool) -> Option<String> {
    let found = world.files.metadata(path).ok()?;
    let noun = if folder { "Directory" } else { "File" };
    let right = match folder {
        true => world.files.is_folder(path),
        false => world.files.is_file(path),
    };
    if !right {
        return Some(format!("Not a {}", noun.to_ascii_lowercase()));
    }
    if let Some(owner) = found.owner.filter(|owner| *owner != 0) {
        return Some(format!(
            "{noun} '{path}' is not owned by root (uid 0). Current uid: {owner}"
        ));
    }
    let mode = found.mode.filter(|mode| mode & 0o022 != 0)?;
    Some(format!(
        "{noun} '{path}' is writable by group or others (mode: {:o})",
        mode & 0o7777
    ))
}
