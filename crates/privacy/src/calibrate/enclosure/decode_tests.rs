use super::decode;

#[test]
fn doubles_are_decoded_exactly() {
    for value in [0.0, f64::from_bits(1), f64::MIN_POSITIVE, 0.1, 1.0, 100.0, f64::MAX] {
        let (mantissa, exponent) = decode(value);
        let exponent = i32::try_from(exponent).unwrap_or(0);
        // in two steps: 2^-1074 is no power that can be computed by division
        assert_eq!(mantissa as f64 * 2.0_f64.powi(exponent / 2) * 2.0_f64.powi(exponent - exponent / 2), value);
    }
}
