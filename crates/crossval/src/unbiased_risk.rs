//! Chooses the smoother after the release, by Stein's unbiased estimate of the risk.

use dpfda_kernels::{GridError, Kernel, Spectrum};
use dpfda_release::{MeanMechanism, MeanRelease};
use ndarray::{Array1, Array2, ArrayView3};
use thiserror::Error;

use crate::candidates::Candidates;
use crate::score_surface::{ScoreSurface, SurfaceError, each};

#[cfg(test)]
#[path = "unbiased_risk_tests.rs"]
mod tests;

/// Why no smoother can be chosen from a release.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum SelectionError {
    #[error(
        "a smoother can be chosen only after an isonormal release with a delta above 0 and without a bound on slope or roughness. Other noise was sized for a smoother or a norm that was applied before it, and the estimated risk of another smoother would not be unbiased. Release with the isonormal mechanism and a roughness of 0 instead"
    )]
    NotIsonormal,
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    #[error(transparent)]
    Grid(#[from] GridError),
}

/// A release in coordinates with independent noise of equal size.
struct WhiteObservation {
    /// `z_i = sqrt(w_i) (Y - c)(t_i)`
    z: Array1<f64>,
    /// `sqrt(w_i)`
    roots: Array1<f64>,
    sigma: f64,
}

impl WhiteObservation {
    fn of(release: &MeanRelease) -> Result<Self, SelectionError> {
        if release.statistic().mechanism() != MeanMechanism::Isonormal {
            return Err(SelectionError::NotIsonormal);
        }
        let roots = release.grid().to_unit()?.weights().mapv(f64::sqrt);
        let z = release.whitened();
        Ok(Self { z, roots, sigma: release.noise_scale() })
    }

    /// `||z - S z||^2 - n sigma^2 + 2 sigma^2 tr S`
    fn risk(&self, squared_residual: f64, trace: f64) -> f64 {
        squared_residual + self.sigma.powi(2) * (2.0 * trace - self.z.len() as f64)
    }

    /// The risks in the eigenbasis of one kernel, where every smoother is diagonal: `penalties x powers`.
    fn risks(&self, spectrum: &Spectrum<Kernel>, shrinkages: ArrayView3<'_, f64>) -> Array2<f64> {
        // sqrt(w) z = w (Y - c)
        let squares = spectrum.coefficients((&self.z / &self.roots).view()).mapv(|y| y * y);
        // what no smoother in this basis keeps
        let outside = (self.z.dot(&self.z) - squares.sum()).max(0.0);
        each(shrinkages, |shrinkage| {
            let residual: f64 = shrinkage.iter().zip(&squares).map(|(s, square)| (1.0 - s).powi(2) * square).sum();
            self.risk(outside + residual, shrinkage.sum())
        })
    }
}

/// Scores every candidate by Stein's unbiased estimate of its risk. This is post-processing and costs **no privacy**.
///
/// ```text
/// SURE(S) = ||z - S z||^2 - n sigma^2 + 2 sigma^2 tr S,    z_i = sqrt(w_i) (Y - c)(t_i)
/// E SURE(S) = E ||S z - E z||^2
/// ```
///
/// The risk is the expected squared distance (root-mean-square over the domain, squared) between the smoothed release
/// and the mean of the bounded curves that it was made from, in the squared units of the data. `sigma` is the known
/// noise of the release, so only the risk is estimated (Stein 1981, *Estimation of the mean of a multivariate normal
/// distribution*). The estimate may be negative: it is unbiased, not exact. Under add/remove-one the number of records
/// is released with noise, and the statement is conditional on that number.
///
/// The surface is a function of the release alone, and therefore public (Mirshani, Reimherr and Slavkovic, Corollary
/// 3.1). [`MeanRelease::smoothed`] applies the choice.
///
/// # Examples
/// ```
/// use dpfda_crossval::{Candidates, select_after_release};
/// use dpfda_kernels::Grid;
/// use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// use dpfda_release::PrivateMean;
/// use dpfda_smoothing::{Ball, Center, CurveSet};
/// use ndarray::Array2;
///
/// let values = Array2::from_shape_fn((200, 20), |(i, k)| 0.5 + 0.1 * ((i + k) as f64 / 7.0).sin());
/// let curves = CurveSet::new(Grid::uniform(0.0, 1.0, 20)?, values)?;
/// let ball = Ball::new(Center::Constant(0.5), 0.2)?;
/// let private_mean = PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-5)?).buying(dpfda_release::BallShares::NONE);
/// let release = private_mean.release(&curves, &mut SystemRandomness::new()?)?;
///
/// // from here on only the release is used: nothing more is spent
/// let surface = select_after_release(&release, &Candidates::for_release(&release))?;
/// let smoothed = release.smoothed(surface.chosen())?;
/// assert_eq!(smoothed.mu(), release.mu());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn select_after_release(release: &MeanRelease, candidates: &Candidates) -> Result<ScoreSurface, SelectionError> {
    let observation = WhiteObservation::of(release)?;
    let unit_grid = release.grid().to_unit()?;
    Ok(ScoreSurface::over(candidates, &unit_grid, None, |spectrum, shrinkages| {
        observation.risks(spectrum, shrinkages)
    })?)
}
