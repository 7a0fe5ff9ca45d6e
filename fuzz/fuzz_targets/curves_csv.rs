//! See `dpfda_fuzz::curves_csv`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dpfda_fuzz::curves_csv::run(data));
