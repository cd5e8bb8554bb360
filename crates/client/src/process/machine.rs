//! The processes of this user, to be shown, and ending those that nobody needs any more.

use std::time::{Duration, Instant};

use muster_core::Fate;
use rustix::process::Signal;

use super::table::{self, Seen};

/// How often it is looked whether a process has ended.
const TICK: Duration = Duration::from_millis(10);

/// All processes of this user.
pub fn processes() -> Vec<muster_core::Process> {
    table::of_user()
}

/// Ends the processes with these ids and starts: none other, even if their numbers go to others meanwhile. Waits `patience` for each of
/// the two steps.
pub fn end(processes: &[(u32, u64)], patience: Duration) -> Vec<Fate> {
    let targets: Vec<Option<Target>> = processes.iter().map(Target::find).collect();
    let mut outcomes: Vec<Fate> = targets
        .iter()
        .map(|target| target.as_ref().map_or(Fate::Gone, |_| Fate::Left))
        .collect();
    let steps = [
        (Signal::TERM, Fate::Terminated),
        (Signal::KILL, Fate::Killed),
    ];
    for (signal, outcome) in steps {
        let left: Vec<usize> = (0..targets.len())
            .filter(|at| outcomes.get(*at) == Some(&Fate::Left))
            .collect();
        for target in left.iter().filter_map(|at| targets.get(*at)?.as_ref()) {
            target.send(signal);
        }
        let until = Instant::now() + patience;
        loop {
            let mut waits = false;
            for at in &left {
                if let (Some(Some(target)), Some(known)) = (targets.get(*at), outcomes.get_mut(*at))
                    && *known == Fate::Left
                {
                    match target.lives() {
                        true => waits = true,
                        false => *known = outcome,
                    }
                }
            }
            if !waits || Instant::now() >= until {
                break;
            }
            std::thread::sleep(TICK);
        }
    }
    outcomes
}

struct Target {
    seen: Seen,
    /// Names the process itself, not its number.
    #[cfg(target_os = "linux")]
    handle: Option<std::os::fd::OwnedFd>,
}

impl Target {
    fn find((pid, start): &(u32, u64)) -> Option<Target> {
        #[cfg(target_os = "linux")]
        let handle = i32::try_from(*pid)
            .ok()
            .and_then(rustix::process::Pid::from_raw)
            .and_then(|pid| {
                rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
            });
        // Looked at after it was opened: what is opened is then what was meant.
        let seen = table::of(*pid).filter(|seen| seen.start == *start && !seen.dead)?;
        Some(Target {
            seen,
            #[cfg(target_os = "linux")]
            handle,
        })
    }

    fn send(&self, signal: Signal) {
        #[cfg(target_os = "linux")]
        if let Some(handle) = &self.handle {
            let _ = rustix::process::pidfd_send_signal(handle, signal);
            return;
        }
        super::supervise::send(&self.seen, signal);
    }

    fn lives(&self) -> bool {
        table::of(self.seen.pid).is_some_and(|now| now.start == self.seen.start && !now.dead)
    }
}
