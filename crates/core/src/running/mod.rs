//! Which of the processes of a machine are MCP servers, whose they are, and which of them nobody needs any more.

mod command;

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use muster_document::Secret;

use self::command::{is_command, is_shell_script, programs, speaks_of_mcp, words};

/// A process of the user's.
#[derive(Debug, Clone)]
pub struct Process {
    /// Its id.
    pub pid: u32,
    /// The id of its parent.
    pub parent: u32,
    /// When it started, in the system's own units. Together with the id it names the process for ever.
    pub start: u64,
    /// How long it has run.
    pub age: Option<Duration>,
    /// Bytes of memory that are its own or shared, and present.
    pub memory: Option<u64>,
    /// Its command line.
    pub argv: Vec<Secret>,
    /// Its standard input is a pipe or a socket, as that of a server that talks over it.
    pub piped: bool,
    /// The parent that started it has ended, and the system's first process has taken it over.
    pub adopted: bool,
    /// It belongs to a service that the system itself looks after.
    pub service: bool,
}

/// A server that is configured somewhere: what its process would look like.
#[derive(Debug, Clone)]
pub struct Configured {
    /// The id of the harness.
    pub harness: &'static str,
    /// The server's name there.
    pub server: String,
    /// The command that starts it.
    pub argv: Vec<Secret>,
}

/// A server that runs.
#[derive(Debug, Clone)]
pub struct RunningServer {
    /// Its first process.
    pub process: Process,
    /// What descends from that: id and start of each.
    pub descendants: Vec<(u32, u64)>,
    /// Bytes of memory of all of them.
    pub memory: Option<u64>,
    /// The agent that started it.
    pub agent: Option<Agent>,
    /// The definitions that say its command: harness and name.
    pub definitions: Vec<(&'static str, String)>,
    /// How it is known to be a server.
    pub known_by: KnownBy,
    /// Whoever started it is gone.
    pub orphaned: bool,
}

/// An agent that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// The id of the harness.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its process.
    pub pid: u32,
}

/// A kind of agent, and how its processes are known.
#[derive(Debug, Clone, Copy)]
pub struct AgentKind {
    /// The id of the harness.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// The names of its program.
    pub programs: &'static [&'static str],
}

/// How a process is known to be a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownBy {
    /// A definition says this command.
    Definition,
    /// Its command speaks of MCP.
    Name,
    /// An agent started it; it may be anything else that agents start.
    Parent,
}

/// What became of a process that was to be ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It had ended already.
    Gone,
    /// It ended when it was asked to (SIGTERM).
    Terminated,
    /// It was killed (SIGKILL).
    Killed,
    /// It still runs.
    Left,
}

