//! Bounds the profile of a continuous mixture from both sides, by log-concavity.
//!
//! With `w = log v` and `mu = distance / v`, integration by parts makes the mean over `V` an integral of two factors:
//!
//! ```text
//! E delta_Gauss(epsilon; distance / min(V, L))
//!     = delta_Gauss(epsilon; distance / L) + int_{-inf}^{log L} P(V <= e^w) mu phi(mu/2 - epsilon/mu) dw
//! ```
//!
//! Both factors are log-concave in `w`. So a chord of the logarithm of the integrand is below the logarithm between its
//! ends and above it outside. No quantile is needed. With `n` cells the bounds differ by `O(n^-2)`; Riemann sums of a
//! monotone function differ by `O(n^-1)`. The proof is in `docs/proofs/elliptical-process.md`.

use std::f64::consts::PI;

use crate::calibrate::enclosure::continuous::{Continuous, LARGEST_V, TAIL_ERROR};
use crate::calibrate::gaussian::GaussianPrivacy;

/// The largest epsilon at which the profile is computed. For a larger epsilon, the delta at this one is an upper bound.
pub(super) const LARGEST_EPSILON: f64 = 1e6;

/// The largest difference of the bounds, relative to the upper one.
const TOLERANCE: f64 = 1e-6;

/// Below this the distribution function is near the smallest doubles, and bounds the part that is left out.
const SMALLEST_PROBABILITY: f64 = 1e-280;

/// The largest number of cells, more than any of the laws needs.
const MOST_CELLS: usize = 200_000;

/// `delta_Gauss(epsilon; mu)`, rounded up; 1 where `mu` is beyond the doubles.
pub(super) fn gaussian_delta(epsilon: f64, mu: f64) -> f64 {
    GaussianPrivacy::new(mu.next_up()).map_or(1.0, |privacy| privacy.near_delta(epsilon))
}

/// A point `w` and the logarithm of the integrand there.
#[derive(Clone, Copy)]
struct Node {
    w: f64,
    log: f64,
}

/// The integrand for one mechanism.
struct Integrand {
    law: Continuous,
    distance: f64,
    epsilon: f64,
}

/// Lower and upper bound of `E delta_Gauss(epsilon; distance / min(V, LARGEST_V))`.
pub(super) fn bounds(law: &Continuous, distance: f64, epsilon: f64) -> (f64, f64) {
    let integrand = Integrand { law: *law, distance, epsilon: epsilon.min(LARGEST_EPSILON) };
    let at_cut = gaussian_delta(integrand.epsilon, distance / LARGEST_V);
    let (lower, upper) = integrand.bounds();
    let lower = if epsilon > LARGEST_EPSILON { 0.0 } else { lower + at_cut * (1.0 - TAIL_ERROR) - f64::MIN_POSITIVE };
    (lower * (1.0 - 2.0 * TAIL_ERROR), (upper + at_cut) * (1.0 + 2.0 * TAIL_ERROR))
}

impl Integrand {
    fn node(&self, w: f64) -> Node {
        let (below, above) = self.law.tails(w.exp());
        let log_probability = if below < 0.5 { below.ln() } else { (-above).ln_1p() };
        let mu = self.distance * (-w).exp();
        let x = mu / 2.0 - self.epsilon / mu;
        Node { w, log: log_probability + mu.ln() - 0.5 * x * x - 0.5 * (2.0 * PI).ln() }
    }

    fn probability(&self, w: f64) -> f64 {
        self.law.tails(w.exp()).0
    }

    /// The largest `mu` that matters: for a larger one, `mu/2 - epsilon/mu > 40`.
    fn largest_mu(&self) -> f64 {
        40.0 + (1600.0 + 2.0 * self.epsilon).sqrt()
    }

