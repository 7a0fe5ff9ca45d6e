//! Noise that can be added to a lattice sum.

use rand::CryptoRng;

use crate::discrete_laplace::DiscreteLaplace;
use crate::rounded_normal::RoundedNormal;

/// Integer noise for all coordinates of a [`LatticeSum`](crate::LatticeSum) at once.
///
/// Only the laws of this crate implement it: what [`LatticeSum::perturb`](crate::LatticeSum::perturb) adds is always one of
/// those whose privacy is proved here.
pub trait LatticeNoise: sealed::Sealed {
    /// One draw of noise for so many coordinates, in lattice steps.
    fn draw<R: CryptoRng + ?Sized>(&self, coordinates: usize, randomness: &mut R) -> Vec<i128>;
}

impl LatticeNoise for RoundedNormal {
    fn draw<R: CryptoRng + ?Sized>(&self, coordinates: usize, randomness: &mut R) -> Vec<i128> {
        (0..coordinates).map(|_| self.sample(randomness)).collect()
    }
}

impl LatticeNoise for DiscreteLaplace {
    fn draw<R: CryptoRng + ?Sized>(&self, coordinates: usize, randomness: &mut R) -> Vec<i128> {
        (0..coordinates).map(|_| self.sample(randomness)).collect()
    }
}

pub(crate) mod sealed {
    pub trait Sealed {}

    impl Sealed for crate::discrete_laplace::DiscreteLaplace {}
    impl Sealed for crate::rounded_normal::RoundedNormal {}
}
