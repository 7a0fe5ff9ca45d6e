//! Means of surfaces, their second axis fastest.

use dpfda::analysis::{Band, DEFAULT_LEVEL, Estimated, PointEstimate, Uncertain};
use dpfda::kernels::{Grid, SurfaceGrid};
use dpfda::mechanism::Release;
use dpfda::plotting::{MeanSurfaceFigure, captions};
use dpfda::privacy::{GaussianPrivacy, PrivacyUnit};
use dpfda::release::{Plan, PrivateMean, Surface};
use dpfda::smoothing::{BallError, CurveSource, GridChoice, TableFiles};
use ndarray::Array1;
use numpy::{IntoPyArray, PyArray1, PyArray2, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::band::{checked_level, plain};
use crate::budget::{Budget, StatedBall};
use crate::curves::{Curves, WholeCurves};
use crate::door::{Door, DoorArguments};
use crate::drawn::Drawn;
use crate::mean::{GridArgument, drawn_of_files, drawn_of_rows};
use crate::refusal::{Refusal, one_of};
use crate::release::{points, provenance};
use crate::settings::{CALIBRATIONS, RELATIONS, ShareArgument, threads};
use crate::surface_rows::SurfacesArgument;

/// What Python says of such a mean.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct SurfaceArguments {
    ball: StatedBall,
    budget: Budget,
    neighbours: String,
    calibration: String,
    center_share: Option<f64>,
    /// `None` keeps the stated radius, and `"default"` buys by default.
    radius_share: ShareArgument,
    band: Option<String>,
    level: Option<f64>,
}

/// Settings that were checked without the data.
#[pyclass(name = "SurfaceSettings", module = "dpfda._dpfda", frozen)]
pub struct SurfaceSettings {
    pub private_mean: PrivateMean,
    band: Option<Band>,
    level: f64,
}

#[pymethods]
impl SurfaceSettings {
    #[new]
    fn new(arguments: SurfaceArguments) -> Result<Self, Refusal> {
        let calibration = one_of("calibration", &arguments.calibration, &CALIBRATIONS)?;
        // a budget without noise is refused before there is a grid
        GaussianPrivacy::calibrated(calibration, &arguments.budget.0)?;
        let private_mean = PrivateMean::isonormal(arguments.ball.of_surfaces()?, arguments.budget.0)
            .neighbours(one_of("neighbours", &arguments.neighbours, &RELATIONS)?)
            .calibration(calibration);
        let shares = arguments.radius_share.with(arguments.center_share)?;
        Ok(Self {
            private_mean: shares.map_or(private_mean.clone(), |shares| private_mean.buying(shares)),
            band: plain(arguments.band.as_deref())?,
            level: checked_level(arguments.level)?.unwrap_or(DEFAULT_LEVEL),
        })
    }
}

/// The two axes of the points of a surface, with the number of points along each.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct RectangleArgument {
    shape: (usize, usize),
    s: GridArgument,
    t: GridArgument,
}

impl TryFrom<RectangleArgument> for SurfaceGrid {
    type Error = Refusal;

    fn try_from(RectangleArgument { shape, s, t }: RectangleArgument) -> Result<Self, Refusal> {
        Ok(Self::new(s.of(shape.0)?, t.of(shape.1)?)?)
    }
}

/// A released mean surface with its estimate. Once the noise is drawn, nothing may be lost: a release of which no estimate can be made
/// is kept with the reason.
#[pyclass(name = "SurfaceRelease", module = "dpfda._dpfda", frozen)]
pub struct ReleasedSurface(Drawn<Surface>);

