//! A release in Python's hands: what can be asked of every kind, at no cost in privacy.

use dpfda::analysis::{Estimated, Means};
use dpfda::kinds::Shown;
use dpfda::mechanism::Fact;
use dpfda::plotting::{Drawing, FigureSize, Frame, captions};
use dpfda::release::{Functionals, InBall, Mean, Rows, Surface};
use dpfda_study::BandChoice;
use ndarray::Array1;
use numpy::{IntoPyArray, PyArray2, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::drawn::{Answer, Drawn};
use crate::keywords::{Keywords, said_of};
use crate::refusal::Refusal;

/// What the names of rows are, the names of the rows, and columns of numbers.
type Table<'py> = (Option<&'static str>, Vec<String>, Bound<'py, PyDict>);

/// How figures of a release look, beside the names of their axes, which the release has itself.
#[derive(Debug, Clone, Default)]
pub struct Look {
    /// The title.
    pub title: Option<String>,
    /// The size.
    pub size: Option<FigureSize>,
}

/// A release of any kind.
#[pyclass(name = "Released", module = "dpfda._dpfda", frozen)]
pub struct Released {
    /// The release, by its kind.
    pub answer: Answer,
    look: Look,
}

impl Released {
    /// A release whose figures look so.
    pub fn new(answer: Answer, look: Look) -> Self {
        Self { answer, look }
    }

    /// The release of a mean of curves.
    ///
    /// # Errors
    /// [`Refusal`] for another kind.
    pub fn mean(&self) -> Result<&Drawn<Mean>, Refusal> {
        if let Answer::Mean(drawn) = &self.answer { Ok(drawn) } else { Err(Refusal::of_other_kind()) }
    }

    fn of(&self, answer: Answer) -> Self {
        Self::new(answer, self.look.clone())
    }

    fn figure(&self) -> Result<Drawing, Refusal> {
        let shown: Shown = self.answer.shows().shown()?;
        let frame = Frame { title: self.look.title.as_deref(), axes: [None; 3], size: self.look.size, is_bare: false };
        let hidden = || Refusal::new("release", "the release has nothing to draw: its facts say why");
        shown.figure(&frame)?.ok_or_else(hidden)
    }
}

#[pymethods]
impl Released {
    /// Reads a document of any kind, and checks that its numbers agree.
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> Result<Self, Refusal> {
        Ok(Self::new(py.detach(|| Answer::of_json(text))?, Look::default()))
    }

    /// The document, as the command writes it.
    fn to_json(&self) -> Result<String, Refusal> {
        self.answer.shows().to_json()
    }

    #[getter]
    fn kind(&self) -> &'static str {
        self.answer.kind()
    }

    /// Name and text of every fact.
    fn facts(&self) -> Vec<(&'static str, String)> {
        self.answer.shows().facts().into_iter().map(told).collect()
    }

    /// The words of a caption.
    fn captions(&self) -> Vec<String> {
        captions(&self.answer.shows().facts()).collect()
    }

    /// The public names of the axes: of the first axis of a surface, of the horizontal and of the vertical axis.
    fn axes(&self) -> (Option<String>, Option<String>, Option<String>) {
        let labels = self.answer.shows().published().provenance().labels;
        let text = |name: Option<&str>| name.map(str::to_owned);
        labels.map_or((None, None, None), |labels| (text(labels.s()), text(labels.argument()), text(labels.value())))
    }

    /// The title that the study gave to figures.
    #[getter]
    fn title(&self) -> Option<&str> {
        self.look.title.as_deref()
    }

    /// What every release says of its guarantee, and the numbers of its kind.
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (shows, numbers) = (self.answer.shows(), PyDict::new(py));
        let provenance = shows.published().provenance();
        let guarantee = provenance.guarantee;
        numbers.set_item("epsilon", guarantee.budget().epsilon())?;
        numbers.set_item("delta", guarantee.budget().delta())?;
        numbers.set_item("mu", shows.privacy().map(|privacy| privacy.mu()))?;
        numbers.set_item("neighbours", guarantee.neighbours().to_string())?;
        numbers.set_item("unit", guarantee.unit().to_string())?;
        numbers.set_item("records", provenance.records)?;
        numbers.set_item("software", provenance.software)?;
        numbers.set_item("is_private", provenance.private)?;
        match &self.answer {
            Answer::Mean(drawn) => of_mean(&numbers, drawn)?,
            Answer::Rows(drawn) => of_rows(py, &numbers, drawn)?,
            Answer::Surface(drawn) => of_surface(py, &numbers, drawn)?,
            Answer::Change(drawn) => numbers.set_item("radius", drawn.release().statistic().ball().radius())?,
            Answer::Groups(drawn) => {
                let statistic = drawn.release().statistic();
                numbers.set_item("names", statistic.names().to_vec())?;
                numbers.set_item("radius", statistic.ball().radius())?;
            }
            Answer::Regression(drawn) => {
                let covariates = drawn.release().statistic().covariates();
                numbers.set_item("covariates", serde_json::to_string(covariates).map_err(Refusal::from)?)?;
            }
            Answer::Centiles(drawn) => {
                let statistic = drawn.release().statistic();
                numbers.set_item("radius", statistic.ball().radius())?;
                numbers.set_item("centiles", statistic.shown().to_vec())?;
                let means = drawn.estimated()?.means();
                numbers.set_item("log_evidence_against_normal", means.log_evidence())?;
                numbers.set_item("level", Means::level(means))?;
            }
            Answer::Functionals(release) => {
                let covariance = Functionals::noise_covariance(&release.0);
                numbers.set_item(
                    "functionals",
                    serde_json::to_string(release.0.statistic().functionals()).map_err(Refusal::from)?,
                )?;
                numbers.set_item("noise_covariance", covariance.into_pyarray(py))?;
            }
            Answer::Path(release) => {
                numbers
                    .set_item("functionals", serde_json::to_string(release.0.functionals()).map_err(Refusal::from)?)?;
            }
            Answer::Density(_) => {}
        }
        Ok(numbers)
    }

    /// All numbers of the answer: what names of rows are, the names of the rows, and the columns; nothing where the noise hides them.
    fn table<'py>(&self, py: Python<'py>) -> PyResult<Option<Table<'py>>> {
        let Some(table) = self.answer.shows().shown()?.table() else { return Ok(None) };
        let columns = columns_of(py, &table)?;
        Ok(Some((table.key, table.rows.into_iter().map(|(name, _)| name).collect(), columns)))
    }

    /// The same release with another band, at no cost; what is not said stays as it is.
    fn with_band(&self, py: Python<'_>, settings: Keywords<'_>) -> Result<Self, Refusal> {
        let asked = said_of(&settings, &["band", "level", "band_roughness"])?.estimate;
        let band = BandChoice::check(&asked)?;
        let answer = py.detach(|| -> Result<Answer, Refusal> {
            Ok(match &self.answer {
                Answer::Mean(drawn) => Answer::Mean(match drawn.estimated() {
                    Ok(estimated) => band.again(estimated.clone())?.into(),
                    Err(_) => band.estimate(drawn.release().clone(), false)?.0.into(),
                }),
                Answer::Rows(drawn) => Answer::Rows(drawn.with_band(&band)?),
                Answer::Surface(drawn) => Answer::Surface(drawn.with_band(&band)?),
                Answer::Change(drawn) => Answer::Change(drawn.with_band(&band)?),
                Answer::Groups(drawn) => Answer::Groups(drawn.with_band(&band)?),
                Answer::Regression(drawn) => Answer::Regression(drawn.with_band(&band)?),
                Answer::Centiles(drawn) => Answer::Centiles(drawn.with_band(&band)?),
                _ => return Err(Refusal::new("band", "a release of this kind has no band")),
            })
        });
        Ok(self.of(answer?))
    }

    /// The same release of a mean through another smoother; what is not said stays as it is.
    fn smoothed(&self, py: Python<'_>, settings: Keywords<'_>) -> Result<Self, Refusal> {
        let asked = said_of(&settings, &["select", "kernel", "range", "penalty", "eta"])?.estimate;
        let release = self.mean()?.release();
        let estimated: Result<Estimated<Mean>, Refusal> = py.detach(|| {
            let smoothed = crate::smoother::smoothed(release, &asked)?;
            Ok(BandChoice::default().estimate(smoothed, true)?.0)
        });
        Ok(self.of(Answer::Mean(estimated?.into())))
    }

    /// The figure as SVG.
    fn to_svg(&self, py: Python<'_>) -> Result<String, Refusal> {
        py.detach(|| Ok(self.figure()?.to_svg()?))
    }

    /// The figure as the bytes of a PNG.
    fn to_png(&self, py: Python<'_>) -> Result<Vec<u8>, Refusal> {
        py.detach(|| Ok(self.figure()?.to_png()?))
    }

    /// The figure as the bytes of a PDF.
    fn to_pdf(&self, py: Python<'_>) -> Result<Vec<u8>, Refusal> {
        py.detach(|| Ok(self.figure()?.to_pdf()?))
    }
}

