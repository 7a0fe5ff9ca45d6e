//! Exactly rounded K-norm noise on all coordinates together: `round(scale X)`, `X` of density proportional to `exp(-|x|)`.

use dashu_int::UBig;
use dashu_int::ops::SquareRoot;
use rand::Rng;

use crate::calibrate::elliptical::{DensityGenerator, KNorm};
use crate::draw::lazy_uniform::LazyUniform;
use crate::draw::rounded_normal::{NoiseScaleError, RoundedNormal, standard_half_normal};

#[cfg(test)]
#[path = "rounded_k_norm_tests.rs"]
mod tests;

/// The distribution of `round(scale X)`, coordinate by coordinate, for an integer scale and `X` in `R^d` of the spherical law
/// with density proportional to `exp(-|x|)`.
///
/// ```text
/// X = |g| h,    g ~ N(0, I_{d+1}),  h ~ N(0, I_d) independent
/// ```
///
/// The radius `|X|` has the law `Gamma(d, 1)`, and a coordinate the variance `d + 1`. The `2d + 1` normals are drawn exactly, as
/// integer part and as many digits of a fraction as the rounding of every coordinate needs. A double decides only where no rounding
/// error could change the decision. Since `round(s + N) = s + round(N)` for integers `s`, adding this noise to integers is post-processing of the continuous
/// mechanism, which is `Delta / scale`-private for an `l2` sensitivity of `Delta`; see `docs/proofs/pure-epsilon.md`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoundedKNorm {
    law: KNorm,
    /// The normal noise of the same scale. It checks the scale.
    normal: RoundedNormal,
}

impl RoundedKNorm {
    /// Noise of this law and scale, in lattice steps.
    pub fn new(law: KNorm, scale: u64) -> Result<Self, NoiseScaleError> {
        Ok(Self { law, normal: RoundedNormal::new(scale)? })
    }

    /// The least integer scale of at least this many lattice steps.
    pub fn at_least(law: KNorm, scale: f64) -> Result<Self, NoiseScaleError> {
        Ok(Self { law, normal: RoundedNormal::at_least(scale)? })
    }

    /// The law of `X`.
    pub fn law(&self) -> KNorm {
        self.law
    }

    /// The factor of `X`, in lattice steps.
    pub fn scale(&self) -> u64 {
        self.normal.scale()
    }

    /// The variance of one coordinate, in squared lattice steps. Rounding adds that of a uniform deviate, up to terms that vanish
    /// with the scale.
    pub fn variance(&self) -> f64 {
        (self.scale() as f64).powi(2) * self.law.coordinate_variance() + 1.0 / 12.0
    }

    /// Draws one value for each coordinate.
    pub fn sample<R: Rng + ?Sized>(&self, randomness: &mut R) -> Vec<i128> {
        let dimension = self.law.dimension();
        let mut radius = Radius::new(dimension + 1, randomness);
        let coordinate = |_| {
            let mut deviate = Deviate::new(randomness);
            let magnitude = radius.round_product(self.scale(), &mut deviate, randomness);
            signed(magnitude, randomness)
        };
        (0..dimension).map(coordinate).collect()
    }
}

/// A magnitude with a fair sign.
pub(super) fn signed<R: Rng + ?Sized>(magnitude: i128, randomness: &mut R) -> i128 {
    if randomness.next_u32() & 1 == 0 { magnitude } else { -magnitude }
}

/// `round(x / 2)` of `x = sqrt(square / 2^places)`, halves upwards: `floor((floor(x) + 1) / 2)`, as the root of an integer part is the
/// integer part of the root.
pub(super) fn rounded_half_root(square: UBig, places: usize) -> UBig {
    ((square >> places).sqrt() + UBig::ONE) >> 1
}

/// `|X|` of a standard normal `X`, of which only the digits that are needed are drawn.
pub(super) struct Deviate {
    whole: u64,
    fraction: LazyUniform,
}

impl Deviate {
    pub(super) fn new<R: Rng + ?Sized>(randomness: &mut R) -> Self {
        let (whole, fraction) = standard_half_normal(randomness);
        Self { whole, fraction }
    }

    /// A uniform deviate in `[0, 1)` in place of the normal one.
    pub(super) fn uniform<R: Rng + ?Sized>(randomness: &mut R) -> Self {
        Self { whole: 0, fraction: LazyUniform::new(randomness) }
    }

    /// The size by its first digit: within a relative `2^-52` and `2^-64`.
    fn nearly(&self) -> f64 {
        const STEP: f64 = 1.0 / (1_u64 << 32) as f64;
        self.whole as f64 + self.fraction.first as f64 * STEP * STEP
    }

