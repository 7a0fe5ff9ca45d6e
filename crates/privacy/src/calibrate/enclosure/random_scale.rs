//! The profile of Gaussian noise times a random scale, enclosed.
//!
//! With `V = s e^(beta X)`, where `X` has a density `p / N` and `p` is log-concave with the largest value 1 at 0,
//!
//! ```text
//! E delta_Gauss(D / V) = (h/N) sum_k p(x_k) delta_Gauss(D / v_k) + R,    |R| <= 2 M / (e^(2 pi theta / h) - 1)
//! ```
//!
//! for every grid `x_k` of step `h`: the trapezoidal rule of a function that is analytic in a strip. The proof is in
//! `docs/proofs/calibration.md`.

use std::f64::consts::{LN_2, PI};

use dashu_int::IBig;

use super::continuous::{Continuous, LARGEST_V};
use super::normal::GaussianProfile;
use super::{Bound, Enclosure, decode};
use crate::budget::amount::Amount;

mod density;
#[cfg(test)]
mod tests;

use density::Density;

/// The digits that are enough for a delta of 1.
const BITS: usize = 96;

/// A sum ends where what is left of it is smaller by so many bits.
const LEFT_OUT: usize = 40;

/// A delta below this one is enclosed as if it were this one.
const SMALLEST: f64 = 1e-30;

/// A sum over more nodes is not tried.
const MOST_NODES: i64 = 4096;

/// The bits of a delta of about this size.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 100")]
fn digits(near: f64) -> usize {
    BITS + -near.clamp(SMALLEST, 1.0).log2() as usize
}

/// A number that `E delta_Gauss(epsilon; distance / V)` does not exceed, where `V` is at most `values[i]` with probability
/// `levels[i]`. Both increase, and the last level is 1.
///
/// The sum ends early if all larger values together cannot matter: `delta_Gauss` falls with the value.
pub(crate) fn of_values(values: &[f64], levels: &[f64], epsilon: &Amount, distance: f64, near: f64) -> Option<Bound> {
    let bits = digits(near);
    let profile = GaussianProfile::new(epsilon, bits);
    let (distance, one) = (Enclosure::double(distance, bits), Enclosure::one(bits));
    let (mut sum, mut below) = (Enclosure::integer(0, bits), Enclosure::integer(0, bits));
    for (value, level) in values.iter().zip(levels) {
        let delta = profile.most(&distance.over(&Enclosure::double(*value, bits))?)?;
        let rest = &(&one - &below) * &delta;
        if &rest.high << LEFT_OUT <= sum.high {
            return Some(Bound::above(&(&sum + &rest)));
        }
        let level = Enclosure::double(*level, bits);
        sum = &sum + &(&(&level - &below) * &delta);
        below = level;
    }
    Some(Bound::above(&sum))
}

/// A number that `E delta_Gauss(epsilon; distance / min(V, L))` does not exceed, `L` being [`LARGEST_V`].
///
/// The width of the strip, the step of the grid, its first node and the digits are chosen in doubles, for a result of about
/// `near`: every choice gives a bound. `None` where none is found with as many nodes as are tried.
pub(crate) fn of_law(law: Continuous, epsilon: &Amount, distance: f64, near: f64) -> Option<Bound> {
    let goal = LN_2 * (LEFT_OUT as f64) - near.clamp(SMALLEST, 1.0).ln();
    of_law_on(law, epsilon, distance, goal, digits(near))
}

/// As [`of_law`], on a grid for which the remainder is about `e^-goal`.
fn of_law_on(law: Continuous, epsilon: &Amount, distance: f64, goal: f64, bits: usize) -> Option<Bound> {
    let density = Density::new(law, bits);
    let (theta, step) = strip(law, epsilon.to_f64(), goal)?;
    let grid = Grid {
        profile: GaussianProfile::new(epsilon, bits),
        step: Enclosure::double(step, bits),
        mass: density.mass()?,
        density,
        distance,
    };
    let first = first_node(law, epsilon.to_f64(), distance, goal);
    let sum = grid.sum(first, step)?.over(&grid.mass)?;
    let rest = &grid.remainder(&Enclosure::amount(epsilon, bits), theta)? + &grid.beyond_the_cut()?;
    Some(Bound::above(&(&sum + &rest)))
}

/// Half of the width of the strip, and the step at which the remainder is about `e^-goal`.
fn strip(law: Continuous, epsilon: f64, goal: f64) -> Option<(f64, f64)> {
    const GRID: f64 = 1_048_576.0;
    let slope = law.log_slope();
    let widest = 0.99 * std::f64::consts::FRAC_1_SQRT_2 / slope;
    let steps = (0..128).map(|i| {
        let theta = widest * 2.0_f64.powf(-f64::from(i) / 8.0);
        let bend = (slope * theta).powi(2);
        let growth = law.log_growth(theta) - 0.5 * (1.0 - 2.0 * bend).ln() + epsilon * bend;
        (theta, 2.0 * PI * theta / (goal + LN_2 + growth))
    });
    let (theta, step) = steps.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let step = (step * GRID).floor() / GRID;
    (step > 0.0).then_some((theta, step))
}

