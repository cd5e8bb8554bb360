//! From a launch plan to a server that works: what starts it, speaks with it, and ends it.
//!
//! ```text
//! LaunchPlan ── Launcher::start ──► Running ── connection: ask, list, call
//!                     │                └────── end ──► Ended: exit, last words, what is left
//!                     └► StartFailed: why, and the same of what was there
//! ```
//!
//! [`Launcher::gather`] does all of it for a check: it starts a server, lists what it offers, ends it, and keeps account.

mod account;
mod gather;
mod helpers;

use std::cell::RefCell;
use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use muster_core::{LaunchPlan, LeftRunning, Start, Transport};
use muster_document::Secret;
use tokio::time::Instant;

use crate::http::{Authorizer, Remote};
use crate::net::Net;
use crate::oauth::{Barred, Gate, SignIns, says_who_calls};
use crate::process::{Ending, Patience, Process, Spawn, Supervisor};
use crate::{
    Address, Connection, EraChoice, Exit, First, Happening, Manner, Opened, StartError, Stdio,
    Teller, over_http, over_stdio,
};

/// So long the end of a process, and of what it writes, is waited for once its standard output has ended.
const END: Duration = Duration::from_millis(500);

/// Starts servers as their harnesses would.
#[derive(Clone)]
pub struct Launcher {
    /// Who starts processes, and ends them.
    pub supervisor: Supervisor,
    /// The way to servers that run elsewhere; `None` where there is none to be.
    pub net: Option<Net>,
    /// The sign-ins that let those know who calls; `None` to call as nobody in particular.
    pub sign_ins: Option<SignIns>,
    /// How servers are spoken to, and how much of them is taken.
    pub manner: Manner,
    /// How their era is found out.
    pub era: EraChoice,
    /// How long each step of ending one is waited for.
    pub patience: Patience,
}

impl std::fmt::Debug for Launcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Launcher")
            .field("era", &self.era)
            .field("patience", &self.patience)
            .finish_non_exhaustive()
    }
}

/// A server that works.
#[derive(Debug)]
pub struct Running {
    /// The conversation with it.
    pub connection: Connection,
    /// From its start until it could be asked.
    pub startup: Duration,
    /// Values that helpers gave for it, which its plan does not hold.
    pub given: Vec<Secret>,
    process: Option<Process>,
    patience: Patience,
}

/// Why a server does not work, and what is known of its process. Texts are foreign.
#[derive(Debug)]
pub struct StartFailed {
    /// Why.
    pub error: StartError,
    /// Whether there was a process at all.
    pub spawned: bool,
    /// What bars the way to one that runs elsewhere.
    pub barred: Option<Barred>,
    /// Values that helpers gave for it, which its plan does not hold.
    pub given: Vec<Secret>,
    /// What became of it.
    pub ended: Ended,
}

/// How a server ended. Texts are foreign.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ended {
    /// How its process ended by itself; `None` where it had to be asked to.
    pub exit: Option<Exit>,
    /// The end of its standard error.
    pub stderr_tail: String,
    /// What it had started and could not be ended.
    pub left_running: Vec<LeftRunning>,
}

impl Launcher {
    /// Starts the server `plan` describes and agrees with it on how to speak, before `deadline`.
    ///
    /// # Errors
    /// Where that does not come about; nothing of it runs then.
    pub async fn start(
        &self,
        plan: &LaunchPlan,
        teller: &Teller,
        deadline: Instant,
    ) -> Result<Running, StartFailed> {
        let asked;
        let filled = match plan.helpers.as_slice() {
            [] => plan,
            _ => {
                asked =
                    helpers::asked(plan, &self.supervisor, self.patience, teller, deadline).await;
                asked.as_ref().map_err(|error| {
                    StartFailed::before_it_ran(StartError::Open(error.to_string()))
                })?
            }
        };
        let given = helpers::given(plan, filled);
        let started = match &filled.start {
            Start::Process { .. } => self.start_process(&filled.start, teller, deadline).await,
            Start::Remote {
                transport,
                fallback,
                url,
                headers,
            } => {
                let remote = Remote {
                    url: url.clone(),
                    headers: headers.clone(),
                    authorizer: None,
                };
                let ways = (*transport, *fallback);
                self.reach(remote, ways, teller, deadline).await
            }
        };
        match started {
            Ok(mut running) => {
                running.given.extend(given);
                Ok(running)
            }
            Err(mut failed) => {
                failed.given.extend(given);
                Err(failed)
            }
        }
    }

