//! What the callers of a session and the task that hears share.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::{broadcast, oneshot, watch};
use tokio::time::Instant;

use crate::{Closed, Era, Outgoing, SendError, Teller, Transport, Version};

use super::{Manner, RequestError};

/// What becomes of a request.
pub(super) type Outcome = Result<Value, RequestError>;

/// A request that waits for its answer.
pub(super) struct Open {
    pub(super) method: &'static str,
    pub(super) since: Instant,
    pub(super) reply: oneshot::Sender<Outcome>,
    /// When the server last said how far it is.
    pub(super) heard: Arc<Mutex<Instant>>,
    /// The largest progress so far: it must grow.
    pub(super) progress: f64,
}

#[derive(Default)]
struct Table {
    last_id: i64,
    open: HashMap<i64, Open>,
    version: Option<Version>,
    /// A first page of the tools that was given before anybody asked for the list.
    page: Option<Value>,
    /// Notifications, and their bytes, since the last time nothing was open.
    notifications: usize,
    notification_bytes: usize,
    /// Since when they are counted.
    counted_since: Option<Instant>,
}

pub(crate) struct State {
    pub(super) transport: Arc<dyn Transport>,
    pub(super) manner: Manner,
    pub(super) teller: Teller,
    table: Mutex<Table>,
    ending: watch::Sender<Option<Ending>>,
    notified: broadcast::Sender<Notified>,
    /// Cancellations on their way.
    farewells: watch::Sender<usize>,
    /// Questions of the server that somebody is answering.
    answering: AtomicUsize,
}

/// A notification for whoever listens.
#[derive(Debug, Clone)]
pub(crate) struct Notified {
    pub(crate) method: String,
    pub(crate) params: Value,
}

/// Notifications that whoever listens may leave unheard.
const UNHEARD: usize = 64;

/// How long notifications are counted together while nothing is open but an ear.
const WHILE_LISTENING: Duration = Duration::from_secs(60);

/// Why a session has ended.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Ending {
    Closed(Closed),
    Flood(&'static str),
}

impl Ending {
    fn error(&self) -> RequestError {
        match self {
            Ending::Closed(closed) => RequestError::Closed(closed.clone()),
            Ending::Flood(what) => RequestError::Flood(what),
        }
    }
}

impl Table {
    fn is_only_listened_to(&self) -> bool {
        let mut open = self.open.values();
        open.all(|open| open.method == "subscriptions/listen")
    }

    fn count_anew(&mut self) {
        (self.notifications, self.notification_bytes) = (0, 0);
        self.counted_since = Some(Instant::now());
    }
}

