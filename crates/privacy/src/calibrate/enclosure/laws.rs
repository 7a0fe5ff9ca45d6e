//! Closed forms, enclosed: Laplace, logistic, discrete Laplace and t noise, and the conversion of zCDP.

use dashu_int::IBig;
use dashu_int::ops::DivEuclid;

use super::{Bound, Enclosure};
use crate::budget::amount::Amount;

/// Beyond this argument `exp(-x)` is below every double.
const LARGEST_ARGUMENT: u64 = 1024;

/// The digits that are enough where no number is small.
const BITS: usize = 128;

/// The digits before the first one of a positive double.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1100")]
fn leading_zeros(value: f64) -> usize {
    -value.log2().clamp(-1100.0, 0.0) as usize
}

/// `1 - exp(-x)` for `x >= 0`. Beyond the largest argument it is between the mass there and 1.
fn mass(x: &Enclosure) -> Option<Enclosure> {
    let one = Enclosure::one(x.bits);
    let largest = Enclosure::integer(LARGEST_ARGUMENT, x.bits);
    let within = |x: &Enclosure| Some(&one - &x.negative().exp()?);
    if largest.is_at_most(x) { Some(within(&largest)?.up_to(&one)) } else { within(x) }
}

/// A number that `delta(epsilon)` of Laplace noise at this distance does not exceed: `1 - exp((epsilon - d)/2)`.
pub(crate) fn laplace_delta(epsilon: f64, distance: f64) -> Bound {
    closed_form(epsilon, distance, |excess, _| mass(&excess.halved(1)))
}

/// The same for logistic noise: `(1 - exp((epsilon - d)/2))^2 / (1 - exp(-d))`.
pub(crate) fn logistic_delta(epsilon: f64, distance: f64) -> Bound {
    closed_form(epsilon, distance, |excess, distance| mass(&excess.halved(1))?.square().over(&mass(distance)?))
}

fn closed_form(epsilon: f64, distance: f64, profile: impl Fn(&Enclosure, &Enclosure) -> Option<Enclosure>) -> Bound {
    if distance <= epsilon {
        return Bound::zero();
    }
    let bits = BITS + 3 * leading_zeros(distance - epsilon);
    let enclosure = |bits| {
        let distance = Enclosure::double(distance, bits);
        let excess = &distance - &Enclosure::double(epsilon, bits);
        if excess.is_at_least_zero() { profile(&excess, &distance) } else { None }
    };
    Bound::tight(bits, enclosure).unwrap_or_else(Bound::one)
}

/// The same for discrete Laplace noise of scale `t = numerator / denominator`: with `w = D - epsilon t > 0` and the integer
/// `j = ceil(w/2) - 1`,
///
/// ```text
/// (1 - e^(-(w - j)/t) + q (1 - e^(-j/t))) / (1 + q),    q = e^(-1/t)
/// ```
pub(crate) fn discrete_laplace_delta(epsilon: f64, sensitivity: u64, scale: (u64, u64)) -> Bound {
    let Ok(epsilon) = Amount::exact(epsilon) else { return Bound::zero() };
    let (numerator, denominator) = scale;
    let (Some(bound), Some(rate)) = (
        Amount::fraction(u128::from(sensitivity), 1),
        Amount::fraction(u128::from(denominator), u128::from(numerator)),
    ) else {
        return Bound::one();
    };
    // w/t = D/t - epsilon
    let Some(excess) = (&bound * &rate).checked_sub(&epsilon).filter(|excess| !excess.is_zero()) else {
        return Bound::zero();
    };
    let steps = excess.steps_of(&rate);
    let reach = (steps + IBig::ONE).div_euclid(IBig::from(2)) - IBig::ONE;
    let bits = BITS + 3 * leading_zeros(excess.to_f64()) + 2 * leading_zeros(rate.to_f64());
    let enclosure = |bits| {
        let (rate, excess) = (Enclosure::amount(&rate, bits), Enclosure::amount(&excess, bits));
        let reached = &rate * &Enclosure::exactly(&reach << bits, bits);
        let rest = &excess - &reached;
        if !rest.is_at_least_zero() {
            return None;
        }
        let one = Enclosure::one(bits);
        let q = &one - &mass(&rate)?;
        (&mass(&rest)? + &(&q * &mass(&reached)?)).over(&(&one + &q))
    };
    Bound::tight(bits, enclosure).unwrap_or_else(Bound::one)
}

/// A number that the epsilon of t noise does not exceed: `order asinh(D / (2 sqrt(nu)))`, `order = nu + d`.
pub(crate) fn student_t_epsilon(nu: f64, dimension: usize, distance: f64) -> Option<Bound> {
    let bits = BITS + 2 * leading_zeros(distance / (2.0 * nu.sqrt())) + leading_zeros(nu);
    Bound::tight(bits, |bits| {
        let one = Enclosure::one(bits);
        let nu = Enclosure::double(nu, bits);
        let half = Enclosure::double(distance, bits).over(&nu.root().doubled(1))?;
        let order = &nu + &Enclosure::exactly(IBig::from(dimension) << bits, bits);
        Some(&order * &(&half + &(&half.square() + &one).root()).ln()?)
    })
}

/// A number that the delta of a `rho`-zCDP sum does not exceed at this epsilon, given `2 rho` and an order `a = 1 + excess`:
///
/// ```text
/// e^((a - 1)(a rho - epsilon)) (1 - 1/a)^a / (a - 1)
/// ```
///
/// It holds for every `a > 1`, so `excess` is rounded to the grid of the enclosure.
pub(crate) fn zcdp_delta(twice_rho: &Amount, epsilon: &Amount, excess: f64) -> Bound {
    let least = Enclosure::integer(LARGEST_ARGUMENT, 0).negative();
    let logarithm = |bits| {
        let excess = Enclosure::double(excess, bits).highest();
        let order = &Enclosure::one(bits) + &excess;
        let gain = &(&order * &Enclosure::amount(twice_rho, bits).halved(1)) - &Enclosure::amount(epsilon, bits);
        let logarithm = excess.ln()?;
        let loss = &order * &(&logarithm - &order.ln()?);
        Some(&(&(&excess * &gain) + &loss) - &logarithm)
    };
    let delta = |bits: usize| {
        let logarithm: Enclosure = logarithm(bits)?;
        if !logarithm.is_negative() {
            return Some(Enclosure::one(bits));
        }
        let least = Enclosure::exactly(&least.high << bits, bits);
        // a larger number has a larger exponential
        if logarithm.is_at_most(&least) { least.exp() } else { logarithm.exp() }
    };
    Bound::tight(2 * BITS + leading_zeros(excess), delta).unwrap_or_else(Bound::one)
}