    /// The first node: at the largest `mu` that matters, or where the distribution function is too small for a double.
    fn start(&self, end: f64) -> f64 {
        let start = (self.distance / self.largest_mu()).ln();
        if start >= end || self.probability(start) >= SMALLEST_PROBABILITY {
            return start;
        }
        let (mut low, mut high) = (start, end);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if self.probability(middle) < SMALLEST_PROBABILITY {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }

    fn bounds(&self) -> (f64, f64) {
        const FIRST_CELLS: u32 = 32;
        let end = LARGEST_V.ln();
        let start = self.start(end);
        if start >= end {
            return (0.0, 1.0);
        }
        let step = (end - start) / f64::from(FIRST_CELLS);
        let mut nodes: Vec<Node> = (0..=FIRST_CELLS).map(|i| self.node(start + f64::from(i) * step)).collect();
        // no value exceeds phi(0) times the largest mu
        let highest = 0.4 * self.largest_mu();
        loop {
            let cells: Vec<(f64, f64)> = (0..nodes.len() - 1).map(|i| cell_bounds(&nodes, i, highest)).collect();
            let lower: f64 = cells.iter().map(|(lower, _)| lower).sum();
            let upper = cells.iter().map(|(_, upper)| upper).sum::<f64>() + self.left_out(&nodes);
            let most = TOLERANCE * lower.max(1e-3 * upper) / cells.len() as f64;
            if upper - lower <= TOLERANCE * upper || cells.len() > MOST_CELLS {
                return (lower, upper);
            }
            let before = nodes.len();
            nodes = self.refined(&nodes, &cells, most);
            if nodes.len() == before {
                return (lower, upper);
            }
        }
    }

    /// The nodes, and the middle of each cell whose bounds are too far apart.
    fn refined(&self, nodes: &[Node], cells: &[(f64, f64)], most: f64) -> Vec<Node> {
        let mut refined = Vec::with_capacity(2 * nodes.len());
        for (pair, (lower, upper)) in nodes.windows(2).zip(cells) {
            refined.push(pair[0]);
            let middle = 0.5 * (pair[0].w + pair[1].w);
            if upper - lower > most && pair[0].w < middle && middle < pair[1].w {
                refined.push(self.node(middle));
            }
        }
        refined.extend(nodes.last());
        refined
    }

    /// An upper bound of the integral left of the first node.
    ///
    /// The second factor integrates to at most 1 and the first increases. The extended first chord is above the
    /// integrand.
    fn left_out(&self, nodes: &[Node]) -> f64 {
        let probability = self.probability(nodes[0].w);
        let slope = slope(nodes[0], nodes[1]);
        if slope > 0.0 { probability.min(nodes[0].log.exp() / slope) } else { probability }
    }
}

fn slope(from: Node, to: Node) -> f64 {
    (to.log - from.log) / (to.w - from.w)
}

/// Bounds of the integral over the cell from node `i` to the next: its own chord, and those of its neighbours,
/// extended.
fn cell_bounds(nodes: &[Node], i: usize, highest: f64) -> (f64, f64) {
    let (left, right) = (nodes[i], nodes[i + 1]);
    let width = right.w - left.w;
    let chord = slope(left, right);
    let lower = integral(left.log, right.log, width);
    // concavity orders the slopes; rounding must not
    let before = (i > 0).then(|| slope(nodes[i - 1], left).max(chord));
    let after = (i + 2 < nodes.len()).then(|| slope(right, nodes[i + 2]).min(chord));
    let upper = match (before, after) {
        (Some(before), Some(after)) if before > after => {
            let meet = ((chord - after) / (before - after)).clamp(0.0, 1.0) * width;
            let top = left.log + before * meet;
            integral(left.log, top, meet) + integral(top, right.log, width - meet)
        }
        (Some(_), Some(_)) => lower,
        (Some(before), None) => integral(left.log, left.log + before * width, width),
        (None, Some(after)) => integral(right.log - after * width, right.log, width),
        (None, None) => f64::INFINITY,
    };
    (lower, upper.min(highest * width).max(lower))
}

/// The integral of the exponential of a linear function with these values at the ends of an interval.
fn integral(start: f64, end: f64, width: f64) -> f64 {
    let fall = (start - end).abs();
    let mean = if fall < 1e-12 { 1.0 } else { -(-fall).exp_m1() / fall };
    start.max(end).exp() * mean * width
}
