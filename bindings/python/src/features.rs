//! Numbers of a mean from draws of it: slopes, areas and the maximum, with their uncertainty.

use dpfda::analysis::{AnalysisError, Feature, MeanDraws};
use numpy::{IntoPyArray, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;

use crate::refusal::Refusal;
use crate::released::Released;

/// Value, standard deviation, and the ends of the interval.
type Numbers = (f64, f64, f64, f64);

fn numbers(feature: Feature) -> Numbers {
    (feature.value, feature.sd, feature.lower, feature.upper)
}

/// What was asked of the mean of a release, as `dpfda evaluate` answers it: functions of the release alone.
#[pyfunction]
#[pyo3(signature = (release, derivative, integral, maximum))]
pub fn features<'py>(
    py: Python<'py>,
    release: &Released,
    derivative: Vec<f64>,
    integral: Option<(f64, f64)>,
    maximum: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let estimated = release.mean()?.estimated()?;
    let refused = |parameter| move |error: AnalysisError| Refusal::from(error).at(parameter);
    let answer = py.detach(|| -> Result<_, Refusal> {
        let draws = MeanDraws::of(estimated.mean())?;
        let slope = |t: &f64| draws.slope(*t).map(numbers).map_err(refused("derivative"));
        let slopes = derivative.iter().map(slope).collect::<Result<Vec<Numbers>, _>>()?;
        let area = integral.map(|(from, to)| draws.integral(from, to).map(numbers).map_err(refused("integral")));
        let largest = maximum.then(|| draws.maximum());
        Ok((draws.target().to_string(), draws.level(), slopes, area.transpose()?, largest))
    });
    let (target, level, slopes, area, largest) = answer?;
    let answer = PyDict::new(py);
    answer.set_item("target", target)?;
    answer.set_item("level", level)?;
    answer.set_item("derivative", slopes)?;
    answer.set_item("integral", area)?;
    answer.set_item("maximum", largest.map(|found| (numbers(found.at), numbers(found.value), found.at_an_end)))?;
    Ok(answer)
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
