//! The process as a world: the only place that reads the environment and the current folder.

use std::path::{Path, PathBuf};

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{
    Audience, Beside, Configured, Environment, FileKind, Files, Finding, Harness, Mode, Platform,
    Resolution, Session, Start, World, normalize,
};
use muster_document::{Masked, Secret, Shown};
use muster_report::{Launch, Survey};

use crate::args::{Common, Format};
use crate::error::CliError;

/// The tool whose name shows how names of tools are made.
const EXAMPLE_TOOL: &str = "search";

/// Why a path cannot be worked with.
const NOT_UTF8: &str = "has a name that is not UTF-8, which Muster cannot work with";
/// Why a path whose links lead to such a name cannot be.
const LEADS_TO_NOT_UTF8: &str =
    "leads to a folder whose name is not UTF-8, which Muster cannot work with";

/// A world and the harnesses that are asked about it.
pub(crate) struct Scene<'f> {
    /// What they see.
    world: World<'f>,
    /// Who is asked.
    harnesses: Vec<&'static dyn Harness>,
}

impl<'f> Scene<'f> {
    /// The scene that `common` and the process describe; with `command`, the one that this command line would start.
    pub(crate) fn new(
        common: &Common,
        command: &[String],
        files: &'f Files,
    ) -> Result<Scene<'f>, CliError> {
        let here = here(common)?;
        let base = Base { here: &here, files };
        let place = match &common.project {
            Some(project) => {
                base.folder("the project folder", utf8("the project folder", project)?)?
            }
            None => base.folder("the current folder", &here)?,
        };
        let (env, home) = environment(common, &base)?;
        let world = World {
            start: place.real.clone(),
            folder: place.named,
            cwd: place.real,
            home,
            system_root: system_root(common, &env, &base)?,
            env,
            platform: platform(common),
            mode: mode(common),
            session: None,
            files,
        };
        let harnesses = asked(&common.harness);
        match command {
            [] => Ok(Scene { world, harnesses }),
            words => Scene { world, harnesses }.entered(words),
        }
    }

    /// What the harnesses see.
    pub(crate) fn world(&self) -> &World<'f> {
        &self.world
    }

    /// Who is asked.
    pub(crate) fn harnesses(&self) -> &[&'static dyn Harness] {
        &self.harnesses
    }

    /// A scene in which nothing is the process's own: the home `home`, the folder `folder`, no system-wide files.
    pub(crate) fn made_up(
        common: &Common,
        home: &Utf8Path,
        folder: &Utf8Path,
        files: &'f Files,
    ) -> Scene<'f> {
        let world = World {
            folder: folder.to_owned(),
            cwd: folder.to_owned(),
            start: folder.to_owned(),
            home: Some(home.to_owned()),
            env: [
                (home_variable(platform(common)), home.as_str()),
                ("PATH", home.join("bin").as_str()),
            ]
            .into_iter()
            .collect(),
            system_root: Some(home.join(".no-system")),
            platform: platform(common),
            mode: mode(common),
            session: None,
            files,
        };
        Scene {
            world,
            harnesses: asked(&common.harness),
        }
    }

    /// What each harness makes of the world, as far as it is worth telling in `format`: programs are told everything. It stays for as
    /// long as the process: to take thousands of small values apart for an answer that has been given would only keep the user
    /// waiting.
    pub(crate) fn resolve(&self, format: Format) -> &'static [Resolution] {
        let repeats = format == Format::Json || self.harnesses.len() < 2;
        let mut resolutions = Vec::with_capacity(self.harnesses.len());
        for harness in &self.harnesses {
            let beside = Beside {
                others: &resolutions,
                repeats,
            };
            let resolution = harness.resolve_beside(&self.world, beside);
            resolutions.push(resolution);
        }
        muster_core::leave_to_owners(&mut resolutions);
        if !repeats {
            muster_core::leave_out_repeats(&mut resolutions);
        }
        resolutions.leak()
    }

    /// What is worth anybody's acting on in `resolutions`.
    pub(crate) fn audit(&self, resolutions: &[Resolution]) -> Vec<Finding> {
        muster_audit::audit(
            &self.world,
            muster_harness::ALL,
            resolutions,
            self.audiences(),
        )
    }

    /// Who wants to hear of what is found.
    pub(crate) fn audiences(&self) -> &'static [Audience] {
        &[Audience::Everyone]
    }

    /// `resolutions` and `findings` as something to report on.
    pub(crate) fn survey<'s>(
        &'s self,
        resolutions: &'s [Resolution],
        findings: &'s [Finding],
    ) -> Survey<'s> {
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
            findings,
            launches: &[],
            checked: None,
        }
    }

    /// How each harness would start the server called `name`; nothing of those that do not know it.
    pub(crate) fn launches<'s>(
        &self,
        resolutions: &'s [Resolution],
        name: &str,
    ) -> Vec<Launch<'s>> {
        let planned = |(harness, resolution): (&&dyn Harness, &'s Resolution)| {
            let server = muster_report::meant(resolution, name)?;
            Some(Launch {
                harness: harness.id(),
                server,
                plan: harness.launch(&self.world, server),
                example: harness.tool_name(name, EXAMPLE_TOOL),
            })
        };
        self.harnesses
            .iter()
            .zip(resolutions)
            .filter_map(planned)
            .collect()
    }

    /// The commands of all servers that the harnesses would start here, as they would start them.
    pub(crate) fn commands(&self, resolutions: &[Resolution]) -> Vec<Configured> {
        let of = |(harness, resolution): (&&'static dyn Harness, &Resolution)| {
            let servers = resolution.servers.iter();
            let planned = servers.filter_map(|server| {
                let plan = harness.launch(&self.world, server).ok()?;
                let Start::Process { argv, .. } = plan.start else {
                    return None;
                };
                Some(Configured {
                    harness: harness.id(),
                    server: server.definition.name.clone(),
                    argv,
                })
            });
            planned.collect::<Vec<_>>()
        };
        self.harnesses
            .iter()
            .zip(resolutions)
            .flat_map(of)
            .collect()
    }

    /// The environment that Muster runs in.
    pub(crate) fn env(&self) -> &Environment {
        &self.world.env
    }

    /// Muster's own folder for what it remembers between runs: by the XDG rules, on Windows where programs keep such things. Of another
    /// home only what lies in it.
    pub(crate) fn state_folder(&self, common: &Common) -> Option<Utf8PathBuf> {
        let own = common.home.is_none();
        let absolute = |name: &str| {
            let folder = self.world.env.filled(name).map(Utf8Path::new)?;
            (own && folder.is_absolute()).then(|| folder.to_owned())
        };
        let windows = || absolute("LOCALAPPDATA").filter(|_| cfg!(windows));
        let usual = || Some(self.world.home.as_ref()?.join(".local/state"));
        let base = absolute("XDG_STATE_HOME").or_else(windows).or_else(usual);
        base.map(|base| base.join("muster"))
    }

    /// The scene that the command line `words` would start from here: one harness, perhaps another folder, perhaps nobody to ask.
    fn entered(mut self, words: &[String]) -> Result<Scene<'f>, CliError> {
        let harness = muster_harness::by_command(words).map_err(CliError::CommandLine)?;
        if !self
            .harnesses
            .iter()
            .any(|asked| asked.id() == harness.id())
        {
            return Err(CliError::OtherHarness {
                starts: harness.name(),
            });
        }
        let world = &mut self.world;
        let session: Session = harness
            .session(words, &world.cwd)
            .map_err(CliError::CommandLine)?;
        if let Some(folder) = &session.folder {
            let base = Base {
                here: &world.cwd,
                files: world.files,
            };
            let place = base.folder("the folder that the command moves to,", folder)?;
            (world.folder, world.cwd) = (place.named, place.real);
        }
        // `--headless` holds even where the command line alone would be interactive.
        if session.mode == Mode::Headless {
            world.mode = Mode::Headless;
        }
        world.session = Some(session);
        self.harnesses = vec![harness];
        Ok(self)
    }
}

