//! The sums that a mean needs of its curves while they come in: one pass, whatever radius is bought.

use dpfda_mechanism::{FingerprintKey, Mechanism, PartId, Partial, PartialError};
use dpfda_privacy::{Body, NestedRecord, PersonSum};
use dpfda_smoothing::{BallError, Projection};

use crate::coordinates::curve_room::{CurveRoom, no_curves};
use crate::mean::Mean;
use crate::mean::domain::MeanDomain;

/// Sums while curves come in: private data.
pub(crate) struct MeanSums<D: MeanDomain> {
    projection: Projection,
    mean: Mean<D>,
    partial: Partial<Mean<D>>,
    room: CurveRoom,
    record: NestedRecord,
}

impl<D: MeanDomain> MeanSums<D> {
    pub(crate) fn new(mechanism: &Mechanism<Mean<D>>, part: PartId) -> Result<Self, BallError> {
        let mean = mechanism.statistic().clone();
        Ok(Self {
            projection: Projection::new(mean.ball(), mean.grid())?,
            partial: mechanism.partial(part),
            room: CurveRoom::new(mean.grid().len(), mean.whitening().dimension()),
            record: mechanism.body().vector(),
            mean,
        })
    }

    /// Adds a curve that is a record, now or with some that come after it.
    pub(crate) fn add(&mut self, curve: &[f64]) -> Result<(), PartialError> {
        let is_full = self.room.take(&self.projection, &self.mean.whitening().coordinates(), curve);
        if is_full { self.add_waiting() } else { Ok(()) }
    }

    /// Adds the curves that wait.
    fn add_waiting(&mut self) -> Result<(), PartialError> {
        let Self { room, record, partial, mean, .. } = self;
        room.empty(&mean.whitening().coordinates(), record, |record| partial.add_vector(None, record))
    }

    /// A person without curves yet.
    pub(crate) fn open(&self) -> PersonSum {
        no_curves(self.mean.whitening().dimension())
    }

    pub(crate) fn add_to(&mut self, person: &mut PersonSum, curve: &[f64]) -> Result<(), PartialError> {
        Ok(self.room.add_to(person, &self.projection, &self.mean.whitening().coordinates(), curve)?)
    }

    /// Adds the record of a person whose curves are all there, with a tag where there is a key.
    pub(crate) fn close(
        &mut self,
        tagged: Option<(&FingerprintKey, &[u8])>,
        person: &PersonSum,
    ) -> Result<(), PartialError> {
        person.close(&mut self.record)?;
        self.partial.add_vector(tagged, &self.record)
    }

    /// Adds other records of the same part.
    pub(crate) fn absorb(&mut self, other: Self) -> Result<(), PartialError> {
        self.partial.absorb(other.finish()?).map_err(|refused| refused.reason)
    }

    pub(crate) fn finish(mut self) -> Result<Partial<Mean<D>>, PartialError> {
        self.add_waiting()?;
        Ok(self.partial)
    }
}
