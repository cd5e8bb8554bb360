//! Memory stays flat against servers that send for ever. A program of its own: what it once took is measured for all of it.

#![cfg(target_os = "linux")]
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a panic is the failing assertion"
)]

#[path = "http/process.rs"]
mod process;

use std::time::Duration;

use muster_client::http::Remote;
use muster_client::net::Net;
use muster_client::{Address, EraChoice, First, Limits, Manner, Teller, over_http};
use muster_core::{Environment, Transport};
use process::Hostile;

/// The most memory that this program ever had, in KiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[tokio::test]
async fn memory_stays_flat_against_what_never_ends() {
    let before = peak();
    let limits = Limits {
        probe_silence: Duration::from_secs(40),
        listing: Duration::from_secs(60),
        ..Limits::default()
    };
    let manner = Manner {
        limits,
        ..Manner::default()
    };
    let net = Net::new(&Environment::default()).unwrap();
    for mode in ["endless", "bomb"] {
        let server = Hostile::start("B7", &[("REPRO_MODE", mode)]);
        let remote = Remote::at(server.url());
        let address = Address {
            net: &net,
            remote: &remote,
            transport: Transport::Http,
            fallback: None,
            first: First::Tools,
            listens: false,
        };
        let deadline = tokio::time::Instant::now() + manner.limits.listing;
        let teller = Teller::silent("s");
        let begun = over_http(&address, &manner, EraChoice::Detect, &teller, deadline).await;
        assert!(begun.is_err(), "{mode}");
    }
    let taken = peak() - before;
    // What is read may be as long as a listing's answer; nothing of the rest is kept.
    assert!(taken < 16 * 1024, "{taken} KiB");
}
