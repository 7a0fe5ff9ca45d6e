//! Numbers as a reader wants them: shortest form, true minus signs, powers of ten.

use dpfda_mechanism::digits_beside;

/// A parameter exactly as it was given: `0.25`, `10⁻⁵`, `2.5×10⁻⁷`.
pub(crate) fn exact(value: f64) -> String {
    let magnitude = value.abs();
    if !value.is_finite() || value == 0.0 || (1e-3..1e6).contains(&magnitude) {
        return signed(&format!("{value}"));
    }
    let scientific = format!("{value:e}");
    match scientific.split_once('e') {
        Some(("1", exponent)) => format!("10{}", raised(exponent)),
        Some((mantissa, exponent)) => format!("{}×10{}", signed(mantissa), raised(exponent)),
        None => signed(&scientific),
    }
}

/// A derived number, to four significant digits.
pub(crate) fn rounded(value: f64) -> String {
    significant(value, 4)
}

/// The same to as many digits as two digits of `scale` need.
pub(crate) fn rounded_beside(value: f64, scale: f64) -> String {
    significant(value, digits_beside(value, scale))
}

/// Ascending numbers, all with the fewest digits, at least three, that tell each number from the next.
pub(crate) fn distinct(values: &[f64]) -> Vec<String> {
    let written = |digits: usize| -> Vec<String> { values.iter().map(|v| significant(*v, digits)).collect() };
    let told_apart =
        |texts: &[String]| (1..values.len()).all(|i| values[i - 1] == values[i] || texts[i - 1] != texts[i]);
    // Seventeen digits tell any two doubles apart.
    (3..17).map(written).find(|texts| told_apart(texts)).unwrap_or_else(|| written(17))
}

fn significant(value: f64, digits: usize) -> String {
    exact(format!("{value:.*e}", digits.saturating_sub(1)).parse().unwrap_or(value))
}

/// A fixed number of decimals, and no `-0.0`.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    signed(if zero { text.trim_start_matches('-') } else { &text })
}

/// Digits and sign of an exponent, above the line.
pub(crate) fn raised(exponent: &str) -> String {
    let above = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' => '⁰',
        '4'..='9' => char::from_u32(u32::from(c) - u32::from('4') + u32::from('⁴')).unwrap_or(c),
        other => other,
    };
    exponent.chars().map(above).collect()
}

fn signed(text: &str) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_written_as_given_in_their_shortest_form() {
        let written = [1.0, 0.25, 1e-5, 2.5e-7, 0.001, 142.0, 1e6, -0.5, 0.0].map(exact);
        assert_eq!(written, ["1", "0.25", "10⁻⁵", "2.5×10⁻⁷", "0.001", "142", "10⁶", "−0.5", "0"]);
    }

    #[test]
    fn derived_numbers_have_four_significant_digits() {
        assert_eq!([0.268_423_1, 141.328, 1.234_567e-9, 2.0].map(rounded), ["0.2684", "141.3", "1.235×10⁻⁹", "2"]);
    }

    #[test]
    fn zero_has_no_sign_and_negative_numbers_a_true_minus() {
        assert_eq!([fixed(-0.001, 2), fixed(-1.5, 1), fixed(0.0, 0)], ["0.00", "−1.5", "0"]);
    }

    #[test]
    fn every_digit_of_an_exponent_is_raised() {
        assert_eq!(raised("-1234567890"), "⁻¹²³⁴⁵⁶⁷⁸⁹⁰");
    }

    #[test]
    fn neighbours_get_the_digits_that_tell_them_apart() {
        assert_eq!(distinct(&[0.01, 0.021_544_3, 0.5]), ["0.01", "0.0215", "0.5"]);
        assert_eq!(distinct(&[1.000_1, 1.000_2, 1.3]), ["1.0001", "1.0002", "1.3"]);
        assert_eq!(distinct(&[1.0, 1.0 + f64::EPSILON]), ["1", "1.0000000000000002"]);
        assert_eq!(distinct(&[0.123_456, 0.123_456]), ["0.123", "0.123"]);
    }
}
