//! One noise path of a mean function, of which more may be published later at no further cost.

use std::path::PathBuf;

use dpfda::privacy::{GaussianPrivacy, MixingLaw, PrivacyBudget};
use dpfda::release::{Functionals, KeptPath, KeptPathFileError, PathError, PathRelease, PrivatePath};
use numpy::{PyArray1, ToPyArray};
use pyo3::prelude::*;

use crate::budget::{Budget, StatedBall};
use crate::curves::CurvesArgument;
use crate::door::{Door, DoorArguments};
use crate::functionals::{View, ViewArguments, asked, of_map};
use crate::refusal::{Refusal, blamed, one_of};

/// What Python says of a private path.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct PathArguments {
    ball: StatedBall,
    budget: Budget,
    view: ViewArguments,
    mixing: Option<(String, f64)>,
}

/// Settings that were checked without the data.
#[pyclass(name = "PathSettings", module = "dpfda._dpfda", frozen)]
pub struct PathSettings {
    ball: StatedBall,
    budget: PrivacyBudget,
    view: View,
    mixing: Option<MixingLaw>,
}

/// A law of the random scale of one parameter.
type Mixing = fn(f64) -> Result<MixingLaw, dpfda::privacy::MixingError>;

const MIXINGS: [(&str, Mixing); 3] =
    [("student-t", MixingLaw::student_t), ("gamma-root", MixingLaw::gamma_root), ("log-normal", MixingLaw::log_normal)];

#[pymethods]
impl PathSettings {
    #[new]
    fn new(arguments: PathArguments) -> Result<Self, Refusal> {
        let PathArguments { ball, budget: Budget(budget), view, mixing } = arguments;
        GaussianPrivacy::calibrated(dpfda::privacy::Calibration::Tight, &budget)?;
        let mixing = mixing.map(|(name, parameter)| {
            one_of("mixing", &name, &MIXINGS)?(parameter).map_err(|error| Refusal::new("mixing", error))
        });
        Ok(Self { ball, budget, view: view.try_into()?, mixing: mixing.transpose()? })
    }
}

impl From<PathError> for Refusal {
    fn from(error: PathError) -> Self {
        let parameter = match &error {
            PathError::NotThisRelease => "release",
            PathError::Map(error) => of_map(error),
            PathError::Mechanism(error) => blamed(error, "curves"),
        };
        Self::new(parameter, error)
    }
}

impl From<KeptPathFileError> for Refusal {
    fn from(error: KeptPathFileError) -> Self {
        Self::new("path", error)
    }
}

/// Published functionals of one path.
#[pyclass(name = "PathRelease", module = "dpfda._dpfda", frozen)]
pub struct ReleasedPath(PathRelease);

/// A path that more can be published of: for the curator.
#[pyclass(name = "KeptPath", module = "dpfda._dpfda", frozen)]
pub struct Kept(KeptPath);

/// Draws a path and releases functionals of it: **spends the budget**. Also, for the curator, the path.
#[pyfunction]
pub fn release_path(
    py: Python<'_>,
    settings: &PathSettings,
    functionals: &str,
    curves: CurvesArgument<'_>,
    door: DoorArguments,
) -> Result<(ReleasedPath, Kept), Refusal> {
    let (door, stated, functionals) = (Door::try_from(door)?, curves.stated()?, asked(functionals)?);
    py.detach(|| {
        let whole = stated.read(&[], "curves")?;
        let View { smoother, dispersion, neighbours } = &settings.view;
        let ball = settings.ball.on(whole.curves.grid())?;
        // functionals that cannot be are refused before anything is paid for
        let grid = whole.curves.grid().clone();
        Functionals::new(ball.clone(), grid, smoother.clone(), *dispersion, functionals.clone())
            .map_err(PathError::from)?;
        let plan = PrivatePath::new(ball, settings.budget, smoother.clone());
        let plan = plan.dispersion(*dispersion).neighbours(*neighbours);
        let plan = match &settings.mixing {
            Some(law) => plan.mixing(law.clone()),
            None => plan,
        };
        let kept = door.draw(plan.prepare(&whole.curves)?, whole.concerns)?;
        let release = kept.publish(&functionals)?;
        Ok((ReleasedPath(release), Kept(kept)))
    })
}

#[pymethods]
impl ReleasedPath {
    #[staticmethod]
    fn from_json(text: &str) -> Result<Self, Refusal> {
        Ok(Self(PathRelease::from_json(text).map_err(|error| Refusal::of_document(&error))?))
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

    /// What was asked so far, as a document.
    fn functionals(&self) -> Result<String, Refusal> {
        Ok(serde_json::to_string(self.0.functionals())?)
    }

    fn values<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.0.values().to_pyarray(py)
    }

    fn noise_sd<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.0.noise_sd().to_pyarray(py)
    }
}

#[pymethods]
impl Kept {
    /// Reads a path from its file.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> Result<Self, Refusal> {
        Ok(Self(py.detach(|| KeptPath::read(&path))?))
    }

    /// Writes the path to a new file that only its owner can read.
    fn write(&self, py: Python<'_>, path: PathBuf) -> Result<(), Refusal> {
        Ok(py.detach(|| self.0.write(&path))?)
    }

    /// The release with more functionals of the path.
    fn extend(&self, release: &ReleasedPath, functionals: &str) -> Result<ReleasedPath, Refusal> {
        Ok(ReleasedPath(self.0.extend(&release.0, &asked(functionals)?)?))
    }
}
