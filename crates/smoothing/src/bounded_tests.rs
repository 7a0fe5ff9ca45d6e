#![allow(clippy::unwrap_used, reason = "tests")]

use crate::missing::fill_missing;
use approx::assert_relative_eq;
use dpfda_kernels::{Grid, Quadrature};
use ndarray::{Array2, array};
use proptest::prelude::*;

use super::*;
use crate::ball::Center;

const NAN: f64 = f64::NAN;

fn set(points: &[f64], values: Vec<f64>) -> CurveSet {
    let rows = values.len() / points.len();
    let values = Array2::from_shape_vec((rows, points.len()), values).unwrap();
    CurveSet::new(Grid::new(points.to_vec()).unwrap(), values).unwrap()
}

fn constant(center: f64, radius: f64) -> Ball {
    Ball::new(Center::Constant(center), radius).unwrap()
}

fn whiten(ball: &Ball, curves: &CurveSet, row: usize) -> Vec<f64> {
    let mut out = vec![NAN; curves.grid().len()];
    ball.bound(curves).unwrap().whiten_into(row, &mut out);
    out
}

fn norm(z: &[f64]) -> f64 {
    z.iter().map(|z| z * z).sum::<f64>().sqrt()
}

/// `n` uneven points on `[0, 1]`.
fn uneven(n: usize) -> Vec<f64> {
    (0..n).map(|i| (i as f64 / (n - 1) as f64).powf(1.3)).collect()
}

/// Any finite number, extremes included, or a missing value.
fn any_cell() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -2.0..2.0,
        2 => any::<f64>().prop_map(|x| if x.is_infinite() { NAN } else { x }),
        1 => prop::sample::select(vec![f64::MAX, -f64::MAX, 1e300, -1e300, 5e-324, -0.0, 1e-200, NAN]),
    ]
}

proptest! {
    #[test]
    fn every_curve_lands_in_the_ball(
        values in (2_usize..40).prop_flat_map(|n| prop::collection::vec(any_cell(), n)),
        center in prop_oneof![-1.0..1.0, Just(1e100), Just(-1e100)],
        radius in prop_oneof![0.01..3.0, Just(1e-100), Just(1e100)],
    ) {
        // a smaller radius is lost in the rounding of the centre
        let radius = f64::max(radius, 1e-12 * f64::abs(center));
        let z = whiten(&constant(center, radius), &set(&uneven(values.len()), values.clone()), 0);
        prop_assert!(z.iter().all(|z| z.is_finite()), "{z:?}");
        prop_assert!(norm(&z) <= 1.0 + 1e-12, "norm {}", norm(&z));
    }

    #[test]
    fn a_curve_inside_is_unchanged_and_one_outside_lands_on_the_sphere_in_its_direction(
        values in (2_usize..40).prop_flat_map(|n| prop::collection::vec(-2.0..2.0_f64, n)),
        radius in 0.1..3.0_f64,
    ) {
        let curves = set(&uneven(values.len()), values.clone());
        let z = whiten(&constant(0.25, radius), &curves, 0);
        let plain: Vec<f64> = values.iter().zip(curves.unit_grid().weights()).map(|(x, w)| w.sqrt() * (x - 0.25) / radius).collect();
        let length = norm(&plain).max(1.0);
        for (z, plain) in z.iter().zip(&plain) {
            prop_assert!((z - plain / length).abs() <= 1e-14);
        }
    }

    #[test]
    fn a_missing_value_and_its_filling_whiten_to_the_same_bits(
        mut values in prop::collection::vec(-2.0..2.0_f64, 11), gap in 1_usize..10,
    ) {
        let points = uneven(11);
        values[gap] = NAN;
        let curves = set(&points, values.clone());
        fill_missing(std::slice::from_ref(curves.unit_grid()), &mut values);
        let ball = constant(0.0, 0.7);
        prop_assert_eq!(whiten(&ball, &curves, 0), whiten(&ball, &set(&points, values), 0));
    }
}

