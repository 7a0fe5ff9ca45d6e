#![allow(clippy::unwrap_used, reason = "tests")]

use approx::{assert_abs_diff_eq, assert_relative_eq};
use dpfda_kernels::{Grid, SurfaceGrid};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_release::{BallShares, PrivateMean};
use dpfda_smoothing::{Ball, Center, CurveSet};
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

use super::*;

fn grid() -> SurfaceGrid {
    SurfaceGrid::new(Grid::uniform(0.0, 2.0, 7).unwrap(), Grid::uniform(0.0, 1.0, 9).unwrap()).unwrap()
}

fn truth(s: f64, t: f64) -> f64 {
    0.5 + 0.1 * (1.5 * s).sin() * t
}

/// People whose surfaces differ by a level and by noise.
fn released(people: usize, seed: u64, neighbours: NeighbouringRelation) -> Release<Surface> {
    let mut generator = ChaCha20Rng::seed_from_u64(seed);
    let [s, t] = grid().axes().clone();
    let mean: Vec<f64> = s.points().iter().flat_map(|&s| t.points().mapv(|t| truth(s, t))).collect();
    let mut values = Array2::zeros((people, mean.len()));
    for mut row in values.rows_mut() {
        let level = generator.random_range(-0.05..0.05);
        row.iter_mut().zip(&mean).for_each(|(x, m)| *x = m + level + generator.random_range(-0.03..0.03));
    }
    let surfaces = CurveSet::new(grid().places().unwrap(), values).unwrap();
    let ball = Ball::new(Center::Constant(0.5), 0.2).unwrap();
    let plan = PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-3).unwrap()).neighbours(neighbours);
    let prepared = plan.buying(BallShares::NONE).prepare_on(&surfaces, &grid(), None).unwrap();
    prepared.draw_unrecorded(&mut SeededRandomness::from_seed(seed))
}

fn estimated(seed: u64) -> Estimated<Surface> {
    Estimated::<Surface>::new(released(400, seed, NeighbouringRelation::SubstituteOne), &Band::Population, 0.95)
        .unwrap()
}

#[test]
fn the_band_of_the_population_holds_the_whole_surface() {
    // the stated rate of misses is one in twenty at most, and Sidak's value makes it far smaller: none of 20 is missed
    for seed in 0..20 {
        let found = estimated(seed);
        for point in found.points() {
            let truth = truth(point.at.0, point.at.1);
            assert!(point.lower <= truth && truth <= point.upper, "seed {seed}: {point:?} {truth}");
        }
    }
}

#[test]
fn slices_are_lines_of_the_surface_with_their_band() {
    let found = estimated(3);
    let points: Vec<PointEstimate<(f64, f64)>> = found.points();
    let at_s = found.mean().slice_at_s(2.0).unwrap();
    for (slice, point) in at_s.iter().zip(&points[54..]) {
        assert_eq!((point.at.0, slice.at), (2.0, point.at.1));
        assert_abs_diff_eq!(slice.value, point.value, epsilon = 1e-9);
        assert_abs_diff_eq!(slice.upper, point.upper, epsilon = 1e-6);
        assert_abs_diff_eq!(slice.noise_sd, point.noise_sd, epsilon = 1e-9);
    }
    let at_t = found.mean().slice_at_t(0.0).unwrap();
    assert_eq!((at_s.len(), at_t.len()), (9, 7));
    for (slice, point) in at_t.iter().zip(points.iter().step_by(9)) {
        assert_eq!((point.at.1, slice.at), (0.0, point.at.0));
        assert_abs_diff_eq!(slice.lower, point.lower, epsilon = 1e-6);
    }
    assert!(found.mean().slice_at_s(2.1).is_err() && found.mean().slice_at_t(f64::NAN).is_err());
}

/// `|error| <= (half(t + h/2) + half(t - h/2)) / h`, where the band reaches `half` to each side.
#[test]
fn slopes_along_both_axes_reach_as_far_as_the_ends_of_the_band_allow() {
    let found = estimated(7);
    let slopes = found.slopes_at(&[(0.3, 0.2), (1.7, 0.9)]).unwrap();
    for SurfaceSlopes { s, t, along_s, along_t } in slopes {
        for (slope, places) in
            [(along_s, [(along_s.from, t), (along_s.to, t)]), (along_t, [(s, along_t.from), (s, along_t.to)])]
        {
            let (ends, window) = (found.at(&places).unwrap(), slope.to - slope.from);
            assert_relative_eq!(slope.slope.value, (ends[1].value - ends[0].value) / window, max_relative = 0.01);
            let half = |i: usize| 0.5 * (ends[i].upper - ends[i].lower);
            assert_relative_eq!(
                slope.slope.upper - slope.slope.value,
                (half(0) + half(1)) / window,
                max_relative = 0.01
            );
        }
    }
    assert!(found.slopes_at(&[(0.3, 1.2)]).is_err());
}

