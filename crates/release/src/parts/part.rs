//! A part of a data set, as exact sums: what is joined, travels, and is released in the end.

use dpfda_mechanism::{AgainError, PartError, PartFile, Partial, PartialError, Prepared, RowDigest, TwoPasses};
use dpfda_privacy::{ClippedBall, NonPrivate};
use thiserror::Error;

use crate::parts::plan::{Beside, InParts, Plan};
use crate::release_error::ReleaseError;

#[cfg(test)]
#[path = "part_tests.rs"]
mod tests;

/// The exact sums of a part of a data set: private data, without any noise.
///
/// Parts are joined by [`Part::merge`] and released by [`Part::prepare`]. [`Part::reveal`] gives the bytes of one.
pub struct Part<S: InParts> {
    plan: Plan<S>,
    partial: Partial<S>,
    beside: S::Beside,
    /// What was decoded, where records are encoded twice.
    decoded: Option<RowDigest>,
}

/// A release that has to be paid for, of records that are gone through twice: private data.
pub type PreparedTwice<'a, S> = Prepared<S, TwoPasses<'a, S, <S as InParts>::Data>>;

/// A refusal that gives back what it refused: an exact sum is never lost.
#[derive(Debug, Error)]
#[error("{reason}")]
pub struct RefusedPart<S: InParts> {
    /// Why.
    pub reason: ReleaseError,
    /// The part, as it was.
    pub part: Box<Part<S>>,
}

impl<S: InParts> RefusedPart<S> {
    fn new(reason: impl Into<ReleaseError>, part: Part<S>) -> Self {
        Self { reason: reason.into(), part: Box::new(part) }
    }
}

impl<S: InParts> Part<S> {
    pub(crate) fn new(plan: Plan<S>, partial: Partial<S>, beside: S::Beside) -> Self {
        Self { plan, partial, beside, decoded: None }
    }

    /// The same with what was decoded, where records are encoded twice.
    pub(crate) fn decoded(self, decoded: Option<RowDigest>) -> Self {
        Self { decoded, ..self }
    }

    /// The plan that it was encoded by.
    pub fn plan(&self) -> &Plan<S> {
        &self.plan
    }

    /// Joins another part of the same data; the result does not depend on the order or number of parts.
    ///
    /// # Errors
    /// [`ReleaseError::Partial`] for another plan, for a part or a subject that is there already, and for subjects that were not
    /// tagged. The other part is given back, and this one is as it was.
    pub fn merge(&mut self, other: Self) -> Result<(), RefusedPart<S>> {
        if self.plan != other.plan {
            return Err(RefusedPart::new(PartialError::OtherPlan, other));
        }
        let Self { plan, partial, beside, decoded } = other;
        if let Err(refused) = self.partial.merge(partial) {
            return Err(RefusedPart::new(refused.reason, Self { plan, partial: *refused.partial, beside, decoded }));
        }
        self.beside.merge(&beside);
        if let (Some(mine), Some(theirs)) = (&mut self.decoded, &decoded) {
            mine.merge(theirs);
        }
        Ok(())
    }

    /// The names of the parts that are in it.
    pub fn parts(&self) -> Vec<String> {
        self.partial.parts().map(ToString::to_string).collect()
    }

    /// All that a release by this plan takes except its noise: what can be refused is refused here, before anything is paid for.
    ///
    /// The plan that was agreed on is given, because the one that a part brings along is only what whoever made the part says.
    ///
    /// # Errors
    /// [`PartialError::OtherPlan`] unless the part was encoded by this plan, [`ReleaseError::Mechanism`] for too few records, where their
    /// number is public, [`ReleaseError::CenterNeedsSteps`] where records are encoded twice; with the part given back.
    pub fn prepare(self, plan: &Plan<S>) -> Result<Prepared<S, S::Data>, RefusedPart<S>> {
        if self.plan != *plan {
            return Err(RefusedPart::new(PartialError::OtherPlan, self));
        }
        if plan.is_twice() {
            return Err(RefusedPart::new(ReleaseError::CenterNeedsSteps, self));
        }
        match plan.mechanism().of_records(*self.partial.records().reveal()) {
            Err(reason) => Err(RefusedPart::new(reason, self)),
            Ok(mechanism) => {
                let prepared = mechanism.prepare_data(S::data(self.partial.into_sum(), self.beside));
                Ok(prepared.unwrap_or_else(|_| unreachable!("the number of records was checked")))
            }
        }
    }

