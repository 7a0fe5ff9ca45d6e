//! All integration tests of the crate: one binary, so that they are linked once and share the processor.
#![allow(clippy::unwrap_used, reason = "tests")]

mod circle;
mod common;
mod documents;
#[path = "../../../tests/kinds/edits.rs"]
mod edits;
mod exactness;
mod function;
mod functionals;
mod moments;
mod noise_law;
mod parts;
mod path;
mod payable;
mod pure;
mod rounds;
mod shared_files;
