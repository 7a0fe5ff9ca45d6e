//! Finds the largest amounts that are still within a total.

/// The smallest double in `[0, 1e6]` for which a monotone condition holds; infinite if there is none.
pub(super) fn smallest_double(holds: impl Fn(f64) -> bool) -> f64 {
    if holds(0.0) {
        return 0.0;
    }
    let mut enough = 1e-12;
    while !holds(enough) {
        enough *= 4.0;
        if enough > 1e6 {
            return f64::INFINITY;
        }
    }
    let mut short = 0.0;
    loop {
        let middle = f64::midpoint(short, enough);
        if middle <= short || middle >= enough {
            return enough;
        }
        if holds(middle) {
            enough = middle;
        } else {
            short = middle;
        }
    }
}

/// The largest number of four significant digits, from 1e-8 of `most` to `most`, for which a condition holds, if
/// the condition also holds for all smaller numbers; `None` if there is none.
pub(super) fn largest_decimal(most: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    let read = |digits: u32, exponent: i32| format!("{digits}e{exponent}").parse::<f64>().unwrap_or(f64::NAN);
    if !(most.is_finite() && most > 0.0) {
        return None;
    }
    if holds(most) {
        return Some(most);
    }
    #[allow(clippy::cast_possible_truncation, reason = "an exponent of a double")]
    let leading = libm::log10(most).floor() as i32;
    for exponent in (leading - 11..=leading - 3).rev() {
        let (mut fits, mut too_much) = (999, 10_000);
        while too_much - fits > 1 {
            let middle = u32::midpoint(fits, too_much);
            let value = read(middle, exponent);
            if value <= most && holds(value) {
                fits = middle;
            } else {
                too_much = middle;
            }
        }
        if fits > 999 {
            return Some(read(fits, exponent));
        }
    }
    None
}
