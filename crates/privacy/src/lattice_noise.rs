//! Noise that can be added to a lattice sum.

use rand::CryptoRng;

use crate::discrete_laplace::DiscreteLaplace;
use crate::rounded_normal::RoundedNormal;

#[cfg(test)]
mod tests;

/// Integer noise for all coordinates of a [`LatticeSum`](crate::LatticeSum) at once.
///
/// Only the laws of this crate implement it: what [`LatticeSum::perturb`](crate::LatticeSum::perturb) adds is always one of
/// those whose privacy is proved here.
pub trait LatticeNoise: sealed::Sealed {
    /// Adds one draw of noise, in lattice steps, to exact sums: **this crosses the privacy boundary**.
    ///
    /// What does not fit in 64 bits is clamped: a fixed function of the noisy value, and so post-processing.
    fn add_to<R: CryptoRng + ?Sized>(&self, exact: &mut [i64], randomness: &mut R);
}

impl LatticeNoise for RoundedNormal {
    fn add_to<R: CryptoRng + ?Sized>(&self, exact: &mut [i64], randomness: &mut R) {
        for value in exact {
            *value = noisy(*value, self.sample(randomness));
        }
    }
}

impl LatticeNoise for DiscreteLaplace {
    fn add_to<R: CryptoRng + ?Sized>(&self, exact: &mut [i64], randomness: &mut R) {
        for value in exact {
            *value = noisy(*value, self.sample(randomness));
        }
    }
}

/// The sum in 64 bits, clamped.
pub(crate) fn noisy(exact: i64, noise: i128) -> i64 {
    let noisy = i128::from(exact).saturating_add(noise);
    i64::try_from(noisy).unwrap_or(if noisy > 0 { i64::MAX } else { i64::MIN })
}

pub(crate) mod sealed {
    pub trait Sealed {}

    impl Sealed for crate::discrete_laplace::DiscreteLaplace {}
    impl Sealed for crate::rounded_normal::RoundedNormal {}
}
