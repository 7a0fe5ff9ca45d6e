//! The functions that releases have estimates of, as columns at points: of means, of surfaces, and of several under names.

use dpfda::analysis::{
    AnalysisError, Banded, Difference, EqualityTest, Estimate, Estimated, Feature, Named, PointEstimate, Population,
    PopulationMean, Several, SurfaceSlopes,
};
use dpfda::kernels::Grid;
use dpfda::kinds::OtherCentiles;
use dpfda::release::{Centiles, Change, Covariate, Groups, Surface};
use ndarray::Array1;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::drawn::Answer;
use crate::refusal::{Refusal, one_of};
use crate::released::{Released, columns_of, matrix};

type Vector<'py> = Bound<'py, PyArray1<f64>>;
type Columns<'py> = Bound<'py, PyDict>;

/// Functions by their names; none for one that the noise hides.
type ByName<'py> = Vec<(String, Option<Columns<'py>>)>;

/// The estimate of a mean, of rows or of surfaces at the points of its grid, with what its band is.
#[pyfunction]
pub fn estimate<'py>(py: Python<'py>, release: &Released) -> PyResult<Columns<'py>> {
    if let Answer::Surface(drawn) = &release.answer {
        return surface(py, drawn.estimated()?);
    }
    let mean = one_mean(release)?.ok_or_else(Refusal::of_other_kind)?;
    banded(py, mean.estimate(), mean.population().grid())
}

/// The mean of a release that has one mean curve; None for another kind.
pub(crate) fn one_mean(release: &Released) -> Result<Option<&Banded<PopulationMean>>, Refusal> {
    match &release.answer {
        Answer::Mean(drawn) => Ok(Some(drawn.estimated()?.mean())),
        Answer::Rows(drawn) => Ok(Some(drawn.estimated()?.mean())),
        Answer::Change(drawn) => {
            let one = drawn.estimated()?.means().all().first();
            Ok(one.map(|one| one.mean().map_err(|reason| Refusal::from(reason).at("release"))).transpose()?)
        }
        _ => Ok(None),
    }
}

/// Other centile curves of a chart, or those of a mean or a group if values are normal: columns, and what should make a reader careful.
#[pyfunction]
pub fn centiles<'py>(
    py: Python<'py>,
    release: &Released,
    name: Option<&str>,
    centiles: Vec<f64>,
    is_normal: bool,
    level: Option<f64>,
) -> PyResult<(Columns<'py>, Option<String>)> {
    let found = if let Answer::Centiles(drawn) = &release.answer {
        let chart = drawn.estimated()?.means();
        py.detach(|| OtherCentiles::of_chart(chart, centiles, is_normal, level)).map_err(|error| {
            Refusal::from(error).at(match error {
                AnalysisError::Centiles(_) => "centiles",
                AnalysisError::Level { .. } => "level",
                _ => "normal",
            })
        })?
    } else {
        Centiles::check_shown(&centiles).map_err(|error| Refusal::new("centiles", error))?;
        let mean = population(release, name, "name")?;
        py.detach(|| OtherCentiles::of_mean(mean, &centiles, level)).map_err(Refusal::from)?
    };
    Ok((columns_of(py, &found.table)?, found.note))
}

/// The number of people whose change is known, and the standard deviation of its noise.
#[pyfunction]
pub fn people_of(release: &Released) -> Result<(f64, f64), Refusal> {
    let Answer::Change(drawn) = &release.answer else { return Err(Refusal::of_other_kind()) };
    let known = Change::groups(drawn.release()).into_iter().next();
    known.map(|known| (known.records, known.records_sd)).ok_or_else(Refusal::of_other_kind)
}

/// The estimates of several means by their names, and the level of their bands; None for one that the noise hides.
#[pyfunction]
pub fn estimates<'py>(py: Python<'py>, release: &Released) -> PyResult<(ByName<'py>, f64)> {
    let several = several(release)?;
    let one = |named: &Named<PopulationMean>| {
        let found = named.estimate().ok().map(|estimate| columns(py, &estimate.points())).transpose()?;
        Ok((named.name().to_owned(), found))
    };
    Ok((several.all().iter().map(one).collect::<PyResult<_>>()?, several.level()))
}

