//! See `dpfda_fuzz::points_csv`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dpfda_fuzz::points_csv::run(data));
