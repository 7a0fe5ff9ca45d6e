//! A mean that lacks nothing but its noise, and perhaps its ball.

use std::fmt;
use std::num::NonZeroUsize;

use dpfda_mechanism::{
    Asked, Digest, Drawn, Fingerprinter, LedgerReference, Mechanism, MechanismError, Payable, Prepared, Release,
    RestoreError, SCHEMA, Statistic, Stored,
};
use dpfda_privacy::{Body, GaussianPrivacy, LatticeError, MAX_RECORDS, NeighbouringRelation, Randomness, Spend};
use dpfda_smoothing::{Ball, BoundedCurves, CurveSet};
use serde::Serialize;

use crate::bought::{BallShares, Bought, Steps};
use crate::encode::CurveRecord;
use crate::mean::Mean;
use crate::nested_sums::Nested;
use crate::norms::Norms;

#[cfg(test)]
#[path = "prepared_mean_tests.rs"]
mod tests;

/// A release of a mean that has to be paid for: private data.
///
/// Where the ball is stated, the exact sum is there already. Where a part of the ball is bought, the draw buys it first and adds
/// up the curves in the ball that it bought; the curves are borrowed until then, and the whole is one payment.
pub struct PreparedMean<'a>(Kind<'a>);

enum Kind<'a> {
    Stated(Box<Prepared<Mean>>),
    Bought { steps: Box<Steps>, source: Source<'a> },
}

/// What a ball is bought from, and the mean in it.
enum Source<'a> {
    /// Curves in memory, which are encoded again in the ball that was bought.
    Curves(&'a CurveSet, NonZeroUsize),
    /// The sums in every ball that can be bought.
    Nested(Box<Nested>),
}

/// The public plan of a release that buys its ball.
#[derive(Serialize)]
struct BuyingPlan<'a> {
    schema: u32,
    mean: &'a Mechanism<Mean>,
    shares: BallShares,
}

/// The digest of what is asked for when a ball is bought: `mean` in the stated ball, with what the shares leave of the budget.
pub(crate) fn plan_of_buying(mean: &Mechanism<Mean>, shares: BallShares) -> Digest {
    let plan = BuyingPlan { schema: SCHEMA, mean, shares };
    Digest::of(&serde_json::to_vec(&plan).unwrap_or_else(|_| unreachable!("a plan holds numbers and names")))
}

impl<'a> PreparedMean<'a> {
    pub(crate) fn stated(prepared: Prepared<Mean>) -> Self {
        Self(Kind::Stated(Box::new(prepared)))
    }

    /// The curves, with the steps that buy their ball. What the steps could refuse later is refused here.
    pub(crate) fn bought(steps: Steps, curves: &'a CurveSet, threads: NonZeroUsize) -> Result<Self, MechanismError> {
        check_records(&steps, curves.units() as u64)?;
        Ok(Self(Kind::Bought { steps: Box::new(steps), source: Source::Curves(curves, threads) }))
    }

    /// The sums in every ball that the steps can buy.
    pub(crate) fn nested(steps: Box<Steps>, nested: Nested) -> Result<Self, Box<(MechanismError, Nested)>> {
        match check_records(&steps, *nested.norms.records().reveal()) {
            Ok(()) => Ok(Self(Kind::Bought { steps, source: Source::Nested(Box::new(nested)) })),
            Err(reason) => Err(Box::new((reason, nested))),
        }
    }

    /// The mechanism of the mean: in the stated ball, where a part of the ball is bought.
    pub fn mechanism(&self) -> &Mechanism<Mean> {
        match &self.0 {
            Kind::Stated(prepared) => prepared.mechanism(),
            Kind::Bought { steps, .. } => &steps.mean,
        }
    }

    /// Adds the noise and crosses the privacy boundary, without a ledger: **spends the budget**, and nothing remembers it.
    pub fn draw_unrecorded<R: Randomness + ?Sized>(self, randomness: &mut R) -> Release<Mean> {
        self.draw(None, randomness).0
    }
}

fn check_records(steps: &Steps, records: u64) -> Result<(), MechanismError> {
    if records > MAX_RECORDS {
        return Err(LatticeError::TooManyRecords.into());
    }
    let is_public = steps.mean.guarantee().neighbours() == NeighbouringRelation::SubstituteOne;
    let least = Mean::LEAST_RECORDS.max(Norms::LEAST_RECORDS);
    if is_public && records < least {
        return Err(MechanismError::TooFewRecords { least, found: records });
    }
    Ok(())
}

