//! The integers that a double is made of.

#[cfg(test)]
#[path = "decode_tests.rs"]
mod tests;

/// `(m, e)` with `value = m 2^e`, for a finite `value >= 0`.
pub(crate) fn decode(value: f64) -> (u64, isize) {
    const MANTISSA: u64 = (1 << 52) - 1;
    let (exponent, mantissa) = ((value.to_bits() >> 52) & 0x7FF, value.to_bits() & MANTISSA);
    // at most 2047, whatever the value
    let exponent = isize::try_from(exponent).unwrap_or(0);
    if exponent == 0 { (mantissa, -1074) } else { (mantissa | (MANTISSA + 1), exponent - 1075) }
}
