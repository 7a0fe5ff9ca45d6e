//! Released functionals with their provenance.

use std::ops::Deref;

use dpfda_mechanism::{ReadError, Release, close, demand};
use dpfda_privacy::with_rounding;
use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};

use crate::functionals_statistic::Functionals;
use crate::mean::relative_count_sd;

/// Published functionals of a private mean. Everything in it may be shown to anybody.
///
/// What was drawn, its guarantee and its provenance are those of the [`Release`] that it dereferences to.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionalsRelease(Release<Functionals>);

impl From<Release<Functionals>> for FunctionalsRelease {
    fn from(release: Release<Functionals>) -> Self {
        Self(release)
    }
}

impl Deref for FunctionalsRelease {
    type Target = Release<Functionals>;

    fn deref(&self) -> &Release<Functionals> {
        &self.0
    }
}

impl FunctionalsRelease {
    /// The answers, in the order asked, in the units of the data (and of `t`, for derivatives and integrals).
    pub fn values(&self) -> Array1<f64> {
        self.statistic().offsets() + &self.deviations()
    }

    /// The standard deviations of [`FunctionalsRelease::values`]: those of the privacy noise with what the rounding of records adds
    /// ([`with_rounding`]).
    ///
    /// Infinite for t noise with at most 2 degrees of freedom. Under add/remove-one it includes, to first order, the noise
    /// of the count.
    pub fn noise_sd(&self) -> Array1<f64> {
        let (variance, relative) = (self.variance(), relative_count_sd(&self.0));
        let rows = self.statistic().coefficients().rows().into_iter().zip(self.deviations());
        rows.map(|(row, deviation)| (row.dot(&row) * variance + (deviation * relative).powi(2)).sqrt()).collect()
    }

    /// The `d x d` covariance matrix of the privacy noise, with what the rounding of records adds: `L L'` times the variance of one
    /// coordinate.
    ///
    /// Where functionals depend on one another it is singular, and the noise lies in its range.
    pub fn noise_covariance(&self) -> Array2<f64> {
        let variance = self.variance();
        let coefficients = self.statistic().coefficients();
        let mut covariance = coefficients.dot(&coefficients.t()).mapv(|c| c * variance);
        let (relative, deviations) = (relative_count_sd(&self.0), self.deviations());
        if relative > 0.0 {
            for ((i, j), value) in covariance.indexed_iter_mut() {
                *value += deviations[i] * deviations[j] * relative * relative;
            }
        }
        covariance
    }

    /// The release as a JSON document, with the answers.
    ///
    /// # Errors
    /// None in practice.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        self.0.to_json_with(Some(&FunctionalsDerived::of(self)))
    }

    /// Reads a release back, checking every constructor's rules and that the numbers agree with one another.
    ///
    /// # Errors
    /// [`ReadError`] with the reason.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        let (release, derived) = Release::from_json_with::<FunctionalsDerived>(json)?;
        let release = Self(release);
        derived.ok_or(ReadError::Contradiction { field: "derived" })?.check(&release)?;
        Ok(release)
    }

    /// `L (S + noise) tau / N`: the functionals less those of the centre.
    fn deviations(&self) -> Array1<f64> {
        let coordinates: Array1<f64> = self.coordinates().iter().map(|&k| k as f64 * self.step()).collect();
        self.statistic().coefficients().dot(&coordinates)
    }

    /// The variance of one coordinate of the mean, rounding included, in squared data units.
    fn variance(&self) -> f64 {
        let (sd, dimension) = (self.noise().variance(0).sqrt(), self.coordinates().len());
        (self.step() * with_rounding(sd, self.units(), dimension, self.unit())).powi(2)
    }

    /// One lattice step of the sum, as a step of the mean in data units.
    fn step(&self) -> f64 {
        self.statistic().lattice_step() / self.units()
    }
}

/// The answers, for readers; a standard deviation that is infinite is `null`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FunctionalsDerived {
    values: Vec<f64>,
    noise_sd: Vec<Option<f64>>,
}

impl FunctionalsDerived {
    fn of(release: &FunctionalsRelease) -> Self {
        let finite = |sd: f64| sd.is_finite().then_some(sd);
        Self { values: release.values().to_vec(), noise_sd: release.noise_sd().into_iter().map(finite).collect() }
    }

    fn check(&self, release: &FunctionalsRelease) -> Result<(), ReadError> {
        let derived = Self::of(release);
        // what rounding on another machine may change: a fraction of what one record can do, and of the centre's part
        let statistic = release.statistic();
        let size = |(row, offset): (ndarray::ArrayView1<'_, f64>, &f64)| {
            statistic.ball().radius() * row.dot(&row).sqrt() + offset.abs()
        };
        let sizes: Vec<f64> = statistic.coefficients().rows().into_iter().zip(statistic.offsets()).map(size).collect();
        let number = derived.values.len();
        let values = self.values.iter().zip(&derived.values).zip(&sizes).all(|((a, b), size)| close(*a, *b, *size));
        let sds = self.noise_sd.iter().zip(&derived.noise_sd).all(|pair| match pair {
            (Some(a), Some(b)) => close(*a, *b, *b),
            (None, None) => true,
            _ => false,
        });
        demand("derived.values", self.values.len() == number && values)?;
        demand("derived.noise_sd", self.noise_sd.len() == number && sds)
    }
}
