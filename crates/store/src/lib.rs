//! Muster's only door to the disk.
//!
//! [`Disk`] gives the pure crates their files. Whatever lies at a path, a read of it ends: named pipes and devices are never
//! waited for, sizes and listings are bounded, and what a path turned out to be is decided on the opened file, so that nobody can
//! exchange it in between.
//!
//! ```text
//! path ── open (never waits) ──► fstat: a regular file? ──► at most `limit` bytes
//! ```
//!
//! [`Vault`] keeps secrets between runs, in the system's keyring or in files that only their owner reads.

mod disk;
mod open;
mod vault;

pub use disk::{Disk, LIST_LIMIT};
pub use vault::{Vault, VaultLock};