/// A point far enough to the left: where the density does not matter, or where delta is 1 and the tail is an exponential.
fn first_node(law: Continuous, epsilon: f64, distance: f64, goal: f64) -> f64 {
    let mut first = -1e-3;
    while law.near_potential(first) < goal + 3.0 {
        first *= 1.01;
    }
    let largest_mu = 9.0 + (81.0 + 2.0 * epsilon).sqrt();
    let certain = ((distance / largest_mu).ln() - law.near_log_scale()) / law.log_slope();
    first.max(certain.min(-30.0))
}

/// The nodes `x_k = x_0 + k h`, at which `mu` is `m e^(-beta k h)` for the mantissa `m` of the distance.
struct Grid {
    density: Density,
    profile: GaussianProfile,
    step: Enclosure,
    mass: Enclosure,
    distance: f64,
}

impl Grid {
    /// `x_0 = (e log 2 - log s) / beta` and `m`, for a distance `m 2^e`.
    fn origin(&self) -> Option<(Enclosure, Enclosure)> {
        let bits = self.step.bits;
        let (mantissa, exponent) = decode(self.distance);
        let unit = Enclosure::integer(2, bits).ln()?;
        let places = unit.times_integer(u64::try_from((exponent + 52).unsigned_abs()).ok()?);
        let places = if exponent + 52 < 0 { places.negative() } else { places };
        Some((self.density.at_log_scale(&places)?, Enclosure::integer(mantissa, bits).halved(52)))
    }

    /// `h sum_k p(x_k) delta(x_k)` over all integers `k`, never too small.
    fn sum(&self, first: f64, step: f64) -> Option<Enclosure> {
        let (origin, mantissa) = self.origin()?;
        let bits = self.step.bits;
        #[allow(clippy::cast_possible_truncation, reason = "a first node is at most 1e6 from 0")]
        let first = ((first - origin.near()) / step).floor() as i64;
        let shift = |k: i64| Enclosure::exactly(&self.step.low * IBig::from(k), bits);
        let weight = |k: i64| self.density.at(&(&origin + &shift(k)));
        // what any part of sum_k p(x_k) is below
        let all = &self.mass.over(&self.step)? + &Enclosure::one(bits);
        // delta is at most 1, and p is log-concave
        let (outer, inner) = (weight(first)?, weight(first + 1)?);
        let mut sum = &outer * &outer.over(&(&inner - &outer))?;
        // little even of the delta that the digits are for: a much smaller one would be nothing but roundings
        let least = IBig::ONE << (BITS - LEFT_OUT);
        let mut before: Option<Enclosure> = None;
        for k in first..first.checked_add(MOST_NODES)? {
            let weight = weight(k)?;
            let mu = &mantissa * &self.density.scaled(&shift(k)).negative().exp()?;
            let delta = self.profile.most(&mu)?;
            let term = &weight * &delta;
            sum = &sum + &term;
            // delta is below delta(x_k) and below mu / sqrt(2 pi) from here on, and p mu is log-concave
            let weighted = (&weight * &mu).over(&self.profile.root)?;
            let ratio = before.as_ref().and_then(|last| weighted.over(&(last - &weighted)));
            let falling = ratio.map(|ratio| (&weighted * &ratio).high);
            let rest = falling.into_iter().fold((&delta * &all).high, IBig::min);
            if rest <= least || rest <= &sum.high >> LEFT_OUT {
                return Some(&self.step * &sum.raised_by(&rest));
            }
            before = Some(weighted);
        }
        None
    }

    /// What the trapezoidal rule may be too small by.
    ///
    /// ```text
    /// 2 M / (e^y - 1),    log M = log K - log(C)/2 + epsilon beta^2 theta^2,    y = 2 pi theta / h,    C = 1 - 2 beta^2 theta^2
    /// ```
    fn remainder(&self, epsilon: &Enclosure, theta: f64) -> Option<Enclosure> {
        let bits = self.step.bits;
        let theta = Enclosure::double(theta, bits);
        let bend = self.density.scaled(&theta).square();
        let narrowed = (&Enclosure::one(bits) - &bend.doubled(1)).ln()?.halved(1);
        let growth = &(&self.density.log_growth(&theta)? - &narrowed) + &(epsilon * &bend);
        let waves = (&Enclosure::pi(bits).doubled(1) * &theta).over(&self.step)?;
        let falling = &Enclosure::one(bits) - &waves.negative().exp()?;
        (&growth - &waves).exp()?.doubled(1).over(&falling)
    }

    /// What cutting `V` to `L` adds at most, the smaller of two bounds:
    ///
    /// ```text
    /// p(x)/(N psi'(x)) delta_Gauss(mu),    p(x)/(N psi'(x)) mu/sqrt(2 pi) beta/(beta + psi'(x)),    s e^(beta x) = L,    mu = D/L
    /// ```
    fn beyond_the_cut(&self) -> Option<Enclosure> {
        let bits = self.step.bits;
        let largest = Enclosure::double(LARGEST_V, bits);
        let at = self.density.at_log_scale(&largest.ln()?)?;
        let (tail, slope) = self.density.tail(&Some(at).filter(Enclosure::is_at_least_zero)?)?;
        let mu = Enclosure::double(self.distance, bits).over(&largest)?;
        let rate = self.density.scaled(&Enclosure::one(bits));
        let falling = (&mu * &rate).over(&(&self.profile.root * &(&rate + &slope)))?;
        let flat = self.profile.most(&mu)?;
        (&tail * if falling.high < flat.high { &falling } else { &flat }).over(&self.mass)
    }
}
