//! The supervising process. It starts the servers, so that whatever leaves its parent becomes a child of it (on Linux it is their
//! *subreaper*), and ends them when Muster asks or is gone, however Muster came to be gone.
//!
//! One thread, one loop, no runtime: it waits for Muster's requests, for ended children and for the next deadline. Where the process
//! cannot be started the same loop runs in a thread of Muster itself, which then ends everything but when Muster is killed.

mod server;

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, WaitOptions, waitpid};
use signal_hook::SigId;
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};

use self::server::Server;
use super::table::{self, Seen};
use super::wire::{Frames, Report, Request};
use super::{LeftRunning, Patience, rescue, socket};

pub(super) use self::server::send;

/// So much is read at once.
const CHUNK: usize = 64 * 1024;

/// Where the loop runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// In a process of its own.
    Process,
    /// In a thread of Muster.
    Thread,
}

/// The whole of the supervising process: what the program of [`SupervisorProgram`](super::SupervisorProgram) does, with the
/// socket that it is given as its standard input. Call it before anything else is done.
pub fn supervise() -> ExitCode {
    if rustix::net::sockopt::socket_type(io::stdin()).is_err() {
        // Not started by Muster.
        return ExitCode::from(2);
    }
    // Out of the reach of Muster's terminal, and of the folder it was started in.
    let _ = rustix::process::setsid();
    let _ = std::env::set_current_dir("/");
    #[cfg(target_os = "linux")]
    {
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        // It was executed by a path that says nothing.
        let _ = rustix::thread::set_name(c"muster");
    }
    let done = io::stdin()
        .as_fd()
        .try_clone_to_owned()
        .and_then(|socket| run(UnixStream::from(socket), Role::Process));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(2),
    }
}

/// Serves Muster at the other end of `socket` until it is gone, and everything that it had started is.
pub(super) fn run(socket: UnixStream, role: Role) -> io::Result<()> {
    socket.set_nonblocking(true)?;
    let children = Bell::of(&[SIGCHLD])?;
    let quit = match role {
        Role::Process => Bell::of(&[SIGTERM, SIGINT, SIGHUP])?,
        Role::Thread => Bell::of(&[])?,
    };
    let mut supervision = Supervision {
        socket,
        role,
        frames: Frames::default(),
        files: VecDeque::new(),
        unsent: VecDeque::new(),
        servers: BTreeMap::new(),
        ends: false,
    };
    supervision.tell(&Report::Ready);
    while !(supervision.ends && supervision.servers.is_empty()) {
        supervision.wait(&children, &quit)?;
        if quit.rang() {
            supervision.end();
        }
        supervision.listen();
        children.rang();
        supervision.look_after_children();
        supervision.step();
        supervision.flush();
    }
    let left = supervision.sweep();
    supervision.tell(&Report::Gone(left));
    supervision.flush();
    Ok(())
}

struct Supervision {
    socket: UnixStream,
    role: Role,
    frames: Frames,
    files: VecDeque<OwnedFd>,
    unsent: VecDeque<u8>,
    servers: BTreeMap<u32, Server>,
    /// Muster is gone, or this process is to go.
    ends: bool,
}

