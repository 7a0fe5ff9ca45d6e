//! A released regression with its coefficients: what documents, figures and summaries show of it.

use std::ops::Deref;

use dpfda_kernels::eigenpairs;
use dpfda_mechanism::{Fact, ReadError, Release, demand, read_part, rounded};
use dpfda_release::{NoisyProducts, Regression};
use ndarray::{Array1, Array2, Axis, Slice};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::band::Band;
use crate::error::{AnalysisError, check_level};
use crate::estimate::Estimate;
use crate::estimated_mean::DEFAULT_LEVEL;
use crate::population_mean::PopulationMean;
use crate::posterior::observed::Observation;
use crate::psd::{positive_part, with_values};
use crate::sampling::SamplingCovariance;
use crate::sampling::decoded::DecodedMoments;

#[cfg(test)]
#[path = "estimated_regression_tests.rs"]
mod tests;

/// The design must be this many times as strong as the root of the number of its columns times the noise of a product.
const STRENGTH: f64 = 2.0;

/// A released regression with an estimate of each coefficient function. It dereferences to the release.
///
/// ```text
/// beta = T C,         T = A^(-1), or the root of a public design;    of a form a of the coefficients:  h = T'a,  a'beta = C'h
/// noise of a'beta:    white, of standard deviation s_C |h|, and that of A, of covariance o^2 (|h|^2 beta'beta + (beta'h)(beta'h)')
/// sampling:           a'A^(-1)a K_e,    K_e = (B'Z'ZB - beta'A beta + s_C^2 tr(T'AT) I) / (N - p)
/// ```
///
/// Each form is then estimated as a mean is: a posterior given white noise, and a band for the population. The radius of the prior is
/// `tau |a|`. `docs/proofs/regression.md` says what is proved.
#[derive(Debug, Clone)]
pub struct EstimatedRegression {
    release: Release<Regression>,
    fit: Fit,
    coefficients: Vec<(String, Estimate)>,
    level: f64,
}

/// Least squares from noisy products.
#[derive(Debug, Clone)]
struct Fit {
    products: NoisyProducts,
    inverse: Array2<f64>,
    /// `T`, `p x p`, symmetric.
    transform: Array2<f64>,
    /// The coefficients of the standardised covariates along the basis, `p x K`.
    along: Array2<f64>,
    errors: Array2<f64>,
}

impl Fit {
    fn new(products: NoisyProducts) -> Result<Self, AnalysisError> {
        let NoisyProducts { covariates, covariates_sd, records, .. } = &products;
        let (p, directions) = (covariates.nrows() as f64, products.curves.nrows());
        let pairs = eigenpairs(covariates)?;
        let smallest = pairs.values.iter().copied().fold(f64::INFINITY, f64::min);
        let needed = STRENGTH * p.sqrt() * covariates_sd;
        if !(smallest > needed && *records > p + 1.0) {
            return Err(AnalysisError::DesignTooWeak { smallest, needed, records: *records });
        }
        let inverse = with_values(&pairs, &pairs.values.mapv(|value| 1.0 / value));
        let transform = products.root.clone().unwrap_or_else(|| inverse.clone());
        let cross = products.cross_in_basis.slice_axis(Axis(1), Slice::from(..directions));
        let along = transform.dot(&cross);
        let fitted = along.t().dot(covariates).dot(&along);
        let of_noise = products.cross_sd.powi(2) * transform.dot(covariates).dot(&transform).diag().sum();
        let errors = (&products.curves - &fitted + Array2::<f64>::eye(directions) * of_noise) / (records - p);
        Ok(Self { products, inverse, transform, along, errors })
    }

    /// The posterior of a form of the coefficients of standardised covariates.
    fn population(&self, release: &Release<Regression>, form: &Array1<f64>) -> Result<PopulationMean, AnalysisError> {
        let NoisyProducts { cross, cross_sd, covariates_sd, basis, records, .. } = &self.products;
        let h = self.transform.dot(form);
        let (length, strength) = (h.dot(&h), form.dot(&self.inverse.dot(form)));
        let mean = release.statistic().mean();
        let center = mean.ball().center_at(mean.grid());
        let center = center.unwrap_or_else(|_| unreachable!("the constructor of the statistic checked the centre"));
        let radius = mean.ball().radius() * form.dot(form).sqrt();
        let sigma = cross_sd * length.sqrt();
        let observation =
            Observation::isonormal(mean.grid().clone(), center * form[0], radius, cross.t().dot(&h), sigma, *records)?;
        let tilted = self.along.t().dot(&h).insert_axis(Axis(1));
        let of_design = self.along.t().dot(&self.along) * length + tilted.dot(&tilted.t());
        let covariance = (&self.errors * strength + of_design * covariates_sd.powi(2)) * *records;
        let (positive, total) = (positive_part(&covariance)?, covariance.diag().sum().max(0.0));
        let sampling = DecodedMoments { basis: basis.clone(), covariance, positive, total, total_upper: total };
        PopulationMean::with_sampling(observation, SamplingCovariance::Moments(sampling))
    }

    fn estimate(
        &self,
        release: &Release<Regression>,
        form: &Array1<f64>,
        level: f64,
    ) -> Result<Estimate, AnalysisError> {
        let population = self.population(release, form)?;
        let band = Band::Population.around(population.posterior(), population.sampling(), level)?;
        Ok(Estimate::new(population.posterior(), &band))
    }
}

impl Deref for EstimatedRegression {
    type Target = Release<Regression>;

