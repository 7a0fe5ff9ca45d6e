#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use dpfda_kernels::Grid;
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_release::{BallShares, PrivateMean};
use dpfda_smoothing::{Ball, Center, CurveSet};
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::band::Band;
use crate::band::critical::sidak;
use crate::estimated::Estimated;
use dpfda_kernels::SurfaceGrid;
use dpfda_release::Surface;
use ndarray::Array2;

/// People whose surfaces have a bump of this height in one corner, a level of their own, and noise.
fn estimated(height: f64, points: (usize, usize), people: usize, seed: u64) -> Estimated<Surface> {
    let axis = |points| Grid::uniform(0.0, 1.0, points).unwrap();
    let grid = SurfaceGrid::new(axis(points.0), axis(points.1)).unwrap();
    let [s, t] = grid.axes().clone();
    let bump = |s: f64, t: f64| height * (-8.0 * ((s - 0.8).powi(2) + (t - 0.8).powi(2))).exp();
    let mean: Vec<f64> = s.points().iter().flat_map(|&s| t.points().mapv(|t| 0.5 + bump(s, t))).collect();
    let mut generator = ChaCha20Rng::seed_from_u64(1000 + seed);
    let mut values = Array2::zeros((people, mean.len()));
    for mut row in values.rows_mut() {
        let level = generator.random_range(-0.05..0.05);
        row.iter_mut().zip(&mean).for_each(|(x, m)| *x = m + level + generator.random_range(-0.03..0.03));
    }
    let surfaces = CurveSet::new(grid.places().unwrap(), values).unwrap();
    let ball = Ball::new(Center::Constant(0.5), 0.2).unwrap();
    let plan = PrivateMean::isonormal(ball, PrivacyBudget::new(2.0, 1e-3).unwrap()).buying(BallShares::NONE);
    let prepared = plan.prepare_on(&surfaces, &grid, None).unwrap();
    let release = prepared.draw_unrecorded(&mut SeededRandomness::from_seed(seed));
    Estimated::<Surface>::new(release, &Band::Posterior, 0.9).unwrap()
}

#[test]
fn the_difference_adds_the_variances_of_the_two_population_bands() {
    let (one, other) = (estimated(0.2, (6, 5), 500, 1), estimated(0.0, (6, 5), 400, 2));
    let difference = Difference::new(one.population(), other.population(), 0.95).unwrap();
    let variance = |side: &Estimated<Surface>, people: f64, place: (usize, usize)| {
        side.posterior().sd()[place].powi(2) + 0.04 / people
    };
    for (place, value) in difference.values().indexed_iter() {
        assert_abs_diff_eq!(
            *value,
            one.posterior().values()[place] - other.posterior().values()[place],
            epsilon = 1e-15
        );
        let expected = (variance(&one, 500.0, place) + variance(&other, 400.0, place)).sqrt();
        assert_abs_diff_eq!(difference.sd()[place], expected, epsilon = 1e-14);
        let half = 1.06 * sidak(30, 0.05) * expected;
        assert_abs_diff_eq!(difference.lower()[place], value - half, epsilon = 1e-14);
        assert_abs_diff_eq!(difference.upper()[place], value + half, epsilon = 1e-14);
        let outside = difference.lower()[place] > 0.0 || difference.upper()[place] < 0.0;
        assert_eq!(difference.is_not_zero()[place], outside);
    }
    let between = difference.at(&[(0.2, 0.25), (0.61, 0.333)]).unwrap();
    assert_abs_diff_eq!(between[0].value, difference.values()[[1, 1]], epsilon = 1e-9);
    assert_abs_diff_eq!(between[0].upper, difference.upper()[[1, 1]], epsilon = 1e-7);
    assert!(between[1].lower < between[1].value && difference.at(&[(0.2, 1.5)]).is_err());
    let told = difference.is_not_zero();
    assert!(told[[5, 4]] && !told[[0, 0]], "{told}");
}

#[test]
fn the_band_of_equal_populations_holds_zero() {
    // stated: at most one in twenty misses; Sidak's value makes it far smaller, so that none of 20 is missed
    for seed in 0..20 {
        let (one, other) = (estimated(0.1, (6, 7), 300, 2 * seed), estimated(0.1, (6, 7), 300, 2 * seed + 1));
        let difference = Difference::new(one.population(), other.population(), 0.95).unwrap();
        assert!(!difference.is_not_zero().iter().any(|told| *told), "{seed}");
    }
}

#[test]
fn one_release_twice_other_grids_and_levels_are_refused() {
    let one = estimated(0.1, (4, 5), 300, 1);
    let refused = |other: &Estimated<Surface>, level| {
        Difference::new(one.population(), other.population(), level).map(|_| ()).unwrap_err()
    };
    assert_eq!(refused(&one, 0.95), AnalysisError::SameRelease);
    assert_eq!(refused(&estimated(0.1, (5, 4), 300, 2), 0.95), AnalysisError::OtherGrid);
    assert!(matches!(refused(&estimated(0.1, (4, 5), 300, 2), 1.0), AnalysisError::Level { .. }));
    // a noisy number of records below 2
    let few = || {
        let grid = one.posterior().grid().clone();
        let nobody = CurveSet::new(grid.places().unwrap(), Array2::zeros((0, grid.len()))).unwrap();
        let ball = Ball::new(Center::Constant(0.5), 0.2).unwrap();
        let plan = PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-3).unwrap()).buying(BallShares::NONE);
        let plan = plan.neighbours(NeighbouringRelation::AddRemoveOne);
        (0..).map(move |seed| {
            let prepared = plan.prepare_on(&nobody, &grid, None).unwrap();
            prepared.draw_unrecorded(&mut SeededRandomness::from_seed(seed))
        })
    };
    let few = few().find(|release| release.units() < 2.0).unwrap();
    let few = Estimated::<Surface>::new(few, &Band::Posterior, 0.9).unwrap();
    assert!(matches!(refused(&few, 0.95), AnalysisError::TooFewRecords { .. }));
}
