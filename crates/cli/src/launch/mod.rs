//! Servers that are started for a check: who may be, all of them at once, and the end of them however the run ends.

mod consent;
mod progress;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use muster_client::net::Net;
use muster_client::oauth::SignIns;
use muster_client::process::{Interrupts, Patience, Supervisor, SupervisorProgram};
use muster_client::{EraChoice, Event, Launcher, Limits, Manner};
use muster_core::{Candidate, Launched, State};
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, LocalSet};

pub(crate) use consent::{Allowed, Wish, decide};

use crate::error::CliError;
use crate::output::Output;
use progress::Progress;

/// So often the screen is drawn anew.
const TICK: Duration = Duration::from_millis(100);

/// How servers are started.
pub(crate) struct Options {
    /// How long one may take until its last list is there.
    pub(crate) timeout: Duration,
    /// How many are started at once.
    pub(crate) jobs: usize,
    /// The way to servers that run elsewhere; `None` where none is to be reached.
    pub(crate) net: Option<Net>,
    /// The sign-ins that let those know who calls.
    pub(crate) sign_ins: Option<SignIns>,
}

/// Starts those of `candidates` that `allowed` lets, lists what they offer, and ends them. What came of each, in their order.
pub(crate) fn launch(
    candidates: &[Candidate<'_>],
    allowed: &[Allowed],
    options: &Options,
    output: &Output,
) -> Result<Vec<Launched>, CliError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(CliError::Runtime)?;
    let work = run(candidates, allowed, options, output);
    runtime.block_on(LocalSet::new().run_until(work))
}

async fn run(
    candidates: &[Candidate<'_>],
    allowed: &[Allowed],
    options: &Options,
    output: &Output,
) -> Result<Vec<Launched>, CliError> {
    let interrupts = Interrupts::listen().map_err(CliError::Runtime)?;
    let started = |at: usize| allowed.get(at).is_some_and(|allowed| allowed.is_yes());
    let mut each = candidates.iter().enumerate();
    // A helper of a server that runs elsewhere is a process too.
    let processes = each.any(|(at, candidate)| {
        started(at) && !(candidate.is_remote() && candidate.plan.helpers.is_empty())
    });
    let program = SupervisorProgram::itself().filter(|_| processes);
    let supervisor = Supervisor::start(program.as_ref())
        .await
        .map_err(CliError::Runtime)?;
    let launcher = Launcher {
        supervisor: supervisor.clone(),
        net: options.net.clone(),
        sign_ins: options.sign_ins.clone(),
        manner: Manner {
            limits: Limits {
                listing: options.timeout,
                ..Limits::default()
            },
            ..Manner::default()
        },
        era: EraChoice::Detect,
        patience: Patience::default(),
    };
    let mut running = JoinSet::new();
    let room = Arc::new(Semaphore::new(options.jobs));
    let mut launched: Vec<Option<Launched>> = Vec::with_capacity(candidates.len());
    let mut tasks = HashMap::new();
    for (at, candidate) in candidates.iter().enumerate() {
        launched.push(match allowed.get(at) {
            Some(Allowed::Yes) | None => None,
            Some(Allowed::No(why)) => Some(Launched::nothing(
                candidate.name,
                candidate.harnesses(),
                State::NotStarted(why.clone()),
            )),
        });
        if !started(at) {
            continue;
        }
        let (launcher, room) = (launcher.clone(), room.clone());
        let (name, plan) = (candidate.name.to_owned(), candidate.plan.clone());
        let harnesses = candidate.harnesses();
        let task = running.spawn_local(async move {
            // It is never closed.
            let _permit = room.acquire_owned().await.ok();
            let nobody = Arc::new(|_: Event| ());
            let launched = launcher.gather(&name, harnesses, &plan, nobody).await;
            (at, launched)
        });
        tasks.insert(task.id(), at);
    }
    let mut progress = Progress::new(candidates, options.timeout, output);
    let mut tick = tokio::time::interval(TICK);
    let interrupted = loop {
        if running.is_empty() {
            break false;
        }
        tokio::select! {
            biased;
            () = interrupts.interrupted() => break true,
            Some(done) = running.join_next() => {
                // A task ends otherwise only by a fault of ours, which has told of itself.
                if let Ok((at, done)) = done && let Some(place) = launched.get_mut(at) {
                    progress.done(at, &done);
                    *place = Some(done);
                }
            }
            _ = tick.tick() => progress.draw(&launched),
        }
    };
    progress.clear();
    // What still runs is ended with its task, and waited for here.
    running.shutdown().await;
    drop(launcher);
    let left = supervisor.close().await;
    if interrupted {
        let left = left.into_iter().map(|left| left.pid).collect();
        return Err(CliError::Interrupted { left });
    }
    let whole = candidates
        .iter()
        .zip(launched)
        .map(|(candidate, launched)| {
            let nothing = || State::NotStarted("the run ended before it was started".to_owned());
            launched.unwrap_or_else(|| {
                Launched::nothing(candidate.name, candidate.harnesses(), nothing())
            })
        });
    Ok(whole.collect())
}