/// Why there is no estimate of one of several means, and the noisy number of records of a group with its standard deviation.
#[pyfunction]
pub fn group_of(release: &Released, name: &str) -> Result<(f64, f64), Refusal> {
    let Answer::Groups(drawn) = &release.answer else { return Err(Refusal::of_other_kind()) };
    named(several(release)?, name, "name")?.estimate().map_err(|reason| Refusal::from(reason).at("name"))?;
    let found = Groups::groups(drawn.release()).into_iter().find(|group| group.name == name);
    found.map(|group| (group.records, group.records_sd)).ok_or_else(|| unknown(several(release), "name"))
}

/// The means of groups or the coefficients of a release.
fn several(release: &Released) -> Result<&Several<PopulationMean>, Refusal> {
    match &release.answer {
        Answer::Groups(drawn) => Ok(drawn.estimated()?.means()),
        Answer::Regression(drawn) => {
            let estimated = drawn.estimated()?;
            let hidden = estimated.hidden().map(|hidden| Refusal::new("release", format!("no coefficients: {hidden}")));
            hidden.map_or(Ok(&**estimated.means()), Err)
        }
        _ => Err(Refusal::of_other_kind()),
    }
}

fn named<'a>(
    several: &'a Several<PopulationMean>,
    name: &str,
    parameter: &'static str,
) -> Result<&'a Named<PopulationMean>, Refusal> {
    several.get(name).ok_or_else(|| unknown(Ok(several), parameter))
}

fn unknown(several: Result<&Several<PopulationMean>, Refusal>, parameter: &'static str) -> Refusal {
    let names: Vec<&str> = several.map_or(Vec::new(), |several| several.all().iter().map(Named::name).collect());
    Refusal::new(parameter, format!("the release has {}", names.join(", ")))
}

/// One of several means.
pub(crate) fn mean_named<'a>(release: &'a Released, name: &str) -> Result<&'a Banded<PopulationMean>, Refusal> {
    named(several(release)?, name, "name")?.mean().map_err(|reason| Refusal::from(reason).at("name"))
}

/// The estimate of a mean at any points of the domain; of several means, that of the one with this name.
#[pyfunction]
#[pyo3(signature = (release, at, name))]
pub fn at<'py>(py: Python<'py>, release: &Released, at: Vec<f64>, name: Option<&str>) -> PyResult<Columns<'py>> {
    let refused = |error: AnalysisError| Refusal::from(error).at("points");
    let mean = one_mean(release)?.map_or_else(|| mean_named(release, name.unwrap_or_default()), Ok)?;
    columns(py, &py.detach(|| mean.at(&at)).map_err(refused)?)
}

/// The first mean minus the second, with its band and the test of equality: of two releases, or of two groups of one.
#[pyfunction]
pub fn difference<'py>(
    py: Python<'py>,
    first: (Bound<'py, Released>, Option<String>),
    second: (Bound<'py, Released>, Option<String>),
    level: f64,
) -> PyResult<Columns<'py>> {
    let ((one, of_one), (other, of_other)) = (&first, &second);
    let (one, other) = (one.get(), other.get());
    let (one, other) =
        (population(one, of_one.as_deref(), "first")?, population(other, of_other.as_deref(), "second")?);
    compared(py, one, other, level)
}

pub(crate) fn population<'a>(
    release: &'a Released,
    name: Option<&str>,
    parameter: &'static str,
) -> Result<&'a PopulationMean, Refusal> {
    if let Some(mean) = one_mean(release)? {
        return Ok(mean.population());
    }
    match (&release.answer, name) {
        (Answer::Groups(_), Some(name)) => {
            let group = named(several(release)?, name, parameter)?;
            group.population().map_err(|reason| Refusal::from(reason).at(parameter))
        }
        _ => Err(Refusal::of_other_kind()),
    }
}

