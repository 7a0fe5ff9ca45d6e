use super::*;

fn wave(length: usize) -> Vec<f64> {
    (0..length).map(|i| (i as f64 * 0.7).sin() * (i as f64 * 0.11).exp()).collect()
}

#[test]
fn the_registers_of_a_machine_change_no_bit_of_a_difference() {
    for length in [0, 1, 7, 8, 9, 16, 93, 130] {
        for special in [0.25, f64::NAN, f64::INFINITY, -1e300] {
            let mut curve = wave(length);
            if let Some(last) = curve.last_mut() {
                *last = special;
            }
            let (center, scales) = (vec![0.1; length], (0..length).map(|i| 1.0 / (i as f64 + 3.0)).collect::<Vec<_>>());
            for limits in [(f64::NEG_INFINITY, f64::INFINITY), (-0.5, 0.75)] {
                let (mut wide, mut plain) = (vec![0.0; length], vec![0.0; length]);
                let squared = scaled_difference(&curve, &center, &scales, limits, &mut wide);
                let (curve, center, scales) = (&curve[..], &center[..], &scales[..]);
                let narrowest = ScaledDifference { curve, center, scales, limits, out: &mut plain };
                assert_eq!(Arch::Scalar.dispatch(narrowest).to_bits(), squared.to_bits());
                for ((z, other), x) in wide.iter().zip(&plain).zip(curve).take(length) {
                    assert_eq!(z.to_bits(), other.to_bits());
                    assert_eq!(z.is_nan(), x.is_nan());
                }
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
