//! Parts of curves, or of a long table: exact sums without noise.

use std::sync::{Mutex, PoisonError};

use dpfda::mechanism::{PartError, PartFile, PartialError, Payable, Release, Source, Statistic};
use dpfda::release::{self, Mean, ReleaseError, Rows, Surface};
use dpfda_study::{BandChoice, Privacy, Sections};
use pyo3::prelude::*;

use crate::door::{Concerns, Door, DoorArguments};
use crate::drawn::{Answer, Drawn};
use crate::keywords::{Keywords, said_of};
use crate::plans::{Plan, Planned, kind};
use crate::refusal::Refusal;
use crate::release::plain;
use crate::released::{Look, Released};

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
    fn release(
        &self,
        py: Python<'_>,
        plan: &Plan,
        settings: Keywords<'_>,
        door: DoorArguments,
    ) -> Result<Released, Refusal> {
        let said = said_of(&settings, &["band", "level", "band_roughness", "because"])?;
        let (stated, door, band) = (&plan.0, Door::try_from(door)?, BandChoice::check(&said.estimate)?);
        let source = source_of(&said, stated)?;
        let answer = py.detach(|| match (Exact::read(&self.reveal())?, stated) {
            (Exact::Curves(part), Planned::Curves(plan)) => {
                band.check_mechanism(plan.mechanism().statistic().mechanism().tells_all())?;
                let prepared = part.prepare(plan).map_err(|again| of_plan(again.reason, stated))?;
                let viewer = plan.viewer()?;
                let release = viewer.view(drawn(&door, prepared, source)?)?;
                Ok(Answer::Mean(Drawn::new(release, |release| Ok(band.estimate(release, false)?.0))))
            }
            (Exact::Surfaces(part), Planned::Surfaces(plan)) => {
                band.check_surface()?;
                let prepared = part.prepare(plan).map_err(|again| of_plan(again.reason, stated))?;
                Ok(Answer::Surface(plain(&band, drawn(&door, prepared, source)?)))
            }
            (Exact::Rows(part), Planned::Rows(plan)) => {
                band.check_mechanism(false)?;
                let prepared = part.prepare(plan).map_err(|again| of_plan(again.reason, stated))?;
                Ok(Answer::Rows(plain(&band, drawn(&door, prepared, source)?)))
            }
            _ => Err(of_plan(PartialError::OtherPlan.into(), stated)),
        });
        Ok(Released::new(answer?, Look::default()))
    }
}

/// Pays and draws.
fn drawn<S: Statistic, P: Payable<Drawn = Release<S>>>(
    door: &Door,
    prepared: P,
    source: Source,
) -> Result<Release<S>, Refusal> {
    Ok(door.draw(prepared, Concerns::default())?.read_from(Some(source).filter(|source| *source != Source::empty())))
}

/// What a release keeps of the study that its plan follows and of the reason for its guarantee, without which one that is hardly meant is
/// refused.
fn source_of(said: &Sections, plan: &Planned) -> Result<Source, Refusal> {
    let budget = plan.budget();
    let (epsilon, delta, because) = (Some(budget.epsilon()), Some(budget.delta()), said.privacy.because.clone());
    Privacy { epsilon, delta, because, ..Privacy::default() }.check_usual()?;
    let source = Source::empty().because(said.privacy.reason()).map_err(|error| Refusal::new("because", error))?;
    Ok(source.following(plan.study()))
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
