//! A released mean: what can be asked of it costs no privacy.

use dpfda::analysis::{Component, Components, Estimate, Estimated, PointEstimate, SyntheticCurves, Uncertain};
use dpfda::kernels::{Grid, KernelName};
use dpfda::mechanism::{Fact, Release, Statistic};
use dpfda::plotting::{Figure, captions};
use dpfda::privacy::SeededRandomness;
use dpfda::release::{LinearFunctional, Mean, MeanRelease, default_penalty};
use dpfda::smoothing::{Ball, PenalizedMean};
use ndarray::{Array1, Array2};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::band::{BandChoice, chosen};
use crate::groups::difference;
use crate::refusal::{Refusal, one_of};
use crate::settings::kernel;

/// A released mean with its estimate.
#[pyclass(name = "MeanRelease", module = "dpfda._dpfda", frozen)]
pub struct Released(Seen);

/// Once the noise is drawn, nothing may be lost: a release of which no estimate can be made is kept without one.
enum Seen {
    Estimated(Box<Estimated<Mean>>),
    Bare(Box<(MeanRelease, Refusal)>),
}

type Vector<'py> = Bound<'py, PyArray1<f64>>;

/// A number of something.
type Of<T> = fn(&T) -> f64;

/// A new release with its estimate, or with the reason why there is none.
pub type EstimatedOrBare = Result<Estimated<Mean>, Box<(MeanRelease, Refusal)>>;

impl Released {
    /// A new release.
    pub fn of(estimated: EstimatedOrBare) -> Self {
        Self(match estimated {
            Ok(estimated) => Seen::Estimated(Box::new(estimated)),
            Err(bare) => Seen::Bare(bare),
        })
    }

    /// The release, whatever is estimated from it.
    pub fn release(&self) -> &MeanRelease {
        match &self.0 {
            Seen::Estimated(estimated) => estimated.release(),
            Seen::Bare(bare) => &bare.0,
        }
    }

    /// The release with its estimate.
    ///
    /// # Errors
    /// [`Refusal`] where there is none.
    pub fn estimated(&self) -> Result<&Estimated<Mean>, Refusal> {
        match &self.0 {
            Seen::Estimated(estimated) => Ok(estimated),
            Seen::Bare(bare) => Err(Refusal::new(
                "band",
                format!("the release has no estimate: {}. Ask with_band() for another one, at no cost", bare.1.text()),
            )),
        }
    }

    /// What the release says of itself.
    fn all_facts(&self) -> Vec<Fact> {
        match &self.0 {
            Seen::Estimated(estimated) => estimated.facts(),
            Seen::Bare(bare) => bare.0.facts(),
        }
    }
}

#[pymethods]
impl Released {
    /// Reads a document, and checks that its numbers agree.
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> Result<Self, Refusal> {
        let estimated = py.detach(|| Estimated::<Mean>::from_json(text));
        Ok(Self(Seen::Estimated(Box::new(estimated.map_err(|error| Refusal::of_document(&error))?))))
    }

    /// The document, as the command writes it.
    fn to_json(&self) -> Result<String, Refusal> {
        Ok(match &self.0 {
            Seen::Estimated(estimated) => estimated.to_json()?,
            Seen::Bare(bare) => bare.0.to_json()?,
        })
    }

    /// Name and text of every fact.
    fn facts(&self) -> Vec<(&'static str, String)> {
        self.all_facts().into_iter().map(|fact| (fact.name, fact.text)).collect()
    }

    /// The words of a caption.
    fn captions(&self) -> Vec<String> {
        captions(&self.all_facts()).collect()
    }

