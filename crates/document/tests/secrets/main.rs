//! What Muster prints of text that holds secrets.

#![expect(
    clippy::unwrap_used,
    clippy::string_slice,
    reason = "a panic here is the failing assertion"
)]

mod canaries;
mod commands;
mod excerpts;
mod scrubbing;
