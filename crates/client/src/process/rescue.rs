//! Ending a server whose supervising process is gone: killed, or out of memory.

use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::table::{self, Family, Seen};
use super::{Ending, Force, LeftRunning, MARK, Patience, supervise};
use crate::Exit;

/// How often it is looked who is left.
const TICK: Duration = Duration::from_millis(10);

/// Ends what came of the server that had the process `pid` and the value `mark` of [`MARK`].
pub(super) async fn end(pid: u32, mark: &str, exit: Option<Exit>, patience: Patience) -> Ending {
    let mark = format!("{MARK}={mark}").into_bytes();
    let ended = tokio::task::spawn_blocking(move || {
        let mut family = Family::default();
        sweep(patience, || members(&mut family, pid, &mark))
    });
    let (force, left_running) = ended.await.unwrap_or((Force::Killed, Vec::new()));
    Ending {
        exit: exit.unwrap_or(Exit::Unknown),
        force,
        left_running,
    }
}

/// Who has the mark, or descends from one who has; its number alone proves nothing any more.
fn members(family: &mut Family, pid: u32, mark: &[u8]) -> Vec<Seen> {
    if let Some(leader) = table::of(pid)
        && table::inherits(pid, mark)
    {
        family.leader = pid;
        family.since = leader.start;
        let mut members = family.members(&table::all(), |seen| table::inherits(seen.pid, mark));
        members.extend((!leader.dead).then_some(leader));
        return members;
    }
    // No process has this number.
    family.leader = u32::MAX;
    family.members(&table::all(), |seen| table::inherits(seen.pid, mark))
}

/// Ends whoever `find` finds, and how far that had to go; who is left.
pub(super) fn sweep(
    patience: Patience,
    mut find: impl FnMut() -> Vec<Seen>,
) -> (Force, Vec<LeftRunning>) {
    let steps = [
        (Force::None, None, patience.input),
        (Force::Terminated, Some(Signal::TERM), patience.terminate),
        (Force::Killed, Some(Signal::KILL), patience.kill),
    ];
    let mut left = Vec::new();
    for (force, signal, wait) in steps {
        let until = Instant::now() + wait;
        let mut told = Vec::new();
        loop {
            left = find();
            if left.is_empty() {
                return (force, Vec::new());
            }
            if Instant::now() >= until {
                break;
            }
            if let Some(signal) = signal {
                for process in left.iter().filter(|seen| !told.contains(*seen)) {
                    supervise::send(process, signal);
                }
                told.clone_from(&left);
            }
            std::thread::sleep(TICK);
        }
    }
    let left = left.iter().map(|seen| LeftRunning {
        pid: seen.pid,
        argv: table::argv(seen.pid),
    });
    (Force::Killed, left.collect())
}
