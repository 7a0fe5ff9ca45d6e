//! Parts of curves, or of a long table: exact sums without noise.

use std::sync::{Mutex, PoisonError};

use dpfda::analysis::DEFAULT_LEVEL;
use dpfda::kernels::SurfaceGrid;
use dpfda::mechanism::{PartError, PartFile, PartialError};
use dpfda::release::{self, MeanPart, PlannedMean, PlannedRows, ReleaseError, RowsPart};
use pyo3::prelude::*;

use crate::band::{BandChoice, plain};
use crate::door::{Concerns, Door, DoorArguments};
use crate::mean;
use crate::plans::{Plan, Planned, SURFACES, kind};
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
    Curves(MeanPart),
    /// The sums of surfaces.
    Surfaces(release::Part<PlannedMean<SurfaceGrid>>),
    /// The sums of a long table.
    Rows(RowsPart),
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
        let (door, choice) = (Door::try_from(door)?, BandChoice::new(band, level, roughness)?);
        if !self.with(|part| part.is_of(&plan.0)) {
            let digest = plan.digest();
            let reason = format!("the part was encoded by another plan than this one, whose digest is {digest}");
            return Err(Refusal::new("plan", reason));
        }
        py.detach(|| match Exact::read(&self.reveal())? {
            Exact::Curves(part) => of_curves(part, &door, choice).map(ReleasedPart::Mean),
            Exact::Surfaces(part) => {
                let (band, level) = (plain(band)?, choice.level().unwrap_or(DEFAULT_LEVEL));
                let prepared = part.prepare().map_err(|again| again.reason)?;
                let drawn = door.draw(prepared, Concerns::default())?;
                Ok(ReleasedPart::Surface(ReleasedSurface::of(drawn, band, level)))
            }
            Exact::Rows(part) => {
                let band = (plain(band)?, choice.level().unwrap_or(DEFAULT_LEVEL));
                let prepared = part.prepare().map_err(|again| again.reason)?;
                let released = private_rows::draw(prepared, None, (&door, Concerns::default()), band);
                released.map(ReleasedPart::Rows)
            }
        })
    }
}

/// Releases the mean of the curves in a part.
fn of_curves(part: MeanPart, door: &Door, choice: BandChoice) -> Result<Released, Refusal> {
    let plan = part.plan().clone();
    choice.check(plan.settings().is_white(), None, true)?;
    let prepared = part.prepare().map_err(|again| again.reason)?;
    let door = (door, Concerns::default());
    mean::draw(plan.settings(), plan.grid(), prepared, None, door, |release| choice.of_new(release, false))
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
        match kind(PartFile::from_bytes(bytes)?.plan()).as_deref() {
            Some(PlannedRows::KIND) => RowsPart::read(bytes).map(Self::Rows),
            Some(SURFACES) => release::Part::read(bytes).map(Self::Surfaces),
            _ => MeanPart::read(bytes).map(Self::Curves),
        }
    }

    /// Whether it was encoded by this plan.
    fn is_of(&self, plan: &Planned) -> bool {
        match (self, plan) {
            (Self::Curves(part), Planned::Curves(plan)) => part.plan() == plan,
            (Self::Surfaces(part), Planned::Surfaces(plan)) => part.plan() == plan,
            (Self::Rows(part), Planned::Rows(plan)) => part.plan() == plan,
            _ => false,
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
