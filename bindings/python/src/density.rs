//! Private densities of points on public bounds, with the defaults of the command.

use dpfda::density::{
    Bounds, CellDraws, Cells, Histogram, HistogramRelease, KsExponential, PerturbedHistogram, PiecewiseDensity, Points,
    SeriesMechanism, SeriesRelease, SeriesTerms, SmoothedHistogram, cells_to_merge,
};
use dpfda::mechanism::{Fact, Release};
use dpfda::plotting::{DensityFigure, captions};
use dpfda::privacy::{NeighbouringRelation, PrivacyBudget, PrivacyUnit, SeededRandomness};
use dpfda::{AnyRelease, mechanism::Digest};
use ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::budget::Budget;
use crate::door::{Concerns, Door, DoorArguments};
use crate::ledger::UNITS;
use crate::refusal::{Refusal, attempt, one_of};
use crate::settings::RELATIONS;
use crate::table::Table;

/// In place of a number of records that is private.
const RECORDS: u64 = 1000;

/// The most terms that are released in one, two and three dimensions.
const MOST_TERMS: [usize; 3] = [32, 36, 64];

/// At how many cells an axis a series is shown.
const CELLS_OF_SERIES: [usize; 3] = [200, 60, 24];

/// The most cells and draws of the exponential mechanism by default.
const MOST_CELLS: usize = 1000;
const MOST_DRAWS: usize = 200;

/// What Python says of a density.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct DensityArguments {
    bounds: Vec<(f64, f64)>,
    budget: Budget,
    mechanism: String,
    neighbours: String,
    unit: String,
    cells: Option<usize>,
    draws: Option<usize>,
}

#[derive(Clone, Copy)]
enum Kind {
    Perturbed,
    Smoothed,
    Exponential,
    Series,
}

const KINDS: [(&str, Kind); 4] = [
    ("perturbed", Kind::Perturbed),
    ("smoothed", Kind::Smoothed),
    ("exponential", Kind::Exponential),
    ("series", Kind::Series),
];

struct Plan {
    bounds: Bounds,
    budget: PrivacyBudget,
    kind: Kind,
    neighbours: NeighbouringRelation,
    unit: PrivacyUnit,
    cells: Option<usize>,
    draws: Option<usize>,
}

/// A released density. Once the noise is drawn, nothing may be lost: a release that cannot be put on cells is kept with the reason.
#[pyclass(name = "DensityRelease", module = "dpfda._dpfda", frozen)]
pub struct ReleasedDensity {
    document: String,
    release: AnyRelease,
    density: Result<PiecewiseDensity, Refusal>,
}

/// Releases the density of points: **spends the budget**.
#[pyfunction]
pub fn release_density(
    py: Python<'_>,
    points: Table<'_>,
    arguments: DensityArguments,
    door: DoorArguments,
) -> Result<ReleasedDensity, Refusal> {
    let (plan, door, rows) = (Plan::try_from(arguments)?, Door::try_from(door)?, points.view("points")?);
    py.detach(|| plan.release(&Points::new(rows.copied(), plan.bounds.clone())?, &door))
}

impl TryFrom<DensityArguments> for Plan {
    type Error = Refusal;

    fn try_from(arguments: DensityArguments) -> Result<Self, Refusal> {
        let epsilon = arguments.budget.0.epsilon();
        if epsilon > 0.0 && !(1e-6..=50.0).contains(&epsilon) {
            return Err(Refusal::new("epsilon", "epsilon must be 0, or from 1e-6 to 50"));
        }
        let plan = Self {
            bounds: Bounds::new(arguments.bounds)?,
            budget: arguments.budget.0,
            kind: one_of("mechanism", &arguments.mechanism, &KINDS)?,
            neighbours: one_of("neighbours", &arguments.neighbours, &RELATIONS)?,
            unit: one_of("unit", &arguments.unit, &UNITS)?,
            cells: arguments.cells,
            draws: arguments.draws,
        };
        if let Some(per_axis) = plan.cells {
            // a series is put on them after the draw
            Cells::new(plan.bounds.clone(), per_axis)?;
        }
        if plan.draws.is_some() && matches!(plan.kind, Kind::Perturbed | Kind::Series) {
            return Err(Refusal::new("draws", "draws belong to the mechanisms \"smoothed\" and \"exponential\""));
        }
        Ok(plan)
    }
}

