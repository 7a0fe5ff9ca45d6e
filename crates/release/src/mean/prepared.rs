//! A mean of curves that lacks nothing but its noise, and perhaps its ball.

use std::num::NonZeroUsize;

use dpfda_kernels::Grid;
use dpfda_mechanism::{MechanismError, Prepared, Statistic, sum_records, sum_shares};
use dpfda_privacy::{Bucket, ClippedBall, ExactSum, NestedRadius, NestedRecord};
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
        let shares = shares.into_iter().zip(buckets.chunks_mut(each)).map(|(records, buckets)| records.zip(buckets));
        let encoder = || {
            let mut scratch = centered.scratch();
            move |(record, bucket): (CurveRecord<'_>, &mut Bucket), vector: &mut NestedRecord| {
                vector.leave_directions();
                centered.encode(record, &mut scratch, vector);
                *bucket = vector.bucket();
            }
        };
        let sum = sum_shares(body, shares.collect(), encoder).map_err(MechanismError::from)?;
        Ok(Some(Inside { sum, buckets }))
    }

    fn add_directions(
        &self,
        centered: &Mean<D>,
        inside: &mut Inside<ClippedBall>,
        radius: NestedRadius,
    ) -> Result<(), ReleaseError> {
        let bounded = centered.ball().bound_on(self.0, centered.grid())?;
        let mut scratch = centered.scratch();
        let needed = CurveRecord::all(&bounded).zip(&inside.buckets).filter(|(_, bucket)| bucket.is_between(radius));
        let body = inside.sum.body().clone();
        let directions =
            sum_records(&body, needed, |(record, _), vector| centered.encode(record, &mut scratch, vector));
        inside.sum.add_directions(&directions.map_err(MechanismError::from)?).map_err(MechanismError::from)?;
        Ok(())
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
    let encoder = || {
        let mut scratch = mean.scratch();
        move |record: CurveRecord<'_>, vector: &mut NestedRecord| mean.encode(record, &mut scratch, vector)
    };
    Ok(sum_shares(body, CurveRecord::shares(&bounded, threads), encoder).map_err(MechanismError::from)?)
}
