//! Means of curves that were seen at other times for each subject.

use std::path::{Path, PathBuf};

use dpfda::analysis::{Band, DEFAULT_LEVEL, EstimatedOccupancy};
use dpfda::plotting::Figure;
use dpfda::privacy::{Calibration, NeighbouringRelation, PrivacyBudget};
use dpfda::release::{LongRows, Occupancy, OccupancyRelease, PrivateOccupancy, ReleaseError};
use dpfda::smoothing::{CurveLayout, Decimal, TableFiles};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::band::checked_level;
use crate::budget::{Budget, StatedBall};
use crate::door::{Door, DoorArguments};
use crate::groups::{difference, function};
use crate::mean::{Subjects, check_ids};
use crate::refusal::{Refusal, one_of};
use crate::release::points;
use crate::settings::{CALIBRATIONS, RELATIONS};

/// Makes a band.
type Made = fn() -> Band;

/// The bands that such a release can have.
const BANDS: [(&str, Made); 3] =
    [("population", || Band::Population), ("posterior", || Band::Posterior), ("noise", || Band::Noise)];

/// What Python says of such a mean.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct OccupancyArguments {
    ball: StatedBall,
    budget: Budget,
    domain_range: (f64, f64),
    bins: usize,
    bound: Option<f64>,
    neighbours: String,
    calibration: String,
    band: Option<String>,
    level: Option<f64>,
}

/// Settings that were checked without the data.
#[pyclass(name = "OccupancySettings", module = "dpfda._dpfda", frozen)]
pub struct OccupancySettings {
    private_mean: PrivateOccupancy,
    band: Option<Band>,
    level: f64,
}

#[pymethods]
impl OccupancySettings {
    #[new]
    fn new(arguments: OccupancyArguments) -> Result<Self, Refusal> {
        let budget: PrivacyBudget = arguments.budget.0;
        let neighbours: NeighbouringRelation = one_of("neighbours", &arguments.neighbours, &RELATIONS)?;
        let calibration: Calibration = one_of("calibration", &arguments.calibration, &CALIBRATIONS)?;
        let grid = Occupancy::grid_of(arguments.domain_range, arguments.bins).map_err(ReleaseError::from)?;
        let ball = arguments.ball.on(&grid)?;
        let private_mean = PrivateOccupancy::new(ball, arguments.domain_range, budget)
            .bins(arguments.bins)
            .neighbours(neighbours)
            .calibration(calibration);
        let private_mean = match arguments.bound {
            Some(bound) => private_mean.bound(bound),
            None => private_mean,
        };
        private_mean.mechanism()?;
        let band = arguments.band.map(|name| one_of("band", &name, &BANDS)).transpose()?.map(|band| band());
        let level = checked_level(arguments.level)?.unwrap_or(DEFAULT_LEVEL);
        Ok(Self { private_mean, band, level })
    }
}

impl OccupancySettings {
    fn estimate(&self, release: OccupancyRelease) -> Result<EstimatedOccupancy, Refusal> {
        let band = self.band.clone().unwrap_or_else(|| EstimatedOccupancy::default_band(&release));
        Ok(EstimatedOccupancy::new(release, &band, self.level)?)
    }
}

/// Rows as Python says where they are.
#[derive(FromPyObject)]
pub enum RowsArgument<'py> {
    /// Files that a path names.
    Files(LongFiles),
    /// A subject, a time and a value for each row.
    Memory(LongColumns<'py>),
}

/// Files, and what their columns are.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct LongFiles {
    path: PathBuf,
    subject: String,
    time: String,
    value: String,
    delimiter: Option<String>,
    decimal_comma: bool,
}

/// Columns in memory.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct LongColumns<'py> {
    subjects: Subjects,
    times: PyReadonlyArray1<'py, f64>,
    values: PyReadonlyArray1<'py, f64>,
}

impl LongFiles {
    fn layout(&self) -> Result<CurveLayout, Refusal> {
        let mut layout = CurveLayout::long(&self.subject, &self.time, &self.value)?;
        if let Some(delimiter) = &self.delimiter {
            layout = layout.separated_by(delimiter.parse()?);
        }
        Ok(if self.decimal_comma { layout.decimal(Decimal::Comma) } else { layout })
    }
}

