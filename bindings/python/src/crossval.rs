//! Scores of smoothers: from a release, which is public, and from the private curves, which is for the curator alone.

use dpfda::crossval::{
    CandidateError, Candidates, CrossValidation, CrossValidationError, Edge, FoldError, Folds, KernelFamily, Loss,
    Position, ScoreSurface, SurfaceError, Target, cross_validate, geometric, private_cross_validate,
    select_after_release,
};
use dpfda::kernels::KernelName;
use dpfda::plotting::{SurfaceFigure, SurfacePanel};
use dpfda::privacy::NonPrivate;
use dpfda_study::{AskedMean, Blamed, Kind};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use crate::data::DataArgument;
use crate::refusal::{Refusal, one_of, parameter_of};
use crate::released::Released;
use crate::study::CheckedStudy;

/// The kernels of the command, unless told otherwise.
const KERNELS: [KernelName; 4] =
    [KernelName::Gaussian, KernelName::Matern(1.5), KernelName::Matern(2.5), KernelName::Exponential];

/// What is tried.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct CandidatesArguments {
    kernel: Option<Vec<String>>,
    range: Option<Vec<f64>>,
    penalty: Option<Vec<f64>>,
    eta: Option<Vec<f64>>,
}

impl TryFrom<CandidatesArguments> for Candidates {
    type Error = Refusal;

    fn try_from(arguments: CandidatesArguments) -> Result<Self, Refusal> {
        let CandidatesArguments { kernel, range, penalty, eta } = arguments;
        let names = kernel.map(|names| {
            let named = |name: &String| name.parse().map_err(|error| Refusal::new("kernel", error));
            names.iter().map(named).collect::<Result<Vec<KernelName>, _>>()
        });
        let names = names.transpose()?.unwrap_or_else(|| KERNELS.to_vec());
        let family =
            |name: KernelName| KernelFamily::new(name, range.clone().unwrap_or_else(|| name.usual_ranges().to_vec()));
        let families = names.into_iter().map(family).collect::<Result<_, CandidateError>>()?;
        let penalties = penalty.unwrap_or_else(|| geometric(1e-6, 1.0, 25));
        Ok(Self::new(families, penalties, eta.unwrap_or_else(|| vec![1.0]))?)
    }
}

impl From<CandidateError> for Refusal {
    fn from(error: CandidateError) -> Self {
        let parameter = match &error {
            CandidateError::NoKernels => "kernel",
            CandidateError::NoRanges => "range",
            CandidateError::NoPenalties => "penalty",
            CandidateError::NoPowers => "eta",
            CandidateError::Kernel(error) => parameter_of(&error.blame()),
            CandidateError::Penalty(error) => parameter_of(&error.blame()),
        };
        Self::new(parameter, error)
    }
}

impl From<FoldError> for Refusal {
    fn from(error: FoldError) -> Self {
        Self::new("folds", error)
    }
}

impl From<CrossValidationError> for Refusal {
    fn from(error: CrossValidationError) -> Self {
        let parameter = match &error {
            CrossValidationError::Records { .. } => "folds",
            CrossValidationError::NoDraws => "draws",
            CrossValidationError::Ball(error) => parameter_of(&error.blame()),
            CrossValidationError::Release(error) => parameter_of(&error.blame()),
            CrossValidationError::Surface(SurfaceError::NotFinite) => "data",
            CrossValidationError::Surface(_) => "range",
        };
        Self::new(parameter, error)
    }
}

/// The folds and the score.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct CrossValidationArguments {
    /// Whether scores are expected over the noise of the release that is planned.
    with_noise: bool,
    /// `None` leaves one record out at a time.
    folds: Option<usize>,
    seed: u64,
    loss: String,
    target: String,
    draws: Option<usize>,
    candidates: CandidatesArguments,
}

struct Plan {
    with_noise: bool,
    folds: Option<usize>,
    loss: Loss,
    target: Target,
    draws: Option<usize>,
    candidates: Candidates,
}

/// Scores of smoothers on private curves. Only `reveal` shows them.
#[pyclass(name = "CrossValidation", module = "dpfda._dpfda", frozen)]
pub struct Scores {
    surface: NonPrivate<ScoreSurface>,
    records: usize,
    folds: usize,
}

/// Scores smoothers on the private curves of a study of a mean: for the curator alone. Also whether ids look alike.
#[pyfunction]
pub fn crossval(
    py: Python<'_>,
    study: &CheckedStudy,
    data: DataArgument<'_>,
    arguments: CrossValidationArguments,
) -> Result<(Scores, bool), Refusal> {
    if study.checked.kind != Kind::Mean {
        return Err(Refusal::new("kind", "smoothers are those of a mean of curves"));
    }
    let (asked, wide, reading) = (AskedMean::of(&study.checked)?, data.wide(study.reads())?, study.reads());
    let mut randomness = ChaCha8Rng::seed_from_u64(arguments.seed);
    let plan = Plan::of(arguments)?;
    py.detach(|| {
        let whole = wide.whole(reading)?;
        let curves = &whole.curves;
        let folds = match plan.folds {
            Some(folds) => Folds::random(curves.units(), folds, &mut randomness)?,
            None => Folds::leave_one_out(curves.units())?,
        };
        let settings = CrossValidation::new(&folds, &plan.candidates).loss(plan.loss).target(plan.target);
        let settings = match plan.draws {
            Some(draws) => settings.draws(draws),
            None => settings,
        };
        let surface = if plan.with_noise {
            private_cross_validate(curves, &asked.private_mean(curves.grid())?, &settings, &mut randomness)?
        } else {
            cross_validate(curves, asked.ball.on(curves.grid())?.center(), &settings)?
        };
        Ok((Scores { surface, records: curves.units(), folds: folds.count() }, whole.concerns.similar_ids))
    })
}

