//! The noise of a release before it is made, for planning and for private cross-validation.

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
/// the radius. Under add/remove-one the noise of the count is not part of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NoiseLaw {
    isonormal: bool,
    sum_sd: f64,
}

impl NoiseLaw {
    pub(crate) fn new(isonormal: bool, sum_sd: f64) -> Self {
        Self { isonormal, sum_sd }
    }

    /// `sigma`: the standard deviation of the noise of the whitened mean of so many records, in data units.
    pub fn whitened_sd(&self, records: f64) -> f64 {
        self.sum_sd / records
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
