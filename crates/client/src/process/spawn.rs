//! What is to be started, how it is ended, and what can go wrong.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use muster_document::{Secret, Shown};

use crate::Exit;

/// A server to start.
#[derive(Clone)]
pub struct Spawn {
    /// The command and its words. The command is looked up on the `PATH` in `env`, or, if it has a slash, from `cwd`.
    pub argv: Vec<OsString>,
    /// The folder it starts in, absolute.
    pub cwd: PathBuf,
    /// Its whole environment; nothing else is inherited. Of two values of one name the last counts.
    pub env: Vec<(OsString, OsString)>,
    /// Bytes of the end of its standard error that are kept.
    pub stderr_tail: usize,
}

impl fmt::Debug for Spawn {
    /// Without words and variables, which can hold secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spawn")
            .field("cwd", &self.cwd)
            .finish_non_exhaustive()
    }
}

/// Why a server was not started.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    /// The command is empty.
    #[error("the command is empty")]
    NoCommand,
    /// No folder of the search path has it.
    #[error("`{}` is not on the PATH", Shown(&.0.to_string_lossy()))]
    NotOnPath(OsString),
    /// There is no such file.
    #[error("there is no `{}`", Shown(&.0.to_string_lossy()))]
    NotFound(PathBuf),
    /// The file may not be executed.
    #[error("`{}` is not executable", Shown(&.0.to_string_lossy()))]
    NotExecutable(PathBuf),
    /// It is a folder.
    #[error("`{}` is a folder", Shown(&.0.to_string_lossy()))]
    Directory(PathBuf),
    /// The script's first line names a program that is not there.
    #[error("`{}` is to be read by `{}`, which is not there", Shown(&.program.to_string_lossy()), Shown(&.interpreter.to_string_lossy()))]
    BadInterpreter {
        /// The script.
        program: PathBuf,
        /// What its first line names.
        interpreter: PathBuf,
    },
    /// The loader that the program was made for is not there, as on another C library.
    #[error("`{}` was made for another system: its loader is not there", Shown(&.0.to_string_lossy()))]
    NoLoader(PathBuf),
    /// The file is no program for this machine.
    #[error("`{}` is no program for this machine", Shown(&.0.to_string_lossy()))]
    NoProgram(PathBuf),
    /// The folder to start in is not there or no folder.
    #[error("the folder `{}` is not there", Shown(&.0.to_string_lossy()))]
    NoFolder(PathBuf),
    /// Arguments and environment are longer than the system takes, or hold a NUL.
    #[error("its arguments and variables are more than the system takes")]
    TooLong,
    /// A word or a variable holds a character that cannot be handed over.
    #[error("an argument or a variable holds a NUL character")]
    Nul,
    /// The supervising process is gone.
    #[error("the process that supervises servers is gone")]
    Unsupervised,
    /// Anything else that the system says.
    #[error("the system does not start it: {0}")]
    System(std::io::Error),
}

/// How long each step of ending a server is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// After the end of its input, before it is asked to terminate.
    pub input: Duration,
    /// After that, before it is killed.
    pub terminate: Duration,
    /// After that, before it is given up as immortal.
    pub kill: Duration,
}

impl Default for Patience {
    /// The second each of the specification's shutdown.
    fn default() -> Patience {
        Patience {
            input: Duration::from_secs(1),
            terminate: Duration::from_secs(1),
            kill: Duration::from_secs(1),
        }
    }
}

/// How a server, and everything it had started, was ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// How its own process ended.
    pub exit: Exit,
    /// How far it had to go until all of them were gone.
    pub force: Force,
    /// What could not be ended.
    pub left_running: Vec<LeftRunning>,
}

/// How far ending a server had to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Force {
    /// It ended with its input, or before.
    None,
    /// It, or a process it had left behind, was asked to terminate (SIGTERM).
    Terminated,
    /// It, or a process it had left behind, was killed (SIGKILL).
    Killed,
}

/// A process that could not be ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftRunning {
    /// Its id.
    pub pid: u32,
    /// Its command.
    pub argv: Vec<Secret>,
}
