//! Numbers of a curve: slopes over a window, an area, the maximum and the minimum, with their uncertainty.

use dpfda::analysis::{AnalysisError, Banded, Difference, Extreme, Feature, Features, PopulationMean};
use numpy::{IntoPyArray, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;

use crate::drawn::Answer;
use crate::functions::{mean_named, one_mean, population, predicted, surface_of};
use crate::refusal::{Refusal, one_of};
use crate::released::Released;

/// Value, standard deviation, and the ends of the interval.
type Numbers = (f64, f64, f64, f64);

/// A place with its interval and its stretches, the value there with its interval, and what they are about.
type Place = ((f64, f64, f64, Vec<(f64, f64)>), (f64, f64, f64), String);

/// One of the curves of a release: a name, covariates, or a slice; and the release and the name of what is taken from it.
type Which<'py> = (
    Option<String>,
    Option<Vec<(String, String)>>,
    Option<(String, f64)>,
    Option<(Bound<'py, Released>, Option<String>)>,
);

/// What was asked of a curve of a release, as `dpfda evaluate` answers it: functions of the release alone.
///
/// Slopes are about all points where there is no list of them; an integral without ends is that over the domain.
#[pyfunction]
#[pyo3(signature = (release, which, derivative, window, integral, extremes))]
pub fn features<'py>(
    py: Python<'py>,
    release: &Released,
    which: Which<'py>,
    derivative: (bool, Vec<f64>),
    window: Option<f64>,
    integral: (bool, Option<(f64, f64)>),
    extremes: (bool, bool),
) -> PyResult<Bound<'py, PyDict>> {
    let features = curve_of(py, release, &which)?;
    let refused = |parameter| move |error: AnalysisError| Refusal::from(error).at(parameter);
    let length = features.window(window).map_err(refused("window"))?;
    let about = if derivative.0 { features.points().to_vec() } else { derivative.1 };
    let slopes = features.slopes(&about, Some(length)).map_err(refused("derivative"))?;
    let slopes = about.iter().zip(slopes).map(|(t, slope)| (*t, slope.from, slope.to, numbers(slope.slope)));
    let ends = integral.1.or_else(|| integral.0.then(|| features.domain()));
    let area = ends.map(|(from, to)| features.integral(from, to).map(numbers).map_err(refused("integral")));
    let answer = PyDict::new(py);
    answer.set_item("target", features.target().to_string())?;
    answer.set_item("level", features.level())?;
    answer.set_item("window", length)?;
    answer.set_item("derivative", slopes.collect::<Vec<(f64, f64, f64, Numbers)>>())?;
    answer.set_item("integral", area.transpose()?)?;
    answer.set_item("maximum", extremes.0.then(|| place(features.maximum())))?;
    answer.set_item("minimum", extremes.1.then(|| place(features.minimum())))?;
    Ok(answer)
}

fn curve_of(py: Python<'_>, release: &Released, (name, cells, slice, minus): &Which<'_>) -> PyResult<Features> {
    if let Some((axis, at)) = slice {
        let mean = surface_of(release)?.mean();
        let at_s = one_of("s", axis, &[("s", true), ("t", false)])?;
        let found = py.detach(|| if at_s { mean.features_at_s(*at) } else { mean.features_at_t(*at) });
        return Ok(found.map_err(|error| Refusal::from(error).at(if at_s { "s" } else { "t" }))?);
    }
    if let Some((other, of_other)) = minus {
        let one = population(release, name.as_deref(), "name")?;
        let other = population(other.get(), of_other.as_deref(), "minus")?;
        let level = level_of(release)?;
        let found = py.detach(|| Difference::new(one, other, level)?.features());
        return Ok(found.map_err(|error| Refusal::from(error).at("minus"))?);
    }
    let of = |mean: &Banded<PopulationMean>| -> PyResult<Features> {
        Ok(py.detach(|| mean.features()).map_err(|error| Refusal::from(error).at("release"))?)
    };
    match (one_mean(release)?, cells) {
        (_, Some(cells)) => of(&predicted(py, release, cells)?),
        (Some(mean), None) => of(mean),
        (None, None) => of(mean_named(release, name.as_deref().unwrap_or_default())?),
    }
}

/// The level of the bands of a release whose means can be compared.
fn level_of(release: &Released) -> Result<f64, Refusal> {
    match &release.answer {
        Answer::Groups(drawn) => Ok(drawn.estimated()?.means().level()),
        _ => one_mean(release)?.map(|mean| mean.estimate().level).ok_or_else(Refusal::of_other_kind),
    }
}

fn numbers(feature: Feature) -> Numbers {
    (feature.value, feature.sd, feature.lower, feature.upper)
}

fn place(Extreme { at, value, target }: Extreme) -> Place {
    ((at.value, at.lower, at.upper, at.stretches), (value.value, value.lower, value.upper), target.to_string())
}

/// Draws of the mean from its posterior, a row each: functions of the release and of a seed that may be public.
#[pyfunction]
pub fn draws<'py>(
    py: Python<'py>,
    release: &Released,
    at: Vec<f64>,
    count: usize,
    seed: u64,
) -> Result<Bound<'py, PyArray2<f64>>, Refusal> {
    let posterior = release.mean()?.estimated()?.posterior();
    let drawn = py.detach(|| posterior.draws_at(&at, count, &mut ChaCha20Rng::seed_from_u64(seed)));
    let drawn = drawn.map_err(|error| Refusal::from(error).at("points"))?;
    Ok(drawn.into_pyarray(py))
}
