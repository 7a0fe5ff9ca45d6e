//! All integration tests of the crate: one binary, so that they are linked once and share the processor.
#![allow(clippy::unwrap_used, reason = "tests")]

mod pinned;
