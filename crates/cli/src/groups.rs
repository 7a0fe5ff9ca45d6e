//! Releases of the means of groups, read back.

use std::path::Path;

use dpfda::analysis::Estimated;
use dpfda::release::Groups;

use crate::error::CliError;
use crate::evaluate::LARGEST;
use crate::flaw::Flaw;
use crate::input;

/// A release of groups from its file, with its estimates.
pub fn read_groups(path: &Path) -> Result<Estimated<Groups>, CliError> {
    let text = input::document(path, LARGEST)?;
    Estimated::<Groups>::from_json(&text)
        .map_err(|error| CliError::NotARelease { path: path.to_owned(), reason: Flaw::of_release(&text, &error) })
}
