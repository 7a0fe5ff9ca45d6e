#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::collection::vec;
use proptest::prelude::*;
use statrs::distribution::{ContinuousCDF, Normal};

use super::{
    COUNT_WEIGHT, LatticeError, LatticeVector, MAX_DIMENSION, MAX_RECORDS, RADIUS, RecordMean, rounding_of_record,
    steps_to_unit, with_rounding,
};
use crate::budget::neighbours::NeighbouringRelation;
use crate::budget::unit::PrivacyUnit;

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
    fn rounding_moves_no_record_by_more_than_its_bound(
        rows in vec(vec(-1.0..1.0_f64, 40), 1..9),
        is_on_the_sphere in any::<bool>(),
    ) {
        let scaled = |row: &Vec<f64>| -> Vec<f64> {
            let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
            // curves that hardly differ, on the sphere, have a mean that may have to be shortened
            row.iter().zip(&rows[0]).map(|(x, y)| if is_on_the_sphere { y + 1e-7 * x } else { x / norm }).collect()
        };
        let onto = |row: Vec<f64>| -> Vec<f64> {
            let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
            row.iter().map(|x| x / norm).collect()
        };
        let rows: Vec<Vec<f64>> = rows.iter().map(|row| onto(scaled(row))).collect();
        let distance = |found: &LatticeVector, z: &dyn Fn(usize) -> f64| {
            let each = found.coordinates().iter().enumerate();
            each.map(|(j, k)| (*k as f64 - z(j) * steps_to_unit(40)).powi(2)).sum::<f64>().sqrt()
        };
        let mut of_record = RecordMean::new(40).unwrap();
        for row in &rows {
            let vector = encoded(row);
            let moved = distance(&vector, &|j| row[j]);
            prop_assert!(moved <= rounding_of_record(40, PrivacyUnit::Curve) + 1e-6, "{moved}");
            of_record.add(&vector).unwrap();
        }
        let mut mean = LatticeVector::zero(40).unwrap();
        of_record.mean_into(&mut mean).unwrap();
        let moved = distance(&mean, &|j| rows.iter().map(|row| row[j]).sum::<f64>() / rows.len() as f64);
        prop_assert!(moved <= rounding_of_record(40, PrivacyUnit::Subject) + 1e-6, "{moved}");
    }

    #[test]
    fn the_mean_of_vectors_is_within_the_radius_and_a_step_or_two(rows in vec(vec(-1.0..1.0_f64, 3), 1..9)) {
        let vectors: Vec<_> = rows.iter().map(|row| encoded(row)).collect();
        let mut of_record = RecordMean::new(3).unwrap();
        for vector in &vectors {
            of_record.add(vector).unwrap();
        }
        let mut mean = LatticeVector::zero(3).unwrap();
        of_record.mean_into(&mut mean).unwrap();
        prop_assert!(exact_squared_norm(mean.coordinates()) <= i128::from(RADIUS).pow(2));
        for (j, k) in mean.coordinates().iter().enumerate() {
            let exact = vectors.iter().map(|v| v.coordinates()[j] as f64).sum::<f64>() / vectors.len() as f64;
            prop_assert!((*k as f64 - exact).abs() <= 1.5);
        }
    }
}

#[test]
fn a_curve_between_lattice_points_is_moved_by_nearly_the_bound() {
    let z = vec![1000.499 / steps_to_unit(93); 93];
    let moved = 0.499 * 93.0_f64.sqrt();
    let bound = rounding_of_record(93, PrivacyUnit::Curve);
    assert!(encoded(&z).coordinates().iter().all(|k| *k == 1000));
    assert!(moved <= bound && moved > 0.99 * bound, "{moved} {bound}");
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
fn the_mean_of_a_record_has_no_order_forgets_when_it_is_told_to_and_is_zero_for_no_vectors() {
    let vectors = [encoded(&[0.3, -0.7]), encoded(&[-0.9, 0.1]), encoded(&[0.5, 0.5])];
    let mut of_record = RecordMean::new(2).unwrap();
    let mut mean_of = |order: &[usize]| {
        of_record.clear();
        for &i in order {
            of_record.add(&vectors[i]).unwrap();
        }
        let mut mean = LatticeVector::zero(2).unwrap();
        of_record.mean_into(&mut mean).unwrap();
        mean
    };
    assert!(mean_of(&[0, 1, 2]) == mean_of(&[2, 0, 1]));
    assert!(mean_of(&[1]) == vectors[1]);
    assert!(mean_of(&[1, 1, 1]) == vectors[1]);
    assert!(mean_of(&[]) == LatticeVector::zero(2).unwrap());
}

#[test]
fn wrong_dimensions_are_refused() {
    assert_eq!(LatticeVector::zero(0), Err(LatticeError::Dimension { found: 0 }));
    assert!(RecordMean::new(MAX_DIMENSION + 1).is_err());
    let mismatch = Err(LatticeError::Mismatch { expected: 2, found: 3 });
    assert_eq!(LatticeVector::zero(2).unwrap().encode(&[0.0; 3]), mismatch);
    assert_eq!(RecordMean::new(2).unwrap().add(&encoded(&[0.0; 3])), mismatch);
    assert_eq!(RecordMean::new(2).unwrap().mean_into(&mut LatticeVector::zero(3).unwrap()), mismatch);
}

#[test]
fn printing_a_record_or_a_vector_shows_nothing_of_it() {
    let mut of_record = RecordMean::new(1).unwrap();
    of_record.add(&encoded(&[0.123])).unwrap();
    let printed = format!("{of_record:?} {:?}", encoded(&[0.123]));
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

#[test]
fn an_interval_of_the_widened_sd_holds_at_least_as_often_whatever_rounding_does() {
    let law = Normal::standard();
    let sd = 1e9;
    let holds = |critical: f64, records: f64| {
        let half = critical * with_rounding(sd, records, 93, PrivacyUnit::Subject);
        let moved = records * rounding_of_record(93, PrivacyUnit::Subject);
        law.cdf((half - moved) / sd) - law.cdf((-half - moved) / sd)
    };
    // from a bias of nothing to one of thousands of standard deviations, up to the most records
    let records = || (0..=400).map(|place| (MAX_RECORDS as f64).powf(f64::from(place) / 400.0));
    for critical in [3.0_f64.sqrt(), 1.96, 2.5, 3.3, 4.5] {
        let without = holds(critical, 0.0);
        assert!(records().all(|records| holds(critical, records) >= without - 1e-12), "{critical}");
    }
    assert!(records().any(|records| holds(1.5, records) < holds(1.5, 0.0) - 5e-4), "below sqrt(3) some rounding shows");
}
