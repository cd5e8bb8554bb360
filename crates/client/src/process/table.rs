//! The processes of this machine, as far as ending servers needs to know them.

use std::collections::HashSet;

/// A process as it was seen. Its id alone does not name it, since ids are used again: id and start do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    /// Its id.
    pub(super) pid: u32,
    /// Who started it, or took it over.
    pub(super) parent: u32,
    /// Its process group.
    pub(super) group: u32,
    /// When it started, in the system's own units; the same as long as it lives.
    pub(super) start: u64,
    /// It has ended, and only its parent has not yet asked how.
    pub(super) dead: bool,
}

/// What is known of the family of one server.
#[derive(Debug, Clone, Default)]
pub(super) struct Family {
    /// The server's own process, which also gave its group the number.
    pub(super) leader: u32,
    /// When that started.
    pub(super) since: u64,
    /// Ids and starts of all that was ever seen to descend from it.
    pub(super) kin: HashSet<(u32, u64)>,
}

impl Family {
    /// Those of `seen` that live and belong to the family, without its leader: members of its group, descendants of its own process or
    /// of other members, and whoever `inherited` the family's mark. They are remembered, since a parent that ends takes the proof of
    /// descent with it.
    pub(super) fn members(
        &mut self,
        seen: &[Seen],
        mut inherited: impl FnMut(&Seen) -> bool,
    ) -> Vec<Seen> {
        let mut family: HashSet<u32> = HashSet::from([self.leader]);
        let mut members: Vec<Seen> = Vec::new();
        let mut rest: Vec<&Seen> = seen
            .iter()
            // What is older than the leader cannot descend from it.
            .filter(|process| process.pid != self.leader && process.start >= self.since)
            .collect();
        let known =
            |kin: &HashSet<(u32, u64)>, process: &Seen| kin.contains(&(process.pid, process.start));
        let kin = std::mem::take(&mut self.kin);
        let mut asked = false;
        loop {
            let before = members.len();
            rest.retain(|process| {
                let belongs = process.group == self.leader
                    || known(&kin, process)
                    || family.contains(&process.parent)
                    || (asked && inherited(process));
                if belongs {
                    family.insert(process.pid);
                    members.push(**process);
                }
                !belongs
            });
            if members.len() == before {
                // Asking for marks is dear: only of those that nothing else says anything of, and once.
                if asked {
                    break;
                }
                asked = true;
            }
        }
        self.kin = members
            .iter()
            .map(|process| (process.pid, process.start))
            .collect();
        members.retain(|process| !process.dead);
        members
    }
}

