//! See `muster_testkit::fuzz::resolve`. Every harness gets every input, so that a new one is fuzzed without a new target.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for harness in muster_harness::ALL {
        muster_testkit::fuzz::resolve(*harness, bytes);
    }
});
