//! `dpfda evaluate`: an estimate at any points.

use std::path::Path;

use dpfda::analysis::EstimatedMean;

use crate::arguments::EvaluateArguments;
use crate::error::CliError;
use crate::estimate::BandChoice;
use crate::flaw::Flaw;
use crate::input::document;
use crate::output::table;

/// The largest document that is read: a release on 100,000 points with its estimate takes a third of it.
pub const LARGEST: u64 = 1 << 26;

/// The values as CSV.
pub fn run(arguments: &EvaluateArguments) -> Result<String, CliError> {
    let band = BandChoice::check(&arguments.band)?;
    let estimated = band.again(read_release(&arguments.release)?)?;
    Ok(table(&estimated.at(&arguments.at.0)?)?)
}

/// A release from its file, with its estimate.
pub fn read_release(path: &Path) -> Result<EstimatedMean, CliError> {
    let text = document(path, LARGEST)?;
    EstimatedMean::from_json(&text)
        .map_err(|error| CliError::NotARelease { path: path.to_owned(), reason: Flaw::of_release(&text, &error) })
}
