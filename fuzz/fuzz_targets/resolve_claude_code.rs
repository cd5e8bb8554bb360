//! See `muster_testkit::fuzz::resolve`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| muster_testkit::fuzz::resolve(
    &muster_harness::ClaudeCode,
    bytes
));
