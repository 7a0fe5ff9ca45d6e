//! What is taken where nothing is stated: from public numbers alone.

use dpfda_kernels::KernelName;

use crate::coordinates::whitening::MeanMechanism;

/// The kernel of the smoother when none is given.
pub const DEFAULT_KERNEL: KernelName = KernelName::Matern(2.5);

/// The number of bins of a long table where none is asked for.
pub const DEFAULT_BINS: usize = 20;

/// The number of public coordinates of a mean with delta 0 where none is asked for, and there are as many points.
pub const DEFAULT_COORDINATES: usize = 12;

/// The penalty used when none is given, from public numbers alone.
///
/// ```text
/// isonormal:      phi = (2 sigma / tau)^(2 eta)      (and for a body that charges roughness, and for coordinates alone)
/// Cameron-Martin: phi = (sigma / tau)^eta
/// ```
///
/// `sigma = 2 tau / (N mu)` (substitute one) is the noise of the whitened mean and `tau` the radius of the ball. The
/// first makes the smoother the posterior mean of a Gaussian process of size `tau / 2` about the centre, seen in white
/// noise `sigma`. The second minimises, for `eta = 1`, the bound `sigma^2 tau^2 / (4 tau^2 phi) + phi tau^2 / 4` on squared
/// error (Mirshani, Reimherr and Slavkovic, Theorem 4.1, plus the bias of a curve of Cameron-Martin norm `tau`); it is
/// their `phi ~ 1/N` of Theorem 4.2 with the constant made explicit.
pub fn default_penalty(mechanism: &MeanMechanism, relative_noise: f64, power: f64) -> f64 {
    let penalty = match mechanism {
        MeanMechanism::Isonormal | MeanMechanism::Sobolev(_) | MeanMechanism::Coordinates(_) => {
            (2.0 * relative_noise).powf(2.0 * power)
        }
        MeanMechanism::CameronMartin(_) => cameron_martin_penalty(relative_noise, power),
    };
    penalty.clamp(f64::MIN_POSITIVE, f64::MAX)
}

/// [`default_penalty`] of the Cameron-Martin mechanism, which needs it before its own smoother exists.
pub(crate) fn cameron_martin_penalty(relative_noise: f64, power: f64) -> f64 {
    relative_noise.powf(power).clamp(f64::MIN_POSITIVE, f64::MAX)
}
