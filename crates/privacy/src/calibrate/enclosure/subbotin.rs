//! The profile of Subbotin noise, enclosed.

use dashu_int::IBig;

use super::{Bound, Enclosure, decode};

/// The digits that are enough for a moderate epsilon, where neither delta nor the distance is small.
const BITS: usize = 128;

/// Newton's method doubles the digits of a double in each step.
const MOST_STEPS: usize = 8;

/// So many digits of delta are not needed: Newton's method stops where what is left of the threshold is below them.
const SPARE: usize = 56;

/// Beyond this sum of epsilon and `|x + d|^r / r` nothing is enclosed: at an epsilon of 50 and a delta of 1e-15 it is below 150.
const LARGEST_REACH: f64 = 400.0;

/// From here on the upper incomplete gamma function comes from its continued fraction; below it, from the power series.
const FRACTION_FROM: u64 = 16;

/// Noise of density proportional to `exp(-|x|^r / r)`.
struct Subbotin {
    shape: Enclosure,
    /// The shape as a fraction of integers.
    numerator: u64,
    denominator: u64,
    /// `a = 1 / r`, the shape of the gamma law of `z = |X|^r / r`.
    inverse: Enclosure,
    /// `r^a`: `z^a` is `|X|` divided by it.
    root: Enclosure,
    bits: usize,
}

/// A number that `delta(epsilon)` of Subbotin noise of this shape does not exceed at this distance, given a point near the
/// threshold `x` with `L(x) = epsilon`, where `L(t) = (|t + d|^r - |t|^r) / r` increases.
///
/// ```text
/// D(t) <= delta <= D(t) + e^|L(t) - epsilon| - 1,    D(t) = Q(t) - e^epsilon Q(t + d),    for every t
/// ```
///
/// `Q` is the upper tail. So the point may be any.
pub(crate) fn subbotin_delta(shape: f64, epsilon: f64, distance: f64, threshold: f64) -> Option<Bound> {
    let exponent = |t: f64| t.max(0.0).powf(shape) / shape;
    let reach = if epsilon == 0.0 { distance } else { exponent(threshold + distance) };
    if !(reach + epsilon < LARGEST_REACH && (1e-100..1e3).contains(&distance)) {
        return None;
    }
    // what is cancelled in D(t), the digits of its tails, and those of a series that is multiplied by e^epsilon
    let tail = exponent(threshold) + epsilon.min(FRACTION_FROM as f64);
    let small = 2.0 * (-distance.log2()).max(0.0) + 1.45 * tail;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 4000")]
    let bits = BITS + small as usize;
    Bound::tight(bits, |bits| Subbotin::new(shape, bits)?.profile(epsilon, distance, threshold))
}

impl Subbotin {
    fn new(shape: f64, bits: usize) -> Option<Self> {
        let (mantissa, exponent) = decode(shape);
        let zeros = mantissa.trailing_zeros().min(u32::try_from(-exponent).ok()?);
        let (numerator, places) = (mantissa >> zeros, u32::try_from(-exponent).ok()? - zeros);
        let denominator = 1_u64.checked_shl(places)?;
        let shape = Enclosure::double(shape, bits);
        let inverse = Enclosure::one(bits).over(&shape)?;
        Some(Self { root: shape.power(&inverse)?, inverse, shape, numerator, denominator, bits })
    }

    fn profile(&self, epsilon: f64, distance: f64, threshold: f64) -> Option<Enclosure> {
        let bits = self.bits;
        // delta increases with the distance; every point below is exact
        let (distance, grown) = (Enclosure::double(distance, bits).highest(), Enclosure::double(epsilon, bits));
        let complete = self.complete()?;
        if epsilon == 0.0 {
            // x = -d/2
            let half = distance.halved(1);
            return self.lower(&self.exponent(&half)?, &self.power_of(&half)?)?.over(&complete);
        }
        let least = Enclosure::exactly(IBig::ONE << SPARE, bits);
        let mut t = Enclosure::double(threshold, bits).lowest();
        for _ in 0..MOST_STEPS {
            let far = &t + &distance;
            let (at_near, at_far) = (self.exponent(&t)?, self.exponent(&far)?);
            let excess = &(&at_far - &at_near) - &grown;
            if excess.size() > least.high {
                let slope = &self.slope(&far, &at_far) - &self.slope(&t, &at_near);
                t = &t - &excess.over(&slope.highest())?.highest();
                continue;
            }
            let near = self.doubled_tail(&t, &at_near, &Enclosure::integer(0, bits), &complete)?;
            let far = self.doubled_tail(&far, &at_far, &grown, &complete)?;
            let found = (&near - &far).halved(1).over(&complete)?;
            let missed = Enclosure::exactly(excess.size(), bits).exp()?.high - (IBig::ONE << bits);
            return Some(found.raised_by(&missed));
        }
        None
    }

