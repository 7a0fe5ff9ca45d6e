//! The noise of mechanisms that add some to exact sums.

use std::iter::repeat_n;

use dpfda_privacy::{Cylinder, DensityGenerator, Noise, NormalBlock, Randomness, SphericalLaw};

use crate::error::AuditError;

/// The noise of a mechanism that adds some.
#[derive(Debug, Clone)]
pub(crate) struct AddedNoise {
    /// As it was calibrated, or as a document states it: a random scale is drawn anew for each release.
    pub(crate) noise: Noise,
    /// Whether 128 bits are drawn for an identifier between the random scale and the noise.
    pub(crate) is_of_path: bool,
}

impl AddedNoise {
    /// The noise of a mechanism that draws nothing else.
    pub(crate) fn plain(noise: &Noise) -> Self {
        Self { noise: noise.clone(), is_of_path: false }
    }

    /// Adds one draw to exact sums, and says at what scale.
    pub(crate) fn add_to<R: Randomness>(&self, exact: &mut [i64], randomness: &mut R) -> f64 {
        let noise = self.noise.realised(randomness);
        if self.is_of_path {
            let _identifier = (randomness.next_u64(), randomness.next_u64());
        }
        noise.add_to(exact, randomness);
        noise.scale()
    }

    /// In lattice steps; for a mixture the scale at `V = 1`.
    pub(crate) fn scale(&self) -> f64 {
        self.noise.scale()
    }

    /// What exact sums this far apart cost: an epsilon for pure noise, a `mu` or a distance for normal noise.
    pub(crate) fn loss(&self, difference: &[i64]) -> Result<f64, AuditError> {
        if difference.iter().all(|d| *d == 0) {
            return Ok(0.0);
        }
        Ok(match &self.noise {
            Noise::Gaussian(blocks) => euclidean(&in_units(blocks, &doubles(difference))) / self.scale(),
            Noise::RandomScale(_) => euclidean(&doubles(difference)) / self.scale(),
            Noise::DiscreteLaplace(_) => absolute(difference) / self.scale(),
            Noise::Cylinder(_) => Cylinder::norm(&doubles(difference)) / self.scale(),
            Noise::Spherical(noise) => {
                generator(&noise.law()).epsilon_of(euclidean(&doubles(difference)), noise.scale())?
            }
        })
    }
}

pub(crate) fn generator(law: &SphericalLaw) -> &dyn DensityGenerator {
    match law {
        SphericalLaw::KNorm(law) => law,
        SphericalLaw::StudentT(law) => law,
    }
}

pub(crate) fn euclidean(difference: &[f64]) -> f64 {
    difference.iter().map(|d| d.powi(2)).sum::<f64>().sqrt()
}

/// A sum of few records fits.
pub(crate) fn in_64_bits(word: i128) -> i64 {
    i64::try_from(word).unwrap_or(if word < 0 { i64::MIN } else { i64::MAX })
}

pub(crate) fn doubles(integers: &[i64]) -> Vec<f64> {
    integers.iter().map(|k| *k as f64).collect()
}

/// Each coordinate divided by how many times as large its noise is as that of the first block.
pub(crate) fn in_units(blocks: &[NormalBlock], coordinates: &[f64]) -> Vec<f64> {
    let first = blocks.first().map_or(1.0, |block| block.normal.scale() as f64);
    let ratios = blocks.iter().flat_map(|block| repeat_n(first / block.normal.scale() as f64, block.length));
    coordinates.iter().zip(ratios).map(|(x, ratio)| x * ratio).collect()
}

fn absolute(difference: &[i64]) -> f64 {
    difference.iter().map(|d| d.unsigned_abs() as f64).sum()
}