#[test]
fn a_slice_has_the_area_and_the_maximum_that_its_band_gives() {
    let found = estimated(7);
    let (features, slice) = (found.mean().features_at_s(2.0).unwrap(), found.mean().slice_at_s(2.0).unwrap());
    let (maximum, area) = (features.maximum(), features.integral(0.0, 1.0).unwrap());
    let most = slice.iter().map(|point| point.lower).fold(f64::NEG_INFINITY, f64::max);
    // between the points of the grid the curve may rise a little more
    assert!(maximum.value.lower >= most - 1e-9 && maximum.value.lower < most + 0.05, "{maximum:?} {most}");
    assert!(maximum.value.lower <= maximum.value.value && maximum.value.value <= maximum.value.upper);
    let average = slice.iter().map(|point| point.posterior_sd).sum::<f64>() / slice.len() as f64;
    assert!(area.sd > 0.5 * average && area.lower < area.value && area.value < area.upper, "{area:?} {average}");
    assert_eq!(features.target(), found.estimate().target);
}

/// People whose level is skewed (a gamma number of shape 4): the pull of a ball has a direction.
fn skewed(people: usize, seed: u64) -> CurveSet {
    let mut generator = ChaCha20Rng::seed_from_u64(seed);
    let [s, t] = grid().axes().clone();
    let mean: Vec<f64> = s.points().iter().flat_map(|&s| t.points().mapv(|t| truth(s, t))).collect();
    let mut values = Array2::zeros((people, mean.len()));
    for mut row in values.rows_mut() {
        let level = (0..4).map(|_| -f64::ln(generator.random_range(1e-12..1.0))).sum::<f64>() / 4.0;
        let wave = generator.random_range(-0.05..0.05);
        for (j, (x, m)) in row.iter_mut().zip(&mean).enumerate() {
            *x = m + 0.1 * (level - 1.0) + wave * (0.3 * j as f64).cos();
        }
    }
    CurveSet::new(grid().places().unwrap(), values).unwrap()
}

#[test]
fn the_band_of_the_population_holds_the_whole_surface_in_a_bought_ball_too() {
    const RUNS: u64 = 60;
    let ball = Ball::new(Center::Constant(0.5), 3.0).unwrap();
    for (people, budget) in [(150, (1.0, 0.1)), (600, (4.0, 1e-3))] {
        let plan = PrivateMean::isonormal(ball.clone(), PrivacyBudget::new(budget.0, budget.1).unwrap());
        let plan = plan.buying(BallShares::new(None, Some(0.05)).unwrap());
        let run = |plan: &PrivateMean| {
            let (mut held, mut width) = (0, 0.0);
            for seed in 0..RUNS {
                let people = skewed(people, 100 + seed);
                let prepared = plan.prepare_on(&people, &grid(), None).unwrap();
                let release = prepared.draw_unrecorded(&mut SeededRandomness::from_seed(seed));
                let bought = release.statistic().bought().unwrap();
                assert!(release.statistic().ball().radius() < 0.5 * bought.stated_ball().radius());
                let found = Estimated::<Surface>::new(release, &Band::Population, 0.95).unwrap();
                let points = found.points();
                let truths = points.iter().map(|point| truth(point.at.0, point.at.1));
                let is_held =
                    points.iter().zip(truths).all(|(point, truth)| (point.lower..=point.upper).contains(&truth));
                held += u64::from(is_held);
                width += points.iter().map(|point| point.upper - point.lower).sum::<f64>();
            }
            (held, width / (RUNS * 63) as f64)
        };
        let (ball, rough) = (run(&plan), run(&plan.clone().roughness_of_axes([0.3; 2])));
        println!("held of {RUNS} and width at {people}, {budget:?}: ball {ball:?}, rough {rough:?}");
        // four standard errors below 60 draws of probability 0.95
        assert!(ball.0 >= 50 && rough.0 >= 50, "{people} {budget:?}: {ball:?} {rough:?}");
    }
}

#[test]
fn what_is_told_from_the_centre_is_where_the_band_leaves_it_out() {
    let found = estimated(4).with_band(&Band::Noise, 0.6).unwrap();
    let told = found.mean().told_from_centre();
    let outside = found.points().into_iter().map(|point| point.lower > 0.5 || point.upper < 0.5);
    assert!(told.iter().copied().eq(outside));
    assert!(told.iter().any(|told| *told) && told.iter().any(|told| !told));
}

#[test]
fn other_bands_and_levels_are_refused_and_bands_are_as_wide_as_what_is_in_them() {
    let found = estimated(5);
    assert_eq!(
        found.with_band(&Band::Unsmoothed, 0.9).unwrap_err(),
        AnalysisError::BandOfSurface { band: "unsmoothed" }
    );
    assert!(matches!(found.with_band(&Band::Posterior, 1.0), Err(AnalysisError::Level { .. })));
    let width = |band: &Band| {
        let found = found.with_band(band, 0.9).unwrap();
        found.points().into_iter().map(|point| point.upper - point.lower).sum::<f64>()
    };
    assert!(width(&Band::Population) > width(&Band::Posterior) && width(&Band::Posterior) > width(&Band::Noise));
}
