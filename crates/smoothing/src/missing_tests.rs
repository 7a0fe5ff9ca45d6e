#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::SurfaceGrid;

use super::*;

const NAN: f64 = f64::NAN;

fn filled(points: &[f64], values: &[f64]) -> Vec<f64> {
    let grid = Grid::new(points.to_vec()).unwrap();
    let mut values = values.to_vec();
    assert!(fill_missing(std::slice::from_ref(&grid), &mut values));
    values
}

#[test]
fn gaps_are_linear_in_t_and_ends_constant() {
    let points = [0.0, 0.1, 0.2, 0.6, 1.0];
    assert_eq!(filled(&points, &[NAN, 2.0, NAN, 4.0, NAN]), [2.0, 2.0, 2.0 * 0.8 + 4.0 * 0.2, 4.0, 4.0]);
    assert_eq!(filled(&points, &[1.0, 2.0, 3.0, 4.0, 5.0]), [1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(filled(&points, &[NAN, NAN, 7.0, NAN, NAN]), [7.0; 5]);
}

#[test]
fn a_gap_between_equal_values_is_exactly_constant() {
    assert_eq!(filled(&[0.0, 0.3, 0.7, 1.0], &[0.1, NAN, NAN, 0.1]), [0.1; 4]);
}

#[test]
fn a_gap_between_huge_values_of_opposite_sign_stays_finite() {
    let values = filled(&[0.0, 0.25, 0.5, 1.0], &[f64::MAX, NAN, NAN, -f64::MAX]);
    assert!(values.iter().all(|x| x.is_finite()));
    assert_eq!(values[2], 0.0);
    assert_eq!(filled(&[0.0, 0.3, 1.0], &[f64::MAX, NAN, f64::MAX]), [f64::MAX; 3]);
}

#[test]
fn a_curve_without_any_value_is_reported_and_left_alone() {
    let grid = Grid::new(vec![0.0, 1.0]).unwrap();
    let mut values = [NAN, NAN];
    assert!(!fill_missing(std::slice::from_ref(&grid), &mut values));
    assert!(values.iter().all(|x| x.is_nan()));
}

#[test]
fn on_a_circle_gaps_are_linear_across_the_end_and_a_shifted_curve_is_filled_as_much_later() {
    let grid = Grid::circle(0.0, 1.0, 8).unwrap();
    let curve = [NAN, 4.0, NAN, NAN, 1.0, 6.0, NAN, NAN];
    let mut values = curve;
    assert!(fill_missing(std::slice::from_ref(&grid), &mut values));
    let expected = [4.5, 4.0, 3.0, 2.0, 1.0, 6.0, 5.5, 5.0];
    assert!(values.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-14), "{values:?}");
    for shift in 0..8 {
        let mut shifted = curve;
        shifted.rotate_left(shift);
        assert!(fill_missing(std::slice::from_ref(&grid), &mut shifted));
        shifted.rotate_right(shift);
        assert!(shifted.iter().zip(&values).all(|(a, b)| (a - b).abs() < 1e-14), "{shift}: {shifted:?}");
    }
    let mut single = [NAN, NAN, 7.0, NAN, NAN, NAN, NAN, NAN];
    assert!(fill_missing(std::slice::from_ref(&grid), &mut single));
    assert_eq!(single, [7.0; 8]);
    assert!(!fill_missing(std::slice::from_ref(&grid), &mut [NAN; 8]));
}

fn surface() -> SurfaceGrid {
    let t = Grid::new(vec![0.0, 1.0, 3.0, 4.0]).unwrap();
    SurfaceGrid::new(Grid::new(vec![0.0, 1.0, 2.0, 4.0]).unwrap(), t).unwrap()
}

#[test]
fn a_plane_with_gaps_is_filled_as_a_plane_along_t_and_then_along_s() {
    let [s, t] = surface().axes().clone();
    let plane: Vec<f64> = s.points().iter().flat_map(|s| t.points().mapv(|t| 2.0 * s - t)).collect();
    let mut values = plane.clone();
    values[1..3].fill(NAN);
    values[8..12].fill(NAN);
    assert!(fill_missing(surface().unit_axes(), &mut values));
    assert!(values.iter().zip(&plane).all(|(a, b)| (a - b).abs() < 1e-12), "{values:?}");
    // beyond the lines that are there: the nearest of them
    values[..8].fill(NAN);
    assert!(fill_missing(surface().unit_axes(), &mut values));
    assert_eq!(values[..4], values[8..12]);
}

#[test]
fn a_surface_without_any_value_is_reported_and_left_alone() {
    let mut values = [NAN; 16];
    assert!(!fill_missing(surface().unit_axes(), &mut values));
    assert!(values.iter().all(|x| x.is_nan()));
}
