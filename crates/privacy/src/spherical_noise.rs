//! Spherical noise on lattice sums, in floating point.

use rand::CryptoRng;

use crate::elliptical::{DensityGenerator, EllipticalError, KNorm, StudentT};
use crate::word::Word;

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

    /// Noise of this law and scale, in lattice steps.
    ///
    /// # Errors
    /// [`EllipticalError::Scale`] unless the scale is positive and finite.
    pub fn new(law: SphericalLaw, scale: f64) -> Result<Self, EllipticalError> {
        if scale.is_finite() && scale > 0.0 {
            Ok(Self { law, scale })
        } else {
            Err(EllipticalError::Scale { value: scale })
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
        self.scale * self.scale * self.law.coordinate_variance()
    }

    /// Adds one draw. Noise that was calibrated for another number of coordinates drowns everything rather than protect too
    /// little.
    pub(crate) fn add_to<W: Word, R: CryptoRng + ?Sized>(&self, exact: &mut [W], randomness: &mut R) {
        if exact.len() != self.dimension() {
            drown(exact);
            return;
        }
        for (value, x) in exact.iter_mut().zip(self.law.draw(randomness)) {
            #[allow(clippy::cast_possible_truncation, reason = "casts of floats saturate")]
            let noise = (self.scale * x).round() as i128;
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{SphericalLaw, SphericalNoise};
    use crate::elliptical::{KNorm, StudentT};
    use crate::randomness::SeededRandomness;

    fn laws(dimension: usize) -> [SphericalLaw; 2] {
        [
            SphericalLaw::KNorm(KNorm::new(dimension).unwrap()),
            SphericalLaw::StudentT(StudentT::new(7.0, dimension).unwrap()),
        ]
    }

    #[test]
    fn draws_have_the_stated_variance() {
        for law in laws(3) {
            let noise = SphericalNoise::calibrated(law, 1e6, 1.0).unwrap();
            let mut randomness = SeededRandomness::from_seed(2);
            let draws = 100_000_u32;
            let mut draw = || {
                let mut draw = [0_i64; 3];
                noise.add_to(&mut draw, &mut randomness);
                draw
            };
            let squares = (0..draws).flat_map(|_| draw()).map(|x| (x as f64).powi(2));
            let found = squares.sum::<f64>() / f64::from(3 * draws);
            assert!((found / noise.variance() - 1.0).abs() < 0.05, "{found:e} for {:e}", noise.variance());
        }
    }

    #[test]
    fn a_budget_that_is_none_is_refused() {
        for law in laws(2) {
            for epsilon in [0.0, -1.0, f64::NAN, f64::INFINITY] {
                assert!(SphericalNoise::calibrated(law, 1e6, epsilon).is_err());
            }
        }
    }
}
