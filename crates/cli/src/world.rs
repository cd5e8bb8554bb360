//! The process as a world: the only place that reads the environment and the current folder.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{
    Environment, Files, Harness, Mode, Platform, Resolution, Session, World, normalize,
};
use muster_report::Survey;

use crate::args::Common;
use crate::error::CliError;

/// A world and the harnesses that are asked about it.
pub(crate) struct Scene<'f> {
    /// What they see.
    pub(crate) world: World<'f>,
    /// Who is asked.
    pub(crate) harnesses: Vec<&'static dyn Harness>,
}

impl<'f> Scene<'f> {
    /// The scene that `common` and the process describe; with `command`, the one that this command line would start.
    pub(crate) fn new(
        common: &Common,
        command: &[String],
        files: &'f Files,
    ) -> Result<Scene<'f>, CliError> {
        let here = current_folder()?;
        let (folder, cwd) = session_folder(
            common.project.as_deref().unwrap_or(&here),
            &here,
            files,
            "the project folder",
        )?;
        let environment = environment(common, &here, files)?;
        let system_root = system_root(common, &environment.env, &here);
        let mut world = World {
            folder,
            cwd,
            home: environment.home,
            env: environment.env,
            system_root,
            platform: platform(),
            mode: if common.headless {
                Mode::Headless
            } else {
                Mode::Interactive
            },
            session: None,
            files,
        };
        let mut harnesses = asked(&common.harness)?;
        if !command.is_empty() {
            let (harness, session) = session(command, &world.cwd)?;
            if !harnesses.iter().any(|asked| asked.id() == harness.id()) {
                return Err(CliError::OtherHarness {
                    starts: harness.name(),
                });
            }
            harnesses = vec![harness];
            enter(&mut world, session)?;
        }
        Ok(Scene { world, harnesses })
    }

    /// A scene in which nothing is the process's own: the home `home`, the folder `folder`, no system-wide files.
    pub(crate) fn made_up(
        common: &Common,
        env: Environment,
        home: &Utf8Path,
        folder: &Utf8Path,
        files: &'f Files,
    ) -> Result<Scene<'f>, CliError> {
        let world = World {
            folder: folder.to_owned(),
            cwd: folder.to_owned(),
            home: Some(home.to_owned()),
            env,
            system_root: Some(home.join(".no-system")),
            platform: platform(),
            mode: if common.headless {
                Mode::Headless
            } else {
                Mode::Interactive
            },
            session: None,
            files,
        };
        Ok(Scene {
            world,
            harnesses: asked(&common.harness)?,
        })
    }

    /// What each harness makes of the world.
    pub(crate) fn resolve(&self) -> Vec<Resolution> {
        self.harnesses
            .iter()
            .map(|harness| harness.resolve(&self.world))
            .collect()
    }

    /// `resolutions` as something to report on.
    pub(crate) fn survey<'s>(&'s self, resolutions: &'s [Resolution]) -> Survey<'s> {
        Survey {
            folder: &self.world.folder,
            cwd: &self.world.cwd,
            home: self.world.home.as_deref(),
            mode: self.world.mode,
            session: self
                .world
                .session
                .as_ref()
                .map(|session| session.words.as_slice()),
            resolutions,
        }
    }
}

/// The harnesses called by `ids`, in the order of the registry; all where none is named.
fn asked(ids: &[String]) -> Result<Vec<&'static dyn Harness>, CliError> {
    if let Some(unknown) = ids.iter().find(|id| muster_harness::by_id(id).is_none()) {
        return Err(CliError::UnknownHarness(unknown.clone()));
    }
    let wanted = |harness: &&dyn Harness| ids.is_empty() || ids.iter().any(|id| id == harness.id());
    Ok(muster_harness::ALL.iter().copied().filter(wanted).collect())
}

fn session(
    command: &[String],
    cwd: &Utf8Path,
) -> Result<(&'static dyn Harness, Session), CliError> {
    let harness = muster_harness::by_command(command).map_err(CliError::CommandLine)?;
    let session = harness
        .session(command, cwd)
        .map_err(CliError::CommandLine)?;
    Ok((harness, session))
}

/// Moves `world` into `session`. `--headless` holds even where the command line alone would be interactive.
fn enter(world: &mut World<'_>, session: Session) -> Result<(), CliError> {
    if let Some(folder) = &session.folder {
        (world.folder, world.cwd) = session_folder(
            folder,
            &world.cwd,
            world.files,
            "the folder that the command moves to,",
        )?;
    }
    if session.mode == Mode::Headless {
        world.mode = Mode::Headless;
    }
    world.session = Some(session);
    Ok(())
}

/// A folder as it was named, made absolute, and the same with its links resolved.
fn session_folder(
    named: &Utf8Path,
    base: &Utf8Path,
    files: &Files,
    what: &'static str,
) -> Result<(Utf8PathBuf, Utf8PathBuf), CliError> {
    let joined = base.join(named);
    let fail = |why| CliError::Folder {
        what,
        path: muster_document::Shown(named.as_str()).to_string(),
        why,
    };
    let real = files
        .real_path(&joined)
        .ok_or_else(|| fail("does not exist"))?;
    if !files.is_folder(&real) {
        return Err(fail("is not a folder"));
    }
    // `link/..` is not what its text says: then only the real path is the folder's name.
    let clean = normalize(&joined);
    let folder = if files.real_path(&clean).as_ref() == Some(&real) {
        clean
    } else {
        real.clone()
    };
    Ok((folder, real))
}

struct ProcessEnvironment {
    env: Environment,
    home: Option<Utf8PathBuf>,
}

/// The environment of a harness started here. Names and values that are not UTF-8 are left out: no harness rule is about them.
fn environment(
    common: &Common,
    here: &Utf8Path,
    files: &Files,
) -> Result<ProcessEnvironment, CliError> {
    let mut env: Environment = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    let variable = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    if let Some(home) = &common.home {
        let (home, _) = session_folder(home, here, files, "the home folder")?;
        for name in muster_harness::ALL
            .iter()
            .flat_map(|harness| harness.home_variables())
        {
            env.remove(name);
        }
        env.set(variable, home.as_str());
    }
    let home = env.filled(variable).map(|home| here.join(home));
    Ok(ProcessEnvironment { env, home })
}

fn system_root(common: &Common, env: &Environment, here: &Utf8Path) -> Option<Utf8PathBuf> {
    let named = common
        .system_root
        .as_deref()
        .or_else(|| env.filled("MUSTER_SYSTEM_ROOT").map(Utf8Path::new))?;
    Some(here.join(named))
}

fn current_folder() -> Result<Utf8PathBuf, CliError> {
    let folder = std::env::current_dir().map_err(CliError::NoCurrentFolder)?;
    Utf8PathBuf::from_path_buf(folder).map_err(|folder| CliError::Folder {
        what: "the current folder",
        path: muster_document::Shown(&folder.to_string_lossy()).to_string(),
        why: "has a name that is not UTF-8, which Muster cannot work with",
    })
}

fn platform() -> Platform {
    if cfg!(windows) {
        Platform::Windows
    } else if cfg!(target_os = "macos") {
        Platform::MacOs
    } else {
        Platform::Linux
    }
}
