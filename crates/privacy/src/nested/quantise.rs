//! Coordinates become integers that are held in doubles.
#![allow(clippy::inline_always, reason = "compiled once for each width of registers, inside a dispatch")]

use crate::body::lattice::{RADIUS, SQUARED_RADIUS};

/// So many squares of at most `2^44` sum to at most `2^53`: exactly, in doubles.
const EXACT_TERMS: usize = 512;

/// Independent partial sums, in a fixed order: every machine gives the same bits.
const LANES: usize = 8;

/// Adding `1.5 * 2^52` leaves the rounded integer in the low bits; unlike a call to `round`, this vectorises.
const SHIFT: f64 = 6_755_399_441_055_744.0;

/// The integer nearest to `scaled`, at most `limit` in size. What is not a number becomes the limit: any point will do.
#[inline(always)]
pub(super) fn rounded(scaled: f64, limit: f64) -> f64 {
    // written as the processor's own minimum and maximum, which choose the second argument on NaN
    let below = if scaled < limit { scaled } else { limit };
    let clamped = if below > -limit { below } else { -limit };
    (clamped + SHIFT) - SHIFT
}

/// `sum_i z_i^2` in doubles.
#[inline(always)]
pub(super) fn squared_norm(z: &[f64]) -> f64 {
    let (chunks, rest) = z.as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for chunk in chunks {
        for lane in 0..LANES {
            lanes[lane] += chunk[lane] * chunk[lane];
        }
    }
    lanes.iter().sum::<f64>() + rest.iter().map(|z| z * z).sum::<f64>()
}

/// `sum_i k_i^2` of integers of at most `2^22`, exactly; at most `2^18` of them.
#[inline(always)]
pub(super) fn energy(k: &[f64]) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an integer in [0, 2^53]")]
    k.chunks(EXACT_TERMS).map(|chunk| squared_norm(chunk) as u64).sum()
}

/// Writes the integers nearest to `factor z` into `k`, within the radius; returns their squared norm, at most `2^44`.
#[inline(always)]
pub(super) fn round_into(k: &mut [f64], z: &[f64], factor: f64) -> u64 {
    k.iter_mut().zip(z).for_each(|(k, z)| *k = rounded(z * factor, RADIUS as f64));
    let squared = energy(k);
    if squared > SQUARED_RADIUS { shrunk(k, squared) } else { squared }
}

/// Scales towards zero until the integer norm is within the radius.
#[cold]
fn shrunk(k: &mut [f64], mut squared: u64) -> u64 {
    while squared > SQUARED_RADIUS {
        let factor = (RADIUS as f64 / (squared as f64).sqrt()).min(1.0 - f64::EPSILON);
        for k in k.iter_mut() {
            *k = (*k * factor).trunc();
        }
        squared = energy(k);
    }
    squared
}
