//! See `dpfda_fuzz::table_file`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dpfda_fuzz::table_file::run(data));
