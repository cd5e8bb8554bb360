//! Muster's side of the supervising process.

use std::collections::{HashMap, VecDeque};
use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::io::Errno;
use rustix::net::Shutdown;
use tokio::io::Interest;
use tokio::net::UnixStream;
use tokio::net::unix::pipe;
use tokio::sync::{mpsc, watch};

use super::handle::{Hold, Process, Started};
use super::stderr::{Tail, drain};
use super::supervise::{self, Role};
use super::wire::{Frames, Order, Report, Request};
use super::{Ending, LeftRunning, MARK, SUPERVISE, Spawn, SpawnError, program, socket};
use crate::{Exit, Teller};

/// So long the supervising process has to say that it is there.
const GREETING: Duration = Duration::from_secs(2);

/// So often, and so far apart, a program is tried that somebody is still writing.
const BUSY: (u32, Duration) = (10, Duration::from_millis(20));

/// So long ending everything can take: three seconds for servers, two for what no server could be found for, and a busy machine.
const LONGEST: Duration = Duration::from_secs(10);

/// So much is read at once.
const CHUNK: usize = 4 * 1024;

/// The program that becomes the supervising process: one that calls [`supervise()`](super::supervise()) and does nothing else.
#[derive(Debug, Clone)]
pub struct SupervisorProgram {
    /// The file.
    pub path: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
}

impl SupervisorProgram {
    /// The program that runs here, asked with [`SUPERVISE`]; `None` where it cannot be said which file that is.
    pub fn itself() -> Option<SupervisorProgram> {
        // On Linux also where the file was replaced since, as by an update.
        let running = PathBuf::from("/proc/self/exe");
        let path = match running.exists() {
            true => running,
            false => std::env::current_exe().ok()?,
        };
        Some(SupervisorProgram {
            path,
            args: vec![OsString::from(SUPERVISE)],
        })
    }
}

/// Starts servers, and ends them. There is one for all servers of a run; when the last of its clones and processes is dropped, and also
/// when Muster is killed, everything that was started is ended.
#[derive(Debug, Clone)]
pub struct Supervisor(Arc<Link>);

/// The way to the supervising process.
#[derive(Debug)]
pub(super) struct Link {
    /// What the marks of this run's servers begin with.
    run: String,
    next: AtomicU32,
    asks: mpsc::UnboundedSender<Ask>,
    lives: Lives,
    gone: watch::Receiver<Option<Vec<LeftRunning>>>,
    program: Mutex<Option<Child>>,
    within: Option<String>,
}

#[derive(Debug)]
enum Ask {
    Request(Vec<u8>, Vec<OwnedFd>),
    Close,
}

type Lives = Arc<Mutex<HashMap<u32, watch::Sender<Life>>>>;

/// What is known of a server.
#[derive(Debug, Clone, Default)]
pub(super) struct Life {
    /// Its process id, or why it was not started.
    pub(super) started: Option<Result<u32, i32>>,
    /// How its process ended.
    pub(super) exit: Option<Exit>,
    /// How it was ended.
    pub(super) ended: Option<Ending>,
    /// Nothing more will be known.
    pub(super) lost: bool,
}

impl Supervisor {
    /// Starts the supervising process. Where there is none, or it cannot be started, servers are supervised from within Muster
    /// ([`Supervisor::within`]).
    ///
    /// # Errors
    /// Not even a thread, or a socket, is to be had.
    pub async fn start(program: Option<&SupervisorProgram>) -> io::Result<Supervisor> {
        let apart = match program {
            Some(program) => start_apart(program).await,
            None => Err("there is no program for it".to_owned()),
        };
        let (stream, frames, child, within) = match apart {
            Ok((stream, frames, child)) => (stream, frames, Some(child), None),
            Err(why) => {
                let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
                std::thread::Builder::new()
                    .name("supervisor".to_owned())
                    .spawn(move || supervise::run(theirs, Role::Thread))?;
                ours.set_nonblocking(true)?;
                let stream = UnixStream::from_std(ours)?;
                (stream, Frames::default(), None, Some(why))
            }
        };
        let (asks, asked) = mpsc::unbounded_channel();
        let (end, gone) = watch::channel(None);
        let lives = Lives::default();
        tokio::spawn(converse(stream, frames, asked, lives.clone(), end));
        Ok(Supervisor(Arc::new(Link {
            run: run_name(),
            next: AtomicU32::new(1),
            asks,
            lives,
            gone,
            program: Mutex::new(child),
            within,
        })))
    }

