//! The hand tools against real servers. This binary is the server too: it starts itself again with a word that says so.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::exit,
    reason = "a panic here is the failing assertion; tests are known by an attribute that these do not have"
)]

#[cfg(unix)]
mod canaries;
#[cfg(unix)]
mod consent;
#[path = "../cli/context.rs"]
#[cfg(unix)]
#[allow(dead_code, reason = "what the other tests need of it")]
mod context;
#[cfg(unix)]
mod echo;
#[cfg(unix)]
mod failing;
#[cfg(unix)]
mod far;
#[cfg(unix)]
mod offered;
#[cfg(unix)]
mod scene;
#[cfg(unix)]
mod server;
#[cfg(unix)]
mod used;

#[cfg(not(unix))]
fn main() {}

#[cfg(unix)]
fn main() -> std::process::ExitCode {
    let words: Vec<String> = std::env::args().collect();
    if words.get(1).is_some_and(|word| word == scene::SERVER) {
        server::serve(words.get(2).map_or("", String::as_str));
        return std::process::ExitCode::SUCCESS;
    }
    let arguments = libtest_mimic::Arguments::from_args();
    let rooms = [
        offered::trials(),
        used::trials(),
        failing::trials(),
        consent::trials(),
        canaries::trials(),
        far::trials(),
    ];
    libtest_mimic::run(&arguments, rooms.into_iter().flatten().collect()).exit_code()
}
