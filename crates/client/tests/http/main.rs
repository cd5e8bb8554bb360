//! The network side of the client, against servers on loopback.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a panic is the failing assertion"
)]

mod net;
#[expect(
    dead_code,
    reason = "the transports that need the rest of it are about to come"
)]
mod server;