/// What relative paths are relative to, and the files to look them up in.
struct Base<'b> {
    here: &'b Utf8Path,
    files: &'b Files,
}

/// A folder as it was named, made absolute, and the same with its links resolved.
struct Folder {
    named: Utf8PathBuf,
    real: Utf8PathBuf,
}

impl Base<'_> {
    fn folder(&self, what: &'static str, named: &Utf8Path) -> Result<Folder, CliError> {
        let joined = self.here.join(named);
        let fail = |why: String| CliError::Folder {
            what,
            path: shown(named),
            why,
        };
        let found = self.files.metadata(&joined);
        let found = found.map_err(|fault| fail(fault.to_string()))?;
        if found.kind != FileKind::Folder {
            return Err(fail("is not a folder".to_owned()));
        }
        let real = self.files.real_path(&joined);
        let real = real.ok_or_else(|| fail(LEADS_TO_NOT_UTF8.to_owned()))?;
        // `link/..` is not what its text says: then only the real path is the folder's name.
        let clean = normalize(&joined);
        let means_the_same = self.files.real_path(&clean).as_ref() == Some(&real);
        let named = if means_the_same { clean } else { real.clone() };
        Ok(Folder { named, real })
    }
}

/// A folder that is not there, for a refusal. Its last part may be no folder at all but a secret, the value of a flag that an agent does
/// not know.
fn shown(folder: &Utf8Path) -> String {
    let masked = |part: &str| Masked::word(&Secret::new(part)).to_string();
    match (folder.parent(), folder.file_name()) {
        (Some(parent), Some(name)) if !parent.as_str().is_empty() => {
            let parent = Masked::path(&Secret::new(parent.as_str()));
            format!("{}/{}", parent.as_str().trim_end_matches('/'), masked(name))
        }
        _ => masked(folder.as_str()),
    }
}

