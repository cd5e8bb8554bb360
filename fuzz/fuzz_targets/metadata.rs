//! Documents about servers and authorization servers: see the claims.

#![no_main]

#[expect(dead_code, reason = "other targets take the other claims")]
#[path = "../../crates/client/tests/oauth/claims.rs"]
mod claims;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| claims::metadata(bytes));
