//! The laws that are drawn from: exact sums with integer noise, or cells.

use std::borrow::Cow;
use std::sync::Arc;

use dpfda_density::{KsExponential, Points, SeriesExponential, SmoothedHistogram};
use dpfda_privacy::{Noise, SeededRandomness, SphericalLaw};

use crate::error::AuditError;
use crate::noise::{AddedNoise, generator, in_units};
use crate::steps::{Path, Steps};

/// A mechanism that draws cells.
#[derive(Debug, Clone)]
pub(crate) enum CellMechanism {
    Smoothed(SmoothedHistogram),
    KsExponential(KsExponential),
    SeriesExponential(SeriesExponential),
}

/// What one data set's releases are drawn from.
#[derive(Debug, Clone)]
pub(crate) enum Law {
    /// Exact sums; the noise is the mechanism's.
    Sums(Vec<i64>),
    /// Sums in several steps, which depend on the answers before them; the noise is the mechanism's.
    Steps(Arc<Steps>),
    /// Cells, written as one integer, and the logarithm of the probability of each under the claim.
    Cells { mechanism: CellMechanism, points: Box<Points>, cells: usize, log_probabilities: Vec<f64> },
}

impl Law {
    /// Shows so many draws of cells; of sums none, whose noise is drawn for all data sets together.
    pub(crate) fn draw_cells(&self, draws: u64, seed: u64, seen: &mut dyn FnMut(&[i64])) -> Result<(), AuditError> {
        let Self::Cells { mechanism, points, cells, .. } = self else { return Ok(()) };
        let mut randomness = SeededRandomness::from_seed(seed);
        let mut code = |drawn: &[usize]| seen(&[code_of(drawn, *cells)]);
        match mechanism {
            CellMechanism::Smoothed(mechanism) => {
                mechanism.prepare(points)?.repeat(draws, &mut randomness, |drawn| code(&drawn));
            }
            CellMechanism::KsExponential(mechanism) => {
                // of two cells: lists with as many in the upper one are equally likely
                let upper = |drawn: &[usize]| drawn.iter().filter(|cell| **cell > 0).count();
                mechanism.prepare(points)?.repeat(draws, &mut randomness, |drawn| code(&[upper(&drawn)]));
            }
            CellMechanism::SeriesExponential(mechanism) => {
                mechanism.prepare(points)?.repeat(draws, &mut randomness, |drawn| code(&drawn));
            }
        }
        Ok(())
    }

    /// The exact sums; of cells and of several steps none.
    pub(crate) fn sums(&self) -> &[i64] {
        match self {
            Self::Sums(sums) => sums,
            Self::Steps(_) | Self::Cells { .. } => &[],
        }
    }

    /// The number of integers that noise is added to.
    pub(crate) fn dimension(&self) -> usize {
        match self {
            Self::Steps(steps) => steps.len(),
            other => other.sums().len(),
        }
    }

    /// What is released with this noise; of several steps with the balls that it calls for.
    pub(crate) fn released(&self, noise: &[i64], outcome: &mut [i64]) -> Option<Path> {
        if let Self::Steps(steps) = self {
            return Some(steps.answer(noise, outcome));
        }
        for ((y, exact), noise) in outcome.iter_mut().zip(self.sums()).zip(noise) {
            *y = exact.saturating_add(*noise);
        }
        None
    }
}

/// Cells as digits.
pub(crate) fn code_of(drawn: &[usize], cells: usize) -> i64 {
    let digits = drawn.iter().fold(0_usize, |code, cell| code.wrapping_mul(cells).wrapping_add(*cell));
    i64::try_from(digits).unwrap_or(i64::MAX)
}

/// The log-likelihood ratio of two laws, as the claim has them.
#[derive(Debug, Clone)]
pub(crate) enum Statistic {
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
    /// Normal noise on several steps; the weight of each integer is its inverse variance, in units of that of the first block.
    Steps {
        pair: [Arc<Steps>; 2],
        weights: Vec<f64>,
    },
    Table(Vec<f64>),
}

impl Statistic {
    /// `None` for laws that cannot be compared.
    pub(crate) fn of(left: &Law, right: &Law, noise: Option<&AddedNoise>) -> Option<Self> {
        match (left, right, noise) {
            (Law::Sums(left), Law::Sums(right), Some(noise)) if left.len() == right.len() => Some(match &noise.noise {
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
                Noise::Spherical(noise) => {
                    Self::Spherical { left: left.clone(), right: right.clone(), scale: noise.scale(), law: noise.law() }
                }
            }),
            (Law::Steps(left), Law::Steps(right), Some(AddedNoise { noise: Noise::Gaussian(blocks), .. }))
                if left.len() == right.len() =>
            {
                let ones = vec![1.0; left.len()];
                let weights = in_units(blocks, &in_units(blocks, &ones));
                Some(Self::Steps { pair: [Arc::clone(left), Arc::clone(right)], weights })
            }
            (Law::Cells { log_probabilities: left, .. }, Law::Cells { log_probabilities: right, .. }, _)
                if left.len() == right.len() =>
            {
                Some(Self::Table(left.iter().zip(right).map(|(p, q)| p - q).collect()))
            }
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
