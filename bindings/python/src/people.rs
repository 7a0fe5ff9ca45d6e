//! The rest of a curve of one person, how curves go with an outcome, and one test of several groups.

use dpfda::analysis::{AnalysisError, Completion};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::drawn::Answer;
use crate::functions::{columns, population};
use crate::refusal::Refusal;
use crate::released::Released;

/// The rest of a curve from values at some points, by a release of a mean, or of groups and the name of one.
#[pyfunction]
#[pyo3(signature = (release, name, seen, level))]
pub fn complete<'py>(
    py: Python<'py>,
    release: &Released,
    name: Option<&str>,
    seen: (Vec<f64>, Vec<f64>),
    level: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let population = population(release, name, "name")?;
    let completion = py.detach(|| population.complete(&seen.0, &seen.1, level));
    let refused = |reason| match reason {
        AnalysisError::Level { .. } => Refusal::from(reason),
        reason => Refusal::from(reason).at("points"),
    };
    let Completion { at, values, sd, lower, upper, level, outside } = completion.map_err(refused)?;
    let answer = PyDict::new(py);
    answer.set_item("grid_points", at.into_pyarray(py))?;
    for (name, column) in [("values", values), ("sd", sd), ("lower", lower), ("upper", upper)] {
        answer.set_item(name, column.into_pyarray(py))?;
    }
    answer.set_item("level", level)?;
    answer.set_item("outside", outside)?;
    Ok(answer)
}

/// How curves go with a covariate of a regression, by default the outcome that it is about: the slope, and what it explains, are `None` where
/// they cannot be told from noise.
#[pyfunction]
#[pyo3(signature = (release, name))]
pub fn outcome<'py>(py: Python<'py>, release: &Released, name: Option<&str>) -> PyResult<Bound<'py, PyDict>> {
    let Answer::Regression(drawn) = &release.answer else { return Err(Refusal::of_other_kind().into()) };
    let estimated = drawn.estimated()?;
    let name = name.or(estimated.statistic().outcome());
    let name = name.ok_or_else(|| Refusal::new("name", "name the covariate that is the outcome".to_owned()))?;
    let outcome = py.detach(|| estimated.outcome(name)).map_err(|reason| Refusal::from(reason).at("name"))?;
    let answer = PyDict::new(py);
    answer.set_item("correlation", columns(py, &outcome.correlation().points())?)?;
    let slope = outcome.slope().ok();
    answer.set_item("slope", slope.map(|slope| slope.values.clone().into_pyarray(py)))?;
    let explained = outcome.explained().ok();
    answer.set_item("r_squared", explained.and_then(|part| part.of_new))?;
    answer.set_item("r_squared_at_least", explained.map(|part| part.at_least))?;
    answer.set_item("name", outcome.name())?;
    answer.set_item("given", outcome.beside())?;
    Ok(answer)
}

/// The test whether groups of a release have one mean; all of them where none is named.
#[pyfunction]
pub fn groups_test<'py>(py: Python<'py>, release: &Released, names: Vec<String>) -> PyResult<Bound<'py, PyDict>> {
    let Answer::Groups(drawn) = &release.answer else { return Err(Refusal::of_other_kind().into()) };
    let estimated = drawn.estimated()?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let test = py.detach(|| estimated.equality(&names)).map_err(|reason| Refusal::from(reason).at("names"))?;
    let answer = PyDict::new(py);
    answer.set_item("statistic", test.statistic)?;
    answer.set_item("p_value", test.p_value)?;
    answer.set_item("compared", test.compared)?;
    answer.set_item("left_out", test.left_out)?;
    Ok(answer)
}
