//! A part of the curves of a mean, as exact sums: what is joined, travels, and is released in the end.

use std::fmt;

use dpfda_mechanism::{PartError, PartFile, Partial, PartialError};
use dpfda_privacy::NonPrivate;
use thiserror::Error;

use crate::mean_sums::{FinishedSums, Plan};
use crate::nested_sums::Nested;
use crate::planned_mean::PlannedMean;
use crate::prepared_mean::PreparedMean;
use crate::release_error::ReleaseError;

/// The exact sums of a part of the curves of a mean: private data, without any noise.
///
/// It is made by a [`MeanEncoder`](crate::MeanEncoder), joined by [`MeanPart::merge`] and released by [`MeanPart::prepare`].
/// [`MeanPart::reveal`] gives its bytes.
pub struct MeanPart {
    plan: PlannedMean,
    sums: FinishedSums,
}

/// A refusal that gives back what it refused: an exact sum is never lost.
#[derive(Debug, Error)]
#[error("{reason}")]
pub struct RefusedPart {
    /// Why.
    pub reason: ReleaseError,
    /// The part, as it was.
    pub part: Box<MeanPart>,
}

impl MeanPart {
    pub(crate) fn new(plan: PlannedMean, sums: FinishedSums) -> Self {
        Self { plan, sums }
    }

    /// The plan that it was encoded by.
    pub fn plan(&self) -> &PlannedMean {
        &self.plan
    }

    /// Joins another part of the same data; the result does not depend on the order or number of parts.
    ///
    /// # Errors
    /// [`ReleaseError::Partial`] for another plan, for a part or a subject that is there already, and for subjects that were not
    /// tagged. The other part is given back, and this one is as it was.
    pub fn merge(&mut self, other: Self) -> Result<(), RefusedPart> {
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
    pub fn prepare(self) -> Result<PreparedMean<'static>, RefusedPart> {
        let Self { plan, sums } = self;
        let refused = |reason, sums| RefusedPart { reason, part: Box::new(Self { plan: plan.clone(), sums }) };
        match (plan.plan(), sums) {
            (Plan::Stated(mechanism), FinishedSums::Stated(partial)) => match mechanism.prepare(partial) {
                Ok(prepared) => Ok(PreparedMean::stated(prepared)),
                Err(again) => Err(refused(again.reason.into(), FinishedSums::Stated(*again.partial))),
            },
            (Plan::Bought(steps, _), FinishedSums::Nested(nested)) => {
                let records = *nested.norms.records().reveal();
                match plan.settings().check_records(records) {
                    Ok(()) => PreparedMean::nested(steps.clone(), nested)
                        .map_err(|again| refused(again.0.into(), FinishedSums::Nested(again.1))),
                    Err(reason) => Err(refused(reason, FinishedSums::Nested(nested))),
                }
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
        let plan: PlannedMean =
            serde_json::from_str(file.plan()).map_err(|error| PartError::Plan { reason: error.to_string() })?;
        let sums = match plan.plan() {
            Plan::Stated(mechanism) => {
                let (partial, file) = Partial::from_file(mechanism.clone(), file)?;
                if !file.is_empty() {
                    return Err(PartError::OtherPlan);
                }
                FinishedSums::Stated(partial)
            }
            Plan::Bought(steps, radius) => FinishedSums::Nested(Nested::from_file(steps, radius, file)?),
        };
        Ok(Self { plan, sums })
    }
}

impl fmt::Debug for MeanPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MeanPart(..)")
    }
}
