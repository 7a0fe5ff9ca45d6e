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
    let chunks = k.chunks_mut(EXACT_TERMS).zip(z.chunks(EXACT_TERMS));
    let squared = chunks.map(|(k, z)| round_chunk(k, z, factor)).sum();
    if squared > SQUARED_RADIUS { shrunk(k, squared) } else { squared }
}

/// Writes and squares in one go: at most 512 integers.
#[inline(always)]
fn round_chunk(k: &mut [f64], z: &[f64], factor: f64) -> u64 {
    let mut lanes = [0.0; LANES];
    let mut round = |k: &mut f64, z: f64, lane: usize| {
        *k = rounded(z * factor, RADIUS as f64);
        lanes[lane] += *k * *k;
    };
    let (k_chunks, k_rest) = k.as_chunks_mut::<LANES>();
    let (z_chunks, z_rest) = z.as_chunks::<LANES>();
    for (k, z) in k_chunks.iter_mut().zip(z_chunks) {
        for lane in 0..LANES {
            round(&mut k[lane], z[lane], lane);
        }
    }
    for (k, z) in k_rest.iter_mut().zip(z_rest) {
        round(k, *z, 0);
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an integer in [0, 2^53]")]
    let squared = lanes.iter().sum::<f64>() as u64;
    squared
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
