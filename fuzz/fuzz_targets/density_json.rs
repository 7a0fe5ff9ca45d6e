//! See `dpfda_fuzz::density_json`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dpfda_fuzz::density_json::run(data));