impl Plan {
    fn of(arguments: CrossValidationArguments) -> Result<Self, Refusal> {
        let targets = [("records", Target::Records), ("fold-mean", Target::FoldMean)];
        let plan = Self {
            with_noise: arguments.with_noise,
            folds: arguments.folds,
            loss: one_of("loss", &arguments.loss, &[("squared", Loss::SquaredNorm), ("norm", Loss::Norm)])?,
            target: one_of("target", &arguments.target, &targets)?,
            draws: arguments.draws,
            candidates: arguments.candidates.try_into()?,
        };
        if plan.draws.is_some() && (!plan.with_noise || plan.loss != Loss::Norm) {
            let reason = "draws of the noise are needed for loss=\"norm\" with noise alone: leave draws out";
            return Err(Refusal::new("draws", reason));
        }
        Ok(plan)
    }
}

#[pymethods]
impl Scores {
    /// The scores of all candidates: private data.
    fn reveal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let answer = scores_of(py, self.surface.reveal())?;
        answer.set_item("records", self.records)?;
        answer.set_item("folds", self.folds)?;
        Ok(answer)
    }

    /// The heat map of the scores, with its watermark: private data.
    fn reveal_svg(&self, score_name: &str) -> Result<String, Refusal> {
        let panels = NonPrivate::new(SurfacePanel::of_kernels(self.surface.reveal())?);
        let figure = SurfaceFigure::not_private(panels)?.title("Cross-validation scores").score_name(score_name);
        Ok(figure.to_svg()?)
    }
}

/// The estimated risks of smoothers of a release: functions of the release alone.
#[pyfunction]
pub fn risks<'py>(
    py: Python<'py>,
    release: &Released,
    candidates: Option<CandidatesArguments>,
) -> PyResult<Bound<'py, PyDict>> {
    let surface = py.detach(|| -> Result<ScoreSurface, Refusal> {
        let release = release.mean()?.release();
        let candidates = match candidates {
            Some(candidates) => candidates.try_into()?,
            None => Candidates::for_release(release),
        };
        select_after_release(release, &candidates).map_err(|error| Refusal::from(error).at("release"))
    });
    scores_of(py, &surface?)
}

fn scores_of<'py>(py: Python<'py>, surface: &ScoreSurface) -> PyResult<Bound<'py, PyDict>> {
    let candidates = surface.candidates();
    let candidate = |at: Position| -> PyResult<Bound<'py, PyDict>> {
        let (family, answer) = (&candidates.families()[at.family], PyDict::new(py));
        answer.set_item("kernel", family.name().to_string())?;
        answer.set_item("range", family.ranges()[at.range])?;
        answer.set_item("penalty", candidates.penalties()[at.penalty])?;
        answer.set_item("eta", candidates.powers()[at.power])?;
        answer.set_item("score", surface.score(at).unwrap_or(f64::NAN))?;
        Ok(answer)
    };
    let (ranges, scores) = (PyDict::new(py), PyDict::new(py));
    for (index, family) in candidates.families().iter().enumerate() {
        ranges.set_item(family.name().to_string(), family.ranges().to_vec())?;
        let block = surface.scores(index).map(|block| block.to_owned().into_pyarray(py));
        scores.set_item(family.name().to_string(), block)?;
    }
    let best = (0..candidates.families().len()).filter_map(|family| surface.optimum_of(family)).map(candidate);
    let edges: Vec<&str> = surface.edges(surface.optimum()).into_iter().map(edge_name).collect();
    let answer = PyDict::new(py);
    answer.set_item("ranges", ranges)?;
    answer.set_item("penalties", candidates.penalties().to_vec())?;
    answer.set_item("powers", candidates.powers().to_vec())?;
    answer.set_item("scores", scores)?;
    answer.set_item("best", candidate(surface.optimum())?)?;
    answer.set_item("best_of_each_kernel", best.collect::<PyResult<Vec<_>>>()?)?;
    answer.set_item("edges", edges)?;
    Ok(answer)
}

fn edge_name(edge: Edge) -> &'static str {
    match edge {
        Edge::LeastRange => "least-range",
        Edge::LargestRange => "largest-range",
        Edge::LeastPenalty => "least-penalty",
        Edge::LargestPenalty => "largest-penalty",
        Edge::LargestPower => "largest-eta",
    }
}