    /// Why servers are supervised from within Muster, so that they may outlive it where it is killed; `None` where a process of its own
    /// watches over them.
    pub fn within(&self) -> Option<&str> {
        self.0.within.as_deref()
    }

    /// Starts a server, whose standard error is told to `teller`. A server that is dropped is ended.
    ///
    /// # Errors
    /// [`SpawnError`]: it was not started.
    pub async fn spawn(&self, spawn: Spawn, teller: Teller) -> Result<Started, SpawnError> {
        let Spawn {
            argv,
            cwd,
            mut env,
            stderr_tail,
        } = spawn;
        let variables = env.iter().flat_map(|(name, value)| [name, value]);
        if argv
            .iter()
            .chain(variables)
            .any(|word| word.as_bytes().contains(&0))
        {
            return Err(SpawnError::Nul);
        }
        if !cwd.is_dir() {
            return Err(SpawnError::NoFolder(cwd));
        }
        let command = argv.first().ok_or(SpawnError::NoCommand)?;
        let program = program::find(command, &cwd, &env)?;
        let number = self.0.next.fetch_add(1, Ordering::Relaxed);
        let mark = format!("{}.{number}", self.0.run);
        env.push((OsString::from(MARK), OsString::from(&mark)));
        let mut order = Order {
            program: program.clone().into_os_string(),
            argv,
            cwd: cwd.into_os_string(),
            env,
        };
        let mut busy = 0;
        let tail = Arc::new(Tail::new(stderr_tail));
        loop {
            let refused = match self.0.try_start(&mark, order.clone()).await {
                Ok((hold, pid, [stdin, stdout, stderr])) => {
                    let stdin = pipe::Sender::from_owned_fd(stdin).map_err(SpawnError::System)?;
                    let [stdout, stderr] = [stdout, stderr].map(pipe::Receiver::from_owned_fd);
                    let stderr = stderr.map_err(SpawnError::System)?;
                    let draining = drain(stderr, tail.clone(), teller);
                    return Ok(Started {
                        process: Process::new(hold, pid, tail, draining),
                        stdin: Box::new(stdin),
                        stdout: Box::new(stdout.map_err(SpawnError::System)?),
                    });
                }
                Err(Failure::Refused(error)) => error,
                Err(Failure::Other(error)) => return Err(error),
            };
            match Errno::from_raw_os_error(refused) {
                Errno::TXTBSY if busy < BUSY.0 => {
                    busy += 1;
                    tokio::time::sleep(BUSY.1).await;
                }
                // A script without a first line that says who reads it: a shell does.
                Errno::NOEXEC if order.program != "/bin/sh" && program::is_script(&program) => {
                    let words = order.argv.into_iter().skip(1);
                    order.argv = [OsString::from("/bin/sh"), order.program]
                        .into_iter()
                        .chain(words)
                        .collect();
                    order.program = OsString::from("/bin/sh");
                }
                _ => return Err(program::explain(&program, refused)),
            }
        }
    }

    /// Ends everything that still runs, and the supervising process; what could not be ended.
    pub async fn close(self) -> Vec<LeftRunning> {
        // Where nobody hears it, it is gone already.
        let _ = self.0.asks.send(Ask::Close);
        let mut gone = self.0.gone.clone();
        let gone = tokio::time::timeout(LONGEST, gone.wait_for(Option::is_some)).await;
        let left = match gone {
            Ok(Ok(left)) => left.clone().unwrap_or_default(),
            Ok(Err(_)) => Vec::new(),
            // Somebody has stopped it. It ends everything when it goes on: Muster is gone then.
            Err(_) => return Vec::new(),
        };
        let program = self.0.program.lock();
        let program = program.unwrap_or_else(PoisonError::into_inner).take();
        if let Some(mut program) = program {
            // Its last word was said: nothing is left to wait for but the system.
            let _ = tokio::task::spawn_blocking(move || program.wait()).await;
        }
        left
    }
}

