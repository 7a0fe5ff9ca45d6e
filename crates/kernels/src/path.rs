//! Paths of Gaussian processes at very many points: public, seeded noise for simulations.

use ndarray::Array1;
use rand::Rng;
use thiserror::Error;

use crate::circulant::Circulant;
use crate::functions::covariance::CovarianceKernel;
use crate::functions::table::Kernel;
use crate::grid::Grid;
use crate::mercer::state_space::StateSpace;

#[cfg(test)]
#[path = "path_tests.rs"]
mod tests;

/// Why no paths can be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum PathError {
    /// There is no method for this kernel on this grid.
    #[error(
        "paths at these {points} points are drawn for the exponential kernel and the Matern kernels of smoothness 0.5, 1.5 and 2.5 alone; other stationary kernels need equally spaced points"
    )]
    NoMethod {
        /// The number of points.
        points: usize,
    },
    /// The grid is that of a domain that closes up.
    #[error("paths are drawn on intervals alone, and this domain closes up; take a grid that does not")]
    Periodic,
    /// The covariance is not that of a process on a circle.
    #[error(
        "the memory of this kernel is too long: it is no covariance on a circle of {times} times the length of the grid; take a shorter range"
    )]
    NotEmbedded {
        /// How many times as long the longest circle is.
        times: usize,
    },
    /// The kernel has a covariance that is not finite, or no variance.
    #[error("the kernel has a covariance that is not finite, or no variance, on this grid")]
    Degenerate,
}

/// The law of `Z ~ GP(0, C)` at the points of a grid, ready to draw paths of exactly that law.
///
/// ```text
/// exponential, Matern 1/2, 3/2, 5/2      state space: O(n) on any grid
/// other stationary kernels               circulant embedding: O(n log n) on equally spaced points
/// sums and multiples                     sums and multiples of independent paths
/// ```
///
/// No covariance is off by more than `1e-9` of the variance. The noise is that of a floating-point generator: it is for
/// simulations and for functions of a release, and must never be the noise that protects people.
///
/// # Examples
/// ```
/// use dpfda_kernels::{Grid, Kernel, Matern, Paths};
/// use rand::{SeedableRng, rngs::ChaCha12Rng};
///
/// let paths = Paths::new(&Kernel::from(Matern::new(1.5, 0.2)?), &Grid::uniform(0.0, 1.0, 100_000)?)?;
/// let path = paths.draw(&mut ChaCha12Rng::seed_from_u64(1));
/// assert_eq!(path.len(), 100_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Paths {
    /// Independent parts, each times a factor.
    parts: Vec<(f64, Part)>,
    points: usize,
}

#[derive(Clone)]
enum Part {
    One(StateSpace<1>),
    Two(StateSpace<2>),
    Three(StateSpace<3>),
    Circulant(Circulant),
}

impl Paths {
    /// The law of the process of a kernel at the points of a grid, in the units of the grid.
    ///
    /// # Errors
    /// [`PathError`] for a kernel without a method on this grid.
    pub fn new(kernel: &Kernel, grid: &Grid) -> Result<Self, PathError> {
        if grid.is_periodic() {
            return Err(PathError::Periodic);
        }
        let mut parts = Vec::new();
        collect(kernel, 1.0, grid, &mut parts)?;
        Ok(Self { parts, points: grid.len() })
    }

    /// One path: its values at the points of the grid.
    pub fn draw<R: Rng + ?Sized>(&self, randomness: &mut R) -> Array1<f64> {
        let mut drawn = self.parts.iter().map(|(factor, part)| {
            let mut path = part.draw(randomness);
            if *factor != 1.0 {
                path *= *factor;
            }
            path
        });
        let first = drawn.next().unwrap_or_else(|| Array1::zeros(self.points));
        drawn.fold(first, |sum, path| sum + path)
    }
}

impl Part {
    fn draw<R: Rng + ?Sized>(&self, randomness: &mut R) -> Array1<f64> {
        match self {
            Self::One(chain) => chain.draw(randomness),
            Self::Two(chain) => chain.draw(randomness),
            Self::Three(chain) => chain.draw(randomness),
            Self::Circulant(circle) => circle.draw(randomness),
        }
    }
}

fn collect(kernel: &Kernel, factor: f64, grid: &Grid, parts: &mut Vec<(f64, Part)>) -> Result<(), PathError> {
    let part = match kernel {
        Kernel::Sum(sum) => return sum.terms().iter().try_for_each(|term| collect(term, factor, grid, parts)),
        Kernel::Scaled(scaled) => return collect(scaled.kernel(), factor * scaled.factor().sqrt(), grid, parts),
        Kernel::Exponential(kernel) => Part::One(StateSpace::new(kernel.range(), grid)),
        Kernel::Matern(kernel) if kernel.smoothness() == 0.5 => Part::One(StateSpace::new(kernel.range(), grid)),
        Kernel::Matern(kernel) if kernel.smoothness() == 1.5 => Part::Two(StateSpace::new(kernel.range(), grid)),
        Kernel::Matern(kernel) if kernel.smoothness() == 2.5 => Part::Three(StateSpace::new(kernel.range(), grid)),
        other if other.is_stationary() && grid.is_uniform() => Part::Circulant(Circulant::new(other, grid)?),
        _ => return Err(PathError::NoMethod { points: grid.len() }),
    };
    parts.push((factor, part));
    Ok(())
}
