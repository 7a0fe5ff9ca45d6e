//! Integer vectors of bounded norm, and their exact sums.

use thiserror::Error;

use crate::budget::neighbours::NeighbouringRelation;
use crate::budget::unit::PrivacyUnit;

#[cfg(test)]
#[path = "lattice_tests.rs"]
mod tests;

/// The lattice has `2^22` steps to the radius of the ball.
pub const LATTICE_BITS: u32 = 22;

/// Records that a sum may hold: `2^22 * 2^40 < 2^63`, so no sum can overflow.
pub const MAX_RECORDS: u64 = 1 << 40;

/// Coordinates that a vector may have: the sum of their squares fits in 64 bits.
pub const MAX_DIMENSION: usize = 1 << 18;

/// Groups that a sum can be of.
pub const MAX_GROUPS: usize = 64;

/// Covariates that curves can be multiplied with, an intercept among them.
pub const MAX_COVARIATES: usize = 20;

/// The radius of the ball in lattice steps.
pub(crate) const RADIUS: i64 = 1 << LATTICE_BITS;

pub(crate) const SQUARED_RADIUS: u64 = 1 << (2 * LATTICE_BITS);

/// So many squares of coordinates sum to at most `2^53`: exactly, in doubles.
const EXACT_TERMS: usize = 512;

/// Independent partial sums, for the compiler to put side by side.
const LANES: usize = 8;

/// What one record adds to the count coordinate under add/remove-one: half a radius.
///
/// The count then costs a factor `sqrt(5)/2 = 1.12` of noise in the other coordinates, and its own relative noise stays
/// below theirs; see `docs/adr/0003-lattice-22-bits.md`.
pub(crate) const COUNT_WEIGHT: i64 = RADIUS / 2;

/// Why lattice vectors could not be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum LatticeError {
    #[error("a lattice vector has from 1 to {MAX_DIMENSION} coordinates, got {found}")]
    Dimension { found: usize },
    #[error("lattice vectors must have equal dimensions: {expected} and {found}")]
    Mismatch { expected: usize, found: usize },
    #[error("a record must have from 1 to 2^22 lattice steps, got {found}")]
    Steps { found: i64 },
    #[error(
        "second moments are of from 2 to 1024 coordinates, and of no more than the {dimension} there are, got {found}"
    )]
    Moments { found: usize, dimension: usize },
    #[error("there must be from 1 to {MAX_GROUPS} groups, got {found}")]
    Groups { found: usize },
    #[error("there must be from 1 to {MAX_COVARIATES} covariates, an intercept among them, got {found}")]
    Covariates { found: usize },
    #[error("the bound on one value must be from 1 to 1024 radii of 2^22 lattice steps, got {found} steps")]
    Bound { found: i64 },
    #[error("one record can be in from 1 to all {groups} groups, got {found}")]
    Memberships { found: usize, groups: usize },
    #[error("sums can be added in the same body only")]
    Bodies,
    #[error("no records of this statistic have these sums: they are damaged, or of something else")]
    Impossible,
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

    /// The same in the sum of absolute values, for vectors of so many coordinates: an integer.
    ///
    /// ```text
    /// substitute one:  |S - S'|_1 <= 2 |x|_1,                     |x|_1 <= sqrt(k) |x|_2 <= sqrt(k) R
    /// add/remove one:  |(S, n) - (S', n')|_1 <= |x|_1 + R/2
    /// ```
    ///
    /// `|x|_1` is an integer, so its bound is rounded down.
    pub fn lattice_l1_sensitivity(self, dimension: usize) -> u64 {
        // at most 2^18 * 2^44
        let record = (dimension.min(MAX_DIMENSION) as u64 * SQUARED_RADIUS).isqrt();
        match self {
            Self::SubstituteOne => 2 * record,
            Self::AddRemoveOne => record + COUNT_WEIGHT.unsigned_abs(),
        }
    }
}

/// An integer vector whose Euclidean norm is at most `2^22`, whatever it was made from.
///
/// It is private data: its `Debug` shows nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct LatticeVector {
    coordinates: Vec<i64>,
}

