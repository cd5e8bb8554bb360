//! Sign-ins from beginning to end, against a server and an authorization server on loopback.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a panic is the failing assertion"
)]

mod claims;
mod fake;
mod flow;
mod gate;
mod hostile;
mod keeping;
mod person;
mod properties;
mod refused;
#[expect(dead_code, reason = "the tests of HTTP need more of it")]
#[path = "../http/server.rs"]
mod server;
