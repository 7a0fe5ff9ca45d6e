//! The profile of Gaussian noise, enclosed.

use super::{Bound, Enclosure};
use crate::budget::amount::Amount;
use dashu_int::IBig;

/// Beyond this distance from 0 the profile is 1, or below every normal double, to all digits.
const FARTHEST: f64 = 38.0;

/// From this distance below 0 on, a sum of profiles counts the profile as 1: what is lost is below `2 Phi(-8) < 2^-49`.
const NEARLY_ONE: f64 = 8.0;

/// A larger `|x|` is not enclosed.
const LARGEST_SIZE: u64 = 45;

/// From here on Mills' ratio comes from the continued fraction; below it, from the power series.
const FRACTION_FROM: u64 = 6;

/// A number that `delta(epsilon)` of Gaussian noise with this `mu` does not exceed.
///
/// With `x = epsilon/mu - mu/2`, `y = x + mu` and Mills' ratio `R`,
///
/// ```text
/// delta(epsilon) = (R(x) - R(y)) / (sqrt(2 pi) exp(x^2/2))
/// ```
///
/// It decreases with epsilon and increases with `mu`: `mu` is rounded up and `x` down to the grid of the enclosure, where both
/// are exact from then on.
pub(crate) fn gaussian_delta(epsilon: &Amount, mu: f64) -> Bound {
    let near = epsilon.to_f64() / mu - mu / 2.0;
    // Phi(-38) < 2^-1022, and what is lost by the bound 1 is below 2 Phi(-38)
    if near.is_nan() || near <= -FARTHEST || !(mu.is_finite() && mu > 0.0) {
        return Bound::one();
    }
    // what doubles say of a difference of large numbers is off by up to 2^-51 of them
    if near >= FARTHEST + 1.0 && near >= 1e-10 * mu && (near < f64::INFINITY || mu < 1.0) {
        return Bound::power(1022);
    }
    // the digits of a small exp(-x^2/2), of a small difference of ratios, and some for rounding
    let tail = 0.73 * near.max(0.0).powi(2) + (1.0 / mu).log2().max(0.0) + 2.0 * near.max(1.0).log2();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 3000")]
    let bits = 112 + tail.min(4000.0) as usize;
    Bound::tight(bits, |bits| GaussianProfile::new(epsilon, bits).at(&Enclosure::double(mu, bits)))
        .unwrap_or_else(Bound::one)
}

/// The profile at one epsilon, for any number of `mu`.
pub(super) struct GaussianProfile {
    epsilon: Enclosure,
    /// `sqrt(2 pi)`.
    pub(super) root: Enclosure,
}

impl GaussianProfile {
    pub(super) fn new(epsilon: &Amount, bits: usize) -> Self {
        Self { epsilon: Enclosure::amount(epsilon, bits), root: Enclosure::pi(bits).doubled(1).root() }
    }

    /// As [`at`](Self::at), without work where `delta` is nearly 1 or nothing: a number that it does not exceed.
    pub(super) fn most(&self, mu: &Enclosure) -> Option<Enclosure> {
        let near = self.epsilon.near() / mu.near() - mu.near() / 2.0;
        if near < -NEARLY_ONE {
            return Some(Enclosure::one(mu.bits));
        }
        // Phi(-38) < 2^-1022
        if near > FARTHEST + 1.0 && mu.bits < 1022 {
            return Some(Enclosure::exactly(IBig::ONE, mu.bits));
        }
        self.at(mu)
    }

    /// An enclosure of a number that `delta` does not exceed at any `mu` of this enclosure.
    fn at(&self, mu: &Enclosure) -> Option<Enclosure> {
        let mu = mu.highest();
        let x = (&self.epsilon.over(&mu)? - &mu.halved(1)).lowest();
        let y = &x + &mu;
        let size = if x.is_negative() { x.negative() } else { x.clone() };
        // only where doubles misjudged x: the bound is 1 there
        if !size.is_at_most(&Enclosure::integer(LARGEST_SIZE, mu.bits)) {
            return None;
        }
        let inverse_density = &self.root * &size.square().halved(1).exp()?;
        let far = mills(&y, &self.root)?;
        let one = Enclosure::one(mu.bits);
        if size.is_at_most(&Enclosure::integer(FRACTION_FROM, mu.bits)) {
            // 1/2 - phi(x) (S(x) + R(y)), where S is odd
            let series = series(&size);
            let below = if x.is_negative() { &far - &series } else { &far + &series };
            Some(&one.halved(1) - &below.over(&inverse_density)?)
        } else if x.is_negative() {
            Some(&one - &(&fraction(&size)? + &far).over(&inverse_density)?)
        } else {
            (&fraction(&size)? - &far).over(&inverse_density)
        }
    }
}

/// Mills' ratio `R(t) = int_0^inf exp(-tu - u^2/2) du` at an exact `t >= 0`, given `sqrt(2 pi)`.
fn mills(t: &Enclosure, root: &Enclosure) -> Option<Enclosure> {
    if t.is_at_most(&Enclosure::integer(FRACTION_FROM, t.bits)) {
        let whole = &root.halved(1) * &t.square().halved(1).exp()?;
        Some(&whole - &series(t))
    } else {
        fraction(t)
    }
}

/// `S(t) = (Phi(t) - 1/2) / phi(t) = sum_k t^(2k+1) / (1 3 5 ... (2k+1))`: from where a term is at most half of the one before,
/// all later ones together are at most the last.
fn series(t: &Enclosure) -> Enclosure {
    let square = t.square();
    let halving = square.doubled(1);
    let (mut term, mut sum) = (t.clone(), t.clone());
    for k in 1.. {
        term = (&term * &square).over_integer(2 * k + 1);
        sum = &sum + &term;
        if term.high <= IBig::ONE && halving.is_at_most(&Enclosure::integer(2 * k + 1, t.bits)) {
            return sum.raised_by(&term.high);
        }
    }
    sum
}

/// `R(t)` at an exact `t > 0` from as many levels of the continued fraction as the digits need: with `n` of them the ends are
/// within about `exp(-2 t sqrt(2 n))` of each other.
fn fraction(t: &Enclosure) -> Option<Enclosure> {
    let near = (&t.high >> (t.bits - 8)).to_f64().value() / 256.0;
    let levels = 0.5 * (0.5 * 0.7 * t.bits as f64 / near).powi(2);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to a million")]
    fraction_of(t, levels.min(1e6) as u64 + 4)
}

/// `R(t) = 1 / (t + K_1)`, `K_n = n / (t + K_{n+1})` (Laplace). Every `K_n` is positive, so the first that is left out is between
/// 0 and `n / t`.
pub(super) fn fraction_of(t: &Enclosure, levels: u64) -> Option<Enclosure> {
    let bits = t.bits;
    let zero = Enclosure::integer(0, bits);
    let mut tail = zero.up_to(&Enclosure::integer(levels + 1, bits).over(t)?);
    for level in (1..=levels).rev() {
        tail = Enclosure::integer(level, bits).over(&(t + &tail))?;
    }
    Enclosure::one(bits).over(&(t + &tail))
}
