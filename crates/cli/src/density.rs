//! `dpfda release --columns`: from a private file of points to a public density.
//!
//! The order is that of `dpfda release`: public arguments, a place to write, the private file, and only then the noise.
//! Whatever can be refused is refused before that, at no cost.

use std::fs::File;

use dpfda::density::{Points, PointsCsvError};
use dpfda::mechanism::Fact;
use dpfda_study::{Data, FilledBy, tell_of_ids, tell_of_missing, tell_of_repeats};

use crate::argument::Argument;
use crate::error::CliError;
use crate::input::in_file;
use crate::output::Contents;
use crate::progress::{self, Bars};
use crate::request::Request;
use crate::way::Way;

mod exponential;
mod files;
mod mechanism;
mod perturbed;
mod plan;
mod published;
mod released;
mod series;
mod smoothed;
mod summary;
#[cfg(test)]
mod tests;

use plan::Plan;

/// Writes the files of a density and returns its summary: **spends the budget**.
pub fn released(request: &Request<'_>, way: &Way<'_>) -> Result<String, CliError> {
    let plan = Plan::check(request)?;
    let door = way.door(Contents::Density, request)?;
    let points = read(request, &plan)?;
    let published = progress::waiting("drawing", || mechanism::publish(&plan, &points, door));
    published.map_err(|error| in_file(Argument::Points, request.data, error))
}

/// What `dpfda check` tells of a density: for the curator alone.
pub fn checked(request: &Request<'_>) -> Result<Vec<Fact>, CliError> {
    let plan = Plan::check(request)?;
    let points = read(request, &plan)?;
    let looked = plan.look(&points).map_err(|error| in_file(Argument::Points, request.data, error.into()))?;
    Ok(looked.into_revealed())
}

/// The points of the private file.
fn read(request: &Request<'_>, plan: &Plan) -> Result<Points, CliError> {
    let path = request.data;
    let open = |source| CliError::Open { argument: Argument::Points, path: path.to_owned(), source };
    let file = File::open(path).map_err(open)?;
    let progress = progress::reading(file.metadata().map_err(open)?.len());
    tell_of_repeats(&request.study, &Data::Files(path), &Bars);
    let points =
        Points::from_csv_reader(progress.wrap_read(file), &plan.layout.clone().of_file(path), plan.bounds.clone());
    progress.finish_and_clear();
    let points = points.map_err(|error| match error {
        PointsCsvError::Read { kind } => open(kind.into()),
        other => in_file(Argument::Points, path, other.into()),
    })?;
    tell_of_ids(&Bars, &points.similar_ids());
    tell_of_missing(&Bars, &points.missing_cells(), FilledBy::Center);
    Ok(points)
}
