//! The life of one server, and its end.

use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid,
};

use crate::Exit;
use crate::process::table::{self, Family, Seen};
use crate::process::wire::Order;
use crate::process::{Ending, Force, LeftRunning, MARK, Patience};

/// So long those that a server leaves behind have to end by themselves once it has: often they are about to.
const GRACE: Duration = Duration::from_millis(100);

/// How often it is looked whether they have, where no signal tells.
const TICK: Duration = Duration::from_millis(5);

/// A server's process and what came of it.
pub(super) struct Server {
    child: Child,
    pid: Pid,
    mark: Option<Vec<u8>>,
    family: Family,
    exit: Option<(Exit, Instant)>,
    patience: Patience,
    phase: Phase,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Running,
    /// Its input has ended.
    Ending(Instant),
    /// SIGTERM was sent.
    Terminating(Instant),
    /// SIGKILL was sent.
    Killing(Instant),
}

impl Server {
    /// Starts what `order` says with these standard streams, in a process group of its own.
    pub(super) fn start(
        order: Order,
        [stdin, stdout, stderr]: [OwnedFd; 3],
    ) -> Result<Server, i32> {
        let mark = order.env.iter().rev().find(|(name, _)| name == MARK);
        let mark = mark.map(|(name, value)| {
            [name.as_encoded_bytes(), b"=", value.as_encoded_bytes()].concat()
        });
        let mut command = Command::new(&order.program);
        let mut words = order.argv.into_iter();
        if let Some(name) = words.next() {
            command.arg0(name);
        }
        let child = command
            .args(words)
            .env_clear()
            .envs(order.env)
            .current_dir(order.cwd)
            .stdin(Stdio::from(stdin))
            .stdout(Stdio::from(stdout))
            .stderr(Stdio::from(stderr))
            .process_group(0)
            .spawn();
        let unknown = rustix::io::Errno::INVAL.raw_os_error();
        let child = child.map_err(|error| error.raw_os_error().unwrap_or(unknown))?;
        let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else {
            return Err(unknown);
        };
        let family = Family {
            leader: child.id(),
            since: table::of(child.id()).map_or(0, |seen| seen.start),
            ..Family::default()
        };
        Ok(Server {
            child,
            pid,
            mark,
            family,
            exit: None,
            patience: Patience::default(),
            phase: Phase::Running,
        })
    }

    /// Its process id.
    pub(super) fn pid(&self) -> u32 {
        self.family.leader
    }

    /// How its process ended, the first time this is seen. It is not reaped yet: as long as it is not, nobody else gets its number,
    /// which is also that of its group.
    pub(super) fn notice_exit(&mut self, now: Instant) -> Option<Exit> {
        if self.exit.is_some() {
            return None;
        }
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let exit = match waitid(WaitId::Pid(self.pid), options) {
            Ok(None) => return None,
            Ok(Some(status)) => match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => Exit::Code(code),
                (None, Some(signal)) => Exit::Signal(signal),
                (None, None) => Exit::Unknown,
            },
            Err(rustix::io::Errno::INTR) => return None,
            Err(_) => Exit::Unknown,
        };
        self.exit = Some((exit, now));
        Some(exit)
    }

    /// Begins to end it, unless that is being done. Its input has ended, or is about to.
    pub(super) fn stop(&mut self, patience: Patience, now: Instant) {
        if self.phase != Phase::Running {
            return;
        }
        self.patience = patience;
        self.phase = Phase::Ending(now);
        if self.exit.is_none() {
            // Who descends from it can be told only as long as it lives.
            let descendants = table::below(self.pid(), |_| false).unwrap_or_default();
            self.family.members(&descendants, |_| false);
        }
    }

    /// Whether the next step needs to know who belongs to it.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        match self.deadline() {
            None => false,
            Some(deadline) => self.exit.is_some() || deadline <= now,
        }
    }

    /// When it is to be looked at again, if nothing else happens.
    pub(super) fn wakes(&self, now: Instant) -> Option<Instant> {
        let deadline = self.deadline()?;
        Some(match self.exit {
            Some(_) => deadline.min(now + TICK),
            None => deadline,
        })
    }

    fn deadline(&self) -> Option<Instant> {
        Some(match self.phase {
            Phase::Running => return None,
            Phase::Ending(since) => {
                let deadline = since + self.patience.input;
                self.exit
                    .map_or(deadline, |(_, at)| deadline.min(at.max(since) + GRACE))
            }
            Phase::Terminating(since) => since + self.patience.terminate,
            Phase::Killing(since) => since + self.patience.kill,
        })
    }

    /// Who of `seen` lives and came of it. Those that are plainly a server of their own, by `other`, are not asked for their mark.
    pub(super) fn members(&mut self, seen: &[Seen], other: impl Fn(&Seen) -> bool) -> Vec<Seen> {
        let mark = self.mark.as_deref();
        self.family.members(seen, |process| {
            !other(process) && mark.is_some_and(|mark| table::inherits(process.pid, mark))
        })
    }

    /// Goes on ending it, where `members` live besides its own process. Once it is over, says how it went.
    pub(super) fn step(&mut self, members: &[Seen], now: Instant) -> Option<Ending> {
        let force = match self.phase {
            Phase::Running => return None,
            Phase::Ending(_) => Force::None,
            Phase::Terminating(_) => Force::Terminated,
            Phase::Killing(_) => Force::Killed,
        };
        let over = self.exit.is_some() && members.is_empty();
        let late = self.deadline().is_some_and(|deadline| deadline <= now);
        if over || (late && force == Force::Killed) {
            return Some(self.over(force, members));
        }
        match force {
            Force::None if late => {
                self.signal(members, Signal::TERM);
                self.phase = Phase::Terminating(now);
            }
            Force::Terminated if late => {
                self.signal(members, Signal::KILL);
                self.phase = Phase::Killing(now);
            }
            // Who was started in the meantime.
            Force::Killed => self.signal(members, Signal::KILL),
            _ => {}
        }
        None
    }

    fn over(&mut self, force: Force, members: &[Seen]) -> Ending {
        let exit = self.exit.map(|(exit, _)| exit);
        if exit.is_some() {
            // It has ended, so that this does not wait.
            let _ = self.child.wait();
        }
        let immortal = exit.is_none().then_some(self.pid());
        let members = members.iter().map(|process| process.pid);
        Ending {
            exit: exit.unwrap_or(Exit::Unknown),
            force,
            left_running: immortal
                .into_iter()
                .chain(members)
                .map(|pid| LeftRunning {
                    pid,
                    argv: table::argv(pid),
                })
                .collect(),
        }
    }

    /// Sends `signal` to its group and to those who left the group. Who is not there any more does not get it.
    fn signal(&self, members: &[Seen], signal: Signal) {
        let leader = self.pid();
        let grouped = members.iter().any(|process| process.group == leader);
        if grouped || self.exit.is_none() {
            let _ = kill_process_group(self.pid, signal);
        }
        let left_its_group = || table::of(leader).is_some_and(|seen| seen.group != leader);
        if self.exit.is_none() && left_its_group() {
            let _ = kill_process(self.pid, signal);
        }
        for process in members.iter().filter(|process| process.group != leader) {
            send(process, signal);
        }
    }
}

/// Sends `signal` to `process`, if its number has not gone to another.
pub(in crate::process) fn send(process: &Seen, signal: Signal) {
    let same = table::of(process.pid).is_some_and(|now| now.start == process.start);
    let pid = i32::try_from(process.pid).ok().and_then(Pid::from_raw);
    if let (true, Some(pid)) = (same, pid) {
        let _ = kill_process(pid, signal);
    }
}