    fn deref(&self) -> &Release<Regression> {
        &self.release
    }
}

impl EstimatedRegression {
    /// The coefficient functions of a release, each with a band of this level: the intercept, which is the mean where every number is 0
    /// and every category at its reference, and the change for one unit of each covariate.
    ///
    /// # Errors
    /// [`AnalysisError::DesignTooWeak`] where the noise hides the covariates, with the number of records that would do;
    /// [`AnalysisError::Level`] for a level outside (0.5, 0.9999).
    pub fn new(release: Release<Regression>, level: f64) -> Result<Self, AnalysisError> {
        check_level(level)?;
        let fit = Fit::new(Regression::products(&release))?;
        let columns = release.statistic().columns();
        let size = columns.len() + 1;
        let intercept = Array1::from_shape_fn(size, |k| match k {
            0 => 1.0,
            k => -columns[k - 1].middle / columns[k - 1].half,
        });
        let slope = |k: usize| {
            let mut form = Array1::zeros(size);
            form[k + 1] = 1.0 / columns[k].half;
            form
        };
        let forms = (0..columns.len()).map(|k| (columns[k].name.clone(), slope(k)));
        let coefficients = std::iter::once(("intercept".to_owned(), intercept))
            .chain(forms)
            .map(|(name, form)| Ok((name, fit.estimate(&release, &form, level)?)))
            .collect::<Result<_, AnalysisError>>()?;
        Ok(Self { release, fit, coefficients, level })
    }

    /// The release.
    pub fn release(&self) -> &Release<Regression> {
        &self.release
    }

    /// The coefficient functions with their names, the intercept first.
    pub fn coefficients(&self) -> &[(String, Estimate)] {
        &self.coefficients
    }

    /// The level of the bands.
    pub fn level(&self) -> f64 {
        self.level
    }

    /// The mean curve of people with these covariates, one cell for each in the order of the release, with a band for the mean of
    /// their population; it is no band for the curve of one of them.
    ///
    /// # Errors
    /// [`AnalysisError::Covariate`] for a cell that is not within the public range of its covariate.
    pub fn predict(&self, cells: &[&str]) -> Result<Estimate, AnalysisError> {
        let covariates = self.release.statistic().covariates();
        if cells.len() != covariates.len() {
            let what = "the list of covariates";
            return Err(AnalysisError::Length { what, expected: covariates.len(), found: cells.len() });
        }
        let mut form = vec![1.0];
        for (place, (covariate, cell)) in covariates.iter().zip(cells).enumerate() {
            if !covariate.holds(cell) {
                return Err(AnalysisError::Covariate { place: place + 1 });
            }
            form.extend(covariate.standardised(Some(cell)));
        }
        self.fit.estimate(&self.release, &Array1::from(form), self.level)
    }

    /// What the release is and what its bands promise, in words.
    pub fn facts(&self) -> Vec<Fact> {
        let mut facts = self.release.facts();
        let percent = rounded(100.0 * self.level);
        let band = format!(
            "{percent}% simultaneous band around the posterior mean of each coefficient function, for one function at a time. The band \
             holds the whole coefficient function of the population with the stated probability, if the mean is linear in the covariates \
             and the prior describes the function: privacy noise, smoothing and sampling are in it."
        );
        facts.push(Fact::new("band", band).captioned(format!("{percent}% bands for the coefficient functions")));
        facts
    }

    /// The release with its coefficients as a JSON document.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let coefficients = self.coefficients.iter().cloned();
        let coefficients = coefficients.map(|(name, function)| CoefficientDocument { name, function }).collect();
        self.release.to_json_with_estimate(&CoefficientsDocument { level: self.level, coefficients })
    }

    /// Reads a release back with its coefficients, which must be what the release gives.
    ///
    /// # Errors
    /// [`ReadError`] as in [`Release::<Regression>::from_json`], for a design that is too weak, and for coefficients that are not of this
    /// release.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        let (release, stated) = Release::from_json_with_estimate(json)?;
        Self::stated(release, stated)?.map_err(|_| ReadError::Contradiction { field: "estimate" })
    }

    /// The same for a release that was read already, with the coefficients in its document; or why the noise hides them.
    ///
    /// # Errors
    /// As [`EstimatedRegression::from_json`], except for a design that is too weak.
    pub fn of_document(
        release: Release<Regression>,
        estimate: Option<&RawValue>,
    ) -> Result<Result<Self, AnalysisError>, ReadError> {
        Self::stated(release, read_part(estimate)?)
    }

    fn stated(
        release: Release<Regression>,
        stated: Option<CoefficientsDocument>,
    ) -> Result<Result<Self, AnalysisError>, ReadError> {
        let level = stated.as_ref().map_or(DEFAULT_LEVEL, |stated| stated.level);
        demand("estimate.level", check_level(level).is_ok())?;
        let derived = match Self::new(release, level) {
            Ok(derived) => derived,
            Err(hidden) => return Ok(Err(hidden)),
        };
        if let Some(stated) = stated {
            demand("estimate.coefficients", stated.coefficients.len() == derived.coefficients.len())?;
            for (stated, (name, function)) in stated.coefficients.iter().zip(&derived.coefficients) {
                demand("estimate.coefficients.name", stated.name == *name)?;
                stated.function.check(function, derived.statistic().ball().radius())?;
            }
        }
        Ok(Ok(derived))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CoefficientsDocument {
    level: f64,
    coefficients: Vec<CoefficientDocument>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CoefficientDocument {
    name: String,
    function: Estimate,
}
