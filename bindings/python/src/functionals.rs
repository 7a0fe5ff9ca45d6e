//! Linear functionals of a mean function: some numbers without delta.

use std::path::Path;

use dpfda::privacy::{Law, NeighbouringRelation};
use dpfda::release::{
    Dispersion, FunctionalMapError, Functionals, FunctionalsError, LinearFunctional, PrivateFunctionals,
};
use dpfda::smoothing::{Ball, Center, PenalizedMean};
use dpfda_study::{Blamed, PublicBall, Sections};
use numpy::{IntoPyArray, PyArray1, ToPyArray};
use pyo3::prelude::*;

use crate::data::DataArgument;
use crate::door::{Door, DoorArguments};
use crate::drawn::{Answer, Whole};
use crate::keywords::{Keywords, said_of};
use crate::reading::{Form, Reading};
use crate::refusal::{Refusal, one_of, parameter_of};
use crate::released::{Look, Released};

type Vector<'py> = Bound<'py, PyArray1<f64>>;

/// The settings of a study that some numbers of a mean have too.
const SETTINGS: [&str; 17] = [
    "epsilon",
    "delta",
    "neighbours",
    "bounds",
    "center",
    "radius",
    "kernel",
    "range",
    "penalty",
    "eta",
    "values",
    "subject",
    "grid",
    "periodic",
    "missing",
    "delimiter",
    "decimal_comma",
];

/// Whose mean is asked for some numbers, through which smoother, and in which shape of noise: checked without the data.
pub struct View {
    /// What was said.
    pub said: Sections,
    /// What is known of every curve.
    pub ball: PublicBall,
    /// The smoother.
    pub smoother: PenalizedMean,
    /// The covariance of the noise.
    pub dispersion: Dispersion,
    /// Which data sets are neighbours.
    pub neighbours: NeighbouringRelation,
    /// How the table is read.
    pub reading: Py<Reading>,
}

impl View {
    /// What keywords say.
    ///
    /// # Errors
    /// [`Refusal`] for what is no such setting, and for a ball, a smoother or columns that cannot be.
    pub fn of(py: Python<'_>, settings: &Keywords<'_>, dispersion: &str) -> Result<Self, Refusal> {
        let mut said = said_of(settings, &SETTINGS)?;
        said.read_center(Path::new(""))?;
        let dispersions = [("smoothed-white", Dispersion::SmoothedWhite), ("kernel", Dispersion::Kernel)];
        let penalty = said.estimate.penalty.ok_or_else(|| Refusal::new("penalty", "penalty= must be given"))?;
        let takes_all = said.table.values.is_none();
        if takes_all {
            said.say("values", "*")?;
        }
        let reading = Reading::of_plan(Form::Curves(said.table.curves()?), said.table.clone(), takes_all);
        Ok(Self {
            ball: said.ball()?,
            smoother: PenalizedMean::new(said.estimate.kernel_on_domain()?, penalty, said.estimate.eta.unwrap_or(1.0))?,
            dispersion: one_of("dispersion", dispersion, &dispersions)?,
            neighbours: said.privacy.relation(),
            reading: Py::new(py, reading).map_err(Refusal::raised)?,
            said,
        })
    }

