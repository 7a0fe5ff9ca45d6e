//! The slope function of an outcome: ridge regression on curves from released moments.

use std::fmt;

use dpfda_kernels::eigenpairs;
use ndarray::{Array1, Array2, Axis};

use super::covariance::OutcomeCovariance;
use crate::chart::shape::normal_quantile;
use crate::error::AnalysisError;
use crate::person::Person;
use crate::posterior::Posterior;
use crate::posterior::unmapped::Unmapped;
use crate::psd::with_values;
use crate::sampling::{public_functions, trace};

/// The number of public functions that the slope is made of: the first of its prior.
const FUNCTIONS: usize = 40;

/// The sizes of the prior: what it expects of the variance of the outcome to be explained.
const SIZES: [f64; 8] = [1.0 / 64.0, 1.0 / 32.0, 1.0 / 16.0, 0.125, 0.25, 0.5, 1.0, 2.0];

/// The evidence for an association that a slope needs: ten to one.
const CLEAR: f64 = std::f64::consts::LN_10;

/// A slope function and what it explains.
///
/// ```text
/// b ~ N(0, a K),    g | b ~ N(Sigma b, s_g^2 I + v Sigma / N),    b = a K Sigma (a Sigma K Sigma + s_g^2 I + v Sigma / N)^(-1) g
/// ```
///
/// `K` is the Matern 3/2 kernel of range 0.5 on the domain mapped to `[0, 1]`, and `a` takes 8 values about `v / tr(K Sigma)`, weighed by
/// their evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct SlopeFunction {
    /// `b` at the points of the grid, in units of the outcome over those of the curves: the integral is over the domain mapped to `[0, 1]`.
    pub values: Array1<f64>,
    part: Part,
    /// The logarithm of the evidence for an association against none.
    pub log_evidence: f64,
}

/// `E R^2` and its relative variance, and what the slope is expected to explain in new people.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Part {
    mean: f64,
    relative: f64,
    of_new: f64,
}

/// What is said of the part of the variance of an outcome that curves explain, `R^2`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Explained {
    /// `R^2` is at least this, with the probability that the band states.
    pub at_least: f64,
    /// The part that the slope is expected to explain in new people; `None` where the noise makes more than all of it.
    pub of_new: Option<f64>,
}

impl fmt::Display for Explained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: f64| (100.0 * part).floor();
        write!(f, "curves explain at least {}% of its variance", percent(self.at_least))?;
        let of_new = |part| write!(f, ", and the slope about {}% in new people", percent(part));
        self.of_new.map_or(Ok(()), of_new)
    }
}

impl SlopeFunction {
    /// What is said of `R^2`.
    ///
    /// ```text
    /// E R^2 = sum_a w_a (b_a'Sigma b_a + tr Sigma V_a) / v,    b | g, a ~ N(b_a, V_a)
    /// at least:  E R^2 (1 - h - z sqrt(h))^3,    h = (Var R^2 / (E R^2)^2 + r^2) / 9,    r^2 the relative variance of v and Sigma
    /// of new people, in expectation:  b'Sigma b / v
    /// ```
    ///
    /// A square is nearly normal about its cube root (Wilson and Hilferty 1931). No upper end is told: what curves explain along directions
    /// that the noise hides, the prior makes small.
    pub(super) fn explained(&self, level: f64) -> Explained {
        let h = self.part.relative / 9.0;
        let shrunk = (1.0 - h - normal_quantile(level) * h.sqrt()).max(0.0).powi(3);
        let Part { mean, of_new, .. } = self.part;
        Explained { at_least: (mean * shrunk).clamp(0.0, 1.0), of_new: (of_new < 1.0).then_some(of_new) }
    }

