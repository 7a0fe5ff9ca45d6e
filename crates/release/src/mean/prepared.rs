//! A mean of curves that lacks nothing but its noise, and perhaps its ball.

use std::num::NonZeroUsize;

use dpfda_kernels::Grid;
use dpfda_mechanism::{
    AgainError, AtHand, Fingerprinter, MechanismError, Prepared, PrivateData, RowDigest, Statistic, sum_shares,
};
use dpfda_privacy::{ClippedBall, ExactSum, NestedRecord, OneHot};
use dpfda_smoothing::CurveSet;

use crate::coordinates::encode::CurveRecord;
use crate::mean::Mean;
use crate::mean::domain::MeanDomain;
use crate::parts::plan::InParts;
use crate::purchase::bucket_sum::BucketSum;
use crate::release_error::ReleaseError;

#[cfg(test)]
#[path = "prepared_tests.rs"]
mod tests;

/// A release of a mean that has to be paid for: private data. Curves in memory are borrowed until the draw.
pub type PreparedMean<'a, D = Grid> = Prepared<Mean<D>, MeanData<'a>>;

/// What a mean is released from.
pub enum MeanData<'a> {
    /// The sum in the stated ball, and in every smaller one that can be bought.
    Sum(BucketSum<ClippedBall>),
    /// Curves in memory, which are encoded again about the centre that is bought, by so many threads.
    Curves(&'a CurveSet, NonZeroUsize),
}

impl AtHand for MeanData<'_> {}

impl From<ExactSum<ClippedBall>> for MeanData<'_> {
    fn from(sum: ExactSum<ClippedBall>) -> Self {
        Self::Sum(sum.into())
    }
}

impl<D: MeanDomain> InParts for Mean<D> {
    type View = D::View;
    type Data = MeanData<'static>;
    type Beside = ();

    fn data(sum: ExactSum<ClippedBall>, (): ()) -> MeanData<'static> {
        sum.into()
    }
}

impl<D: MeanDomain> PrivateData<Mean<D>> for MeanData<'_> {
    fn records(&self) -> u64 {
        match self {
            Self::Sum(sum) => PrivateData::<Mean<D>>::records(sum),
            Self::Curves(curves, ..) => curves.units() as u64,
        }
    }

    fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        match self {
            Self::Sum(sum) => PrivateData::<Mean<D>>::fingerprint(sum, fingerprinter),
            Self::Curves(curves, ..) => {
                let mut digest = RowDigest::new();
                for (record, rows) in curves.records().enumerate() {
                    rows.iter().for_each(|&row| digest.add(curves.subject(record), curves.curve(row)));
                }
                digest.fingerprint(fingerprinter);
            }
        }
    }

    fn center(&mut self, stated: &Mean<D>, body: &ClippedBall) -> ExactSum<ClippedBall> {
        match self {
            Self::Curves(curves, threads) => checked(sum_of(curves, &stated.of_center(), body, *threads)),
            // only curves that are kept buy a centre
            Self::Sum(sum) => sum.center(stated, body),
        }
    }

    fn again(&mut self, centered: &Mean<D>, body: &ClippedBall) -> Result<(), AgainError> {
        if let Self::Curves(curves, threads) = self {
            *self = Self::from(checked(sum_of(curves, centered, body, *threads)));
        }
        Ok(())
    }

    fn radius(&mut self, centered: &Mean<D>, body: &OneHot) -> ExactSum<OneHot> {
        match self {
            Self::Sum(sum) => sum.radius(centered, body),
            // only a sum about the centre buys a radius
            Self::Curves(..) => ExactSum::new(*body),
        }
    }

    fn last(self, bought: &Mean<D>, body: &ClippedBall) -> ExactSum<ClippedBall> {
        match self {
            Self::Sum(sum) => sum.last(bought, body),
            Self::Curves(..) => ExactSum::new(body.clone()),
        }
    }
}

fn checked<T, E>(sum: Result<T, E>) -> T {
    sum.unwrap_or_else(|_| unreachable!("ball, radius and number of records were checked"))
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
