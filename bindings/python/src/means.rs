//! What can be asked of the mean of curves alone: its posterior, and how the curves vary around it.

use dpfda::analysis::{Component, Components, SyntheticCurves, Uncertain};
use dpfda::privacy::SeededRandomness;
use ndarray::{Array1, Array2};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::functions::population;
use crate::refusal::Refusal;
use crate::released::Released;

type Vector<'py> = Bound<'py, PyArray1<f64>>;
type Matrix<'py> = Bound<'py, PyArray2<f64>>;

/// A number of something.
type Of<T> = fn(&T) -> f64;

/// The posterior mean, its standard deviation and that of the noise at the grid's points.
#[pyfunction]
pub fn posterior<'py>(py: Python<'py>, release: &Released) -> Result<[Vector<'py>; 3], Refusal> {
    let posterior = release.mean()?.estimated()?.posterior();
    Ok([posterior.values(), posterior.sd(), posterior.noise_sd()].map(|values| values.to_owned().into_pyarray(py)))
}

/// The posterior mean and its standard deviation at any points.
#[pyfunction]
pub fn evaluate<'py>(py: Python<'py>, release: &Released, at: Vec<f64>) -> Result<(Vector<'py>, Vector<'py>), Refusal> {
    let posterior = release.mean()?.estimated()?.posterior();
    let found = py.detach(|| Ok((posterior.evaluate(&at)?, posterior.sd_at(&at)?)));
    let (values, sd) = found.map_err(of_points)?;
    Ok((values.into_pyarray(py), sd.into_pyarray(py)))
}

fn of_points(error: dpfda::analysis::AnalysisError) -> Refusal {
    Refusal::from(error).at("points")
}

/// The integral of the mean over the domain, or of its product with weights at the grid's points.
#[pyfunction]
#[pyo3(signature = (release, weight))]
pub fn integral(py: Python<'_>, release: &Released, weight: Option<Vec<f64>>) -> Result<(f64, f64), Refusal> {
    let posterior = release.mean()?.estimated()?.posterior();
    let found = py.detach(|| match weight {
        None => Ok(posterior.integral()),
        Some(weight) => posterior.integral_with(&weight),
    });
    let Uncertain { value, sd } = found.map_err(|error| Refusal::from(error).at("weight"))?;
    Ok((value, sd))
}

/// The posterior covariance between any points.
#[pyfunction]
pub fn covariance<'py>(py: Python<'py>, release: &Released, at: Vec<f64>) -> Result<Matrix<'py>, Refusal> {
    let posterior = release.mean()?.estimated()?.posterior();
    Ok(py.detach(|| posterior.covariance_at(&at)).map_err(of_points)?.into_pyarray(py))
}

/// How the curves vary around their mean.
#[pyfunction]
pub fn components<'py>(py: Python<'py>, release: &Released) -> PyResult<Bound<'py, PyDict>> {
    let varied = population(release, None, "release")?;
    let components = py.detach(|| Components::new(varied)).map_err(Refusal::from)?;
    components_of(py, &components)
}

/// How much of each component a public curve has.
#[pyfunction]
pub fn scores<'py>(
    py: Python<'py>,
    release: &Released,
    curve: PyReadonlyArray1<'py, f64>,
) -> Result<Vector<'py>, Refusal> {
    let (varied, curve) = (population(release, None, "release")?, curve.as_array());
    let scores = py.detach(|| Components::new(varied)?.scores(curve));
    Ok(scores.map_err(|error| Refusal::from(error).at("curve"))?.into_pyarray(py))
}

/// Synthetic curves, a row each.
#[pyfunction]
#[pyo3(signature = (release, curves, seed, clip))]
pub fn simulate<'py>(
    py: Python<'py>,
    release: &Released,
    curves: usize,
    seed: u64,
    clip: Option<(f64, f64)>,
) -> Result<Matrix<'py>, Refusal> {
    let varied = population(release, None, "release")?;
    let drawn = py.detach(|| -> Result<Array2<f64>, Refusal> {
        let synthetic = SyntheticCurves::new(&Components::new(varied)?)?;
        let synthetic = match clip {
            Some((lower, upper)) => synthetic.clipped(lower, upper).map_err(|error| Refusal::from(error).at("clip"))?,
            None => synthetic,
        };
        let drawn = synthetic.draw(curves, &mut SeededRandomness::from_seed(seed));
        drawn.map_err(|error| Refusal::from(error).at("curves"))
    });
    Ok(drawn?.into_pyarray(py))
}

fn components_of<'py>(py: Python<'py>, components: &Components) -> PyResult<Bound<'py, PyDict>> {
    let answer = PyDict::new(py);
    let all = components.all();
    let numbers = |of: Of<Component>| all.iter().map(of).collect::<Array1<f64>>().into_pyarray(py);
    answer.set_item("eigenvalues", numbers(|one| one.eigenvalue))?;
    answer.set_item("eigenvalues_sd", numbers(|one| one.eigenvalue_sd))?;
    answer.set_item("eigenvalues_sampling_sd", numbers(|one| one.eigenvalue_sampling_sd))?;
    answer.set_item("eigenvalues_lower", numbers(|one| one.eigenvalue_interval.0))?;
    answer.set_item("eigenvalues_upper", numbers(|one| one.eigenvalue_interval.1))?;
    answer.set_item("explained", numbers(|one| one.explained.unwrap_or(f64::NAN)))?;
    answer.set_item("explained_sd", numbers(|one| one.explained_sd.unwrap_or(f64::NAN)))?;
    answer.set_item("explained_lower", numbers(|one| one.explained_interval.map_or(f64::NAN, |ends| ends.0)))?;
    answer.set_item("explained_upper", numbers(|one| one.explained_interval.map_or(f64::NAN, |ends| ends.1)))?;
    let functions = |of: fn(&Component) -> &Array1<f64>| {
        let mut rows = Array2::zeros((all.len(), components.grid().len()));
        rows.rows_mut().into_iter().zip(all).for_each(|(mut row, one)| row.assign(of(one)));
        rows.into_pyarray(py)
    };
    answer.set_item("functions", functions(|one| &one.function))?;
    answer.set_item("lower", functions(|one| &one.lower))?;
    answer.set_item("upper", functions(|one| &one.upper))?;
    let apart: Vec<bool> = all.iter().map(|one| one.is_separately_identified).collect();
    answer.set_item("separately_identified", apart)?;
    answer.set_item("grid_points", components.grid().points().to_owned().into_pyarray(py))?;
    answer.set_item("mean", components.mean().to_owned().into_pyarray(py))?;
    answer.set_item("total_variance", components.total_variance())?;
    answer.set_item("total_variance_sd", components.total_variance_sd())?;
    answer.set_item("total_variance_sampling_sd", components.total_variance_sampling_sd())?;
    answer.set_item("total_variance_lower", components.total_variance_interval().0)?;
    answer.set_item("total_variance_upper", components.total_variance_interval().1)?;
    answer.set_item("threshold", components.threshold())?;
    answer.set_item("covariance", components.covariance().into_pyarray(py))?;
    Ok(answer)
}
