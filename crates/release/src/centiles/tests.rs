#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::Grid;
use dpfda_privacy::{Body, LATTICE_BITS, NeighbouringRelation, steps_to_unit};
use dpfda_smoothing::CurveSet;
use ndarray::{Array2, arr2};

use super::*;

/// Four points and levels at eighths about a half, with records of norm at most `tau`.
fn statistic(tau: f64) -> Centiles {
    let ball = Centiles::ball_within((0.0, 1.0), None, Some(tau * tau), &grid()).unwrap();
    Centiles::new(ball, grid(), Some(7), vec![50.0]).unwrap()
}

fn grid() -> Grid {
    Grid::uniform(0.0, 1.0, 4).unwrap()
}

/// The integers of the one record of these curves, with `sqrt(n m)` for each indicator.
fn indicators(statistic: &Centiles, curves: Array2<f64>) -> Array2<f64> {
    let people = vec!["one"; curves.nrows()];
    let curves = CurveSet::new(grid(), curves).unwrap().with_subjects(&people).unwrap();
    let bounded = statistic.ball().bound(&curves).unwrap();
    let body = statistic.body(&Law::GAUSSIAN);
    let (mut sum, mut vector) = (body.sum(), body.vector());
    statistic.encode(CurveRecord::all(&bounded).next().unwrap(), &mut statistic.scratch(), &mut vector);
    body.add(&mut sum, &vector);
    let unit = statistic.root_of_cells() * statistic.norm() / steps_to_unit(28);
    Array2::from_shape_vec((4, 7), sum.into_iter().map(|k| k as f64 * unit).collect()).unwrap()
}

fn is_near(found: &Array2<f64>, expected: &Array2<f64>) {
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 2e-6), "{found} {expected}");
}

#[test]
fn the_indicators_of_a_record_agree_with_golden_values() {
    let none = [0.0; 7];
    let inside = arr2(&[[0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, -1.0, -1.0, 0.0, 0.0], none, none]);
    is_near(&indicators(&statistic(0.4), arr2(&[[0.55, 0.7, 0.4, 0.5]])), &inside);
    // pulled to a mean distance of 0.16, and then shortened from half of a unit to 0.4
    let two = [0.0, 0.0, 0.0, -0.8, -0.8, 0.0, 0.0];
    let pulled = arr2(&[two, two, two, [0.0, 0.0, 0.0, -0.8, 0.0, 0.0, 0.0]]);
    is_near(&indicators(&statistic(0.4), arr2(&[[0.95, 0.9, 0.99, 0.8]])), &pulled);
    let visits = arr2(&[
        [0.0, 0.0, 0.0, -0.5, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, -1.0, -1.0, -0.5, 0.0],
        [0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 0.0],
    ]);
    is_near(&indicators(&statistic(0.45), arr2(&[[0.6, 0.7, 0.4, 0.3], [0.4, 0.8, 0.35, 0.1]])), &visits);
}

#[test]
fn a_person_above_and_one_below_are_as_far_apart_as_the_orthant_allows() {
    let statistic = statistic(0.5);
    let one = indicators(&statistic, arr2(&[[0.9; 4]])) / 28.0_f64.sqrt();
    let other = indicators(&statistic, arr2(&[[0.05; 4]])) / 28.0_f64.sqrt();
    assert!((&one * &other).sum().abs() < 1e-12);
    let apart = (&one - &other).mapv(|d| d * d).sum().sqrt();
    assert!((apart - std::f64::consts::FRAC_1_SQRT_2).abs() < 1e-5);
    let bound = statistic.body(&Law::GAUSSIAN).l2_bound(NeighbouringRelation::SubstituteOne);
    assert!((bound / f64::from(1 << LATTICE_BITS) * statistic.norm() - std::f64::consts::FRAC_1_SQRT_2).abs() < 1e-12);
}

#[test]
fn values_at_a_level_count_as_at_or_below_it() {
    let statistic = statistic(0.5);
    for (value, below) in [(0.0, 0), (0.125, 0), (0.126, 1), (0.5, 3), (0.875, 6), (0.876, 7), (1.0, 7)] {
        assert_eq!(level_of(value, statistic.bounds(), 7), below, "{value}");
    }
    assert_eq!(level_of(f64::NAN, (0.0, 1.0), 7), 0);
}

#[test]
fn a_stated_ball_about_a_centre_holds_everybody() {
    let grid = Grid::uniform(0.0, 1.0, 2).unwrap();
    let center = Center::Curve(ndarray::arr1(&[0.3, 0.6]));
    let ball = Centiles::ball_within((0.0, 1.0), Some(center), None, &grid).unwrap();
    let statistic = Centiles::new(ball, grid, None, vec![50.0]).unwrap();
    assert!((statistic.norm() - 0.806_225_774_829_854_9).abs() < 1e-12);
    assert!(!statistic.facts().is_empty());
}

#[test]
fn a_curve_without_values_is_the_centre_and_what_is_missing_is_filled() {
    let statistic = statistic(0.7);
    let nan = f64::NAN;
    assert!(indicators(&statistic, arr2(&[[nan; 4]])).iter().all(|z| *z == 0.0));
    let filled = indicators(&statistic, arr2(&[[0.6, nan, nan, 0.9]]));
    is_near(&filled, &indicators(&statistic, arr2(&[[0.6, 0.7, 0.8, 0.9]])));
}

#[test]
fn charts_that_do_not_exist_are_refused() {
    let ball = || Centiles::ball_within((0.0, 1.0), None, None, &grid()).unwrap();
    let new = |levels, shown: &[f64]| Centiles::new(ball(), grid(), levels, shown.to_vec());
    assert!(matches!(new(None, &[1.0]), Err(CentilesError::Centile { .. })));
    assert!(matches!(new(None, &[50.0, f64::NAN]), Err(CentilesError::Centile { .. })));
    assert!(matches!(new(None, &[98.5]), Err(CentilesError::Centile { .. })));
    assert!(matches!(new(None, &[50.0, 50.0]), Err(CentilesError::Order { .. })));
    assert!(matches!(new(None, &[]), Err(CentilesError::Number { .. })));
    assert!(matches!(new(Some(2), &[50.0]), Err(CentilesError::Levels { .. })));
    let without = Ball::new(Center::Constant(0.5), 0.2).unwrap();
    assert_eq!(Centiles::new(without, grid(), None, vec![50.0]), Err(CentilesError::NoBounds));
    let outside = Centiles::ball_within((0.0, 1.0), Some(Center::Constant(1.5)), None, &grid());
    assert!(matches!(outside, Err(CentilesError::Center { .. })));
    let wide = Centiles::ball_within((0.0, 1.0), None, Some(1.5), &grid()).unwrap();
    assert!(matches!(Centiles::new(wide, grid(), None, vec![50.0]), Err(CentilesError::Distance { .. })));
}

#[test]
fn a_plan_reads_back() {
    let statistic = statistic(0.4);
    let json = serde_json::to_string(&statistic).unwrap();
    assert_eq!(serde_json::from_str::<Centiles>(&json).unwrap(), statistic);
    assert!(serde_json::from_str::<Centiles>(&json.replace("[50.0]", "[1.0]")).is_err());
}
