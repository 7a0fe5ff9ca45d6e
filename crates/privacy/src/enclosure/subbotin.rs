//! The profile of Subbotin noise, enclosed.

use dashu_int::IBig;

use super::{Bound, Enclosure};
use crate::exact_sampling::decode;

/// The digits that are enough for a moderate epsilon, where neither delta nor the distance is small.
const BITS: usize = 128;

/// How far, in units of `2^-bits`, the ends of the bracket of the threshold are from its middle: half of the digits.
const BRACKET: usize = 2;

/// Newton's method doubles the digits of a double in each step.
const MOST_STEPS: usize = 8;

/// Beyond this sum of epsilon and `|x + d|^r / r` nothing is enclosed: at an epsilon of 50 and a delta of 1e-15 it is below 150.
const LARGEST_REACH: f64 = 400.0;

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
/// delta = Q(x) - e^epsilon Q(x + d) <= Q(a) - e^epsilon Q(b + d)    for a <= x <= b
/// ```
///
/// `Q` is the upper tail. `L(a) <= epsilon <= L(b)` is verified by enclosures of `L`.
pub(crate) fn subbotin_delta(shape: f64, epsilon: f64, distance: f64, threshold: f64) -> Option<Bound> {
    let reach = if epsilon == 0.0 { distance } else { (threshold + distance).abs().powf(shape) / shape };
    if !(reach + epsilon < LARGEST_REACH && (1e-100..1e3).contains(&distance)) {
        return None;
    }
    // what is cancelled in Q(a) - e^epsilon Q(b + d), and the digits of tails
    let small = 2.0 * (-distance.log2()).max(0.0) + 1.45 * (reach + epsilon);
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
            return self.lower_at(&distance.halved(1))?.over(&complete);
        }
        let (from, to) = self.bracket(&grown, &distance, threshold)?;
        let near = self.doubled_tail(&from, &complete)?;
        let far = self.doubled_tail(&(&to + &distance), &complete)?;
        (&near - &(&grown.exp()? * &far)).halved(1).over(&complete)
    }

    /// Two numbers around the threshold, from Newton's method in this precision.
    fn bracket(&self, epsilon: &Enclosure, distance: &Enclosure, near: f64) -> Option<(Enclosure, Enclosure)> {
        let width = Enclosure::exactly(IBig::ONE << (self.bits / BRACKET), self.bits);
        let mut middle = Enclosure::double(near, self.bits).lowest();
        for _ in 0..MOST_STEPS {
            let (log_ratio, slope) = self.log_ratio(&middle, distance)?;
            let step = (&log_ratio - epsilon).over(&slope.highest())?.highest();
            middle = &middle - &step;
            if step.size() << 1 <= width.high {
                break;
            }
        }
        let (from, to) = (&middle - &width, &middle + &width);
        let is_around = self.log_ratio(&from, distance)?.0.is_at_most(epsilon)
            && epsilon.is_at_most(&self.log_ratio(&to, distance)?.0);
        is_around.then_some((from, to))
    }

    /// `L(t)` and `L'(t) = s(t + d) - s(t)`, where `s` is the slope of `|t|^r / r`.
    fn log_ratio(&self, t: &Enclosure, distance: &Enclosure) -> Option<(Enclosure, Enclosure)> {
        let far = t + distance;
        let (at_far, at_near) = (self.exponent(&far)?, self.exponent(t)?);
        let slope = &self.slope(&far, &at_far) - &self.slope(t, &at_near);
        Some((&at_far - &at_near, slope))
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

    /// `gamma(a, |t|^r / r)`, for an exact `t`.
    fn lower_at(&self, t: &Enclosure) -> Option<Enclosure> {
        self.lower(&self.exponent(t)?, &without_sign(t).over(&self.root)?)
    }

    /// `2 Gamma(1/r) P(X > t)`, given `Gamma(1/r)`.
    fn doubled_tail(&self, t: &Enclosure, complete: &Enclosure) -> Option<Enclosure> {
        let lower = self.lower_at(t)?;
        Some(if t.is_negative() { complete + &lower } else { complete - &lower })
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

    /// `Gamma(a)` for `a <= 1`: `gamma(a, z)` and a rest of at most `e^-z`, for `z >= 1`.
    fn complete(&self) -> Option<Enclosure> {
        let z = Enclosure::integer(u64::try_from(self.bits).unwrap_or(u64::MAX) * 7 / 10, self.bits);
        let rest = z.negative().exp()?;
        Some(self.lower(&z, &z.power(&self.inverse)?)?.raised_by(&rest.high))
    }
}

/// `|t|`, for an exact `t`.
fn without_sign(t: &Enclosure) -> Enclosure {
    if t.is_negative() { t.negative() } else { t.clone() }
}
