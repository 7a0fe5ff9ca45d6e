//! Integer vectors of bounded norm, and their exact sums.

use rand::CryptoRng;
use thiserror::Error;

use crate::neighbours::NeighbouringRelation;
use crate::rounded_normal::RoundedNormal;

#[cfg(test)]
mod tests;

/// The lattice has `2^22` steps to the radius of the ball.
pub const LATTICE_BITS: u32 = 22;

/// Records that a sum may hold: `2^22 * 2^40 < 2^63`, so no sum can overflow.
pub const MAX_RECORDS: u64 = 1 << 40;

/// Coordinates that a vector may have: the sum of their squares fits in 64 bits.
pub const MAX_DIMENSION: usize = 1 << 18;

/// The radius of the ball in lattice steps.
const RADIUS: i64 = 1 << LATTICE_BITS;

/// What one record adds to the count coordinate under add/remove-one: half a radius.
///
/// The count then costs a factor `sqrt(5)/2 = 1.12` of noise in the other coordinates, and its own relative noise stays
/// below theirs; see `docs/adr/0003-lattice-22-bits.md`.
const COUNT_WEIGHT: i64 = RADIUS / 2;

/// Why lattice vectors could not be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LatticeError {
    /// A vector without coordinates, or with more than the proof covers.
    #[error("a lattice vector has from 1 to {MAX_DIMENSION} coordinates, got {found}")]
    Dimension {
        /// The number of coordinates.
        found: usize,
    },
    /// Vectors of different lengths.
    #[error("lattice vectors must have equal dimensions: {expected} and {found}")]
    Mismatch {
        /// The dimension of the sum.
        expected: usize,
        /// The dimension added to it.
        found: usize,
    },
    /// More records than a 64-bit sum is proved for.
    #[error("a lattice sum holds at most {MAX_RECORDS} records")]
    TooManyRecords,
}

impl NeighbouringRelation {
    /// How far apart the sums (and counts) of two neighbouring data sets can be, in lattice steps, rounded up.
    ///
    /// ```text
    /// substitute one:  |S - S'| <= 2 R
    /// add/remove one:  |(S, n) - (S', n')| <= sqrt(R^2 + (R/2)^2)
    /// ```
    pub fn lattice_sensitivity(self) -> f64 {
        match self {
            Self::SubstituteOne => 2.0 * RADIUS as f64,
            Self::AddRemoveOne => {
                let squared = RADIUS * RADIUS + COUNT_WEIGHT * COUNT_WEIGHT;
                (squared as f64).sqrt().next_up()
            }
        }
    }
}

/// An integer vector whose Euclidean norm is at most `2^22`, whatever it was made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LatticeVector {
    coordinates: Vec<i64>,
}

impl LatticeVector {
    /// The zero vector: a record at the centre of the ball.
    ///
    /// # Errors
    /// [`LatticeError::Dimension`] unless `1 <= dimension <= 2^18`.
    pub fn zero(dimension: usize) -> Result<Self, LatticeError> {
        if (1..=MAX_DIMENSION).contains(&dimension) {
            Ok(Self { coordinates: vec![0; dimension] })
        } else {
            Err(LatticeError::Dimension { found: dimension })
        }
    }

    /// Replaces the vector by the nearest lattice point to `2^22 z`, shrunk if its integer norm exceeds `2^22`.
    ///
    /// `z` should have norm at most 1. Whatever it really is (longer, infinite, not a number), the result is within the
    /// radius: floating-point error in `z` can cost accuracy, never privacy.
    ///
    /// # Errors
    /// [`LatticeError::Mismatch`] unless `z` has the vector's dimension.
    pub fn encode(&mut self, z: &[f64]) -> Result<(), LatticeError> {
        if z.len() != self.coordinates.len() {
            return Err(LatticeError::Mismatch { expected: self.coordinates.len(), found: z.len() });
        }
        for (k, z) in self.coordinates.iter_mut().zip(z) {
            *k = nearest_integer(z * RADIUS as f64);
        }
        self.shrink_into_radius();
        Ok(())
    }

    /// The coordinates, in lattice steps.
    pub fn coordinates(&self) -> &[i64] {
        &self.coordinates
    }

    fn is_within_radius(&self) -> bool {
        squared_norm(&self.coordinates) <= RADIUS.unsigned_abs().pow(2)
    }

    /// Scales towards zero until the integer norm is within the radius. Every coordinate is at most the radius already.
    fn shrink_into_radius(&mut self) {
        while !self.is_within_radius() {
            let norm = (squared_norm(&self.coordinates) as f64).sqrt();
            let factor = (RADIUS as f64 / norm).min(1.0 - f64::EPSILON);
            for k in &mut self.coordinates {
                #[allow(clippy::cast_possible_truncation, reason = "truncation towards zero is the point")]
                let shrunk = (*k as f64 * factor) as i64;
                *k = shrunk;
            }
        }
    }
}

/// The integer nearest to `x`, clamped to the radius; `-R` for what is not a number (any point within the radius will do).
fn nearest_integer(x: f64) -> i64 {
    // Adding 1.5 * 2^52 leaves the rounded integer in the low bits; unlike a call to `round`, this vectorises.
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    let clamped = x.max(-RADIUS as f64).min(RADIUS as f64);
    (clamped + SHIFT).to_bits().cast_signed() - SHIFT.to_bits().cast_signed()
}

