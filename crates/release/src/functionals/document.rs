//! What a release says about functionals, and its document.

use dpfda_mechanism::{Documented, ReadError, Release, demand};
use dpfda_privacy::with_rounding;
use ndarray::{Array1, Array2};

use crate::functionals::statistic::Functionals;
use crate::mean::relative_count_sd;
use crate::numbers::NumbersDerived;

impl Functionals {
    /// The answers, in the order asked, in the units of the data (and of `t`, for derivatives and integrals).
    pub fn values(release: &Release<Self>) -> Array1<f64> {
        release.statistic().offsets() + &deviations(release)
    }

    /// The standard deviations of [`Functionals::values`]: those of the privacy noise with what the rounding of records adds
    /// ([`with_rounding`]).
    ///
    /// Infinite for t noise with at most 2 degrees of freedom. Under add/remove-one it includes, to first order, the noise
    /// of the count.
    pub fn noise_sd(release: &Release<Self>) -> Array1<f64> {
        let (variance, relative) = (variance(release), relative_count_sd(release));
        let rows = release.statistic().coefficients().rows().into_iter().zip(deviations(release));
        rows.map(|(row, deviation)| (row.dot(&row) * variance + (deviation * relative).powi(2)).sqrt()).collect()
    }

    /// The `d x d` covariance matrix of the privacy noise, with what the rounding of records adds: `L L'` times the variance of one
    /// coordinate.
    ///
    /// Where functionals depend on one another it is singular, and the noise lies in its range.
    pub fn noise_covariance(release: &Release<Self>) -> Array2<f64> {
        let variance = variance(release);
        let coefficients = release.statistic().coefficients();
        let mut covariance = coefficients.dot(&coefficients.t()).mapv(|c| c * variance);
        let (relative, deviations) = (relative_count_sd(release), deviations(release));
        if relative > 0.0 {
            for ((i, j), value) in covariance.indexed_iter_mut() {
                *value += deviations[i] * deviations[j] * relative * relative;
            }
        }
        covariance
    }
}

/// `L (S + noise) tau / N`: the functionals less those of the centre.
fn deviations(release: &Release<Functionals>) -> Array1<f64> {
    let step = step(release);
    let coordinates: Array1<f64> = release.coordinates().iter().map(|&k| k as f64 * step).collect();
    release.statistic().coefficients().dot(&coordinates)
}

/// The variance of one coordinate of the mean, rounding included, in squared data units.
fn variance(release: &Release<Functionals>) -> f64 {
    let (sd, dimension) = (release.noise().variance(0).sqrt(), release.coordinates().len());
    (step(release) * with_rounding(sd, release.units(), dimension, release.unit())).powi(2)
}

/// One lattice step of the sum, as a step of the mean in data units.
fn step(release: &Release<Functionals>) -> f64 {
    release.statistic().lattice_step() / release.units()
}

impl Documented for Functionals {
    type Derived = NumbersDerived;
    type Estimate = ();

    fn derived(release: &Release<Self>) -> NumbersDerived {
        NumbersDerived::new(Self::values(release).into_iter(), Self::noise_sd(release).into_iter())
    }

    fn consistent(release: &Release<Self>, derived: &NumbersDerived) -> Result<(), ReadError> {
        demand("statistic.ball.bounds", release.statistic().ball().is_of_its_bounds())?;
        // a fraction of what one record can do, and of the centre's part
        let statistic = release.statistic();
        let size = |(row, offset): (ndarray::ArrayView1<'_, f64>, &f64)| {
            statistic.ball().radius() * row.dot(&row).sqrt() + offset.abs()
        };
        let sizes: Vec<f64> = statistic.coefficients().rows().into_iter().zip(statistic.offsets()).map(size).collect();
        derived.check(&Self::derived(release), &sizes)
    }
}
