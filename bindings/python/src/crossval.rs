//! Scores of smoothers: from a release, which is public, and from the private curves, which is for the curator alone.

use dpfda::crossval::{
    CandidateError, Candidates, CrossValidation, CrossValidationError, Edge, FoldError, Folds, KernelFamily, Loss,
    Position, ScoreSurface, SurfaceError, Target, cross_validate, geometric, private_cross_validate,
    select_after_release,
};
use dpfda::kernels::KernelName;
use dpfda::plotting::{SurfaceFigure, SurfacePanel};
use dpfda::privacy::{Calibration, GaussianPrivacy, NonPrivate, PrivacyBudget};
use dpfda::release::PrivateMean;
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use crate::budget::{Budget, StatedBall};
use crate::curves::CurvesArgument;
use crate::refusal::{Refusal, blamed, of_release, one_of};
use crate::release::Released;
use crate::settings::{CALIBRATIONS, MECHANISMS};

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
            CandidateError::Kernel(error) => blamed(error, "curves"),
            CandidateError::Penalty(error) => blamed(error, "curves"),
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
            CrossValidationError::Ball(error) => blamed(error, "curves"),
            CrossValidationError::Release(error) => of_release(error),
            CrossValidationError::Surface(SurfaceError::NotFinite) => "curves",
            CrossValidationError::Surface(_) => "range",
        };
        Self::new(parameter, error)
    }
}

/// The release whose expected score is wanted, the folds, and the score.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct CrossValidationArguments {
    ball: StatedBall,
    budget: Option<Budget>,
    mechanism: String,
    calibration: String,
    /// `None` leaves one record out at a time.
    folds: Option<usize>,
    seed: u64,
    loss: String,
    target: String,
    draws: Option<usize>,
    candidates: CandidatesArguments,
}

struct Plan {
    budget: Option<PrivacyBudget>,
    is_isonormal: bool,
    calibration: Calibration,
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

/// Scores smoothers on private curves: for the curator alone. Also whether ids look alike.
#[pyfunction]
pub fn crossval(
    py: Python<'_>,
    arguments: CrossValidationArguments,
    curves: CurvesArgument<'_>,
) -> Result<(Scores, bool), Refusal> {
    let stated = curves.stated()?;
    let mut randomness = ChaCha8Rng::seed_from_u64(arguments.seed);
    let ball = arguments.ball.clone();
    let plan = Plan::of(arguments)?;
    py.detach(|| {
        let whole = stated.read(&[], "curves")?;
        let curves = &whole.curves;
        let folds = match plan.folds {
            Some(folds) => Folds::random(curves.units(), folds, &mut randomness)?,
            None => Folds::leave_one_out(curves.units())?,
        };
        let ball = ball.on(curves.grid())?;
        let settings = CrossValidation::new(&folds, &plan.candidates).loss(plan.loss).target(plan.target);
        let settings = match plan.draws {
            Some(draws) => settings.draws(draws),
            None => settings,
        };
        let surface = match plan.budget {
            None => cross_validate(curves, ball.center(), &settings)?,
            Some(budget) => {
                let mean = if plan.is_isonormal {
                    PrivateMean::isonormal(ball, budget)
                } else {
                    PrivateMean::cameron_martin(ball, budget)
                };
                private_cross_validate(curves, &mean.calibration(plan.calibration), &settings, &mut randomness)?
            }
        };
        Ok((Scores { surface, records: curves.units(), folds: folds.count() }, whole.concerns.similar_ids))
    })
}

impl Plan {
    fn of(arguments: CrossValidationArguments) -> Result<Self, Refusal> {
        let plan = Self {
            budget: arguments.budget.map(|Budget(budget)| budget),
            is_isonormal: one_of("mechanism", &arguments.mechanism, &MECHANISMS)?,
            calibration: one_of("calibration", &arguments.calibration, &CALIBRATIONS)?,
            folds: arguments.folds,
            loss: one_of("loss", &arguments.loss, &[("squared", Loss::SquaredNorm), ("norm", Loss::Norm)])?,
            target: one_of(
                "target",
                &arguments.target,
                &[("records", Target::Records), ("fold-mean", Target::FoldMean)],
            )?,
            draws: arguments.draws,
            candidates: arguments.candidates.try_into()?,
        };
        if let Some(budget) = &plan.budget {
            GaussianPrivacy::calibrated(plan.calibration, budget)?;
        }
        if plan.draws.is_some() && (plan.budget.is_none() || plan.loss != Loss::Norm) {
            let reason = "draws of the noise are needed for loss=\"norm\" with a budget alone: leave draws out";
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
        let release = release.release();
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
