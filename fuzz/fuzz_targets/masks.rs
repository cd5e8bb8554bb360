//! See `muster_testkit::fuzz::masks`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| muster_testkit::fuzz::masks(bytes));