/// Releases the mean of surfaces: **spends the budget**.
#[pyfunction]
pub fn release_surface(
    py: Python<'_>,
    settings: &SurfaceSettings,
    surfaces: SurfacesArgument<'_>,
    rectangle: RectangleArgument,
    door: DoorArguments,
) -> Result<ReleasedSurface, Refusal> {
    let (door, grid) = (Door::try_from(door)?, SurfaceGrid::try_from(rectangle)?);
    let drawn = settings.drawn(py, &surfaces, &grid, &door);
    let drawn = drawn.map_err(|refusal| refusal.renamed("curves", "surfaces"))?;
    let drawn = door.agreed.kept_by(drawn, None);
    Ok(py.detach(|| ReleasedSurface::of(drawn, settings.band.clone(), settings.level)))
}

impl SurfaceSettings {
    /// Pays and draws: surfaces in rows are encoded where they lie or as they are read, those of a long table are put together first.
    fn drawn(
        &self,
        py: Python<'_>,
        surfaces: &SurfacesArgument<'_>,
        grid: &SurfaceGrid,
        door: &Door,
    ) -> Result<Release<Surface>, Refusal> {
        let SurfacesArgument::Wide(wide) = surfaces else {
            let WholeCurves { curves, concerns, .. } = surfaces.put_together(py, grid)?;
            return py.detach(|| door.draw(self.private_mean.prepare_on(&curves, grid, None)?, concerns));
        };
        let stated = wide.stated()?;
        let check = |found| {
            let points = grid.len();
            if points == found { Ok(()) } else { Err(Refusal::from(BallError::Points { points, found }).at("shape")) }
        };
        py.detach(|| match stated {
            Curves::Memory(rows, _, subjects, _) => {
                check(rows.columns())?;
                drawn_of_rows(&self.plan(grid, subjects.is_some())?, door, &rows, subjects, threads(None))
            }
            Curves::Files(path, layout) => {
                // columns are counted, whatever their names say
                let layout = layout.grid(GridChoice::Uniform(1.0, grid.len() as f64));
                let files = TableFiles::find(&path)?;
                let first = files.open(0, &layout)?;
                check(first.grid().len())?;
                let plan = self.plan(grid, first.has_subjects())?;
                drawn_of_files(&plan, door, &files, (first, &layout), (threads(None), false))
            }
        })
    }

    fn plan(&self, grid: &SurfaceGrid, has_subjects: bool) -> Result<Plan<Surface>, Refusal> {
        let unit = if has_subjects { PrivacyUnit::Subject } else { PrivacyUnit::Curve };
        Ok(self.private_mean.plan(grid, unit)?)
    }
}

impl ReleasedSurface {
    /// A release with its estimate.
    pub fn of(release: Release<Surface>, band: Option<Band>, level: f64) -> Self {
        Self(Drawn::new(release, band, level))
    }
}

type Matrix<'py> = Bound<'py, PyArray2<f64>>;
type Vector<'py> = Bound<'py, PyArray1<f64>>;

#[pymethods]
impl ReleasedSurface {
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> Result<Self, Refusal> {
        let read = py.detach(|| Estimated::<Surface>::from_json(text)).map_err(|error| Refusal::of_document(&error))?;
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

    /// The public numbers of the release; the centre in rows of one `s`.
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (release, statistic) = (self.0.release(), self.0.release().statistic());
        let mu = release.privacy().map(|privacy| privacy.mu());
        let numbers = provenance(py, release, mu, statistic.ball())?;
        numbers.set_item("shape", statistic.grid().shape())?;
        numbers.set_item("noise_scale", release.statistic().whitened(release).1)?;
        numbers.set_item("center", matrix(py, statistic.grid().shape(), &statistic.center())?)?;
        Ok(numbers)
    }