    /// The same where a centre is bought, with what encodes the same records once more: by the plan that it is given, as one part.
    ///
    /// Where it encodes nothing yet ([`AgainError::Awaited`]), a ledger pays for everything and keeps the centre; the same request goes on
    /// once the records were encoded by the plan that was given.
    pub fn prepare_twice<'a>(
        self,
        plan: &Plan<S>,
        mut again: impl FnMut(&Plan<S>) -> Result<Self, AgainError> + Send + 'a,
    ) -> Result<PreparedTwice<'a, S>, RefusedPart<S>>
    where
        S: InParts<Body = ClippedBall> + Send + Sync + 'a,
        S::View: Send + Sync,
    {
        if self.plan != *plan {
            return Err(RefusedPart::new(PartialError::OtherPlan, self));
        }
        let mechanism = match plan.mechanism().of_records(*self.partial.records().reveal()) {
            Err(reason) => return Err(RefusedPart::new(reason, self)),
            Ok(mechanism) => mechanism,
        };
        let Some(decoded) = self.decoded.clone().filter(|_| plan.is_first()) else {
            return Err(RefusedPart::new(ReleaseError::BuysNoCenter, self));
        };
        let (plan, whole) = (self.plan, mechanism.clone());
        let second = move |centered: &S| {
            let plan =
                plan.about(centered, &whole).map_err(|error| AgainError::Unread { reason: error.to_string() })?;
            let part = again(&plan)?;
            match part.decoded {
                Some(decoded) if part.plan == plan => Ok((S::data(part.partial.into_sum(), part.beside), decoded)),
                _ => Err(AgainError::OtherCenter),
            }
        };
        let prepared = mechanism.prepare_data(TwoPasses::new(self.partial.into_sum(), decoded, second));
        Ok(prepared.unwrap_or_else(|_| unreachable!("the number of records was checked")))
    }

    /// The part as bytes, with its plan: **private data, the exact sums without any noise**. See [`PartFile`].
    pub fn reveal(&self) -> NonPrivate<Vec<u8>> {
        let mut file = self.partial.to_file(self.plan.text().to_owned());
        self.beside.push_to(&mut file);
        if let Some(decoded) = &self.decoded {
            file.push_digest(decoded);
        }
        file.to_bytes()
    }

    /// A part from its bytes, with the plan that is in them.
    pub fn read(bytes: &[u8]) -> Result<Self, PartError> {
        let file = PartFile::from_bytes(bytes)?;
        let plan = serde_json::from_str(file.plan()).map_err(|error| PartError::Plan { reason: error.to_string() })?;
        Self::of_file(plan, file)
    }

    /// The same for a part of the plan that was agreed on, or of [its first](Plan::first).
    pub fn read_by(plan: &Plan<S>, bytes: &[u8]) -> Result<Self, PartError> {
        let file = PartFile::from_bytes(bytes)?;
        let plan = [plan, plan.first()].into_iter().find(|plan| file.plan() == plan.text());
        Self::of_file(plan.ok_or(PartError::OtherPlan)?.clone(), file)
    }

    fn of_file(plan: Plan<S>, file: PartFile) -> Result<Self, PartError> {
        let (partial, mut file) = Partial::from_file(plan.encoded().clone(), file)?;
        let records = *partial.records().reveal();
        let beside = S::Beside::take_from(&mut file, plan.mechanism(), records)?;
        let decoded = plan.is_twice().then(|| file.take_digest()).transpose()?;
        if !file.is_empty() {
            return Err(PartError::OtherPlan);
        }
        Ok(Self { plan, partial, beside, decoded })
    }
}

dpfda_privacy::opaque!(Part<S: InParts>);