impl Plan {
    fn release(&self, points: &Points, door: &Door) -> Result<ReleasedDensity, Refusal> {
        // under add-remove no choice depends on the private number of records
        let is_public = self.neighbours == NeighbouringRelation::SubstituteOne;
        let records = if is_public { points.records() as u64 } else { RECORDS };
        let (unconcerned, agreed) = (Concerns::default(), &door.agreed);
        match self.kind {
            Kind::Perturbed => {
                let drawn = door.draw(self.histogram(records)?.prepare(points)?, unconcerned)?;
                self.of_histogram(agreed.kept_by(drawn, None))
            }
            Kind::Series => {
                let drawn = door.draw(self.series()?.prepare(points)?, unconcerned)?;
                ReleasedDensity::of(AnyRelease::Series(Box::new(agreed.kept_by(drawn, None).into())), self.cells)
            }
            Kind::Smoothed => {
                let drawn = door.draw(self.smoothed(points.records() as u64)?.prepare(points)?, unconcerned)?;
                ReleasedDensity::of(AnyRelease::Draws(Box::new(agreed.kept_by(drawn, None))), None)
            }
            Kind::Exponential => {
                let drawn = door.draw(self.exponential(records)?.prepare(points)?, unconcerned)?;
                ReleasedDensity::of(AnyRelease::Draws(Box::new(agreed.kept_by(drawn, None))), None)
            }
        }
    }

    fn histogram(&self, records: u64) -> Result<PerturbedHistogram, Refusal> {
        let cells = match self.cells {
            Some(per_axis) => Cells::new(self.bounds.clone(), per_axis)?,
            None => cells_to_merge(self.bounds.clone(), records)?,
        };
        Ok(PerturbedHistogram::new(cells, self.budget).neighbours(self.neighbours).unit(self.unit))
    }

    /// Cells that nobody asked for are merged by the estimated risk, a function of the noisy counts.
    fn of_histogram(&self, release: Release<Histogram>) -> Result<ReleasedDensity, Refusal> {
        let release = HistogramRelease::from(release);
        let merged = if self.cells.is_some() { None } else { attempt(|| Ok(release.merged_by_risk())).ok() };
        let shown = merged.unwrap_or(release);
        ReleasedDensity::of(AnyRelease::Histogram(Box::new(shown)), None)
    }

    fn series(&self) -> Result<SeriesMechanism, Refusal> {
        let terms = SeriesTerms::ChosenUpTo(MOST_TERMS[self.bounds.dimension() - 1]);
        Ok(SeriesMechanism::new(terms, self.budget, self.neighbours)?.unit(self.unit))
    }

    fn smoothed(&self, records: u64) -> Result<SmoothedHistogram, Refusal> {
        let epsilon = self.budget.epsilon();
        let size = SmoothedHistogram::size_for_squared_l2_distance(records, epsilon, self.bounds.dimension());
        let cells = Cells::new(self.bounds.clone(), self.cells.unwrap_or(size.per_axis))?;
        let draws = self.draws.unwrap_or(size.draws);
        let histogram = SmoothedHistogram::with_smallest_mixture(self.budget, self.neighbours, records, cells, draws)?;
        Ok(histogram.unit(self.unit))
    }

    fn exponential(&self, records: u64) -> Result<KsExponential, Refusal> {
        let per_axis = match self.cells {
            Some(per_axis) => per_axis,
            None => cells_to_merge(self.bounds.clone(), records)?.per_axis().min(MOST_CELLS),
        };
        let draws = KsExponential::default_draws(records, self.budget.epsilon()).min(MOST_DRAWS);
        let cells = Cells::new(self.bounds.clone(), per_axis)?;
        Ok(KsExponential::new(self.budget, self.neighbours, cells, self.draws.unwrap_or(draws))?.unit(self.unit))
    }
}

impl ReleasedDensity {
    fn of(release: AnyRelease, cells: Option<usize>) -> Result<Self, Refusal> {
        let document = match &release {
            AnyRelease::Histogram(release) => release.to_json()?,
            AnyRelease::Draws(release) => release.to_json()?,
            AnyRelease::Series(release) => release.to_json()?,
            _ => return Err(no_density()),
        };
        let density = attempt(|| match &release {
            AnyRelease::Histogram(release) => Ok(release.density().clone()),
            AnyRelease::Draws(release) => Ok(release.empirical()),
            AnyRelease::Series(release) => resolved(release, cells),
            _ => Err(no_density()),
        });
        Ok(Self { document, release, density })
    }

    fn density(&self) -> Result<&PiecewiseDensity, Refusal> {
        let none = |reason: &Refusal| Refusal::new("release", format!("the release has no cells: {}", reason.text()));
        self.density.as_ref().map_err(none)
    }
}

fn no_density() -> Refusal {
    Refusal::new("text", "the document is no release of a density")
}

