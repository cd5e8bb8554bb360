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
    /// Its session, where the system tells; 0 for one outside of what can be seen here.
    pub(super) session: u32,
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
pub(super) use linux::{all, argv, below, children, inherits, of, of_user};
#[cfg(not(target_os = "linux"))]
pub(super) use other::{all, argv, below, children, inherits, of, of_user};

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::HashMap;
    use std::fs;
    use std::os::unix::fs::MetadataExt;
    use std::time::Duration;

    use muster_core::Process;
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
        let session = fields.next()?.parse().ok()?;
        // proc_pid_stat(5): the start is field 22, the session was field 6.
        let start = fields.nth(15)?.parse().ok()?;
        Some(Seen {
            pid,
            parent,
            group,
            session,
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

    /// All processes of this user.
    pub(in crate::process) fn of_user() -> Vec<Process> {
        let user = rustix::process::getuid().as_raw();
        let uptime = fs::read_to_string("/proc/uptime").unwrap_or_default();
        let uptime: Option<f64> = uptime.split(' ').next().and_then(|text| text.parse().ok());
        let mut adopters: HashMap<u32, Option<u32>> = HashMap::new();
        let mut described = |pid: u32| {
            let owner = fs::metadata(format!("/proc/{pid}")).ok()?.uid();
            let seen = of(pid).filter(|seen| owner == user && !seen.dead)?;
            let adopter = *adopters
                .entry(seen.parent)
                .or_insert_with_key(|pid| adopter(*pid));
            let argv = argv(pid);
            // Threads of the kernel have no command.
            if argv.iter().all(|word| word.expose().is_empty()) {
                return None;
            }
            let ticks = rustix::param::clock_ticks_per_second().max(1);
            let age = uptime.map(|uptime| uptime - seen.start as f64 / ticks as f64);
            let stdin = fs::read_link(format!("/proc/{pid}/fd/0")).unwrap_or_default();
            let stdin = stdin.as_os_str().as_encoded_bytes();
            Some(Process {
                pid,
                parent: seen.parent,
                start: seen.start,
                age: age.and_then(|age| Duration::try_from_secs_f64(age.max(0.0)).ok()),
                memory: memory(pid),
                argv,
                piped: stdin.starts_with(b"pipe:") || stdin.starts_with(b"socket:"),
                // A child that it had started itself would be of its session.
                adopted: adopter.is_some_and(|session| session != seen.session),
                service: is_of_service(pid),
            })
        };
        numbers("/proc")
            .into_iter()
            .filter_map(&mut described)
            .collect()
    }

    /// The session of `pid`, if it is one who takes over the children of others.
    fn adopter(pid: u32) -> Option<u32> {
        let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        let adopts = pid == 1 || name.trim_end() == "systemd";
        adopts.then(|| of(pid).map_or(pid, |seen| seen.session))
    }

    fn memory(pid: u32) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let present = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kilobytes: u64 = present.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
        Some(kilobytes * 1024)
    }

    /// Whether the innermost control group of `pid` is that of a service other than the user's session itself.
    fn is_of_service(pid: u32) -> bool {
        let groups = fs::read_to_string(format!("/proc/{pid}/cgroup")).unwrap_or_default();
        let mut groups = groups.lines().filter_map(|line| line.rsplit('/').next());
        groups.any(|group| group.ends_with(".service") && !group.starts_with("user@"))
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

    /// All processes of this user, as far as `ps` tells of them.
    pub(in crate::process) fn of_user() -> Vec<muster_core::Process> {
        let user = rustix::process::getuid().as_raw().to_string();
        let told = ps(&[
            "-axo",
            "uid=,rss=,etime=,pid=,ppid=,pgid=,state=,lstart=,command=",
        ]);
        let read = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [owner, memory, age, rest @ ..] = words.as_slice() else {
                return None;
            };
            // The start is five words long.
            let (known, argv) = rest.split_at_checked(9)?;
            let seen = read(&known.join(" ")).filter(|seen| *owner == user && !seen.dead)?;
            let memory: Option<u64> = memory.parse().ok();
            Some(muster_core::Process {
                pid: seen.pid,
                parent: seen.parent,
                start: seen.start,
                age: elapsed(age),
                memory: memory.map(|kilobytes| kilobytes * 1024),
                argv: argv.iter().map(|word| Secret::new(*word)).collect(),
                piped: false,
                adopted: seen.parent == 1,
                service: false,
            })
        };
        told.lines().filter_map(read).collect()
    }

    /// `[[days-]hours:]minutes:seconds`.
    fn elapsed(text: &str) -> Option<std::time::Duration> {
        let (days, rest) = text.split_once('-').unwrap_or(("0", text));
        let mut parts = rest.split(':').map(|part| part.parse::<u64>().ok());
        let seconds = parts.try_fold(0, |sum, part| Some(sum * 60 + part?))?;
        let days: u64 = days.parse().ok()?;
        Some(std::time::Duration::from_secs(days * 86_400 + seconds))
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
            session: 0,
            start: hasher.finish(),
            dead: state.starts_with('Z'),
        })
    }
}
