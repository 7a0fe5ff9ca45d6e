//! See `dpfda_fuzz::arguments`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dpfda_fuzz::arguments::run(data));
