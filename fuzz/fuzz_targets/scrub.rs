//! See `muster_testkit::fuzz::scrub`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| muster_testkit::fuzz::scrub(bytes));
