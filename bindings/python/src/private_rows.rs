//! Means of curves that were seen at other times for each subject.

use dpfda::analysis::{Band, DEFAULT_LEVEL, Estimated};
use dpfda::mechanism::{Release, Source};
use dpfda::plotting::{Figure, captions};
use dpfda::privacy::{Calibration, NeighbouringRelation, PrivacyBudget};
use dpfda::release::{BallShares, LongRows, PreparedRows, PrivateRows, ReleaseError, Rows};
use dpfda::smoothing::Ball;
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::band::{checked_level, plain};
use crate::budget::{Budget, StatedBall};
use crate::curves::CurvesArgument;
use crate::door::{Concerns, Door, DoorArguments};
use crate::drawn::Drawn;
use crate::groups::difference;
use crate::refusal::{Refusal, one_of};
use crate::release::{banded, domain, points, provenance};
use crate::rows::RowsArgument;
use crate::settings::{CALIBRATIONS, RELATIONS, Settings};

/// What Python says of such a mean.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct RowsArguments {
    ball: StatedBall,
    budget: Budget,
    domain_range: (f64, f64),
    periodic: bool,
    bins: usize,
    bound: Option<f64>,
    radius_share: Option<f64>,
    neighbours: String,
    calibration: String,
    band: Option<String>,
    level: Option<f64>,
}

/// A mean in bins, before its domain is known.
pub struct Binned {
    /// The public bound.
    pub ball: StatedBall,
    /// The guarantee.
    pub budget: PrivacyBudget,
    /// How many bins the domain has.
    pub bins: usize,
    /// The largest distance of one value from the centre, where it was stated.
    pub bound: Option<f64>,
    /// Which data sets are neighbours.
    pub neighbours: NeighbouringRelation,
    /// How the noise is calibrated.
    pub calibration: Calibration,
    /// What buys a radius.
    pub shares: BallShares,
    /// The band, where one was asked for.
    pub band: Option<Band>,
    /// Its level.
    pub level: f64,
}

impl Binned {
    /// The mean on a domain.
    ///
    /// # Errors
    /// [`Refusal`] for a domain, bins or a centre that cannot be.
    pub fn on(&self, domain: (f64, f64), is_periodic: bool) -> Result<PrivateRows, Refusal> {
        let grid = Rows::grid_of(domain, is_periodic, self.bins).map_err(ReleaseError::from)?;
        Ok(self.of(self.ball.on(&grid)?, domain, is_periodic))
    }

    /// Refuses what is refused on every domain.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn check(&self) -> Result<(), Refusal> {
        self.of(self.ball.anywhere()?, (0.0, 1.0), false).rows()?;
        Ok(())
    }

    fn of(&self, ball: Ball, domain: (f64, f64), is_periodic: bool) -> PrivateRows {
        let of = PrivateRows::new(ball, domain, self.budget)
            .bins(self.bins)
            .neighbours(self.neighbours)
            .calibration(self.calibration)
            .buying(self.shares);
        let of = if is_periodic { of.periodic() } else { of };
        match self.bound {
            Some(bound) => of.bound(bound),
            None => of,
        }
    }

    /// Draws what was seen, and makes the estimate.
    fn release(
        &self,
        rows: &LongRows,
        source: Option<Source>,
        door: &Door,
        concerns: Concerns,
    ) -> Result<ReleasedRows, Refusal> {
        draw(rows.prepare()?, source, (door, concerns), (self.band.clone(), self.level))
    }
}

/// Settings that were checked without the data.
#[pyclass(name = "RowsSettings", module = "dpfda._dpfda", frozen)]
pub struct RowsSettings {
    /// The builder of the library.
    pub private_mean: PrivateRows,
    binned: Binned,
}

#[pymethods]
impl RowsSettings {
    #[new]
    fn new(arguments: RowsArguments) -> Result<Self, Refusal> {
        let binned = Binned {
            ball: arguments.ball,
            budget: arguments.budget.0,
            bins: arguments.bins,
            bound: arguments.bound,
            neighbours: one_of("neighbours", &arguments.neighbours, &RELATIONS)?,
            calibration: one_of("calibration", &arguments.calibration, &CALIBRATIONS)?,
            shares: BallShares::new(None, arguments.radius_share)?,
            band: plain(arguments.band.as_deref())?,
            level: checked_level(arguments.level)?.unwrap_or(DEFAULT_LEVEL),
        };
        let private_mean = binned.on(arguments.domain_range, arguments.periodic)?;
        private_mean.rows()?;
        Ok(Self { private_mean, binned })
    }
}

/// A released mean of irregular curves with its estimate. Once the noise is drawn, nothing may be lost: a release of which no
/// estimate can be made is kept with the reason.
#[pyclass(name = "RowsRelease", module = "dpfda._dpfda", frozen)]
pub struct ReleasedRows(Drawn<Rows>);

/// Releases the mean of irregular curves: **spends the budget**.
#[pyfunction]
pub fn release_long(
    py: Python<'_>,
    settings: &RowsSettings,
    rows: RowsArgument<'_>,
    door: DoorArguments,
) -> Result<ReleasedRows, Refusal> {
    let door = Door::try_from(door)?;
    let (rows, concerns) = rows.taken(py, settings.private_mean.rows()?)?;
    py.detach(|| settings.binned.release(&rows, None, &door, concerns))
        .map_err(|refusal| refusal.renamed("curves", "rows"))
}

