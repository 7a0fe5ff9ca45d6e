//! `dpfda density`: from a private file of points to a public density.
//!
//! The order is that of `dpfda release`: public arguments, a place to write, the private file, and only then the noise.
//! Whatever can be refused is refused before that, at no cost.

use std::fs::File;
use std::path::Path;

use dpfda::density::{Bounds, PointLayout, Points, PointsCsvError};
use dpfda::mechanism::{Labels, Source};
use dpfda::privacy::{NeighbouringRelation, PrivacyBudget, PrivacyUnit};
use dpfda_study::{Kind, MechanismName, Sections};

use crate::argument::Argument;
use crate::arguments::{DensityArguments, WorkArguments};
use crate::error::CliError;
use crate::files::Files;
use crate::input::{self, FilledBy, in_file, tell_of_ids, tell_of_missing};
use crate::look::Look;
use crate::output::{Contents, OutputError};
use crate::progress;
use crate::publication::Publication;
use crate::release::{self, Way};
use crate::request::Request;
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
    let request = Request::of(&arguments.files, &arguments.settings, Some(Kind::Density))?;
    let work = WorkArguments { threads: None, sorted_by_subject: false };
    let way = Way {
        output: &arguments.output,
        account: &arguments.account,
        seed: arguments.demonstration.seed,
        work: &work,
        json: arguments.json,
    };
    release::released(&request, &way)
}

/// The same for a study of a density.
pub fn released(request: &Request<'_>, way: &Way<'_>) -> Result<String, CliError> {
    let plan = Plan::check(request)?;
    let door = way.door(Contents::Density, request)?;
    let points = read(request, &plan)?;
    let published = progress::waiting("drawing", || mechanism::publish(&plan, &points, door));
    published.map_err(|error| in_file(Argument::Points, request.data, error))
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
    mechanism: MechanismName,
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
    look: Look,
    /// Along each axis; to be chosen if not given.
    cells: Option<usize>,
    /// How many synthetic points, or how many draws the mechanism makes.
    draws: Option<usize>,
}

impl Plan {
    fn check(request: &Request<'_>) -> Result<Self, CliError> {
        let Sections { privacy, bound, table, density, figure, .. } = &request.study.said;
        let columns = table.columns.as_ref().map(|columns| columns.0.clone()).unwrap_or_default();
        // the study was checked: each column has two
        let numbers = bound.bounds.as_deref().unwrap_or_default();
        let axes = numbers.chunks_exact(2).map(|ends| (ends[0], ends[1])).collect();
        let bounds = Bounds::new(axes).map_err(DensityRefusal::from)?;
        let epsilon = privacy.epsilon.unwrap_or(f64::NAN);
        let budget = PrivacyBudget::new(epsilon, privacy.delta.unwrap_or(0.0)).map_err(DensityRefusal::from)?;
        if epsilon > 0.0 && !(1e-6..=50.0).contains(&epsilon) {
            return Err(CliError::EpsilonRange { value: epsilon });
        }
        let mechanism = privacy.mechanism.unwrap_or(MechanismName::Perturbed);
        if matches!(mechanism, MechanismName::Perturbed | MechanismName::Series | MechanismName::SeriesExponential) {
            check_draws(density.draws, columns.len())?;
        }
        let plan = Self {
            mechanism,
            columns,
            bounds,
            budget,
            neighbours: privacy.relation(),
            unit: match (&table.subject, privacy.unit) {
                (Some(_), _) => PrivacyUnit::Subject,
                (None, unit) => unit.map_or(PrivacyUnit::Curve, Into::into),
            },
            has_subjects: table.subject.is_some(),
            source: Some(source(request)),
            look: Look::of(figure),
            cells: density.cells,
            draws: density.draws,
        };
        mechanism::check(&plan)?;
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
fn read(request: &Request<'_>, plan: &Plan) -> Result<Points, CliError> {
    let (path, table) = (request.data, &request.study.table);
    let open = |source| CliError::Open { argument: Argument::Points, path: path.to_owned(), source };
    let file = File::open(path).map_err(open)?;
    let progress = progress::reading(file.metadata().map_err(open)?.len());
    let layout = PointLayout::new(plan.columns.clone()).missing(table.missing.clone().unwrap_or_default());
    let layout = match &table.subject {
        Some(subject) => layout.subject(subject),
        None => layout,
    };
    let points = Points::from_csv_reader(progress.wrap_read(file), &layout, plan.bounds.clone());
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
fn source(request: &Request<'_>) -> Source {
    let table = &request.study.table;
    let columns = table.columns.as_ref().map(|columns| columns.0.iter().map(String::as_str).collect());
    input::source_on(request, (None, table.subject.as_deref()), columns)
}
