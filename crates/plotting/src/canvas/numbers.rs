//! Numbers as a reader wants them: shortest form, true minus signs, powers of ten.

use dpfda_mechanism::digits_beside;

#[cfg(test)]
#[path = "numbers_tests.rs"]
mod tests;

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

/// A probability as a percentage: `95%`.
pub(crate) fn percent(probability: f64) -> String {
    format!("{}%", rounded(100.0 * probability))
}

/// A derived number to as many digits as two digits of `scale` need.
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
