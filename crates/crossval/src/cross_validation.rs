//! Cross-validation of the mean, with and without the noise of its release. The results are for the curator alone.

use dpfda_kernels::Grid;
use dpfda_privacy::NonPrivate;
use dpfda_release::{PrivateMean, ReleaseError};
use dpfda_smoothing::{Ball, BallError, Center, CurveSet};
use ndarray::{Array2, ArrayView1, ArrayView2};
use rand::Rng;
use thiserror::Error;

use crate::candidates::Candidates;
use crate::defaults::DEFAULT_DRAWS;
use crate::fold_means::{FoldMeans, Target};
use crate::folds::Folds;
use crate::norm_score::{FoldNoise, NormScore};
use crate::progress::Progress;
use crate::score_surface::{ScoreSurface, SurfaceError};

#[cfg(test)]
#[path = "cross_validation_tests.rs"]
mod tests;

/// Why cross-validation was refused. The error does not depend on the values of the curves.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum CrossValidationError {
    #[error("the folds hold {folds} records, but the curves are {records} (subjects or curves)")]
    Records { folds: usize, records: usize },
    #[error("at least 1 draw of the noise is needed, got 0")]
    NoDraws,
    #[error(transparent)]
    Ball(#[from] BallError),
    #[error(transparent)]
    Release(#[from] ReleaseError),
    #[error(transparent)]
    Surface(#[from] SurfaceError),
}

/// How the distance between an estimate and the left-out records becomes a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Loss {
    /// The mean of `||f - x||^2`. With noise, its expectation has a closed form.
    #[default]
    SquaredNorm,
    /// The mean of `||f - x||`, as in the authors' package. With noise, it is computed by Monte Carlo.
    Norm,
}

/// The settings of a cross-validation: folds, candidates, and how to score them.
///
/// ```text
/// score = (1/K) sum_F  mean over x left out in F of  E loss(f_F - x),    f_F fitted without F
/// ```
///
/// A record is a subject if the curves have subjects, otherwise a curve. `||.||` is the L2 norm over the domain mapped
/// to `[0, 1]`: a root-mean-square distance in the units of the data.
#[derive(Clone, Copy)]
pub struct CrossValidation<'a> {
    folds: &'a Folds,
    candidates: &'a Candidates,
    loss: Loss,
    target: Target,
    draws: usize,
    progress: Option<&'a dyn Fn(Progress)>,
}

impl<'a> CrossValidation<'a> {
    /// Makes settings with squared distances to left-out records.
    pub fn new(folds: &'a Folds, candidates: &'a Candidates) -> Self {
        let (loss, target) = (Loss::default(), Target::default());
        Self { folds, candidates, loss, target, draws: DEFAULT_DRAWS, progress: None }
    }

    /// Sets the loss (default: squared norm).
    #[must_use]
    pub fn loss(mut self, loss: Loss) -> Self {
        self.loss = loss;
        self
    }

    /// Sets what estimates are compared with (default: each left-out record).
    #[must_use]
    pub fn target(mut self, target: Target) -> Self {
        self.target = target;
        self
    }

    /// Sets the number of noise draws of each fold, used if there is no closed form (default: 1000).
    #[must_use]
    pub fn draws(mut self, draws: usize) -> Self {
        self.draws = draws;
        self
    }

    /// Sets a function that is called after each spectrum.
    #[must_use]
    pub fn progress(mut self, report: &'a dyn Fn(Progress)) -> Self {
        self.progress = Some(report);
        self
    }

    fn check(&self, records: usize) -> Result<(), CrossValidationError> {
        if self.folds.records() != records {
            return Err(CrossValidationError::Records { folds: self.folds.records(), records });
        }
        if self.draws == 0 {
            return Err(CrossValidationError::NoDraws);
        }
        Ok(())
    }