/// A series on cells, for a table and a figure.
fn resolved(release: &SeriesRelease, cells: Option<usize>) -> Result<PiecewiseDensity, Refusal> {
    let density = release.density();
    let dimension = release.basis().dimension();
    Ok(density.piecewise(cells.unwrap_or(CELLS_OF_SERIES[dimension - 1]))?)
}

#[pymethods]
impl ReleasedDensity {
    #[staticmethod]
    fn from_json(text: &str) -> Result<Self, Refusal> {
        Self::of(AnyRelease::from_json(text).map_err(|error| Refusal::of_document(&error))?, None)
    }

    fn to_json(&self) -> String {
        self.document.clone()
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        self.release.facts().into_iter().map(|fact: Fact| (fact.name, fact.text)).collect()
    }

    #[getter]
    fn is_private(&self) -> bool {
        self.release.is_private()
    }

    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let guarantee = self.release.guarantee();
        let numbers = PyDict::new(py);
        numbers.set_item("epsilon", guarantee.budget().epsilon())?;
        numbers.set_item("delta", guarantee.budget().delta())?;
        numbers.set_item("neighbours", guarantee.neighbours().to_string())?;
        numbers.set_item("unit", guarantee.unit().to_string())?;
        Ok(numbers)
    }

    /// The ends of every axis, and the number of cells along each.
    fn cells(&self) -> Result<(Vec<(f64, f64)>, usize), Refusal> {
        let cells = self.density()?.cells();
        let bounds = cells.bounds();
        Ok(((0..bounds.dimension()).map(|axis| bounds.axis(axis)).collect(), cells.per_axis()))
    }

    /// The probability of every cell.
    fn probabilities<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyArray1<f64>>, Refusal> {
        Ok(self.density()?.probabilities().to_vec().into_pyarray(py))
    }

    /// The density at points.
    fn at<'py>(&self, py: Python<'py>, points: Table<'py>) -> Result<Bound<'py, PyArray1<f64>>, Refusal> {
        let (points, density) = (points.public("points")?.copied(), self.density()?);
        let axes = density.cells().bounds().dimension();
        if points.ncols() != axes {
            return Err(Refusal::new("points", format!("the density has {axes} axes: give one column for each")));
        }
        let at: Vec<f64> = points.rows().into_iter().map(|point| density.at(&point.to_vec())).collect();
        Ok(at.into_pyarray(py))
    }

    /// The value below which a share of the distribution lies.
    fn quantile(&self, share: f64) -> Result<f64, Refusal> {
        self.density()?.quantile(share).map_err(|error| Refusal::from(error).at("share"))
    }

    /// Synthetic points: a draw from the released density, or the draws themselves where the mechanism draws.
    #[pyo3(signature = (count))]
    fn simulate<'py>(&self, py: Python<'py>, count: Option<usize>) -> Result<Bound<'py, PyArray2<f64>>, Refusal> {
        let mut public = after(&self.document);
        let drawn: Array2<f64> = match (&self.release, count) {
            (AnyRelease::Draws(release), None) => CellDraws::points(release, &mut public),
            (AnyRelease::Draws(_), Some(_)) => {
                return Err(Refusal::new("count", "the number of draws is part of this mechanism: leave count out"));
            }
            (AnyRelease::Series(release), Some(count)) => release.density().draw(count, &mut public),
            (_, Some(count)) => self.density()?.draw(count, &mut public),
            (_, None) => return Err(Refusal::new("count", "say how many points to draw")),
        };
        Ok(drawn.into_pyarray(py))
    }

    #[pyo3(signature = (names))]
    fn to_svg(&self, py: Python<'_>, names: Option<Vec<String>>) -> Result<String, Refusal> {
        py.detach(|| Ok(self.figure(names)?.to_svg()?))
    }

    #[pyo3(signature = (names))]
    fn to_png(&self, py: Python<'_>, names: Option<Vec<String>>) -> Result<Vec<u8>, Refusal> {
        py.detach(|| Ok(self.figure(names)?.to_png()?))
    }
}

impl ReleasedDensity {
    fn figure(&self, names: Option<Vec<String>>) -> Result<DensityFigure, Refusal> {
        let facts: Vec<String> = captions(&self.release.facts()).collect();
        let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
        let mut figure = DensityFigure::new(self.density()?).caption(&facts);
        if let Some(names) = names {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            figure = figure.axes(&names).map_err(|error| Refusal::from(error).at("names"))?;
        }
        Ok(if self.release.is_private() { figure } else { figure.noise_from_a_seed() })
    }
}

/// Public randomness that follows from a release, so that everybody draws the same points.
fn after(document: &str) -> SeededRandomness {
    let digest = Digest::of(document.as_bytes()).to_string();
    SeededRandomness::from_seed(u64::from_str_radix(&digest[..16], 16).unwrap_or_default())
}
