//! Servers as processes on Windows: each in a job of its own, which the system itself ends when Muster does. Written by the documents; it
//! has not been run.

use std::ffi::{OsStr, OsString};
use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap, JobObject, KillOnDrop};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::process::Command;
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::candidates::candidates;
use super::stderr::{Tail, drain};
use super::{Ending, Force, LeftRunning, MARK, Patience, Spawn, SpawnError};
use crate::{Exit, Teller};

/// So long the rest of a server's standard error is waited for once it is ended.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Needed elsewhere: here there is no supervising process.
#[derive(Debug, Clone)]
pub struct SupervisorProgram {
    /// The file.
    pub path: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
}

impl SupervisorProgram {
    /// None is needed.
    pub fn itself() -> Option<SupervisorProgram> {
        None
    }
}

/// Nothing to supervise: jobs do it.
pub fn supervise() -> ExitCode {
    ExitCode::from(2)
}

/// Starts servers, and ends them.
#[derive(Debug, Clone)]
pub struct Supervisor(());

impl Supervisor {
    /// Makes ready to start servers.
    ///
    /// # Errors
    /// None here.
    pub async fn start(_: Option<&SupervisorProgram>) -> io::Result<Supervisor> {
        Ok(Supervisor(()))
    }

    /// `None`: servers do not outlive Muster.
    pub fn within(&self) -> Option<&str> {
        None
    }

    /// Starts a server, whose standard error is told to `teller`. A server that is dropped is ended.
    ///
    /// # Errors
    /// [`SpawnError`]: it was not started.
    pub async fn spawn(&self, spawn: Spawn, teller: Teller) -> Result<Started, SpawnError> {
        if !spawn.cwd.is_dir() {
            return Err(SpawnError::NoFolder(spawn.cwd));
        }
        let (name, words) = spawn.argv.split_first().ok_or(SpawnError::NoCommand)?;
        let program = find(name, &spawn.cwd, &spawn.env)?;
        let mut command = Command::new(&program);
        command
            .args(words)
            .env_clear()
            .envs(spawn.env.iter().map(|(name, value)| (name, value)))
            .env(MARK, std::process::id().to_string())
            .current_dir(&spawn.cwd)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut command = CommandWrap::from(command);
        let child = command.wrap(JobObject).wrap(KillOnDrop).spawn();
        let mut child = child.map_err(SpawnError::System)?;
        let pid = child.id().unwrap_or(0);
        let streams = (
            child.stdin().take(),
            child.stdout().take(),
            child.stderr().take(),
        );
        let (Some(stdin), Some(stdout), Some(stderr)) = streams else {
            return Err(SpawnError::System(io::ErrorKind::BrokenPipe.into()));
        };
        let tail = Arc::new(Tail::new(spawn.stderr_tail));
        let (done, drained) = watch::channel(());
        let draining = drain(stderr, tail.clone(), teller);
        let drain = tokio::spawn(async move {
            draining.await;
            drop(done);
        });
        let (stop, stops) = mpsc::unbounded_channel();
        let (tell, life) = watch::channel(Life::default());
        tokio::spawn(look_after(child, pid, stops, tell));
        Ok(Started {
            process: Process {
                pid,
                stop,
                life,
                tail,
                drained,
                drain: drain.abort_handle(),
            },
            stdin: Box::new(stdin),
            stdout: Box::new(stdout),
        })
    }

    /// Servers end with their [`Process`].
    pub async fn close(self) -> Vec<LeftRunning> {
        Vec::new()
    }
}

/// A server that was started, and its standard streams.
pub struct Started {
    /// Its process.
    pub process: Process,
    /// What it reads. Dropping it tells the server to end.
    pub stdin: Box<dyn AsyncWrite + Send + Sync + Unpin>,
    /// What it writes.
    pub stdout: Box<dyn AsyncRead + Send + Sync + Unpin>,
}

impl std::fmt::Debug for Started {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Started")
            .field("process", &self.process)
            .finish_non_exhaustive()
    }
}

/// The process of a server, and with it all that comes of it. Dropped, it is ended without anybody waiting for that.
#[derive(Debug)]
pub struct Process {
    pid: u32,
    stop: mpsc::UnboundedSender<Patience>,
    life: watch::Receiver<Life>,
    tail: Arc<Tail>,
    drained: watch::Receiver<()>,
    drain: AbortHandle,
}

