//! Coordinates become integers that are held in doubles.
#![allow(clippy::inline_always, reason = "compiled once for each width of registers, inside a dispatch")]
#![allow(clippy::needless_range_loop, reason = "iterators' adapters are compiled once, for the narrowest registers")]

use pulp::{Simd, WithSimd};

use super::kernel::{SHIFT, WIDEST, arch};
use crate::body::lattice::{RADIUS, SQUARED_RADIUS};

/// So many squares of at most `2^44` sum to at most `2^53`: exactly, in doubles.
const EXACT_TERMS: usize = 512;

/// The integer nearest to `scaled`, at most `limit` in size. What is not a number becomes the limit: any point will do.
#[inline(always)]
pub(super) fn rounded(scaled: f64, limit: f64) -> f64 {
    // written as the processor's own minimum and maximum, which choose the second argument on NaN
    let below = if scaled < limit { scaled } else { limit };
    let clamped = if below > -limit { below } else { -limit };
    (clamped + SHIFT) - SHIFT
}

/// `sum_i z_i^2` in doubles, with eight partial sums in a fixed order: every machine gives the same bits.
#[inline(always)]
fn squared_norm<S: Simd>(simd: S, z: &[f64]) -> f64 {
    let (eights, rest) = z.as_chunks::<WIDEST>();
    let (registers, _) = S::as_simd_f64s(eights.as_flattened());
    let mut sums = [simd.splat_f64s(0.0); WIDEST];
    let each = WIDEST / S::F64_LANES;
    for eight in 0..registers.len() / each {
        for i in 0..each {
            let z = registers[eight * each + i];
            sums[i] = simd.add_f64s(sums[i], simd.mul_f64s(z, z));
        }
    }
    let mut lanes = [0.0; WIDEST];
    for (lanes, sum) in lanes.chunks_exact_mut(S::F64_LANES).zip(sums) {
        simd.partial_store_f64s(lanes, sum);
    }
    let mut squared = lanes.iter().sum::<f64>();
    squared += rest.iter().map(|z| z * z).sum::<f64>();
    squared
}

/// The same in registers of this machine.
pub(super) fn squared_norm_of(z: &[f64]) -> f64 {
    let mut squared = [0.0];
    squared_norms(z, z.len(), &mut squared);
    let [squared] = squared;
    squared
}

/// The same of vectors of a length that lie one behind the other.
pub(super) fn squared_norms(all: &[f64], length: usize, into: &mut [f64]) {
    arch().dispatch(SquaredNorms { all, length, into });
}

pub(super) struct SquaredNorms<'a> {
    pub(super) all: &'a [f64],
    pub(super) length: usize,
    pub(super) into: &'a mut [f64],
}

impl WithSimd for SquaredNorms<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { all, length, into } = self;
        for i in 0..into.len().min(all.len() / length.max(1)) {
            into[i] = squared_norm(simd, &all[i * length..][..length]);
        }
    }
}

/// Writes the integers nearest to `factor z` into `k`, for each `k` with its factor, within the radius; returns their squared norms, at
/// most `2^44`. Each `k` is as long as whole registers, each product a number.
#[inline(always)]
pub(super) fn round_into<S: Simd, const N: usize>(simd: S, z: &[f64], mut k: [(&mut [f64], f64); N]) -> [u64; N] {
    let mut squared = [0; N];
    for (chunk, z) in z.chunks(EXACT_TERMS).enumerate() {
        round_chunk(simd, z, chunk * EXACT_TERMS, &mut k, &mut squared);
    }
    for ((k, _), squared) in k.into_iter().zip(&mut squared) {
        if *squared > SQUARED_RADIUS {
            *squared = shrunk(k, *squared);
        }
    }
    squared
}

/// Writes from a place on and squares in one go: at most 512 integers.
#[inline(always)]
fn round_chunk<S: Simd, const N: usize>(
    simd: S,
    z: &[f64],
    start: usize,
    k: &mut [(&mut [f64], f64); N],
    squared: &mut [u64; N],
) {
    let (registers, rest) = S::as_simd_f64s(z);
    let mut sums = [simd.splat_f64s(0.0); N];
    let start = start / S::F64_LANES;
    for which in 0..N {
        let (k, factor) = &mut k[which];
        let k = &mut S::as_mut_simd_f64s(k).0[start..];
        for place in 0..registers.len() {
            round_register(simd, registers[place], *factor, &mut k[place], &mut sums[which]);
        }
        if !rest.is_empty() {
            round_register(simd, simd.partial_load_f64s(rest), *factor, &mut k[registers.len()], &mut sums[which]);
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an integer in [0, 2^53]")]
        let of_chunk = simd.reduce_sum_f64s(sums[which]) as u64;
        squared[which] += of_chunk;
    }
}

#[inline(always)]
fn round_register<S: Simd>(simd: S, z: S::f64s, factor: f64, k: &mut S::f64s, sum: &mut S::f64s) {
    let shifted = shifted(simd, z, factor, RADIUS as f64);
    *k = simd.sub_f64s(shifted, simd.splat_f64s(SHIFT));
    *sum = simd.mul_add_e_f64s(*k, *k, *sum);
}

/// The integers nearest to `factor z`, at most `limit` in size, and [`SHIFT`].
#[inline(always)]
fn shifted<S: Simd>(simd: S, z: S::f64s, factor: f64, limit: f64) -> S::f64s {
    let limit = simd.splat_f64s(limit);
    let below = simd.min_f64s(simd.mul_f64s(z, simd.splat_f64s(factor)), limit);
    simd.add_f64s(simd.max_f64s(below, simd.neg_f64s(limit)), simd.splat_f64s(SHIFT))
}

/// Adds the integers nearest to `factor z`, at most `limit` in size. Each product must be a number.
pub(super) fn add_rounded(totals: &mut [i64], z: &[f64], factor: f64, limit: f64) {
    arch().dispatch(AddRounded { totals, z, factor, limit });
}

struct AddRounded<'a> {
    totals: &'a mut [i64],
    z: &'a [f64],
    factor: f64,
    limit: f64,
}

impl WithSimd for AddRounded<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { totals, z, factor, limit } = self;
        let (totals, few) = S::as_mut_simd_i64s(totals);
        let (registers, rest) = S::as_simd_f64s(z);
        let zero = simd.splat_u64s(SHIFT.to_bits());
        for i in 0..totals.len().min(registers.len()) {
            let integers = simd.transmute_u64s_f64s(shifted(simd, registers[i], factor, limit));
            let sum = simd.add_u64s(simd.transmute_u64s_i64s(totals[i]), simd.sub_u64s(integers, zero));
            totals[i] = simd.transmute_i64s_u64s(sum);
        }
        for (total, z) in few.iter_mut().zip(rest) {
            #[allow(clippy::cast_possible_truncation, reason = "an integer of at most the limit")]
            let integer = rounded(z * factor, limit) as i64;
            *total += integer;
        }
    }
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

/// `sum_i k_i^2` of integers of at most `2^22`, exactly; at most `2^18` of them.
fn energy(k: &[f64]) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an integer in [0, 2^53]")]
    k.chunks(EXACT_TERMS).map(|chunk| chunk.iter().map(|k| k * k).sum::<f64>() as u64).sum()
}