    /// The squares of the ends of the interval that so many digits leave, in units of `2^(-128 digits)`.
    pub(super) fn squares<R: Rng + ?Sized>(&mut self, digits: usize, randomness: &mut R) -> (UBig, UBig) {
        let known = (0..digits).fold(UBig::from(self.whole), |known, index| {
            (known << 64) + UBig::from(self.fraction.word(index, randomness))
        });
        let next = &known + UBig::ONE;
        (&known * &known, &next * &next)
    }
}

/// `|g|`, by the normals that it is made of.
pub(super) struct Radius {
    deviates: Vec<Deviate>,
    /// By their first digits.
    nearly: f64,
    /// The ends of `|g|^2` for 1, 2, 4, ... digits, as far as they were needed.
    squares: Vec<(UBig, UBig)>,
}

impl Radius {
    pub(super) fn new<R: Rng + ?Sized>(normals: usize, randomness: &mut R) -> Self {
        Self::of((0..normals).map(|_| Deviate::new(randomness)).collect())
    }

    pub(super) fn of(deviates: Vec<Deviate>) -> Self {
        let nearly = deviates.iter().map(|deviate| deviate.nearly().powi(2)).sum::<f64>().sqrt();
        Self { deviates, nearly, squares: Vec::new() }
    }

    /// The ends of `|g|^2` that `2^doublings` digits leave; asked for in order.
    pub(super) fn squares<R: Rng + ?Sized>(&mut self, doublings: usize, randomness: &mut R) -> &(UBig, UBig) {
        while self.squares.len() <= doublings {
            let digits = 1 << self.squares.len();
            let nothing = (UBig::ZERO, UBig::ZERO);
            let each = self.deviates.iter_mut().map(|deviate| deviate.squares(digits, randomness));
            self.squares.push(each.fold(nothing, |(low, high), (least, most)| (low + least, high + most)));
        }
        &self.squares[doublings]
    }

    /// `round(scale |g| h)` for a deviate `h`, if the first digits decide it in spite of rounding errors.
    ///
    /// A root of a sum of `n` squares of doubles and two products have a relative error below `(n + 16) 2^-53`. What the first digits
    /// leave of the deviates, `2^-64` each, moves `|g|` by at most `sqrt(n) 2^-64` and `h` by `2^-64`. The margin is at least eight times
    /// as large.
    fn clearly_rounded(&self, scale: u64, deviate: &Deviate) -> Option<i128> {
        const LARGEST: f64 = (1_u64 << 48) as f64;
        const RELATIVE: f64 = 1.0 / (1_u64 << 50) as f64;
        const ABSOLUTE: f64 = 1.0 / (1_u64 << 60) as f64;
        let (scale, h, n) = (scale as f64, deviate.nearly(), self.deviates.len() as f64);
        let product = scale * self.nearly * h;
        let margin = (n + 64.0) * RELATIVE * product + scale * (self.nearly + n * h) * ABSOLUTE;
        let (below, above) = ((product - margin + 0.5).floor(), (product + margin + 0.5).floor());
        #[allow(clippy::cast_possible_truncation, reason = "an integer below 2^48")]
        (below == above && above < LARGEST).then_some(above as i128)
    }

    /// `round(scale |g| h)` for a deviate `h`: digits are drawn until both ends of the interval round to the same integer.
    pub(super) fn round_product<R: Rng + ?Sized>(
        &mut self,
        scale: u64,
        deviate: &mut Deviate,
        randomness: &mut R,
    ) -> i128 {
        if let Some(rounded) = self.clearly_rounded(scale, deviate) {
            return rounded;
        }
        self.between_ends(scale, deviate, randomness)
    }

    /// The same between the ends of intervals alone.
    fn between_ends<R: Rng + ?Sized>(&mut self, scale: u64, deviate: &mut Deviate, randomness: &mut R) -> i128 {
        let factor = (UBig::from(scale) * UBig::from(scale)) << 2;
        let mut doublings = 0;
        loop {
            let digits = 1 << doublings;
            let (low, high) = self.squares(doublings, randomness);
            let (least, most) = deviate.squares(digits, randomness);
            let rounded = |square: UBig| rounded_half_root(square * &factor, 256 * digits);
            let (below, above) = (rounded(low * least), rounded(high * most));
            if below == above {
                // far outside the words of any sum, where it is clamped
                return i128::try_from(below).unwrap_or(i128::MAX);
            }
            doublings += 1;
        }
    }
}