    /// The public numbers of the release.
    #[getter]
    fn is_private(&self) -> bool {
        self.release().is_private()
    }

    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let release = self.release();
        let numbers = provenance(py, release, release.mu(), release.ball())?;
        numbers.set_item("noisy_records", release.units())?;
        numbers.set_item("noise_scale", release.noise_scale())?;
        numbers.set_item("points", release.statistic().grid().len())?;
        Ok(numbers)
    }

    /// The estimate and its band at the grid's points.
    fn estimate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let estimated = self.estimated()?;
        let answer = banded(py, estimated.estimate())?;
        domain(&answer, estimated.posterior().grid())?;
        Ok(answer)
    }

    /// The estimate and its band at any points.
    fn at<'py>(&self, py: Python<'py>, at: Vec<f64>) -> PyResult<Bound<'py, PyDict>> {
        let estimated = self.estimated()?;
        let answer = py.detach(|| estimated.at(&at)).map_err(Refusal::from)?;
        points(py, &answer)
    }

    /// The same release with another band.
    #[pyo3(signature = (band, level, roughness))]
    fn with_band(
        &self,
        py: Python<'_>,
        band: Option<&str>,
        level: Option<f64>,
        roughness: Option<f64>,
    ) -> Result<Self, Refusal> {
        let choice = BandChoice::new(band, level, roughness)?;
        let estimated = py.detach(|| match &self.0 {
            Seen::Estimated(estimated) => choice.again(estimated),
            Seen::Bare(bare) => choice.estimate(bare.0.clone(), false),
        });
        Ok(Self(Seen::Estimated(Box::new(estimated?))))
    }

    /// The same release through another smoother; what is not given stays as it is.
    #[pyo3(signature = (select, kernel, range, penalty, eta))]
    fn smoothed(
        &self,
        py: Python<'_>,
        select: Option<&str>,
        kernel: Option<&str>,
        range: Option<f64>,
        penalty: Option<f64>,
        eta: Option<f64>,
    ) -> Result<Self, Refusal> {
        let release = self.release();
        let selects = select.map(|name| one_of("select", name, &[("sure", true), ("default", false)]));
        let estimated = py.detach(|| {
            let smoothed = match selects.transpose()? {
                Some(true) => chosen(release)?,
                Some(false) => release.smoothed(&changed(&default_smoother(release)?, kernel, range, penalty, eta)?)?,
                None => release.smoothed(&changed(release.smoother(), kernel, range, penalty, eta)?)?,
            };
            BandChoice::new(None, None, None)?.estimate(smoothed, true)
        });
        Ok(Self(Seen::Estimated(Box::new(estimated?))))
    }

    /// The posterior mean, its standard deviation and that of the noise at the grid's points.
    fn posterior<'py>(&self, py: Python<'py>) -> Result<[Vector<'py>; 3], Refusal> {
        let posterior = self.estimated()?.posterior();
        Ok([posterior.values(), posterior.sd(), posterior.noise_sd()].map(|values| values.to_owned().into_pyarray(py)))
    }

    /// The posterior mean and its standard deviation at any points.
    fn evaluate<'py>(&self, py: Python<'py>, at: Vec<f64>) -> Result<(Vector<'py>, Vector<'py>), Refusal> {
        let posterior = self.estimated()?.posterior();
        let (values, sd) = py.detach(|| Ok::<_, Refusal>((posterior.evaluate(&at)?, posterior.sd_at(&at)?)))?;
        Ok((values.into_pyarray(py), sd.into_pyarray(py)))
    }

    /// The slope and its standard deviation at any points.
    fn derivative<'py>(&self, py: Python<'py>, at: Vec<f64>) -> Result<(Vector<'py>, Vector<'py>), Refusal> {
        let posterior = self.estimated()?.posterior();
        let slopes = py.detach(|| posterior.derivative(&at))?;
        let (values, sd): (Array1<f64>, Array1<f64>) =
            (slopes.iter().map(|slope| slope.value).collect(), slopes.iter().map(|slope| slope.sd).collect());
        Ok((values.into_pyarray(py), sd.into_pyarray(py)))
    }

    /// The integral of the mean over the domain, or of its product with weights at the grid's points.
    #[pyo3(signature = (weight))]
    fn integral(&self, py: Python<'_>, weight: Option<Vec<f64>>) -> Result<(f64, f64), Refusal> {
        let posterior = self.estimated()?.posterior();
        let Uncertain { value, sd } = py.detach(|| match weight {
            None => Ok(posterior.integral()),
            Some(weight) => posterior.functional(&LinearFunctional::Integral { weight }),
        })?;
        Ok((value, sd))
    }

    /// The posterior covariance between any points.
    fn covariance<'py>(&self, py: Python<'py>, at: Vec<f64>) -> Result<Bound<'py, PyArray2<f64>>, Refusal> {
        let posterior = self.estimated()?.posterior();
        Ok(py.detach(|| posterior.covariance_at(&at))?.into_pyarray(py))
    }

    /// How the curves vary around their mean.
    fn components<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let estimated = self.estimated()?;
        let components = py.detach(|| Components::new(estimated.population())).map_err(Refusal::from)?;
        components_of(py, &components)
    }

    /// How much of each component a public curve has.
    fn scores<'py>(&self, py: Python<'py>, curve: PyReadonlyArray1<'py, f64>) -> Result<Vector<'py>, Refusal> {
        let (estimated, curve) = (self.estimated()?, curve.as_array());
        let scores = py.detach(|| Components::new(estimated.population())?.scores(curve));
        Ok(scores.map_err(|error| Refusal::from(error).at("curve"))?.into_pyarray(py))
    }

    /// Synthetic curves, a row each.
    #[pyo3(signature = (curves, seed, clip))]
    fn simulate<'py>(
        &self,
        py: Python<'py>,
        curves: usize,
        seed: u64,
        clip: Option<(f64, f64)>,
    ) -> Result<Bound<'py, PyArray2<f64>>, Refusal> {
        let estimated = self.estimated()?;
        let drawn = py.detach(|| -> Result<Array2<f64>, Refusal> {
            let synthetic = SyntheticCurves::new(&Components::new(estimated.population())?)?;
            let synthetic = match clip {
                Some((lower, upper)) => {
                    synthetic.clipped(lower, upper).map_err(|error| Refusal::from(error).at("clip"))?
                }
                None => synthetic,
            };
            let drawn = synthetic.draw(curves, &mut SeededRandomness::from_seed(seed));
            drawn.map_err(|error| Refusal::from(error).at("curves"))
        });
        Ok(drawn?.into_pyarray(py))
    }

    /// The difference to the mean of other people, with its band and the test of equality.
    fn compare<'py>(&self, py: Python<'py>, other: &Self, level: f64) -> PyResult<Bound<'py, PyDict>> {
        difference(py, self.estimated()?.population(), other.estimated()?.population(), level)
    }

    /// The figure as SVG.
    fn to_svg(&self, py: Python<'_>) -> Result<String, Refusal> {
        Ok(py.detach(|| self.figure().to_svg())?)
    }

    /// The figure as the bytes of a PNG.
    fn to_png(&self, py: Python<'_>) -> Result<Vec<u8>, Refusal> {
        Ok(py.detach(|| self.figure().to_png())?)
    }
}

