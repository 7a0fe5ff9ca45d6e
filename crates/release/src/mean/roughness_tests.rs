#![allow(clippy::unwrap_used, reason = "tests")]

use std::f64::consts::PI;

use dpfda_kernels::SurfaceGrid;
use dpfda_smoothing::Center;

use super::*;

fn cosines(terms: u32) -> Vec<f64> {
    (0..terms).map(|j| (PI * f64::from(j)).powi(2)).collect()
}

fn energy(frequencies: &[f64], theta: f64, tau: f64, slope: f64) -> f64 {
    frequencies.iter().map(|g| 1.0 / (theta / tau.powi(2) + (1.0 - theta) * g / slope.powi(2))).sum()
}

#[test]
fn the_share_of_the_distance_agrees_with_golden_values() {
    // by another program: B_intersection_example and B_cosine93
    let cases = [
        (vec![0.0, 1.0, 4.0, 9.0], 1.0, 1.0, 0.742_867_053_383_458_5, 3.237_772_778_305_778_6),
        (cosines(93), 0.25, 2.0, 0.559_841_331_501_088_5, 0.549_488_349_217_745_6),
        (cosines(93), 0.25, 3.0, 0.549_883_133_091_981_3, 0.788_704_650_634_562_9),
        (cosines(93), 0.25, 5.0, 0.546_804_169_013_758_2, 1.252_353_951_418_673_7),
        (cosines(93), 0.15, 2.4, 0.546_767_982_915_566_4, 0.368_257_068_400_156_9),
    ];
    for (frequencies, tau, slope, theta, least) in cases {
        let found = share_of_distance(&frequencies, tau, slope);
        // the energy is flat about its least value, so that the golden minimiser knows half the digits
        assert!((found - theta).abs() < 1e-7, "{found} {theta}");
        let seen = energy(&frequencies, found, tau, slope);
        assert!((seen / least - 1.0).abs() < 1e-9, "{seen} {least}");
        for other in [found - 1e-3, found + 1e-3] {
            assert!(energy(&frequencies, other, tau, slope) > seen);
        }
    }
}

#[test]
fn a_slope_that_says_nothing_leaves_the_ball() {
    let (grid, ball) = (Grid::uniform(0.0, 2.0, 50).unwrap(), Ball::within(0.0, 1.0).unwrap());
    let (same, mechanism) = Roughness::Slope(1e9).body(&ball, &grid, false).unwrap();
    assert_eq!((&same, mechanism), (&ball, MeanMechanism::Isonormal));
    let (body, mechanism) = Roughness::Slope(1.0).body(&ball, &grid, false).unwrap();
    assert!(body.radius() > ball.radius() && body.bounds() == Some((0.0, 1.0)));
    assert!(matches!(mechanism, MeanMechanism::Sobolev(norm) if norm.order() == SobolevOrder::One));
}

#[test]
fn bounds_on_roughness_that_are_none_are_refused() {
    let (grid, ball) = (Grid::uniform(0.0, 2.0, 50).unwrap(), Ball::within(0.0, 1.0).unwrap());
    for value in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-5] {
        assert!(matches!(Roughness::Slope(value).body(&ball, &grid, true), Err(ReleaseError::Slope { .. })));
    }
    for value in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-7, 1e6] {
        assert!(matches!(Roughness::HalfSobolev(value).body(&ball, &grid, true), Err(ReleaseError::Length { .. })));
    }
    let refused = Roughness::HalfSobolev(0.3).body(&ball, &grid, false);
    assert!(matches!(refused, Err(ReleaseError::RoughnessNeedsRadius)));
}

#[test]
fn a_ball_of_bounds_is_known_by_its_norm_and_other_bounds_are_not_its_own() {
    let grid = Grid::uniform(0.0, 4.0, 30).unwrap();
    let stated = Ball::within(-1.0, 3.0).unwrap();
    let body = |roughness: Roughness| match roughness.body(&stated, &grid, true).unwrap() {
        (ball, MeanMechanism::Sobolev(norm)) => Some((ball, norm)),
        _ => None,
    };
    let slopes = (-24..60).filter_map(|power| body(Roughness::Slope(1.2_f64.powi(power))));
    let rough = (-20..20).filter_map(|power| body(Roughness::HalfSobolev(1.4_f64.powi(power))));
    let mut seen = 0;
    for (ball, norm) in slopes.chain(rough) {
        assert!(is_of_its_bounds(&ball, &norm), "{ball:?} {norm:?}");
        let edited = |lower, upper, center: f64, radius| {
            Ball::within(lower, upper).unwrap().moved(Center::Constant(center), radius).unwrap()
        };
        let others = [
            edited(-1.0, 3.03, 1.0, ball.radius()),
            edited(-1.0, 1.5, 1.0, ball.radius()),
            edited(-1.02, 3.02, 1.0, ball.radius()),
            edited(-100.0, 102.0, 1.0, ball.radius()),
            edited(-1.0, 3.0, 1.01, ball.radius()),
            edited(-1.0, 3.0, 1.0, ball.radius() * 1.01),
        ];
        assert!(others.iter().all(|other| !is_of_its_bounds(other, &norm)), "{norm:?}");
        seen += 1;
    }
    assert!(seen > 60, "{seen}");
    let rectangle = SurfaceGrid::new(grid.clone(), grid).unwrap();
    let (ball, mechanism) = Roughness::HalfOfAxes([0.3, 0.1]).body(&stated, &rectangle, true).unwrap();
    let MeanMechanism::Sobolev(norm) = mechanism else { unreachable!("a norm was asked for") };
    assert!(is_of_its_bounds(&ball, &norm) && ball.radius() == 8.0);
    assert!(!is_of_its_bounds(&ball.moved(ball.center().clone(), 4.0).unwrap(), &norm));
}