impl Supervision {
    /// Waits until there is something to do.
    fn wait(&self, children: &Bell, quit: &Bell) -> io::Result<()> {
        let now = Instant::now();
        let wakes = self.servers.values().filter_map(|server| server.wakes(now));
        let timeout = wakes.min().map(|at| {
            // Not a little too early, which would make the loop spin.
            let left = at.saturating_duration_since(now) + Duration::from_micros(500);
            Timespec {
                tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
                tv_nsec: left.subsec_nanos().into(),
            }
        });
        let mut interest = PollFlags::empty();
        if !self.ends {
            interest |= PollFlags::IN;
        }
        if !self.unsent.is_empty() {
            interest |= PollFlags::OUT;
        }
        let mut fds = vec![
            PollFd::new(&children.listen, PollFlags::IN),
            PollFd::new(&quit.listen, PollFlags::IN),
        ];
        // A socket whose other end is gone is always ready.
        if !interest.is_empty() {
            fds.push(PollFd::new(&self.socket, interest));
        }
        match poll(&mut fds, timeout.as_ref()) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Takes what Muster asks.
    fn listen(&mut self) {
        let mut buffer = vec![0; CHUNK];
        while !self.ends {
            match socket::receive(&self.socket, &mut buffer, &mut self.files) {
                Ok(0) => self.end(),
                Ok(length) => self.frames.push(buffer.get(..length).unwrap_or_default()),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(_) => self.end(),
            }
            loop {
                match self.frames.next() {
                    Ok(None) => break,
                    Ok(Some(payload)) => self.obey(Request::decode(&payload)),
                    Err(_) => {
                        self.end();
                        break;
                    }
                }
            }
        }
    }

    fn obey(&mut self, request: Option<Request>) {
        match request {
            Some(Request::Start(number, order)) => {
                let files = (
                    self.files.pop_front(),
                    self.files.pop_front(),
                    self.files.pop_front(),
                );
                let started = match files {
                    (Some(stdin), Some(stdout), Some(stderr)) => {
                        Server::start(order, [stdin, stdout, stderr])
                    }
                    _ => Err(Errno::BADF.raw_os_error()),
                };
                match started {
                    Ok(server) => {
                        self.tell(&Report::Started(number, server.pid()));
                        self.servers.insert(number, server);
                    }
                    Err(error) => self.tell(&Report::Refused(number, error)),
                }
            }
            Some(Request::Stop(number, patience)) => {
                if let Some(server) = self.servers.get_mut(&number) {
                    server.stop(patience, Instant::now());
                }
            }
            // It is another Muster than the one this was made for: nothing can be agreed on.
            None => self.end(),
        }
    }

    /// Ends every server; nothing more is taken from Muster.
    fn end(&mut self) {
        self.ends = true;
        self.files.clear();
        let now = Instant::now();
        for server in self.servers.values_mut() {
            server.stop(Patience::default(), now);
        }
    }

    /// Whether whatever leaves a server becomes a child of this process.
    fn adopts(&self) -> bool {
        cfg!(target_os = "linux") && self.role == Role::Process
    }

    /// Notices which servers have ended, and buries what had left them.
    fn look_after_children(&mut self) {
        let now = Instant::now();
        let mut exits = Vec::new();
        for (number, server) in &mut self.servers {
            exits.extend(
                server
                    .notice_exit(now)
                    .map(|exit| Report::Exited(*number, exit)),
            );
        }
        for exit in exits {
            self.tell(&exit);
        }
        if self.adopts() {
            let mut children = table::children(std::process::id()).unwrap_or_default();
            children.retain(|pid| !self.servers.values().any(|server| server.pid() == *pid));
            children.into_iter().for_each(bury);
        }
    }

    /// Goes on with ending what is being ended.
    fn step(&mut self) {
        let now = Instant::now();
        let due = |server: &Server| server.is_due(now);
        if !self.servers.values().any(due) {
            return;
        }
        let seen = self.seen(now);
        let leaders: Vec<u32> = self.servers.values().map(Server::pid).collect();
        let other =
            |process: &Seen| leaders.contains(&process.pid) || leaders.contains(&process.parent);
        let mut endings = Vec::new();
        for (number, server) in self.servers.iter_mut().filter(|(_, server)| due(server)) {
            let members = server.members(&seen, other);
            endings.extend(server.step(&members, now).map(|ending| (*number, ending)));
        }
        for (number, ending) in endings {
            self.servers.remove(&number);
            self.tell(&Report::Ended(number, ending));
        }
    }

    /// The processes that may belong to a server that is due.
    fn seen(&self, now: Instant) -> Vec<Seen> {
        if self.adopts() {
            let passed = |pid| {
                let mut servers = self.servers.values();
                servers.any(|server| server.pid() == pid && !server.is_due(now))
            };
            if let Some(seen) = table::below(std::process::id(), passed) {
                return seen;
            }
        }
        table::all()
    }

    /// Ends what no server could be found for: it left its group, its parents and its environment. What is left even then.
    fn sweep(&mut self) -> Vec<LeftRunning> {
        if !self.adopts() {
            return Vec::new();
        }
        let patience = Patience {
            input: Duration::ZERO,
            ..Patience::default()
        };
        let (_, left) = rescue::sweep(patience, || {
            let mut left = table::below(std::process::id(), |_| false).unwrap_or_default();
            for seen in left.extract_if(.., |seen| seen.dead) {
                bury(seen.pid);
            }
            left
        });
        left
    }

    fn tell(&mut self, report: &Report) {
        self.unsent.extend(report.encode());
    }

    /// Sends what Muster takes; whoever is gone takes everything.
    fn flush(&mut self) {
        while !self.unsent.is_empty() {
            let (next, _) = self.unsent.as_slices();
            match socket::send(&self.socket, next, &[]) {
                Ok(sent) => drop(self.unsent.drain(..sent)),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => {
                    self.unsent.clear();
                    self.end();
                }
            }
        }
    }
}

/// Asks how the child `pid` ended, if it did, so that it is gone.
fn bury(pid: u32) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        let _ = waitpid(Some(pid), WaitOptions::NOHANG);
    }
}

/// Tells that a signal came.
struct Bell {
    listen: UnixStream,
    // Without it the other end would be forever ready to be read.
    _ring: UnixStream,
    signals: Vec<SigId>,
}

impl Bell {
    fn of(signals: &[i32]) -> io::Result<Bell> {
        let (listen, ring) = UnixStream::pair()?;
        listen.set_nonblocking(true)?;
        let signals = signals
            .iter()
            .map(|signal| signal_hook::low_level::pipe::register(*signal, ring.try_clone()?))
            .collect::<io::Result<_>>()?;
        Ok(Bell {
            listen,
            _ring: ring,
            signals,
        })
    }

    /// Whether it rang since it was asked last.
    fn rang(&self) -> bool {
        let mut rang = false;
        let mut buffer = [0; 64];
        while matches!((&self.listen).read(&mut buffer), Ok(length) if length > 0) {
            rang = true;
        }
        rang
    }
}

impl Drop for Bell {
    fn drop(&mut self) {
        for signal in &self.signals {
            signal_hook::low_level::unregister(*signal);
        }
    }
}
