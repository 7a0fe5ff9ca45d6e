//! The mechanism: exact sums of the encoded records, and integer noise.

use std::fmt;

use dpfda_privacy::{
    Calibration, GaussianPrivacy, MAX_RECORDS, NeighbouringRelation, PrivacyBudget, Randomness, Spend,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::basis::{BasisError, CosineBasis};
use super::encoding::{LATTICE_BITS, encode};
use super::noise::{SeriesNoise, SeriesNoiseError};
use super::release::SeriesRelease;
use crate::points::Points;

#[cfg(test)]
mod tests;

/// How many terms a series has.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum SeriesTerms {
    /// So many.
    Given(usize),
    /// The rate for densities with `gamma` square-integrable derivatives, `gamma > 1/2`: the integer nearest to
    ///
    /// ```text
    /// m = n^(r / (2 gamma + r))
    /// ```
    ///
    /// between 1 and [`CosineBasis::most_terms`]. For `r = 1` it is (15) and Theorem 15 of Wasserman and Zhou; for more
    /// dimensions the usual rate. It uses `n`, which must be public.
    Smoothness(f64),
    /// So many are released, with noise for all of them, and what is used is chosen from the noisy coefficients alone, at no
    /// further cost; see [`SeriesRelease::selection`].
    ChosenUpTo(usize),
}

/// Noise on the coefficients of an orthogonal series, calibrated to what one record can really do to all of them at once.
///
/// ```text
/// beta_k = (1/n) sum_i psi_k(X_i),    released: beta_k + V_k
/// delta = 0:  V_k discrete Laplace, scale sup_{x,y} sum_k |psi_k(x) - psi_k(y)| / (n epsilon)
/// delta > 0:  V_k exactly rounded normal, sup_{x,y} |psi(x) - psi(y)|_2 / (n mu)
/// ```
///
/// in integer steps of `2^-20 / n`, so that the guarantee holds to the last bit (`docs/proofs/series.md`). Under add/remove-one
/// the count is released too, with the same noise, as the coefficient of the constant term. Source: Wasserman and Zhou,
/// before Theorem 15, with the scale corrected (`docs/errata.md`, entry 13).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeriesMechanism {
    terms: SeriesTerms,
    budget: PrivacyBudget,
    neighbours: NeighbouringRelation,
}

/// Why no series was released.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum SeriesError {
    /// There is no such basis.
    #[error(transparent)]
    Basis(#[from] BasisError),
    /// There is no noise for the budget.
    #[error(transparent)]
    Noise(#[from] SeriesNoiseError),
    /// Wasserman and Zhou's classes of densities.
    #[error("the smoothness gamma must be finite and above 1/2 (Wasserman and Zhou, before (14)), got {value}")]
    Smoothness {
        /// The gamma given.
        value: f64,
    },
    /// The rate is a function of the number of records.
    #[error(
        "the number of terms for a smoothness gamma depends on the number of records, which is private under add/remove-one: give the number of terms, or have it chosen after the release"
    )]
    PrivateRecords,
    /// Nothing to take a mean of.
    #[error("there are no records: under substitute-one their number is public and must be at least 1")]
    NoRecords,
    /// More records than the sums are proved for.
    #[error("a series is summed over at most {MAX_RECORDS} records")]
    TooManyRecords,
}

impl SeriesTerms {
    /// The number of terms to release in this dimension, for so many records where that is public.
    pub(super) fn number(self, dimension: usize, records: Option<u64>) -> Result<usize, SeriesError> {
        match self {
            Self::Given(terms) | Self::ChosenUpTo(terms) => Ok(terms),
            Self::Smoothness(gamma) => {
                let n = records.ok_or(SeriesError::PrivateRecords)? as f64;
                let r = dimension as f64;
                let most = CosineBasis::most_terms(dimension) as f64;
                let rate = n.powf(r / (2.0 * gamma + r)).round().min(most).max(1.0);
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 1 to 1024")]
                let terms = rate as usize;
                Ok(terms)
            }
        }
    }
}

impl SeriesMechanism {
    /// The mechanism with this rule for the number of terms.
    ///
    /// # Errors
    /// [`SeriesError`] for no terms, a smoothness that is not above 1/2, or one without a public number of records.
    pub fn new(
        terms: SeriesTerms,
        budget: PrivacyBudget,
        neighbours: NeighbouringRelation,
    ) -> Result<Self, SeriesError> {
        match terms {
            SeriesTerms::Given(0) | SeriesTerms::ChosenUpTo(0) => return Err(BasisError::NoTerms.into()),
            SeriesTerms::Smoothness(gamma) if !(gamma.is_finite() && gamma > 0.5) => {
                return Err(SeriesError::Smoothness { value: gamma });
            }
            SeriesTerms::Smoothness(_) if neighbours == NeighbouringRelation::AddRemoveOne => {
                return Err(SeriesError::PrivateRecords);
            }
            _ => {}
        }
        Ok(Self { terms, budget, neighbours })
    }