#[cfg(target_os = "linux")]
pub(super) use linux::{all, argv, below, children, inherits, of};
#[cfg(not(target_os = "linux"))]
pub(super) use other::{all, argv, below, children, inherits, of};

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;

    use muster_document::Secret;

    use super::Seen;

    /// The process `pid`, if there is one.
    pub(in crate::process) fn of(pid: u32) -> Option<Seen> {
        let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
        // The name stands in parentheses and may hold anything, such as more of them.
        let end = stat.iter().rposition(|byte| *byte == b')')?;
        let rest = std::str::from_utf8(stat.get(end + 1..)?).ok()?;
        let mut fields = rest.split_ascii_whitespace();
        let state = fields.next()?;
        let parent = fields.next()?.parse().ok()?;
        let group = fields.next()?.parse().ok()?;
        // proc_pid_stat(5): the start is field 22, the group was field 5.
        let start = fields.nth(16)?.parse().ok()?;
        Some(Seen {
            pid,
            parent,
            group,
            start,
            dead: matches!(state, "Z" | "X"),
        })
    }

    /// All processes.
    pub(in crate::process) fn all() -> Vec<Seen> {
        numbers("/proc").into_iter().filter_map(of).collect()
    }

    /// The children of `pid`, whichever of its threads started them. `None` where the kernel does not list them.
    pub(in crate::process) fn children(pid: u32) -> Option<Vec<u32>> {
        let mut children = Vec::new();
        for thread in numbers(&format!("/proc/{pid}/task")) {
            let list = fs::read_to_string(format!("/proc/{pid}/task/{thread}/children"));
            match list {
                Ok(list) => {
                    children.extend(
                        list.split_ascii_whitespace()
                            .filter_map(|pid| pid.parse::<u32>().ok()),
                    );
                }
                // A thread may end meanwhile; without this feature of the kernel the file is nowhere.
                Err(_) if pid == std::process::id() => return None,
                Err(_) => {}
            }
        }
        Some(children)
    }

    /// The descendants of `root`, without those below which `passed` says not to look, and without those themselves.
    pub(in crate::process) fn below(root: u32, passed: impl Fn(u32) -> bool) -> Option<Vec<Seen>> {
        let mut found: Vec<Seen> = Vec::new();
        let mut open = children(root)?;
        while let Some(pid) = open.pop() {
            // Whoever is taken over while this looks may be met twice.
            if passed(pid) || found.iter().any(|seen| seen.pid == pid) {
                continue;
            }
            if let Some(seen) = of(pid) {
                found.push(seen);
                open.extend(children(pid).unwrap_or_default());
            }
        }
        Some(found)
    }

    /// Whether `pid` was started with the variable assignment `mark`.
    pub(in crate::process) fn inherits(pid: u32, mark: &[u8]) -> bool {
        let env = fs::read(format!("/proc/{pid}/environ"));
        env.is_ok_and(|env| {
            env.split(|byte| *byte == 0)
                .any(|variable| variable == mark)
        })
    }

    /// The command of `pid`, for people.
    pub(in crate::process) fn argv(pid: u32) -> Vec<Secret> {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let line = line.strip_suffix(b"\0").unwrap_or(&line);
        let words = line.split(|byte| *byte == 0);
        words
            .map(|word| Secret::new(String::from_utf8_lossy(word)))
            .collect()
    }

    fn numbers(folder: &str) -> Vec<u32> {
        let Ok(entries) = fs::read_dir(folder) else {
            return Vec::new();
        };
        entries
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
            .collect()
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use std::hash::{DefaultHasher, Hash, Hasher};
    use std::process::{Command, Stdio};

    use muster_document::Secret;

    use super::Seen;

    /// All processes, as `ps` tells.
    pub(in crate::process) fn all() -> Vec<Seen> {
        let told = ps(&["-axo", "pid=,ppid=,pgid=,state=,lstart="]);
        told.lines().filter_map(read).collect()
    }

    /// The process `pid`, if there is one.
    pub(in crate::process) fn of(pid: u32) -> Option<Seen> {
        let told = ps(&[
            "-o",
            "pid=,ppid=,pgid=,state=,lstart=",
            "-p",
            &pid.to_string(),
        ]);
        told.lines().find_map(read)
    }

    /// The children of `pid`. There is no way to ask for them alone.
    pub(in crate::process) fn children(_pid: u32) -> Option<Vec<u32>> {
        None
    }

    /// The descendants of `root`, likewise.
    pub(in crate::process) fn below(
        _root: u32,
        _passed: impl Fn(u32) -> bool,
    ) -> Option<Vec<Seen>> {
        None
    }

    /// Environments of others are not told here.
    pub(in crate::process) fn inherits(_pid: u32, _mark: &[u8]) -> bool {
        false
    }

    /// The command of `pid`, for people.
    pub(in crate::process) fn argv(pid: u32) -> Vec<Secret> {
        let told = ps(&["-o", "command=", "-p", &pid.to_string()]);
        told.split_whitespace().map(Secret::new).collect()
    }

    fn ps(words: &[&str]) -> String {
        let output = Command::new("ps")
            .args(words)
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output();
        output.map_or_else(
            |_| String::new(),
            |output| String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    }

    fn read(line: &str) -> Option<Seen> {
        let mut fields = line.split_whitespace();
        let pid = fields.next()?.parse().ok()?;
        let parent = fields.next()?.parse().ok()?;
        let group = fields.next()?.parse().ok()?;
        let state = fields.next()?;
        let started: Vec<&str> = fields.collect();
        let mut hasher = DefaultHasher::new();
        started.hash(&mut hasher);
        Some(Seen {
            pid,
            parent,
            group,
            start: hasher.finish(),
            dead: state.starts_with('Z'),
        })
    }
}