/// A release of a mean as a ledger stores it: with the answers that bought its ball.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnMean(pub Release<Mean>);

/// What a ledger stores of a mean: the answers that bought its ball, in their order, and then the mean.
pub(crate) fn stored(release: &Release<Mean>) -> Stored {
    let bought = release.statistic().bought();
    let center = bought.and_then(Bought::center).map(|center| center.stored().bytes);
    let radius = bought.and_then(Bought::radius).map(|radius| radius.stored().bytes);
    let mean = release.stored();
    let bytes = [center, radius, Some(mean.bytes)].into_iter().flatten().flatten().collect();
    Stored { bytes, ..mean }
}

impl From<DrawnMean> for Release<Mean> {
    fn from(drawn: DrawnMean) -> Self {
        drawn.0
    }
}

impl Drawn for DrawnMean {
    fn stored(&self) -> Stored {
        stored(&self.0)
    }
}

impl Payable for PreparedMean<'_> {
    type Drawn = DrawnMean;

    fn asked(&self) -> Asked {
        match &self.0 {
            Kind::Stated(prepared) => prepared.asked(),
            Kind::Bought { steps, .. } => Asked {
                kind: Mean::KIND,
                guarantee: *steps.mean.guarantee(),
                spend: steps.spend(),
                plan: plan_of_buying(&steps.mean, steps.shares),
            },
        }
    }

    fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        match &self.0 {
            Kind::Stated(prepared) => prepared.fingerprint(fingerprinter),
            Kind::Bought { source: Source::Nested(nested), .. } => nested.fingerprint(fingerprinter),
            Kind::Bought { source: Source::Curves(curves, _), .. } => {
                let mut records: Vec<Digest> = curves.records().map(|rows| digest_of_record(curves, &rows)).collect();
                // the order of people, and of a person's curves, makes no other data
                records.sort_unstable();
                fingerprinter.add(&(records.len() as u64).to_le_bytes());
                for record in &records {
                    fingerprinter.add(record.to_string().as_bytes());
                }
            }
        }
    }

    fn stored_len(&self) -> u64 {
        match &self.0 {
            Kind::Stated(prepared) => prepared.stored_len(),
            Kind::Bought { steps, .. } => steps.stored_len(),
        }
    }

    fn draw<R: Randomness + ?Sized>(self, ledger: Option<LedgerReference>, randomness: &mut R) -> DrawnMean {
        match self.0 {
            Kind::Stated(prepared) => DrawnMean(prepared.draw(ledger, randomness)),
            Kind::Bought { steps, source } => {
                let drawn = steps.run(source, &mut Fresh(randomness), ledger);
                DrawnMean(drawn.unwrap_or_else(|_| unreachable!("a draw restores nothing")))
            }
        }
    }

    fn restore(self, kept: Stored, ledger: Option<LedgerReference>) -> Result<DrawnMean, RestoreError> {
        let expected = self.stored_len();
        match self.0 {
            Kind::Stated(prepared) => prepared.restore(kept, ledger).map(DrawnMean),
            Kind::Bought { .. } if kept.bytes.len() as u64 != expected => {
                Err(RestoreError::Length { expected, found: kept.bytes.len() as u64 })
            }
            Kind::Bought { steps, source } => {
                steps.run(source, &mut Kept { stored: &kept, position: 0 }, ledger).map(DrawnMean)
            }
        }
    }
}

/// Where the answers of the steps come from.
trait Answers {
    fn answer<S: Statistic>(
        &mut self,
        prepared: Prepared<S>,
        ledger: Option<LedgerReference>,
    ) -> Result<Release<S>, RestoreError>;
}

/// From new noise.
struct Fresh<'r, R: ?Sized>(&'r mut R);

impl<R: Randomness + ?Sized> Answers for Fresh<'_, R> {
    fn answer<S: Statistic>(
        &mut self,
        prepared: Prepared<S>,
        ledger: Option<LedgerReference>,
    ) -> Result<Release<S>, RestoreError> {
        Ok(prepared.draw(ledger, self.0))
    }
}

/// From the bytes that a ledger kept.
struct Kept<'s> {
    stored: &'s Stored,
    position: usize,
}

