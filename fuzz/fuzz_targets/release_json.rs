//! See `dpfda_fuzz::release_json`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dpfda_fuzz::release_json::run(data));