fn compared<'py>(
    py: Python<'py>,
    first: &PopulationMean,
    second: &PopulationMean,
    level: f64,
) -> PyResult<Columns<'py>> {
    let compared = py.detach(|| -> Result<(Difference<'_, PopulationMean>, Option<EqualityTest>), Refusal> {
        let difference = Difference::new(first, second, level)?;
        let test = match difference.equality() {
            Err(AnalysisError::TestNeedsIsonormal) => None,
            test => Some(test?),
        };
        Ok((difference, test))
    });
    let (difference, test) = compared?;
    let answer = PyDict::new(py);
    let columns: [(&str, Array1<f64>); 5] = [
        ("grid_points", difference.grid().points().to_owned()),
        ("values", difference.values().clone()),
        ("sd", difference.sd().clone()),
        ("lower", difference.lower()),
        ("upper", difference.upper()),
    ];
    for (name, values) in columns {
        answer.set_item(name, values.into_pyarray(py))?;
    }
    answer.set_item("level", level)?;
    answer.set_item("not_zero", difference.where_it_is_not_zero())?;
    answer.set_item("statistic", test.map(|test| test.statistic))?;
    answer.set_item("p_value", test.map(|test| test.p_value))?;
    Ok(answer)
}

/// The parts of the domain that too few people were measured in.
#[pyfunction]
pub fn unsupported(release: &Released) -> Result<Vec<(f64, f64)>, Refusal> {
    let Answer::Rows(drawn) = &release.answer else { return Err(Refusal::of_other_kind()) };
    Ok(drawn.estimated()?.unsupported().into_iter().map(|part| (part.start, part.end)).collect())
}

/// The mean curve for one value of each covariate.
#[pyfunction]
pub fn predict<'py>(py: Python<'py>, release: &Released, at: Vec<(String, String)>) -> PyResult<Columns<'py>> {
    columns(py, &predicted(py, release, &at)?.estimate().points())
}

pub(crate) fn predicted(
    py: Python<'_>,
    release: &Released,
    at: &[(String, String)],
) -> Result<Banded<PopulationMean>, Refusal> {
    let Answer::Regression(drawn) = &release.answer else { return Err(Refusal::of_other_kind()) };
    several(release)?;
    let (estimated, covariates) = (drawn.estimated()?, drawn.release().statistic().covariates());
    let names = || covariates.iter().map(Covariate::name).collect::<Vec<_>>().join(", ");
    let one_of_each = || Refusal::new("at", format!("give one value for each covariate: {}", names()));
    if at.len() != covariates.len() {
        return Err(one_of_each());
    }
    let cells = covariates.iter().map(|covariate| -> Result<&str, Refusal> {
        let given = at.iter().find(|(name, _)| name == covariate.name()).map(|(_, cell)| cell.as_str());
        let cell = given.ok_or_else(one_of_each)?;
        if covariate.holds(cell) { Ok(cell) } else { Err(outside(covariate)) }
    });
    let cells = cells.collect::<Result<Vec<_>, _>>()?;
    py.detach(|| estimated.predict(&cells)).map_err(|error| Refusal::from(error).at("at"))
}

fn outside(covariate: &Covariate) -> Refusal {
    let allowed = match covariate {
        Covariate::Number { lower, upper, .. } => format!("a number from {lower} to {upper}"),
        Covariate::Category { levels, .. } => levels.join(" or "),
    };
    let name = covariate.name();
    let text = format!(
        "the value of {name:?} is outside the range of the release; a regression is not extrapolated. Give {allowed}"
    );
    Refusal::new("at", text)
}

/// Estimates at the grid's points, as columns, with what their band is.
fn banded<'py>(py: Python<'py>, band: &Estimate<f64>, grid: &Grid) -> PyResult<Columns<'py>> {
    let answer = columns(py, &band.points())?;
    answer.set_item("band", band.band.name())?;
    answer.set_item("level", band.level)?;
    answer.set_item("target", band.target.to_string())?;
    answer.set_item("critical", band.critical)?;
    answer.set_item("promises", band.band.promises())?;
    answer.set_item("does_not_promise", band.band.does_not_promise())?;
    answer.set_item("domain", (grid.lower(), grid.upper()))?;
    answer.set_item("is_periodic", grid.is_periodic())?;
    Ok(answer)
}