fn read(rows: &mut LongRows, path: &Path, layout: &CurveLayout) -> Result<(), Refusal> {
    let files = TableFiles::find(path)?;
    let mut first = None;
    for file in 0..files.paths().len() {
        let mut source = files.open(file, layout)?;
        rows.read(&mut source).map_err(|error| files.in_file(file, error))?;
        match &first {
            None => first = Some(source),
            Some(first) => files.check_same(first, file, &source)?,
        }
    }
    Ok(())
}

/// A released mean of irregular curves with its estimate.
#[pyclass(name = "OccupancyRelease", module = "dpfda._dpfda", frozen)]
pub struct ReleasedOccupancy(Box<EstimatedOccupancy>);

/// Releases the mean of irregular curves: **spends the budget**. Also, for the curator, whether ids look alike.
#[pyfunction]
pub fn release_occupancy(
    py: Python<'_>,
    settings: &OccupancySettings,
    rows: RowsArgument<'_>,
    door: DoorArguments,
) -> Result<((ReleasedOccupancy, Vec<String>), bool), Refusal> {
    let door = Door::try_from(door)?;
    let mut taken = settings.private_mean.rows()?;
    match rows {
        RowsArgument::Files(files) => {
            let layout = files.layout()?;
            py.detach(|| read(&mut taken, &files.path, &layout))?;
        }
        RowsArgument::Memory(LongColumns { subjects, times, values }) => {
            check_ids(Some(&subjects))?;
            let (times, values) = (times.as_array(), values.as_array());
            py.detach(|| {
                for ((subject, time), value) in subjects.iter().zip(times).zip(values) {
                    taken.push(subject.as_bytes(), *time, *value);
                }
            });
        }
    }
    let are_similar = *taken.similar_ids().reveal() > 0;
    py.detach(|| {
        let (drawn, notes) = door.draw(taken.prepare()?)?;
        Ok(((ReleasedOccupancy(Box::new(settings.estimate(drawn.into())?)), notes), are_similar))
    })
}

#[pymethods]
impl ReleasedOccupancy {
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> Result<Self, Refusal> {
        let read = py.detach(|| EstimatedOccupancy::from_json(text)).map_err(|error| Refusal::of_document(&error))?;
        Ok(Self(Box::new(read)))
    }

    fn to_json(&self) -> Result<String, Refusal> {
        Ok(self.0.to_json()?)
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        self.0.facts().into_iter().map(|fact| (fact.name, fact.text)).collect()
    }

    #[getter]
    fn is_private(&self) -> bool {
        self.0.release().is_private()
    }

    /// The estimate with its band, as columns.
    fn estimate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        function(py, self.0.estimate())
    }

    /// Which band, and the probability that it states.
    fn band(&self) -> (&'static str, f64) {
        (self.0.band().band.name(), self.0.band().level)
    }

    /// The same release with another band, at no cost.
    fn with_band(&self, py: Python<'_>, band: &str, level: f64) -> Result<Self, Refusal> {
        let band = one_of("band", band, &BANDS)?();
        let level = checked_level(Some(level))?.unwrap_or(DEFAULT_LEVEL);
        Ok(Self(Box::new(py.detach(|| self.0.with_band(&band, level))?)))
    }

    /// The estimate at any points of the domain, as columns.
    fn at<'py>(&self, py: Python<'py>, at: Vec<f64>) -> PyResult<Bound<'py, PyDict>> {
        let found = py.detach(|| self.0.at(&at)).map_err(|error| Refusal::from(error).at("points"))?;
        points(py, &found)
    }

    /// The parts of the domain that too few people were measured in.
    fn unsupported(&self) -> Vec<(f64, f64)> {
        self.0.unsupported().into_iter().map(|part| (part.start, part.end)).collect()
    }

    /// This mean minus another one, with a band and a test.
    fn minus<'py>(&self, py: Python<'py>, other: &Self, level: f64) -> PyResult<Bound<'py, PyDict>> {
        difference(py, self.0.population(), other.0.population(), level)
    }

    /// The figure as SVG.
    fn to_svg(&self, py: Python<'_>) -> Result<String, Refusal> {
        Ok(py.detach(|| Figure::estimate(&*self.0).to_svg())?)
    }

    /// The figure as the bytes of a PNG.
    fn to_png(&self, py: Python<'_>) -> Result<Vec<u8>, Refusal> {
        Ok(py.detach(|| Figure::estimate(&*self.0).to_png())?)
    }
}
