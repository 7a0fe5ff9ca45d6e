//! The log-likelihood ratio of the releases of two neighbours.

use std::borrow::Cow;
use std::sync::Arc;

use dpfda_privacy::{Cylinder, Noise, SphericalLaw};

use crate::added_noise::{AddedNoise, generator, in_units};
use crate::distribution::Distribution;
use crate::kinds::steps::{Path, Steps};

/// The log-likelihood ratio of two laws, as the claim has them.
#[derive(Debug, Clone)]
pub(crate) enum LikelihoodRatio {
    /// Normal noise of whatever scale was drawn.
    Normal {
        towards: Vec<f64>,
        middle: Vec<f64>,
    },
    Laplace {
        left: Vec<i64>,
        right: Vec<i64>,
        scale: f64,
    },
    Spherical {
        left: Vec<i64>,
        right: Vec<i64>,
        scale: f64,
        law: SphericalLaw,
    },
    Cylinder {
        left: Vec<i64>,
        right: Vec<i64>,
        scale: f64,
    },
    /// Normal noise on several steps; the weight of each integer is its inverse variance, in units of that of the first block.
    Steps {
        pair: [Arc<Steps>; 2],
        weights: Vec<f64>,
    },
    Table(Vec<f64>),
}

impl LikelihoodRatio {
    /// `None` for laws that cannot be compared.
    pub(crate) fn of(left: &Distribution, right: &Distribution, noise: Option<&AddedNoise>) -> Option<Self> {
        match (left, right, noise) {
            (Distribution::Sums(left), Distribution::Sums(right), Some(noise)) if left.len() == right.len() => {
                Some(match &noise.noise {
                    Noise::Gaussian(_) | Noise::RandomScale(_) => {
                        let difference: Vec<f64> = left.iter().zip(right).map(|(a, b)| (a - b) as f64).collect();
                        let towards = match &noise.noise {
                            // by its inverse variance, in units of that of the first block
                            Noise::Gaussian(blocks) => in_units(blocks, &in_units(blocks, &difference)),
                            _ => difference,
                        };
                        let middle = left.iter().zip(right).map(|(a, b)| 0.5 * (*a as f64 + *b as f64)).collect();
                        Self::Normal { towards, middle }
                    }
                    Noise::DiscreteLaplace(_) => {
                        Self::Laplace { left: left.clone(), right: right.clone(), scale: noise.scale() }
                    }
                    Noise::Cylinder(_) => {
                        Self::Cylinder { left: left.clone(), right: right.clone(), scale: noise.scale() }
                    }
                    Noise::Spherical(noise) => Self::Spherical {
                        left: left.clone(),
                        right: right.clone(),
                        scale: noise.scale(),
                        law: noise.law(),
                    },
                })
            }
            (
                Distribution::Steps(left),
                Distribution::Steps(right),
                Some(AddedNoise { noise: Noise::Gaussian(blocks), .. }),
            ) if left.len() == right.len() => {
                let ones = vec![1.0; left.len()];
                let weights = in_units(blocks, &in_units(blocks, &ones));
                Some(Self::Steps { pair: [Arc::clone(left), Arc::clone(right)], weights })
            }
            (
                Distribution::Cells { log_probabilities: left, .. },
                Distribution::Cells { log_probabilities: right, .. },
                _,
            ) if left.len() == right.len() => Some(Self::Table(left.iter().zip(right).map(|(p, q)| p - q).collect())),
            _ => None,
        }
    }

    /// The log-likelihood ratio of left to right for one outcome; `claimed_scale` over that of the noise is 1 for an honest
    /// mechanism. `path`: the balls that an outcome of several steps calls for, where they are known already.
    pub(crate) fn at(&self, outcome: &[i64], path: Option<&Path>, scale: f64) -> f64 {
        match self {
            Self::Normal { towards, middle } => {
                let along: f64 = towards.iter().zip(middle).zip(outcome).map(|((d, m), y)| d * (*y as f64 - m)).sum();
                along / (scale * scale)
            }
            Self::Steps { pair, weights } => {
                let path = path.map_or_else(|| Cow::Owned(pair[0].path(outcome)), Cow::Borrowed);
                let [left, right] = [&pair[0], &pair[1]].map(|steps| steps.given(&path));
                let sums = left.iter().zip(&*right).zip(weights).zip(outcome);
                let along = |(((a, b), weight), y): (((&i64, &i64), &f64), &i64)| {
                    let (a, b) = (*a as f64, *b as f64);
                    if a == b { 0.0 } else { weight * (a - b) * (*y as f64 - 0.5 * (a + b)) }
                };
                sums.map(along).sum::<f64>() / (scale * scale)
            }
            Self::Laplace { left, right, scale } => {
                let distance =
                    |from: &[i64]| -> f64 { from.iter().zip(outcome).map(|(s, y)| y.abs_diff(*s) as f64).sum() };
                (distance(right) - distance(left)) / scale
            }
            Self::Spherical { left, right, scale, law } => {
                let radius = |from: &[i64]| -> f64 {
                    let squared = |(s, y): (&i64, &i64)| (y.abs_diff(*s) as f64).powi(2);
                    from.iter().zip(outcome).map(squared).sum::<f64>().sqrt() / scale
                };
                let generator = generator(law);
                generator.neg_log_density(radius(right)) - generator.neg_log_density(radius(left))
            }
            Self::Cylinder { left, right, scale } => {
                let norm = |from: &[i64]| {
                    let away: Vec<f64> = from.iter().zip(outcome).map(|(s, y)| y.abs_diff(*s) as f64).collect();
                    Cylinder::norm(&away)
                };
                (norm(right) - norm(left)) / scale
            }
            Self::Table(ratios) => {
                let index = outcome.first().and_then(|code| usize::try_from(*code).ok());
                index.and_then(|index| ratios.get(index)).copied().unwrap_or(f64::NAN)
            }
        }
    }

    /// The largest log-likelihood ratios, of left to right and of right to left, for what has any.
    pub(crate) fn largest(&self, loss: f64) -> (f64, f64) {
        match self {
            Self::Table(ratios) => {
                (ratios.iter().copied().fold(0.0, f64::max), ratios.iter().map(|ratio| -ratio).fold(0.0, f64::max))
            }
            _ => (loss, loss),
        }
    }
}