impl Released {
    fn figure(&self) -> Figure {
        match &self.0 {
            Seen::Estimated(estimated) => Figure::estimate(estimated.as_ref()),
            Seen::Bare(bare) => Figure::release(&bare.0),
        }
    }
}

/// What every release of a function says of its guarantee and of its bound.
pub fn provenance<'py, S: Statistic>(
    py: Python<'py>,
    release: &Release<S>,
    mu: Option<f64>,
    ball: &Ball,
) -> PyResult<Bound<'py, PyDict>> {
    let numbers = PyDict::new(py);
    numbers.set_item("epsilon", release.budget().epsilon())?;
    numbers.set_item("delta", release.budget().delta())?;
    numbers.set_item("mu", mu)?;
    numbers.set_item("neighbours", release.neighbours().to_string())?;
    numbers.set_item("unit", release.unit().to_string())?;
    numbers.set_item("records", release.public_records())?;
    numbers.set_item("radius", ball.radius())?;
    numbers.set_item("software", release.software())?;
    Ok(numbers)
}

/// Estimates at the grid's points, as columns, with what their band is.
pub fn banded<'py>(py: Python<'py>, band: &Estimate<f64>) -> PyResult<Bound<'py, PyDict>> {
    let answer = points(py, &band.points())?;
    answer.set_item("band", band.band.name())?;
    answer.set_item("level", band.level)?;
    answer.set_item("target", band.target.to_string())?;
    answer.set_item("critical", band.critical)?;
    answer.set_item("promises", band.band.promises())?;
    answer.set_item("does_not_promise", band.band.does_not_promise())?;
    Ok(answer)
}

