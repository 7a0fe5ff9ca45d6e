//! A release that lacks nothing but its noise.

use dpfda_privacy::{Body, ExactSum, LatticeError, Noise, NoisySum, NonPrivate, Randomness, RoundedNormal, Word};

use crate::error::{MechanismError, PartialError};
use crate::fingerprint::Fingerprinter;
use crate::mechanism::Mechanism;
use crate::partial::{Partial, Refused};
use crate::passes::{AgainError, AtHand};
use crate::payable::{Asked, Payable, RestoreError, SCALE_BYTES, Stored};
use crate::private_data::PrivateData;
use crate::purchases::{Answers, Step};
use crate::reference::LedgerReference;
use crate::release::{Release, Transcript};
use crate::statistic::Statistic;
use crate::sums::sum_records;

#[cfg(test)]
#[path = "prepared_tests.rs"]
mod tests;

/// Private data with their mechanism: whatever can be refused has been. Its `Debug` shows nothing.
///
/// Where nothing is bought the data are an exact sum. Where a part of the ball is bought, the draw buys it first and takes the sum of
/// the records in the ball that it bought; the whole is one payment. A centre is a round of its own: the data are gone through again
/// about it.
///
/// Between it and the draw stands the payment, where a ledger is kept; [`Prepared::draw_unrecorded`] draws without one.
pub struct Prepared<S: Statistic, D = ExactSum<<S as Statistic>::Body>> {
    mechanism: Mechanism<S>,
    noise: Noise,
    data: D,
    first: Option<First>,
}

/// The answer of the first round, by which the data were gone through again.
struct First {
    center: NoisySum<i128>,
    private: bool,
}

impl<S: Statistic, D: PrivateData<S>> Prepared<S, D> {
    fn new(mechanism: Mechanism<S>, data: D) -> Self {
        Self { noise: mechanism.noise().clone(), mechanism, data, first: None }
    }

    /// The mechanism: in the stated ball, where a part of the ball is bought.
    pub fn mechanism(&self) -> &Mechanism<S> {
        &self.mechanism
    }

    /// Draws the random scale of the noise, where there is one: whoever needs random bits of their own before the noise draws
    /// them after this.
    #[must_use]
    pub fn realised<R: Randomness + ?Sized>(mut self, randomness: &mut R) -> Self {
        self.noise = self.noise.realised(randomness);
        self
    }

    /// Adds the noise and crosses the privacy boundary, without a ledger: **spends the budget**, and nothing remembers it.
    ///
    /// Data that can change before they are gone through again have [`Payable::draw`], which may refuse them.
    pub fn draw_unrecorded<R: Randomness + ?Sized>(self, randomness: &mut R) -> Release<S>
    where
        D: AtHand,
    {
        self.draw_at_hand(None, randomness)
    }

    /// The same for a release that a ledger has paid for.
    pub fn draw_at_hand<R: Randomness + ?Sized>(self, ledger: Option<LedgerReference>, randomness: &mut R) -> Release<S>
    where
        D: AtHand,
    {
        let drawn = self.draw(ledger, randomness);
        drawn.unwrap_or_else(|_| unreachable!("data at hand are what they were"))
    }
}

/// From records, or from what was summed of them, to what has to be paid for.
impl<S: Statistic> Mechanism<S> {
    /// All that a release takes except its noise: what can be refused is refused here, before anything is paid for.
    ///
    /// # Errors
    /// [`PartialError`], with the part given back.
    pub fn prepare(&self, partial: Partial<S>) -> Result<Prepared<S>, Refused<S>> {
        let records = *partial.records().reveal();
        if partial.plan() != self.digest() {
            return Err(Refused::new(PartialError::OtherPlan, partial));
        }
        match self.check_stated().and_then(|()| self.check_records(records)) {
            Ok(()) => Ok(Prepared::new(self.clone(), partial.into_sum())),
            Err(reason) => Err(Refused::new(reason.into(), partial)),
        }
    }

