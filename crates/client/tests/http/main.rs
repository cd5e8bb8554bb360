//! The network side of the client, against servers on loopback.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a panic is the failing assertion"
)]

mod claims;
mod fallback;
#[path = "../client/handler.rs"]
mod handler;
mod hostile;
mod legacy;
mod net;
mod process;
mod properties;
mod rights;
mod sdk;
mod server;
mod sessions;
mod sse;
mod start;
mod streamable;
mod waiting;
mod way;
mod ws;
