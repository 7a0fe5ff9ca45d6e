//! The noise of a release before it is made, for planning and for private cross-validation.

use dpfda_privacy::{LATTICE_BITS, Noise};
use ndarray::{Array1, ArrayView1};

use crate::purchase::radius_rule::most_outside;

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
    /// The same of a release that buys no radius, where the default keeps the stated one of too few records.
    pub(crate) stated_sum_sd: Option<f64>,
    pub(crate) count_sd: f64,
    /// The `mu` of the whole budget, where a radius is bought.
    pub(crate) buys_radius_with: Option<f64>,
    pub(crate) least_records: Option<u64>,
    pub(crate) design: Option<SparseDesign>,
}

/// What releasing the design of sparse curves adds to the noise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SparseDesign {
    /// `tau^2 / kappa^2`: the squared ratio of the noise of a weight, at a mean one radius away, to that of a value.
    pub(crate) of_weights: f64,
    /// Times the number of records, the variance that the sampling of times adds to a whitened coordinate, in squared radii.
    pub(crate) of_times: f64,
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
        let stated = self.stated_sum_sd.filter(|_| self.are_too_few(records));
        stated.unwrap_or(self.sum_sd) / records
    }

    /// The standard deviation of the noise in the number of records, as a fraction of so many; 0 under substitute-one, where the
    /// number is public.
    pub fn relative_count_sd(&self, records: f64) -> f64 {
        self.count_sd / records
    }

    /// How many times as large the variance of the noise is where the design is noisy too and the mean lies so far from the centre:
    /// `1 + (tau / kappa)^2 a` for a squared distance of `a` squared radii; 1 for curves that are seen everywhere.
    pub fn weights_factor(&self, squared_radii: f64) -> f64 {
        self.design.map_or(1.0, |design| 1.0 + design.of_weights * squared_radii)
    }

    /// The standard deviation that the sampling of times adds to each whitened coordinate of the mean of so many records, in radii, beyond
    /// that of the sampling of people; 0 for curves that are seen everywhere.
    pub fn design_sd(&self, records: f64) -> f64 {
        self.design.map_or(0.0, |design| (design.of_times / records).sqrt())
    }

    /// The stated radius.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The largest share of so many records that the rule lets lie outside a bought radius: `min(8 sqrt(15) / (mu N), 0.4)`;
    /// 0 where no radius is bought. Under add/remove-one a release computes it from its noisy count.
    pub fn share_outside(&self, records: f64) -> f64 {
        let keeps = self.stated_sum_sd.is_some() && self.are_too_few(records);
        self.buys_radius_with.filter(|_| !keeps).map_or(0.0, |mu| most_outside(records, mu, 1.0))
    }

    fn are_too_few(&self, records: f64) -> bool {
        self.least_records.is_some_and(|least| records < least as f64)
    }

    /// Whether the stated radius is kept of records that are too few to buy another: the default, as against a share that was asked for.
    pub fn keeps_radius_of_few(&self) -> bool {
        self.stated_sum_sd.is_some()
    }

    /// The fewest records that a radius is bought from: [`PrivateMean::least_records_for_radius`](crate::PrivateMean).
    pub fn least_records_for_radius(&self) -> Option<u64> {
        self.least_records
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
