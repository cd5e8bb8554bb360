//! The real binary in a home of its own. What a format looks like is tested in `muster-report`; here it is about the program: arguments,
//! exit codes, streams, the environment.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "in a test a panic is the failing assertion"
)]

mod arguments;
mod barred;
mod canaries;
mod check;
mod context;
mod demo;
mod explain;
mod help;
#[cfg(target_os = "linux")]
mod hostile;
#[cfg(target_os = "linux")]
mod launch;
mod list;
#[cfg(target_os = "linux")]
mod ps;
#[cfg(unix)]
mod quiet;
mod sign_in;
mod streams;
mod why;
