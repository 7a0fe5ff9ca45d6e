//! What must hold of dpfda whatever bytes it is given: one module for each fuzz target.
//!
//! `crates/cli/tests/corpora.rs` includes this file and runs the committed corpora through the same functions, with any compiler.

pub mod arguments;
pub mod curves_csv;
pub mod density_json;
pub mod ledger_json;
pub mod part;
pub mod path_json;
pub mod points_csv;
pub mod release_json;
mod table;
pub mod table_file;
