#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::collection::vec;
use proptest::prelude::*;

use super::{COUNT_WEIGHT, LatticeError, LatticeSum, LatticeVector, MAX_DIMENSION, MAX_RECORDS, RADIUS, steps_to_unit};
use crate::neighbours::NeighbouringRelation;
use crate::randomness::SeededRandomness;
use crate::rounded_normal::RoundedNormal;

fn encoded(z: &[f64]) -> LatticeVector {
    let mut vector = LatticeVector::zero(z.len()).unwrap();
    vector.encode(z).unwrap();
    vector
}

fn exact_squared_norm(coordinates: &[i64]) -> i128 {
    coordinates.iter().map(|&k| i128::from(k) * i128::from(k)).sum()
}

fn any_float() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -1.5..1.5_f64,
        1 => prop::num::f64::ANY,
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 5e-324, 1.0, -1.0]),
    ]
}

proptest! {
    #[test]
    fn whatever_is_encoded_lies_within_the_radius(z in vec(any_float(), 1..200)) {
        let norm = exact_squared_norm(encoded(&z).coordinates());
        prop_assert!(norm <= i128::from(RADIUS) * i128::from(RADIUS));
    }

    #[test]
    fn encoding_a_point_of_the_ball_moves_no_coordinate_by_more_than_half_a_step(z in vec(-1.0..1.0_f64, 1..200)) {
        let norm = z.iter().map(|x| x * x).sum::<f64>().sqrt().max(1.0);
        let inside: Vec<f64> = z.iter().map(|x| x / norm).collect();
        for (k, x) in encoded(&inside).coordinates().iter().zip(&inside) {
            prop_assert!((*k as f64 - x * steps_to_unit(z.len())).abs() <= 0.500_001);
        }
    }

    #[test]
    fn sums_do_not_depend_on_order_or_partition(
        rows in vec(vec(-1.0..1.0_f64, 5), 2..30),
        cut in 1..29_usize,
    ) {
        let cut = cut.min(rows.len() - 1);
        let sum = |rows: &[Vec<f64>]| {
            let mut sum = LatticeSum::new(5).unwrap();
            for row in rows {
                sum.add(&encoded(row)).unwrap();
            }
            sum
        };
        let whole = sum(&rows);
        let backwards: Vec<_> = rows.iter().rev().cloned().collect();
        prop_assert_eq!(&whole, &sum(&backwards));
        let (mut left, mut right) = (sum(&rows[..cut]), sum(&rows[cut..]));
        let right_alone = right.clone();
        right.merge(&left).unwrap();
        left.merge(&right_alone).unwrap();
        prop_assert_eq!(&whole, &left);
        prop_assert_eq!(&whole, &right);
    }

    #[test]
    fn the_mean_of_vectors_is_within_the_radius_and_a_step_or_two(rows in vec(vec(-1.0..1.0_f64, 3), 1..9)) {
        let vectors: Vec<_> = rows.iter().map(|row| encoded(row)).collect();
        let mut sum = LatticeSum::new(3).unwrap();
        for vector in &vectors {
            sum.add(vector).unwrap();
        }
        let mut mean = LatticeVector::zero(3).unwrap();
        sum.mean_into(&mut mean).unwrap();
        prop_assert!(exact_squared_norm(mean.coordinates()) <= i128::from(RADIUS).pow(2));
        for (j, k) in mean.coordinates().iter().enumerate() {
            let exact = vectors.iter().map(|v| v.coordinates()[j] as f64).sum::<f64>() / vectors.len() as f64;
            prop_assert!((*k as f64 - exact).abs() <= 1.5);
        }
    }
}

#[test]
fn opposite_points_attain_the_substitution_sensitivity_and_nothing_exceeds_it() {
    let (up, down) = (encoded(&[0.6, 0.8]), encoded(&[-0.6, -0.8]));
    let difference: Vec<i64> = up.coordinates().iter().zip(down.coordinates()).map(|(a, b)| a - b).collect();
    let distance = (exact_squared_norm(&difference) as f64).sqrt();
    let sensitivity = NeighbouringRelation::SubstituteOne.lattice_sensitivity();
    assert!(distance <= sensitivity && distance >= 0.999_999 * sensitivity);
}

#[test]
fn the_add_remove_sensitivity_covers_the_sum_and_the_count_together() {
    let boundary = encoded(&[1.0, 0.0]);
    let with_count = exact_squared_norm(boundary.coordinates()) + i128::from(COUNT_WEIGHT).pow(2);
    let sensitivity = NeighbouringRelation::AddRemoveOne.lattice_sensitivity();
    assert!((with_count as f64).sqrt() <= sensitivity);
    assert!((with_count as f64).sqrt() >= 0.999_999 * sensitivity);
}

