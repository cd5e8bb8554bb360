//! Servers as processes, none of which outlives Muster.
//!
//! ```text
//!  Muster                                   the supervising process            servers
//!  Supervisor ── requests, standard streams ──► supervise() ── starts, ends ──► each in a
//!  Process    ◄── pids, exits, endings ──────── (adopts, on Linux)              group of its own
//! ```
//!
//! The streams of a server connect it with Muster directly. The supervising process is a second process of Muster's own program, one for
//! all servers: it is their parent, and takes over whatever of them leaves its own parent. When its socket to Muster ends, Muster is gone,
//! be it by SIGKILL, and it ends everything and then itself.
//!
//! A server is ended by the end of its input, then SIGTERM to its group and to whatever escaped from it, then SIGKILL; then it is looked
//! whether they are gone. Escaped ones are known by descent that was noted while it could be seen, and by the variable [`MARK`].

#[cfg(any(windows, test))]
mod candidates;
#[cfg(unix)]
mod handle;
mod interrupts;
#[cfg(unix)]
mod machine;
#[cfg(unix)]
mod program;
#[cfg(unix)]
mod rescue;
#[cfg(unix)]
mod socket;
mod spawn;
mod stderr;
#[cfg(unix)]
mod supervise;
#[cfg(unix)]
mod supervisor;
#[cfg(unix)]
mod table;
#[cfg(windows)]
mod windows;
#[cfg(unix)]
mod wire;

#[cfg(unix)]
pub use handle::{Process, Started};
pub use interrupts::Interrupts;
#[cfg(unix)]
pub use machine::{end, processes};
pub use spawn::{Ending, Force, LeftRunning, Patience, Spawn, SpawnError};
#[cfg(unix)]
pub use supervise::supervise;
#[cfg(unix)]
pub use supervisor::{Supervisor, SupervisorProgram};
#[cfg(windows)]
pub use windows::{Process, Started, Supervisor, SupervisorProgram, supervise};

/// The word that makes `muster` the supervising process. Not for people.
pub const SUPERVISE: &str = "__supervise";

/// The variable that every server, and all that it starts, is known by. Its value begins with the process id of Muster.
pub const MARK: &str = "MUSTER_SERVER_ID";
