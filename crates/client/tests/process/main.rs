//! Real processes: whatever a server does, nothing of it is left, and everything it said is known.
//!
//! This binary is also the supervising process, and the Muster that is killed: it starts itself again with a word that says so.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a panic here is the failing assertion; tests are known by an attribute that these do not have"
)]

#[cfg(unix)]
mod ends;
#[cfg(unix)]
mod helpers;
#[cfg(unix)]
mod killed;
#[cfg(unix)]
mod many;
#[cfg(unix)]
mod scene;
#[cfg(unix)]
mod starts;

#[cfg(not(unix))]
fn main() {}

#[cfg(unix)]
fn main() -> std::process::ExitCode {
    let words: Vec<String> = std::env::args().collect();
    match words.get(1).map(String::as_str) {
        Some(muster_client::process::SUPERVISE) => return muster_client::process::supervise(),
        Some(killed::VICTIM) => return killed::victim(&words),
        Some(many::MANY) => return many::many(),
        _ => {}
    }
    let mut arguments = libtest_mimic::Arguments::from_args();
    // They wait far more than they compute.
    arguments.test_threads.get_or_insert(8);
    let rooms = [
        starts::trials(),
        ends::trials(),
        killed::trials(),
        many::trials(),
        helpers::trials(),
    ];
    libtest_mimic::run(&arguments, rooms.into_iter().flatten().collect()).exit_code()
}
