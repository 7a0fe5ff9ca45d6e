//! Laws of `V` with finitely many values. Their means are finite sums.

use super::MixingError;
use super::law::SMALLEST_V;
use super::profile::gaussian_delta;
use crate::budget::amount::Amount;
use crate::calibrate::enclosure::Bound;
use crate::calibrate::enclosure::continuous::LARGEST_V;
use crate::calibrate::enclosure::random_scale::of_values;

/// Finitely many values, increasing, each with the probability of this value or less.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Atoms {
    values: Vec<f64>,
    cumulative: Vec<f64>,
}

/// Levels of a user's quantile function in each octave `[2^-k-1, 2^-k]` below 1/2, and in its mirror image above.
const LEVELS_PER_OCTAVE: u32 = 64;
/// The number of octaves below 1/2: down to level `2^-64`.
const LOWER_OCTAVES: i32 = 63;
/// The number of octaves above 1/2: up to level `1 - 2^-46`, so that all levels are exact.
const UPPER_OCTAVES: i32 = 45;

/// By so much sums in doubles are raised, so that a number that is found with them also passes the enclosure.
const SUM_ERROR: f64 = 1e-9;

impl Atoms {
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// `value` with probability 1.
    pub(super) fn constant(value: f64) -> Result<Self, MixingError> {
        Ok(Self { values: vec![in_range(value)?], cumulative: vec![1.0] })
    }

    /// Values with their probabilities, which are normalised in favour of the smaller values.
    pub(super) fn finite(atoms: &[(f64, f64)]) -> Result<Self, MixingError> {
        let mut sorted = atoms.to_vec();
        for (value, probability) in &sorted {
            in_range(*value)?;
            if !(*probability > 0.0 && *probability <= 1.0) {
                return Err(MixingError::Probability { value: *probability });
            }
        }
        sorted.sort_by(|x, y| x.0.total_cmp(&y.0));
        let total: f64 = sorted.iter().map(|(_, probability)| probability).sum();
        let excess = (total - 1.0).abs();
        // each addition rounds by at most half a unit in the last place of a number of at most 1
        if excess > f64::EPSILON * sorted.len() as f64 || sorted.is_empty() {
            return Err(MixingError::ProbabilitySum { value: total });
        }
        let mut sum = excess;
        let mut law = Self { values: Vec::new(), cumulative: Vec::new() };
        for (value, probability) in sorted {
            sum = if sum == 0.0 { probability } else { (sum + probability).next_up() };
            law.push(value, sum.min(1.0));
            // what is left of the probabilities is below their rounding
            if sum >= 1.0 {
                break;
            }
        }
        law.close();
        Ok(law)
    }

    /// The step law with the value of the quantile function at the upper end of each of some 7000 cells of (0, 1).
    pub(super) fn tabulated(quantile: impl Fn(f64) -> f64) -> Result<Self, MixingError> {
        let mut law = Self { values: Vec::new(), cumulative: Vec::new() };
        let mut previous = 0.0;
        for level in levels() {
            let value = quantile(level);
            if !(value.is_finite() && value > 0.0) {
                return Err(MixingError::Quantile { level, value });
            }
            if value < previous {
                return Err(MixingError::Decreasing { level });
            }
            previous = value;
            law.push(value.clamp(SMALLEST_V, LARGEST_V), level);
        }
        law.close();
        Ok(law)
    }

    /// The law of a table: values that increase, and levels that increase to 1.
    pub(super) fn from_table(values: Vec<f64>, cumulative: Vec<f64>) -> Result<Self, MixingError> {
        for value in &values {
            in_range(*value)?;
        }
        let increases = |numbers: &[f64]| numbers.windows(2).all(|pair| pair[0] < pair[1]);
        let is_law = cumulative.len() == values.len()
            && increases(&values)
            && increases(&cumulative)
            && cumulative.first().is_some_and(|first| *first > 0.0);
        let last = cumulative.last().copied().unwrap_or_default();
        if is_law && last == 1.0 {
            Ok(Self { values, cumulative })
        } else {
            Err(MixingError::ProbabilitySum { value: last })
        }
    }

    /// Values and levels, as [`Atoms::from_table`] takes them.
    pub(super) fn into_table(self) -> (Vec<f64>, Vec<f64>) {
        (self.values, self.cumulative)
    }

    /// One more value, at least as large as the last, up to this level.
    fn push(&mut self, value: f64, level: f64) {
        if self.values.last() == Some(&value) {
            self.values.pop();
            self.cumulative.pop();
        }
        self.values.push(value);
        self.cumulative.push(level);
    }

    fn close(&mut self) {
        if let Some(last) = self.cumulative.last_mut() {
            *last = 1.0;
        }
    }

    /// The smallest value whose level is at least this one.
    pub(super) fn quantile(&self, level: f64) -> f64 {
        let index = self.cumulative.partition_point(|c| *c < level);
        self.values[index.min(self.values.len() - 1)]
    }

    pub(super) fn largest(&self) -> f64 {
        self.values[self.values.len() - 1]
    }

    pub(super) fn second_moment(&self) -> f64 {
        self.weighted().map(|(value, weight)| weight * value * value).sum()
    }

    /// Lower and upper bound of `E delta_Gauss(epsilon; distance / V)`.
    pub(super) fn delta_bounds(&self, distance: f64, epsilon: f64) -> (f64, f64) {
        let sum: f64 = self.weighted().map(|(value, weight)| weight * gaussian_delta(epsilon, distance / value)).sum();
        if self.values.len() == 1 {
            (sum * (1.0 - SUM_ERROR), sum)
        } else {
            (sum * (1.0 - SUM_ERROR), sum * (1.0 + SUM_ERROR))
        }
    }

    /// A number that `E delta_Gauss(epsilon; distance / V)` is proved not to exceed.
    pub(super) fn bound(&self, distance: f64, epsilon: &Amount, near: f64) -> Option<Bound> {
        of_values(&self.values, &self.cumulative, epsilon, distance, near)
    }

    fn weighted(&self) -> impl Iterator<Item = (f64, f64)> {
        let before = std::iter::once(0.0).chain(self.cumulative.iter().copied());
        let weights = self.cumulative.iter().zip(before).map(|(level, before)| level - before);
        self.values.iter().copied().zip(weights)
    }
}

fn in_range(value: f64) -> Result<f64, MixingError> {
    if value.is_nan() || value <= 0.0 {
        Err(MixingError::NotPositive { value })
    } else if (SMALLEST_V..=LARGEST_V).contains(&value) {
        Ok(value)
    } else {
        Err(MixingError::Value { value })
    }
}

/// The levels at which a quantile function is evaluated, increasing. All are exact in doubles.
fn levels() -> impl Iterator<Item = f64> {
    let octave = |k: i32| {
        let low = 2.0_f64.powi(-k - 1);
        (0..LEVELS_PER_OCTAVE).map(move |i| low * (1.0 + f64::from(i) / f64::from(LEVELS_PER_OCTAVE)))
    };
    let below = (1..=LOWER_OCTAVES).rev().flat_map(octave);
    let above = (1..=UPPER_OCTAVES).flat_map(move |k| {
        let low = 2.0_f64.powi(-k - 1);
        let steps = (1..=LEVELS_PER_OCTAVE).rev();
        steps.map(move |i| 1.0 - low * (1.0 + f64::from(i) / f64::from(LEVELS_PER_OCTAVE)))
    });
    below.chain(above)
}
