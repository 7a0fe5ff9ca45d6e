#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_relative_eq;
use dpfda_kernels::{DEFAULT_TOLERANCE, Gaussian, Grid, Kernel, Spectrum};
use dpfda_privacy::{PrivacyBudget, SeededRandomness};
use dpfda_smoothing::{Ball, Center, CurveSet, PenalizedMean};
use ndarray::Array2;

use crate::PrivateMean;

#[test]
fn the_law_known_beforehand_is_the_noise_that_the_release_states() {
    let grid = Grid::uniform(0.0, 1.0, 40).unwrap();
    let curves = CurveSet::new(grid.clone(), Array2::zeros((12, 40))).unwrap();
    let smoother = PenalizedMean::new(Kernel::from(Gaussian::new(0.05).unwrap()), 0.01, 1.5).unwrap();
    let spectrum = Spectrum::new(smoother.kernel().clone(), grid, DEFAULT_TOLERANCE).unwrap();
    let ball = || Ball::new(Center::Constant(0.0), 0.7).unwrap();
    let budget = PrivacyBudget::new(1.0, 1e-3).unwrap();
    for settings in [
        PrivateMean::isonormal(ball(), budget).buying(crate::BallShares::NONE),
        PrivateMean::cameron_martin(ball(), budget),
    ] {
        let law = settings.noise_law().unwrap();
        let release = settings.smoother(&smoother).release(&curves, &mut SeededRandomness::from_seed(1)).unwrap();
        let shrinkages = smoother.shrinkages(spectrum.eigenvalues());
        let sd = law.coefficient_sd(shrinkages.view(), spectrum.eigenvalues()) * law.whitened_sd(12.0);
        for (i, stated) in release.function().noise_sd().iter().enumerate() {
            let known: f64 = sd.iter().zip(spectrum.eigenfunctions().row(i)).map(|(sd, v)| (sd * v).powi(2)).sum();
            assert_relative_eq!(known.sqrt(), *stated, max_relative = 1e-5);
        }
    }
}
