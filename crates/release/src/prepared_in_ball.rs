//! A release that lacks nothing but its noise, and perhaps its ball.

use std::fmt;

use dpfda_mechanism::{
    Asked, Digest, Drawn, Fingerprinter, LedgerReference, Mechanism, MechanismError, Payable, Prepared, Release,
    RestoreError, SCHEMA, Statistic, Stored,
};
use dpfda_privacy::{GaussianPrivacy, LatticeError, MAX_RECORDS, NeighbouringRelation, Randomness, Spend};
use dpfda_smoothing::Ball;
use serde::Serialize;

use crate::bought::{BallShares, Bought, Steps};
use crate::in_ball::InBall;
use crate::norms::Norms;

/// A release in a ball that has to be paid for: private data.
///
/// Where the ball is stated, the exact sum is there already. Where a part of the ball is bought, the draw buys it first and adds
/// up the records in the ball that it bought; the data are kept until then, and the whole is one payment.
pub struct PreparedInBall<S: InBall, D>(Kind<S, D>);

enum Kind<S: InBall, D> {
    Stated(Box<Prepared<S>>),
    Bought { steps: Box<Steps<S>>, data: D },
}

/// Private data that a ball is bought from, and what is released in it.
pub trait BallData<S: InBall> {
    /// Buys the ball and makes the release in it.
    fn run<A: Answers>(
        self,
        steps: &Steps<S>,
        answers: &mut A,
        ledger: Option<LedgerReference>,
    ) -> Result<Release<S>, RestoreError>;

    /// Gives everything exact to a keyed digest, by which a curator recognises the same data.
    fn fingerprint(&self, fingerprinter: &mut Fingerprinter);
}

/// The public plan of a release that buys its ball.
#[derive(Serialize)]
#[serde(bound = "")]
struct BuyingPlan<'a, S: InBall> {
    schema: u32,
    mean: &'a Mechanism<S>,
    shares: BallShares,
}

/// The digest of what is asked for when a ball is bought: `mean` in the stated ball, with what the shares leave of the budget.
pub(crate) fn plan_of_buying<S: InBall>(mean: &Mechanism<S>, shares: BallShares) -> Digest {
    let plan = BuyingPlan { schema: SCHEMA, mean, shares };
    Digest::of(&serde_json::to_vec(&plan).unwrap_or_else(|_| unreachable!("a plan holds numbers and names")))
}

impl<S: InBall, D> PreparedInBall<S, D> {
    pub(crate) fn stated(prepared: Prepared<S>) -> Self {
        Self(Kind::Stated(Box::new(prepared)))
    }

    /// Data of so many records, with the steps that buy their ball. What the steps could refuse later is refused here.
    pub(crate) fn buying(steps: Box<Steps<S>>, data: D, records: u64) -> Result<Self, MechanismError> {
        check_records(&steps, records)?;
        Ok(Self(Kind::Bought { steps, data }))
    }

    /// The mechanism of the release: in the stated ball, where a part of the ball is bought.
    pub fn mechanism(&self) -> &Mechanism<S> {
        match &self.0 {
            Kind::Stated(prepared) => prepared.mechanism(),
            Kind::Bought { steps, .. } => &steps.mean,
        }
    }
}

impl<S: InBall, D: BallData<S>> PreparedInBall<S, D> {
    /// Adds the noise and crosses the privacy boundary, without a ledger: **spends the budget**, and nothing remembers it.
    pub fn draw_unrecorded<R: Randomness + ?Sized>(self, randomness: &mut R) -> Release<S> {
        self.draw(None, randomness).0
    }
}

/// Refuses a number of records that the steps could refuse later.
pub(crate) fn check_records<S: InBall>(steps: &Steps<S>, records: u64) -> Result<(), MechanismError> {
    if records > MAX_RECORDS {
        return Err(LatticeError::TooManyRecords.into());
    }
    let is_public = steps.mean.guarantee().neighbours() == NeighbouringRelation::SubstituteOne;
    let least = S::LEAST_RECORDS.max(Norms::<S>::LEAST_RECORDS);
    if is_public && records < least {
        return Err(MechanismError::TooFewRecords { least, found: records });
    }
    Ok(())
}

/// A release as a ledger stores it: with the answers that bought its ball.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnInBall<S: InBall>(pub Release<S>);