/// Why one try did not start a server.
enum Failure {
    Refused(i32),
    Other(SpawnError),
}

impl Link {
    /// Starts `order` once; the hold on the server, its process id, and our ends of its standard streams.
    async fn try_start(
        self: &Arc<Self>,
        mark: &str,
        order: Order,
    ) -> Result<(Hold, u32, [OwnedFd; 3]), Failure> {
        let system = |error| Failure::Other(SpawnError::System(error));
        let (their_stdin, stdin) = io::pipe().map_err(system)?;
        let (stdout, their_stdout) = io::pipe().map_err(system)?;
        let (stderr, their_stderr) = io::pipe().map_err(system)?;
        let theirs = vec![their_stdin.into(), their_stdout.into(), their_stderr.into()];
        let ours = [stdin.into(), stdout.into(), stderr.into()];
        // Numbers are of tries, not of servers: a try that was refused is over.
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (tell, mut life) = watch::channel(Life::default());
        self.lives().insert(number, tell);
        let hold = Hold::new(self.clone(), number, mark.to_owned(), life.clone());
        let request = Request::Start(number, order).encode();
        if self.asks.send(Ask::Request(request, theirs)).is_err() {
            return Err(Failure::Other(SpawnError::Unsupervised));
        }
        let known = life
            .wait_for(|life| life.started.is_some() || life.lost)
            .await;
        match known.ok().and_then(|life| life.started) {
            Some(Ok(pid)) => Ok((hold, pid, ours)),
            Some(Err(error)) => Err(Failure::Refused(error)),
            None => Err(Failure::Other(SpawnError::Unsupervised)),
        }
    }

    /// Asks something of the supervising process. Where it is gone, that is known by other ways.
    pub(super) fn ask(&self, request: &Request) {
        let _ = self.asks.send(Ask::Request(request.encode(), Vec::new()));
    }

