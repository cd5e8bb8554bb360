//! A server that runs.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::stderr::Tail;
use super::supervisor::{Life, Link};
use super::wire::Request;
use super::{Ending, Patience, rescue};
use crate::Exit;

/// So long the rest of a server's standard error is waited for once it is ended. It is there already; only a process that could not be
/// ended keeps it open.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// So much later than promised the supervising process may answer before it is taken to be gone.
const DELAY: Duration = Duration::from_secs(3);

/// A server that was started, and its standard streams.
pub struct Started {
    /// Its process.
    pub process: Process,
    /// What it reads. Dropping it tells the server to end.
    pub stdin: Box<dyn AsyncWrite + Send + Sync + Unpin>,
    /// What it writes.
    pub stdout: Box<dyn AsyncRead + Send + Sync + Unpin>,
}

impl fmt::Debug for Started {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Started")
            .field("process", &self.process)
            .finish_non_exhaustive()
    }
}

/// The process of a server, and with it all that comes of it. Dropped, it is ended without anybody waiting for that.
#[derive(Debug)]
pub struct Process {
    hold: Hold,
    pid: u32,
    tail: Arc<Tail>,
    drained: watch::Receiver<()>,
    drain: AbortHandle,
}

impl Process {
    pub(super) fn new(
        hold: Hold,
        pid: u32,
        tail: Arc<Tail>,
        draining: impl Future<Output = ()> + Send + 'static,
    ) -> Process {
        let (done, drained) = watch::channel(());
        let drain = tokio::spawn(async move {
            draining.await;
            drop(done);
        });
        Process {
            hold,
            pid,
            tail,
            drained,
            drain: drain.abort_handle(),
        }
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Waits until its process has ended, by itself or because it was stopped. Any number may wait, and stop waiting.
    pub async fn exited(&self) -> Exit {
        let mut life = self.hold.life.clone();
        let known = |life: &Life| life.exit.is_some() || life.ended.is_some() || life.lost;
        match life.wait_for(known).await {
            Ok(life) => exit(&life).unwrap_or(Exit::Unknown),
            Err(_) => Exit::Unknown,
        }
    }

    /// How its process ended, if it has.
    pub fn exit(&self) -> Option<Exit> {
        exit(&self.hold.life.borrow())
    }

    /// The end of what it wrote to its standard error, so far. Foreign text.
    pub fn stderr_tail(&self) -> String {
        self.tail.text()
    }

    /// Waits until its standard error has ended, as it does soon after the process unless that leaves another behind; at most for
    /// `patience`.
    pub async fn last_words(&self, patience: Duration) {
        let mut drained = self.drained.clone();
        // The other end is dropped once everything is read.
        let _ = tokio::time::timeout(patience, drained.changed()).await;
    }

    /// Ends it, and whatever it started: waits for the end of its input to be noticed, terminates, kills. Its input is to be dropped
    /// first. Waits no longer than is needed; may be called again, with the same answer.
    pub async fn stop(&self, patience: Patience) -> Ending {
        self.hold
            .link
            .ask(&Request::Stop(self.hold.number, patience));
        let mut life = self.hold.life.clone();
        let known = life.wait_for(|life| life.ended.is_some() || life.lost);
        let longest = patience.input + patience.terminate + patience.kill + DELAY;
        let known = match tokio::time::timeout(longest, known).await {
            Ok(Ok(life)) => life.clone(),
            _ => Life::default(),
        };
        let ending = match known.ended {
            Some(ending) => ending,
            None => rescue::end(self.pid, &self.hold.mark, known.exit, patience).await,
        };
        self.last_words(LAST_WORDS).await;
        ending
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.drain.abort();
    }
}

fn exit(life: &Life) -> Option<Exit> {
    life.exit
        .or(life.ended.as_ref().map(|ending| ending.exit))
        .or(life.lost.then_some(Exit::Unknown))
}

/// Ends a server when dropped: held from the moment it is asked for, so that a caller who does not wait for the start leaves nothing.
#[derive(Debug)]
pub(super) struct Hold {
    link: Arc<Link>,
    number: u32,
    mark: String,
    life: watch::Receiver<Life>,
}

impl Hold {
    pub(super) fn new(
        link: Arc<Link>,
        number: u32,
        mark: String,
        life: watch::Receiver<Life>,
    ) -> Hold {
        Hold {
            link,
            number,
            mark,
            life,
        }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let life = self.life.borrow();
        let over = life.ended.is_some() || life.lost || matches!(life.started, Some(Err(_)));
        if !over {
            self.link
                .ask(&Request::Stop(self.number, Patience::default()));
        }
    }
}
