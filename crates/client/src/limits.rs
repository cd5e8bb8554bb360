//! How much of a server's time, bytes and words is taken.

use std::time::Duration;

/// Bounds of one run with one server. The defaults are those of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// How long a server may be silent about the first question before the older way to begin is tried beside it.
    pub probe_silence: Duration,
    /// How long everything from the start to the last page of the last list may take.
    pub listing: Duration,
    /// How long one other request may take without a word of progress.
    pub request: Duration,
    /// How long one other request may take, whatever it says of its progress.
    pub request_total: Duration,
    /// How long a server may leave a message unread.
    pub write: Duration,
    /// Bytes of one message over a stream: a line, a WebSocket message, an event. What is longer is dropped unread.
    pub message: usize,
    /// Bytes of one HTTP answer to a request for a list.
    pub listing_answer: usize,
    /// Bytes of one HTTP answer to anything else.
    pub answer: usize,
    /// Requests of the server to us, in all.
    pub server_requests: usize,
    /// Notifications of the server during one operation.
    pub notifications: usize,
    /// Bytes of such notifications.
    pub notification_bytes: usize,
    /// Pages of one list.
    pub pages: usize,
    /// Items of one list.
    pub items: usize,
    /// Bytes of one list, about.
    pub list_bytes: usize,
    /// Bytes of the end of the standard error that is kept.
    pub stderr_tail: usize,
    /// Rounds of answers to questions that a server asks before it answers ours.
    pub input_rounds: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            probe_silence: Duration::from_secs(3),
            listing: Duration::from_secs(20),
            request: Duration::from_secs(60),
            request_total: Duration::from_secs(600),
            write: Duration::from_secs(5),
            message: 4 * 1024 * 1024,
            listing_answer: 4 * 1024 * 1024,
            answer: 16 * 1024 * 1024,
            server_requests: 100,
            notifications: 10_000,
            notification_bytes: 64 * 1024 * 1024,
            pages: 1_000,
            items: 20_000,
            list_bytes: 64 * 1024 * 1024,
            stderr_tail: 64 * 1024,
            input_rounds: 10,
        }
    }
}
