//! A part of a data set, as exact sums: what is joined, travels, and is released in the end.

use std::fmt;

use dpfda_mechanism::{
    AgainError, Mechanism, PartError, PartFile, Partial, PartialError, Prepared, PrivateData, RowDigest, Statistic,
    TwoPasses,
};
use dpfda_privacy::{ClippedBall, ExactSum, NonPrivate};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::mean::Mean;
use crate::mean::planned::PlannedMean;
use crate::purchase::bought::BallShares;
use crate::purchase::in_ball::InBall;
use crate::purchase::nested_sums::Nested;
use crate::release_error::ReleaseError;
use crate::rows::planned::PlannedRows;

/// The public plan that parts are encoded by. Its JSON without white space is its canonical text.
pub trait PartPlan: Clone + PartialEq + fmt::Debug + Serialize + DeserializeOwned {
    /// What is released.
    type Statistic: InBall;
    /// What it is released from.
    type Data: PrivateData<Self::Statistic> + From<ExactSum<<Self::Statistic as Statistic>::Body>>;

    /// Data of sums in every ball that can be bought, where a part keeps those; `None` where one sum gives all of them.
    fn of_every_ball(nested: Nested<Self::Statistic>) -> Option<Self::Data>;

    /// Whether a part keeps a sum in every ball that can be bought.
    fn keeps_every_ball(&self) -> bool;

    /// What is released, and what is bought first.
    fn mechanism(&self) -> &Mechanism<Self::Statistic>;

    /// What records are encoded by: what is released, unless they are encoded twice.
    fn encoded(&self) -> &Mechanism<Self::Statistic> {
        self.mechanism()
    }

    /// Whether records are encoded for the first of two times.
    fn is_first(&self) -> bool {
        false
    }

    /// The same plan for the second time that records are encoded: about this centre, for the release of this mechanism.
    ///
    /// # Errors
    /// [`ReleaseError::CenterNeedsCurves`] where no centre is bought.
    fn about(&self, _centered: &Self::Statistic, _whole: &Mechanism<Self::Statistic>) -> Result<Self, ReleaseError> {
        Err(ReleaseError::CenterNeedsCurves)
    }

    /// The shares that so many records buy with, where their number is public.
    ///
    /// # Errors
    /// [`ReleaseError::TooFewForRadius`]
    fn shares_of(&self, found: u64) -> Result<BallShares, ReleaseError>;

    /// What is released of so many records. A sum is in the same body whatever is bought of it.
    ///
    /// # Errors
    /// As [`PartPlan::shares_of`], and [`ReleaseError::Mechanism`] for too few records of any release.
    fn mechanism_of(&self, found: u64) -> Result<Mechanism<Self::Statistic>, ReleaseError> {
        let (planned, shares) = (self.mechanism(), self.shares_of(found)?);
        planned.check_records(found)?;
        if shares == planned.shares() {
            return Ok(planned.clone());
        }
        Ok(Mechanism::buying(planned.statistic().clone(), *planned.guarantee(), planned.law().clone(), shares)?)
    }

    /// The canonical JSON.
    fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| unreachable!("a plan holds numbers and names"))
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
    /// What was decoded, where records are encoded twice.
    decoded: Option<RowDigest>,
}

/// A part of the curves of a mean, made by a [`MeanEncoder`](crate::MeanEncoder).
pub type MeanPart = Part<PlannedMean>;

/// A part of a long table, made by [`LongRows::part`](crate::LongRows::part).
pub type RowsPart = Part<PlannedRows>;

/// A release that has to be paid for, of records that are gone through twice: private data.
pub type PreparedTwice<'a, P> =
    Prepared<<P as PartPlan>::Statistic, TwoPasses<'a, <P as PartPlan>::Statistic, <P as PartPlan>::Data>>;

