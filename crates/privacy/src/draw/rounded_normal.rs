//! The exactly rounded normal: `round(sigma X)` for an integer `sigma` and an exactly standard normal `X`.

use rand::Rng;
use thiserror::Error;

use crate::draw::lazy_uniform::{LazyUniform, round_scaled, uniform_below};

#[cfg(test)]
#[path = "rounded_normal_tests.rs"]
mod tests;

/// The distribution of `round(sigma X)`, `X ~ N(0, 1)`, for an integer `sigma`.
///
/// ```text
/// P(k) = Phi((k + 1/2) / sigma) - Phi((k - 1/2) / sigma)
/// ```
///
/// The sampler is that of Karney (2016, Algorithm N). It draws `X` exactly, as an integer part and as many bits of a
/// fraction as the decisions need. No floating-point number is formed. Since `round(s + G) = s + round(G)` for an
/// integer `s`, adding this noise to integers is post-processing of the ideal Gaussian mechanism; see
/// `docs/proofs/exact-noise.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoundedNormal {
    scale: u64,
}

/// Why a noise scale was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum NoiseScaleError {
    #[error("the noise scale must be at least 1 lattice step")]
    Zero,
    #[error(
        "this budget needs noise beyond 2^56 lattice steps: nothing of the data would be left; use a larger epsilon or delta"
    )]
    TooLarge,
}

/// The largest scale. It leaves 128 standard deviations before a noisy sum is clamped to 64 bits.
const LARGEST_SCALE: u64 = 1 << 56;

impl RoundedNormal {
    /// Makes noise of standard deviation `scale`, in lattice steps.
    pub fn new(scale: u64) -> Result<Self, NoiseScaleError> {
        match scale {
            0 => Err(NoiseScaleError::Zero),
            1..=LARGEST_SCALE => Ok(Self { scale }),
            _ => Err(NoiseScaleError::TooLarge),
        }
    }

    /// The smallest integer scale of at least this many lattice steps, and of at least 1.
    pub fn at_least(scale: f64) -> Result<Self, NoiseScaleError> {
        if scale.is_nan() || scale > LARGEST_SCALE as f64 {
            return Err(NoiseScaleError::TooLarge);
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an integer in [1, 2^56]")]
        let whole = scale.ceil().max(1.0) as u64;
        Self::new(whole)
    }

    /// The standard deviation of the normal before rounding, in lattice steps.
    pub fn scale(&self) -> u64 {
        self.scale
    }

    /// Draws one value.
    pub fn sample<R: Rng + ?Sized>(&self, randomness: &mut R) -> i128 {
        let (whole, mut fraction) = standard_half_normal(randomness);
        let magnitude = round_scaled(self.scale, whole, &mut fraction, randomness);
        if randomness.next_u32() & 1 == 0 { magnitude } else { -magnitude }
    }
}

/// Draws `|X|` for a standard normal `X`, as integer part and lazy fraction (Karney 2016, Algorithm N).
pub(crate) fn standard_half_normal<R: Rng + ?Sized>(randomness: &mut R) -> (u64, LazyUniform) {
    loop {
        let mut whole = 0_u64;
        while inverse_root_e(randomness) {
            whole += 1;
        }
        // keeps `whole` with probability exp(-whole (whole - 1) / 2)
        if whole > 1 && !(0..whole.saturating_mul(whole - 1)).all(|_| inverse_root_e(randomness)) {
            continue;
        }
        let mut fraction = LazyUniform::new(randomness);
        // keeps `fraction` with probability exp(-fraction (2 whole + fraction) / 2)
        if (0..=whole).all(|_| fraction_trial(whole, &mut fraction, randomness)) {
            return (whole, fraction);
        }
    }
}

/// True with probability `exp(-1/2)`: a descending run of uniforms from 1/2 has even length (von Neumann 1951).
fn inverse_root_e<R: Rng + ?Sized>(randomness: &mut R) -> bool {
    let mut previous = randomness.next_u64();
    if previous >> 63 == 1 {
        return true;
    }
    let mut even = false;
    loop {
        let next = randomness.next_u64();
        if next >= previous {
            return if next > previous { even } else { run_from_equal(next, even, randomness) };
        }
        previous = next;
        even = !even;
    }
}

/// The rest of a run whose last two deviates begin with the same digit.
#[cold]
fn run_from_equal<R: Rng + ?Sized>(first: u64, mut even: bool, randomness: &mut R) -> bool {
    let (mut previous, mut next) = (LazyUniform::beginning(first), LazyUniform::beginning(first));
    while next.is_below(&mut previous, randomness) {
        previous = next;
        even = !even;
        next = LazyUniform::new(randomness);
    }
    even
}

/// True with probability `exp(-x (2k + x) / (2k + 2))`: the same run from `x`, each step kept with probability
/// `(2k + x) / (2k + 2)`.
#[inline]
fn fraction_trial<R: Rng + ?Sized>(k: u64, x: &mut LazyUniform, randomness: &mut R) -> bool {
    let mut previous = x.first;
    let mut is_first = true;
    let mut even = true;
    loop {
        let next = randomness.next_u64();
        if next >= previous {
            let before = (!is_first).then_some(previous);
            return if next > previous { even } else { trial_from_equal(k, x, before, next, even, randomness) };
        }
        if !step_is_kept(k, x, randomness) {
            return even;
        }
        (previous, is_first, even) = (next, false, !even);
    }
}

/// The rest of a trial whose next deviate begins with the same digit as the one before, which is `x` where none is given.
#[cold]
fn trial_from_equal<R: Rng + ?Sized>(
    k: u64,
    x: &mut LazyUniform,
    before: Option<u64>,
    first: u64,
    mut even: bool,
    randomness: &mut R,
) -> bool {
    let (mut run, mut next) = (before.map(LazyUniform::beginning), LazyUniform::beginning(first));
    loop {
        let below = match &mut run {
            None => next.is_below(x, randomness),
            Some(previous) => next.is_below(previous, randomness),
        };
        if !(below && step_is_kept(k, x, randomness)) {
            return even;
        }
        run = Some(next);
        even = !even;
        next = LazyUniform::new(randomness);
    }
}

/// True with probability `(2k + x) / (2k + 2)`.
#[inline]
fn step_is_kept<R: Rng + ?Sized>(k: u64, x: &mut LazyUniform, randomness: &mut R) -> bool {
    let choice = uniform_below(2 * k + 2, randomness);
    choice < 2 * k || (choice == 2 * k && x.is_above(randomness.next_u64(), randomness))
}
