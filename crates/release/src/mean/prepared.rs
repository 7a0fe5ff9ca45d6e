//! A mean of curves that lacks nothing but its noise, and perhaps its ball.

use std::num::NonZeroUsize;

use dpfda_kernels::Grid;
use dpfda_mechanism::{MechanismError, Prepared, Statistic, sum_shares};
use dpfda_privacy::{Body, Bucket, ClippedBall, ExactSum, LatticeError, NestedRadius};
use dpfda_smoothing::CurveSet;

use crate::coordinates::encode::CurveRecord;
use crate::mean::Mean;
use crate::mean::domain::MeanDomain;
use crate::parts::plan::InParts;
use crate::purchase::ball_data::{BallData, Inside, Records};
use crate::release_error::ReleaseError;

#[cfg(test)]
#[path = "prepared_tests.rs"]
mod tests;

/// A release of a mean that has to be paid for: private data. Curves in memory are borrowed until the draw.
pub type PreparedMean<'a, D = Grid> = Prepared<Mean<D>, MeanData<'a>>;

/// What a mean is released from.
pub type MeanData<'a> = BallData<ClippedBall, MeanCurves<'a>>;

/// Curves in memory, which are encoded by so many threads.
#[derive(Clone, Copy)]
pub struct MeanCurves<'a>(pub(crate) &'a CurveSet, pub(crate) NonZeroUsize);

impl<D: MeanDomain> InParts for Mean<D> {
    type View = D::View;
    type Data = MeanData<'static>;
    type Beside = ();

    fn data(sum: ExactSum<ClippedBall>, (): ()) -> MeanData<'static> {
        sum.into()
    }
}

impl<D: MeanDomain> Records<Mean<D>> for MeanCurves<'_> {
    fn curves(&self) -> &CurveSet {
        self.0
    }

    fn sum_to_center(&self, stated: &Mean<D>, body: &ClippedBall) -> Result<ExactSum<ClippedBall>, ReleaseError> {
        sum_of(self.0, &stated.of_center(), body, self.1)
    }

    fn sum(&self, centered: &Mean<D>, body: &ClippedBall) -> Result<ExactSum<ClippedBall>, ReleaseError> {
        sum_of(self.0, centered, body, self.1)
    }

    fn sum_inside(&self, centered: &Mean<D>, body: &ClippedBall) -> Result<Option<Inside<ClippedBall>>, ReleaseError> {
        let Self(curves, threads) = *self;
        let bounded = centered.ball().bound_on(curves, centered.grid())?;
        let mut buckets = vec![Bucket::OUTSIDE; curves.units()];
        let shares = CurveRecord::shares(&bounded, threads);
        // as many as a share has: a division and back
        let each = buckets.len().div_ceil(shares.len().max(1)).max(1);
        let shares = shares.into_iter().zip(buckets.chunks_mut(each));
        let sum = sum_shares(body, shares.collect(), |(records, buckets): (_, &mut [Bucket]), sum| {
            let (mut record, mut buckets) = (body.vector(), buckets.iter_mut());
            record.leave_directions();
            centered.scratch().encode_all(records, &centered.whitening().coordinates(), &mut record, |record| {
                buckets.by_ref().take(1).for_each(|bucket| *bucket = record.bucket());
                sum.add(record)
            })
        });
        Ok(Some(Inside { sum: sum.map_err(MechanismError::from)?, buckets }))
    }

    fn add_directions(
        &self,
        centered: &Mean<D>,
        inside: &mut Inside<ClippedBall>,
        radius: NestedRadius,
    ) -> Result<(), ReleaseError> {
        let bounded = centered.ball().bound_on(self.0, centered.grid())?;
        let needed = CurveRecord::all(&bounded).zip(&inside.buckets).filter(|(_, bucket)| bucket.is_between(radius));
        let mut directions = ExactSum::new(inside.sum.body().clone());
        add_all(centered, needed.map(|(record, _)| record), &mut directions).map_err(MechanismError::from)?;
        Ok(inside.sum.add_directions(&directions).map_err(MechanismError::from)?)
    }
}

/// The sum of the curves about the centre of a mean, by so many threads.
pub(crate) fn sum_of<D: MeanDomain>(
    curves: &CurveSet,
    mean: &Mean<D>,
    body: &ClippedBall,
    threads: NonZeroUsize,
) -> Result<ExactSum<ClippedBall>, ReleaseError> {
    let bounded = mean.ball().bound_on(curves, mean.grid())?;
    let shares = CurveRecord::shares(&bounded, threads);
    Ok(sum_shares(body, shares, |records, sum| add_all(mean, records, sum)).map_err(MechanismError::from)?)
}

/// Adds records to a sum.
fn add_all<'c, D: MeanDomain>(
    mean: &Mean<D>,
    records: impl Iterator<Item = CurveRecord<'c>>,
    sum: &mut ExactSum<ClippedBall>,
) -> Result<(), LatticeError> {
    let mut record = sum.body().vector();
    mean.scratch().encode_all(records, &mean.whitening().coordinates(), &mut record, |record| sum.add(record))
}
