//! The public plan of a mean whose curves are in several places, or too many for memory.

use std::sync::Arc;

use dpfda_kernels::Grid;
use dpfda_mechanism::{Digest, FingerprintKey, Mechanism, PartId, SCHEMA};
use dpfda_privacy::PrivacyUnit;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::mean::Mean;
use crate::mean::encoder::MeanEncoder;
use crate::mean::prepared::MeanData;
use crate::mean::private::PrivateMean;
use crate::mean::sums::MeanSums;
use crate::parts::part::PartPlan;
use crate::purchase::bought::BallShares;
use crate::purchase::nested_sums::Nested;
use crate::purchase::round::Round;
use crate::release_error::ReleaseError;

/// A private mean, the grid of its curves and what a record is: all that is public before there are data.
///
/// It is what parts are encoded by ([`PlannedMean::encoder`]) and recognised by. It serialises, and has a digest. Whether the default
/// buys a radius is decided when all parts are joined, by the number of records, where that is public. Where a centre is bought, curves are
/// encoded twice: in the stated ball, and about the centre ([`Part::prepare_twice`](crate::Part::prepare_twice)).
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
#[serde(try_from = "PlanDocument", into = "PlanDocument")]
pub struct PlannedMean(Arc<Planned>);

#[derive(Debug)]
struct Planned {
    settings: PrivateMean,
    grid: Grid,
    unit: PrivacyUnit,
    mechanism: Mechanism<Mean>,
    round: Round<Mean>,
}

impl PlannedMean {
    /// The plan of a mean of curves on a grid, where a record is one `unit`.
    ///
    /// # Errors
    /// [`ReleaseError`] for settings that cannot be used on this grid; [`ReleaseError::PenaltyNeeded`] for the Cameron-Martin mechanism
    /// without a penalty.
    pub fn new(settings: PrivateMean, grid: Grid, unit: PrivacyUnit) -> Result<Self, ReleaseError> {
        let mechanism = settings.mechanism(&grid, unit, None)?;
        let round = Round::first(&mechanism)?;
        // the balls fit the grid, or nothing is encoded
        MeanSums::new(round.encoded(&mechanism), PartId::whole())?;
        Ok(Self(Arc::new(Planned { settings, grid, unit, mechanism, round })))
    }

    /// The settings.
    pub fn settings(&self) -> &PrivateMean {
        &self.0.settings
    }

    /// The points the curves are seen at.
    pub fn grid(&self) -> &Grid {
        &self.0.grid
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
    pub fn encoder(&self, part: PartId, key: Option<FingerprintKey>) -> MeanEncoder {
        let sums = MeanSums::new(self.encoded(), part);
        let sums = sums.unwrap_or_else(|_| unreachable!("the constructor made such sums"));
        let key = key.map(|key| key.under(&self.digest()));
        let encoder = MeanEncoder::new(self.clone(), sums, key.clone());
        if self.is_twice() {
            let of_rows = key.unwrap_or_else(|| FingerprintKey::from_bytes([0; 32])).under(&Digest::of(b"rows"));
            encoder.watching_rows(&of_rows)
        } else {
            encoder
        }
    }

    /// Whether curves are encoded twice: a centre is bought from the first time.
    pub fn is_twice(&self) -> bool {
        self.0.round != Round::Only
    }
}

impl PartPlan for PlannedMean {
    type Statistic = Mean;
    type Data = MeanData<'static>;

    fn of_every_ball(_: Nested<Mean>) -> Option<MeanData<'static>> {
        None
    }

    fn keeps_every_ball(&self) -> bool {
        false
    }

    fn mechanism(&self) -> &Mechanism<Mean> {
        &self.0.mechanism
    }

    fn encoded(&self) -> &Mechanism<Mean> {
        self.0.round.encoded(&self.0.mechanism)
    }

    fn is_first(&self) -> bool {
        matches!(self.0.round, Round::First(_))
    }

    fn about(&self, centered: &Mean, whole: &Mechanism<Mean>) -> Result<Self, ReleaseError> {
        let round = Round::second(centered, whole)?;
        let Planned { settings, grid, unit, mechanism, .. } = &*self.0;
        MeanSums::new(round.encoded(mechanism), PartId::whole())?;
        let (settings, grid, mechanism) = (settings.clone(), grid.clone(), mechanism.clone());
        Ok(Self(Arc::new(Planned { settings, grid, unit: *unit, mechanism, round })))
    }

    fn shares_of(&self, found: u64) -> Result<BallShares, ReleaseError> {
        self.0.settings.shares_of(found)
    }
}

impl PartialEq for PlannedMean {
    fn eq(&self, other: &Self) -> bool {
        let (mine, theirs) = (&*self.0, &*other.0);
        mine.settings == theirs.settings
            && mine.grid == theirs.grid
            && mine.unit == theirs.unit
            && mine.round == theirs.round
    }
}

/// A plan as a document.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanDocument {
    schema: u32,
    kind: PlanKind,
    mean: PrivateMean,
    grid: Grid,
    unit: PrivacyUnit,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum PlanKind {
    PlannedMean,
}

/// Why a document is no plan.
#[derive(Debug, Error)]
pub(crate) enum PlanError {
    #[error("plan schema {found} is not known; this version reads {SCHEMA}")]
    Schema { found: u32 },
    #[error(transparent)]
    Release(#[from] ReleaseError),
}

impl From<PlannedMean> for PlanDocument {
    fn from(plan: PlannedMean) -> Self {
        Self {
            schema: SCHEMA,
            kind: PlanKind::PlannedMean,
            mean: plan.0.settings.clone(),
            grid: plan.0.grid.clone(),
            unit: plan.0.unit,
        }
    }
}

impl TryFrom<PlanDocument> for PlannedMean {
    type Error = PlanError;

    fn try_from(document: PlanDocument) -> Result<Self, PlanError> {
        let PlanDocument { schema, kind: PlanKind::PlannedMean, mean, grid, unit } = document;
        if schema != SCHEMA {
            return Err(PlanError::Schema { found: schema });
        }
        Ok(Self::new(mean, grid, unit)?)
    }
}
