//! A conversation by hand: started, used, and ended whatever happens.

use std::sync::Arc;
use std::time::Duration;

use muster_client::net::Net;
use muster_client::oauth::SignIns;
use muster_client::process::{Interrupts, Patience, Supervisor, SupervisorProgram};
use muster_client::{
    Answers, EraChoice, Event, Launcher, Limits, Listener, Manner, Running, StartFailed, Teller,
};
use muster_core::Environment;
use muster_document::Shown;
use muster_report::Known;
use tokio::time::Instant;

use super::error::HandError;
use super::target::Target;
use crate::args::Using;

/// How long a server may take to start and to be listed.
const START: Duration = Duration::from_secs(30);
/// Bytes of one message: a picture is larger than what a check takes.
const MESSAGE: usize = 16 * 1024 * 1024;
/// Lines of a failed server's last words.
const LAST_WORDS: usize = 5;

/// What everything is done with.
#[derive(Clone)]
pub(crate) struct Workshop {
    pub(crate) launcher: Launcher,
    pub(crate) interrupts: Interrupts,
}

/// How servers are spoken to.
pub(crate) struct Behaviour {
    /// What the servers may ask.
    pub(crate) answers: Answers,
    /// The least severe messages of their logs that are wanted.
    pub(crate) log_level: Option<&'static str>,
}

/// What may be taken of a server, as `using` says.
pub(crate) fn limits(using: &Using) -> Limits {
    let usual = Limits::default();
    let patience = using.timeout.map(Duration::from_secs_f64);
    Limits {
        listing: patience.unwrap_or(START),
        request: patience.unwrap_or(usual.request),
        request_total: patience.unwrap_or(usual.request_total),
        message: MESSAGE,
        listing_answer: MESSAGE,
        ..usual
    }
}

/// The way to servers at an address.
pub(crate) struct Way {
    /// Into the network.
    pub(crate) net: Net,
    /// The sign-ins that let servers know who calls.
    pub(crate) sign_ins: Option<SignIns>,
}

/// The way into the network as `env` says.
pub(crate) fn net(env: &Environment) -> Result<Net, HandError> {
    Net::new(env).map_err(|error| HandError::Option(Shown(&error.to_string()).to_string()))
}

/// Does `work` in a runtime of its own, where servers at an address are reached by `way`. An interrupt drops it, which cancels what it asked; servers are ended in any case.
pub(crate) fn work<T>(
    using: &Using,
    behaviour: Behaviour,
    way: Option<Way>,
    work: impl AsyncFnOnce(&Workshop) -> Result<T, HandError>,
) -> Result<T, HandError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(HandError::Runtime)?;
    let (net, sign_ins) = way.map_or((None, None), |way| (Some(way.net), way.sign_ins));
    let done = runtime.block_on(async {
        let interrupts = Interrupts::listen().map_err(HandError::Runtime)?;
        let program = SupervisorProgram::itself();
        let supervisor = Supervisor::start(program.as_ref()).await;
        let workshop = Workshop {
            launcher: Launcher {
                supervisor: supervisor.map_err(HandError::Runtime)?,
                net,
                sign_ins,
                manner: Manner {
                    limits: limits(using),
                    handler: Arc::new(behaviour.answers),
                    strict: false,
                    log_level: behaviour.log_level,
                },
                era: EraChoice::Detect,
                patience: Patience::default(),
            },
            interrupts,
        };
        let done = work(&workshop).await;
        workshop.launcher.supervisor.close().await;
        done
    });
    // A user who was asked something may still be about to answer.
    runtime.shutdown_background();
    done
}

impl Workshop {
    /// Starts `target`, does `work` with it, and ends it.
    pub(crate) async fn with<T>(
        &self,
        target: &Target,
        known: &Known,
        listener: Arc<dyn Listener>,
        work: impl AsyncFnOnce(&Running) -> Result<T, Trouble>,
    ) -> Result<T, HandError> {
        let limits = &self.launcher.manner.limits;
        let teller = Teller::new(&target.name, listener);
        let deadline = Instant::now() + limits.listing;
        let started = tokio::select! {
            biased;
            () = self.interrupts.interrupted() => return Err(HandError::Interrupted),
            started = self.launcher.start(&target.plan, &teller, deadline) => started,
        };
        let running = started.map_err(|failed| not_started(target, known, &failed))?;
        // What helpers and sign-ins gave is known only now.
        running.given.iter().for_each(|secret| known.learn(secret));
        let done = tokio::select! {
            biased;
            () = self.interrupts.interrupted() => Err(Trouble::Interrupted),
            done = work(&running) => done,
        };
        let ended = match &done {
            Err(Trouble::Server(_)) => running.bury().await,
            _ => running.end().await,
        };
        done.map_err(|trouble| match trouble {
            Trouble::Hand(error) => *error,
            Trouble::Interrupted => HandError::Interrupted,
            Trouble::Server(why) => HandError::NoAnswer {
                name: target.name.clone(),
                why: printable(known, &why),
                stderr: last_words(known, &ended.stderr_tail),
            },
        })
    }
}

/// Why work with a server came to nothing.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The server did not do it; why. Foreign text.
    Server(String),
    /// The user ended it.
    Interrupted,
    /// Anything else.
    Hand(Box<HandError>),
}

impl From<HandError> for Trouble {
    fn from(error: HandError) -> Trouble {
        Trouble::Hand(Box::new(error))
    }
}

/// What a server said of its failure, for a message.
pub(crate) fn server_says(error: impl std::fmt::Display) -> Trouble {
    Trouble::Server(error.to_string())
}

/// A listener who does not.
pub(crate) fn nobody() -> Arc<dyn Listener> {
    Arc::new(|_: Event| ())
}

fn not_started(target: &Target, known: &Known, failed: &StartFailed) -> HandError {
    failed.given.iter().for_each(|secret| known.learn(secret));
    if let Some(barred) = &failed.barred {
        let name = target.name.clone();
        let why = printable(known, &barred.to_string());
        return match barred.is_mended_by_sign_in() {
            true => HandError::SignIn { name, why },
            // There a sign-in changes nothing.
            false => HandError::NotStarted {
                name,
                why,
                stderr: Vec::new(),
            },
        };
    }
    HandError::NotStarted {
        name: target.name.clone(),
        why: printable(known, &failed.error.to_string()),
        stderr: last_words(known, &failed.ended.stderr_tail),
    }
}

/// Foreign text in one line, without secrets.
pub(crate) fn printable(known: &Known, text: &str) -> String {
    known.said(&Shown(&known.without_secrets(text)).to_string())
}

/// The last lines of a standard error that say something.
fn last_words(known: &Known, tail: &str) -> Vec<String> {
    let tail = known.without_secrets(tail);
    let lines = tail.lines().rev().filter(|line| !line.trim().is_empty());
    let mut lines: Vec<String> = lines
        .take(LAST_WORDS)
        .map(|line| Shown(line.trim_end()).to_string())
        .collect();
    lines.reverse();
    lines
}
