#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use dpfda_kernels::Grid;
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_release::{BallShares, MomentsChoice, PrivateMean};
use dpfda_smoothing::{Ball, Center, CurveSet};

use super::*;
use crate::posterior::ladder::Ladder;
use crate::sampling::public_shape;
use crate::surfaces::surface_posterior::SurfacePosterior;

fn grid() -> SurfaceGrid {
    let uneven = Grid::new(vec![0.0, 0.3, 1.0, 1.4, 2.0, 2.5]).unwrap();
    SurfaceGrid::new(uneven, Grid::uniform(-1.0, 1.0, 7).unwrap()).unwrap()
}

/// People whose surfaces differ by a level and by a slope along each axis.
fn people(number: usize) -> CurveSet {
    let [s, t] = grid().axes().clone();
    let points: Vec<(f64, f64)> = s.points().iter().flat_map(|&s| t.points().mapv(|t| (s, t))).collect();
    let values = Array2::from_shape_fn((number, points.len()), |(i, j)| {
        let ((s, t), i) = (points[j], i as f64);
        0.5 + 0.05 * (1.7 * i).sin() + 0.04 * (2.3 * i).cos() * (s - 1.2) + 0.06 * (0.9 * i).sin() * t
    });
    CurveSet::new(grid().places().unwrap(), values).unwrap()
}

fn settings(budget: (f64, f64)) -> PrivateMean {
    let ball = Ball::new(Center::Constant(0.5), 0.5).unwrap();
    PrivateMean::isonormal(ball, PrivacyBudget::new(budget.0, budget.1).unwrap())
        .roughness_of_axes([0.3, 0.2])
        .buying(BallShares::new(None, Some(0.05)).unwrap())
}

fn released(settings: &PrivateMean, number: usize) -> Release<Surface> {
    let people = people(number);
    let prepared = settings.prepare_on(&people, &grid(), None).unwrap();
    prepared.draw_unrecorded(&mut SeededRandomness::from_seed(3))
}

fn sampling(release: &Release<Surface>) -> SurfaceSampling {
    SurfacePosterior::of(release, &Ladder::default()).unwrap().sampling().clone()
}

#[test]
fn the_sampling_variance_is_that_of_the_dense_covariance() {
    let release = released(&settings((1.0, 0.1)), 900);
    let (moments, unit) = (decoded(&release).unwrap().unwrap(), grid().unit_axes().clone());
    let [first, second] = [0, 1].map(|axis| public_shape(&unit[axis], &unit[axis].points().to_owned()).unwrap());
    let roots = grid().unit_weights().mapv(f64::sqrt);
    let shape =
        Array2::from_shape_fn((42, 42), |(i, j)| roots[i] * roots[j] * first[[i / 7, j / 7]] * second[[i % 7, j % 7]]);
    let used = Slice::from(..20);
    let basis = moments.basis.slice_axis(Axis(1), used).to_owned();
    let block = moments.covariance.slice_axis(Axis(0), used).slice_axis(Axis(1), used).to_owned();
    let positive = positive_part(&block).unwrap();
    let outside = Array2::<f64>::eye(42) - basis.dot(&basis.t());
    let rest = outside.dot(&shape).dot(&outside);
    let left = moments.total - trace(&positive);
    let sigma = basis.dot(&positive).dot(&basis.t()) + &rest * (left.max(0.0) / trace(&rest));
    let expected = (sigma.diag().to_owned() / &roots / &roots / 900.0).mapv(f64::sqrt);
    let found = sampling(&release);
    assert!(found.is_told);
    assert_abs_diff_eq!(Array1::from_iter(found.sd.iter().copied()), expected, epsilon = 1e-12);
}

#[test]
fn with_little_noise_the_sampling_sd_is_that_of_the_people() {
    let release = released(&settings((50.0, 0.5)), 4000);
    let found = sampling(&release);
    let expected = people(4000).values().std_axis(Axis(0), 1.0) / 4000.0_f64.sqrt();
    for (found, expected) in found.sd.iter().zip(&expected) {
        assert!((found / expected - 1.0).abs() < 0.05, "{found} {expected}");
    }
    // less than the ball allows, also in the corners
    let largest = release.statistic().ball().radius() / 4000.0_f64.sqrt();
    assert!(found.sd.iter().all(|sd| *sd < 0.8 * largest), "{largest} {}", found.sd);
}

#[test]
fn without_second_moments_the_sampling_sd_is_the_largest_that_the_ball_allows() {
    let none = settings((1.0, 0.1)).moments(MomentsChoice::None);
    let noisy_count = settings((1.0, 0.1)).moments(MomentsChoice::Mean).neighbours(NeighbouringRelation::AddRemoveOne);
    for settings in [none, noisy_count] {
        let release = released(&settings, 900);
        let found = sampling(&release);
        assert!(!found.is_told);
        let largest = release.statistic().ball().radius() / release.units().sqrt();
        assert!(found.sd.iter().all(|sd| (sd / largest - 1.0).abs() < 1e-14));
    }
}