    /// Scores all candidates, given what is averaged and what is aimed at, both `records x n` in whitened coordinates.
    fn surface(
        &self,
        unit_grid: &Grid,
        (averaged, aimed): (ArrayView2<'_, f64>, ArrayView2<'_, f64>),
        noise: Option<FoldNoise>,
    ) -> Result<NonPrivate<ScoreSurface>, SurfaceError> {
        let roots = unit_grid.weights().mapv(f64::sqrt);
        let means = FoldMeans::new(self.folds, averaged, aimed, self.target);
        let surface = match self.loss {
            Loss::SquaredNorm => {
                ScoreSurface::over(self.candidates, unit_grid, self.progress, |spectrum, shrinkages| {
                    means.squared_scores(spectrum, roots.view(), shrinkages, noise.as_ref().map(|noise| &noise.law))
                })
            }
            Loss::Norm => {
                let score = NormScore::new(self.folds, aimed, self.target, noise);
                ScoreSurface::over(self.candidates, unit_grid, self.progress, |spectrum, shrinkages| {
                    score.scores(&means, spectrum, roots.view(), shrinkages)
                })
            }
        };
        surface.map(NonPrivate::new)
    }
}

/// Scores candidates by cross-validation of the penalised mean about a public centre, without noise.
///
/// ```text
/// f_F = c + S (mean of the records outside F - c)
/// ```
///
/// The surface is private data: **publishing its optimum, or a release that uses it, is not covered by any budget.**
///
/// # Errors
/// [`CrossValidationError`] for folds with another number of records than the curves, a centre that does not fit the
/// grid, or candidates without a spectrum or a finite score.
pub fn cross_validate(
    curves: &CurveSet,
    center: &Center,
    plan: &CrossValidation<'_>,
) -> Result<NonPrivate<ScoreSurface>, CrossValidationError> {
    plan.check(curves.units())?;
    // the radius plays no part: nothing is projected here
    let center = Ball::new(center.clone(), 1.0)?.center_at(curves.grid())?;
    let records = curves.record_means(center.view());
    let whitened = whitened(records.reveal(), center.view(), curves.unit_grid());
    Ok(plan.surface(curves.unit_grid(), (whitened.view(), whitened.view()), None)?)
}

/// Scores candidates by cross-validation of the *private* estimate: the expected score over the noise of its release.
///
/// ```text
/// f_F = c + S (mean of the projected records outside F - c) + noise,
/// E ||f_F - x||^2 = ||E f_F - x||^2 + sigma_F^2 sum_j s_j^2                          isonormal
///                 = ||E f_F - x||^2 + sigma_F^2 max_k (s_k^2 / lambda_k) sum_j lambda_j   Cameron-Martin
/// ```
///
/// `sigma_F` is the noise of a release of the records outside the fold. The squared norm needs no draws: it takes one
/// spectrum for each kernel and range, and then a few operations for each candidate, for any number of records and
/// folds. The norm is an average over draws, which all candidates share. Left-out records are compared without
/// projection. Under add/remove-one the score includes the noise of the mean of such a release, but not the noise of
/// the count.
///
/// Mirshani, Reimherr and Slavkovic call the norm score with the fold mean "private cross-validation". **It is not
/// private**: every score is computed from the curves, and the noise in it is averaged away. Publishing its optimum, or
/// a release that uses it, is not covered by any budget. Use [`select_after_release`](crate::select_after_release)
/// instead: its choice is covered.
///
/// # Errors
/// [`CrossValidationError`]; see [`cross_validate`].
pub fn private_cross_validate<R: Rng + ?Sized>(
    curves: &CurveSet,
    release: &PrivateMean,
    plan: &CrossValidation<'_>,
    rng: &mut R,
) -> Result<NonPrivate<ScoreSurface>, CrossValidationError> {
    plan.check(curves.units())?;
    let center = release.ball().center_at(curves.grid())?;
    let bounded = release.ball().bound(curves)?;
    let averaged = whitened(bounded.record_means().reveal(), center.view(), curves.unit_grid());
    let aimed = whitened(curves.record_means(center.view()).reveal(), center.view(), curves.unit_grid());
    let law = release.noise_law()?;
    if law.coordinates().is_some() {
        return Err(ReleaseError::NotWhite.into());
    }
    let noise = FoldNoise::new(law, plan.draws, plan.folds.count(), rng);
    Ok(plan.surface(curves.unit_grid(), (averaged.view(), aimed.view()), Some(noise))?)
}

/// `sqrt(w_i) (x(t_i) - c(t_i))` for each row: distances become Euclidean.
fn whitened(records: &Array2<f64>, center: ArrayView1<'_, f64>, unit_grid: &Grid) -> Array2<f64> {
    (records - &center) * unit_grid.weights().mapv(f64::sqrt)
}