impl Answers for Kept<'_> {
    fn answer<S: Statistic>(
        &mut self,
        prepared: Prepared<S>,
        ledger: Option<LedgerReference>,
    ) -> Result<Release<S>, RestoreError> {
        let length = usize::try_from(prepared.stored_len()).map_err(|_| RestoreError::Integers)?;
        let end = self.position.checked_add(length).ok_or(RestoreError::Integers)?;
        let bytes = self.stored.bytes.get(self.position..end).ok_or(RestoreError::Integers)?.to_vec();
        self.position = end;
        prepared.restore(Stored { bytes, ..self.stored.clone() }, ledger)
    }
}

impl Steps {
    /// Buys the ball and releases the mean in it.
    fn run<A: Answers>(
        &self,
        source: Source<'_>,
        answers: &mut A,
        ledger: Option<LedgerReference>,
    ) -> Result<Release<Mean>, RestoreError> {
        match source {
            Source::Curves(curves, threads) => self.run_on_curves(curves, threads, answers, ledger),
            Source::Nested(nested) => self.run_on_sums(*nested, answers, ledger),
        }
    }

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
        let ball = bought.ball();
        let mechanism = again(&self.mean, on(stated, ball.clone(), Some(bought)));
        let prepared = with_curves(&ball, curves, |bounded| prepare(&mechanism, bounded, threads));
        answers.answer(prepared, ledger)
    }

    /// The same from sums in every ball: no centre is bought, and the curves are not needed again.
    fn run_on_sums<A: Answers>(
        &self,
        nested: Nested,
        answers: &mut A,
        ledger: Option<LedgerReference>,
    ) -> Result<Release<Mean>, RestoreError> {
        let stated = self.mean.statistic();
        let Nested { norms, sums } = nested;
        let counts = self.radius.as_ref().and_then(|mechanism| mechanism.prepare(norms).ok());
        let counts = counts.unwrap_or_else(|| unreachable!("plan and number of records were checked"));
        let bought = Bought::stated(stated.ball().clone()).with_radius(answers.answer(counts, None)?);
        let ball = bought.ball();
        let sum = sums.into_iter().find(|(radius, _)| *radius == ball.radius()).map(|(_, sum)| sum);
        let sum = sum.unwrap_or_else(|| unreachable!("there is a sum for each radius"));
        let mechanism = again(&self.mean, on(stated, ball, Some(bought)));
        let prepared = mechanism.prepare_sum(sum);
        answers.answer(prepared.unwrap_or_else(|_| unreachable!("the number of records was checked")), ledger)
    }

    /// What all steps cost together.
    fn spend(&self) -> Spend {
        let steps = self.privacies();
        GaussianPrivacy::compose(steps).map_or_else(|| self.mean.spend(), Spend::of_gaussian)
    }

    fn privacies(&self) -> Vec<GaussianPrivacy> {
        fn of<S: Statistic>(mechanism: &Mechanism<S>) -> Option<GaussianPrivacy> {
            mechanism.noise().privacy(mechanism.body(), mechanism.guarantee().neighbours())
        }
        let (center, radius) = (self.center.as_ref().and_then(of), self.radius.as_ref().and_then(of));
        [center, radius, of(&self.mean)].into_iter().flatten().collect()
    }

    fn stored_len(&self) -> u64 {
        let center = self.center.as_ref().map_or(0, Mechanism::stored_len);
        let radius = self.radius.as_ref().map_or(0, Mechanism::stored_len);
        center + radius + self.mean.stored_len()
    }
}

/// The statistic in another ball, which the constructor of the steps showed to fit.
fn on(mean: &Mean, ball: Ball, bought: Option<Bought>) -> Mean {
    mean.in_ball(ball, bought)
        .unwrap_or_else(|_| unreachable!("a bought ball has a centre on the grid of the stated one"))
}

/// The mechanism of another statistic in the same body, whose noise is the same.
fn again<S: Statistic>(mechanism: &Mechanism<S>, statistic: S) -> Mechanism<S> {
    Mechanism::new(statistic, *mechanism.guarantee(), mechanism.law().clone())
        .unwrap_or_else(|_| unreachable!("the noise was calibrated for this body before"))
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

impl fmt::Debug for PreparedMean<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PreparedMean(..)")
    }
}
