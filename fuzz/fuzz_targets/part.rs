//! See `dpfda_fuzz::part`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dpfda_fuzz::part::run(data));