/// The numbers of a table, by the names of their columns.
pub fn columns_of<'py>(py: Python<'py>, table: &dpfda::kinds::Table) -> PyResult<Bound<'py, PyDict>> {
    let columns = PyDict::new(py);
    for (at, name) in table.columns.iter().enumerate() {
        let numbers: Vec<f64> = table.rows.iter().map(|(_, numbers)| numbers[at]).collect();
        columns.set_item(name, numbers.into_pyarray(py))?;
    }
    Ok(columns)
}

fn of_mean(numbers: &Bound<'_, PyDict>, drawn: &Drawn<Mean>) -> PyResult<()> {
    let release = drawn.release();
    numbers.set_item("radius", release.ball().radius())?;
    numbers.set_item("noisy_records", release.units())?;
    numbers.set_item("noise_scale", release.noise_scale())?;
    numbers.set_item("points", release.statistic().grid().len())
}

fn of_rows(py: Python<'_>, numbers: &Bound<'_, PyDict>, drawn: &Drawn<Rows>) -> PyResult<()> {
    let (release, statistic) = (drawn.release(), drawn.release().statistic());
    let (sums, grid) = (Rows::sums(release), statistic.grid());
    let starts = (0..statistic.bins()).map(|bin| grid.points()[statistic.points_of_bin(bin)[0]]);
    let supported: Vec<bool> = (0..statistic.bins()).map(|bin| sums.is_supported(bin)).collect();
    numbers.set_item("radius", statistic.ball().radius())?;
    numbers.set_item("bound", statistic.bound())?;
    numbers.set_item("bin_edges", starts.chain([grid.upper()]).collect::<Vec<_>>().into_pyarray(py))?;
    numbers.set_item("supported", supported.into_pyarray(py))?;
    numbers.set_item("weights", sums.weights.into_pyarray(py))?;
    numbers.set_item("weights_sd", sums.weights_sd)
}

/// The numbers of a release of surfaces; the centre in rows of one `s`.
fn of_surface(py: Python<'_>, numbers: &Bound<'_, PyDict>, drawn: &Drawn<Surface>) -> PyResult<()> {
    let (release, statistic) = (drawn.release(), drawn.release().statistic());
    numbers.set_item("radius", statistic.ball().radius())?;
    numbers.set_item("shape", statistic.grid().shape())?;
    numbers.set_item("noise_scale", statistic.whitened(release).1)?;
    numbers.set_item("center", matrix(py, statistic.grid().shape(), &statistic.center())?)
}

/// A fact in words, with plain spaces, as programs read it.
pub fn told(fact: Fact) -> (&'static str, String) {
    (fact.name, fact.text.replace('\u{a0}', " "))
}

/// Numbers in row-major order as an array.
///
/// # Errors
/// None in practice: there are as many numbers as places.
pub fn matrix<'py>(
    py: Python<'py>,
    shape: (usize, usize),
    values: &Array1<f64>,
) -> Result<Bound<'py, PyArray2<f64>>, Refusal> {
    let view = values.view().into_shape_with_order(shape).map_err(|error| Refusal::new("release", error))?;
    Ok(view.to_pyarray(py))
}