    async fn reach(
        &self,
        mut remote: Remote,
        (transport, fallback): (Transport, Option<Transport>),
        teller: &Teller,
        deadline: Instant,
    ) -> Result<Running, StartFailed> {
        let Some(net) = &self.net else {
            let error = StartError::Open("there is no way into the network".to_owned());
            return Err(StartFailed::before_it_ran(error));
        };
        let sign_ins = self.sign_ins.as_ref();
        let gate = sign_ins.and_then(|sign_ins| sign_ins.gate(&remote.url, &remote.headers));
        remote.authorizer = gate
            .clone()
            .map(|gate| Arc::new(gate) as Arc<dyn Authorizer>);
        let begun = Instant::now();
        let address = Address {
            net,
            remote: &remote,
            transport,
            fallback,
            first: First::Tools,
            listens: false,
        };
        let connected = over_http(&address, &self.manner, self.era, teller, deadline).await;
        // What was said in `Authorization` may come back in anything the server says.
        let given = gate.as_ref().map(Gate::secrets).unwrap_or_default();
        let connection = connected.map_err(|error| {
            let own = says_who_calls(&remote.headers);
            let status = error.http_status();
            StartFailed {
                barred: status.and_then(|status| Barred::of(status, own, gate.as_ref())),
                given: given.clone(),
                ..StartFailed::before_it_ran(error)
            }
        })?;
        Ok(Running {
            connection,
            startup: begun.elapsed(),
            given,
            process: None,
            patience: self.patience,
        })
    }

    async fn start_process(
        &self,
        start: &Start,
        teller: &Teller,
        deadline: Instant,
    ) -> Result<Running, StartFailed> {
        let begun = Instant::now();
        let current: RefCell<Option<Process>> = RefCell::new(None);
        let open = async || {
            // The one that ended at the first question, if this is the second try.
            drop(current.take());
            let spawn = self.spawn(start)?;
            let started = self.supervisor.spawn(spawn, teller.clone()).await;
            let started = started.map_err(|error| StartError::Open(error.to_string()))?;
            let pid = Some(started.process.pid());
            teller.tell(Happening::Started { pid });
            current.replace(Some(started.process));
            let limits = &self.manner.limits;
            let (transport, inbox) = Stdio::open(started.stdin, started.stdout, limits);
            let transport = Arc::new(transport);
            Ok(Opened { transport, inbox })
        };
        let connected = over_stdio(open, &self.manner, self.era, teller, deadline).await;
        let process = current.into_inner();
        match connected {
            Ok(connection) => Ok(Running {
                connection,
                startup: begun.elapsed(),
                given: Vec::new(),
                process,
                patience: self.patience,
            }),
            Err(error) => {
                let spawned = process.is_some();
                let ended = match process {
                    Some(process) => end(&process, self.patience, may_have_ended(&error)).await,
                    None => Ended::default(),
                };
                teller_exit(teller, &ended);
                Err(StartFailed {
                    error,
                    spawned,
                    barred: None,
                    given: Vec::new(),
                    ended,
                })
            }
        }
    }

    fn spawn(&self, start: &Start) -> Result<Spawn, StartError> {
        let Start::Process { argv, cwd, env, .. } = start else {
            return Err(StartError::Open("it is no process".to_owned()));
        };
        let text = |secret: &Secret| OsString::from(secret.expose());
        Ok(Spawn {
            argv: argv.iter().map(text).collect(),
            cwd: cwd.as_std_path().to_owned(),
            env: env
                .iter()
                .map(|variable| (OsString::from(&variable.name), text(&variable.value)))
                .collect(),
            stderr_tail: self.manner.limits.stderr_tail,
        })
    }
}

impl StartFailed {
    /// Because of `error`, without a process.
    fn before_it_ran(error: StartError) -> StartFailed {
        StartFailed {
            error,
            spawned: false,
            barred: None,
            given: Vec::new(),
            ended: Ended::default(),
        }
    }
}

impl Running {
    /// Ends the conversation and the server, with everything that it started.
    pub async fn end(self) -> Ended {
        let teller = self.connection.session.teller().clone();
        // A process that ended before it was asked to says so by the end of its standard output.
        let exit = self.process.as_ref().and_then(Process::exit);
        self.connection.session.close().await;
        drop(self.connection);
        let Some(process) = self.process else {
            return Ended::default();
        };
        let ended = Ended {
            exit,
            ..end(&process, self.patience, false).await
        };
        teller_exit(&teller, &ended);
        ended
    }

    /// The same, where the server seems to have ended by itself: it is given a moment, so that it can be said how.
    pub async fn bury(self) -> Ended {
        if let Some(process) = &self.process {
            // Whoever still runs after that has only closed its output.
            let _ = tokio::time::timeout(END, process.exited()).await;
            process.last_words(END).await;
        }
        self.end().await
    }
}

/// Whether `error` may come from a process that has ended.
fn may_have_ended(error: &StartError) -> bool {
    matches!(
        error,
        StartError::Ended { .. } | StartError::Request { .. } | StartError::Invalid { .. }
    )
}

/// Ends `process`. Where it may have ended by itself it is given a moment, so that it can be said how.
async fn end(process: &Process, patience: Patience, may_have_ended: bool) -> Ended {
    if may_have_ended {
        let _ = tokio::time::timeout(END, process.exited()).await;
        process.last_words(END).await;
    }
    let exit = process.exit();
    let Ending { left_running, .. } = process.stop(patience).await;
    Ended {
        exit,
        stderr_tail: process.stderr_tail(),
        left_running: left_running
            .into_iter()
            .map(|left| LeftRunning {
                pid: left.pid,
                argv: left.argv,
            })
            .collect(),
    }
}

fn teller_exit(teller: &Teller, ended: &Ended) {
    if let Some(exit) = ended.exit {
        teller.tell(Happening::Exited(exit));
    }
}
