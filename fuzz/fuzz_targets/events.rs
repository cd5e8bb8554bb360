//! Event streams: see the claims.

#![no_main]

#[expect(dead_code, reason = "other targets take the other claims")]
#[path = "../../crates/client/tests/http/claims.rs"]
mod claims;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| claims::events(bytes));
