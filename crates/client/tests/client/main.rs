//! The client against servers that are played in this process.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "in a test a panic is the failing assertion"
)]

mod asking;
mod caching;
mod handler;
mod late;
mod lines;
mod listening;
mod listing;
mod rounds;
mod sdk;
mod server;
mod session;
mod small;
mod start;
