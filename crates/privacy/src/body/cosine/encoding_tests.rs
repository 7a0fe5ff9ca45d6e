#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;

use super::{LATTICE_BITS, PLACES, ROUNDING, amplitudes, cosine_of, encode, place, quarter_wave};
use crate::body::cosine::CosineBasis;

fn encoded(basis: &CosineBasis, point: &[f64]) -> Vec<i64> {
    let mut coordinates = Vec::new();
    encode(basis, point, &mut coordinates);
    coordinates
}

#[test]
fn every_cosine_of_the_table_is_within_its_bound_of_the_true_one() {
    for angle in 0..=4 * PLACES {
        let exact = 2.0_f64.powi(30) * (std::f64::consts::PI * angle as f64 / PLACES as f64).cos();
        assert!((cosine_of(quarter_wave(), angle) as f64 - exact).abs() <= 0.51, "{angle}");
    }
    assert_eq!(
        [0, PLACES / 2, PLACES, 2 * PLACES].map(|angle| cosine_of(quarter_wave(), angle)),
        [1 << 30, 0, -(1 << 30), 1 << 30]
    );
}

#[test]
fn amplitudes_are_the_nearest_integers() {
    // (2 a)^2 is between (2 a - 1)^2 and (2 a + 1)^2
    for (power, amplitude) in amplitudes().into_iter().enumerate() {
        let target = 4_i128 << (60 + power);
        let twice = 2 * i128::from(amplitude);
        assert!((twice - 1).pow(2) <= target && target <= (twice + 1).pow(2), "{power}");
    }
}

proptest! {
    #[test]
    fn a_record_is_encoded_within_the_stated_distance_of_the_basis_at_a_place(
        dimension in 1..=3_usize,
        terms in 1..200_usize,
        point in [0.0..=1.0_f64, 0.0..=1.0, 0.0..=1.0],
    ) {
        let basis = CosineBasis::new(dimension, terms).unwrap();
        let places: Vec<f64> = point.iter().map(|x| place(*x) as f64 / PLACES as f64).collect();
        let mut values = Vec::new();
        basis.values_into(&places[..dimension], &mut values);
        let steps = f64::from(1_u32 << LATTICE_BITS);
        for (found, value) in encoded(&basis, &point[..dimension]).iter().zip(&values) {
            prop_assert!((*found as f64 - steps * value).abs() <= ROUNDING);
        }
    }

    #[test]
    fn whatever_is_encoded_is_the_encoding_of_a_place(point in [any::<f64>(), any::<f64>()]) {
        let basis = CosineBasis::new(2, 9).unwrap();
        let places: Vec<f64> = point.iter().map(|x| place(*x) as f64 / PLACES as f64).collect();
        prop_assert!(places.iter().all(|x| (0.0..=1.0).contains(x)));
        prop_assert_eq!(encoded(&basis, &point), encoded(&basis, &places));
    }
}

#[test]
fn what_is_no_number_is_at_the_centre_and_what_is_outside_at_the_edge() {
    let basis = CosineBasis::new(2, 9).unwrap();
    assert_eq!(encoded(&basis, &[f64::NAN, f64::NAN]), encoded(&basis, &[0.5, 0.5]));
    assert_eq!(encoded(&basis, &[]), encoded(&basis, &[0.5, 0.5]));
    assert_eq!(encoded(&basis, &[f64::INFINITY, -7.0]), encoded(&basis, &[1.0, 0.0]));
}