    /// The rule for the number of terms.
    pub fn terms(&self) -> SeriesTerms {
        self.terms
    }

    /// The budget.
    pub fn budget(&self) -> &PrivacyBudget {
        &self.budget
    }

    /// The relation.
    pub fn neighbours(&self) -> NeighbouringRelation {
        self.neighbours
    }

    /// What a release costs, for an account of several: a function of public numbers alone.
    ///
    /// # Errors
    /// [`SeriesError::Noise`] for a budget that no noise meets.
    pub fn spend(&self) -> Result<Spend, SeriesError> {
        if self.budget.delta() == 0.0 {
            return Ok(Spend::of_budget(&self.budget));
        }
        let privacy = GaussianPrivacy::calibrated(Calibration::Tight, &self.budget).map_err(SeriesNoiseError::from)?;
        Ok(Spend::of_gaussian(privacy))
    }

    /// Refuses what [`SeriesMechanism::release`] would refuse, before anything is paid for.
    ///
    /// # Errors
    /// [`SeriesError`]
    pub fn check(&self, points: &Points) -> Result<(), SeriesError> {
        self.prepared(points, public_records(points, self.neighbours)?).map(|_| ())
    }

    /// The basis, and the noise that its sensitivity takes.
    fn prepared(&self, points: &Points, records: Option<u64>) -> Result<(CosineBasis, SeriesNoise), SeriesError> {
        let dimension = points.bounds().dimension();
        if points.records() as u64 > MAX_RECORDS {
            return Err(SeriesError::TooManyRecords);
        }
        let basis = CosineBasis::new(dimension, self.terms.number(dimension, records)?)?;
        let noise = SeriesNoise::calibrated(&basis, self.neighbours, &self.budget)?;
        Ok((basis, noise))
    }

    /// Releases the noisy coefficients of the points: **this is the privacy boundary**.
    ///
    /// # Errors
    /// [`SeriesError`] for too many terms, a budget that no noise meets, and no records under substitute-one.
    pub fn release<R: Randomness + ?Sized>(
        &self,
        points: &Points,
        randomness: &mut R,
    ) -> Result<SeriesRelease, SeriesError> {
        let records = public_records(points, self.neighbours)?;
        let (basis, noise) = self.prepared(points, records)?;
        let noisy = SeriesSum::of(points, &basis).perturb(&noise, self.neighbours, randomness);
        Ok(SeriesRelease::new(*self, points.bounds().clone(), basis, records, noise, noisy, randomness.is_private()))
    }
}

/// The number of records under substitute-one, where it is public.
fn public_records(points: &Points, neighbours: NeighbouringRelation) -> Result<Option<u64>, SeriesError> {
    match (neighbours, points.records()) {
        (NeighbouringRelation::AddRemoveOne, _) => Ok(None),
        (NeighbouringRelation::SubstituteOne, 0) => Err(SeriesError::NoRecords),
        (NeighbouringRelation::SubstituteOne, records) => Ok(Some(records as u64)),
    }
}

/// The exact sums of the encoded records: private data.
pub(super) struct SeriesSum {
    totals: Vec<i64>,
    records: i64,
}

/// The noisy sums, in steps of `2^-20`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NoisySeries {
    pub(super) coordinates: Vec<i64>,
    /// Under add/remove-one `2^20` times the number of records, with noise.
    pub(super) count: Option<i64>,
}

impl SeriesSum {
    /// Adds up all records. A coordinate of one is below `2^22`, so `2^40` of them stay below `2^62`.
    pub(super) fn of(points: &Points, basis: &CosineBasis) -> Self {
        let mut sum = Self { totals: vec![0; basis.terms()], records: 0 };
        let (mut unit, mut coordinates) = (vec![0.0; basis.dimension()], Vec::new());
        for row in 0..points.records() {
            points.unit_row(row, &mut unit);
            encode(basis, &unit, &mut coordinates);
            for (total, coordinate) in sum.totals.iter_mut().zip(&coordinates) {
                *total += coordinate;
            }
            sum.records += 1;
        }
        sum
    }

    /// The noisy sums; the exact ones are consumed.
    pub(super) fn perturb<R: Randomness + ?Sized>(
        self,
        noise: &SeriesNoise,
        neighbours: NeighbouringRelation,
        randomness: &mut R,
    ) -> NoisySeries {
        let terms = self.totals.len();
        let mut exact = self.totals;
        if neighbours == NeighbouringRelation::AddRemoveOne {
            exact.push(self.records << LATTICE_BITS);
        }
        noise.add_to(&mut exact, randomness);
        let count = exact.get(terms).copied();
        exact.truncate(terms);
        NoisySeries { coordinates: exact, count }
    }
}

impl fmt::Debug for SeriesSum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SeriesSum(..)")
    }
}
