//! A mean of curves that lacks nothing but its noise, and perhaps its ball.

use std::num::NonZeroUsize;

use dpfda_mechanism::{Digest, Fingerprinter, Prepared, PrivateData, Statistic, sum_shares};
use dpfda_privacy::{Body, ExactSum, MomentBall, OneHot};
use dpfda_smoothing::{Ball, CurveSet};

use crate::encode::CurveRecord;
use crate::in_ball::InBall;
use crate::mean::Mean;
use crate::nested_sums::Nested;
use crate::norms::Norms;

#[cfg(test)]
#[path = "prepared_mean_tests.rs"]
mod tests;

/// A release of a mean that has to be paid for: private data. Curves in memory are borrowed until the draw.
pub type PreparedMean<'a> = Prepared<Mean, MeanData<'a>>;

/// What a mean is released from.
pub enum MeanData<'a> {
    /// The sum in the stated ball.
    Sum(ExactSum<MomentBall>),
    /// Curves in memory, which are encoded again in the ball that was bought, by so many threads.
    Curves(&'a CurveSet, NonZeroUsize),
    /// The sums in every ball that can be bought.
    Nested(Box<Nested>),
}

impl From<ExactSum<MomentBall>> for MeanData<'_> {
    fn from(sum: ExactSum<MomentBall>) -> Self {
        Self::Sum(sum)
    }
}

impl From<Nested> for MeanData<'_> {
    fn from(nested: Nested) -> Self {
        Self::Nested(Box::new(nested))
    }
}

impl PrivateData<Mean> for MeanData<'_> {
    fn records(&self) -> u64 {
        match self {
            Self::Sum(sum) => sum.records(),
            Self::Curves(curves, _) => curves.units() as u64,
            Self::Nested(nested) => nested.records(),
        }
    }

    fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        match self {
            Self::Sum(sum) => sum.absorb(|bytes| fingerprinter.add(bytes)),
            Self::Nested(nested) => nested.fingerprint(fingerprinter),
            Self::Curves(curves, _) => {
                let records = curves.records().map(|rows| digest_of_record(curves, &rows));
                fingerprint_records(records.collect(), fingerprinter);
            }
        }
    }

    fn center(&mut self, stated: &Mean, body: &MomentBall) -> ExactSum<MomentBall> {
        match self {
            Self::Curves(curves, threads) => sum(stated.ball(), curves, *threads, body, || encoder(stated.of_center())),
            // only curves that are kept buy a centre
            Self::Sum(_) | Self::Nested(_) => ExactSum::new(*body),
        }
    }

    fn radius(&mut self, centered: &Mean, body: &OneHot) -> ExactSum<OneHot> {
        match self {
            Self::Curves(curves, threads) => {
                let plain = centered.plain();
                sum(plain.ball(), curves, *threads, body, || Norms::counter(&plain))
            }
            Self::Nested(nested) => nested.take_counts(),
            Self::Sum(_) => ExactSum::new(*body),
        }
    }

    fn last(self, bought: &Mean, body: &MomentBall) -> ExactSum<MomentBall> {
        match self {
            Self::Sum(sum) => sum,
            Self::Curves(curves, threads) => sum(bought.ball(), curves, threads, body, || encoder(bought.clone())),
            Self::Nested(nested) => nested.sum(bought.ball().radius()),
        }
    }
}

/// The sum of the curves in a ball.
fn sum<B, F>(
    ball: &Ball,
    curves: &CurveSet,
    threads: NonZeroUsize,
    body: &B,
    encoder: impl Fn() -> F + Sync,
) -> ExactSum<B>
where
    B: Body + Send + Sync,
    B::Sum: Send,
    F: for<'r> FnMut(CurveRecord<'r>, &mut B::Vector),
{
    let bounded = ball.bound(curves);
    let bounded = bounded.unwrap_or_else(|_| unreachable!("the centre of the ball is on the grid of the curves"));
    let sum = sum_shares(body, CurveRecord::shares(&bounded, threads), encoder);
    sum.unwrap_or_else(|_| unreachable!("the number of records was checked"))
}

fn encoder(mean: Mean) -> impl for<'r> FnMut(CurveRecord<'r>, &mut <MomentBall as Body>::Vector) {
    let mut scratch = mean.scratch();
    move |record, vector| mean.encode(record, &mut scratch, vector)
}

/// Gives the digests of records to a keyed digest: their order makes no other data.
pub(crate) fn fingerprint_records(mut records: Vec<Digest>, fingerprinter: &mut Fingerprinter) {
    records.sort_unstable();
    fingerprinter.add(&(records.len() as u64).to_le_bytes());
    for record in &records {
        fingerprinter.add(record.to_string().as_bytes());
    }
}

/// A digest of the curves of one record, whatever their order.
fn digest_of_record(curves: &CurveSet, rows: &[usize]) -> Digest {
    let values = curves.values();
    let mut each: Vec<Digest> = rows
        .iter()
        .map(|&row| {
            let bits = values
                .row(row)
                .iter()
                .flat_map(|x| if x.is_nan() { f64::NAN } else { *x }.to_le_bytes())
                .collect::<Vec<_>>();
            Digest::of(&bits)
        })
        .collect();
    each.sort_unstable();
    let text: String = each.iter().map(ToString::to_string).collect();
    Digest::of(text.as_bytes())
}