    /// Private data that give the sum of each answer, prepared, with what so many records buy.
    pub fn prepare_data<D: PrivateData<S>>(&self, data: D) -> Result<Prepared<S, D>, MechanismError> {
        Ok(Prepared::new(self.of_records(data.records())?, data))
    }

    fn check_stated(&self) -> Result<(), MechanismError> {
        if self.shares().buys() { Err(MechanismError::Buys) } else { Ok(()) }
    }

    /// A sum that was encoded by this statistic and unit, whoever added it up.
    pub fn prepare_sum(&self, sum: ExactSum<S::Body>) -> Result<Prepared<S>, MechanismError> {
        if sum.body() != self.body() {
            return Err(LatticeError::Bodies.into());
        }
        self.check_stated()?;
        self.prepare_data(sum)
    }

    /// All records as one part, prepared.
    pub fn prepare_all<'a>(
        &self,
        records: impl IntoIterator<Item = S::Record<'a>>,
    ) -> Result<Prepared<S>, MechanismError> {
        let mut scratch = self.statistic().scratch();
        let sum = sum_records(self.body(), records, |record, vector| {
            self.statistic().encode(record, &mut scratch, vector);
        });
        self.prepare_sum(sum?)
    }
}

impl<S: Statistic> Prepared<S> {
    /// The exact sum as data of a kind that holds others too.
    pub fn held_as<D: PrivateData<S> + From<ExactSum<S::Body>>>(self) -> Prepared<S, D> {
        let Self { mechanism, noise, data, first } = self;
        Prepared { mechanism, noise, data: D::from(data), first }
    }
}

impl<S: Statistic, D: PrivateData<S>> Payable for Prepared<S, D> {
    type Drawn = Release<S>;

    fn asked(&self) -> Asked {
        Asked {
            kind: S::KIND,
            guarantee: *self.mechanism.guarantee(),
            spend: self.mechanism.spend(),
            plan: self.mechanism.digest(),
        }
    }

    fn records(&self) -> NonPrivate<u64> {
        NonPrivate::new(self.data.records())
    }

    fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        self.data.fingerprint(fingerprinter);
    }

    fn stored_len(&self) -> u64 {
        self.mechanism.stored_len()
    }

    fn first_len(&self) -> Option<u64> {
        let is_first = self.mechanism.center().is_some() && self.first.is_none();
        is_first.then(|| self.mechanism.first_len())
    }

    fn draw_first<R: Randomness + ?Sized>(&mut self, randomness: &mut R) -> Option<Stored> {
        let (mechanism, relation) = (&self.mechanism, self.mechanism.guarantee().neighbours());
        let step = mechanism.center().filter(|_| self.first.is_none())?;
        let noisy = self.data.center(mechanism.statistic(), step.body()).perturb(step.noise(), relation, randomness);
        let mut bytes = Vec::new();
        noisy.words().for_each(|word| word.write(&mut bytes));
        Some(Stored { software: SOFTWARE.to_owned(), private: randomness.is_private(), bytes })
    }

    fn go_on(&mut self, first: &Stored) -> Result<(), AgainError> {
        let (expected, found) = (self.mechanism.first_len(), first.bytes.len() as u64);
        if found != expected {
            return Err(RestoreError::Length { expected, found }.into());
        }
        let (center, _) = taken(self.mechanism.center(), self.mechanism.words_before().0, &first.bytes)
            .ok_or(RestoreError::Integers)?;
        let answers = Answers { center, radius: None };
        let centered = self.mechanism.under(&answers, self.mechanism.public_records(self.data.records()));
        self.data.again(&centered, self.mechanism.body())?;
        self.first = answers.center.map(|center| First { center, private: first.private });
        Ok(())
    }

    fn draw<R: Randomness + ?Sized>(
        self,
        ledger: Option<LedgerReference>,
        randomness: &mut R,
    ) -> Result<Release<S>, AgainError> {
        let mut prepared = self.realised(randomness);
        if let Some(first) = prepared.draw_first(randomness) {
            prepared.go_on(&first)?;
        }
        let Self { mechanism, noise, mut data, first } = prepared;
        let relation = mechanism.guarantee().neighbours();
        let records = mechanism.public_records(data.records());
        let is_private = randomness.is_private() && first.as_ref().is_none_or(|first| first.private);
        let mut answers = Answers { center: first.map(|first| first.center), radius: None };
        if let Some(step) = mechanism.radius() {
            let sum = data.radius(&mechanism.under(&answers, records), step.body());
            answers.radius = Some(sum.perturb(step.noise(), relation, randomness));
        }
        let statistic = mechanism.under(&answers, records);
        let noisy = data.last(&statistic, mechanism.body()).perturb(&noise, relation, randomness);
        let transcript = Transcript { answers, statistic, noise, noisy };
        Ok(Release::new(SOFTWARE.to_owned(), is_private, mechanism, records, transcript, ledger))
    }

    fn restore(self, stored: Stored, ledger: Option<LedgerReference>) -> Result<Release<S>, RestoreError> {
        let Self { mechanism, noise, data, .. } = self;
        let (expected, found) = (mechanism.stored_len(), stored.bytes.len() as u64);
        if found != expected {
            return Err(RestoreError::Length { expected, found });
        }
        let records = mechanism.public_records(data.records());
        let transcript = restored(&mechanism, &noise, records, &stored.bytes).ok_or(RestoreError::Integers)?;
        Ok(Release::new(stored.software, stored.private, mechanism, records, transcript, ledger))
    }
}

