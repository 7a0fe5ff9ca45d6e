#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_relative_eq;
use dpfda_kernels::{DEFAULT_TOLERANCE, Gaussian, Grid, Kernel, Spectrum};
use dpfda_privacy::{PrivacyBudget, SeededRandomness};
use dpfda_smoothing::{Ball, Center, CurveSet, PenalizedMean};
use ndarray::Array2;

use crate::PrivateMean;

#[test]
fn without_a_delta_there_are_as_many_coordinates_as_a_release_on_the_grid_has() {
    let budget = PrivacyBudget::new(1.0, 0.0).unwrap();
    let settings = PrivateMean::isonormal(Ball::new(Center::Constant(0.0), 0.7).unwrap(), budget);
    for points in [5, 12, 40] {
        let curves = CurveSet::new(Grid::uniform(0.0, 1.0, points).unwrap(), Array2::zeros((12, points))).unwrap();
        let release = settings.release(&curves, &mut SeededRandomness::from_seed(1)).unwrap();
        let law = settings.noise_law_on(points).unwrap();
        assert_eq!(release.statistic().mechanism(), crate::MeanMechanism::Coordinates(law.coordinates.unwrap()));
        assert_eq!(law.coordinates, Some(points.min(12)));
    }
    let on_five = settings.noise_law_on(5).unwrap();
    let stated = settings.coordinates(5).noise_law().unwrap();
    assert_eq!(on_five.sum_sd.to_bits(), stated.sum_sd.to_bits());
}

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
