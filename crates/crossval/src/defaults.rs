//! What is taken where nothing is stated.

use dpfda_kernels::KernelName;
use dpfda_release::MeanRelease;

use crate::candidates::{Candidates, KernelFamily, geometric};

/// The default number of noise draws for the norm score. Mirshani, Reimherr and Slavkovic use the same number.
pub const DEFAULT_DRAWS: usize = 1000;

/// With more grid points than this, the default candidates have one kernel and one range.
const MANY_POINTS: usize = 2000;

/// If the noise is above this fraction of the radius, a release says little about smoothness.
pub(crate) const NOISY: f64 = 0.03;

impl Candidates {
    /// Returns the default candidates for a release. They depend on public numbers alone.
    ///
    /// Gaussian with the ranges 0.01, 0.04, 0.16; Matern 5/2 with 0.05, 0.1, 0.2, 0.4, 0.8; Matern 3/2 with 0.1, 0.3,
    /// 0.9; five penalties a decade from `(sigma / tau)^2`, the penalty of the posterior mean of a Gaussian process as
    /// large as the ball, to 100 or ten times the first; power 1. If the noise is above 3 percent of the radius, the
    /// first penalty is the fixed default `(2 sigma / tau)^2` of [`default_penalty`](dpfda_release::default_penalty):
    /// with smaller penalties the choice would follow the noise. For the same reason the list is short and has no
    /// kernel with corners in its paths. On more than 2000 points, where eleven spectra take several seconds, the only
    /// kernel is Matern 5/2 with range 0.2.
    pub fn for_release(release: &MeanRelease) -> Self {
        let family = |name, ranges: &[f64]| KernelFamily { name, ranges: ranges.to_vec() };
        let families = if release.grid().len() <= MANY_POINTS {
            vec![
                family(KernelName::Gaussian, &[0.01, 0.04, 0.16]),
                family(KernelName::Matern(2.5), &[0.05, 0.1, 0.2, 0.4, 0.8]),
                family(KernelName::Matern(1.5), &[0.1, 0.3, 0.9]),
            ]
        } else {
            vec![family(KernelName::Matern(2.5), &[0.2])]
        };
        let noise = release.relative_noise().clamp(1e-15, 1e15);
        let least = if noise > NOISY { 4.0 } else { 1.0 } * noise.powi(2);
        let (most, per_decade) = (f64::max(100.0, 10.0 * least), 5.0);
        let steps = (per_decade * (most / least).log10()).ceil();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 5 to 160")]
        let count = steps as usize + 1;
        Self { families, penalties: geometric(least, most, count), powers: vec![1.0] }
    }
}