impl LatticeVector {
    /// The zero vector: a record at the centre of the ball.
    pub fn zero(dimension: usize) -> Result<Self, LatticeError> {
        if (1..=MAX_DIMENSION).contains(&dimension) {
            Ok(Self { coordinates: vec![0; dimension] })
        } else {
            Err(LatticeError::Dimension { found: dimension })
        }
    }

    /// Replaces the vector by the nearest lattice point to `steps_to_unit(d) z`, shrunk if its integer norm exceeds `2^22`.
    ///
    /// `z` should have norm at most 1. Whatever it really is (longer, infinite, not a number), the result is within the
    /// radius: floating-point error in `z` can cost accuracy, never privacy.
    pub fn encode(&mut self, z: &[f64]) -> Result<(), LatticeError> {
        if z.len() != self.coordinates.len() {
            return Err(LatticeError::Mismatch { expected: self.coordinates.len(), found: z.len() });
        }
        let steps = steps_to_unit(z.len());
        let squared_norm = self
            .coordinates
            .chunks_mut(EXACT_TERMS)
            .zip(z.chunks(EXACT_TERMS))
            .map(|(coordinates, z)| round_chunk(coordinates, z, steps))
            .sum::<u64>();
        if squared_norm > SQUARED_RADIUS {
            self.shrink_into_radius();
        }
        Ok(())
    }

    /// The coordinates, in lattice steps.
    pub fn coordinates(&self) -> &[i64] {
        &self.coordinates
    }

    /// Makes it the zero vector again.
    pub fn clear(&mut self) {
        self.coordinates.fill(0);
    }

    /// Scales towards zero until the integer norm is within the radius. Every coordinate is at most the radius already,
    /// so the sum of squares is at most `2^18 * 2^44` and does not overflow.
    fn shrink_into_radius(&mut self) {
        loop {
            let squared_norm: u64 = self.coordinates.iter().map(|k| k.unsigned_abs().pow(2)).sum();
            if squared_norm <= SQUARED_RADIUS {
                return;
            }
            let factor = (RADIUS as f64 / (squared_norm as f64).sqrt()).min(1.0 - f64::EPSILON);
            for k in &mut self.coordinates {
                #[allow(clippy::cast_possible_truncation, reason = "truncation towards zero is the point")]
                let shrunk = (*k as f64 * factor) as i64;
                *k = shrunk;
            }
        }
    }
}

/// How many lattice steps the unit of `z` has in [`LatticeVector::encode`]: the radius less what rounding can add to a norm.
///
/// ```text
/// 2^22 - ceil(sqrt(d) / 2) - 1
/// ```
///
/// So a record at the edge of the ball needs no shrinking after it has been rounded, and decoding is unbiased.
pub fn steps_to_unit(dimension: usize) -> f64 {
    RADIUS as f64 - ((dimension as f64).sqrt() / 2.0).ceil() - 1.0
}

/// How far rounding moves a record in `d` coordinates from `steps_to_unit(d) z` at most, in lattice steps of Euclidean norm.
///
/// ```text
/// a curve:            |e - steps z| <= sqrt(d) / 2        each coordinate is rounded to the nearest integer
/// a person's curves:  |e - steps z| <= 2 sqrt(d)          so is their mean once more, and it may be shortened
/// ```
///
/// The mean of records is moved by at most as much, whatever their number, and equal records move it by as much as one of them. So this
/// is no noise, and more records do not average it away.
pub fn rounding_of_record(dimension: usize, unit: PrivacyUnit) -> f64 {
    let root = (dimension as f64).sqrt();
    match unit {
        PrivacyUnit::Curve => root / 2.0,
        PrivacyUnit::Subject => 2.0 * root,
    }
}

