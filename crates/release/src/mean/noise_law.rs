//! The noise of a release before it is made, for cross-validation.

use dpfda_privacy::{LATTICE_BITS, Noise};
use ndarray::{Array1, ArrayView1};

#[cfg(test)]
#[path = "noise_law_tests.rs"]
mod tests;

/// The law of the noise in the mean of any number of records, known before any data are.
///
/// In the eigenbasis of the smoother's kernel the noise of the released function has independent normal coefficients, with
/// standard deviations
///
/// ```text
/// isonormal:       sigma s_j
/// Cameron-Martin:  sigma a sqrt(lambda_j),   a = max_k s_k / sqrt(lambda_k)
/// ```
///
/// where `sigma = Delta / (mu N)` is the noise of the whitened mean of `N` records. Up to the lattice's rounding, `2^-22` of
/// the radius. Under add/remove-one the noise of the count is apart, [`NoiseLaw::relative_count_sd`].
///
/// All of it is for the stated radius, in which the noise is largest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NoiseLaw {
    pub(crate) isonormal: bool,
    /// The number of coordinates that are released, where not all are.
    pub(crate) coordinates: Option<usize>,
    pub(crate) radius: f64,
    pub(crate) sum_sd: f64,
    pub(crate) count_sd: f64,
}

impl NoiseLaw {
    /// Whether the noise is white on the mean itself.
    pub fn is_isonormal(&self) -> bool {
        self.isonormal
    }

    /// The number of public coordinates that are released with delta 0, with uncorrelated noise; `None` where all are.
    pub fn coordinates(&self) -> Option<usize> {
        self.coordinates
    }

    /// `sigma`: the standard deviation of the noise of the whitened mean of so many records, in data units.
    pub fn whitened_sd(&self, records: f64) -> f64 {
        self.sum_sd / records
    }

    /// The standard deviation of the noise in the number of records, as a fraction of so many; 0 under substitute-one, where the
    /// number is public.
    pub fn relative_count_sd(&self, records: f64) -> f64 {
        self.count_sd / records
    }

    /// The stated radius.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The standard deviations of the coefficients for a noise `sigma` of 1, from the smoother's shrinkage factors.
    ///
    /// Their sum of squares is the expected squared L2 norm of the noise in the released function.
    ///
    /// # Panics
    /// If there is not one eigenvalue for each shrinkage factor.
    pub fn coefficient_sd(&self, shrinkages: ArrayView1<'_, f64>, eigenvalues: ArrayView1<'_, f64>) -> Array1<f64> {
        if self.isonormal {
            return shrinkages.to_owned();
        }
        let roots = eigenvalues.mapv(f64::sqrt);
        let amplification = shrinkages.iter().zip(&roots).fold(0.0_f64, |most, (s, root)| most.max(s / root));
        roots * amplification
    }
}

/// The standard deviation of noise on a ball, in units of the radius, for the mean of so many records.
pub(crate) fn in_radii(noise: &Noise, records: f64) -> f64 {
    noise.sd() / f64::from(1_u32 << LATTICE_BITS) / records
}
