//! `dpfda density`: from a private file of points to a public density.
//!
//! The order is that of `dpfda release`: public arguments, a place to write, the private file, and only then the noise.
//! Whatever can be refused is refused before that, at no cost.

use std::fs::File;
use std::path::Path;

use dpfda::density::{Bounds, PointLayout, Points, PointsCsvError};
use dpfda::mechanism::{Labels, Source, is_name};
use dpfda::privacy::{NeighbouringRelation, PrivacyBudget, PrivacyUnit};

use crate::argument::Argument;
use crate::arguments::{DensityArguments, DensityMechanism, FrameArguments};
use crate::error::CliError;
use crate::files::Files;
use crate::input::{FilledBy, in_file, tell_of_ids, tell_of_missing};
use crate::output::{Contents, OutputError};
use crate::progress;
use crate::publication::{Door, Publication};
use crate::reason;
use crate::told::Told;

mod exponential;
mod files;
mod mechanism;
mod perturbed;
mod refusal;
mod series;
mod smoothed;
mod summary;
#[cfg(test)]
mod tests;

pub use refusal::DensityRefusal;

use mechanism::Released;

/// More synthetic points are for a program that reads release.json.
const MOST_DRAWS: usize = 10_000_000;

/// Writes the files of a density and returns its summary: **spends the budget**.
pub fn run(arguments: &DensityArguments) -> Result<String, CliError> {
    let plan = Plan::check(arguments)?;
    let inputs = [arguments.points.as_path()];
    let door =
        Door::open(&arguments.output, Contents::Density, &arguments.account, arguments.demonstration.seed, &inputs)?;
    let door = door.printing_json(arguments.json);
    let points = read(arguments, &plan.bounds)?;
    let published = progress::waiting("drawing", || mechanism::publish(&plan, &points, door));
    published.map_err(|error| in_file(Argument::Points, &arguments.points, error))
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

/// The public arguments, checked without the data.
struct Plan {
    mechanism: DensityMechanism,
    columns: Vec<String>,
    bounds: Bounds,
    budget: PrivacyBudget,
    neighbours: NeighbouringRelation,
    /// What a record is: by the column of subjects, or by the curator's word.
    unit: PrivacyUnit,
    /// Whether rows are put together by their subjects.
    has_subjects: bool,
    /// How the table is read, where that fits into a document.
    source: Option<Source>,
    /// How the figure looks.
    frame: FrameArguments,
    /// Along each axis; to be chosen if not given.
    cells: Option<usize>,
    /// How many synthetic points, or how many draws the mechanism makes.
    draws: Option<usize>,
}

impl Plan {
    fn check(arguments: &DensityArguments) -> Result<Self, CliError> {
        let columns = arguments.columns.0.clone();
        let numbers = arguments.bounds.as_ref().ok_or(CliError::NoBounds)?.0.as_slice();
        if numbers.len() != 2 * columns.len() {
            return Err(CliError::BoundsOfColumns { numbers: numbers.len(), columns: columns.len() });
        }
        let axes = numbers.chunks_exact(2).map(|ends| (ends[0], ends[1])).collect();
        let bounds = Bounds::new(axes).map_err(DensityRefusal::from)?;
        let epsilon = arguments.epsilon.ok_or(CliError::NoEpsilon)?;
        let budget = PrivacyBudget::new(epsilon, arguments.delta).map_err(DensityRefusal::from)?;
        if epsilon > 0.0 && !(1e-6..=50.0).contains(&epsilon) {
            return Err(CliError::EpsilonRange { value: epsilon });
        }
        if matches!(
            arguments.mechanism,
            DensityMechanism::Perturbed | DensityMechanism::Series | DensityMechanism::SeriesExponential
        ) {
            check_draws(arguments.draws, columns.len())?;
        }
        let plan = Self {
            mechanism: arguments.mechanism,
            columns,
            bounds,
            budget,
            neighbours: arguments.neighbours,
            unit: match (&arguments.subject, arguments.unit) {
                (Some(_), _) => PrivacyUnit::Subject,
                (None, unit) => unit.unwrap_or(PrivacyUnit::Curve),
            },
            has_subjects: arguments.subject.is_some(),
            source: source(arguments),
            frame: arguments.frame.clone(),
            cells: arguments.cells,
            draws: arguments.draws,
        };
        mechanism::check(&plan)?;
        reason::check(&plan.budget, &arguments.reason)?;
        Ok(plan)
    }

    /// The names of the columns, where they fit into a document.
    fn labels(&self) -> Labels {
        Labels::default().with_columns(self.columns.clone()).unwrap_or_default()
    }

    /// Whether the number of records may be told.
    fn has_public_records(&self) -> bool {
        self.neighbours == NeighbouringRelation::SubstituteOne
    }
}

/// Synthetic points that cost nothing are limited by memory alone.
fn check_draws(draws: Option<usize>, dimension: usize) -> Result<(), CliError> {
    match draws {
        Some(found) if !(1..=MOST_DRAWS).contains(&found) => {
            let gibibytes = found as f64 * (dimension * size_of::<f64>()) as f64 / f64::from(1 << 30);
            Err(CliError::Draws { found, most: MOST_DRAWS, gibibytes })
        }
        _ => Ok(()),
    }
}

/// The points of the private file.
fn read(arguments: &DensityArguments, bounds: &Bounds) -> Result<Points, CliError> {
    let path = &arguments.points;
    let open = |source| CliError::Open { argument: Argument::Points, path: path.clone(), source };
    let file = File::open(path).map_err(open)?;
    let progress = progress::reading(file.metadata().map_err(open)?.len());
    let layout = PointLayout::new(arguments.columns.0.clone()).missing(arguments.missing.clone().unwrap_or_default());
    let layout = match &arguments.subject {
        Some(subject) => layout.subject(subject),
        None => layout,
    };
    let points = Points::from_csv_reader(progress.wrap_read(file), &layout, bounds.clone());
    progress.finish_and_clear();
    let points = points.map_err(|error| match error {
        PointsCsvError::Read { kind } => open(kind.into()),
        other => in_file(Argument::Points, path, DensityRefusal::from(other).into()),
    })?;
    tell_of_ids(points.similar_ids());
    tell_of_missing(points.missing_cells(), FilledBy::Center);
    Ok(points)
}

/// How the table is read, for the release. Names that could not be printed on a line are left out.
fn source(arguments: &DensityArguments) -> Option<Source> {
    let columns = arguments.columns.0.clone();
    let columns = if columns.iter().all(|name| is_name(name)) { columns } else { Vec::new() };
    let subject = arguments.subject.clone().filter(|name| is_name(name));
    let codes = arguments.missing.as_ref().map_or_else(Vec::new, |missing| missing.codes().to_vec());
    Source::new(columns, subject, None, codes).and_then(|source| source.because(arguments.reason.because())).ok()
}
