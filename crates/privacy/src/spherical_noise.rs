//! Spherical noise on lattice sums, in floating point.

use rand::CryptoRng;

use crate::elliptical::{DensityGenerator, EllipticalError, KNorm, StudentT};
use crate::lattice_noise::{LatticeNoise, noisy, sealed};

#[cfg(test)]
mod tests;

/// A spherical law with pure differential privacy and a sampler.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SphericalLaw {
    /// Density proportional to `exp(-|x|)`.
    KNorm(KNorm),
    /// Multivariate t.
    StudentT(StudentT),
}

/// Noise of a spherical law and a scale in lattice steps, rounded to the lattice.
///
/// Rounding is post-processing, and leaves values on one public lattice whatever the data are. But the law is drawn in
/// doubles: a release with this noise must be stamped [`Arithmetic::Idealised`](crate::Arithmetic::Idealised).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SphericalNoise {
    law: SphericalLaw,
    scale: f64,
}

impl SphericalLaw {
    fn generator(&self) -> &dyn DensityGenerator {
        match self {
            Self::KNorm(law) => law,
            Self::StudentT(law) => law,
        }
    }

    /// The variance of one coordinate at scale 1; infinite for t noise with `nu <= 2`.
    fn coordinate_variance(&self) -> f64 {
        match self {
            Self::KNorm(law) => law.coordinate_variance(),
            Self::StudentT(law) => law.coordinate_variance(),
        }
    }

    fn draw<R: CryptoRng + ?Sized>(&self, randomness: &mut R) -> Vec<f64> {
        match self {
            Self::KNorm(law) => law.draw_spherical(randomness),
            Self::StudentT(law) => law.draw_spherical(randomness),
        }
    }
}

impl SphericalNoise {
    /// The smallest scale that makes a lattice sum of this Euclidean sensitivity (in lattice steps) `epsilon`-private.
    ///
    /// Coordinates of the sum, with the count where that is one, must be as many as the law's dimension.
    ///
    /// # Errors
    /// [`EllipticalError`] for a sensitivity or an epsilon that is not positive.
    pub fn calibrated(law: SphericalLaw, sensitivity: f64, epsilon: f64) -> Result<Self, EllipticalError> {
        Ok(Self { law, scale: law.generator().scale_for(sensitivity, epsilon)? })
    }

    /// The scale, in lattice steps.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The variance of one coordinate, in squared lattice steps; infinite for t noise with `nu <= 2`.
    pub fn variance(&self) -> f64 {
        self.scale * self.scale * self.law.coordinate_variance()
    }
}

impl sealed::Sealed for SphericalNoise {}

impl LatticeNoise for SphericalNoise {
    fn add_to<R: CryptoRng + ?Sized>(&self, exact: &mut [i64], randomness: &mut R) {
        if exact.len() != self.law.generator().dimension() {
            // Calibrated for another number of coordinates: drown everything rather than protect too little.
            exact.fill(i64::MAX);
            return;
        }
        for (value, x) in exact.iter_mut().zip(self.law.draw(randomness)) {
            #[allow(clippy::cast_possible_truncation, reason = "casts of floats saturate")]
            let noise = (self.scale * x).round() as i128;
            *value = noisy(*value, noise);
        }
    }
}