    /// The estimate and its band at the points of the grid, in rows of one `s`.
    fn estimate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let estimated = self.0.estimated()?;
        let (estimate, grid) = (estimated.estimate(), estimated.posterior().grid());
        let answer = PyDict::new(py);
        let axes = grid.axes();
        let place = |axis: &Grid| axis.points().to_owned().into_pyarray(py);
        answer.set_item("grid_points", (place(&axes[0]), place(&axes[1])))?;
        let columns = [
            ("values", &estimate.values),
            ("posterior_sd", &estimate.posterior_sd),
            ("noise_sd", &estimate.noise_sd),
            ("lower", &estimate.lower),
            ("upper", &estimate.upper),
        ];
        for (name, values) in columns {
            answer.set_item(name, matrix(py, grid.shape(), values)?)?;
        }
        answer.set_item("told_from_center", estimated.mean().told_from_centre().into_pyarray(py))?;
        answer.set_item("band", estimate.band.name())?;
        answer.set_item("level", estimate.level)?;
        answer.set_item("target", estimate.target.to_string())?;
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

    /// The estimate at any points `(s, t)` of the rectangle, as columns.
    fn at<'py>(&self, py: Python<'py>, at: Vec<(f64, f64)>) -> PyResult<Bound<'py, PyDict>> {
        let estimated = self.0.estimated()?;
        let found = py.detach(|| estimated.at(&at)).map_err(Refusal::from)?;
        let column =
            |of: fn(&PointEstimate<(f64, f64)>) -> f64| found.iter().map(of).collect::<Array1<f64>>().into_pyarray(py);
        let answer = PyDict::new(py);
        answer.set_item("s", column(|point| point.at.0))?;
        answer.set_item("t", column(|point| point.at.1))?;
        answer.set_item("values", column(|point| point.value))?;
        answer.set_item("posterior_sd", column(|point| point.posterior_sd))?;
        answer.set_item("noise_sd", column(|point| point.noise_sd))?;
        answer.set_item("lower", column(|point| point.lower))?;
        answer.set_item("upper", column(|point| point.upper))?;
        Ok(answer)
    }

    /// The slope along one axis at any points `(s, t)`, with its standard deviation.
    fn derivative<'py>(
        &self,
        py: Python<'py>,
        at: Vec<(f64, f64)>,
        along: &str,
    ) -> Result<(Vector<'py>, Vector<'py>), Refusal> {
        let posterior = self.0.estimated()?.posterior();
        let along_s = one_of("along", along, &[("s", true), ("t", false)])?;
        let slopes: Vec<Uncertain> =
            py.detach(|| if along_s { posterior.slope_along_s(&at) } else { posterior.slope_along_t(&at) })?;
        let column = |of: fn(&Uncertain) -> f64| slopes.iter().map(of).collect::<Array1<f64>>().into_pyarray(py);
        Ok((column(|slope| slope.value), column(|slope| slope.sd)))
    }

    /// The estimate along one axis, at a point of the other one.
    fn slice<'py>(&self, py: Python<'py>, axis: &str, at: f64) -> PyResult<Bound<'py, PyDict>> {
        let mean = self.0.estimated()?.mean();
        let at_s = one_of("at", axis, &[("s", true), ("t", false)])?;
        let found = py.detach(|| if at_s { mean.slice_at_s(at) } else { mean.slice_at_t(at) });
        points(py, &found.map_err(Refusal::from)?)
    }

    /// The figure as SVG.
    fn to_svg(&self, py: Python<'_>) -> Result<String, Refusal> {
        let estimated = self.0.estimated()?;
        Ok(py.detach(|| MeanSurfaceFigure::new(estimated).to_svg())?)
    }

    /// The figure as the bytes of a PNG.
    fn to_png(&self, py: Python<'_>) -> Result<Vec<u8>, Refusal> {
        let estimated = self.0.estimated()?;
        Ok(py.detach(|| MeanSurfaceFigure::new(estimated).to_png())?)
    }
}

/// Numbers in row-major order as an array.
fn matrix<'py>(py: Python<'py>, shape: (usize, usize), values: &Array1<f64>) -> Result<Matrix<'py>, Refusal> {
    let view = values.view().into_shape_with_order(shape).map_err(|error| Refusal::new("release", error))?;
    Ok(view.to_pyarray(py))
}