/// The servers among `processes`: those of agents, the agents in the order of `kinds`, then orphans. Of a server that consists of
/// several processes the topmost is told. `own` and its ancestors are no servers.
pub fn running(
    processes: &[Process],
    kinds: &[AgentKind],
    configured: &[Configured],
    own: u32,
) -> Vec<RunningServer> {
    let machine = Machine::new(processes, kinds);
    let own: HashSet<u32> = machine.line(own).map(|process| process.pid).collect();
    let mut servers = Vec::new();
    let mut taken: HashSet<u32> = HashSet::new();
    // Parents first, so that what stands below a server belongs to it.
    for process in &machine.by_depth {
        let parent_is_taken = taken.contains(&process.parent);
        if parent_is_taken {
            taken.insert(process.pid);
        }
        if parent_is_taken
            || own.contains(&process.pid)
            || machine.agents.contains_key(&process.pid)
        {
            continue;
        }
        let words = words(process);
        let definitions: Vec<(&'static str, String)> = configured
            .iter()
            .filter(|server| is_command(&words, &server.argv))
            .map(|server| (server.harness, server.server.clone()))
            .collect();
        let agent = machine.agent_of(process);
        let child = agent.is_some_and(|agent| agent.pid == process.parent);
        let orphaned = agent.is_none() && process.adopted && !process.service;
        let known_by = match () {
            () if !definitions.is_empty() && (agent.is_some() || orphaned) => KnownBy::Definition,
            () if orphaned && process.piped && speaks_of_mcp(&words) => KnownBy::Name,
            () if child && is_shell_script(&words) => continue,
            () if child && speaks_of_mcp(&words) => KnownBy::Name,
            () if child => KnownBy::Parent,
            () => continue,
        };
        taken.insert(process.pid);
        let below = machine.below(process.pid);
        let memory = below
            .iter()
            .chain([process])
            .filter_map(|process| process.memory);
        servers.push(RunningServer {
            memory: memory.reduce(|sum, memory| sum + memory),
            descendants: below
                .iter()
                .map(|process| (process.pid, process.start))
                .collect(),
            process: (*process).clone(),
            agent: agent.cloned(),
            definitions,
            known_by,
            orphaned,
        });
    }
    let place = |server: &RunningServer| {
        let id = server.agent.as_ref().map(|agent| agent.id);
        let at = kinds.iter().position(|kind| Some(kind.id) == id);
        let agent = server.agent.as_ref().map_or(0, |agent| agent.pid);
        (server.orphaned, at, agent, server.process.pid)
    };
    servers.sort_by_key(place);
    servers
}

/// Who descends from whom.
struct Machine<'p> {
    by_pid: HashMap<u32, &'p Process>,
    children: HashMap<u32, Vec<&'p Process>>,
    by_depth: Vec<&'p Process>,
    agents: HashMap<u32, Agent>,
}

impl<'p> Machine<'p> {
    fn new(processes: &'p [Process], kinds: &[AgentKind]) -> Machine<'p> {
        let by_pid: HashMap<u32, &Process> = processes
            .iter()
            .map(|process| (process.pid, process))
            .collect();
        let mut children: HashMap<u32, Vec<&Process>> = HashMap::new();
        for process in processes
            .iter()
            .filter(|process| process.pid != process.parent)
        {
            children.entry(process.parent).or_default().push(process);
        }
        let agents = processes
            .iter()
            .filter_map(|process| Some((process.pid, agent(process, kinds)?)))
            .collect();
        let mut machine = Machine {
            by_pid,
            children,
            by_depth: Vec::new(),
            agents,
        };
        let mut by_depth: Vec<(usize, &Process)> = processes
            .iter()
            .map(|process| (machine.line(process.pid).count(), process))
            .collect();
        by_depth.sort_by_key(|(depth, process)| (*depth, process.pid));
        machine.by_depth = by_depth.into_iter().map(|(_, process)| process).collect();
        machine
    }

    /// The process `pid`, its parent, and so on. Bounded: a table that changed while it was read may go round in circles.
    fn line(&self, pid: u32) -> impl Iterator<Item = &'p Process> {
        let parent = |process: &&'p Process| self.by_pid.get(&process.parent).copied();
        let line = std::iter::successors(self.by_pid.get(&pid).copied(), parent);
        line.take(self.by_pid.len())
    }

    /// The nearest agent above `process`.
    fn agent_of(&self, process: &Process) -> Option<&Agent> {
        let mut above = self.line(process.parent);
        above.find_map(|process| self.agents.get(&process.pid))
    }

    fn below(&self, pid: u32) -> Vec<&'p Process> {
        let mut found: Vec<&Process> = Vec::new();
        let mut open = vec![pid];
        while let Some(pid) = open.pop() {
            for child in self.children.get(&pid).into_iter().flatten() {
                if !found.iter().any(|known| known.pid == child.pid) {
                    found.push(child);
                    open.push(child.pid);
                }
            }
        }
        found.sort_by_key(|process| process.pid);
        found
    }
}

