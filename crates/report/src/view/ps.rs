//! `muster.ps/1`.

use muster_core::{Fate, KnownBy, RunningServer};
use muster_document::Masked;
use schemars::JsonSchema;
use serde::Serialize;

use crate::VERSION;

/// The server processes of every agent on this machine.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "muster.ps/1")]
pub struct Ps {
    /// `muster.ps/1`.
    pub schema: &'static str,
    /// The version of Muster that wrote this.
    pub muster: &'static str,
    /// Those of agents, then orphans.
    pub servers: Vec<Running>,
    /// The processes that were to be ended, with `--reap`.
    pub reaped: Vec<Reaped>,
}

/// A server that runs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Running {
    /// Its first process.
    pub pid: u32,
    /// The parent of that.
    pub parent: u32,
    /// The agent that started it; `null` for an orphan.
    pub agent: Option<Agent>,
    /// Whoever started it is gone.
    pub orphaned: bool,
    /// How it is known to be a server: `definition` (a definition says its command), `name` (its command speaks of MCP), `parent` (an
    /// agent started it; it may be something else).
    pub known_by: &'static str,
    /// The definitions that say its command.
    pub definitions: Vec<DefinedAs>,
    /// Its command line, masked.
    pub command: Vec<String>,
    /// Bytes of memory of all its processes, where the system tells.
    pub memory: Option<u64>,
    /// Whole seconds since it was started, where the system tells.
    pub age: Option<u64>,
    /// The processes that it started, and they in turn.
    pub descendants: Vec<u32>,
}

/// An agent that runs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Agent {
    /// The id of the harness.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its process.
    pub pid: u32,
}

/// Where a command is defined.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DefinedAs {
    /// The id of the harness.
    pub harness: &'static str,
    /// The server's name there.
    pub server: String,
}

/// A process that was to be ended.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Reaped {
    /// Its id.
    pub pid: u32,
    /// `gone` (it had ended already), `terminated`, `killed`, or `left` (it still runs).
    pub outcome: &'static str,
}

impl Ps {
    /// The view of `servers`, and of what became of the processes that were to be ended.
    pub fn new(servers: &[RunningServer], reaped: &[(u32, Fate)]) -> Ps {
        let reaped = reaped.iter().map(|(pid, outcome)| Reaped {
            pid: *pid,
            outcome: match outcome {
                Fate::Gone => "gone",
                Fate::Terminated => "terminated",
                Fate::Killed => "killed",
                Fate::Left => "left",
            },
        });
        Ps {
            schema: "muster.ps/1",
            muster: VERSION,
            servers: servers.iter().map(Running::new).collect(),
            reaped: reaped.collect(),
        }
    }
}

impl Running {
    fn new(server: &RunningServer) -> Running {
        let definitions = server.definitions.iter();
        Running {
            pid: server.process.pid,
            parent: server.process.parent,
            agent: server.agent.as_ref().map(|agent| Agent {
                id: agent.id,
                name: agent.name,
                pid: agent.pid,
            }),
            orphaned: server.orphaned,
            known_by: match server.known_by {
                KnownBy::Definition => "definition",
                KnownBy::Name => "name",
                KnownBy::Parent => "parent",
            },
            definitions: definitions
                .map(|(harness, server)| DefinedAs {
                    harness,
                    server: server.clone(),
                })
                .collect(),
            command: Masked::command_line(&server.process.argv)
                .into_iter()
                .map(String::from)
                .collect(),
            memory: server.memory,
            age: server.process.age.map(|age| age.as_secs()),
            descendants: server.descendants.iter().map(|(pid, _)| *pid).collect(),
        }
    }
}