    fn lives(&self) -> std::sync::MutexGuard<'_, HashMap<u32, watch::Sender<Life>>> {
        self.lives.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A name for what this run starts, which no other run has.
fn run_name() -> String {
    let now = std::time::SystemTime::now();
    let since = now.duration_since(std::time::UNIX_EPOCH);
    let nanos = since.map_or(0, |since| since.as_nanos());
    format!("{}-{nanos:x}", std::process::id())
}

/// Starts `program` as the supervising process and waits until it is there.
async fn start_apart(program: &SupervisorProgram) -> Result<(UnixStream, Frames, Child), String> {
    let (ours, theirs) =
        std::os::unix::net::UnixStream::pair().map_err(|error| error.to_string())?;
    let mut child = Command::new(&program.path)
        .arg0("muster")
        .args(&program.args)
        // It needs nothing of it, and shows its own to everybody who may look.
        .env_clear()
        .stdin(OwnedFd::from(theirs))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let greeted = async {
        ours.set_nonblocking(true)?;
        let stream = UnixStream::from_std(ours)?;
        let mut frames = Frames::default();
        loop {
            stream.readable().await?;
            if !read(&stream, &mut frames)? {
                return Err(io::Error::other("it ended at once"));
            }
            match frames.next().ok().flatten().as_deref().map(Report::decode) {
                None => {}
                Some(Some(Report::Ready)) => return Ok((stream, frames)),
                Some(_) => return Err(io::Error::other("it speaks another language")),
            }
        }
    };
    let why = match tokio::time::timeout(GREETING, greeted).await {
        Ok(Ok((stream, frames))) => return Ok((stream, frames, child)),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "it says nothing".to_owned(),
    };
    let _ = child.kill();
    let _ = child.wait();
    Err(why)
}

/// Reads what there is into `frames`; false at the end.
fn read(stream: &UnixStream, frames: &mut Frames) -> io::Result<bool> {
    let mut buffer = [0; CHUNK];
    loop {
        match stream.try_read(&mut buffer) {
            Ok(0) => return Ok(false),
            Ok(length) => frames.push(buffer.get(..length).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(true),
            Err(error) => return Err(error),
        }
    }
}

/// A request on its way.
struct Sending {
    bytes: Vec<u8>,
    sent: usize,
    files: Vec<OwnedFd>,
}

/// Carries requests to the supervising process, and what it reports to whoever waits for it.
async fn converse(
    stream: UnixStream,
    mut frames: Frames,
    mut asked: mpsc::UnboundedReceiver<Ask>,
    lives: Lives,
    end: watch::Sender<Option<Vec<LeftRunning>>>,
) {
    let mut sending: VecDeque<Sending> = VecDeque::new();
    let mut left = Vec::new();
    let mut closing = false;
    let mut shut = false;
    loop {
        if closing && sending.is_empty() && !shut {
            shut = true;
            let _ = rustix::net::shutdown(&stream, Shutdown::Write);
        }
        let interest = match sending.is_empty() {
            true => Interest::READABLE,
            false => Interest::READABLE | Interest::WRITABLE,
        };
        tokio::select! {
            ready = stream.ready(interest) => {
                let Ok(ready) = ready else { break };
                if ready.is_writable() && send(&stream, &mut sending).is_err() {
                    break;
                }
                let more = !ready.is_readable() || read(&stream, &mut frames).unwrap_or(false);
                while let Ok(Some(payload)) = frames.next() {
                    match Report::decode(&payload) {
                        Some(Report::Gone(processes)) => left = processes,
                        Some(report) => hear(report, &lives),
                        None => {}
                    }
                }
                if !more {
                    break;
                }
            }
            ask = asked.recv(), if !closing => match ask {
                Some(Ask::Request(bytes, files)) => {
                    sending.push_back(Sending { bytes, sent: 0, files });
                }
                Some(Ask::Close) | None => closing = true,
            },
        }
    }
    // Whoever asks from now on is told at once that nobody takes requests any more, and whoever asked before is known.
    drop(asked);
    let mut lives = lives.lock().unwrap_or_else(PoisonError::into_inner);
    for (_, life) in lives.drain() {
        life.send_modify(|life| life.lost = true);
    }
    drop(lives);
    end.send_replace(Some(left));
}

/// Sends what the supervising process takes now. The files of a request go with its first byte.
fn send(stream: &UnixStream, sending: &mut VecDeque<Sending>) -> io::Result<()> {
    while let Some(next) = sending.front_mut() {
        let sent = stream.try_io(Interest::WRITABLE, || {
            let files: Vec<_> = next.files.iter().map(AsFd::as_fd).collect();
            let rest = next.bytes.get(next.sent..).unwrap_or_default();
            Ok(socket::send(stream, rest, &files)?)
        });
        match sent {
            Ok(sent) => {
                next.files.clear();
                next.sent += sent;
                if next.sent >= next.bytes.len() {
                    sending.pop_front();
                }
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Tells whoever waits for it what the supervising process reports.
fn hear(report: Report, lives: &Lives) {
    let mut lives = lives.lock().unwrap_or_else(PoisonError::into_inner);
    let of = |number: u32, change: &dyn Fn(&mut Life)| {
        if let Some(life) = lives.get(&number) {
            life.send_modify(change);
        }
    };
    match report {
        Report::Started(number, pid) => of(number, &|life| life.started = Some(Ok(pid))),
        Report::Exited(number, exit) => of(number, &|life| life.exit = Some(exit)),
        Report::Refused(number, error) => {
            of(number, &|life| life.started = Some(Err(error)));
            lives.remove(&number);
        }
        Report::Ended(number, ending) => {
            of(number, &|life| life.ended = Some(ending.clone()));
            lives.remove(&number);
        }
        Report::Ready | Report::Gone(_) => {}
    }
}
