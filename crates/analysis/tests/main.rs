//! All integration tests of the crate: one binary, so that they are linked once and share the processor.
#![allow(clippy::unwrap_used, reason = "tests")]

mod bodies;
mod charts;
mod circle;
mod components;
mod coordinates;
mod gaps;
mod golden;
mod release;
mod rows;
