//! The coefficients of a released regression.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use dpfda_kernels::{Eigenpairs, eigenpairs};
use dpfda_mechanism::{Fact, Release, rounded};
use dpfda_release::{DesignColumn, GroupSize, Mean, NoisyProducts, Regression, stated_by_default};
use ndarray::{Array1, Array2, Axis};
use serde::{Deserialize, Serialize};

use super::means::{Banded, Means, Named, Several};
use super::{Estimable, Estimated};
use crate::band::{Band, Target};
use crate::clipping::allowance;
use crate::error::{AnalysisError, check_level};
use crate::estimate::document::{EstimateDocument, Stated, StatedEstimates};
use crate::outcome::Outcome;
use crate::population::PopulationMean;
use crate::posterior::Posterior;
use crate::posterior::ladder::Ladder;
use crate::posterior::observed::Observation;
use crate::psd::{positive_part, with_values};
use crate::sampling::SamplingCovariance;
use crate::sampling::decoded::DecodedMoments;

#[cfg(test)]
#[path = "of_regression_tests.rs"]
mod tests;

/// The design must be this many times as strong as the root of the number of its columns times the noise of a product.
const STRENGTH: f64 = 2.0;

/// The coefficient functions of a release: the intercept, which is the mean where every number is 0 and every category at its
/// reference, and the change for one unit of each covariate. Where the noise hides the covariates, each says
/// [`AnalysisError::DesignTooWeak`], with the number of records that would do.
///
/// ```text
/// g = S C,         S = A^(-1), or the root of a public design;    of a form a of the coefficients beta = T'g:  f = T a,  h = S f,  a'beta = f'g = C'h
/// noise of f'g:    white, of standard deviation s_C |h|, and that of A, of covariance o^2 (|h|^2 g'g + (g'h)(g'h)')
/// sampling:        f'A^(-1)f K_e,    K_e = (B'Z'ZB - g'A g + s_C^2 tr(S'AS) I) / (N - p)
/// ```
///
/// Each form is then estimated as a mean is: a posterior given white noise, and a band for the population. The radius of the prior is
/// `tau |a|`. In a bought ball the pull on the curves outside it moves `a'beta` by at most `sqrt(N a'A^(-1)a)` times its
/// root mean square, for which the [excess](dpfda_release::Bought::excess) stands: the band holds `sqrt(N a'A^(-1)a) max(0.8 Ehat, 5 q^4 tau)`. `docs/proofs/regression.md` says what is proved.
impl Estimable for Regression {
    type View = Release<Regression>;
    type Means = Fitted;
    type Document = Stating;

    fn means(release: &Release<Regression>, band: &Band, level: f64) -> Result<Fitted, AnalysisError> {
        check_level(level)?;
        Ok(Fitted {
            fit: Fit::new(release).map(Arc::new),
            forms: forms(release),
            asked: (band.clone(), level),
            coefficients: OnceLock::new(),
            outcome: release.statistic().outcome().map(|name| Outcome::new(release, name, level).map(Box::new)),
        })
    }

    fn facts_of_estimate(release: &Release<Regression>, coefficients: &Fitted) -> Vec<Fact> {
        let mut facts: Vec<Fact> = stated_by_default(release).into_iter().collect();
        if let Some(outcome) = &coefficients.outcome {
            facts.extend(outcome.iter().flat_map(|outcome| outcome.facts()));
            return facts;
        }
        let Some(Ok(first)) = coefficients.all().first().map(Named::estimate) else { return facts };
        let percent = rounded(100.0 * coefficients.level());
        let promise = match first.band {
            Band::Population => {
                "The band holds the whole coefficient function of the population with the stated probability, if the mean is linear in \
                 the covariates and the prior describes the function: privacy noise, smoothing and sampling are in it."
            }
            ref other => other.promises(),
        };
        let of_whom = match first.band.target() {
            Target::SampleMean => " of these people",
            _ => "",
        };
        let text = format!(
            "{percent}% simultaneous band around the posterior mean of each coefficient function, for one function at a time. {promise}"
        );
        let method = "posterior mean of a Gaussian process for each coefficient function";
        facts.push(Fact::new("estimate", method).briefly(method));
        let brief = format!("{percent}% band for each coefficient function{of_whom}, for one function at a time");
        facts.push(
            Fact::new("band", text).briefly(brief).captioned(format!("{percent}% bands for the coefficient functions")),
        );
        facts
    }
}

impl Estimated<Regression> {
    /// Why the noise hides the coefficients, where it does.
    pub fn hidden(&self) -> Option<AnalysisError> {
        let means = self.means();
        means.fit.as_ref().err().copied().or_else(|| means.all().first()?.mean().err())
    }

