//! All integration tests of the crate: one binary, so that they are linked once and share the processor.
#![allow(clippy::unwrap_used, reason = "tests")]

#[allow(dead_code, reason = "the tests of the other command use the rest")]
#[path = "../../cli/tests/common/mod.rs"]
mod common;
mod errata;
mod reproduce;
mod reproduce_density;
