//! A fixed number of linear functionals of the mean function, released with pure differential privacy.

use dpfda_mechanism::{Mechanism, MechanismError, Prepared, Release, Terms};
use dpfda_privacy::{BudgetError, Law, PrivacyBudget, Randomness};
use dpfda_smoothing::{Ball, BallError, CurveSet, PenalizedMean};
use thiserror::Error;

use crate::coordinates::encode::CurveRecord;
use crate::functionals::functional::LinearFunctional;
use crate::functionals::map::{Dispersion, FunctionalMapError};
use crate::functionals::statistic::Functionals;
use crate::terms::on_terms;

#[cfg(test)]
#[path = "private_tests.rs"]
mod tests;

/// Why functionals were not released. Nothing in it depends on the values of the curves.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum FunctionalsError {
    #[error(
        "t noise is drawn in floating point, whose low-order bits are outside the proof: accept that with idealised_arithmetic(), which stamps the release, or use K-norm or discrete Laplace noise, which are exact"
    )]
    Idealised,
    #[error("epsilon must be positive for a release without delta, got {value:?}")]
    Epsilon { value: f64 },
    #[error(transparent)]
    Map(#[from] FunctionalMapError),
    #[error(transparent)]
    Budget(#[from] BudgetError),
    #[error(transparent)]
    Mechanism(#[from] MechanismError),
}

impl From<BallError> for FunctionalsError {
    fn from(error: BallError) -> Self {
        FunctionalMapError::from(error).into()
    }
}

/// `d` linear functionals of the private mean function, `epsilon`-private with `delta = 0`.
///
/// ```text
/// g_i(c + S (Xbar - c)) + noise,    i = 1..d
/// ```
///
/// The noise has the dispersion `{C(g_i, g_j)}` of the chosen [`Dispersion`]: one record moves `{g_i}` by at most `Delta` in
/// its norm whatever the functionals are, so the guarantee depends on their number alone (Reimherr and Awan, Corollary 1),
/// and on no more than the number `k <= d` of them that are linearly independent. No noise of this kind protects a whole
/// function (their Theorem 4): for that see [`PrivateMean`](crate::PrivateMean).
#[derive(Debug, Clone, PartialEq)]
pub struct PrivateFunctionals {
    ball: Ball,
    terms: Terms,
    smoother: PenalizedMean,
    dispersion: Dispersion,
    idealised: bool,
}

on_terms!(PrivateFunctionals: neighbours);

impl PrivateFunctionals {
    /// Functionals of the mean of the curves in this ball, seen through this smoother.
    ///
    /// Unlike that of [`PrivateMean::isonormal`](crate::PrivateMean::isonormal) the smoother acts before the noise: it is
    /// part of the question, and cannot be changed afterwards.
    pub fn new(ball: Ball, epsilon: f64, smoother: PenalizedMean) -> Result<Self, FunctionalsError> {
        let budget = PrivacyBudget::new(epsilon, 0.0)?;
        if budget.epsilon() == 0.0 {
            return Err(FunctionalsError::Epsilon { value: budget.epsilon() });
        }
        let terms = Terms::new(budget).noise(Law::DiscreteLaplace {});
        Ok(Self { ball, terms, smoother, dispersion: Dispersion::default(), idealised: false })
    }

    /// Sets the law of the noise (default: discrete Laplace, which is exact).
    ///
    /// In whitened coordinates one record moves the sum within a Euclidean ball, the same in all directions. So at the same
    /// epsilon the K-norm law has the smaller mean squared error: under substitute-one `(k + 1)/(2k)` of that of independent
    /// Laplace noise, which for one functional is the same law. (Under add/remove-one the count is one coordinate more, and from three
    /// independent functionals on [`Law::KNorm`] is the cylinder's, [`Law::KNormCylinder`], which has less noise.)
    #[must_use]
    pub fn noise(mut self, law: Law) -> Self {
        self.terms = self.terms.noise(law);
        self
    }

    /// Accepts t noise, which is drawn in floating point; the release is stamped [`Arithmetic::Idealised`](dpfda_privacy::Arithmetic).
    #[must_use]
    pub fn idealised_arithmetic(mut self) -> Self {
        self.idealised = true;
        self
    }

    /// Sets the covariance that the functionals' dispersion comes from (default: white noise through the smoother).
    #[must_use]
    pub fn dispersion(mut self, dispersion: Dispersion) -> Self {
        self.dispersion = dispersion;
        self
    }

    /// Releases the functionals of the mean: **spends the budget**, and no ledger remembers it.
    ///
    /// # Errors
    /// [`FunctionalsError`]; nothing has been drawn or spent then.
    pub fn release<R: Randomness + ?Sized>(
        &self,
        curves: &CurveSet,
        functionals: &[LinearFunctional],
        randomness: &mut R,
    ) -> Result<Release<Functionals>, FunctionalsError> {
        Ok(self.prepare(curves, functionals)?.draw_unrecorded(randomness))
    }

    /// Does everything but the noise: what can be refused is refused here, before anything is paid for.
    ///
    /// # Errors
    /// [`FunctionalsError`]; nothing has been drawn or spent then.
    pub fn prepare(
        &self,
        curves: &CurveSet,
        functionals: &[LinearFunctional],
    ) -> Result<Prepared<Functionals>, FunctionalsError> {
        if !self.terms.law().is_exact() && !self.idealised {
            return Err(FunctionalsError::Idealised);
        }
        let statistic = Functionals::new(
            self.ball.clone(),
            curves.grid().clone(),
            self.smoother.clone(),
            self.dispersion,
            functionals.to_vec(),
        )?;
        let law = match self.terms.law() {
            Law::KNorm {} => Law::k_norm(statistic.rank(), self.terms.guarantee().neighbours()),
            law => law.clone(),
        };
        let mechanism = Mechanism::new(statistic, self.terms.clone().unit(curves.unit()).noise(law))?;
        let bounded = self.ball.bound(curves)?;
        Ok(mechanism.prepare_all(CurveRecord::all(&bounded))?)
    }
}
