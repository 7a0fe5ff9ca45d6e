//! `dpfda release --columns`: from a private file of points to a public density.
//!
//! The order is that of `dpfda release`: public arguments, a place to write, the private file, and only then the noise.
//! Whatever can be refused is refused before that, at no cost.

use std::fs::File;
use std::ops::Deref;
use std::path::Path;

use dpfda::density::{Points, PointsCsvError};
use dpfda::mechanism::{Fact, Source};
use dpfda_study::{AskedDensity, FilledBy, tell_of_ids, tell_of_missing};

use crate::argument::Argument;
use crate::error::CliError;
use crate::files::Files;
use crate::input::in_file;
use crate::look::Look;
use crate::output::{Contents, OutputError};
use crate::progress::{self, Bars};
use crate::publication::Publication;
use crate::release::Way;
use crate::request::Request;
use crate::told::Told;

mod exponential;
mod files;
mod mechanism;
mod perturbed;
mod series;
mod smoothed;
mod summary;
#[cfg(test)]
mod tests;

use mechanism::Released;

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
    let price = mechanism::price(&plan, &points).map_err(|error| in_file(Argument::Points, request.data, error))?;
    Ok(plan.look(&points, &price).into_revealed())
}

/// A released density, and what was asked for.
struct ReleasedDensity<'a> {
    plan: &'a Plan,
    released: Released,
}

impl Publication for ReleasedDensity<'_> {
    fn remedy() -> &'static str {
        "that is the whole release, and everything else can be made from it"
    }

    fn document(&self) -> Option<Result<String, serde_json::Error>> {
        Some(Ok(self.released.document.clone()))
    }

    fn write(&self, files: &mut Files<'_>) -> Result<(), OutputError> {
        files::write_files(self.plan, &self.released, files)
    }

    fn told(&self, directory: &Path) -> Told {
        summary::of(self.plan, &self.released, directory)
    }
}

/// What is asked for, and how it is shown.
struct Plan {
    asked: AskedDensity,
    /// Whether rows are put together by their subjects.
    has_subjects: bool,
    /// How the table is read, where that fits into a document.
    source: Option<Source>,
    /// How the figure looks.
    look: Look,
}

impl Deref for Plan {
    type Target = AskedDensity;

    fn deref(&self) -> &AskedDensity {
        &self.asked
    }
}

impl Plan {
    fn check(request: &Request<'_>) -> Result<Self, CliError> {
        let study = &request.study;
        let columns = study.table.columns.as_ref().map(|columns| columns.0.iter().map(String::as_str).collect());
        Ok(Self {
            asked: AskedDensity::of(study)?,
            has_subjects: study.table.subject.is_some(),
            source: Some(study.source(columns)),
            look: Look::of(&study.figure),
        })
    }
}

/// The points of the private file.
fn read(request: &Request<'_>, plan: &Plan) -> Result<Points, CliError> {
    let path = request.data;
    let open = |source| CliError::Open { argument: Argument::Points, path: path.to_owned(), source };
    let file = File::open(path).map_err(open)?;
    let progress = progress::reading(file.metadata().map_err(open)?.len());
    let points = Points::from_csv_reader(progress.wrap_read(file), &plan.layout, plan.bounds.clone());
    progress.finish_and_clear();
    let points = points.map_err(|error| match error {
        PointsCsvError::Read { kind } => open(kind.into()),
        other => in_file(Argument::Points, path, other.into()),
    })?;
    tell_of_ids(&Bars, &points.similar_ids());
    tell_of_missing(&Bars, &points.missing_cells(), FilledBy::Center);
    Ok(points)
}
