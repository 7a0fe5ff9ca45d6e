//! Noise as it stands in a document.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Noise, NoiseError, NormalBlock, RandomScale};
use crate::body::word::ExactInteger;
use crate::calibrate::elliptical::{Cylinder, KNorm, StudentT};
use crate::calibrate::mixing::MixingLaw;
use crate::draw::discrete_laplace::DiscreteLaplace;
use crate::draw::rounded_cylinder::RoundedCylinder;
use crate::draw::rounded_normal::RoundedNormal;
use crate::draw::spherical_noise::{SphericalLaw, SphericalNoise};

#[cfg(test)]
#[path = "document_tests.rs"]
mod tests;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
enum NoiseDocument {
    /// One scale for each block, in lattice steps.
    Gaussian {
        blocks: Vec<BlockDocument>,
    },
    /// The scale `numerator / denominator`, in lattice steps.
    DiscreteLaplace {
        numerator: ExactInteger,
        denominator: ExactInteger,
    },
    KNorm {
        dimension: usize,
        scale: f64,
    },
    /// `coordinates` of the sum, the count left out.
    KNormCylinder {
        coordinates: usize,
        scale: ExactInteger,
    },
    StudentT {
        degrees_of_freedom: f64,
        dimension: usize,
        scale: f64,
    },
    /// `sigma V`, and the scale of the `V` that was drawn.
    RandomScale {
        mixing: MixingLaw,
        sigma: f64,
        drawn: Option<ExactInteger>,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BlockDocument {
    length: usize,
    unit: f64,
    scale: ExactInteger,
}

impl From<&Noise> for NoiseDocument {
    fn from(noise: &Noise) -> Self {
        let integer = |value: u64| ExactInteger(value.into());
        match noise {
            Noise::Gaussian(blocks) => Self::Gaussian {
                blocks: blocks
                    .iter()
                    .map(|NormalBlock { length, unit, normal }| BlockDocument {
                        length: *length,
                        unit: *unit,
                        scale: integer(normal.scale()),
                    })
                    .collect(),
            },
            Noise::DiscreteLaplace(noise) => {
                let (numerator, denominator) = noise.scale();
                Self::DiscreteLaplace { numerator: integer(numerator), denominator: integer(denominator) }
            }
            Noise::Spherical(noise) => match noise.law() {
                SphericalLaw::KNorm(_) => Self::KNorm { dimension: noise.dimension(), scale: noise.scale() },
                SphericalLaw::StudentT(law) => {
                    Self::StudentT { degrees_of_freedom: law.nu(), dimension: noise.dimension(), scale: noise.scale() }
                }
            },
            Noise::Cylinder(noise) => {
                Self::KNormCylinder { coordinates: noise.law().coordinates(), scale: integer(noise.scale()) }
            }
            Noise::RandomScale(noise) => Self::RandomScale {
                mixing: noise.law.clone(),
                sigma: noise.sigma,
                drawn: noise.drawn.map(|normal| integer(normal.scale())),
            },
        }
    }
}

impl TryFrom<NoiseDocument> for Noise {
    type Error = NoiseError;

    fn try_from(document: NoiseDocument) -> Result<Self, NoiseError> {
        // what does not fit is out of range, and refused as such
        let integer = |value: ExactInteger| u64::try_from(value.0).unwrap_or(if value.0 < 0 { 0 } else { u64::MAX });
        let spherical = |law, scale| SphericalNoise::new(law, scale).map(Self::Spherical);
        Ok(match document {
            NoiseDocument::Gaussian { blocks } => {
                let block = |BlockDocument { length, unit, scale }| -> Result<NormalBlock, NoiseError> {
                    if length == 0 || !(1.0..f64::INFINITY).contains(&unit) {
                        return Err(NoiseError::Block);
                    }
                    Ok(NormalBlock { length, unit, normal: RoundedNormal::new(integer(scale))? })
                };
                let blocks = blocks.into_iter().map(block).collect::<Result<Vec<_>, _>>()?;
                let total = blocks.iter().try_fold(0_usize, |total, block| total.checked_add(block.length));
                total.filter(|total| *total > 0).ok_or(NoiseError::Block)?;
                Self::Gaussian(blocks)
            }
            NoiseDocument::DiscreteLaplace { numerator, denominator } => {
                Self::DiscreteLaplace(DiscreteLaplace::new(integer(numerator), integer(denominator))?)
            }
            NoiseDocument::KNorm { dimension, scale } => spherical(SphericalLaw::KNorm(KNorm::new(dimension)?), scale)?,
            NoiseDocument::KNormCylinder { coordinates, scale } => {
                Self::Cylinder(RoundedCylinder::new(Cylinder::new(coordinates)?, integer(scale))?)
            }
            NoiseDocument::StudentT { degrees_of_freedom, dimension, scale } => {
                spherical(SphericalLaw::StudentT(StudentT::new(degrees_of_freedom, dimension)?), scale)?
            }
            NoiseDocument::RandomScale { mixing, sigma, drawn } => {
                let drawn = drawn.map(|scale| RoundedNormal::new(integer(scale))).transpose()?;
                Self::RandomScale(RandomScale { drawn, ..RandomScale::new(mixing, sigma)? })
            }
        })
    }
}

impl Serialize for Noise {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        NoiseDocument::from(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Noise {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        NoiseDocument::deserialize(deserializer)?.try_into().map_err(serde::de::Error::custom)
    }
}
