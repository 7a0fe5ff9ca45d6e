#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::KernelName;
use ndarray::array;
use proptest::prelude::*;

use super::*;
use crate::ball::Center;
use crate::curves::CurveSet;

const NAN: f64 = f64::NAN;

fn process(center: f64, points: usize, noise: f64) -> GaussianFill {
    let ball = Ball::new(Center::Constant(center), 1.0).unwrap();
    let kernel = KernelName::Matern(1.5).with_range(0.3).unwrap();
    GaussianFill::new(&ball, &Grid::uniform(0.0, 1.0, points).unwrap(), kernel, noise).unwrap()
}

#[test]
fn a_gap_between_two_values_is_filled_as_by_the_formula() {
    let process = process(0.5, 3, 0.1);
    let mut curve = [0.9, NAN, 0.7];
    process.fill(&mut curve);
    // [near] ([1.01, far], [far, 1.01])^-1 [0.4, 0.2]
    let (near, far) = (process.covariance[[0, 1]], process.covariance[[0, 2]]);
    let expected = 0.5 + near * (0.4 + 0.2) / (1.01 + far);
    assert!((curve[1] - expected).abs() < 1e-12, "{} {expected}", curve[1]);
    assert_eq!((curve[0], curve[2]), (0.9, 0.7), "observed values stay");
}

#[test]
fn a_gap_far_from_all_values_is_filled_with_the_centre() {
    let mut curve = vec![NAN; 101];
    curve[0] = 1.5;
    process(0.5, 101, 0.1).fill(&mut curve);
    assert!(curve.windows(2).all(|pair| pair[1] < pair[0]) && curve[100] > 0.5 && curve[100] < 0.55, "{}", curve[100]);
}

#[test]
fn a_curve_without_a_gap_and_one_without_a_value_stay_as_they_are() {
    let process = process(0.5, 3, 0.1);
    let mut whole = [0.1, 0.2, 0.3];
    process.fill(&mut whole);
    assert_eq!(whole, [0.1, 0.2, 0.3]);
    let mut empty = [NAN; 3];
    process.fill(&mut empty);
    assert!(empty.iter().all(|value| value.is_nan()));
}

#[test]
fn each_curve_is_filled_from_its_own_values_alone() {
    let grid = Grid::uniform(0.0, 1.0, 3).unwrap();
    let filled = |other: [f64; 3]| {
        let values = array![[0.1, NAN, 0.3], other];
        CurveSet::new(grid.clone(), values).unwrap().filled(&process(0.5, 3, 0.1)).unwrap().values().row(0).to_owned()
    };
    assert_eq!(filled([9.0, NAN, -9.0]), filled([NAN, NAN, NAN]));
}

#[test]
fn a_process_for_too_many_points_or_of_impossible_noise_is_refused() {
    let ball = Ball::new(Center::Constant(0.0), 1.0).unwrap();
    let kernel = KernelName::Matern(1.5).with_range(0.3).unwrap();
    let grid = |points| Grid::uniform(0.0, 1.0, points).unwrap();
    assert_eq!(
        GaussianFill::new(&ball, &grid(2001), kernel.clone(), 0.1).unwrap_err(),
        FillError::Points { found: 2001 }
    );
    for noise in [0.0, -0.1, 11.0, f64::INFINITY, NAN] {
        assert!(
            matches!(GaussianFill::new(&ball, &grid(5), kernel.clone(), noise), Err(FillError::Noise { .. })),
            "{noise}"
        );
    }
}

#[test]
fn curves_on_another_grid_are_not_filled() {
    let curves = CurveSet::new(Grid::uniform(0.0, 1.0, 2).unwrap(), array![[0.1, NAN]]).unwrap();
    assert_eq!(curves.filled(&process(0.5, 3, 0.1)).unwrap_err(), FillError::Grid { points: 3, found: 2 });
}

proptest! {
    #[test]
    fn whatever_is_filled_in_is_finite(curve in prop::collection::vec(prop_oneof![Just(NAN), any::<f64>()], 20), noise in 1e-3..10.0) {
        let mut filled: Vec<f64> = curve.iter().map(|x| if x.is_infinite() { NAN } else { *x }).collect();
        let before = filled.clone();
        process(0.5, 20, noise).fill(&mut filled);
        for (after, before) in filled.iter().zip(&before) {
            prop_assert!(after.is_nan() && before.is_nan() || after.is_finite());
            prop_assert!(before.is_nan() || after == before);
        }
    }
}

#[test]
fn on_a_circle_a_gap_at_the_end_is_filled_from_both_its_sides() {
    let ball = Ball::new(Center::Constant(0.0), 1.0).unwrap();
    let kernel = KernelName::Matern(1.5).with_range(0.3).unwrap();
    let fill = |grid: &Grid, mut curve: Vec<f64>| {
        GaussianFill::new(&ball, grid, kernel.clone(), 0.1).unwrap().fill(&mut curve);
        curve
    };
    let circle = Grid::circle(0.0, 1.0, 8).unwrap();
    let curve = [0.3, 0.1, -0.2, 0.4, 0.0, 0.2, 0.1, f64::NAN];
    let at_end = fill(&circle, curve.to_vec());
    let mut shifted = curve;
    shifted.rotate_right(4);
    let within = fill(&circle, shifted.to_vec());
    assert!((at_end[7] - within[3]).abs() < 1e-12, "{} and {}", at_end[7], within[3]);
    let open = fill(&Grid::uniform(0.0, 1.0, 8).unwrap(), curve.to_vec());
    assert!((open[7] - at_end[7]).abs() > 0.01, "the other side tells nothing");
    let sobolev = GaussianFill::new(&ball, &circle, KernelName::Sobolev.with_range(0.3).unwrap(), 0.1);
    assert!(matches!(sobolev, Err(FillError::Kernel(KernelError::Circle))));
}
