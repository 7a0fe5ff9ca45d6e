//! The trait of covariance kernels, and the allowed values of their parameters.

use serde::{Deserialize, Deserializer, de::Error as _};
use thiserror::Error;

/// A positive semi-definite function `C(t, s)`: the covariance of a mean-zero Gaussian process.
///
/// ```text
/// Cov(Z(t), Z(s)) = C(t, s) = C(s, t)
/// ```
///
/// [`Spectrum`](crate::Spectrum) accepts every implementation, also a kernel that has no name in files:
///
/// ```
/// use dpfda_kernels::{CovarianceKernel, DEFAULT_TOLERANCE, Grid, Spectrum};
///
/// /// Brownian motion, `C(t, s) = min(t, s)`.
/// struct Brownian;
///
/// impl CovarianceKernel for Brownian {
///     fn covariance(&self, t: f64, s: f64) -> f64 {
///         t.min(s)
///     }
///
///     fn derivative(&self, _t: f64, _s: f64) -> Option<f64> {
///         None
///     }
///
///     fn domain(&self) -> (f64, f64) {
///         (0.0, f64::INFINITY)
///     }
/// }
///
/// let spectrum = Spectrum::new(Brownian, Grid::uniform(0.0, 1.0, 201)?, DEFAULT_TOLERANCE)?;
/// // the largest eigenvalue of Brownian motion on [0, 1] is 4 / pi^2
/// assert!((spectrum.eigenvalues()[0] - 0.405_285).abs() < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait CovarianceKernel {
    /// The covariance `C(t, s)`.
    fn covariance(&self, t: f64, s: f64) -> f64;

    /// The derivative `dC(t, s)/dt`, or `None` for a kernel with a cusp at `t = s`.
    fn derivative(&self, t: f64, s: f64) -> Option<f64>;

    /// Whether `C(t, s)` depends on `|t - s|` alone.
    fn is_stationary(&self) -> bool {
        false
    }

    /// Whether `C(t, s) = C(|t - s|)`, and the same function of distances is a covariance of points in the plane. Such a kernel is
    /// a kernel of chords on a circle: see [`DomainKernel`](crate::DomainKernel).
    ///
    /// A kernel for which this is not proved must say no.
    fn is_isotropic(&self) -> bool {
        false
    }

    /// The interval on which the kernel is positive semi-definite.
    fn domain(&self) -> (f64, f64) {
        (f64::NEG_INFINITY, f64::INFINITY)
    }
}

/// Why a kernel was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum KernelError {
    #[error("range must be positive and finite, got {value:?}")]
    Range { value: f64 },
    #[error("Matern smoothness nu must be positive and finite, got {value:?}")]
    Smoothness { value: f64 },
    #[error("scaling factor must be positive and finite, got {value:?}")]
    Factor { value: f64 },
    #[error(
        "this kernel is a covariance on an interval, and not known to be one on a domain that closes up; take another, such as matern52"
    )]
    Circle,
    #[error("a sum or product of kernels needs at least one kernel")]
    Empty,
}

/// Values and slopes with a factor `exp(-x)` are zero for `x` above this number: there `exp(-x)` is zero in double precision, and
/// `polynomial * exp` could be `inf * 0`.
pub(crate) const FAR: f64 = 750.0;

pub(crate) fn positive(value: f64, error: impl Fn(f64) -> KernelError) -> Result<f64, KernelError> {
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err(error(value)) }
}

pub(crate) fn checked_range(value: f64) -> Result<f64, KernelError> {
    positive(value, |value| KernelError::Range { value })
}

/// A range in a file.
pub(crate) fn read_range<'de, D: Deserializer<'de>>(source: D) -> Result<f64, D::Error> {
    checked_range(f64::deserialize(source)?).map_err(D::Error::custom)
}
