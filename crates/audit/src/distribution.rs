//! The distributions that are drawn from: exact sums with integer noise, or cells.

use std::sync::Arc;

use dpfda_density::{KsExponential, Points, SeriesExponential, SmoothedHistogram};
use dpfda_privacy::SeededRandomness;

use crate::error::AuditError;
use crate::kinds::steps::{Path, Steps};

/// A mechanism that draws cells.
#[derive(Debug, Clone)]
pub(crate) enum CellMechanism {
    Smoothed(SmoothedHistogram),
    KsExponential(KsExponential),
    SeriesExponential(SeriesExponential),
}

/// What one data set's releases are drawn from.
#[derive(Debug, Clone)]
pub(crate) enum Distribution {
    /// Exact sums; the noise is the mechanism's.
    Sums(Vec<i64>),
    /// Sums in several steps, which depend on the answers before them; the noise is the mechanism's.
    Steps(Arc<Steps>),
    /// Cells, written as one integer, and the logarithm of the probability of each under the claim.
    Cells { mechanism: CellMechanism, points: Box<Points>, cells: usize, log_probabilities: Vec<f64> },
}

impl Distribution {
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
