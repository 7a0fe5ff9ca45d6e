//! Linear functionals of a mean function: some numbers without delta.

use dpfda::mechanism::Release;
use dpfda::privacy::{Law, NeighbouringRelation};
use dpfda::release::{
    Dispersion, FunctionalMapError, Functionals, FunctionalsError, LinearFunctional, PrivateFunctionals,
};
use dpfda::smoothing::{Ball, Center, PenalizedMean};
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::budget::StatedBall;
use crate::curves::CurvesArgument;
use crate::door::{Door, DoorArguments};
use crate::refusal::{Refusal, blamed, one_of};
use crate::settings::{RELATIONS, kernel};

/// Through which smoother, and in which shape of noise, a mean is asked for some numbers.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct ViewArguments {
    kernel: Option<String>,
    range: Option<f64>,
    penalty: f64,
    eta: f64,
    dispersion: String,
    neighbours: String,
}

/// The same, checked.
pub struct View {
    /// The smoother.
    pub smoother: PenalizedMean,
    /// The covariance of the noise.
    pub dispersion: Dispersion,
    /// Which data sets are neighbours.
    pub neighbours: NeighbouringRelation,
}

impl TryFrom<ViewArguments> for View {
    type Error = Refusal;

    fn try_from(arguments: ViewArguments) -> Result<Self, Refusal> {
        let ViewArguments { kernel: name, range, penalty, eta, dispersion, neighbours } = arguments;
        let dispersions = [("smoothed-white", Dispersion::SmoothedWhite), ("kernel", Dispersion::Kernel)];
        Ok(Self {
            smoother: PenalizedMean::new(kernel(name.as_deref(), range)?, penalty, eta)?,
            dispersion: one_of("dispersion", &dispersion, &dispersions)?,
            neighbours: one_of("neighbours", &neighbours, &RELATIONS)?,
        })
    }
}

/// Functionals from a document.
///
/// # Errors
/// [`Refusal`] for a document of something else.
pub fn asked(functionals: &str) -> Result<Vec<LinearFunctional>, Refusal> {
    let reason = "functionals must be a list of Functional.evaluation(t), .derivative(t), .integral(weight) or .coefficient(index)";
    serde_json::from_str(functionals).map_err(|_| Refusal::new("functionals", reason))
}

/// What Python says of private functionals.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct FunctionalsArguments {
    ball: StatedBall,
    epsilon: f64,
    view: ViewArguments,
    noise: String,
    degrees_of_freedom: Option<f64>,
    idealised_arithmetic: bool,
}

/// Settings that were checked without the data.
#[pyclass(name = "FunctionalsSettings", module = "dpfda._dpfda", frozen)]
pub struct FunctionalsSettings {
    ball: StatedBall,
    epsilon: f64,
    view: View,
    law: Law,
    idealised: bool,
}

/// The laws of noise by name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LawName {
    Laplace,
    KNorm,
    StudentT,
}

#[pymethods]
impl FunctionalsSettings {
    #[new]
    fn new(arguments: FunctionalsArguments) -> Result<Self, Refusal> {
        let names = [("laplace", LawName::Laplace), ("k-norm", LawName::KNorm), ("student-t", LawName::StudentT)];
        let name = one_of("noise", &arguments.noise, &names)?;
        let law = match (name, arguments.degrees_of_freedom) {
            (LawName::Laplace, None) => Law::DiscreteLaplace {},
            (LawName::KNorm, None) => Law::KNorm {},
            (LawName::StudentT, Some(degrees_of_freedom)) if degrees_of_freedom > 0.0 => {
                Law::StudentT { degrees_of_freedom }
            }
            _ => {
                let reason = "noise=\"student-t\", and no other, needs degrees_of_freedom: a positive number";
                return Err(Refusal::new("degrees_of_freedom", reason));
            }
        };
        if !law.is_exact() && !arguments.idealised_arithmetic {
            let reason = "t noise is drawn in floating point, whose low-order bits are outside the proof: accept that with \
                          idealised_arithmetic=True, which stamps the release, or use noise=\"k-norm\" or \"laplace\", which are exact";
            return Err(Refusal::new("idealised_arithmetic", reason));
        }
        let view = View::try_from(arguments.view)?;
        // an epsilon that nothing has is refused before there is a ball
        PrivateFunctionals::new(Ball::new(Center::Constant(0.0), 1.0)?, arguments.epsilon, view.smoother.clone())?;
        let FunctionalsArguments { ball, epsilon, idealised_arithmetic: idealised, .. } = arguments;
        Ok(Self { ball, epsilon, view, law, idealised })
    }
}