    /// How curves go with the outcome that the release is about; `None` for a release that is about coefficients.
    pub fn of_outcome(&self) -> Option<Result<&Outcome, AnalysisError>> {
        Some(self.means().outcome.as_ref()?.as_deref().map_err(|reason| *reason))
    }

    /// The mean curve of people with these covariates, one cell for each in the order of the release, with a band for the mean of
    /// their population; it is no band for the curve of one of them.
    ///
    /// # Errors
    /// [`AnalysisError::Covariate`] for a cell that is not within the public range of its covariate, [`AnalysisError::DesignTooWeak`] as
    /// the coefficients.
    pub fn predict(&self, cells: &[&str]) -> Result<Banded<PopulationMean>, AnalysisError> {
        let covariates = self.release().statistic().covariates();
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
        let fit = self.means().fit.as_ref().map_err(|reason| *reason)?;
        Banded::new(fit.population(&Array1::from(form))?, &Band::Population, self.means().level())
    }
}

/// The names of the coefficients, and what each is of the coefficients of standardised covariates.
fn forms(release: &Release<Regression>) -> Vec<(String, Array1<f64>)> {
    let (columns, size) = (release.statistic().columns(), release.statistic().coefficients());
    let intercept = Array1::from_shape_fn(size, |k| match k {
        0 => 1.0,
        k => -columns[k - 1].middle / columns[k - 1].half,
    });
    let slope = |(k, column): (usize, &DesignColumn)| {
        let mut form = Array1::zeros(size);
        form[k + 1] = 1.0 / column.half;
        (column.name.clone(), form)
    };
    let slopes = columns.iter().enumerate().map(slope);
    std::iter::once(("intercept".to_owned(), intercept)).chain(slopes).collect()
}

/// What a release says: how curves go with its outcome, where it is about one, and the coefficient functions. They and every prediction
/// follow from one fit. Each coefficient is estimated when any of them is asked for first: a release about an outcome shows none.
#[derive(Debug, Clone)]
pub struct Fitted {
    fit: Result<Arc<Fit>, AnalysisError>,
    forms: Vec<(String, Array1<f64>)>,
    /// The band and its level.
    asked: (Band, f64),
    coefficients: OnceLock<Several<PopulationMean>>,
    outcome: Option<Result<Box<Outcome>, AnalysisError>>,
}

impl Deref for Fitted {
    type Target = Several<PopulationMean>;

    fn deref(&self) -> &Several<PopulationMean> {
        let population = |form: &Array1<f64>| self.fit.as_ref().map_err(|reason| *reason)?.population(form);
        let each = || self.forms.iter().map(|(name, form)| (name.clone(), population(form)));
        self.coefficients.get_or_init(|| Several::of(each(), &self.asked.0, self.asked.1))
    }
}

impl Means for Fitted {
    fn with_band(&self, band: &Band, level: f64) -> Result<Self, AnalysisError> {
        check_level(level)?;
        if self.outcome.is_some() && *band != Band::Population {
            return Err(AnalysisError::OneBand { what: "correlations", band: band.name() });
        }
        let coefficients = self.coefficients.get().map(|means| means.with_band(band, level)).transpose()?;
        let outcome = self.outcome.clone();
        Ok(Self {
            asked: (band.clone(), level),
            coefficients: coefficients.map_or_else(OnceLock::new, OnceLock::from),
            outcome: outcome.map(|outcome| outcome.map(|outcome| Box::new(outcome.with_level(level)))),
            ..self.clone()
        })
    }

    fn band(&self) -> Option<Band> {
        Some(self.asked.0.clone())
    }

    fn level(&self) -> f64 {
        self.asked.1
    }

    fn stated(&self) -> Vec<(Stated, f64)> {
        let Some(outcome) = &self.outcome else { return Several::stated(self) };
        let correlation = outcome.as_ref().ok().map(|outcome| outcome.correlation().clone().into());
        vec![((CORRELATION.to_owned(), correlation), 1.0)]
    }
}

/// What documents call the estimate of a release about an outcome.
const CORRELATION: &str = "correlation";

/// Least squares from noisy products.
#[derive(Debug)]
struct Fit {
    mean: Mean,
    /// How far the pull on curves outside a bought ball may move the mean of all, in data units.
    clipping: f64,
    products: NoisyProducts,
    inverse: Array2<f64>,
    /// `S`, `p x p`, symmetric.
    solution: Array2<f64>,
    /// The coefficients of the coded covariates along the basis, `p x K`.
    along: Array2<f64>,
    errors: Array2<f64>,
}

