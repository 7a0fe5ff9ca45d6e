#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use dpfda_kernels::{Grid, Quadrature};
use dpfda_mechanism::{MechanismError, Statistic};
use dpfda_privacy::{Body, LatticeVector, NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_smoothing::{BallError, Center};
use ndarray::{Array1, Array2, Axis};
use proptest::prelude::*;

use super::*;
use crate::mean::private::{MomentsChoice, PrivateMean};
use crate::purchase::bought::BallShares;

const RELATIONS: [NeighbouringRelation; 2] = [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne];

fn ball() -> Ball {
    Ball::new(Center::Constant(0.5), 0.25).unwrap()
}

fn budget() -> PrivacyBudget {
    PrivacyBudget::new(1.0, 1e-5).unwrap()
}

fn grid() -> SurfaceGrid {
    let uneven = Grid::new(vec![0.0, 0.5, 2.0, 3.0, 8.0]).unwrap();
    SurfaceGrid::new(uneven, Grid::uniform(-1.0, 1.0, 7).unwrap()).unwrap()
}

fn private_mean() -> PrivateSurface {
    PrivateSurface::new(ball(), grid(), budget())
}

fn surfaces(grid: &SurfaceGrid, values: Array2<f64>) -> CurveSet {
    CurveSet::new(grid.places().unwrap(), values).unwrap()
}

fn simulated(people: usize) -> CurveSet {
    let grid = grid();
    surfaces(&grid, Array2::from_shape_fn((people, grid.len()), |(i, j)| 0.5 + 0.4 * ((3 * i + 5 * j) as f64).sin()))
}

/// The integers of one record.
fn encoded(values: &[f64]) -> LatticeVector {
    let mechanism = private_mean().mechanism(PrivacyUnit::Curve).unwrap();
    let set = surfaces(&grid(), Array1::from(values.to_vec()).insert_axis(Axis(0)));
    let (ball, grid) = (ball(), grid());
    let bounded = ball.bound_surfaces(&set, &grid).unwrap();
    let mut vector = mechanism.body().vector();
    let record = CurveRecord::all(&bounded).next().unwrap();
    mechanism.statistic().encode(record, &mut mechanism.statistic().scratch(), &mut vector);
    vector
}

fn distance(a: &LatticeVector, b: &LatticeVector) -> f64 {
    let squares = a.coordinates().iter().zip(b.coordinates()).map(|(a, b)| ((a - b) as f64).powi(2));
    squares.sum::<f64>().sqrt()
}

#[test]
fn the_bound_on_neighbours_is_attained_by_opposite_surfaces() {
    let bound = private_mean().mechanism(PrivacyUnit::Curve).unwrap().body().l2_bound(RELATIONS[0]);
    // one bump, and all of the rectangle
    for values in [
        (0..35).map(|j| if j == 17 { 1e3 } else { 0.5 }).collect::<Vec<f64>>(),
        vec![9.0; 35],
        (0..35).map(|j| 0.5 + f64::from(j % 3) * 7.0).collect(),
    ] {
        let opposite: Vec<f64> = values.iter().map(|x| 1.0 - x).collect();
        let found = distance(&encoded(&values), &encoded(&opposite));
        assert!(found <= bound && found >= 0.9999 * bound, "{found} for {bound}");
    }
}

proptest! {
    #[test]
    fn no_two_surfaces_are_further_apart_than_the_bound(
        a in prop::collection::vec(-1e6..1e6_f64, 35),
        b in prop::collection::vec(-3.0..3.0_f64, 35),
    ) {
        let bound = private_mean().mechanism(PrivacyUnit::Curve).unwrap().body().l2_bound(RELATIONS[0]);
        prop_assert!(distance(&encoded(&a), &encoded(&b)) <= bound);
    }
}

#[test]
fn a_surface_of_equal_weights_has_the_integers_of_the_curve_of_its_values_but_for_rounding() {
    let equal = |points| Grid::with_quadrature((0..points).map(f64::from).collect(), Quadrature::Equal).unwrap();
    let grid = SurfaceGrid::new(equal(4), equal(8)).unwrap();
    let values = Array2::from_shape_fn((30, 32), |(i, j)| 0.5 + 0.4 * ((i + 7 * j) as f64).sin());
    let curves = CurveSet::new(equal(32), values).unwrap();
    for neighbours in RELATIONS {
        let as_curve = PrivateMean::isonormal(ball(), budget())
            .neighbours(neighbours)
            .buying(BallShares::NONE)
            .moments(MomentsChoice::None)
            .release(&curves, &mut SeededRandomness::from_seed(7))
            .unwrap();
        let private_mean = PrivateSurface::new(ball(), grid.clone(), budget()).neighbours(neighbours);
        let release = private_mean.release(&curves, &mut SeededRandomness::from_seed(7)).unwrap();
        // half a step for each record, and a part of the noise for the rounding of sums
        let most = 16.0 + 1e-4 * 6.0 * as_curve.noise().sd();
        assert!(release.words().zip(as_curve.words()).all(|(a, b)| (i128::from(a) - b).abs() as f64 <= most));
        assert_abs_diff_eq!(
            release.statistic().whitened(&release).1,
            as_curve.statistic().whitened(&as_curve).1,
            epsilon = 1e-3 * as_curve.statistic().whitened(&as_curve).1
        );
    }
}

#[test]
fn surfaces_inside_the_ball_are_released_as_they_are_but_for_the_noise() {
    let plan = PrivateSurface::new(
        Ball::new(Center::Constant(0.5), 0.5).unwrap(),
        grid(),
        PrivacyBudget::new(50.0, 0.5).unwrap(),
    );
    let people = simulated(4000);
    let release = plan.release(&people, &mut SeededRandomness::from_seed(1)).unwrap();
    let roots = grid().unit_weights().mapv(f64::sqrt);
    let mean = people.values().mean_axis(Axis(0)).unwrap();
    let expected = (mean - 0.5) * &roots;
    let found = Array1::from_iter(release.statistic().whitened(&release).0);
    assert_abs_diff_eq!(found, expected, epsilon = 6.0 * release.statistic().whitened(&release).1);
    assert!(release.statistic().whitened(&release).1 < 1e-4);
}

#[test]
fn missing_values_are_filled_along_the_last_axis_first() {
    let nan = f64::NAN;
    let whole: Vec<f64> = (0..35).map(|j| 0.4 + 0.02 * f64::from(j % 7)).collect();
    let mut gaps = whole.clone();
    // a gap in a line of straight values, and a line without values between two equal ones
    gaps[3] = nan;
    gaps[14..21].fill(nan);
    let difference = distance(&encoded(&whole), &encoded(&gaps));
    assert!(difference <= 6.0, "{difference}");
    assert!(encoded(&[nan; 35]).coordinates().iter().all(|k| *k == 0));
}

#[test]
fn all_surfaces_of_a_subject_are_one_record() {
    let ids: Vec<usize> = (0..60).map(|row| row % 20).collect();
    let people = simulated(60).with_subjects(&ids).unwrap();
    let release = private_mean().release(&people, &mut SeededRandomness::from_seed(2)).unwrap();
    assert_eq!((release.public_records(), release.unit()), (Some(20), PrivacyUnit::Subject));
}

#[test]
fn rows_and_centres_that_do_not_fit_the_grid_are_refused_before_any_noise() {
    let other = SurfaceGrid::new(Grid::uniform(0.0, 1.0, 5).unwrap(), Grid::uniform(0.0, 1.0, 8).unwrap()).unwrap();
    let plan = PrivateSurface::new(ball(), other.clone(), budget());
    let refused = plan.prepare(&simulated(9)).err().unwrap();
    assert_eq!(refused, ReleaseError::Ball(BallError::Surface { first: 5, second: 8, found: 35 }));
    let curve = Ball::new(Center::Curve(vec![0.5; 35].into()), 0.25).unwrap();
    let refused = PrivateSurface::new(curve, other, budget()).mechanism(PrivacyUnit::Curve).err().unwrap();
    assert_eq!(refused, ReleaseError::Ball(BallError::CenterLength { points: 40, found: 35 }));
    let refused = private_mean().prepare(&simulated(1)).err().unwrap();
    assert!(matches!(refused, ReleaseError::Mechanism(MechanismError::TooFewRecords { .. })), "{refused}");
    let pure = PrivateSurface::new(ball(), grid(), PrivacyBudget::new(1.0, 0.0).unwrap());
    assert!(pure.mechanism(PrivacyUnit::Curve).is_err());
}

#[test]
fn the_facts_tell_grid_and_bound() {
    let release = private_mean().release(&simulated(50), &mut SeededRandomness::from_seed(3)).unwrap();
    let text = |name| release.facts().into_iter().find(|fact| fact.name == name).unwrap().text;
    assert_eq!(text("grid"), "surfaces on 5 values of s from 0 to 8 and 7 values of t from -1 to 1");
    assert!(text("bound").contains("every surface is projected"), "{}", text("bound"));
}
