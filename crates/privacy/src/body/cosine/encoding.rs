//! A record as integers: its place is rounded to a public grid, and the basis is evaluated there in integers alone.

use std::sync::OnceLock;

use super::basis::{CosineBasis, Frequencies, oscillating};

#[cfg(test)]
#[path = "encoding_tests.rs"]
mod tests;

/// A coefficient is counted in steps of `2^-20`.
pub(super) const LATTICE_BITS: u32 = 20;

/// An axis has `2^18` steps, to which records are rounded.
pub(super) const PLACE_BITS: u32 = 18;

/// No coordinate is farther than this from `2^20 psi_k` at the record's place; see [`encode`].
pub(super) const ROUNDING: f64 = 0.51;

/// The steps of one axis.
const PLACES: u64 = 1 << PLACE_BITS;

/// Cosines and amplitudes are held in steps of `2^-30`.
const FINE_BITS: u32 = 30;

/// Writes the integers nearest to `2^20 psi_k(x)`, for `x` the point of the public grid nearest to `unit_point`.
///
/// ```text
/// |e_k - 2^20 psi_k(x)| <= 0.51 for a point x of [0, 1]^r, the same for all k
/// ```
///
/// whatever `unit_point` holds: the only use of floating point is to choose one of the `2^18 + 1` places on each axis (NaN
/// and what is missing choose the centre). After that there are integers only. Each cosine is within 0.51 of `2^30 cos`; so
/// a product of three, rounded to `2^-30` twice, is within 2.6 of its own; times an amplitude of at most `2 sqrt(2)`, itself
/// within 1/2, within 8 of `2^-30`, which is 0.008 of `2^-20`; and the last rounding adds a half.
pub(super) fn encode(basis: &CosineBasis, unit_point: &[f64], coordinates: &mut Vec<i64>) {
    let places: [u64; 3] = std::array::from_fn(|axis| place(unit_point.get(axis).copied().unwrap_or(f64::NAN)));
    coordinates.clear();
    let cosines = quarter_wave();
    coordinates.extend(basis.all_frequencies().map(|k| coordinate(cosines, k, &places)));
}

/// The nearest of the places `0, ..., 2^18`.
fn place(unit: f64) -> u64 {
    if unit.is_nan() {
        return PLACES / 2;
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an integer in [0, 2^18]")]
    let nearest = (unit.clamp(0.0, 1.0) * PLACES as f64).round() as u64;
    nearest
}

fn coordinate(cosines: &[i64], k: Frequencies, places: &[u64; 3]) -> i64 {
    let mut product = 1 << FINE_BITS;
    for (k, place) in k.into_iter().zip(places).filter(|(k, _)| *k > 0) {
        // each factor is at most 2^30, so each product is at most 2^60
        product = rounded(product * cosine_of(cosines, u64::from(k) * place), FINE_BITS);
    }
    // an amplitude is below 2^32
    rounded(product * amplitudes()[oscillating(k)], 2 * FINE_BITS - LATTICE_BITS)
}

/// `2^(z/2)` for `z = 0, 1, 2, 3`, in steps of `2^-30`, to nearest.
const fn amplitudes() -> [i64; 4] {
    [1 << 30, 1_518_500_250, 1 << 31, 3_037_000_500]
}

/// `value / 2^bits` to the nearest integer, halves upwards.
fn rounded(value: i64, bits: u32) -> i64 {
    (value + (1 << (bits - 1))) >> bits
}

/// `cos(pi j / 2^18)` in steps of `2^-30`, for `j = 0, ..., 2^17`.
fn quarter_wave() -> &'static [i64] {
    static QUARTER: OnceLock<Vec<i64>> = OnceLock::new();
    QUARTER.get_or_init(|| (0..=PLACES / 2).map(cosine_by_series).collect())
}

/// `cos(pi angle / 2^18)` in steps of `2^-30`, for any angle.
fn cosine_of(quarter: &[i64], angle: u64) -> i64 {
    let turned = angle % (2 * PLACES);
    let folded = turned.min(2 * PLACES - turned);
    #[allow(clippy::cast_possible_truncation, reason = "at most 2^17")]
    let index = folded.min(PLACES - folded) as usize;
    if folded <= PLACES / 2 { quarter[index] } else { -quarter[index] }
}

/// `cos(pi angle / 2^18)` in steps of `2^-30`, for an angle of at most a right one: within 0.51 of it.
///
/// By the power series, in steps of `2^-60`. Fourteen terms leave less than `(pi/2)^30 / 30! < 2^-88`; `pi` and each term are
/// truncated to a step, and the factor that multiplies an earlier error is below 2 and soon small: below 100 steps in all.
fn cosine_by_series(angle: u64) -> i64 {
    const SERIES_BITS: u32 = 60;
    // the first 60 binary digits of pi after the point
    const PI: i128 = 0x3243_f6a8_885a_308d;
    let x = (PI * i128::from(angle)) >> PLACE_BITS;
    let square = (x * x) >> SERIES_BITS;
    let mut term = 1_i128 << SERIES_BITS;
    let mut sum = term;
    for j in 1..=14_i128 {
        // at most 2^60 * 1.3 * 2^61.4 < 2^122
        term = -((term * square) >> SERIES_BITS) / ((2 * j - 1) * (2 * j));
        sum += term;
    }
    #[allow(clippy::cast_possible_truncation, reason = "at most 2^60")]
    let sum = sum as i64;
    rounded(sum, SERIES_BITS - FINE_BITS)
}
