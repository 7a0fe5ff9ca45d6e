#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::{DEFAULT_TOLERANCE, Grid, KernelName};
use dpfda_mechanism::{Guarantee, Mechanism, Terms};
use dpfda_privacy::{
    Body, ClippedBall, ExactSum, Law, NeighbouringRelation, PrivacyBudget, PrivacyUnit, Radii, SeededRandomness,
};
use dpfda_smoothing::{Ball, Center, CurveSet, PenalizedMean};
use ndarray::{Array1, Array2, ArrayView1};
use rand::{RngExt, SeedableRng, rngs::ChaCha20Rng};

use super::CurveRecord;
use crate::coordinates::curve_room::CurveRoom;
use crate::coordinates::sobolev::{SobolevNorm, SobolevOrder};
use crate::coordinates::whitening::Whitening;
use crate::mean::{Mean, MeanMechanism};

const POINTS: usize = 12;

fn grid() -> Grid {
    Grid::new((0..POINTS).map(|i| 3.0 + f64::from(u32::try_from(i * i).unwrap())).collect()).unwrap()
}

fn ball() -> Ball {
    Ball::new(Center::Constant(0.5), 0.25).unwrap()
}

fn mechanisms() -> [MeanMechanism; 7] {
    let smoother = |name: KernelName, range, power| {
        MeanMechanism::CameronMartin(PenalizedMean::new(name.with_range(range).unwrap(), 1e-3, power).unwrap())
    };
    [
        MeanMechanism::Isonormal,
        smoother(KernelName::Gaussian, 0.05, 1.0),
        smoother(KernelName::Matern(1.5), 0.2, 1.0),
        smoother(KernelName::Exponential, 0.5, 2.0),
        MeanMechanism::Sobolev(SobolevNorm::new(SobolevOrder::One, 0.3).unwrap()),
        MeanMechanism::Sobolev(SobolevNorm::new(SobolevOrder::Half, 0.15).unwrap()),
        MeanMechanism::Coordinates(3),
    ]
}

fn whitenings() -> Vec<Whitening> {
    let unit = grid().to_unit().unwrap();
    mechanisms()
        .iter()
        .map(|mechanism| {
            Whitening::with_rank(mechanism, std::slice::from_ref(&unit), DEFAULT_TOLERANCE, usize::MAX).unwrap()
        })
        .collect()
}

fn body(whitening: &Whitening) -> ClippedBall {
    ClippedBall::new(whitening.dimension(), Radii::Any, None).unwrap()
}

/// The sum of one record, which may have several curves.
fn record(curves: &Array2<f64>, whitening: &Whitening) -> Vec<i64> {
    let subjects = vec![0; curves.nrows()];
    let curves = CurveSet::new(grid(), curves.clone()).unwrap().with_subjects(&subjects).unwrap();
    let ball = ball();
    let bounded = ball.bound(&curves).unwrap();
    let mut records = CurveRecord::all(&bounded);
    let mut room = CurveRoom::new(POINTS, whitening.dimension());
    let mut vector = body(whitening).vector();
    room.encode_rows(&bounded, &records.next().unwrap().rows, &whitening.coordinates(), &mut vector);
    assert!(records.next().is_none());
    let mut sum = ExactSum::new(body(whitening));
    sum.add(&vector).unwrap();
    sum.totals().reveal().iter().map(|k| i64::try_from(*k).unwrap()).collect()
}

fn squared_distance(a: &[i64], b: &[i64]) -> i128 {
    a.iter().zip(b).map(|(a, b)| i128::from(a - b).pow(2)).sum()
}

/// The squared distance that substituting one record may not exceed: `(2 R + 513)^2`, in integers.
fn allowed() -> i128 {
    let diameter = (2_i128 << 22) + 513;
    let bound = body(&whitenings()[0]).l2_bound(NeighbouringRelation::SubstituteOne);
    assert!(bound >= diameter as f64 && bound < diameter as f64 + 1e-6);
    diameter * diameter
}

/// A curve that is random, or built to be difficult.
fn curve(generator: &mut ChaCha20Rng) -> Array1<f64> {
    let scale = 10_f64.powf(generator.random_range(-3.0..3.0));
    match generator.random_range(0..8) {
        0 => Array1::from_elem(POINTS, generator.random_range(-scale..scale)),
        1 => Array1::from_elem(POINTS, f64::NAN),
        2 => Array1::from_shape_simple_fn(POINTS, || {
            let huge = [f64::MAX, f64::MIN, 1e300, -1e300, 5e-324, 0.0, f64::NAN];
            huge[generator.random_range(0..huge.len())]
        }),
        3 => {
            let mut spike = Array1::from_elem(POINTS, 0.5);
            spike[generator.random_range(0..POINTS)] = scale;
            spike
        }
        _ => Array1::from_shape_simple_fn(POINTS, || 0.5 + generator.random_range(-scale..scale)),
    }
}