/// Releases the mean of what was seen of curves, whose missing values count as not seen: **spends the budget**.
#[pyfunction]
pub fn release_seen(
    py: Python<'_>,
    settings: &Settings,
    curves: CurvesArgument<'_>,
    door: DoorArguments,
) -> Result<ReleasedRows, Refusal> {
    let (door, stated) = (Door::try_from(door)?, curves.stated()?);
    let binned = settings.binned().ok_or_else(|| Refusal::new("gaps", "gaps must be \"rows\""))?;
    py.detach(|| {
        let whole = stated.read(&[], "curves")?;
        let grid = whole.curves.grid();
        let private_mean = binned.on((grid.lower(), grid.upper()), grid.is_periodic())?;
        let rows = private_mean.rows_of(&whole.curves)?;
        binned.release(&rows, settings.source(), &door, whole.concerns)
    })
}

/// Draws, and makes the estimate with a band and its level.
///
/// # Errors
/// [`Refusal`] before the noise is drawn; what goes wrong with the estimate is kept beside the release.
pub fn draw(
    prepared: PreparedRows<'_>,
    source: Option<Source>,
    (door, concerns): (&Door, Concerns),
    (band, level): (Option<Band>, f64),
) -> Result<ReleasedRows, Refusal> {
    let drawn = door.agreed.kept_by(door.draw(prepared, concerns)?, source);
    Ok(ReleasedRows::of(drawn, band, level))
}

impl ReleasedRows {
    fn of(release: Release<Rows>, band: Option<Band>, level: f64) -> Self {
        Self(Drawn::new(release, band, level))
    }
}

#[pymethods]
impl ReleasedRows {
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> Result<Self, Refusal> {
        let read = py.detach(|| Estimated::<Rows>::from_json(text)).map_err(|error| Refusal::of_document(&error))?;
        Ok(Self(read.into()))
    }

    fn to_json(&self) -> Result<String, Refusal> {
        self.0.to_json()
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        self.0.facts().into_iter().map(|fact| (fact.name, fact.text)).collect()
    }

    /// The words of a caption.
    fn captions(&self) -> Vec<String> {
        captions(&self.0.facts()).collect()
    }

    #[getter]
    fn is_private(&self) -> bool {
        self.0.release().is_private()
    }

    /// The public numbers of the release, and what it says of each bin.
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (release, statistic) = (self.0.release(), self.0.release().statistic());
        let privacy = release.noise().privacy(release.mechanism().body(), release.neighbours());
        let numbers = provenance(py, release, privacy.map(|privacy| privacy.mu()), statistic.ball())?;
        let (sums, grid) = (Rows::sums(release), statistic.grid());
        let starts = (0..statistic.bins()).map(|bin| grid.points()[statistic.points_of_bin(bin)[0]]);
        numbers.set_item("bound", statistic.bound())?;
        numbers.set_item("bin_edges", starts.chain([grid.upper()]).collect::<Vec<_>>().into_pyarray(py))?;
        numbers.set_item("supported", (0..statistic.bins()).map(|bin| sums.is_supported(bin)).collect::<Vec<_>>())?;
        numbers.set_item("weights", sums.weights.into_pyarray(py))?;
        numbers.set_item("weights_sd", sums.weights_sd)?;
        Ok(numbers)
    }

    /// The estimate and its band at the grid's points.
    fn estimate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let estimated = self.0.estimated()?;
        let answer = banded(py, estimated.estimate())?;
        domain(&answer, estimated.posterior().grid())?;
        Ok(answer)
    }

    /// The same release with another band, at no cost; what is not given stays as it is.
    #[pyo3(signature = (band, level))]
    fn with_band(&self, py: Python<'_>, band: Option<&str>, level: Option<f64>) -> Result<Self, Refusal> {
        let (asked, level) = (plain(band)?, checked_level(level)?);
        let Ok(estimated) = self.0.estimated() else {
            let release = self.0.release().clone();
            return Ok(py.detach(|| Self::of(release, asked, level.unwrap_or(DEFAULT_LEVEL))));
        };
        let shown = estimated.estimate();
        let (band, level) = (asked.unwrap_or_else(|| shown.band.clone()), level.unwrap_or(shown.level));
        Ok(Self(py.detach(|| estimated.with_band(&band, level))?.into()))
    }

    /// The estimate at any points of the domain, as columns.
    fn at<'py>(&self, py: Python<'py>, at: Vec<f64>) -> PyResult<Bound<'py, PyDict>> {
        let estimated = self.0.estimated()?;
        points(py, &py.detach(|| estimated.at(&at)).map_err(Refusal::from)?)
    }

    /// The parts of the domain that too few people were measured in.
    fn unsupported(&self) -> Result<Vec<(f64, f64)>, Refusal> {
        Ok(self.0.estimated()?.unsupported().into_iter().map(|part| (part.start, part.end)).collect())
    }

    /// This mean minus that of other people, with its band and the test of equality.
    fn compare<'py>(&self, py: Python<'py>, other: &Self, level: f64) -> PyResult<Bound<'py, PyDict>> {
        difference(py, self.0.estimated()?.population(), other.0.estimated()?.population(), level)
    }

    /// The figure as SVG.
    fn to_svg(&self, py: Python<'_>) -> Result<String, Refusal> {
        let estimated = self.0.estimated()?;
        Ok(py.detach(|| Figure::estimate(estimated).to_svg())?)
    }

    /// The figure as the bytes of a PNG.
    fn to_png(&self, py: Python<'_>) -> Result<Vec<u8>, Refusal> {
        let estimated = self.0.estimated()?;
        Ok(py.detach(|| Figure::estimate(estimated).to_png())?)
    }
}
