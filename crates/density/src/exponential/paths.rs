//! Uniform draws of `z` in `cells^k` within a corridor, by dynamic programming over cumulative counts.

use std::collections::BTreeMap;

use dashu_int::UBig;
use dpfda_privacy::exact_sampling::{rational_coin, uniform_below};
use rand::Rng;

use super::staircase::Step;
use super::upward::{Upward, ceiling_shift};

/// Upper bounds on the weight of all ways on from each point of a corridor.
///
/// ```text
/// V_s(b) >= sum_c  L^c / c!  V_{s+1}(b + c),    V_last(k) = 1
/// ```
///
/// with `c` draws in the `L` cells of the next step. The number of `z` along a path is `k!` times the product of its `L^c / c!`.
/// A walk that goes on to `b + c` with probability `L^c / c! V_{s+1}(b + c) / V_s(b)`, and is given up with what is missing to
/// 1, arrives along a path with probability `prod L^c / c! / V_0(0)`: exactly proportional to the number of `z`, however the
/// `V` are rounded, as long as it is upwards.
pub(super) struct Paths {
    steps: Vec<Step>,
    draws: usize,
    /// For each step the bounds at its right edge, from `low` to `high`.
    bounds: Vec<Vec<Upward>>,
    /// `L^c / c!` by `L` and `c`, rounded up.
    weights: BTreeMap<usize, Vec<Upward>>,
    total: Upward,
}

/// Proposals of a step, as integers in a common unit `2^unit`.
struct Proposals {
    unit: i64,
    /// Draws below the right edge of the step for the first weight.
    first: usize,
    weights: Vec<u128>,
}

/// The largest proposal has at least so many bits, so that rounding up the sum of all never adds more than its last bit.
const LEADING: i64 = 65;

impl Paths {
    pub(super) fn new(steps: Vec<Step>, draws: usize) -> Self {
        let mut weights = BTreeMap::new();
        for step in &steps {
            weights.entry(step.cells).or_insert_with(|| power_over_factorial(step.cells as u64, draws));
        }
        let mut paths = Self { bounds: vec![vec![Upward::ONE]], steps, draws, weights, total: Upward::ZERO };
        // from right to left; `bounds` is in reverse order until the end
        for s in (1..paths.steps.len()).rev() {
            let (left, next) = (paths.steps[s - 1], &paths.bounds[paths.bounds.len() - 1]);
            let row = (left.low..=left.high).map(|b| paths.sum(s, next, b)).collect();
            paths.bounds.push(row);
        }
        paths.total = paths.sum(0, &paths.bounds[paths.bounds.len() - 1], 0);
        paths.bounds.reverse();
        paths
    }

    /// `V_0(0)`, at least the number of `z` within the corridor over `k!`.
    pub(super) fn total(&self) -> Upward {
        self.total
    }

    /// `V` at the left edge of step `s`, from the bounds at its right edge.
    fn sum(&self, s: usize, next: &[Upward], b: usize) -> Upward {
        let Some((first, shift)) = self.scale(s, next, b) else { return Upward::ZERO };
        let sum = self.products(s, next, b, first).map(|product| proposal(product, shift)).sum();
        Upward::new(sum, shift)
    }

    /// Where draws may go from `b`, and the unit in which proposals are rounded up; nothing from a dead end.
    fn scale(&self, s: usize, next: &[Upward], b: usize) -> Option<(usize, i64)> {
        let step = self.steps[s];
        let first = step.low.max(b);
        if first > step.high {
            return None;
        }
        let largest = self.products(s, next, b, first).filter(|product| product.0 > 0);
        // a product of two mantissas has 127 or 128 bits
        let exponent = largest.map(|product| product.1).max()?;
        Some((first, exponent + 127 - LEADING))
    }

    fn products(&self, s: usize, next: &[Upward], b: usize, first: usize) -> impl Iterator<Item = (u128, i64)> {
        let step = self.steps[s];
        let weights = &self.weights[&step.cells][first - b..];
        next[first - step.low..].iter().zip(weights).map(|(bound, weight)| bound.product(*weight))
    }

    /// `z` as increasing cells, or nothing if the walk was given up.
    pub(super) fn draw<R: Rng + ?Sized>(&self, randomness: &mut R) -> Option<Vec<usize>> {
        let mut cells = Vec::with_capacity(self.draws);
        let (mut b, mut bound) = (0, self.total);
        for (s, step) in self.steps.iter().enumerate() {
            let next = self.advance(s, b, bound, randomness)?;
            for _ in b..next {
                // less than 2^24 cells
                let offset = uniform_below(step.cells as u64, randomness);
                cells.push(step.first_cell + usize::try_from(offset).ok()?);
            }
            (b, bound) = (next, self.bounds[s][next - step.low]);
        }
        cells.sort_unstable();
        Some(cells)
    }

    /// One step of the walk, with exactly its probability.
    fn advance<R: Rng + ?Sized>(&self, s: usize, b: usize, bound: Upward, randomness: &mut R) -> Option<usize> {
        let proposals = self.proposals(s, b)?;
        // `bound` is the sum of the proposals, rounded up: an integer in their unit
        let shift = u32::try_from(bound.exponent - proposals.unit).ok()?;
        let tail = u128::from(randomness.next_u64()) & ((1 << shift) - 1);
        let mut level = (u128::from(uniform_below(bound.mantissa, randomness)) << shift) + tail;
        for (index, weight) in proposals.weights.iter().enumerate() {
            if level < *weight {
                let next = proposals.first + index;
                return self.keeps(s, b, next, *weight, proposals.unit, randomness).then_some(next);
            }
            level -= weight;
        }
        None
    }

    fn proposals(&self, s: usize, b: usize) -> Option<Proposals> {
        let next = &self.bounds[s];
        let (first, unit) = self.scale(s, next, b)?;
        let weights = self.products(s, next, b, first).map(|product| proposal(product, unit)).collect();
        Some(Proposals { unit, first, weights })
    }

    /// A proposal was rounded up; it is kept with the probability that takes this back.
    fn keeps<R: Rng + ?Sized>(
        &self,
        s: usize,
        b: usize,
        next: usize,
        weight: u128,
        unit: i64,
        randomness: &mut R,
    ) -> bool {
        let step = self.steps[s];
        let (bound, c) = (self.bounds[s][next - step.low], next - b);
        let mut exact = UBig::from(bound.mantissa) * UBig::from(step.cells).pow(c);
        let mut proposed = UBig::from(weight) * (2..=c).map(UBig::from).product::<UBig>();
        let shift = bound.exponent - unit;
        // exponents are those of numbers up to 2^(64 k)
        let by = usize::try_from(shift.unsigned_abs()).unwrap_or(usize::MAX);
        if shift < 0 {
            proposed <<= by;
        } else {
            exact <<= by;
        }
        rational_coin(exact, &proposed, randomness)
    }
}

/// A product in units of `2^unit`, rounded up.
fn proposal((product, exponent): (u128, i64), unit: i64) -> u128 {
    // never below 128 - 1 - LEADING
    ceiling_shift(product, u32::try_from(unit - exponent).unwrap_or(u32::MAX))
}

/// `L^c / c!` for `c = 0..=most`, rounded up.
fn power_over_factorial(cells: u64, most: usize) -> Vec<Upward> {
    let mut weight = Upward::ONE;
    let mut weights = vec![weight];
    for c in 1..=most as u64 {
        weight = weight.times(cells, c);
        weights.push(weight);
    }
    weights
}
