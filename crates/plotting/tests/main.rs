//! All integration tests of the crate: one binary, so that they are linked once.
#![allow(clippy::unwrap_used, reason = "tests")]

mod pictures;