/// The harnesses called by `ids`, which the argument parser has checked, in the order of the registry; all where none is named.
fn asked(ids: &[String]) -> Vec<&'static dyn Harness> {
    let wanted = |harness: &&dyn Harness| ids.is_empty() || ids.iter().any(|id| id == harness.id());
    muster_harness::ALL.iter().copied().filter(wanted).collect()
}

/// The environment of a harness started here and the home it gives. Names and values that are not UTF-8 are left out: no rule is
/// about them.
fn environment(
    common: &Common,
    base: &Base<'_>,
) -> Result<(Environment, Option<Utf8PathBuf>), CliError> {
    let env: Environment = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    let mut env = env.on(platform(common));
    if let Some(home) = &common.home {
        let home = base.folder("the home folder", utf8("the home folder", home)?)?;
        let harnesses = muster_harness::ALL.iter();
        let elsewhere = harnesses.flat_map(|harness| harness.home_variables());
        elsewhere.for_each(|name| env.remove(name));
        env.set(home_variable(platform(common)), home.named.as_str());
        return Ok((env, Some(home.named)));
    }
    // Where the tree of another platform lies here, it is this machine that says.
    let home = env.filled(home_variable(own_platform()));
    let home = home.map(|home| base.here.join(home));
    Ok((env, home))
}

fn home_variable(platform: Platform) -> &'static str {
    match platform {
        Platform::Windows => "USERPROFILE",
        Platform::Linux | Platform::MacOs => "HOME",
    }
}

fn system_root(
    common: &Common,
    env: &Environment,
    base: &Base<'_>,
) -> Result<Option<Utf8PathBuf>, CliError> {
    let (what, named) = match &common.system_root {
        Some(root) => {
            let what = "the system root";
            (what, Some(utf8(what, root)?))
        }
        None => (
            "the system root of MUSTER_SYSTEM_ROOT,",
            env.filled("MUSTER_SYSTEM_ROOT").map(Utf8Path::new),
        ),
    };
    let Some(named) = named else { return Ok(None) };
    // A wrong one would answer for a system without administrator's files, as if there were none.
    Ok(Some(base.folder(what, named)?.named))
}

/// What relative paths are relative to. A current folder that is gone, or that has no name Muster can work with, is no obstacle
/// where everything is named absolutely.
fn here(common: &Common) -> Result<Utf8PathBuf, CliError> {
    let relative = |path: &Option<PathBuf>| path.as_ref().is_some_and(|path| path.is_relative());
    match (&common.project, current_folder()) {
        (Some(project), Err(_))
            if project.is_absolute()
                && !relative(&common.home)
                && !relative(&common.system_root) =>
        {
            utf8("the project folder", project).map(Utf8Path::to_owned)
        }
        (_, here) => here,
    }
}

fn current_folder() -> Result<Utf8PathBuf, CliError> {
    let folder = std::env::current_dir().map_err(CliError::NoCurrentFolder)?;
    utf8("the current folder", &folder).map(Utf8Path::to_owned)
}

fn utf8<'p>(what: &'static str, path: &'p Path) -> Result<&'p Utf8Path, CliError> {
    Utf8Path::from_path(path).ok_or_else(|| CliError::Folder {
        what,
        path: Shown(&path.to_string_lossy()).to_string(),
        why: NOT_UTF8.to_owned(),
    })
}

fn mode(common: &Common) -> Mode {
    if common.headless {
        Mode::Headless
    } else {
        Mode::Interactive
    }
}

/// The platform that is asked about.
fn platform(common: &Common) -> Platform {
    common.platform.map_or_else(own_platform, Into::into)
}

fn own_platform() -> Platform {
    if cfg!(windows) {
        Platform::Windows
    } else if cfg!(target_os = "macos") {
        Platform::MacOs
    } else {
        Platform::Linux
    }
}