/// The exact sum of squares; every coordinate is at most `2^22` and there are at most `2^18`.
fn squared_norm(coordinates: &[i64]) -> u64 {
    let mut lanes = [0_u64; 4];
    let chunks = coordinates.chunks_exact(4);
    let rest: u64 = chunks.remainder().iter().map(|k| square(*k)).sum();
    for chunk in chunks {
        for (lane, k) in lanes.iter_mut().zip(chunk) {
            *lane += square(*k);
        }
    }
    rest + lanes.iter().sum::<u64>()
}

/// `k^2`, told to the compiler as a 32-bit by 32-bit product.
fn square(k: i64) -> u64 {
    let magnitude = k.unsigned_abs() & u64::from(u32::MAX);
    magnitude * magnitude
}

/// The exact sum of lattice vectors, one for each record.
///
/// Integer addition is associative and commutative, and with at most [`MAX_RECORDS`] records it cannot overflow: sums
/// over any order, partition, thread or machine are the same bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LatticeSum {
    totals: Vec<i64>,
    records: u64,
}

/// A noisy sum: the public side of the privacy boundary, in lattice steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoisySum {
    /// The noisy totals.
    pub coordinates: Vec<i64>,
    /// Under add/remove-one the noisy count coordinate; see [`NoisySum::records`].
    pub count: Option<i64>,
}

impl LatticeSum {
    /// The sum of no records.
    ///
    /// # Errors
    /// [`LatticeError::Dimension`] unless `1 <= dimension <= 2^18`.
    pub fn new(dimension: usize) -> Result<Self, LatticeError> {
        Ok(Self { totals: LatticeVector::zero(dimension)?.coordinates, records: 0 })
    }

    /// Adds one record.
    ///
    /// # Errors
    /// [`LatticeError`] for another dimension, or beyond [`MAX_RECORDS`].
    pub fn add(&mut self, record: &LatticeVector) -> Result<(), LatticeError> {
        self.extend(&record.coordinates, 1)
    }

    /// Adds the records of another sum.
    ///
    /// # Errors
    /// [`LatticeError`] for another dimension, or beyond [`MAX_RECORDS`].
    pub fn merge(&mut self, other: &Self) -> Result<(), LatticeError> {
        self.extend(&other.totals, other.records)
    }

    fn extend(&mut self, totals: &[i64], records: u64) -> Result<(), LatticeError> {
        if totals.len() != self.totals.len() {
            return Err(LatticeError::Mismatch { expected: self.totals.len(), found: totals.len() });
        }
        let records = self.records.saturating_add(records);
        if records > MAX_RECORDS {
            return Err(LatticeError::TooManyRecords);
        }
        self.records = records;
        for (total, k) in self.totals.iter_mut().zip(totals) {
            *total += k;
        }
        Ok(())
    }

    /// The number of records.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Writes the mean of the vectors summed, rounded to the lattice, into `mean`; zero for no vectors.
    ///
    /// This is how several curves become one record: the mean of integers does not depend on their order.
    ///
    /// # Errors
    /// [`LatticeError::Mismatch`] for another dimension.
    pub fn mean_into(&self, mean: &mut LatticeVector) -> Result<(), LatticeError> {
        if mean.coordinates.len() != self.totals.len() {
            return Err(LatticeError::Mismatch { expected: self.totals.len(), found: mean.coordinates.len() });
        }
        let count = self.records.max(1).cast_signed();
        for (k, total) in mean.coordinates.iter_mut().zip(&self.totals) {
            // to nearest, halves away from zero: the same for x and -x
            *k = (total + total.signum() * (count / 2)) / count;
        }
        mean.shrink_into_radius();
        Ok(())
    }

    /// Forgets all records.
    pub fn clear(&mut self) {
        self.totals.fill(0);
        self.records = 0;
    }

    /// The noisy sum: **this is the privacy boundary**. The exact sum is consumed.
    pub fn perturb<R: CryptoRng + ?Sized>(
        self,
        noise: &RoundedNormal,
        neighbours: NeighbouringRelation,
        randomness: &mut R,
    ) -> NoisySum {
        let mut draw = |exact: i64| clamp(i128::from(exact) + noise.sample(randomness));
        let coordinates = self.totals.iter().map(|total| draw(*total)).collect();
        let count = match neighbours {
            NeighbouringRelation::SubstituteOne => None,
            // at most 2^40 * 2^21
            NeighbouringRelation::AddRemoveOne => Some(draw(self.records.cast_signed() * COUNT_WEIGHT)),
        };
        NoisySum { coordinates, count }
    }
}

/// To 64 bits: a fixed function of the noisy value, and so post-processing.
fn clamp(noisy: i128) -> i64 {
    i64::try_from(noisy).unwrap_or(if noisy > 0 { i64::MAX } else { i64::MIN })
}

impl NoisySum {
    /// The number of records that the noisy count stands for, at least 1; `None` where the count is public.
    pub fn records(&self) -> Option<f64> {
        self.count.map(|count| (count as f64 / COUNT_WEIGHT as f64).max(1.0))
    }

    /// The noise of [`NoisySum::records`] for noise of this scale, as a standard deviation.
    pub fn records_sd(noise: &RoundedNormal) -> f64 {
        noise.scale() as f64 / COUNT_WEIGHT as f64
    }
}