impl Fit {
    fn new(release: &Release<Regression>) -> Result<Self, AnalysisError> {
        let (mean, products) = (release.statistic().mean(), Regression::products(release));
        let NoisyProducts { covariates, records, .. } = &products;
        let p = covariates.nrows() as f64;
        let pairs = check_design(&products)?;
        let inverse = with_values(&pairs, &pairs.values.mapv(|value| 1.0 / value));
        let solution = products.root.clone().unwrap_or_else(|| inverse.clone());
        let along = solution.dot(&products.along);
        let fitted = along.t().dot(covariates).dot(&along);
        let of_noise = products.cross_sd.powi(2) * solution.dot(covariates).dot(&solution).diag().sum();
        let errors = (&products.curves - &fitted + &products.along_noise * of_noise) / (records - p);
        let (size, noise) = (GroupSize::only(*records), release.statistic().noise_trace());
        let clipping = allowance(mean.bought(), mean.ball().radius(), 0, size, noise);
        Ok(Self { mean: mean.clone(), clipping, products, inverse, solution, along, errors })
    }

    /// The posterior of a form of the coefficients of standardised covariates.
    fn population(&self, form: &Array1<f64>) -> Result<PopulationMean, AnalysisError> {
        let NoisyProducts { cross, cross_sd, covariates_sd, basis, records, transform, .. } = &self.products;
        let coded = transform.dot(form);
        let h = self.solution.dot(&coded);
        let (length, strength) = (h.dot(&h), coded.dot(&self.inverse.dot(&coded)));
        let mean = &self.mean;
        let radius = mean.ball().radius() * form.dot(form).sqrt();
        let observation = Observation::in_coordinates(mean, cross.t().dot(&h), cross_sd * length.sqrt(), *records)?;
        let center = observation.center.mapv(|center| center * form[0]);
        let observation = Observation { center, radius, ..observation };
        let observation = Observation { clipping: self.clipping * (strength * records).sqrt(), ..observation };
        let tilted = self.along.t().dot(&h).insert_axis(Axis(1));
        let of_design = self.along.t().dot(&self.along) * length + tilted.dot(&tilted.t());
        let covariance = (&self.errors * strength + of_design * covariates_sd.powi(2)) * *records;
        let (positive, total) = (positive_part(&covariance)?, covariance.diag().sum().max(0.0));
        let sampling = DecodedMoments { basis: basis.clone(), covariance, positive, total, total_upper: total };
        let posterior = Posterior::new(observation, &Ladder::default())?;
        Ok(PopulationMean::of(posterior, SamplingCovariance::Moments(sampling)).made_of(cross.clone()))
    }
}

/// Refuses products of covariates that the noise hides.
///
/// # Errors
/// [`AnalysisError::DesignTooWeak`]
pub(crate) fn check_design(products: &NoisyProducts) -> Result<Eigenpairs, AnalysisError> {
    let NoisyProducts { covariates, covariates_sd, records, .. } = products;
    let p = covariates.nrows() as f64;
    let pairs = eigenpairs(covariates)?;
    let smallest = pairs.values.iter().copied().fold(f64::INFINITY, f64::min);
    let needed = STRENGTH * p.sqrt() * covariates_sd;
    if !(smallest > needed && *records > p + 1.0) {
        return Err(AnalysisError::DesignTooWeak { smallest, needed, records: *records });
    }
    Ok(pairs)
}

/// The estimates in a document: the coefficients, or the correlation with an outcome.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stating {
    level: f64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    coefficients: Vec<Coefficient>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    correlation: Option<EstimateDocument>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Coefficient {
    name: String,
    function: EstimateDocument,
}

impl StatedEstimates for Stating {
    /// Nothing where the noise hides them. A correlation stands alone, and an intercept never does.
    fn of(level: f64, mut means: Vec<Stated>) -> Option<Self> {
        if means.len() == 1 {
            let correlation = means.pop().and_then(|(_, correlation)| correlation)?;
            return Some(Self { level, coefficients: Vec::new(), correlation: Some(correlation) });
        }
        let known = |(name, function): Stated| Some(Coefficient { name, function: function? });
        let coefficients = means.into_iter().map(known).collect::<Option<_>>()?;
        Some(Self { level, coefficients, correlation: None })
    }

    fn stated(self) -> (f64, Vec<Stated>) {
        let correlation = self.correlation.map(|correlation| (CORRELATION.to_owned(), Some(correlation)));
        let coefficients = self.coefficients.into_iter().map(|one| (one.name, Some(one.function)));
        (self.level, coefficients.chain(correlation).collect())
    }
}