#[test]
fn the_largest_sum_that_is_allowed_does_not_overflow() {
    let mut sum = LatticeSum::new(1).unwrap();
    sum.add(&encoded(&[1.0])).unwrap();
    for _ in 0..40 {
        let half = sum.clone();
        sum.merge(&half).unwrap();
    }
    assert_eq!(sum.records(), MAX_RECORDS);
    assert_eq!(sum.totals[0], (RADIUS - 2) << 40);
    assert_eq!(sum.add(&encoded(&[1.0])), Err(LatticeError::TooManyRecords));
    let noise = RoundedNormal::new(1 << 56).unwrap();
    let noisy = sum.perturb(&noise, NeighbouringRelation::AddRemoveOne, &mut SeededRandomness::from_seed(0));
    assert!(noisy.count.is_some());
}

#[test]
fn the_count_comes_back_within_its_noise() {
    let mut sum = LatticeSum::new(1).unwrap();
    (0..1000).for_each(|_| sum.add(&encoded(&[0.0])).unwrap());
    let noise = RoundedNormal::new(1 << 22).unwrap();
    let noisy = sum.perturb(&noise, NeighbouringRelation::AddRemoveOne, &mut SeededRandomness::from_seed(2));
    let sd = super::NoisySum::records_sd(noise.scale() as f64);
    assert_eq!(sd, 2.0);
    assert!((noisy.records().unwrap() - 1000.0).abs() < 5.0 * sd);
}

#[test]
fn the_count_is_noisy_where_it_is_private_and_absent_where_it_is_public() {
    let noise = RoundedNormal::new(1 << 22).unwrap();
    let count = |neighbours, seed| {
        let mut sum = LatticeSum::new(1).unwrap();
        sum.add(&encoded(&[0.0])).unwrap();
        sum.perturb(&noise, neighbours, &mut SeededRandomness::from_seed(seed)).count
    };
    // one draw in ten million is 0
    assert!((0..20).all(|seed| count(NeighbouringRelation::AddRemoveOne, seed) != Some(COUNT_WEIGHT)));
    assert_eq!(count(NeighbouringRelation::SubstituteOne, 0), None);
}

#[test]
fn wrong_dimensions_are_refused() {
    assert_eq!(LatticeVector::zero(0), Err(LatticeError::Dimension { found: 0 }));
    assert!(LatticeSum::new(MAX_DIMENSION + 1).is_err());
    let mismatch = Err(LatticeError::Mismatch { expected: 2, found: 3 });
    assert_eq!(LatticeVector::zero(2).unwrap().encode(&[0.0; 3]), mismatch);
    assert_eq!(LatticeSum::new(2).unwrap().add(&encoded(&[0.0; 3])), mismatch);
}

#[test]
fn printing_a_sum_or_a_vector_shows_nothing_of_it() {
    let mut sum = LatticeSum::new(1).unwrap();
    sum.add(&encoded(&[0.123])).unwrap();
    let printed = format!("{sum:?} {:?}", encoded(&[0.123]));
    assert!(!printed.contains(char::is_numeric), "{printed}");
}

#[test]
fn the_l1_sensitivity_is_attained_to_the_rounding_and_never_passed() {
    for dimension in [1_usize, 2, 4, 9, 93] {
        let bound = NeighbouringRelation::SubstituteOne.lattice_l1_sensitivity(dimension);
        // the diagonal is where the sum of absolute values is largest
        let mut record = LatticeVector::zero(dimension).unwrap();
        record.encode(&vec![1.0 / (dimension as f64).sqrt(); dimension]).unwrap();
        let length: u64 = record.coordinates().iter().map(|k| k.unsigned_abs()).sum();
        assert!(2 * length <= bound, "{dimension}");
        assert!(2.0 * length as f64 >= bound as f64 * (1.0 - 1e-5), "{dimension}: {length} of {bound}");
        let with_count = NeighbouringRelation::AddRemoveOne.lattice_l1_sensitivity(dimension);
        assert_eq!(with_count, bound / 2 + (1 << 21));
    }
    // huge coordinates are encoded within the bound too
    let mut record = LatticeVector::zero(93).unwrap();
    record.encode(&[1e300; 93]).unwrap();
    let length: u64 = record.coordinates().iter().map(|k| k.unsigned_abs()).sum();
    assert!(2 * length <= NeighbouringRelation::SubstituteOne.lattice_l1_sensitivity(93));
    assert!(NeighbouringRelation::SubstituteOne.lattice_l1_sensitivity(usize::MAX) < 1 << 33);
}