#[test]
fn missing_values_are_filled_on_the_line_and_constant_at_the_ends() {
    let points = [0.0, 1.0, 3.0, 4.0];
    let ball = constant(0.0, 100.0);
    let missing = set(&points, vec![NAN, 3.0, NAN, 6.0]);
    let filled = set(&points, vec![3.0, 3.0, 5.0, 6.0]);
    for (a, b) in whiten(&ball, &missing, 0).iter().zip(whiten(&ball, &filled, 0)) {
        assert_relative_eq!(*a, b, max_relative = 1e-15);
    }
}

#[test]
fn a_curve_of_missing_values_whitens_to_exactly_zero() {
    let curves = set(&uneven(9), vec![NAN; 9]);
    assert_eq!(whiten(&constant(0.3, 0.1), &curves, 0), [0.0; 9]);
}

#[test]
fn a_huge_curve_keeps_its_direction() {
    let points = uneven(20);
    let shape: Vec<f64> = (0..20).map(|i| f64::from(i) - 7.0).collect();
    let modest = whiten(&constant(0.0, 1e-3), &set(&points, shape.clone()), 0);
    for scale in [1e150, 1e200, 1e300, f64::MAX / 13.0] {
        let huge = whiten(&constant(0.0, 1e-3), &set(&points, shape.iter().map(|x| x * scale).collect()), 0);
        for (a, b) in huge.iter().zip(&modest) {
            assert_relative_eq!(*a, *b, max_relative = 1e-13, epsilon = 1e-15);
        }
    }
}

#[test]
fn a_huge_ball_and_a_tiny_ball_measure_alike() {
    let points = uneven(20);
    let shape: Vec<f64> = (0..20).map(|i| f64::from(i) - 7.0).collect();
    let modest = whiten(&constant(0.0, 4.0), &set(&points, shape.clone()), 0);
    for scale in [1e-100, 1e-60, 1e60, 1e99] {
        let scaled = set(&points, shape.iter().map(|x| x * scale).collect());
        for (a, b) in whiten(&constant(0.0, 4.0 * scale), &scaled, 0).iter().zip(&modest) {
            assert_relative_eq!(*a, *b, max_relative = 1e-12, epsilon = 1e-15);
        }
    }
}

#[test]
fn the_radius_is_a_root_mean_square_distance_on_any_interval() {
    for points in [[0.0, 0.5, 1.0], [10.0, 20.0, 30.0]] {
        let z = whiten(&constant(1.0, 8.0), &set(&points, vec![5.0; 3]), 0);
        assert_relative_eq!(norm(&z), 0.5, max_relative = 1e-15);
    }
    let grid = Grid::with_quadrature(vec![0.0, 1.0, 7.0, 8.0], Quadrature::Equal).unwrap();
    let curves = CurveSet::new(grid, array![[5.0, 5.0, 5.0, 5.0]]).unwrap();
    assert_eq!(whiten(&constant(1.0, 8.0), &curves, 0), [0.25; 4]);
}

#[test]
fn the_mean_is_over_subjects_of_projected_curves() {
    // from centre 1 with radius 2: 1 + 2 = 3, 1 - 2 = -1; subject a: (3 + 2) / 2, subject b: -1
    let curves = set(&[0.0, 1.0], vec![100.0, 100.0, -50.0, -50.0, 2.0, 2.0]).with_subjects(&["a", "b", "a"]).unwrap();
    let ball = constant(1.0, 2.0);
    let bounded = ball.bound(&curves).unwrap();
    assert_relative_eq!(bounded.mean().reveal().as_slice().unwrap(), [0.75, 0.75].as_slice(), max_relative = 1e-14);
    assert_eq!(*bounded.projected().reveal(), 2);
}

#[test]
fn without_records_the_mean_is_the_centre() {
    let curves = set(&[0.0, 1.0], vec![]);
    let ball = Ball::new(Center::Curve(array![0.25, 0.5]), 2.0).unwrap();
    assert_eq!(ball.bound(&curves).unwrap().mean().reveal(), &array![0.25, 0.5]);
}
