//! A mean of curves that lacks nothing but its noise, and perhaps its ball.

use std::num::NonZeroUsize;

use dpfda_mechanism::{
    Digest, Fingerprinter, LedgerReference, Mechanism, MechanismError, Prepared, Release, RestoreError, Statistic,
};
use dpfda_privacy::Body;
use dpfda_smoothing::{Ball, BoundedCurves, CurveSet};

use crate::bought::{Bought, Steps};
use crate::encode::CurveRecord;
use crate::mean::Mean;
use crate::nested_sums::Nested;
use crate::norms::Norms;
use crate::prepared_in_ball::{Answers, BallData, DrawnInBall, PreparedInBall, again, on};

#[cfg(test)]
#[path = "prepared_mean_tests.rs"]
mod tests;

/// A release of a mean that has to be paid for: private data. Curves in memory are borrowed until the draw.
pub type PreparedMean<'a> = PreparedInBall<Mean, MeanData<'a>>;

/// A release of a mean as a ledger stores it: with the answers that bought its ball.
pub type DrawnMean = DrawnInBall<Mean>;

/// What a ball is bought from, and the mean in it.
pub enum MeanData<'a> {
    /// Curves in memory, which are encoded again in the ball that was bought.
    Curves(&'a CurveSet, NonZeroUsize),
    /// The sums in every ball that can be bought.
    Nested(Box<Nested>),
}

impl<'a> PreparedMean<'a> {
    /// The curves, with the steps that buy their ball.
    pub(crate) fn bought(steps: Steps, curves: &'a CurveSet, threads: NonZeroUsize) -> Result<Self, MechanismError> {
        let data = MeanData::Curves(curves, threads);
        Self::buying(Box::new(steps), data, curves.units() as u64)
    }
}

impl From<Nested> for MeanData<'_> {
    fn from(nested: Nested) -> Self {
        Self::Nested(Box::new(nested))
    }
}

impl BallData<Mean> for MeanData<'_> {
    fn run<A: Answers>(
        self,
        steps: &Steps,
        answers: &mut A,
        ledger: Option<LedgerReference>,
    ) -> Result<Release<Mean>, RestoreError> {
        match self {
            Self::Curves(curves, threads) => steps.run_on_curves(curves, threads, answers, ledger),
            Self::Nested(nested) => nested.run(steps, answers, ledger),
        }
    }

    fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        match self {
            Self::Nested(nested) => nested.fingerprint(fingerprinter),
            Self::Curves(curves, _) => {
                let records = curves.records().map(|rows| digest_of_record(curves, &rows));
                fingerprint_records(records.collect(), fingerprinter);
            }
        }
    }
}

/// Gives the digests of records to a keyed digest: their order makes no other data.
pub(crate) fn fingerprint_records(mut records: Vec<Digest>, fingerprinter: &mut Fingerprinter) {
    records.sort_unstable();
    fingerprinter.add(&(records.len() as u64).to_le_bytes());
    for record in &records {
        fingerprinter.add(record.to_string().as_bytes());
    }
}

impl Steps {
    fn run_on_curves<A: Answers>(
        &self,
        curves: &CurveSet,
        threads: NonZeroUsize,
        answers: &mut A,
        ledger: Option<LedgerReference>,
    ) -> Result<Release<Mean>, RestoreError> {
        let stated = self.mean.statistic();
        let mut bought = Bought::stated(stated.ball().clone());
        if let Some(mechanism) = &self.center {
            let prepared = with_curves(stated.ball(), curves, |bounded| prepare(mechanism, bounded, threads));
            bought = bought.with_center(answers.answer(prepared, None)?);
        }
        if let Some(mechanism) = &self.radius {
            let ball = bought.ball();
            let norms = Norms::new(on(&mechanism.statistic().mean().clone(), ball.clone(), None));
            let mechanism = again(mechanism, norms);
            let prepared = with_curves(&ball, curves, |bounded| prepare(&mechanism, bounded, threads));
            bought = bought.with_radius(answers.answer(prepared, None)?);
        }
        let (ball, mechanism) = (bought.ball(), self.in_bought(bought));
        let prepared = with_curves(&ball, curves, |bounded| prepare(&mechanism, bounded, threads));
        answers.answer(prepared, ledger)
    }
}

fn with_curves<T>(ball: &Ball, curves: &CurveSet, then: impl FnOnce(&BoundedCurves<'_>) -> T) -> T {
    let bounded = ball.bound(curves);
    then(&bounded.unwrap_or_else(|_| unreachable!("the centre of the ball is on the grid of the curves")))
}

fn prepare<S>(mechanism: &Mechanism<S>, bounded: &BoundedCurves<'_>, threads: NonZeroUsize) -> Prepared<S>
where
    S: for<'b> Statistic<Record<'b> = CurveRecord<'b>> + Send + Sync,
    S::Body: Send + Sync,
    <S::Body as Body>::Sum: Send,
{
    let prepared = mechanism.prepare_shares(CurveRecord::shares(bounded, threads));
    prepared.unwrap_or_else(|_| unreachable!("the number of records was checked"))
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