    /// `uncertain` is the relative variance of the variances of the outcome and of curves.
    ///
    /// # Errors
    /// [`AnalysisError::NoAssociation`]
    pub(super) fn of(
        found: &OutcomeCovariance,
        posterior: &Posterior,
        person: &Person,
        uncertain: f64,
    ) -> Result<Self, AnalysisError> {
        let seen = Unmapped::of(posterior)?.ok_or(AnalysisError::TestNeedsIsonormal)?;
        let (spectrum, directions) = public_functions(posterior, FUNCTIONS)?;
        let weighted = &directions * &posterior.support.weights.mapv(f64::sqrt).insert_axis(Axis(1));
        let ridge = Ridge {
            covariance: weighted.t().dot(&person.covariance()).dot(&weighted),
            prior: Array2::from_diag(&spectrum.eigenvalues().to_owned()),
            observed: directions.t().dot(&seen.deviation),
            noise: {
                let along = seen.noise(&directions.t().to_owned()).into_owned();
                along.dot(&along.t()) * posterior.observation().sigma.powi(2)
            },
            variance: found.variance,
            records: posterior.observation().records,
        };
        let Fitted { slope, log_evidence, explained } = ridge.solved()?;
        if log_evidence.is_nan() || log_evidence <= CLEAR {
            return Err(AnalysisError::NoAssociation { log_evidence });
        }
        let (mean, variance) = explained;
        let part = Part {
            mean: mean / found.variance,
            relative: variance / mean.powi(2) + uncertain,
            of_new: slope.dot(&ridge.covariance.dot(&slope)) / found.variance,
        };
        Ok(Self { values: spectrum.eigenfunctions().dot(&slope) * found.half, part, log_evidence })
    }
}

/// Ridge regression in public coordinates in which the prior of the slope is known.
pub(super) struct Ridge {
    /// `Sigma`.
    pub(super) covariance: Array2<f64>,
    /// `K`.
    pub(super) prior: Array2<f64>,
    /// `g`.
    pub(super) observed: Array1<f64>,
    /// The covariance of the privacy noise of `g`.
    pub(super) noise: Array2<f64>,
    /// `v`.
    pub(super) variance: f64,
    pub(super) records: f64,
}

/// What is said of a slope given a size of the prior, or the mixture over its sizes.
pub(super) struct Fitted {
    pub(super) slope: Array1<f64>,
    pub(super) log_evidence: f64,
    /// Mean and variance of `b'Sigma b`.
    explained: (f64, f64),
}

impl Ridge {
    fn solved(&self) -> Result<Fitted, AnalysisError> {
        let size = self.variance / trace(&self.prior.dot(&self.covariance));
        let without = self.at(0.0)?.log_evidence;
        let each: Result<Vec<_>, AnalysisError> = SIZES.iter().map(|times| self.at(times * size)).collect();
        let each = each?;
        let largest = each.iter().map(|one| one.log_evidence).fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = each.iter().map(|one| (one.log_evidence - largest).exp()).collect();
        let total: f64 = weights.iter().sum();
        let average = |of: &dyn Fn(&Fitted) -> f64| {
            each.iter().zip(&weights).map(|(one, weight)| of(one) * weight / total).sum::<f64>()
        };
        let slope = (0..self.observed.len()).map(|k| average(&|one| one.slope[k])).collect();
        let mean = average(&|one| one.explained.0);
        let variance = average(&|one| one.explained.1 + (one.explained.0 - mean).powi(2));
        let log_evidence = largest + (total / weights.len() as f64).ln() - without;
        Ok(Fitted { slope, log_evidence, explained: (mean, variance) })
    }

    /// The same with a prior of this size; the evidence is up to a constant.
    pub(super) fn at(&self, size: f64) -> Result<Fitted, AnalysisError> {
        let across = self.prior.dot(&self.covariance) * size;
        let all = self.covariance.dot(&across) + &self.noise + &self.covariance * (self.variance / self.records);
        let pairs = eigenpairs(&((&all + &all.t()) * 0.5))?;
        let log_determinant: f64 = pairs.values.iter().map(|value| value.ln()).sum();
        let inverse = with_values(&pairs, &pairs.values.mapv(|value| 1.0 / value));
        let solved = inverse.dot(&self.observed);
        let log_evidence = -0.5 * (self.observed.dot(&solved) + log_determinant);
        let slope = across.dot(&solved);
        // of a normal slope: E b'Sb = m'Sm + tr SV, Var b'Sb = 4 m'SVSm + 2 tr SVSV
        let spread = &self.prior * size - across.dot(&inverse).dot(&across.t());
        let (along, within) = (self.covariance.dot(&slope), self.covariance.dot(&spread));
        let mean = slope.dot(&along) + trace(&within);
        let variance = 4.0 * along.dot(&spread.dot(&along)) + 2.0 * trace(&within.dot(&within));
        Ok(Fitted { slope, log_evidence, explained: (mean, variance) })
    }
}
