//! A mean of curves that lacks nothing but its noise, and perhaps its ball.

use std::num::NonZeroUsize;

use dpfda_kernels::Grid;
use dpfda_mechanism::{MechanismError, Prepared, Statistic, sum_shares};
use dpfda_privacy::{ClippedBall, ExactSum, NestedRecord};
use dpfda_smoothing::CurveSet;

use crate::coordinates::encode::CurveRecord;
use crate::mean::Mean;
use crate::mean::domain::MeanDomain;
use crate::parts::plan::InParts;
use crate::purchase::ball_data::{BallData, Records};
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
