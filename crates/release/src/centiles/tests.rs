#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::Grid;
use dpfda_privacy::{Body, LATTICE_BITS, NeighbouringRelation, steps_to_unit};
use dpfda_smoothing::CurveSet;
use ndarray::{Array2, arr2};

use super::*;
use crate::centiles::placed::PlacedRows;
use crate::coordinates::encode::CurveRecord;
use crate::rows::of_rows::{KeptRows, OfRows};

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
    let record = CentileRecord::Curves(CurveRecord::all(&bounded).next().unwrap());
    statistic.encode(record, &mut statistic.scratch(), &mut vector);
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

/// The integers of these rows, as parts of the radius.
fn of_rows(statistic: &Centiles, rows: &[(f64, f64)]) -> Vec<f64> {
    let mut kept = PlacedRows::default();
    rows.iter().filter_map(|(t, x)| statistic.place(*t, *x)).for_each(|(point, part)| kept.add(point, part));
    let body = statistic.body(&Law::GAUSSIAN);
    let (mut sum, mut vector) = (body.sum(), body.vector());
    statistic.encode(CentileRecord::Rows(&kept), &mut statistic.scratch(), &mut vector);
    body.add(&mut sum, &vector);
    sum.into_iter().map(|k| k as f64 / f64::from(1 << LATTICE_BITS)).collect()
}

#[test]
fn the_indicators_of_rows_agree_with_values_made_by_hand() {
    // two rows count at the first point, one at the third, and those without a time, a value or a place in the domain nowhere
    let rows = [(0.0, 0.55), (0.7, 0.2), (0.02, 0.7), (f64::NAN, 0.9), (0.5, f64::NAN), (1.01, 0.9)];
    let first = [0.0, 0.0, 0.0, -1.0, -0.5, 0.0, 0.0];
    let third = [0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0];
    // the mean distance at the points is 0.125 and 0.3: half of their mean, 0.2125, leaves 0.525, 0.6 and 0.35
    let pulled = ([0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    for (tau, (first, third)) in [(0.5_f64.sqrt(), (first, third)), (0.106_25_f64.sqrt(), pulled)] {
        let statistic = statistic(tau).of_rows().unwrap();
        let found = of_rows(&statistic, &rows);
        let weights = &found[28..];
        assert!(weights[0] > 0.0 && weights[1] == 0.0 && weights[3] == 0.0);
        // of 4/5 and 1/5 of the squared norm each in its unit: shares are the ratio, whatever the record was shortened by
        let share = |point: usize, level: usize| {
            found[point * 7 + level] / weights[point] * tau * 7.0_f64.sqrt() * (0.2_f64 / 0.8).sqrt()
        };
        for level in 0..7 {
            assert!((share(0, level) - first[level]).abs() < 1e-5 && (share(2, level) - third[level]).abs() < 1e-5);
        }
        assert!(found.iter().map(|z| z * z).sum::<f64>() <= 1.0);
        let mut turned = rows;
        turned.reverse();
        assert_eq!(of_rows(&statistic, &turned), found, "the order of rows");
    }
    let weight = of_rows(&statistic(0.5_f64.sqrt()).of_rows().unwrap(), &rows)[28];
    // 1 / sqrt(2) times sqrt(1/5), on a lattice
    assert!((weight - 0.1_f64.sqrt()).abs() < 1e-4, "{weight}");
    assert!(of_rows(&statistic(0.4).of_rows().unwrap(), &[]).iter().all(|z| *z == 0.0));
}

#[test]
fn rows_share_no_coordinate_and_are_as_far_apart_as_the_orthant_allows() {
    let statistic = statistic(0.5_f64.sqrt()).of_rows().unwrap();
    let (one, other) = (of_rows(&statistic, &[(0.0, 1.0)]), of_rows(&statistic, &[(1.0, 1.0)]));
    assert!(one.iter().zip(&other).all(|(a, b)| a * b == 0.0));
    let apart: f64 = one.iter().zip(&other).map(|(a, b)| (a - b).powi(2)).sum();
    assert!((apart.sqrt() - std::f64::consts::SQRT_2).abs() < 1e-5, "{apart}");
    let bound = statistic.body(&Law::GAUSSIAN).l2_bound(NeighbouringRelation::SubstituteOne);
    assert!((bound / f64::from(1 << LATTICE_BITS) - std::f64::consts::SQRT_2).abs() < 1e-9);
}

#[test]
fn a_row_is_compared_with_the_centre_at_its_own_time_and_counts_at_the_nearest_point() {
    let line = Grid::uniform(0.0, 3.0, 4).unwrap();
    let center = Some(Center::Curve(ndarray::arr1(&[0.2, 0.4, 0.6, 0.8])));
    let ball = Centiles::ball_of_rows_within((0.0, 1.0), center, None, &line).unwrap();
    assert!((ball.radius() - 0.8).abs() < 1e-12, "the farthest bound of one point");
    let rising = Centiles::new(ball, line, None, vec![50.0]).unwrap().of_rows().unwrap();
    let (point, part) = rising.place(1.25, 0.55).unwrap();
    assert!(point == 1 && (part - 0.1).abs() < 1e-12);
    assert_eq!(rising.place(1.75, 0.65).unwrap().0, 2);
    let day = Grid::circle(0.0, 24.0, 12).unwrap();
    let ball = Centiles::ball_of_rows_within((0.0, 1.0), None, None, &day).unwrap();
    let day = Centiles::new(ball, day, None, vec![50.0]).unwrap().of_rows().unwrap();
    let points = [0.0, 0.9, 1.1, 22.9, 23.1, 24.0].map(|t| day.place(t, 0.5).unwrap().0);
    assert_eq!(points, [0, 0, 1, 11, 0, 0]);
    assert!(day.place(24.1, 0.5).is_none());
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
    let wide = Centiles::ball_within((0.0, 1.0), None, Some(1.5), &grid());
    assert!(matches!(wide, Err(CentilesError::Distance { .. })));
}

#[test]
fn a_plan_reads_back() {
    let statistic = statistic(0.4);
    let json = serde_json::to_string(&statistic).unwrap();
    assert_eq!(serde_json::from_str::<Centiles>(&json).unwrap(), statistic);
    assert!(serde_json::from_str::<Centiles>(&json.replace("[50.0]", "[1.0]")).is_err());
    let of_rows = statistic.of_rows().unwrap();
    let json = serde_json::to_string(&of_rows).unwrap();
    assert_eq!(serde_json::from_str::<Centiles>(&json).unwrap(), of_rows);
}
