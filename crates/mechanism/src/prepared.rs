//! A release that lacks nothing but its noise.

use std::fmt;

use dpfda_privacy::{ExactSum, Noise, NoisySum, Randomness, RoundedNormal, Word};

use crate::fingerprint::Fingerprinter;
use crate::mechanism::Mechanism;
use crate::payable::{Asked, Payable, RestoreError, Stored};
use crate::reference::LedgerReference;
use crate::release::Release;
use crate::statistic::Statistic;
use dpfda_privacy::Body;

#[cfg(test)]
#[path = "prepared_tests.rs"]
mod tests;

/// An exact sum with its mechanism: whatever can be refused has been. Private data: its `Debug` shows nothing.
///
/// Between it and the draw stands the payment, where a ledger is kept; [`Prepared::draw_unrecorded`] draws without one.
pub struct Prepared<S: Statistic> {
    mechanism: Mechanism<S>,
    noise: Noise,
    sum: ExactSum<S::Body>,
}

impl<S: Statistic> Prepared<S> {
    pub(crate) fn new(mechanism: Mechanism<S>, sum: ExactSum<S::Body>) -> Self {
        Self { noise: mechanism.noise().clone(), mechanism, sum }
    }

    /// The mechanism.
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
    pub fn draw_unrecorded<R: Randomness + ?Sized>(self, randomness: &mut R) -> Release<S> {
        self.draw(None, randomness)
    }
}

impl<S: Statistic> Payable for Prepared<S> {
    type Drawn = Release<S>;

    fn asked(&self) -> Asked {
        Asked {
            kind: S::KIND,
            guarantee: *self.mechanism.guarantee(),
            spend: self.mechanism.spend(),
            plan: self.mechanism.digest(),
        }
    }

    fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        self.sum.absorb(|bytes| fingerprinter.add(bytes));
    }

    fn stored_len(&self) -> u64 {
        self.mechanism.stored_len()
    }

    fn draw<R: Randomness + ?Sized>(self, ledger: Option<LedgerReference>, randomness: &mut R) -> Release<S> {
        let Self { mechanism, noise, sum } = self.realised(randomness);
        let relation = mechanism.guarantee().neighbours();
        let records = public_records(&mechanism, sum.records());
        let noisy = sum.perturb(&noise, relation, randomness);
        let software = concat!("dpfda ", env!("CARGO_PKG_VERSION")).to_owned();
        Release::new(software, randomness.is_private(), mechanism, records, noise, noisy, ledger)
    }

    fn restore(self, stored: Stored, ledger: Option<LedgerReference>) -> Result<Release<S>, RestoreError> {
        let expected = self.stored_len();
        if stored.bytes.len() as u64 != expected {
            return Err(RestoreError::Length { expected, found: stored.bytes.len() as u64 });
        }
        let (scale, words) = stored.bytes.split_at(SCALE_BYTES);
        let scale = scale.try_into().map(u64::from_le_bytes).map_err(|_| RestoreError::Integers)?;
        let noise = match (&self.noise, scale) {
            (noise, 0) => noise.clone(),
            (noise, scale) => {
                let drawn = RoundedNormal::new(scale).map_err(|_| RestoreError::Integers)?;
                noise.with_drawn(drawn).ok_or(RestoreError::Integers)?
            }
        };
        if !noise.is_settled() {
            return Err(RestoreError::Integers);
        }
        let width = <S::Body as Body>::Word::BYTES;
        let words: Option<Vec<_>> = words.chunks(width).map(<S::Body as Body>::Word::read).collect();
        let mut coordinates = words.ok_or(RestoreError::Integers)?;
        let dimension = self.mechanism.body().dimension();
        let count = coordinates.get(dimension).copied();
        coordinates.truncate(dimension);
        let records = public_records(&self.mechanism, self.sum.records());
        let noisy = NoisySum { coordinates, count };
        Ok(Release::new(stored.software, stored.private, self.mechanism, records, noise, noisy, ledger))
    }
}

/// A drawn scale comes first, or zeros.
const SCALE_BYTES: usize = size_of::<u64>();

impl<S: Statistic> Mechanism<S> {
    /// The exact length of a stored release.
    pub fn stored_len(&self) -> u64 {
        (SCALE_BYTES + self.words() * <S::Body as Body>::Word::BYTES) as u64
    }
}

/// The stored form of a release; its length is that of [`Payable::stored_len`].
pub(crate) fn stored_bytes<S: Statistic>(release: &Release<S>) -> Vec<u8> {
    let scale = release.noise().drawn().map_or(0, |normal| normal.scale());
    let mut bytes = scale.to_le_bytes().to_vec();
    release.words().for_each(|word| word.write(&mut bytes));
    bytes
}

fn public_records<S: Statistic>(mechanism: &Mechanism<S>, records: u64) -> Option<u64> {
    use dpfda_privacy::NeighbouringRelation::SubstituteOne;
    (mechanism.guarantee().neighbours() == SubstituteOne).then_some(records)
}

impl<S: Statistic> fmt::Debug for Prepared<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Prepared(..)")
    }
}
