//! A world for a test.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Environment, FileSource as _, Files, Mode, Platform, Session, World};

use crate::Tree;

/// Everything a [`World`] is made of, owned. Starts as an interactive session on Linux in `/work/repo` with the home `/home/me`
/// and an empty environment.
#[derive(Debug)]
pub struct Stage {
    /// The files, to change them before the first look and to ask afterwards what was read.
    pub tree: Tree,
    files: Files,
    folder: Utf8PathBuf,
    start: Option<Utf8PathBuf>,
    home: Option<Utf8PathBuf>,
    env: Environment,
    system_root: Option<Utf8PathBuf>,
    platform: Platform,
    mode: Mode,
    session: Option<Session>,
}

impl Stage {
    /// The home of a new stage.
    pub const HOME: &str = "/home/me";
    /// The session folder of a new stage.
    pub const FOLDER: &str = "/work/repo";

    /// A stage with the files of a fixture text ([`Tree::fixture`]).
    ///
    /// # Panics
    /// If the text is no fixture.
    pub fn new(fixture: &str) -> Self {
        Stage::of(Tree::fixture(fixture))
    }

    /// A stage with the files of `tree`.
    pub fn of(tree: Tree) -> Self {
        Stage {
            files: Files::new(tree.clone()),
            tree,
            folder: Utf8PathBuf::from(Self::FOLDER),
            start: None,
            home: Some(Utf8PathBuf::from(Self::HOME)),
            env: Environment::default(),
            system_root: None,
            platform: Platform::Linux,
            mode: Mode::Interactive,
            session: None,
        }
    }

    /// The same stage with the files of `tree`, of which nothing is known yet.
    pub fn again(&self, tree: Tree) -> Self {
        Stage {
            files: Files::new(tree.clone()),
            tree,
            folder: self.folder.clone(),
            start: self.start.clone(),
            home: self.home.clone(),
            env: self.env.clone(),
            system_root: self.system_root.clone(),
            platform: self.platform,
            mode: self.mode,
            session: self.session.clone(),
        }
    }

    /// Starts the session in `folder`, which is laid down if it is not there.
    #[must_use]
    pub fn folder(mut self, folder: impl AsRef<Utf8Path>) -> Self {
        folder.as_ref().clone_into(&mut self.folder);
        self
    }

    /// Gives the user the home `home`, or none.
    #[must_use]
    pub fn home(mut self, home: Option<&str>) -> Self {
        self.home = home.map(Utf8PathBuf::from);
        self
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.set(name, value);
        self
    }

    /// Puts `root` before system-wide paths.
    #[must_use]
    pub fn system_root(mut self, root: impl AsRef<Utf8Path>) -> Self {
        self.system_root = Some(root.as_ref().to_owned());
        self
    }

    /// Lets the path rules of `platform` hold.
    #[must_use]
    pub fn platform(mut self, platform: Platform) -> Self {
        self.platform = platform;
        self.env = std::mem::take(&mut self.env).on(platform);
        self
    }

    /// Makes it a session that nobody can be asked in.
    #[must_use]
    pub fn headless(mut self) -> Self {
        self.mode = Mode::Headless;
        self
    }

    /// Makes it the session that a command line would start: in its mode and, where it names one, its folder.
    #[must_use]
    pub fn session(mut self, session: Session) -> Self {
        self.mode = session.mode;
        if let Some(folder) = &session.folder {
            self.start = Some(std::mem::replace(&mut self.folder, folder.clone()));
        }
        self.session = Some(session);
        self
    }

    /// The world. Two worlds of one stage share what their files remember.
    pub fn world(&self) -> World<'_> {
        // On a copy, so that the stage's own looking does not count as the harness's.
        let cwd = self.tree.copy().real_path(&self.folder).unwrap_or_else(|| {
            self.tree.folder(&self.folder);
            self.folder.clone()
        });
        World {
            folder: self.folder.clone(),
            start: self.start.clone().unwrap_or_else(|| cwd.clone()),
            cwd,
            home: self.home.clone(),
            env: self.env.clone(),
            system_root: self.system_root.clone(),
            platform: self.platform,
            mode: self.mode,
            session: self.session.clone(),
            files: &self.files,
        }
    }
}
