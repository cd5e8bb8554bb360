//! What happens with a server, told while it happens: the command line, the page, the panel and the host all listen to the same.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::{Era, Exit, Oddity};

/// Something that happened with one server.
#[derive(Debug, Clone)]
pub struct Event {
    /// Which server, by the name that its user gave it.
    pub server: Arc<str>,
    /// How long after it was begun with.
    pub after: Duration,
    /// What.
    pub happening: Happening,
}

/// What happened. All texts are foreign and unmasked: whoever shows them passes them through `Shown` and the scrubber.
#[derive(Debug, Clone)]
pub enum Happening {
    /// Its process runs, or its address is about to be called.
    Started {
        /// The process.
        pid: Option<u32>,
    },
    /// A line, or a part of one, on its standard error.
    Stderr(String),
    /// Something on its standard output that is no message.
    Noise(String),
    /// It is known how it wants to be spoken to.
    Ready {
        /// The era.
        era: Era,
        /// The revision, as the server wrote it.
        version: String,
    },
    /// It answered a request.
    Answered {
        /// Which one.
        method: &'static str,
        /// After how long.
        took: Duration,
        /// Whether the answer is an error.
        refused: bool,
    },
    /// It offers a tool.
    Tool {
        /// Its name.
        name: String,
    },
    /// It did something odd, which cost nothing yet.
    Warned(Oddity),
    /// It tells how far a request is.
    Progress {
        /// How far; grows.
        progress: f64,
        /// The end, if known.
        total: Option<f64>,
        /// In words.
        message: Option<String>,
    },
    /// It writes to its log (`notifications/message`).
    Log {
        /// `debug` to `emergency`.
        level: String,
        /// Who writes.
        logger: Option<String>,
        /// What.
        data: Value,
    },
    /// Any other notification.
    Notified {
        /// Its method.
        method: String,
        /// Its parameters.
        params: Value,
    },
    /// It did not answer in time.
    TimedOut {
        /// What was asked.
        method: String,
        /// How long it was waited for.
        after: Duration,
    },
    /// Its process ended.
    Exited(Exit),
}

/// Who listens to events. Called from within the client: an implementation returns at once and never blocks.
pub trait Listener: Send + Sync {
    /// Something happened.
    fn hear(&self, event: Event);
}

impl<F: Fn(Event) + Send + Sync> Listener for F {
    fn hear(&self, event: Event) {
        self(event);
    }
}

/// Tells the events of one server to its listener, with their time.
#[derive(Clone)]
pub struct Teller {
    server: Arc<str>,
    begun: tokio::time::Instant,
    listener: Arc<dyn Listener>,
}

impl Teller {
    /// Tells of `server` from now on.
    pub fn new(server: &str, listener: Arc<dyn Listener>) -> Teller {
        Teller {
            server: Arc::from(server),
            begun: tokio::time::Instant::now(),
            listener,
        }
    }

    /// Tells nobody.
    pub fn silent(server: &str) -> Teller {
        Teller::new(server, Arc::new(|_: Event| ()))
    }

    /// Tells that `happening` happened now.
    pub fn tell(&self, happening: Happening) {
        self.listener.hear(Event {
            server: self.server.clone(),
            after: self.begun.elapsed(),
            happening,
        });
    }

    /// The server that is told about.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// How long it has been told about.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }
}

impl fmt::Debug for Teller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Teller")
            .field("server", &self.server)
            .finish_non_exhaustive()
    }
}
