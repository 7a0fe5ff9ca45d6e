//! A part of a data set, as exact sums: what is joined, travels, and is released in the end.

use std::fmt;

use dpfda_mechanism::{Mechanism, PartError, PartFile, Partial, PartialError};
use dpfda_privacy::{Calibration, NonPrivate};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::bought::{BallShares, Steps};
use crate::in_ball::InBall;
use crate::mean::Mean;
use crate::nested_sums::Nested;
use crate::norms::Norms;
use crate::planned_mean::PlannedMean;
use crate::planned_occupancy::PlannedOccupancy;
use crate::prepared_in_ball::{BallData, PreparedInBall, check_records};
use crate::release_error::ReleaseError;

/// The public plan that parts are encoded by. Its JSON without white space is its canonical text.
pub trait PartPlan: Clone + PartialEq + fmt::Debug + Serialize + DeserializeOwned {
    /// What is released.
    type Statistic: InBall;
    /// What the ball is bought from.
    type Data: BallData<Self::Statistic> + From<Nested<Self::Statistic>>;

    /// What is added up, and in which balls.
    fn sums(&self) -> &Sums<Self::Statistic>;

    /// The shares that so many records buy with, where their number is public.
    ///
    /// # Errors
    /// [`ReleaseError::TooFewForRadius`]
    fn shares_of(&self, found: u64) -> Result<BallShares, ReleaseError>;

    /// The canonical JSON.
    fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| unreachable!("a plan holds numbers and names"))
    }
}

/// What is added up, and in which balls: public.
#[derive(Debug, Clone)]
pub enum Sums<S: InBall = Mean> {
    /// The statistic in the stated ball.
    Stated(Mechanism<S>),
    /// The steps that buy a radius, and the first of them.
    Bought(Box<Steps<S>>, Mechanism<Norms<S>>),
}

impl<S: InBall> Sums<S> {
    /// What these shares leave to be added up: a centre cannot be bought of records that are not kept.
    pub(crate) fn new(
        mechanism: Mechanism<S>,
        calibration: Calibration,
        shares: BallShares,
    ) -> Result<Self, ReleaseError> {
        if shares.center().is_some() {
            return Err(ReleaseError::CenterNeedsCurves);
        }
        if !shares.buys() {
            return Ok(Self::Stated(mechanism));
        }
        let steps = Steps::new(mechanism.statistic(), *mechanism.guarantee(), calibration, shares)?;
        let radius = steps.radius.clone();
        let radius = radius.unwrap_or_else(|| unreachable!("no centre is bought, so a radius is"));
        Ok(Self::Bought(Box::new(steps), radius))
    }

    /// The mechanism of the release: in the stated ball, where a radius is bought.
    pub(crate) fn mechanism(&self) -> &Mechanism<S> {
        match self {
            Self::Stated(mechanism) => mechanism,
            Self::Bought(steps, _) => &steps.mean,
        }
    }
}

/// Sums to which nothing more is added: private data.
pub(crate) enum FinishedSums<S: InBall = Mean> {
    Stated(Partial<S>),
    Nested(Nested<S>),
}

/// The exact sums of a part of a data set: private data, without any noise.
///
/// Parts are joined by [`Part::merge`] and released by [`Part::prepare`]. [`Part::reveal`] gives the bytes of one.
pub struct Part<P: PartPlan> {
    plan: P,
    sums: FinishedSums<P::Statistic>,
}

/// A part of the curves of a mean, made by a [`MeanEncoder`](crate::MeanEncoder).
pub type MeanPart = Part<PlannedMean>;

/// A part of a long table, made by [`LongRows::part`](crate::LongRows::part).
pub type OccupancyPart = Part<PlannedOccupancy>;

/// A refusal that gives back what it refused: an exact sum is never lost.
#[derive(Debug, Error)]
#[error("{reason}")]
pub struct RefusedPart<P: PartPlan = PlannedMean> {
    /// Why.
    pub reason: ReleaseError,
    /// The part, as it was.
    pub part: Box<Part<P>>,
}

impl<P: PartPlan> Part<P> {
    pub(crate) fn new(plan: P, sums: FinishedSums<P::Statistic>) -> Self {
        Self { plan, sums }
    }

    /// The plan that it was encoded by.
    pub fn plan(&self) -> &P {
        &self.plan
    }