/// What a ledger stores of a release: the answers that bought its ball, in their order, and then the release.
pub(crate) fn stored<S: InBall>(release: &Release<S>) -> Stored {
    let bought = release.statistic().bought();
    let center = bought.and_then(Bought::center).map(|center| center.stored().bytes);
    let radius = bought.and_then(Bought::radius).map(|radius| radius.stored().bytes);
    let last = release.stored();
    let bytes = [center, radius, Some(last.bytes)].into_iter().flatten().flatten().collect();
    Stored { bytes, ..last }
}

impl<S: InBall> From<DrawnInBall<S>> for Release<S> {
    fn from(drawn: DrawnInBall<S>) -> Self {
        drawn.0
    }
}

impl<S: InBall> Drawn for DrawnInBall<S> {
    fn stored(&self) -> Stored {
        stored(&self.0)
    }
}

impl<S: InBall, D: BallData<S>> Payable for PreparedInBall<S, D> {
    type Drawn = DrawnInBall<S>;

    fn asked(&self) -> Asked {
        match &self.0 {
            Kind::Stated(prepared) => prepared.asked(),
            Kind::Bought { steps, .. } => Asked {
                kind: S::KIND,
                guarantee: *steps.mean.guarantee(),
                spend: steps.spend(),
                plan: plan_of_buying(&steps.mean, steps.shares),
            },
        }
    }

    fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        match &self.0 {
            Kind::Stated(prepared) => prepared.fingerprint(fingerprinter),
            Kind::Bought { data, .. } => data.fingerprint(fingerprinter),
        }
    }

    fn stored_len(&self) -> u64 {
        match &self.0 {
            Kind::Stated(prepared) => prepared.stored_len(),
            Kind::Bought { steps, .. } => steps.stored_len(),
        }
    }

    fn draw<R: Randomness + ?Sized>(self, ledger: Option<LedgerReference>, randomness: &mut R) -> DrawnInBall<S> {
        match self.0 {
            Kind::Stated(prepared) => DrawnInBall(prepared.draw(ledger, randomness)),
            Kind::Bought { steps, data } => {
                let drawn = data.run(&steps, &mut Fresh(randomness), ledger);
                DrawnInBall(drawn.unwrap_or_else(|_| unreachable!("a draw restores nothing")))
            }
        }
    }

    fn restore(self, kept: Stored, ledger: Option<LedgerReference>) -> Result<DrawnInBall<S>, RestoreError> {
        let expected = self.stored_len();
        match self.0 {
            Kind::Stated(prepared) => prepared.restore(kept, ledger).map(DrawnInBall),
            Kind::Bought { .. } if kept.bytes.len() as u64 != expected => {
                Err(RestoreError::Length { expected, found: kept.bytes.len() as u64 })
            }
            Kind::Bought { steps, data } => {
                data.run(&steps, &mut Kept { stored: &kept, position: 0 }, ledger).map(DrawnInBall)
            }
        }
    }
}

/// Where the answers of the steps come from.
pub trait Answers {
    /// The answer of one step.
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

impl<S: InBall> Steps<S> {
    /// What all steps cost together.
    fn spend(&self) -> Spend {
        let steps = self.privacies();
        GaussianPrivacy::compose(steps).map_or_else(|| self.mean.spend(), Spend::of_gaussian)
    }

    pub(crate) fn privacies(&self) -> Vec<GaussianPrivacy> {
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

    /// The release in the ball that was bought.
    pub(crate) fn in_bought(&self, bought: Bought<S>) -> Mechanism<S> {
        again(&self.mean, on(self.mean.statistic(), bought.ball(), Some(bought)))
    }
}

/// The statistic in another ball, which the constructor of the steps showed to fit.
pub(crate) fn on<S: InBall>(statistic: &S, ball: Ball, bought: Option<Bought<S>>) -> S {
    statistic
        .in_ball(ball, bought)
        .unwrap_or_else(|_| unreachable!("a bought ball has a centre on the grid of the stated one"))
}

/// The mechanism of another statistic in the same body, whose noise is the same.
pub(crate) fn again<S: Statistic>(mechanism: &Mechanism<S>, statistic: S) -> Mechanism<S> {
    Mechanism::new(statistic, *mechanism.guarantee(), mechanism.law().clone())
        .unwrap_or_else(|_| unreachable!("the noise was calibrated for this body before"))
}

impl<S: InBall, D> fmt::Debug for PreparedInBall<S, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PreparedInBall(..)")
    }
}
