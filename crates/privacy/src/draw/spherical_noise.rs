//! Spherical noise on lattice sums.

use rand::CryptoRng;

use crate::body::word::Word;
use crate::budget::arithmetic::Arithmetic;
use crate::calibrate::elliptical::{DensityGenerator, EllipticalError, KNorm, StudentT};
use crate::draw::noise_error::NoiseError;
use crate::draw::rounded_k_norm::RoundedKNorm;

#[cfg(test)]
#[path = "spherical_noise_tests.rs"]
mod tests;

/// A spherical law with pure differential privacy and a sampler.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SphericalLaw {
    /// Density proportional to `exp(-|x|)`: drawn exactly, by [`RoundedKNorm`].
    KNorm(KNorm),
    /// Multivariate t: drawn in floating point.
    StudentT(StudentT),
}

/// Noise of a spherical law and a scale in lattice steps, rounded to the lattice.
///
/// Rounding is post-processing, and leaves values on one public lattice whatever the data are. K-norm noise has an integer scale and
/// is exact. t noise is drawn in doubles: a release with it is stamped [`Arithmetic::Idealised`].
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
}

impl SphericalNoise {
    /// The smallest scale that makes a lattice sum of this Euclidean sensitivity (in lattice steps) `epsilon`-private.
    ///
    /// Coordinates of the sum, with the count where that is one, must be as many as the law's dimension.
    ///
    /// # Errors
    /// [`NoiseError::Elliptical`] for a sensitivity or an epsilon that is not positive, [`NoiseError::Scale`] for K-norm noise beyond
    /// `2^56` lattice steps.
    pub fn calibrated(law: SphericalLaw, sensitivity: f64, epsilon: f64) -> Result<Self, NoiseError> {
        let scale = law.generator().scale_for(sensitivity, epsilon)?;
        Ok(match law {
            SphericalLaw::KNorm(k_norm) => Self::exact(RoundedKNorm::at_least(k_norm, scale)?),
            SphericalLaw::StudentT(_) => Self { law, scale },
        })
    }

    /// Noise of this law and scale, in lattice steps.
    ///
    /// # Errors
    /// [`NoiseError::Elliptical`] unless the scale is positive and finite, and whole for K-norm noise; [`NoiseError::Scale`] for
    /// K-norm noise beyond `2^56` lattice steps.
    pub fn new(law: SphericalLaw, scale: f64) -> Result<Self, NoiseError> {
        let noise = match law {
            SphericalLaw::KNorm(k_norm) => Self::exact(RoundedKNorm::at_least(k_norm, scale)?),
            SphericalLaw::StudentT(_) => Self { law, scale },
        };
        // a scale that was rounded is not the one that was stated
        let is_stated = noise.scale == scale && scale.is_finite() && scale > 0.0;
        if is_stated { Ok(noise) } else { Err(EllipticalError::Scale { value: scale }.into()) }
    }

    fn exact(noise: RoundedKNorm) -> Self {
        Self { law: SphericalLaw::KNorm(noise.law()), scale: noise.scale() as f64 }
    }

    /// The exact noise of K-norm noise.
    fn rounded(&self) -> Option<RoundedKNorm> {
        match self.law {
            SphericalLaw::KNorm(law) => RoundedKNorm::at_least(law, self.scale).ok(),
            SphericalLaw::StudentT(_) => None,
        }
    }

    /// Whether the guarantee holds to the last bit.
    pub fn arithmetic(&self) -> Arithmetic {
        match self.law {
            SphericalLaw::KNorm(_) => Arithmetic::Exact,
            SphericalLaw::StudentT(_) => Arithmetic::Idealised,
        }
    }

    /// The law.
    pub fn law(&self) -> SphericalLaw {
        self.law
    }

    /// The number of coordinates that the law is one of.
    pub fn dimension(&self) -> usize {
        self.law.generator().dimension()
    }

    /// The scale, in lattice steps.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The variance of one coordinate, in squared lattice steps; infinite for t noise with `nu <= 2`.
    pub fn variance(&self) -> f64 {
        match self.law {
            SphericalLaw::KNorm(_) => self.rounded().map_or(f64::INFINITY, |noise| noise.variance()),
            SphericalLaw::StudentT(law) => self.scale * self.scale * law.coordinate_variance(),
        }
    }

    /// Adds one draw. Noise that was calibrated for another number of coordinates drowns everything rather than protect too
    /// little.
    pub(crate) fn add_to<W: Word, R: CryptoRng + ?Sized>(&self, exact: &mut [W], randomness: &mut R) {
        if exact.len() != self.dimension() {
            drown(exact);
            return;
        }
        let noise = match self.law {
            SphericalLaw::KNorm(_) => match self.rounded() {
                Some(noise) => noise.sample(randomness),
                None => return drown(exact),
            },
            #[allow(clippy::cast_possible_truncation, reason = "casts of floats saturate")]
            SphericalLaw::StudentT(law) => {
                law.draw_spherical(randomness).into_iter().map(|x| (self.scale * x).round() as i128).collect()
            }
        };
        for (value, noise) in exact.iter_mut().zip(noise) {
            *value = value.with_noise(noise);
        }
    }
}

/// Makes every word the largest, whatever it was.
pub(crate) fn drown<W: Word>(words: &mut [W]) {
    for word in words {
        *word = word.with_noise(i128::MAX).with_noise(i128::MAX);
    }
}
