//! What a harness sees when it starts.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};

use crate::native::without_drive;
use crate::{Files, Session, path};

/// Everything a resolution depends on. Nothing else is asked: not the process's environment, not its working folder, not the clock.
#[derive(Debug)]
pub struct World<'f> {
    /// The session folder as the user named it, absolute but with its links.
    pub folder: Utf8PathBuf,
    /// The session folder with links resolved: what `getcwd()` gives a harness started there.
    pub cwd: Utf8PathBuf,
    /// The folder in which the command is given, links resolved: not `cwd` where its flags move the session elsewhere.
    pub start: Utf8PathBuf,
    /// The user's home; `None` where it cannot be known.
    pub home: Option<Utf8PathBuf>,
    /// The environment of a harness started here.
    pub env: Environment,
    /// Put before system-wide paths such as `/etc/codex`; `None` for the real system.
    pub system_root: Option<Utf8PathBuf>,
    /// Whose path rules and system folders hold.
    pub platform: Platform,
    /// Whether somebody can be asked.
    pub mode: Mode,
    /// The command line whose session is asked about; `None` for a plain session.
    pub session: Option<Session>,
    /// The files.
    pub files: &'f Files,
}

impl<'f> World<'f> {
    /// The same world in `mode`.
    #[must_use]
    pub fn with_mode(&self, mode: Mode) -> World<'f> {
        World {
            folder: self.folder.clone(),
            cwd: self.cwd.clone(),
            start: self.start.clone(),
            home: self.home.clone(),
            env: self.env.clone(),
            system_root: self.system_root.clone(),
            platform: self.platform,
            mode,
            session: self.session.clone(),
            files: self.files,
        }
    }
}

impl World<'_> {
    /// A system-wide path such as `/etc/claude-code` or `C:/Program Files`, below the system root if there is one.
    pub fn system(&self, system_path: &str) -> Utf8PathBuf {
        let inside = without_drive(system_path).unwrap_or(system_path);
        match &self.system_root {
            Some(root) => root.join(inside.trim_start_matches('/')),
            None => Utf8PathBuf::from(system_path),
        }
    }

    /// `path` as a person would write it: `~/…` below the home.
    pub fn tilde(&self, path: &Utf8Path) -> String {
        path::tilde(path, self.home.as_deref())
    }

    /// `path` as a person would write it here: from the session folder where it lies in it, else `~/…` below the home.
    pub fn shown(&self, path: &Utf8Path) -> String {
        path::shown(path, &self.folder, &self.cwd, self.home.as_deref())
    }

    /// Whether the session is one that nobody can be asked in.
    pub fn headless(&self) -> bool {
        self.mode == Mode::Headless
    }
}

/// Environment variables by name. Names are compared exactly, or on Windows without case.
#[derive(Clone, Default)]
pub struct Environment {
    values: BTreeMap<String, String>,
    any_case: bool,
}

impl Environment {
    /// The same variables, their names compared as on `platform`. Of two that are one name there the later in order counts.
    #[must_use]
    pub fn on(self, platform: Platform) -> Self {
        let any_case = platform == Platform::Windows;
        let mut compared = Environment {
            values: BTreeMap::new(),
            any_case,
        };
        for (name, value) in self.values {
            compared.set(name, value);
        }
        compared
    }

    /// The name under which `name` is known here.
    fn known(&self, name: &str) -> Option<&str> {
        match self.values.get_key_value(name) {
            Some((known, _)) => Some(known),
            None if self.any_case => {
                let mut names = self.values.keys();
                let known = names.find(|known| known.eq_ignore_ascii_case(name));
                known.map(String::as_str)
            }
            None => None,
        }
    }

    /// The value of `name`, which may be empty; `None` where it is unset.
    pub fn get(&self, name: &str) -> Option<&str> {
        match self.values.get(name) {
            None if self.any_case => self.values.get(self.known(name)?),
            found => found,
        }
        .map(String::as_str)
    }

    /// The value of `name` if it is set and not empty.
    pub fn filled(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|value| !value.is_empty())
    }

    /// Every variable with its value, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Sets `name`.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) {
        let name = name.into();
        let known = self.known(&name).map(str::to_owned);
        self.values.insert(known.unwrap_or(name), value.into());
    }

    /// Unsets `name`.
    pub fn remove(&mut self, name: &str) {
        if let Some(known) = self.known(name).map(str::to_owned) {
            self.values.remove(&known);
        }
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        Environment {
            values: pairs
                .into_iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
            any_case: false,
        }
    }
}

impl std::fmt::Debug for Environment {
    /// Names only: values may be secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.values.keys()).finish()
    }
}

/// Whose path rules and system folders hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    /// Linux and what is like it.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

/// Whether somebody can be asked in the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// A session with a person at it.
    #[default]
    Interactive,
    /// `claude -p`, `codex exec`, CI.
    Headless,
}

impl Mode {
    /// The word in JSON and on screen.
    pub fn word(self) -> &'static str {
        match self {
            Mode::Interactive => "interactive",
            Mode::Headless => "headless",
        }
    }
}
