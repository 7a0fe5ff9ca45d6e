//! `dpfda evaluate`: a released function at any points.

use std::io;
use std::path::Path;

use dpfda::release::Release;

use crate::arguments::EvaluateArguments;
use crate::error::CliError;
use crate::flaw::Flaw;
use crate::input::whole;
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
pub fn read_release(path: &Path) -> Result<Release, CliError> {
    let read = || String::from_utf8(whole(path, LARGEST)?).map_err(|_| io::ErrorKind::InvalidData.into());
    let text = read().map_err(|source| CliError::ReadRelease { path: path.to_owned(), source })?;
    // Whoever gives the private curves by mistake must not see their first cell quoted in a syntax error.
    if !text.trim_start().starts_with('{') {
        return Err(CliError::NotJson { path: path.to_owned() });
    }
    Release::from_json(&text)
        .map_err(|error| CliError::NotARelease { path: path.to_owned(), reason: Flaw::of(&text, &error) })
}
