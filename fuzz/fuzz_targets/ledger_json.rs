//! See `dpfda_fuzz::ledger_json`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dpfda_fuzz::ledger_json::run(data));
