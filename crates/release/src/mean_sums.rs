//! The sums that a mean needs of its curves: one in a stated ball, or one for each ball that can be bought.

use dpfda_mechanism::{FingerprintKey, Mechanism, PartId, Partial, PartialError};
use dpfda_privacy::{Body, LatticeError, RecordMean};
use dpfda_smoothing::{BallError, Projection};

use crate::encode::{CurveRecord, CurveRoom, record_mean};
use crate::mean::Mean;
use crate::nested_sums::{NestedMean, NestedSums};
use crate::part::FinishedSums;

/// Sums while curves come in: private data.
pub(crate) enum MeanSums {
    Stated(Box<StatedSum>),
    Nested(Box<NestedSums>),
}

pub(crate) struct StatedSum {
    projection: Projection,
    mean: Mean,
    partial: Partial<Mean>,
    room: CurveRoom,
}

/// The curves of a person who may have more: one integer sum for each ball.
pub(crate) enum OpenSubject {
    Stated(RecordMean),
    Nested(Box<NestedMean>),
}

impl MeanSums {
    pub(crate) fn new(mechanism: &Mechanism<Mean>, part: PartId) -> Result<Self, BallError> {
        if mechanism.shares().buys() {
            return Ok(Self::Nested(Box::new(NestedSums::new(mechanism, part)?)));
        }
        let mean = mechanism.statistic().clone();
        Ok(Self::Stated(Box::new(StatedSum {
            projection: Projection::new(mean.ball(), mean.grid())?,
            partial: mechanism.partial(part),
            room: CurveRoom::new(mean.grid().len(), mechanism.body().vector()),
            mean,
        })))
    }

    /// Adds a curve that is a record.
    pub(crate) fn add(&mut self, curve: &[f64]) -> Result<(), PartialError> {
        match self {
            Self::Stated(sum) => sum.partial.add(CurveRecord::one(&sum.projection, curve))?,
            Self::Nested(sums) => sums.add(curve)?,
        }
        Ok(())
    }

    /// A person without curves yet.
    pub(crate) fn open(&self) -> OpenSubject {
        match self {
            Self::Stated(sum) => OpenSubject::Stated(record_mean(sum.mean.whitening().dimension())),
            Self::Nested(sums) => OpenSubject::Nested(Box::new(sums.open())),
        }
    }

    /// Adds a curve of a person.
    pub(crate) fn add_to(&mut self, person: &mut OpenSubject, curve: &[f64]) -> Result<(), PartialError> {
        match (self, person) {
            (Self::Stated(sum), OpenSubject::Stated(person)) => {
                let StatedSum { projection, mean, room, .. } = &mut **sum;
                room.encode(projection, &mean.whitening().coordinates(), curve);
                person.add(&room.vector)?;
            }
            (Self::Nested(sums), OpenSubject::Nested(person)) => sums.add_to(person, curve)?,
            _ => unreachable!("a person is opened by the sums that the curves are added to"),
        }
        Ok(())
    }

    /// Adds the record of a person whose curves are all there, with a tag where there is a key.
    pub(crate) fn close(
        &mut self,
        tagged: Option<(&FingerprintKey, &[u8])>,
        person: &OpenSubject,
    ) -> Result<(), PartialError> {
        match (self, person) {
            (Self::Stated(sum), OpenSubject::Stated(person)) => {
                let record = CurveRecord::encoded(person);
                match tagged {
                    Some((key, subject)) => sum.partial.add_of(key, subject, record)?,
                    None => sum.partial.add(record)?,
                }
                Ok(())
            }
            (Self::Nested(sums), OpenSubject::Nested(person)) => sums.close(tagged, person),
            _ => unreachable!("a person is opened by the sums that the curves are added to"),
        }
    }

    /// Adds other records of the same part.
    pub(crate) fn absorb(&mut self, other: Self) -> Result<(), PartialError> {
        match (self, other) {
            (Self::Stated(mine), Self::Stated(theirs)) => {
                mine.partial.absorb(theirs.partial).map_err(|refused| refused.reason)
            }
            (Self::Nested(mine), Self::Nested(theirs)) => mine.absorb(*theirs),
            _ => Err(PartialError::OtherPlan),
        }
    }

    pub(crate) fn finish(self) -> Result<FinishedSums, PartialError> {
        Ok(match self {
            Self::Stated(sum) => FinishedSums::Stated(sum.partial),
            Self::Nested(sums) => FinishedSums::Nested(sums.finish()?),
        })
    }
}

impl OpenSubject {
    /// Adds curves of the same person that were encoded elsewhere.
    pub(crate) fn merge(&mut self, other: &Self) -> Result<(), LatticeError> {
        match (self, other) {
            (Self::Stated(mine), Self::Stated(theirs)) => mine.merge(theirs),
            (Self::Nested(mine), Self::Nested(theirs)) => mine.merge(theirs),
            _ => Err(LatticeError::Bodies),
        }
    }
}
