//! See `dpfda_fuzz::path_json`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dpfda_fuzz::path_json::run(data));
