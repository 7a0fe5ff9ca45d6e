//! Parts of curves, or of a long table: exact sums without noise.

use std::sync::{Mutex, PoisonError};

use dpfda::analysis::DEFAULT_LEVEL;
use dpfda::mechanism::{PartError, PartFile, PartialError};
use dpfda::release::{self, Mean, MeanMechanism, ReleaseError, Rows, Surface};
use pyo3::prelude::*;

use crate::band::{BandChoice, plain};
use crate::door::{Concerns, Door, DoorArguments};
use crate::mean;
use crate::plans::{Plan, Planned, kind};
use crate::private_rows::{self, ReleasedRows};
use crate::refusal::Refusal;
use crate::release::Released;
use crate::surface::ReleasedSurface;

/// Exact sums without noise: private data.
#[pyclass(name = "Part", module = "dpfda._dpfda", frozen)]
pub struct Part(Mutex<Exact>);

/// A part, by its plan.
#[allow(clippy::large_enum_variant, reason = "one in each part")]
pub enum Exact {
    /// The sums of curves.
    Curves(release::Part<Mean>),
    /// The sums of surfaces.
    Surfaces(release::Part<Surface>),
    /// The sums of a long table.
    Rows(release::Part<Rows>),
}

/// A release of a part, by its plan.
#[allow(clippy::large_enum_variant, reason = "Python gets it at once, and takes no box")]
#[derive(IntoPyObject)]
pub enum ReleasedPart {
    /// The mean of curves.
    Mean(Released),
    /// The mean of surfaces.
    Surface(ReleasedSurface),
    /// The mean of a long table.
    Rows(ReleasedRows),
}

#[pymethods]
impl Part {
    /// A part from what `reveal` gave.
    #[staticmethod]
    fn read(py: Python<'_>, bytes: &[u8]) -> Result<Self, Refusal> {
        Ok(Self::of(py.detach(|| Exact::read(bytes))?))
    }

    /// The part as bytes: exact sums without noise.
    fn reveal(&self) -> Vec<u8> {
        self.with(|part| part.bytes())
    }

    /// The names of the parts in it.
    #[getter]
    fn parts(&self) -> Vec<String> {
        self.with(|part| match part {
            Exact::Curves(part) => part.parts(),
            Exact::Surfaces(part) => part.parts(),
            Exact::Rows(part) => part.parts(),
        })
    }

    #[getter]
    fn plan(&self) -> Plan {
        Plan(self.with(|part| match part {
            Exact::Curves(part) => Planned::Curves(part.plan().clone()),
            Exact::Surfaces(part) => Planned::Surfaces(part.plan().clone()),
            Exact::Rows(part) => Planned::Rows(part.plan().clone()),
        }))
    }

    /// Joins another part, which stays as it is.
    fn merge(&self, other: &Self) -> Result<(), Refusal> {
        // a copy, so that nobody waits for two locks
        let other = Exact::read(&other.reveal())?;
        self.with(|part| part.merge(other)).map_err(|reason| match reason {
            ReleaseError::Partial(error) => error.into(),
            other => Refusal::from(other),
        })
    }

    /// Releases the mean of all curves or rows in it: **spends the budget**. The part stays as it is: no sum is lost with a refusal.
    #[pyo3(signature = (plan, band, level, roughness, door))]
    fn release(
        &self,
        py: Python<'_>,
        plan: &Plan,
        band: Option<&str>,
        level: Option<f64>,
        roughness: Option<f64>,
        door: DoorArguments,
    ) -> Result<ReleasedPart, Refusal> {
        let (stated, choice) = (&plan.0, BandChoice::new(band, level, roughness)?);
        let door = Door::try_from(door)?.following(stated.study());
        door.agreed.check(&stated.budget())?;
        py.detach(|| match (Exact::read(&self.reveal())?, stated) {
            (Exact::Curves(part), Planned::Curves(plan)) => {
                let is_white = plan.mechanism().statistic().mechanism() == MeanMechanism::Isonormal;
                choice.check(is_white, None, true)?;
                let prepared = part.prepare(plan).map_err(|again| of_plan(again.reason, stated))?;
                let door = (&door, Concerns::default());
                let released =
                    mean::draw(plan.viewer()?, prepared, None, door, |release| choice.of_new(release, false));
                released.map(ReleasedPart::Mean)
            }
            (Exact::Surfaces(part), Planned::Surfaces(plan)) => {
                let (band, level) = (plain(band)?, choice.level().unwrap_or(DEFAULT_LEVEL));
                let prepared = part.prepare(plan).map_err(|again| of_plan(again.reason, stated))?;
                let drawn = door.agreed.kept_by(door.draw(prepared, Concerns::default())?, None);
                Ok(ReleasedPart::Surface(ReleasedSurface::of(drawn, band, level)))
            }
            (Exact::Rows(part), Planned::Rows(plan)) => {
                let band = (plain(band)?, choice.level().unwrap_or(DEFAULT_LEVEL));
                let prepared = part.prepare(plan).map_err(|again| of_plan(again.reason, stated))?;
                let released = private_rows::draw(prepared, None, (&door, Concerns::default()), band);
                released.map(ReleasedPart::Rows)
            }
            _ => Err(of_plan(PartialError::OtherPlan.into(), stated)),
        })
    }
}

/// A part of another plan is told with the digest of the one that was stated.
fn of_plan(reason: ReleaseError, plan: &Planned) -> Refusal {
    match reason {
        ReleaseError::Partial(PartialError::OtherPlan) => {
            let digest = plan.digest();
            Refusal::new(
                "plan",
                format!("the part was encoded by another plan than this one, whose digest is {digest}"),
            )
        }
        reason => reason.into(),
    }
}

impl Part {
    /// A part in Python's hands.
    pub fn of(part: Exact) -> Self {
        Self(Mutex::new(part))
    }

    fn with<T>(&self, then: impl FnOnce(&mut Exact) -> T) -> T {
        // a sum is joined whole or not at all, so that one behind a panic is as it was
        then(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Exact {
    fn read(bytes: &[u8]) -> Result<Self, PartError> {
        let kind = kind(PartFile::from_bytes(bytes)?.plan());
        if kind == release::Plan::<Rows>::kind() {
            release::Part::read(bytes).map(Self::Rows)
        } else if kind == release::Plan::<Surface>::kind() {
            release::Part::read(bytes).map(Self::Surfaces)
        } else {
            release::Part::read(bytes).map(Self::Curves)
        }
    }

    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Curves(part) => part.reveal(),
            Self::Surfaces(part) => part.reveal(),
            Self::Rows(part) => part.reveal(),
        }
        .into_revealed()
    }

    fn merge(&mut self, other: Self) -> Result<(), ReleaseError> {
        match (self, other) {
            (Self::Curves(mine), Self::Curves(theirs)) => mine.merge(theirs).map_err(|again| again.reason),
            (Self::Surfaces(mine), Self::Surfaces(theirs)) => mine.merge(theirs).map_err(|again| again.reason),
            (Self::Rows(mine), Self::Rows(theirs)) => mine.merge(theirs).map_err(|again| again.reason),
            _ => Err(PartialError::OtherPlan.into()),
        }
    }
}