#[derive(Debug, Default)]
struct Life {
    exit: Option<Exit>,
    ended: Option<Ending>,
}

impl Process {
    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Waits until its process has ended. Any number may wait, and stop waiting.
    pub async fn exited(&self) -> Exit {
        let mut life = self.life.clone();
        let known = life.wait_for(|life| life.exit.is_some()).await;
        known
            .ok()
            .and_then(|life| life.exit)
            .unwrap_or(Exit::Unknown)
    }

    /// How its process ended, if it has.
    pub fn exit(&self) -> Option<Exit> {
        self.life.borrow().exit
    }

    /// The end of what it wrote to its standard error, so far. Foreign text.
    pub fn stderr_tail(&self) -> String {
        self.tail.text()
    }

    /// Waits until its standard error has ended; at most for `patience`.
    pub async fn last_words(&self, patience: Duration) {
        let mut drained = self.drained.clone();
        let _ = timeout(patience, drained.changed()).await;
    }

    /// Ends it, and whatever it started: waits for the end of its input to be noticed, then ends the job. Its input is to be dropped first.
    pub async fn stop(&self, patience: Patience) -> Ending {
        // Where nobody takes it, it has ended.
        let _ = self.stop.send(patience);
        let mut life = self.life.clone();
        let ended = life.wait_for(|life| life.ended.is_some()).await;
        let ended = ended.ok().and_then(|life| life.ended.clone());
        self.last_words(LAST_WORDS).await;
        ended.unwrap_or(Ending {
            exit: Exit::Unknown,
            force: Force::Killed,
            left_running: Vec::new(),
        })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.drain.abort();
    }
}

/// Waits for the end of `child`, or for somebody to stop it; whoever drops the [`Process`] does that too.
async fn look_after(
    mut child: Box<dyn ChildWrapper>,
    pid: u32,
    mut stops: mpsc::UnboundedReceiver<Patience>,
    tell: watch::Sender<Life>,
) {
    let mut exit = None;
    let patience = loop {
        tokio::select! {
            status = child.wait(), if exit.is_none() => {
                exit = Some(of(status));
                tell.send_modify(|life| life.exit = exit);
            }
            stop = stops.recv() => break stop.unwrap_or_default(),
        }
    };
    let mut force = Force::None;
    if exit.is_none() {
        exit = within(patience.input, child.wait()).await;
    }
    if exit.is_none() {
        force = Force::Killed;
    }
    // Also what a server that ended by itself has left in its job.
    let _ = child.start_kill();
    if exit.is_none() {
        exit = within(patience.kill, child.wait()).await;
    }
    let left = exit.is_none().then_some(LeftRunning {
        pid,
        argv: Vec::new(),
    });
    let ending = Ending {
        exit: exit.unwrap_or(Exit::Unknown),
        force,
        left_running: left.into_iter().collect(),
    };
    tell.send_modify(|life| {
        life.exit = Some(ending.exit);
        life.ended = Some(ending);
    });
}

async fn within(
    patience: Duration,
    wait: impl Future<Output = io::Result<ExitStatus>>,
) -> Option<Exit> {
    timeout(patience, wait).await.ok().map(of)
}

fn of(status: io::Result<ExitStatus>) -> Exit {
    let code = status.ok().and_then(|status| status.code());
    code.map_or(Exit::Unknown, Exit::Code)
}

/// The file that `command` names for a process in `cwd` with `env`.
fn find(command: &OsStr, cwd: &Path, env: &[(OsString, OsString)]) -> Result<PathBuf, SpawnError> {
    if command.is_empty() {
        return Err(SpawnError::NoCommand);
    }
    let value = |wanted: &str| {
        let mut variables = env.iter().rev();
        let found = variables.find(|(name, _)| name.eq_ignore_ascii_case(wanted));
        found.and_then(|(_, value)| value.to_str())
    };
    let words = command.to_str().zip(cwd.to_str());
    let candidates =
        words.map(|(command, cwd)| candidates(command, cwd, value("PATH"), value("PATHEXT")));
    let mut candidates = candidates
        .unwrap_or_default()
        .into_iter()
        .map(PathBuf::from);
    match candidates.find(|candidate| candidate.is_file()) {
        Some(found) => Ok(found),
        None => Err(SpawnError::NotOnPath(command.to_owned())),
    }
}
