//! See `muster_testkit::fuzz::shown`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| muster_testkit::fuzz::shown(bytes));