/// The agent that `process` is.
fn agent(process: &Process, kinds: &[AgentKind]) -> Option<Agent> {
    let words = words(process);
    let programs = programs(&words);
    let named = |kind: &&AgentKind| kind.programs.iter().any(|name| programs.contains(name));
    kinds.iter().find(named).map(|kind| Agent {
        id: kind.id,
        name: kind.name,
        pid: process.pid,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: &[AgentKind] = &[
        AgentKind {
            id: "one",
            name: "One",
            programs: &["one"],
        },
        AgentKind {
            id: "two",
            name: "Two",
            programs: &["two", "two-cli"],
        },
    ];

    fn process(pid: u32, parent: u32, command: &str) -> Process {
        Process {
            pid,
            parent,
            start: u64::from(pid),
            age: None,
            memory: Some(10),
            argv: command.split(' ').map(Secret::new).collect(),
            piped: true,
            adopted: parent == 1,
            service: false,
        }
    }

    fn configured(command: &str) -> Vec<Configured> {
        vec![Configured {
            harness: "one",
            server: "db".to_owned(),
            argv: command.split(' ').map(Secret::new).collect(),
        }]
    }

    /// Process id, agent's process id, how known, whether orphaned.
    fn told(processes: &[Process], configured: &[Configured]) -> Vec<(u32, u32, KnownBy, bool)> {
        let servers = running(processes, KINDS, configured, 99);
        let told = |server: &RunningServer| {
            let agent = server.agent.as_ref().map_or(0, |agent| agent.pid);
            (server.process.pid, agent, server.known_by, server.orphaned)
        };
        servers.iter().map(told).collect()
    }

    #[test]
    fn what_agents_started_is_theirs() {
        let table = [
            process(10, 5, "/usr/bin/node --no-warnings /opt/two-cli --flag"),
            process(11, 10, "two"),
            process(12, 11, "npm exec @acme/docs-mcp"),
            process(13, 12, "sh -c docs-mcp"),
            process(14, 11, "bash -c grep mcp notes"),
            process(15, 14, "grep mcp notes"),
            process(20, 5, "one"),
            process(21, 20, "helper --stdio"),
            process(23, 11, "/bin/sh /opt/docs-mcp --cache"),
            process(22, 14, "/x/python3.11 /srv/db.py --port 1"),
            process(30, 5, "vim mcp.md"),
        ];
        let servers = configured("python3.11 /srv/db.py");
        assert_eq!(
            told(&table, &servers),
            [
                (21, 20, KnownBy::Parent, false),
                (12, 11, KnownBy::Name, false),
                (22, 11, KnownBy::Definition, false),
                (23, 11, KnownBy::Name, false),
            ]
        );
        let [_, docs, db, _] = &running(&table, KINDS, &servers, 99)[..] else {
            panic!("four");
        };
        assert_eq!(
            (docs.memory, &docs.descendants[..]),
            (Some(20), &[(13, 13)][..])
        );
        assert_eq!(db.definitions, [("one", "db".to_owned())]);
    }

    #[test]
    fn an_orphan_is_a_server_that_its_agent_left() {
        let mut table = vec![
            process(10, 1, "/opt/node /x/.bin/mcp-server-git"),
            process(11, 1, "db --flag"),
            process(12, 1, "db"),
            process(13, 1, "mcp-daemon"),
            process(14, 1, "other"),
            process(15, 7, "mcp-by-hand"),
            process(16, 1, "mcp-service"),
        ];
        table[3].piped = false;
        table[6].service = true;
        assert_eq!(
            told(&table, &configured("db --flag")),
            [
                (10, 0, KnownBy::Name, true),
                (11, 0, KnownBy::Definition, true),
            ]
        );
    }

    #[test]
    fn whoever_asks_is_no_server() {
        let table = [
            process(10, 5, "one"),
            process(98, 10, "mcp-shell"),
            process(99, 98, "muster ps"),
        ];
        assert_eq!(told(&table, &[]), []);
    }

    #[test]
    fn a_circle_of_parents_is_no_trap() {
        let table = [process(10, 11, "mcp"), process(11, 10, "mcp")];
        assert_eq!(told(&table, &[]), []);
    }
}
