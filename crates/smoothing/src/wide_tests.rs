use pulp::{Scalar, Scalar128b, Scalar256b, Scalar512b};

use super::*;

fn wave(length: usize) -> Vec<f64> {
    (0..length).map(|i| (i as f64 * 0.7).sin() * (i as f64 * 0.11).exp()).collect()
}

/// The squared length of a difference, and the difference.
fn difference_in<S: Simd>(registers: S, of: [&[f64]; 3], limits: (f64, f64)) -> (u64, Vec<u64>) {
    let [curve, center, scales] = of;
    let mut out = vec![0.0; curve.len()];
    let squared = ScaledDifference { curve, center, scales, limits, out: &mut out }.with_simd(registers);
    (squared.to_bits(), out.into_iter().map(f64::to_bits).collect())
}

#[test]
fn registers_of_every_width_give_the_same_bits_of_a_difference() {
    for length in (0..=18).chain([93, 130]) {
        for special in [0.25, f64::NAN, f64::INFINITY, -1e300] {
            let mut curve = wave(length);
            if let Some(last) = curve.last_mut() {
                *last = special;
            }
            let (center, scales) = (vec![0.1; length], (0..length).map(|i| 1.0 / (i as f64 + 3.0)).collect::<Vec<_>>());
            for limits in [(f64::NEG_INFINITY, f64::INFINITY), (-0.5, 0.75)] {
                let mut wide = vec![0.0; length];
                let squared = scaled_difference(&curve, &center, &scales, limits, &mut wide);
                assert!(wide.iter().zip(&curve).all(|(z, x)| z.is_nan() == x.is_nan()));
                let of_this_machine = (squared.to_bits(), wide.into_iter().map(f64::to_bits).collect::<Vec<_>>());
                let of = [&curve[..], &center, &scales];
                assert_eq!(difference_in(Scalar, of, limits), of_this_machine);
                assert_eq!(difference_in(Scalar128b, of, limits), of_this_machine);
                assert_eq!(difference_in(Scalar256b, of, limits), of_this_machine);
                assert_eq!(difference_in(Scalar512b, of, limits), of_this_machine);
            }
        }
    }
}

#[test]
fn an_infinite_value_is_found_at_every_place_and_no_other_is_one() {
    for length in 0..40 {
        let mut values = wave(length);
        values.iter_mut().step_by(3).for_each(|value| *value = f64::NAN);
        assert!(!has_infinite(&values));
        for place in 0..length {
            for infinite in [f64::INFINITY, f64::NEG_INFINITY] {
                let mut values = values.clone();
                values[place] = infinite;
                assert!(has_infinite(&values), "{length} {place}");
            }
        }
    }
}
