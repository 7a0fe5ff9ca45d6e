//! Exact sums of records in a body, and the one function that makes them public.

use rand::CryptoRng;

use crate::body::lattice::{LatticeError, MAX_RECORDS};
use crate::body::word::Word;
use crate::body::{Body, RunningSum};
use crate::budget::neighbours::NeighbouringRelation;
use crate::draw::noise::Noise;
use crate::nested::{Bucket, Bucketed, ClippedBall, NestedRadius};
use crate::sum::non_private::NonPrivate;

#[cfg(test)]
#[path = "exact_sum_tests.rs"]
mod tests;

/// The exact sum of records in a body.
///
/// Integer addition is associative and commutative, and with at most [`MAX_RECORDS`] records it cannot overflow: sums over
/// any order, partition, thread or machine are the same bits.
///
/// It is private data until [`ExactSum::perturb`]: it cannot be cloned or serialised, and its `Debug` shows nothing.
pub struct ExactSum<B: Body> {
    body: B,
    totals: B::Sum,
    records: u64,
}

/// A noisy sum, in lattice steps: the public side of the privacy boundary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoisySum<W = i64> {
    /// The noisy totals.
    pub coordinates: Vec<W>,
    /// The noisy count of records, where it is private and a coordinate of its own.
    pub count: Option<W>,
}

impl<B: Body> ExactSum<B> {
    /// The sum of no records.
    pub fn new(body: B) -> Self {
        Self { totals: body.sum(), body, records: 0 }
    }

    /// The body.
    pub fn body(&self) -> &B {
        &self.body
    }

    /// Adds one record.
    pub fn add(&mut self, record: &B::Vector) -> Result<(), LatticeError> {
        if self.records >= MAX_RECORDS {
            return Err(LatticeError::TooManyRecords);
        }
        self.body.add(&mut self.totals, record);
        self.records += 1;
        Ok(())
    }

    /// Adds the records of another sum in the same body.
    ///
    /// # Errors
    /// [`LatticeError::Bodies`] for another body, [`LatticeError::TooManyRecords`] beyond [`MAX_RECORDS`]; nothing has been
    /// added then.
    pub fn merge(&mut self, other: &Self) -> Result<(), LatticeError> {
        if self.body != other.body {
            return Err(LatticeError::Bodies);
        }
        let records = self.records.saturating_add(other.records);
        if records > MAX_RECORDS {
            return Err(LatticeError::TooManyRecords);
        }
        self.records = records;
        self.totals.merge(&other.totals);
        Ok(())
    }

    /// The number of records: private under add/remove-one.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The sum again from the totals that [`ExactSum::reveal`] gave.
    pub fn restored(body: B, totals: &[B::Word], records: u64) -> Result<Self, LatticeError> {
        let possible = body.restored(totals, records).filter(|_| records <= MAX_RECORDS);
        let totals = possible.ok_or(LatticeError::Impossible)?;
        Ok(Self { body, totals, records })
    }

    /// What the sum is made again from, for a part of a data set that travels: private data, without any noise.
    pub fn reveal(&self) -> NonPrivate<Vec<B::Word>> {
        NonPrivate::new(self.totals.kept())
    }

    /// Gives the sum and the number of records to a keyed digest, by which a curator recognises the same data: what is not 0, with its
    /// place.
    pub fn absorb(&self, mut digest: impl FnMut(&[u8])) {
        let mut bytes = Vec::with_capacity(8 + B::Word::BYTES);
        digest(&self.records.to_le_bytes());
        for (place, word) in (0_u64..).zip(self.totals.kept()).filter(|(_, word)| *word != B::Word::default()) {
            bytes.clear();
            bytes.extend(place.to_le_bytes());
            word.write(&mut bytes);
            digest(&bytes);
        }
    }

    /// The noisy sum: **this is the privacy boundary**, the one place where private integers become public. The exact sum is
    /// consumed.
    ///
    /// Under add/remove-one the count of records is one more coordinate, where the body does not tell it by itself.
    pub fn perturb<R: CryptoRng + ?Sized>(
        self,
        noise: &Noise,
        relation: NeighbouringRelation,
        randomness: &mut R,
    ) -> NoisySum<B::Word> {
        let mut exact = self.totals.exact();
        let dimension = exact.len();
        if let (NeighbouringRelation::AddRemoveOne, Some(weight)) = (relation, self.body.count_weight()) {
            // at most 2^40 * 2^21
            exact.push(B::Word::from_i64(self.records.cast_signed() * weight));
        }
        noise.add_to(&mut exact, randomness);
        let count = exact.get(dimension).copied();
        exact.truncate(dimension);
        NoisySum { coordinates: exact, count }
    }
}

crate::opaque!(ExactSum<B: Body>);

impl<W: Word> NoisySum<W> {
    /// All noisy integers: the totals, and then the count where there is one.
    pub fn words(&self) -> impl Iterator<Item = W> + '_ {
        self.coordinates.iter().copied().chain(self.count)
    }
}

impl<B: Body> ExactSum<B> {
    /// The exact totals, without any noise: private data, for audits.
    pub fn totals(&self) -> NonPrivate<Vec<B::Word>> {
        NonPrivate::new(self.totals.exact())
    }
}

impl ExactSum<ClippedBall> {
    /// Adds the directions of records that were added without ([`NestedRecord::leave_directions`](crate::NestedRecord::leave_directions)):
    /// of those [between](Bucket::is_between) the stated radius and the one that was bought. The other sum holds these records alone, each
    /// once. Then this sum is what one pass gives at that radius.
    ///
    /// # Errors
    /// [`LatticeError::Bodies`] for another body; nothing has been added then.
    pub fn add_directions(&mut self, of: &Self) -> Result<(), LatticeError> {
        if self.body != of.body {
            return Err(LatticeError::Bodies);
        }
        self.totals.add_directions(&of.totals);
        Ok(())
    }
}

impl<B: Bucketed> ExactSum<B> {
    /// The same records clipped at another radius.
    pub fn at(self, radius: NestedRadius) -> Result<Self, LatticeError> {
        let is_kept = self.body.radii().include(radius);
        is_kept.then(|| Self { totals: B::at(self.totals, radius), ..self }).ok_or(LatticeError::Bodies)
    }

    /// The numbers of records in the buckets between the radii, from the outside to the centre, for each group that is counted apart: private.
    pub fn occupied(&self) -> Vec<[u64; Bucket::COUNT]> {
        B::occupied(&self.totals)
    }
}
