//! A kernel on the domain of a grid: an interval, or a circle.

use std::f64::consts::PI;

use crate::functions::covariance::{CovarianceKernel, KernelError};
use crate::grid::Grid;

#[cfg(test)]
#[path = "domain_kernel_tests.rs"]
mod tests;

/// A kernel on the domain of a grid. On an interval it is the kernel itself. On a circle distances are chords:
///
/// ```text
/// C_o(t, s) = C(c(t - s)),      c(d) = (p / pi) |sin(pi d / p)|,      p the period
/// dC_o/dt   = C'(c) sign(sin(pi d / p)) cos(pi d / p)
/// ```
///
/// The map `x(t) = p / (2 pi) (cos(2 pi t / p), sin(2 pi t / p))` takes the domain to a circle of circumference `p`, and
/// `|x(t) - x(s)| = c(t - s)`. A kernel that is [isotropic](CovarianceKernel::is_isotropic) is a covariance of points in the plane, so
/// its matrix at any points of the circle is a covariance matrix. For small distances the chord is the distance up to
/// `(pi d / p)^2 / 6` of it: range and smoothness keep their meaning, and the variance is the same.
///
/// On `n` equally spaced points the matrix is circulant. Its eigenvectors are sines and cosines, its eigenvalues the discrete Fourier
/// transform of one row. `docs/proofs/circle.md` has the proofs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DomainKernel<K> {
    kernel: K,
    period: Option<f64>,
}

impl<K: CovarianceKernel> DomainKernel<K> {
    /// The kernel on the domain of a grid.
    pub fn new(kernel: K, grid: &Grid) -> Result<Self, KernelError> {
        let period = grid.is_periodic().then(|| grid.length());
        if period.is_some() && !kernel.is_isotropic() {
            return Err(KernelError::Circle);
        }
        Ok(Self { kernel, period })
    }

    /// The kernel itself.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }
}

/// The chord of a distance along a circle, and the slope of the chord in the distance.
fn chord(distance: f64, period: f64) -> (f64, f64) {
    let turns = distance / period;
    // whole turns are taken off first: the sine of a multiple of pi is not 0 in floating point
    let (sine, cosine) = (PI * (turns - turns.round())).sin_cos();
    (period / PI * sine.abs(), sine.signum() * cosine)
}

impl<K: CovarianceKernel> CovarianceKernel for DomainKernel<K> {
    fn covariance(&self, t: f64, s: f64) -> f64 {
        match self.period {
            Some(period) => self.kernel.covariance(chord(t - s, period).0, 0.0),
            None => self.kernel.covariance(t, s),
        }
    }

    fn derivative(&self, t: f64, s: f64) -> Option<f64> {
        let Some(period) = self.period else { return self.kernel.derivative(t, s) };
        let (chord, slope) = chord(t - s, period);
        Some(self.kernel.derivative(chord, 0.0)? * slope)
    }

    fn is_stationary(&self) -> bool {
        self.kernel.is_stationary()
    }

    fn domain(&self) -> (f64, f64) {
        self.kernel.domain()
    }
}