/// The two ends of the domain, and whether it closes up.
///
/// # Errors
/// Those of Python.
pub fn domain(answer: &Bound<'_, PyDict>, grid: &Grid) -> PyResult<()> {
    answer.set_item("domain_range", (grid.lower(), grid.upper()))?;
    answer.set_item("is_periodic", grid.is_periodic())
}

/// Estimates at points, as columns.
pub fn points<'py>(py: Python<'py>, points: &[PointEstimate<f64>]) -> PyResult<Bound<'py, PyDict>> {
    let columns: [(&str, Of<PointEstimate<f64>>); 6] = [
        ("grid_points", |point| point.at),
        ("values", |point| point.value),
        ("posterior_sd", |point| point.posterior_sd),
        ("noise_sd", |point| point.noise_sd),
        ("lower", |point| point.lower),
        ("upper", |point| point.upper),
    ];
    let answer = PyDict::new(py);
    for (name, of) in columns {
        answer.set_item(name, points.iter().map(of).collect::<Array1<f64>>().into_pyarray(py))?;
    }
    Ok(answer)
}

fn components_of<'py>(py: Python<'py>, components: &Components) -> PyResult<Bound<'py, PyDict>> {
    let answer = PyDict::new(py);
    let all = components.all();
    let numbers = |of: Of<Component>| all.iter().map(of).collect::<Array1<f64>>().into_pyarray(py);
    answer.set_item("eigenvalues", numbers(|one| one.eigenvalue))?;
    answer.set_item("eigenvalues_sd", numbers(|one| one.eigenvalue_sd))?;
    answer.set_item("eigenvalues_sampling_sd", numbers(|one| one.eigenvalue_sampling_sd))?;
    answer.set_item("explained", numbers(|one| one.explained.unwrap_or(f64::NAN)))?;
    answer.set_item("explained_sd", numbers(|one| one.explained_sd.unwrap_or(f64::NAN)))?;
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
    answer.set_item("threshold", components.threshold())?;
    answer.set_item("covariance", components.covariance().into_pyarray(py))?;
    Ok(answer)
}

/// The smoother that a release has by the public rule.
fn default_smoother(release: &MeanRelease) -> Result<PenalizedMean, Refusal> {
    let penalty = default_penalty(&release.statistic().mechanism(), release.relative_noise(), 1.0);
    Ok(PenalizedMean::new(kernel(None, None)?, penalty, 1.0)?)
}

/// A smoother with the parts that were asked for.
fn changed(
    old: &PenalizedMean,
    name: Option<&str>,
    range: Option<f64>,
    penalty: Option<f64>,
    eta: Option<f64>,
) -> Result<PenalizedMean, Refusal> {
    let old = old.with_power(eta.unwrap_or(old.power()))?;
    let new = match (name, range) {
        (None, None) => old.kernel().clone(),
        (None, Some(range)) => {
            let composite =
                || Refusal::new("kernel", "the kernel of the release has no range of its own: give a kernel as well");
            KernelName::of(old.kernel()).ok_or_else(composite)?.0.with_range(range)?
        }
        (name, range) => kernel(name, range)?,
    };
    Ok(PenalizedMean::new(new, penalty.unwrap_or(old.penalty()), old.power())?)
}
