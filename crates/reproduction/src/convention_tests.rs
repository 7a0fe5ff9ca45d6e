#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use dpfda::kernels::{CovarianceKernel, Matern};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::*;

const POINTS: usize = 40;

fn kernel() -> Kernel {
    Matern::new(1.5, 0.3).unwrap().into()
}

fn convention() -> PaperConvention {
    PaperConvention::new(kernel(), &Grid::uniform(2.0, 5.0, POINTS).unwrap()).unwrap()
}

#[test]
fn the_noise_has_the_covariance_k_over_n_where_k_was_meant() {
    let loadings = convention().loadings();
    let covariance = loadings.dot(&loadings.t());
    let points = Grid::uniform(0.0, 1.0, POINTS).unwrap();
    for ((i, j), found) in covariance.indexed_iter() {
        let meant = kernel().covariance(points.points()[i], points.points()[j]);
        assert_abs_diff_eq!(*found, meant / POINTS as f64, epsilon = 1e-9);
    }
}

#[test]
fn a_path_is_the_same_alone_and_among_others() {
    let convention = convention();
    let normals = Array2::from_shape_fn((3, POINTS), |(i, j)| ((7 * i + j) as f64).sin());
    let whitened = convention.whitened_paths(normals.view());
    for (normals, whitened) in normals.rows().into_iter().zip(whitened.rows()) {
        let path = convention.path(normals) * convention.roots();
        assert!((&path - &whitened).iter().all(|d| d.abs() < 1e-12));
    }
}

#[test]
fn sigma_sums_where_the_theorem_has_the_maximum() {
    let convention = convention();
    let budget = PrivacyBudget::new(0.5, 0.05).unwrap();
    let (penalty, radius, records) = (0.01, 0.7, 20);
    let smoother = PenalizedMean::new(kernel(), penalty, 1.0).unwrap();
    let theorem = smoother.sensitivity(&convention.spectrum, radius, 20).value() * (2.0 * 40.0_f64.ln()).sqrt() / 0.5;
    let gains = convention.spectrum.eigenvalues().mapv(|lambda| lambda / (lambda + penalty).powi(2));
    let most = gains.iter().copied().fold(0.0, f64::max);
    let found = convention.sigma(penalty, radius, records, &budget);
    assert_abs_diff_eq!(found / theorem, (gains.sum() / most).sqrt(), epsilon = 1e-9);
    assert!(found > 1.5 * theorem);
}

#[test]
fn the_fit_is_the_penalised_mean_and_the_radius_is_read_off_the_curves() {
    let convention = convention();
    let grid = Grid::uniform(2.0, 5.0, POINTS).unwrap();
    let mut values = Array2::from_shape_fn((6, POINTS), |(i, j)| (i as f64 + 1.0) * (0.1 * j as f64).cos());
    values[[5, 3]] = f64::NAN;
    let curves = CurveSet::new(grid, values.clone()).unwrap();
    let budget = PrivacyBudget::new(1.0, 0.1).unwrap();
    let rng = &mut ChaCha8Rng::seed_from_u64(1);
    let release = convention.release(&curves, 0.02, &budget, rng).unwrap().into_revealed();
    // the incomplete sixth curve, the longest, is dropped
    assert_abs_diff_eq!(release.radius, convention.norm(values.row(4)), epsilon = 1e-12);
    let mean = curves.complete().raw_mean().into_revealed();
    let smoother = PenalizedMean::new(kernel(), 0.02, 1.0).unwrap();
    let fit = smoother.fit(&convention.spectrum, Array1::zeros(POINTS).view(), mean.view());
    assert!((&release.fit - &fit).iter().all(|d| d.abs() < 1e-12));
    assert_abs_diff_eq!(release.sigma, convention.sigma(0.02, release.radius, 5, &budget), epsilon = 1e-12);
    assert!(release.sanitised != release.fit);
}