/// What draws.
const SOFTWARE: &str = concat!("dpfda ", env!("CARGO_PKG_VERSION"));

/// What was drawn, from bytes of the right number.
fn restored<S: Statistic>(
    mechanism: &Mechanism<S>,
    noise: &Noise,
    records: Option<u64>,
    bytes: &[u8],
) -> Option<Transcript<S>> {
    let (center, rest) = taken(mechanism.center(), mechanism.words_before().0, bytes)?;
    let (radius, rest) = taken(mechanism.radius(), mechanism.words_before().1, rest)?;
    let (scale, words) = rest.split_at_checked(SCALE_BYTES)?;
    let noise = match u64::from_le_bytes(scale.try_into().ok()?) {
        0 => noise.clone(),
        scale => noise.with_drawn(RoundedNormal::new(scale).ok()?)?,
    };
    let noisy = noisy_sum(words, mechanism.body().dimension())?;
    let answers = Answers { center, radius };
    let statistic = mechanism.under(&answers, records);
    noise.is_settled().then_some(Transcript { answers, statistic, noise, noisy })
}

/// The answer that comes next, where there is one, and the bytes behind it.
#[allow(clippy::type_complexity, reason = "what was taken, and the rest")]
fn taken<'b, B: Body>(
    step: Option<&Step<B>>,
    words: usize,
    bytes: &'b [u8],
) -> Option<(Option<NoisySum<B::Word>>, &'b [u8])> {
    let Some(step) = step else { return Some((None, bytes)) };
    let (mine, rest) = bytes.split_at_checked(words * B::Word::BYTES)?;
    Some((Some(noisy_sum(mine, step.body().dimension())?), rest))
}

/// The integers of a noisy sum of so many coordinates, and its count behind them where there is one.
fn noisy_sum<W: Word>(bytes: &[u8], dimension: usize) -> Option<NoisySum<W>> {
    let words: Option<Vec<_>> = bytes.chunks(W::BYTES).map(W::read).collect();
    let mut coordinates = words?;
    let count = coordinates.get(dimension).copied();
    coordinates.truncate(dimension);
    Some(NoisySum { coordinates, count })
}

dpfda_privacy::opaque!(Prepared<S: Statistic, D>);