    /// The privacy parameter.
    ///
    /// # Errors
    /// [`Refusal`] where it was not said.
    pub fn epsilon(&self) -> Result<f64, Refusal> {
        self.said.privacy.epsilon.ok_or_else(|| Refusal::new("epsilon", "epsilon= must be given"))
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

/// Settings that were checked without the data.
#[pyclass(name = "FunctionalsSettings", module = "dpfda._dpfda", frozen)]
pub struct FunctionalsSettings {
    view: View,
    epsilon: f64,
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
    #[pyo3(signature = (settings, dispersion, noise, degrees_of_freedom, idealised_arithmetic))]
    fn new(
        py: Python<'_>,
        settings: Keywords<'_>,
        dispersion: &str,
        noise: &str,
        degrees_of_freedom: Option<f64>,
        idealised_arithmetic: bool,
    ) -> Result<Self, Refusal> {
        let law = law(noise, degrees_of_freedom)?;
        if !law.is_exact() && !idealised_arithmetic {
            let reason = "t noise is drawn in floating point, whose low-order bits are outside the proof: accept that with \
                          idealised_arithmetic=True, which stamps the release, or use noise=\"k-norm\" or \"laplace\", which are exact";
            return Err(Refusal::new("idealised_arithmetic", reason));
        }
        let view = View::of(py, &settings, dispersion)?;
        if view.said.privacy.delta.is_some_and(|delta| delta > 0.0) {
            return Err(Refusal::new("delta", "some numbers of a mean have a delta of 0: leave delta= out"));
        }
        let epsilon = view.epsilon()?;
        // an epsilon that nothing has is refused before there is a ball
        PrivateFunctionals::new(Ball::new(Center::Constant(0.0), 1.0)?, epsilon, view.smoother.clone())?;
        Ok(Self { view, epsilon, law, idealised: idealised_arithmetic })
    }

    /// How the table is read.
    #[getter]
    fn reading(&self, py: Python<'_>) -> Py<Reading> {
        self.view.reading.clone_ref(py)
    }
}

fn law(noise: &str, degrees_of_freedom: Option<f64>) -> Result<Law, Refusal> {
    let names = [("laplace", LawName::Laplace), ("k-norm", LawName::KNorm), ("student-t", LawName::StudentT)];
    match (one_of("noise", noise, &names)?, degrees_of_freedom) {
        (LawName::Laplace, None) => Ok(Law::DiscreteLaplace {}),
        (LawName::KNorm, None) => Ok(Law::KNorm {}),
        (LawName::StudentT, Some(degrees_of_freedom)) if degrees_of_freedom > 0.0 => {
            Ok(Law::StudentT { degrees_of_freedom })
        }
        _ => {
            let reason = "noise=\"student-t\", and no other, needs degrees_of_freedom: a positive number";
            Err(Refusal::new("degrees_of_freedom", reason))
        }
    }
}

impl From<FunctionalsError> for Refusal {
    fn from(error: FunctionalsError) -> Self {
        let parameter = match &error {
            FunctionalsError::Idealised => "idealised_arithmetic",
            FunctionalsError::Epsilon { .. } | FunctionalsError::Budget(_) => "epsilon",
            FunctionalsError::Map(error) => of_map(error),
            FunctionalsError::Mechanism(error) => parameter_of(&error.blame()),
        };
        Self::new(parameter, error)
    }
}

/// Which argument a map of functionals was refused for.
pub fn of_map(error: &FunctionalMapError) -> &'static str {
    match error {
        FunctionalMapError::Functional(_) | FunctionalMapError::Rank { .. } => "functionals",
        FunctionalMapError::Ball(error) => parameter_of(&error.blame()),
        FunctionalMapError::Spectrum(_) => "range",
        FunctionalMapError::Grid(_) | FunctionalMapError::Lattice(_) => "grid",
    }
}

/// Releases functionals of the mean of curves: **spends the budget**.
#[pyfunction]
pub fn release_functionals(
    py: Python<'_>,
    settings: &FunctionalsSettings,
    functionals: &str,
    data: DataArgument<'_>,
    door: DoorArguments,
) -> Result<Released, Refusal> {
    let FunctionalsSettings { view, epsilon, law, idealised } = settings;
    let reading = view.reading.get();
    let (door, wide, functionals) = (Door::try_from(door)?, data.wide(reading)?, asked(functionals)?);
    py.detach(|| {
        let whole = wide.whole(reading)?;
        let plan = PrivateFunctionals::new(view.ball.on(whole.curves.grid())?, *epsilon, view.smoother.clone())?
            .dispersion(view.dispersion)
            .neighbours(view.neighbours)
            .noise(law.clone());
        let plan = if *idealised { plan.idealised_arithmetic() } else { plan };
        let drawn = door.draw(plan.prepare(&whole.curves, &functionals)?, whole.concerns)?;
        Ok(Released::new(Answer::Functionals(Whole(drawn)), Look::default()))
    })
}

/// The answers, and the standard deviation of the privacy noise in each.
#[pyfunction]
pub fn answers<'py>(py: Python<'py>, release: &Released) -> Result<(Vector<'py>, Vector<'py>), Refusal> {
    match &release.answer {
        Answer::Functionals(Whole(release)) => {
            Ok((Functionals::values(release).into_pyarray(py), Functionals::noise_sd(release).into_pyarray(py)))
        }
        Answer::Path(Whole(release)) => Ok((release.values().to_pyarray(py), release.noise_sd().to_pyarray(py))),
        _ => Err(Refusal::of_other_kind()),
    }
}