    /// `r (|t|^r / r) / t`, given the exponent at `t`; 0 at 0.
    fn slope(&self, t: &Enclosure, exponent: &Enclosure) -> Enclosure {
        let rise = &self.shape * exponent;
        if t.is_negative() {
            rise.over(&t.negative()).map_or(rise, |slope| slope.negative())
        } else {
            rise.over(t).unwrap_or(rise)
        }
    }

    /// `|t|^r / r`, for an exact `t`.
    fn exponent(&self, t: &Enclosure) -> Option<Enclosure> {
        without_sign(t).power(&self.shape)?.over(&self.shape)
    }

    /// `(|t|^r / r)^a`, for an exact `t`.
    fn power_of(&self, t: &Enclosure) -> Option<Enclosure> {
        without_sign(t).over(&self.root)
    }

    /// `2 Gamma(a) e^gain P(X > t)`, given `z = |t|^r / r` and `Gamma(a)`.
    fn doubled_tail(&self, t: &Enclosure, z: &Enclosure, gain: &Enclosure, complete: &Enclosure) -> Option<Enclosure> {
        let power = self.power_of(t)?;
        if !t.is_negative() && Enclosure::integer(FRACTION_FROM, self.bits).is_at_most(z) {
            return Some(&(&power * &(gain - z).exp()?) * &self.fraction(z)?);
        }
        let lower = self.lower(z, &power)?;
        let tail = if t.is_negative() { complete + &lower } else { complete - &lower };
        Some(&gain.exp()? * &tail)
    }

    /// `Gamma(a, z) e^z / z^a` from as many levels of its continued fraction as the digits need: with `n` of them the ends are within
    /// about `exp(-4 sqrt(n z))` of each other.
    fn fraction(&self, z: &Enclosure) -> Option<Enclosure> {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 40000")]
        let levels = ((0.174 * self.bits as f64).powi(2) / z.near()) as u64 + 4;
        fraction_of(z, &self.inverse, levels)
    }

    /// `gamma(a, z)`, given `z^a`: from where a term is at most half of the one before, all later ones together are at most the last.
    ///
    /// ```text
    /// z^a e^-z sum_k z^k / (a (a + 1) ... (a + k)),    z / (a + k) = z m / (2^s + k m)    for r = m / 2^s
    /// ```
    fn lower(&self, z: &Enclosure, power: &Enclosure) -> Option<Enclosure> {
        let factor = z.times_integer(self.numerator);
        let doubled = factor.doubled(1);
        let mut divisor = self.denominator;
        let (mut term, mut sum) = (self.shape.clone(), self.shape.clone());
        loop {
            divisor = divisor.checked_add(self.numerator)?;
            term = (&term * &factor).over_integer(divisor);
            sum = &sum + &term;
            if term.high <= IBig::ONE && doubled.is_at_most(&Enclosure::integer(divisor, self.bits)) {
                return (power * &sum.raised_by(&term.high)).over(&z.exp()?);
            }
        }
    }

    /// `Gamma(a) = gamma(a, z) + Gamma(a, z)`, for `a <= 1`.
    fn complete(&self) -> Option<Enclosure> {
        let z = Enclosure::integer(FRACTION_FROM, self.bits);
        let power = z.power(&self.inverse)?;
        let above = &(&power * &z.negative().exp()?) * &self.fraction(&z)?;
        Some(&self.lower(&z, &power)? + &above)
    }
}

/// `|t|`, for an exact `t`.
fn without_sign(t: &Enclosure) -> Enclosure {
    if t.is_negative() { t.negative() } else { t.clone() }
}

/// `Gamma(a, z) e^z / z^a = 1 / (z + (1 - a) R_0)` for `0 < a <= 1`. Every `R_n` is between 0 and 1, the first that is left out as
/// well.
///
/// ```text
/// R_n = 1 / (1 + (n + 1) / (z + (n + 2 - a) R_(n+1)))
/// ```
pub(super) fn fraction_of(z: &Enclosure, a: &Enclosure, levels: u64) -> Option<Enclosure> {
    let one = Enclosure::one(z.bits);
    let mut ratio = Enclosure::integer(0, z.bits).up_to(&one);
    for n in (0..levels).rev() {
        let below = z + &(&(&Enclosure::integer(n + 2, z.bits) - a) * &ratio);
        let next = Enclosure::integer(n + 1, z.bits);
        ratio = &one - &next.over(&(&below + &next))?;
    }
    one.over(&(z + &(&(&one - a) * &ratio)))
}