const CHECKED: &str = "the number of records was checked";

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
    pub(crate) fn new(plan: P, sums: FinishedSums<P::Statistic>, decoded: Option<RowDigest>) -> Self {
        Self { plan, sums, decoded }
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
        let Self { plan, sums, decoded } = other;
        let refused = |reason: PartialError, sums| RefusedPart {
            reason: reason.into(),
            part: Box::new(Self { plan: plan.clone(), sums, decoded: decoded.clone() }),
        };
        if self.plan != plan {
            return Err(refused(PartialError::OtherPlan, sums));
        }
        match (&mut self.sums, sums) {
            (FinishedSums::Stated(mine), FinishedSums::Stated(theirs)) => {
                mine.merge(theirs).map_err(|again| refused(again.reason, FinishedSums::Stated(*again.partial)))?;
            }
            (FinishedSums::Nested(mine), FinishedSums::Nested(theirs)) => {
                mine.merge(theirs).map_err(|again| refused(again.0, FinishedSums::Nested(again.1)))?;
            }
            (_, sums) => return Err(refused(PartialError::OtherPlan, sums)),
        }
        if let (Some(mine), Some(theirs)) = (&mut self.decoded, &decoded) {
            mine.merge(theirs);
        }
        Ok(())
    }

    /// The names of the parts that are in it.
    pub fn parts(&self) -> Vec<String> {
        match &self.sums {
            FinishedSums::Stated(partial) => partial.parts().map(ToString::to_string).collect(),
            FinishedSums::Nested(nested) => nested.stated.parts().map(ToString::to_string).collect(),
        }
    }

    /// All that a release takes except its noise: what can be refused is refused here, before anything is paid for.
    ///
    /// # Errors
    /// [`ReleaseError`] for too few records, where their number is public, and [`ReleaseError::CenterNeedsCurves`] where records are
    /// encoded twice, with the part given back.
    pub fn prepare(self) -> Result<Prepared<P::Statistic, P::Data>, RefusedPart<P>> {
        let mechanism = match self.mechanism() {
            Ok(mechanism) if mechanism.shares().center().is_some() => Err(ReleaseError::CenterNeedsCurves),
            mechanism => mechanism,
        };
        let mechanism = match mechanism {
            Ok(mechanism) => mechanism,
            Err(reason) => return Err(RefusedPart { reason, part: Box::new(self) }),
        };
        let prepared = mechanism.prepare_data(self.into_data());
        Ok(prepared.unwrap_or_else(|_| unreachable!("{CHECKED}")))
    }

    /// The same where a centre is bought, with what encodes the same records once more: by the plan that it is given, as one part.
    ///
    /// # Errors
    /// [`ReleaseError`] for too few records, where their number is public, and [`ReleaseError::BuysNoCenter`] where records are encoded
    /// once, with the part given back.
    pub fn prepare_twice<'a>(
        self,
        mut again: impl FnMut(&P) -> Result<Self, AgainError> + Send + 'a,
    ) -> Result<PreparedTwice<'a, P>, RefusedPart<P>>
    where
        P: Send + 'a,
        P::Statistic: InBall<Body = ClippedBall> + Send + Sync,
    {
        let mechanism = match self.mechanism() {
            Ok(mechanism) => mechanism,
            Err(reason) => return Err(RefusedPart { reason, part: Box::new(self) }),
        };
        let Self { plan, sums, decoded } = self;
        let (partial, decoded) = match (sums, decoded) {
            (FinishedSums::Stated(partial), Some(decoded)) if plan.is_first() => (partial, decoded),
            (sums, decoded) => {
                let part = Box::new(Self { plan, sums, decoded });
                return Err(RefusedPart { reason: ReleaseError::BuysNoCenter, part });
            }
        };
        let whole = mechanism.clone();
        let second = move |centered: &P::Statistic| {
            let plan =
                plan.about(centered, &whole).map_err(|error| AgainError::Unread { reason: error.to_string() })?;
            let part = again(&plan)?;
            match part.decoded.clone() {
                Some(decoded) if part.plan == plan => Ok((part.into_data(), decoded)),
                _ => Err(AgainError::Changed),
            }
        };
        let data = TwoPasses::new(partial.into_sum(), decoded, second);
        Ok(mechanism.prepare_data(data).unwrap_or_else(|_| unreachable!("{CHECKED}")))
    }

    /// What is released of as many records as there are.
    fn mechanism(&self) -> Result<Mechanism<P::Statistic>, ReleaseError> {
        self.plan.mechanism_of(match &self.sums {
            FinishedSums::Stated(partial) => *partial.records().reveal(),
            FinishedSums::Nested(nested) => nested.records(),
        })
    }

    fn into_data(self) -> P::Data {
        match self.sums {
            FinishedSums::Stated(partial) => P::Data::from(partial.into_sum()),
            FinishedSums::Nested(nested) => {
                P::of_every_ball(nested).unwrap_or_else(|| unreachable!("this plan keeps a sum in every ball"))
            }
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
        let mechanism = plan.encoded();
        let sums = if plan.keeps_every_ball() {
            FinishedSums::Nested(Nested::from_file(mechanism, file)?)
        } else {
            let (partial, file) = Partial::from_file(mechanism.clone(), file)?;
            if !file.is_empty() {
                return Err(PartError::OtherPlan);
            }
            FinishedSums::Stated(partial)
        };
        Ok(Self { plan, sums, decoded: None })
    }
}

impl<P: PartPlan> fmt::Debug for Part<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Part(..)")
    }
}