impl State {
    pub(super) fn new(transport: Arc<dyn Transport>, manner: Manner, teller: Teller) -> State {
        State {
            transport,
            manner,
            teller,
            table: Mutex::new(Table::default()),
            ending: watch::Sender::new(None),
            notified: broadcast::Sender::new(UNHEARD),
            farewells: watch::Sender::new(0),
            answering: AtomicUsize::new(0),
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        // Nothing panics while it is held; were it so, the table would still be whole.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn speak(&self, version: Version) {
        self.table().version = Some(version);
    }

    pub(super) fn version(&self) -> Option<Version> {
        self.table().version
    }

    pub(super) fn keep_page(&self, page: Value) {
        self.table().page = Some(page);
    }

    pub(super) fn take_page(&self) -> Option<Value> {
        self.table().page.take()
    }

    pub(super) fn era(&self) -> Option<Era> {
        self.version().map(Version::era)
    }

    /// A new id, under which `open` waits.
    pub(super) fn enter(&self, open: Open) -> Result<i64, RequestError> {
        if let Some(ending) = self.ending.borrow().as_ref() {
            return Err(ending.error());
        }
        let mut table = self.table();
        if table.is_only_listened_to() {
            table.count_anew();
        }
        table.last_id += 1;
        let id = table.last_id;
        table.open.insert(id, open);
        Ok(id)
    }

    pub(super) fn leave(&self, id: i64) -> Option<Open> {
        self.table().open.remove(&id)
    }

    /// The only request that is open.
    pub(super) fn only_open(&self) -> Option<i64> {
        let table = self.table();
        let mut open = table.open.keys();
        open.next().copied().filter(|_| open.next().is_none())
    }

    /// The question for the revisions, where nothing else is open.
    pub(super) fn only_probe(&self) -> Option<i64> {
        let table = self.table();
        let mut open = table.open.iter();
        let only = open.next().filter(|_| open.next().is_none());
        // Later a server that cannot say which question it means may still answer the question.
        let probe = only.filter(|(_, open)| open.method == "server/discover");
        probe.map(|(id, _)| *id)
    }

    /// Notes progress of the request `id`. Returns whether it grew.
    pub(super) fn progressed(&self, id: i64, progress: f64) -> bool {
        let mut table = self.table();
        let Some(open) = table.open.get_mut(&id) else {
            return false;
        };
        if progress <= open.progress {
            return false;
        }
        open.progress = progress;
        *open.heard.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        true
    }

    /// Counts a notification of `bytes`. Returns whether that was one too many.
    pub(super) fn is_flooded_by(&self, bytes: usize) -> bool {
        let mut table = self.table();
        // Listening never ends: there it is the rate that counts.
        let old = |since: Instant| since.elapsed() > WHILE_LISTENING;
        if table.counted_since.is_none_or(old) && table.is_only_listened_to() {
            table.count_anew();
        }
        table.notifications += 1;
        table.notification_bytes = table.notification_bytes.saturating_add(bytes);
        let limits = &self.manner.limits;
        table.notifications > limits.notifications
            || table.notification_bytes > limits.notification_bytes
    }

    /// Everything that is open fails, and whatever will be asked.
    pub(super) fn close(&self, closed: Closed) {
        self.end(Ending::Closed(closed));
    }

    pub(super) fn end(&self, ending: Ending) {
        let error = ending.error();
        // The first reason is the true one.
        self.ending.send_if_modified(|known| {
            let first = known.is_none();
            if first {
                *known = Some(ending);
            }
            first
        });
        let open: Vec<Open> = self.table().open.drain().map(|(_, open)| open).collect();
        for open in open {
            // Whoever does not wait any more does not care.
            _ = open.reply.send(Err(error.clone()));
        }
    }

    /// Why nothing can be asked any more.
    pub(super) fn closing_error(&self) -> RequestError {
        let ending = self.ending.borrow();
        let ending = ending.as_ref();
        ending.map_or(RequestError::Send(SendError::Closed), Ending::error)
    }

    /// Somebody begins to answer a question of the server, or has done so.
    pub(super) fn answers(&self, begins: bool) {
        if begins {
            self.answering.fetch_add(1, Ordering::Relaxed);
        } else {
            self.answering.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Whether the server waits for somebody here: then its silence is none.
    pub(super) fn is_awaited(&self) -> bool {
        self.answering.load(Ordering::Relaxed) > 0
    }

    /// An ear for notifications, from now on.
    pub(crate) fn notified(&self) -> broadcast::Receiver<Notified> {
        self.notified.subscribe()
    }

    /// Lets whoever listens hear of a notification.
    pub(super) fn pass_on(&self, method: &str, params: &Value) {
        if self.notified.receiver_count() > 0 {
            let method = method.to_owned();
            let params = params.clone();
            // Whoever stopped listening meanwhile does not care.
            _ = self.notified.send(Notified { method, params });
        }
    }

    /// Tells the server, soon, that nobody waits for the answer to `id`.
    pub(super) fn bid_farewell(self: &Arc<Self>, id: i64) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let state = self.clone();
        self.farewells.send_modify(|farewells| *farewells += 1);
        runtime.spawn(async move {
            let params = json!({"requestId": id, "reason": "no longer needed"});
            let sent: Result<(), SendError> = state.notify("notifications/cancelled", params).await;
            // A server that cannot be told has nothing to cancel.
            drop(sent);
            state.farewells.send_modify(|farewells| *farewells -= 1);
        });
    }

    /// Waits until all cancellations are on their way, or the server does not take them.
    pub(super) async fn said_farewell(&self) {
        let mut farewells = self.farewells.subscribe();
        let all = farewells.wait_for(|farewells| *farewells == 0);
        // Each has a limit of its own; this one holds where a runtime dropped them.
        _ = tokio::time::timeout(self.manner.limits.write, all).await;
    }

    pub(crate) async fn ended(&self) -> Closed {
        let mut ending = self.ending.subscribe();
        let ended = ending.wait_for(Option::is_some).await;
        match ended.ok().as_deref() {
            Some(Some(Ending::Closed(closed))) => closed.clone(),
            Some(Some(Ending::Flood(what))) => Closed::Broke(format!("too many {what}")),
            _ => Closed::ByUs,
        }
    }

    pub(super) async fn notify(&self, method: &str, params: Value) -> Result<(), SendError> {
        let mut body = json!({"jsonrpc": "2.0", "method": method});
        if let (false, Some(body)) = (params.is_null(), body.as_object_mut()) {
            body.insert("params".to_owned(), params);
        }
        let message = Outgoing {
            id: None,
            method: method.to_owned(),
            body,
            version: self.version(),
            mirrored: Vec::new(),
            lists: false,
        };
        self.transport.send(message).await
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("server", &self.teller.server())
            .finish_non_exhaustive()
    }
}
