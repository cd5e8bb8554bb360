//! The core in worlds made in memory.

#![expect(
    clippy::unwrap_used,
    reason = "in a test a panic is the failing assertion"
)]

mod contest;
mod git;
mod installed;