    /// Joins another part of the same data; the result does not depend on the order or number of parts.
    ///
    /// # Errors
    /// [`ReleaseError::Partial`] for another plan, for a part or a subject that is there already, and for subjects that were not
    /// tagged. The other part is given back, and this one is as it was.
    pub fn merge(&mut self, other: Self) -> Result<(), RefusedPart<P>> {
        let Self { plan, sums } = other;
        let refused = |reason: PartialError, sums| RefusedPart {
            reason: reason.into(),
            part: Box::new(Self { plan: plan.clone(), sums }),
        };
        if self.plan != plan {
            return Err(refused(PartialError::OtherPlan, sums));
        }
        match (&mut self.sums, sums) {
            (FinishedSums::Stated(mine), FinishedSums::Stated(theirs)) => {
                mine.merge(theirs).map_err(|again| refused(again.reason, FinishedSums::Stated(*again.partial)))
            }
            (FinishedSums::Nested(mine), FinishedSums::Nested(theirs)) => {
                mine.merge(theirs).map_err(|again| refused(again.0, FinishedSums::Nested(again.1)))
            }
            (_, sums) => Err(refused(PartialError::OtherPlan, sums)),
        }
    }

    /// The names of the parts that are in it.
    pub fn parts(&self) -> Vec<String> {
        match &self.sums {
            FinishedSums::Stated(partial) => partial.parts().map(ToString::to_string).collect(),
            FinishedSums::Nested(nested) => nested.norms.parts().map(ToString::to_string).collect(),
        }
    }

    /// All that a release takes except its noise: what can be refused is refused here, before anything is paid for.
    ///
    /// # Errors
    /// [`ReleaseError`] for too few records, where their number is public, with the part given back.
    pub fn prepare(self) -> Result<PreparedInBall<P::Statistic, P::Data>, RefusedPart<P>> {
        let Self { plan, sums } = self;
        let refused = |reason, sums| RefusedPart { reason, part: Box::new(Self { plan: plan.clone(), sums }) };
        match (plan.sums(), sums) {
            (Sums::Stated(mechanism), FinishedSums::Stated(partial)) => match mechanism.prepare(partial) {
                Ok(prepared) => Ok(PreparedInBall::stated(prepared)),
                Err(again) => Err(refused(again.reason.into(), FinishedSums::Stated(*again.partial))),
            },
            (Sums::Bought(steps, _), FinishedSums::Nested(nested)) => {
                let records = *nested.norms.records().reveal();
                let checked = plan.shares_of(records).and_then(|shares| {
                    check_records(steps, records)?;
                    Ok(shares)
                });
                match checked {
                    Ok(shares) if !shares.buys() => {
                        return Ok(PreparedInBall::stated(nested.in_stated(&steps.stated())));
                    }
                    Ok(_) => {}
                    Err(reason) => return Err(refused(reason, FinishedSums::Nested(nested))),
                }
                let prepared = PreparedInBall::buying(steps.clone(), P::Data::from(nested), records);
                Ok(prepared.unwrap_or_else(|_| unreachable!("the number of records was checked")))
            }
            (_, sums) => Err(refused(PartialError::OtherPlan.into(), sums)),
        }
    }

    /// The part as bytes, with its plan: **private data, the exact sums without any noise**. See [`PartFile`].
    pub fn reveal(&self) -> NonPrivate<Vec<u8>> {
        let text = self.plan.text();
        match &self.sums {
            FinishedSums::Stated(partial) => partial.to_file(text),
            FinishedSums::Nested(nested) => nested.to_file(text),
        }
        .to_bytes()
    }

    /// A part from its bytes, with the plan that is in them.
    ///
    /// # Errors
    /// [`PartError`] for bytes that are damaged, of another kind, or of sums that no records have.
    pub fn read(bytes: &[u8]) -> Result<Self, PartError> {
        let file = PartFile::from_bytes(bytes)?;
        let plan: P =
            serde_json::from_str(file.plan()).map_err(|error| PartError::Plan { reason: error.to_string() })?;
        let sums = match plan.sums() {
            Sums::Stated(mechanism) => {
                let (partial, file) = Partial::from_file(mechanism.clone(), file)?;
                if !file.is_empty() {
                    return Err(PartError::OtherPlan);
                }
                FinishedSums::Stated(partial)
            }
            Sums::Bought(steps, radius) => FinishedSums::Nested(Nested::from_file(steps, radius, file)?),
        };
        Ok(Self { plan, sums })
    }
}

impl<P: PartPlan> fmt::Debug for Part<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Part(..)")
    }
}