/// The standard deviation of a coordinate of a sum with what rounding adds: a bound on the root mean square error, in lattice steps.
///
/// ```text
/// sd^2 = noise_sd^2 + (records rounding_of_record)^2
/// ```
///
/// For every linear function `g` of the coordinates the square of the error has the expectation
/// `noise_sd^2 |g|^2 + (g'b)^2 <= sd^2 |g|^2`, as the bias `b` of the sum is no longer than the second part. The proof is section 2 of
/// `docs/proofs/posterior.md`.
pub fn with_rounding(noise_sd: f64, records: f64, dimension: usize, unit: PrivacyUnit) -> f64 {
    noise_sd.hypot(records * rounding_of_record(dimension, unit))
}

/// Writes `z`, scaled to the lattice, rounded and clamped to the radius, and returns the exact sum of squares.
///
/// Rounded values are integers of at most `2^22` held in doubles, and the sum of at most 512 of their squares is at most
/// `2^53`: every operation on them is exact. (What is not a number becomes the radius: any point will do.)
fn round_chunk(coordinates: &mut [i64], z: &[f64], steps: f64) -> u64 {
    // Adding 1.5 * 2^52 leaves the rounded integer in the low bits; unlike a call to `round`, this vectorises.
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    const LIMIT: f64 = RADIUS as f64;
    let mut lanes = [0.0_f64; LANES];
    let mut round = |k: &mut i64, z: f64, lane: usize| {
        let scaled = z * steps;
        // written as the processor's own minimum and maximum, which choose the second argument on NaN
        let below = if scaled < LIMIT { scaled } else { LIMIT };
        let clamped = if below > -LIMIT { below } else { -LIMIT };
        let shifted = clamped + SHIFT;
        let rounded = shifted - SHIFT;
        lanes[lane] += rounded * rounded;
        *k = shifted.to_bits().cast_signed() - SHIFT.to_bits().cast_signed();
    };
    let (k_chunks, k_rest) = coordinates.as_chunks_mut::<LANES>();
    let (z_chunks, z_rest) = z.as_chunks::<LANES>();
    for (ks, zs) in k_chunks.iter_mut().zip(z_chunks) {
        for lane in 0..LANES {
            round(&mut ks[lane], zs[lane], lane);
        }
    }
    for (k, z) in k_rest.iter_mut().zip(z_rest) {
        round(k, *z, 0);
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an integer in [0, 2^53]")]
    let sum = lanes.iter().sum::<f64>() as u64;
    sum
}

/// Several lattice vectors that become one record, their mean: exact, whatever their order.
///
/// It is private data: its `Debug` shows nothing.
pub struct RecordMean {
    totals: Vec<i64>,
    vectors: u64,
}

impl RecordMean {
    /// The mean of no vectors.
    pub fn new(dimension: usize) -> Result<Self, LatticeError> {
        Ok(Self { totals: LatticeVector::zero(dimension)?.coordinates, vectors: 0 })
    }

    /// Adds one vector.
    pub fn add(&mut self, vector: &LatticeVector) -> Result<(), LatticeError> {
        if vector.coordinates.len() != self.totals.len() {
            return Err(LatticeError::Mismatch { expected: self.totals.len(), found: vector.coordinates.len() });
        }
        if self.vectors >= MAX_RECORDS {
            return Err(LatticeError::TooManyRecords);
        }
        self.vectors += 1;
        self.totals.iter_mut().zip(&vector.coordinates).for_each(|(total, k)| *total += k);
        Ok(())
    }

    /// Writes the mean of the vectors, rounded to the lattice, into `mean`; zero for no vectors.
    pub fn mean_into(&self, mean: &mut LatticeVector) -> Result<(), LatticeError> {
        if mean.coordinates.len() != self.totals.len() {
            return Err(LatticeError::Mismatch { expected: self.totals.len(), found: mean.coordinates.len() });
        }
        let count = self.vectors.max(1).cast_signed();
        for (k, total) in mean.coordinates.iter_mut().zip(&self.totals) {
            // to nearest, halves away from zero: the same for x and -x
            *k = (total + total.signum() * (count / 2)) / count;
        }
        mean.shrink_into_radius();
        Ok(())
    }

    /// Forgets all vectors.
    pub fn clear(&mut self) {
        self.totals.fill(0);
        self.vectors = 0;
    }
}

crate::opaque!(LatticeVector);

crate::opaque!(RecordMean);
