//! Files by several names: the rules are those of the command.

use std::path::PathBuf;

use dpfda::smoothing::refuse_same;
use pyo3::prelude::*;

use crate::refusal::Refusal;

/// Refuses a file that has two of these names.
#[pyfunction]
pub fn refuse_same_files(paths: Vec<PathBuf>) -> Result<(), Refusal> {
    Ok(refuse_same(&paths)?)
}
