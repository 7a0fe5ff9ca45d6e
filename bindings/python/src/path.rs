//! One noise path of a mean function, of which more may be published later at no further cost.

use std::path::PathBuf;

use dpfda::privacy::{Calibration, GaussianPrivacy, MixingLaw, PrivacyBudget};
use dpfda::release::{Functionals, KeptPath, KeptPathFileError, PathError, PrivatePath};
use dpfda_study::Blamed;
use pyo3::prelude::*;

use crate::data::DataArgument;
use crate::door::{Door, DoorArguments};
use crate::drawn::{Answer, Whole};
use crate::functionals::{View, asked, of_map};
use crate::keywords::Keywords;
use crate::reading::Reading;
use crate::refusal::{Refusal, one_of, parameter_of};
use crate::released::{Look, Released};

/// Settings that were checked without the data.
#[pyclass(name = "PathSettings", module = "dpfda._dpfda", frozen)]
pub struct PathSettings {
    view: View,
    budget: PrivacyBudget,
    mixing: Option<MixingLaw>,
}

/// A law of the random scale of one parameter.
type Mixing = fn(f64) -> Result<MixingLaw, dpfda::privacy::MixingError>;

const MIXINGS: [(&str, Mixing); 3] =
    [("student-t", MixingLaw::student_t), ("gamma-root", MixingLaw::gamma_root), ("log-normal", MixingLaw::log_normal)];

#[pymethods]
impl PathSettings {
    #[new]
    #[pyo3(signature = (settings, dispersion, mixing))]
    fn new(
        py: Python<'_>,
        settings: Keywords<'_>,
        dispersion: &str,
        mixing: Option<(String, f64)>,
    ) -> Result<Self, Refusal> {
        let view = View::of(py, &settings, dispersion)?;
        view.said.check_budget()?;
        let budget = PrivacyBudget::new(view.epsilon()?, view.said.privacy.delta.unwrap_or(0.0))?;
        GaussianPrivacy::calibrated(Calibration::Tight, &budget)?;
        let mixing = mixing.map(|(name, parameter)| {
            one_of("mixing", &name, &MIXINGS)?(parameter).map_err(|error| Refusal::new("mixing", error))
        });
        Ok(Self { view, budget, mixing: mixing.transpose()? })
    }

    /// How the table is read.
    #[getter]
    fn reading(&self, py: Python<'_>) -> Py<Reading> {
        self.view.reading.clone_ref(py)
    }
}

impl From<PathError> for Refusal {
    fn from(error: PathError) -> Self {
        let parameter = match &error {
            PathError::NotThisRelease => "release",
            PathError::Map(error) => of_map(error),
            PathError::Mechanism(error) => parameter_of(&error.blame()),
        };
        Self::new(parameter, error)
    }
}

impl From<KeptPathFileError> for Refusal {
    fn from(error: KeptPathFileError) -> Self {
        Self::new("path", error)
    }
}

/// A path that more can be published of: for the curator.
#[pyclass(name = "KeptPath", module = "dpfda._dpfda", frozen)]
pub struct Kept(KeptPath);

/// Draws a path and releases functionals of it: **spends the budget**. Also, for the curator, the path.
#[pyfunction]
pub fn release_path(
    py: Python<'_>,
    settings: &PathSettings,
    functionals: &str,
    data: DataArgument<'_>,
    door: DoorArguments,
) -> Result<(Released, Kept), Refusal> {
    let PathSettings { view, budget, mixing } = settings;
    let reading = view.reading.get();
    let (door, wide, functionals) = (Door::try_from(door)?, data.wide(reading)?, asked(functionals)?);
    py.detach(|| {
        let whole = wide.whole(reading)?;
        let (ball, smoother) = (view.ball.on(whole.curves.grid())?, view.smoother.clone());
        // functionals that cannot be are refused before anything is paid for
        let grid = whole.curves.grid().clone();
        Functionals::new(ball.clone(), grid, smoother.clone(), view.dispersion, functionals.clone())
            .map_err(PathError::from)?;
        let plan = PrivatePath::new(ball, *budget, smoother).dispersion(view.dispersion).neighbours(view.neighbours);
        let plan = match mixing {
            Some(law) => plan.mixing(law.clone()),
            None => plan,
        };
        let kept = door.draw(plan.prepare(&whole.curves)?, whole.concerns)?;
        let release = kept.publish(&functionals)?;
        Ok((Released::new(Answer::Path(Whole(release)), Look::default()), Kept(kept)))
    })
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
    fn extend(&self, release: &Released, functionals: &str) -> Result<Released, Refusal> {
        let Answer::Path(Whole(path)) = &release.answer else { return Err(Refusal::of_other_kind()) };
        let extended = self.0.extend(path, &asked(functionals)?)?;
        Ok(Released::new(Answer::Path(Whole(extended)), Look::default()))
    }
}