impl From<FunctionalsError> for Refusal {
    fn from(error: FunctionalsError) -> Self {
        let parameter = match &error {
            FunctionalsError::Idealised => "idealised_arithmetic",
            FunctionalsError::Epsilon { .. } | FunctionalsError::Budget(_) => "epsilon",
            FunctionalsError::Map(error) => of_map(error),
            FunctionalsError::Mechanism(error) => blamed(error, "curves"),
        };
        Self::new(parameter, error)
    }
}

/// Which argument a map of functionals was refused for.
pub fn of_map(error: &FunctionalMapError) -> &'static str {
    match error {
        FunctionalMapError::Functional(_) | FunctionalMapError::Rank { .. } => "functionals",
        FunctionalMapError::Ball(error) => blamed(error, "curves"),
        FunctionalMapError::Spectrum(_) => "range",
        FunctionalMapError::Grid(_) | FunctionalMapError::Lattice(_) => "grid_points",
    }
}

/// Released functionals of a mean.
#[pyclass(name = "FunctionalsRelease", module = "dpfda._dpfda", frozen)]
pub struct ReleasedFunctionals(Release<Functionals>);

/// Releases functionals of the mean of curves: **spends the budget**.
#[pyfunction]
pub fn release_functionals(
    py: Python<'_>,
    settings: &FunctionalsSettings,
    functionals: &str,
    curves: CurvesArgument<'_>,
    door: DoorArguments,
) -> Result<ReleasedFunctionals, Refusal> {
    let (door, stated, functionals) = (Door::try_from(door)?, curves.stated()?, asked(functionals)?);
    py.detach(|| {
        let whole = stated.read(&[], "curves")?;
        let View { smoother, dispersion, neighbours } = &settings.view;
        let ball = settings.ball.on(whole.curves.grid())?;
        let plan = PrivateFunctionals::new(ball, settings.epsilon, smoother.clone())?
            .dispersion(*dispersion)
            .neighbours(*neighbours)
            .noise(settings.law.clone());
        let plan = if settings.idealised { plan.idealised_arithmetic() } else { plan };
        let drawn = door.draw(plan.prepare(&whole.curves, &functionals)?, whole.concerns)?;
        Ok(ReleasedFunctionals(drawn))
    })
}

#[pymethods]
impl ReleasedFunctionals {
    #[staticmethod]
    fn from_json(text: &str) -> Result<Self, Refusal> {
        Ok(Self(Release::<Functionals>::from_json(text).map_err(|error| Refusal::of_document(&error))?))
    }

    fn to_json(&self) -> Result<String, Refusal> {
        Ok(self.0.to_json()?)
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        self.0.facts().into_iter().map(|fact| (fact.name, fact.text)).collect()
    }

    #[getter]
    fn is_private(&self) -> bool {
        self.0.is_private()
    }

    /// What was asked, as a document.
    fn functionals(&self) -> Result<String, Refusal> {
        Ok(serde_json::to_string(self.0.statistic().functionals())?)
    }

    fn values<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        Functionals::values(&self.0).into_pyarray(py)
    }

    fn noise_sd<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        Functionals::noise_sd(&self.0).into_pyarray(py)
    }

    fn noise_covariance<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        Functionals::noise_covariance(&self.0).into_pyarray(py)
    }
}
