//! `dpfda evaluate`: a released function at any points.

use std::path::Path;

use dpfda::release::MeanRelease;

use crate::arguments::EvaluateArguments;
use crate::error::CliError;
use crate::flaw::Flaw;
use crate::input::document;
use crate::output::table;

/// The largest document that is read: a release on the most points that a spectrum is computed on takes a third of it.
const LARGEST: u64 = 1 << 23;

/// The values as CSV.
pub fn run(arguments: &EvaluateArguments) -> Result<String, CliError> {
    let release = read_release(&arguments.release)?;
    let points = &arguments.at.0;
    let values = release.function().evaluate(points)?;
    let noise_sd = release.function().noise_sd_at(points)?;
    Ok(table(points, &values, &noise_sd)?)
}

/// A release from its file.
pub fn read_release(path: &Path) -> Result<MeanRelease, CliError> {
    let text = document(path, LARGEST)?;
    MeanRelease::from_json(&text)
        .map_err(|error| CliError::NotARelease { path: path.to_owned(), reason: Flaw::of_release(&text, &error) })
}
