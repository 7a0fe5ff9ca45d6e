//! Orthogonal series on the cosine basis, with noise of the basis's own sensitivity.

use dpfda_mechanism::{Mechanism, MechanismError, Prepared, Terms};
use dpfda_privacy::{BasisError, Law, NeighbouringRelation, PrivacyBudget, PrivacyUnit, Randomness};
use thiserror::Error;

use crate::bounds::Bounds;
use crate::points::Points;

mod density;
mod release;
mod selection;
mod statistic;
#[cfg(test)]
mod tests;

pub use density::SeriesDensity;
pub use release::SeriesRelease;
pub use selection::SeriesSelection;
pub use statistic::{Series, SeriesTerms};

/// Noise on the coefficients of an orthogonal series, calibrated to what one record can really do to all of them at once.
///
/// ```text
/// beta_k = (1/n) sum_i psi_k(X_i),    released: beta_k + V_k
/// delta = 0:  V_k discrete Laplace, scale sup_{x,y} sum_k |psi_k(x) - psi_k(y)| / (n epsilon)
/// delta > 0:  V_k exactly rounded normal, sup_{x,y} |psi(x) - psi(y)|_2 / (n mu)
/// exponential (delta = 0): all of V of density proportional to exp(-epsilon n |V| / sup_{x,y} |psi(x) - psi(y)|_2)
/// ```
///
/// in integer steps of `2^-20 / n`, so that the guarantee holds to the last bit (`docs/proofs/series.md`). Under add/remove-one
/// the count is released too, with the same noise, as the coefficient of the constant term. Source: Wasserman and Zhou,
/// before Theorem 15, with the scale corrected (`docs/papers/errata.md`, entry 13).
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesMechanism {
    length: SeriesTerms,
    terms: Terms,
}

/// Why no series was released. Nothing in it depends on the values of the points.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum SeriesError {
    #[error(transparent)]
    Basis(#[from] BasisError),
    #[error("the smoothness gamma must be finite and above 1/2 (Wasserman and Zhou, before (14)), got {value:?}")]
    Smoothness { value: f64 },
    #[error(
        "the number of terms for a smoothness gamma depends on the number of records, which is private under add/remove-one: give the number of terms, or have it chosen after the release"
    )]
    PrivateRecords,
    #[error("the rule for the number of terms gives {expected}, the plan has {found}")]
    Terms { expected: usize, found: usize },
    #[error(transparent)]
    Mechanism(#[from] MechanismError),
}

impl SeriesMechanism {
    /// The mechanism with this rule for the number of terms.
    pub fn new(
        terms: SeriesTerms,
        budget: PrivacyBudget,
        neighbours: NeighbouringRelation,
    ) -> Result<Self, SeriesError> {
        terms.check()?;
        if matches!(terms, SeriesTerms::Smoothness(_)) && neighbours == NeighbouringRelation::AddRemoveOne {
            return Err(SeriesError::PrivateRecords);
        }
        Ok(Self { length: terms, terms: Terms::new(budget).neighbours(neighbours).noise(Law::exact(&budget)) })
    }

    /// Draws all coefficients together by the exponential mechanism, in place of independent noise; for `delta = 0`.
    ///
    /// ```text
    /// density at theta in R^m proportional to exp(-epsilon |theta - beta| / Delta),    Delta = sup_{x,y} |psi(x) - psi(y)|_2 / n
    /// ```
    ///
    /// The score is the distance of two series in `L2`, as in Theorem 14 of Wasserman and Zhou, the base measure Lebesgue's on all
    /// coefficient vectors in place of that on `k` points. Its normalising constant does not depend on the data, so the factor 2 of their
    /// (8) is not needed, and nothing is rejected: any number of records, in a time that does not depend on them. The law is that of exact
    /// [K-norm noise](Law::KNorm) (`docs/proofs/series-exponential.md`). For two terms and more its variance is below that of the Laplace
    /// noise.
    #[must_use]
    pub fn exponential(mut self) -> Self {
        self.terms = self.terms.noise(Law::KNorm {});
        self
    }

    /// Sets what a point is (default: a record alone; a subject, if nobody has two points).
    #[must_use]
    pub fn unit(mut self, unit: PrivacyUnit) -> Self {
        self.terms = self.terms.unit(unit);
        self
    }

    /// The public plan of a release of points in these bounds, with its noise and its cost: what parts are encoded by.
    /// `records` is the public number of all records, where there is one.
    pub fn mechanism(&self, bounds: Bounds, records: Option<u64>) -> Result<Mechanism<Series>, SeriesError> {
        let series = Series::new(bounds, self.length, records)?;
        Ok(Mechanism::new(series, self.terms.clone())?)
    }

    /// Does everything but the noise: what can be refused is refused here, before anything is paid for.
    ///
    /// # Errors
    /// [`SeriesError`]; nothing has been drawn or spent then.
    pub fn prepare(&self, points: &Points) -> Result<Prepared<Series>, SeriesError> {
        let records = self.terms.has_public_records().then_some(points.records() as u64);
        Ok(self.mechanism(points.bounds().clone(), records)?.prepare_all(points.rows())?)
    }

    /// Releases the noisy coefficients of the points: **spends the budget**, and no ledger remembers it.
    ///
    /// # Errors
    /// [`SeriesError`]; nothing has been drawn or spent then.
    pub fn release<R: Randomness + ?Sized>(
        &self,
        points: &Points,
        randomness: &mut R,
    ) -> Result<SeriesRelease, SeriesError> {
        Ok(self.prepare(points)?.draw_unrecorded(randomness).into())
    }
}