/// Estimates at points, as columns.
pub(crate) fn columns<'py>(py: Python<'py>, points: &[PointEstimate<f64>]) -> PyResult<Columns<'py>> {
    let answer = PyDict::new(py);
    let places: Array1<f64> = points.iter().map(|point| point.at).collect();
    answer.set_item("grid_points", places.into_pyarray(py))?;
    numbers(py, &answer, points)?;
    Ok(answer)
}

/// The numbers of estimates, as columns.
fn numbers<P>(py: Python<'_>, answer: &Columns<'_>, points: &[PointEstimate<P>]) -> PyResult<()> {
    let column = |of: fn(&PointEstimate<P>) -> f64| points.iter().map(of).collect::<Array1<f64>>().into_pyarray(py);
    answer.set_item("values", column(|point| point.value))?;
    answer.set_item("posterior_sd", column(|point| point.posterior_sd))?;
    answer.set_item("noise_sd", column(|point| point.noise_sd))?;
    answer.set_item("lower", column(|point| point.lower))?;
    answer.set_item("upper", column(|point| point.upper))
}

/// The estimate and its band at the points of the grid, in rows of one `s`.
fn surface<'py>(py: Python<'py>, estimated: &Estimated<Surface>) -> PyResult<Columns<'py>> {
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
    answer.set_item("domain", ((axes[0].lower(), axes[0].upper()), (axes[1].lower(), axes[1].upper())))?;
    Ok(answer)
}

pub(crate) fn surface_of(release: &Released) -> Result<&Estimated<Surface>, Refusal> {
    if let Answer::Surface(drawn) = &release.answer { drawn.estimated() } else { Err(Refusal::of_other_kind()) }
}

/// The estimate of a surface at any points `(s, t)` of the rectangle, as columns.
#[pyfunction]
pub fn surface_at<'py>(py: Python<'py>, release: &Released, at: Vec<(f64, f64)>) -> PyResult<Columns<'py>> {
    let estimated = surface_of(release)?;
    let found = py.detach(|| estimated.at(&at)).map_err(|error| Refusal::from(error).at("points"))?;
    let column =
        |of: fn(&PointEstimate<(f64, f64)>) -> f64| found.iter().map(of).collect::<Array1<f64>>().into_pyarray(py);
    let answer = PyDict::new(py);
    answer.set_item("s", column(|point| point.at.0))?;
    answer.set_item("t", column(|point| point.at.1))?;
    numbers(py, &answer, &found)?;
    Ok(answer)
}

/// The slope of a surface along one axis about any points `(s, t)`, over a tenth of the axis, and what its standard deviation is at most.
#[pyfunction]
pub fn surface_slope<'py>(
    py: Python<'py>,
    release: &Released,
    at: Vec<(f64, f64)>,
    along: &str,
) -> Result<(Vector<'py>, Vector<'py>), Refusal> {
    let estimated = surface_of(release)?;
    let along_s = one_of("along", along, &[("s", true), ("t", false)])?;
    let slopes = py.detach(|| estimated.slopes_at(&at)).map_err(|error| Refusal::from(error).at("points"))?;
    let along = |slopes: &SurfaceSlopes| if along_s { slopes.along_s.slope } else { slopes.along_t.slope };
    let column = |of: fn(Feature) -> f64| {
        slopes.iter().map(|slopes| of(along(slopes))).collect::<Array1<f64>>().into_pyarray(py)
    };
    Ok((column(|slope| slope.value), column(|slope| slope.sd)))
}

/// The estimate of a surface along one axis, at a point of the other one.
#[pyfunction]
pub fn surface_slice<'py>(py: Python<'py>, release: &Released, axis: &str, at: f64) -> PyResult<Columns<'py>> {
    let mean = surface_of(release)?.mean();
    let at_s = one_of("at", axis, &[("s", true), ("t", false)])?;
    let found = py.detach(|| if at_s { mean.slice_at_s(at) } else { mean.slice_at_t(at) });
    columns(py, &found.map_err(|error| Refusal::from(error).at("points"))?)
}
