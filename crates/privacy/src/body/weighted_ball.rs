//! Values side by side with the weights that they were seen with.

use super::moments::root;
use super::{Body, is_within, sealed};
use crate::body::lattice::{LatticeError, LatticeVector, RADIUS};
use crate::budget::neighbours::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};

#[cfg(test)]
#[path = "weighted_ball_tests.rs"]
pub(crate) mod tests;

/// The longest vector of weights `Q`, half of the radius.
const LONGEST: i64 = RADIUS / 2;

/// The largest bound on one value, in radii.
const MOST_RADII: i64 = 1 << 10;

/// Pairs of integer vectors over the same bins: weights `K` and weighted values `k`.
///
/// ```text
/// K_b >= 0,   |K| <= Q,    |k| <= R,    |k_b| <= rho K_b,      R = 2^22,  Q = R / 2,  rho = bound / Q
/// substitute one:  |(k, K) - (k', K')|^2 <= 4 R^2 + 2 Q^2 - 2 R^2 / rho^2
/// add/remove one:  |(k, K)|^2 <= R^2 + Q^2
/// ```
///
/// The bound is that of one value, at least `R`, in the lattice steps of `R`. No count is a coordinate: a mean is the ratio of the two
/// sums. The proof is `docs/proofs/rows.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeightedBall {
    bins: usize,
    bound: i64,
}

impl WeightedBall {
    /// So many bins, with values of at most `bound` lattice steps.
    ///
    /// # Errors
    /// [`LatticeError::Dimension`] unless there are from 1 to `2^17` bins, [`LatticeError::Bound`] unless the bound is from 1 to 1024
    /// radii.
    pub fn new(bins: usize, bound: i64) -> Result<Self, LatticeError> {
        LatticeVector::zero(bins.saturating_mul(2))?;
        if !(RADIUS..=MOST_RADII * RADIUS).contains(&bound) {
            return Err(LatticeError::Bound { found: bound });
        }
        Ok(Self { bins, bound })
    }

    /// The number of bins.
    pub fn bins(&self) -> usize {
        self.bins
    }

    /// The bound on one value, in lattice steps.
    pub fn bound(&self) -> i64 {
        self.bound
    }

    /// How far rounding moves the values and the weights of a record at most, in lattice steps of Euclidean norm.
    ///
    /// ```text
    /// |k - R v| <= (3/4 rho + 3/2) sqrt(bins),     |K - Q q| <= 3/4 sqrt(bins)
    /// ```
    ///
    /// Equal records are moved alike: this is no noise, and more records do not average it away. See `docs/proofs/rows.md`.
    pub fn rounding_of_record(&self) -> (f64, f64) {
        let (root, rho) = ((self.bins as f64).sqrt(), self.bound as f64 / LONGEST as f64);
        (0.75f64.mul_add(rho, 1.5) * root, 0.75 * root)
    }

    /// The largest weighted value beside a weight: `floor(rho K)`.
    fn largest(&self, weight: i64) -> i64 {
        // at most 2^32 * 2^21
        self.bound * weight / LONGEST
    }

    /// How much less than twice `R^2 + Q^2` and twice `R^2` the squared bound is, rounded down: `2 R^2 / rho^2`.
    fn shared(&self) -> i64 {
        let square = |steps: i64| i128::from(steps) * i128::from(steps);
        let shared = 2 * square(RADIUS) * square(LONGEST) / square(self.bound);
        i64::try_from(shared).unwrap_or(0)
    }

    /// The square of the bound on the distance of neighbours, rounded up: an integer below `2^47`.
    fn squared_bound(&self, relation: NeighbouringRelation) -> i64 {
        match relation {
            SubstituteOne => 4 * RADIUS * RADIUS + 2 * LONGEST * LONGEST - self.shared(),
            AddRemoveOne => RADIUS * RADIUS + LONGEST * LONGEST,
        }
    }
}

impl sealed::Sealed for WeightedBall {}

impl Body for WeightedBall {
    type Word = i64;
    type Vector = WeightedVector;
    type Sum = Vec<i64>;

    fn dimension(&self) -> usize {
        2 * self.bins
    }

    fn vector(&self) -> WeightedVector {
        let zero =
            || LatticeVector::zero(self.bins).unwrap_or_else(|_| unreachable!("the constructor checked the dimension"));
        WeightedVector { values: zero(), weights: zero() }
    }

    fn reset(&self, vector: &mut WeightedVector) {
        vector.values.clear();
        vector.weights.clear();
    }

    fn sum(&self) -> Vec<i64> {
        vec![0; Body::dimension(self)]
    }

    fn add(&self, sum: &mut Vec<i64>, vector: &WeightedVector) {
        let (of_values, of_weights) = sum.split_at_mut(self.bins);
        let pairs = vector.values.coordinates().iter().zip(vector.weights.coordinates());
        for ((value, weight), (k, doubled)) in of_values.iter_mut().zip(of_weights).zip(pairs) {
            // half of a vector of norm at most R is one of norm at most Q
            let size = doubled.max(&0) / 2;
            let largest = self.largest(size);
            *value += (*k).clamp(-largest, largest);
            *weight += size;
        }
    }

    /// Weights are not negative, no longer than those of all records together, and no value is larger than its weight allows.
    fn restored(&self, totals: &[i64], records: u64) -> Option<Vec<i64>> {
        let (values, weights) = totals.split_at_checked(self.bins).filter(|(_, rest)| rest.len() == self.bins)?;
        let wide = |of: &[i64]| of.iter().copied().map(i128::from).collect::<Vec<i128>>();
        let fits = |(value, weight): (&i64, &i64)| {
            *weight >= 0
                && i128::from(*value).abs() * i128::from(LONGEST) <= i128::from(self.bound) * i128::from(*weight)
        };
        let is_possible = values.iter().zip(weights).all(fits)
            && is_within(wide(values).into_iter(), RADIUS, records)
            && is_within(wide(weights).into_iter(), LONGEST, records);
        is_possible.then(|| totals.to_vec())
    }

    /// The mean is a ratio of sums: nobody needs the count.
    fn count_weight(&self) -> Option<i64> {
        None
    }

    /// No more than the sum of the bounds of the parts: no law with this norm is meant for them.
    fn l1_bound(&self, relation: NeighbouringRelation) -> u64 {
        // |k|_1 <= sqrt(bins) R
        let part = |longest: i64| (self.bins as u64 * longest.unsigned_abs().pow(2)).isqrt();
        let record = part(RADIUS) + part(LONGEST);
        if relation == SubstituteOne { 2 * record } else { record }
    }

    fn l2_bound(&self, relation: NeighbouringRelation) -> f64 {
        root(self.squared_bound(relation) as f64)
    }
}

/// One record: its weighted values and its weights. It is private data.
pub struct WeightedVector {
    values: LatticeVector,
    weights: LatticeVector,
}

impl WeightedVector {
    /// Weighted values and weights, each of norm at most 1, for a statistic to write. A weight counts half as many lattice steps as a
    /// value, and a negative one as nothing.
    pub fn parts(&mut self) -> (&mut LatticeVector, &mut LatticeVector) {
        (&mut self.values, &mut self.weights)
    }
}