#[test]
fn a_hundred_thousand_random_and_adversarial_substitutions_stay_within_the_sensitivity_in_integers() {
    let mut generator = ChaCha20Rng::seed_from_u64(1);
    let (whitenings, allowed) = (whitenings(), allowed());
    let zero = |whitening: &Whitening| vec![0; whitening.dimension()];
    for pair in 0..100_000 {
        let whitening = &whitenings[pair % whitenings.len()];
        let mut draw = || {
            let rows = generator.random_range(1..4);
            let mut curves = Array2::zeros((rows, POINTS));
            curves.rows_mut().into_iter().for_each(|mut row| row.assign(&curve(&mut generator)));
            record(&curves, whitening)
        };
        let (a, b) = (draw(), draw());
        assert!(squared_distance(&a, &b) <= allowed);
        assert!(4 * squared_distance(&a, &zero(whitening)) <= allowed, "one record alone: at most R");
    }
}

#[test]
fn the_sensitivity_is_attained_by_a_pair_of_records() {
    for whitening in whitenings() {
        let direction: Array1<f64> = match &whitening {
            // no norm charges a constant, and it is the first coordinate
            Whitening::Isonormal { .. } | Whitening::Sobolev(_) | Whitening::Coordinates(_) => {
                Array1::from_elem(POINTS, 1.0)
            }
            // the eigenfunction whose coordinate is stretched most
            Whitening::CameronMartin(inner) => {
                let lambda = inner.spectrum.eigenvalues();
                let stretch = |j: &usize| inner.smoother.shrinkage(lambda[*j]) / lambda[*j].sqrt();
                let best = (0..lambda.len()).max_by(|i, j| stretch(i).total_cmp(&stretch(j))).unwrap();
                inner.spectrum.eigenfunctions().column(best).to_owned()
            }
        };
        let at = |sign: f64| {
            let curve = direction.mapv(|v| 0.5 + sign * 0.25 * v);
            record(&Array2::from_shape_vec((1, POINTS), curve.to_vec()).unwrap(), &whitening)
        };
        let distance = squared_distance(&at(1.0), &at(-1.0)) as f64 / allowed() as f64;
        assert!(distance.sqrt() >= 0.999, "{}", distance.sqrt());
    }
}

#[test]
fn a_curve_of_missing_values_contributes_the_centre() {
    for whitening in whitenings() {
        let curves = Array2::from_elem((1, POINTS), f64::NAN);
        assert!(record(&curves, &whitening).iter().all(|k| *k == 0));
    }
}

#[test]
fn a_record_of_missing_values_counts_like_any_other() {
    let mut values = Array2::from_elem((4, POINTS), f64::NAN);
    values.row_mut(1).fill(0.6);
    let curves = CurveSet::new(grid(), values).unwrap();
    let by_subject = curves.clone().with_subjects(&["a", "b", "c", "c"]).unwrap();
    let budget = PrivacyBudget::new(1.0, 1e-5).unwrap();
    for mechanism in mechanisms() {
        let records = |curves| {
            let mean = Mean::new(ball(), grid(), &mechanism).unwrap();
            let guarantee = Guarantee::new(budget, NeighbouringRelation::SubstituteOne, PrivacyUnit::Curve);
            let mechanism = Mechanism::new(mean, Terms::of(guarantee, Law::GAUSSIAN)).unwrap();
            let prepared = mechanism.prepare_all(CurveRecord::all(&ball().bound(curves).unwrap())).unwrap();
            prepared.draw_unrecorded(&mut SeededRandomness::from_seed(0)).public_records()
        };
        assert_eq!((records(&curves), records(&by_subject)), (Some(4), Some(3)));
    }
}

#[test]
fn a_subject_with_many_curves_weighs_as_much_as_one_with_one() {
    let curve = Array1::from_shape_fn(POINTS, |i| 0.5 + 0.02 * i as f64);
    for whitening in whitenings() {
        let of = |copies: usize| record(&Array2::from_shape_fn((copies, POINTS), |(_, i)| curve[i]), &whitening);
        assert!(of(1) == of(2) && of(1) == of(7));
    }
}

#[test]
fn the_integer_mean_of_a_subjects_curves_does_not_depend_on_their_order() {
    let mut generator = ChaCha20Rng::seed_from_u64(9);
    for whitening in whitenings() {
        let curves = Array2::from_shape_simple_fn((5, POINTS), || generator.random_range(0.0..1.0));
        let backwards: Vec<ArrayView1<'_, f64>> = curves.rows().into_iter().rev().collect();
        let backwards = ndarray::stack(ndarray::Axis(0), &backwards).unwrap();
        assert_eq!(record(&curves, &whitening), record(&backwards, &whitening));
    }
}
