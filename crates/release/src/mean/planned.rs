//! The public plan of a mean whose curves are in several places, or too many for memory.

use std::sync::Arc;

use dpfda_kernels::Grid;
use dpfda_mechanism::{Digest, FingerprintKey, Mechanism, PartId, SCHEMA};
use dpfda_privacy::PrivacyUnit;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::mean::Mean;
use crate::mean::domain::MeanDomain;
use crate::mean::encoder::MeanEncoder;
use crate::mean::prepared::MeanData;
use crate::mean::private::PrivateMean;
use crate::mean::sums::MeanSums;
use crate::parts::part::PartPlan;
use crate::purchase::bought::BallShares;
use crate::purchase::nested_sums::Nested;
use crate::release_error::ReleaseError;

/// A private mean, the domain of its curves or surfaces and what a record is: all that is public before there are data.
///
/// It is what parts are encoded by ([`PlannedMean::encoder`]) and recognised by. It serialises, and has a digest. The centre of
/// its ball is stated, because buying one needs the curves a second time; a radius may be bought. Whether the default buys one is decided
/// when all parts are joined, by the number of records, where that is public.
///
/// # Examples
/// ```
/// use dpfda_kernels::Grid;
/// use dpfda_privacy::{PrivacyBudget, PrivacyUnit, SystemRandomness};
/// use dpfda_release::{PlannedMean, PrivateMean};
/// use dpfda_smoothing::{Ball, Center};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mean = PrivateMean::isonormal(Ball::new(Center::Constant(0.5), 0.5)?, PrivacyBudget::new(1.0, 1e-5)?);
/// let plan = PlannedMean::new(mean, Grid::uniform(0.0, 1.0, 30)?, PrivacyUnit::Curve)?;
///
/// let mut north = plan.encoder("north".parse()?, None);
/// let mut south = plan.encoder("south".parse()?, None);
/// for person in 0..300 {
///     let curve: Vec<f64> = (0..30).map(|i| f64::from((person + i) % 9) / 9.0).collect();
///     if person % 2 == 0 { north.push(&curve)? } else { south.push(&curve)? }
/// }
/// let mut all = north.finish()?;
/// all.merge(south.finish()?)?;
/// let release = all.prepare()?.draw_unrecorded(&mut SystemRandomness::new()?);
/// assert_eq!(release.public_records(), Some(300));
/// // a share of the budget bought the radius, and the release tells so
/// assert!(release.answers().radius().is_some());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "PlanDocument<D>", into = "PlanDocument<D>", bound = "D: MeanDomain")]
pub struct PlannedMean<D: MeanDomain = Grid>(Arc<Planned<D>>);

#[derive(Debug)]
struct Planned<D: MeanDomain> {
    settings: PrivateMean,
    grid: D,
    /// Of a table that has a record in each row.
    columns: Grid,
    unit: PrivacyUnit,
    mechanism: Mechanism<Mean<D>>,
}

impl<D: MeanDomain> PlannedMean<D> {
    /// What documents call such a plan.
    pub const KIND: &'static str = D::PLAN;

    /// The plan of a mean of records on a domain, where a record is one `unit`.
    ///
    /// # Errors
    /// [`ReleaseError`] for settings that cannot be used on this grid; [`ReleaseError::CenterNeedsCurves`] where a centre would be
    /// bought; [`ReleaseError::PenaltyNeeded`] for the Cameron-Martin mechanism without a penalty.
    pub fn new(settings: PrivateMean, grid: D, unit: PrivacyUnit) -> Result<Self, ReleaseError> {
        if settings.bought_shares()?.center().is_some() {
            return Err(ReleaseError::CenterNeedsCurves);
        }
        let mechanism = settings.mechanism(&grid, unit, None)?;
        // the balls fit the grid, or nothing is encoded
        MeanSums::new(&mechanism, PartId::whole())?;
        let columns = grid.columns()?;
        Ok(Self(Arc::new(Planned { settings, grid, columns, unit, mechanism })))
    }

    /// The settings.
    pub fn settings(&self) -> &PrivateMean {
        &self.0.settings
    }

    /// The domain: the points the records are seen at.
    pub fn grid(&self) -> &D {
        &self.0.grid
    }

    /// The grid of the columns of a table that has a record in each row.
    pub fn columns(&self) -> &Grid {
        &self.0.columns
    }

    /// What one record is.
    pub fn unit(&self) -> PrivacyUnit {
        self.0.unit
    }

    /// The digest of the plan in its canonical bytes, which are those of its JSON without white space.
    pub fn digest(&self) -> Digest {
        Digest::of(self.text().as_bytes())
    }

    /// What encodes a part of the data.
    ///
    /// `key` is a secret of the curator, the same for all parts of subjects that are to be joined: with it a subject in two parts
    /// is found. Data in one part need none.
    pub fn encoder(&self, part: PartId, key: Option<FingerprintKey>) -> MeanEncoder<D> {
        let sums = MeanSums::new(&self.0.mechanism, part);
        let sums = sums.unwrap_or_else(|_| unreachable!("the constructor made such sums"));
        MeanEncoder::new(self.clone(), sums, key.map(|key| key.under(&self.digest())))
    }
}

impl<D: MeanDomain> PartPlan for PlannedMean<D> {
    type Statistic = Mean<D>;
    type Data = MeanData<'static>;

    fn of_every_ball(_: Nested<Mean<D>>) -> Option<MeanData<'static>> {
        None
    }

    fn keeps_every_ball(&self) -> bool {
        false
    }

    fn mechanism(&self) -> &Mechanism<Mean<D>> {
        &self.0.mechanism
    }

    fn shares_of(&self, found: u64) -> Result<BallShares, ReleaseError> {
        self.0.settings.shares_in(self.0.mechanism.statistic(), self.0.settings.shares_of(found)?)
    }
}

impl<D: MeanDomain> PartialEq for PlannedMean<D> {
    fn eq(&self, other: &Self) -> bool {
        let (mine, theirs) = (&*self.0, &*other.0);
        mine.settings == theirs.settings && mine.grid == theirs.grid && mine.unit == theirs.unit
    }
}

/// A plan as a document.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanDocument<D> {
    schema: u32,
    kind: String,
    mean: PrivateMean,
    grid: D,
    unit: PrivacyUnit,
}

/// Why a document is no plan.
#[derive(Debug, Error)]
pub(crate) enum PlanError {
    #[error("plan schema {found} is not known; this version reads {SCHEMA}")]
    Schema { found: u32 },
    #[error("this is no plan of the kind {expected}")]
    Kind { expected: &'static str },
    #[error(transparent)]
    Release(#[from] ReleaseError),
}

impl<D: MeanDomain> From<PlannedMean<D>> for PlanDocument<D> {
    fn from(plan: PlannedMean<D>) -> Self {
        Self {
            schema: SCHEMA,
            kind: D::PLAN.to_owned(),
            mean: plan.0.settings.clone(),
            grid: plan.0.grid.clone(),
            unit: plan.0.unit,
        }
    }
}

impl<D: MeanDomain> TryFrom<PlanDocument<D>> for PlannedMean<D> {
    type Error = PlanError;

    fn try_from(document: PlanDocument<D>) -> Result<Self, PlanError> {
        let PlanDocument { schema, kind, mean, grid, unit } = document;
        if schema != SCHEMA {
            return Err(PlanError::Schema { found: schema });
        }
        if kind != D::PLAN {
            return Err(PlanError::Kind { expected: D::PLAN });
        }
        Ok(Self::new(mean, grid, unit)?)
    }
}
