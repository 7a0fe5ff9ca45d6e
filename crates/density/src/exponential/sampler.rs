//! The exact sampler: a range of distances, a path within it, and a coin for the rest of the exponential.

use std::cell::RefCell;
use std::collections::HashMap;
use std::f64::consts::LN_2;

use dashu_float::FBig;
use dashu_float::round::mode::{Down, Up};
use dpfda_privacy::exact_sampling::{
    Enclosed, Outwards, double, enclosed_coin, exponential_of_minus, number, uniform_below,
};
use rand::Rng;

use super::paths::Paths;
use super::staircase::Staircase;
use super::thresholds::{Range, log_share, ranges};
use super::upward::Upward;
use crate::draws::DrawsCells;

/// A lower and an upper bound.
type Enclosure = (FBig<Down, 2>, FBig<Up, 2>);

/// Draws `z` with probability proportional to `exp(-epsilon D(z) / (2k))`.
///
/// Range `i` is proposed with probability proportional to an integer `w_i >= V_i exp(-epsilon low_i / (2k)) 2^s`; a `z` within
/// its threshold is then proposed with probability `1 / (k! V_i)`; if its distance is in the range, it is kept with probability
/// `V_i exp(-epsilon D / (2k)) 2^s / w_i`. The product is a constant times `exp(-epsilon D / (2k))`, as each distance is in one
/// range. Private data.
pub(crate) struct Sampler {
    staircase: Staircase,
    epsilon: f64,
    ranges: Vec<Range>,
    weights: Vec<u64>,
    /// `s`.
    scale: i64,
    /// Enclosures by distance and precision: where draws are repeated the same few are needed again.
    known: RefCell<HashMap<(u64, usize), Enclosure>>,
}

/// The largest weight of a range has about so many bits.
const BITS: f64 = 50.0;

impl Sampler {
    /// For `0 < epsilon <= 1000`.
    pub(super) fn new(staircase: Staircase, epsilon: f64) -> Self {
        let rate = epsilon / (2.0 * staircase.draws() as f64);
        let ranges = ranges(&staircase, rate);
        let most = ranges.iter().map(|range| log_share(range, rate)).fold(f64::NEG_INFINITY, f64::max);
        #[allow(clippy::cast_possible_truncation, reason = "casts saturate; within 2^60")]
        let scale = (BITS - most / LN_2).floor() as i64;
        let mut sampler = Self { staircase, epsilon, ranges, weights: Vec::new(), scale, known: RefCell::default() };
        sampler.weights = sampler.ranges.iter().map(|range| sampler.weight(range)).collect();
        sampler
    }

    /// `V exp(-epsilon low / (2k)) 2^s`, rounded up.
    fn weight(&self, range: &Range) -> u64 {
        let exactly = self.scaled::<Up>(range.total, range.low, 128);
        // a conversion to the nearest double, or any next to the number, is made up for
        let bound = exactly.to_f64().value().next_up().ceil();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "about 2^50 at most")]
        let weight = bound as u64;
        weight
    }

    /// `V exp(-epsilon D / (2k)) 2^s`, rounded in the direction of `R`.
    fn scaled<R: Outwards>(&self, total: Upward, distance: u64, precision: usize) -> FBig<R, 2> {
        let by = |exponent: i64| isize::try_from(exponent).unwrap_or(isize::MIN);
        let integer = |integer: u64| number::<R::Opposite>(integer, precision);
        let rate = double::<R::Opposite>(self.epsilon, precision) * integer(distance);
        let exponent = rate / integer(2 * self.staircase.draws() as u64);
        let scaled = number::<R>(total.mantissa, precision) << by(total.exponent + self.scale);
        scaled * exponential_of_minus::<R>(exponent)
    }

    #[cfg(test)]
    pub(super) fn staircase(&self) -> &Staircase {
        &self.staircase
    }

    /// A draw within a range, or nothing if it is rejected.
    fn attempt<R: Rng + ?Sized>(&self, range: &Range, weight: u64, randomness: &mut R) -> Option<Vec<usize>> {
        let paths = Paths::new(self.staircase.steps(range.high)?, self.staircase.draws());
        let draws = paths.draw(randomness)?;
        let distance = self.staircase.distance(&draws);
        if distance < range.low {
            return None;
        }
        enclosed_coin(&Kept { sampler: self, total: range.total, distance, weight }, randomness).then_some(draws)
    }
}

impl DrawsCells for Sampler {
    /// One draw: cells in increasing order.
    fn draw(&self, randomness: &mut dyn Rng) -> Vec<usize> {
        let all = self.weights.iter().sum();
        loop {
            let mut level = uniform_below(all, randomness);
            let reached = self.weights.iter().position(|weight| {
                let is_here = level < *weight;
                level = level.wrapping_sub(*weight);
                is_here
            });
            let Some(index) = reached else { continue };
            if let Some(draws) = self.attempt(&self.ranges[index], self.weights[index], randomness) {
                return draws;
            }
        }
    }

    fn absorb(&self, digest: &mut dyn FnMut(&[u8])) {
        self.staircase.absorb(digest);
    }
}

/// The probability of keeping a `z` of this distance.
struct Kept<'a> {
    sampler: &'a Sampler,
    total: Upward,
    distance: u64,
    weight: u64,
}

impl Kept<'_> {
    /// A function of the distance and the precision alone, since each distance is in one range.
    fn enclosure(&self, precision: usize) -> Enclosure {
        let mut known = self.sampler.known.borrow_mut();
        let enclosed = || (self.rounded::<Down>(precision), self.rounded::<Up>(precision));
        known.entry((self.distance, precision)).or_insert_with(enclosed).clone()
    }

    fn rounded<R: Outwards>(&self, precision: usize) -> FBig<R, 2> {
        let weight = number::<R>(self.weight, precision);
        self.sampler.scaled::<R>(self.total, self.distance, precision) / weight
    }
}

impl Enclosed for Kept<'_> {
    fn below(&self, precision: usize) -> FBig<Down, 2> {
        self.enclosure(precision).0
    }

    fn above(&self, precision: usize) -> FBig<Up, 2> {
        self.enclosure(precision).1
    }
}
