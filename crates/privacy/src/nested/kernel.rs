//! Sums of products of integers in registers: exact in doubles, so that every width and order gives the same bits.
#![allow(clippy::inline_always, reason = "compiled once for each width of registers, inside a dispatch")]

use std::sync::OnceLock;

use pulp::{Arch, Simd, WithSimd};

/// Rows that are multiplied together.
pub(super) const ROWS: usize = 64;

/// Doubles that the widest register holds.
const WIDEST: usize = 8;

/// Rows of the result that one tile holds in registers, beside up to three registers of columns.
const HEIGHT: usize = 4;

/// The length of a row of so many numbers: whole registers of any width. The rest are zeros.
pub(super) fn stride(length: usize) -> usize {
    length.next_multiple_of(WIDEST)
}

/// `into += sum_r x_r x_r'` for rows of `stride` integers, at and above the diagonal; `into` is `stride x stride`.
///
/// Exact while all sums stay within `2^53`: then a product and a sum are too, fused or not.
pub(super) fn add_products(rows: &[f64], stride: usize, into: &mut [f64]) {
    arch().dispatch(AddProducts { rows, stride, into });
}

/// `into = sum_i x_ri b_i` for [`ROWS`] rows of `length` integers and a matrix of `length x stride`: `into` is `ROWS x stride`.
pub(super) fn multiply(rows: &[f64], length: usize, matrix: &[f64], stride: usize, into: &mut [f64]) {
    into.fill(0.0);
    arch().dispatch(Multiply { rows, length, matrix, stride, into });
}

/// The same with the narrowest registers.
#[cfg(test)]
pub(super) fn add_products_plainly(rows: &[f64], stride: usize, into: &mut [f64]) {
    Arch::Scalar.dispatch(AddProducts { rows, stride, into });
}

/// The widest registers of this machine, found once: every record asks.
pub(super) fn arch() -> Arch {
    static FOUND: OnceLock<Arch> = OnceLock::new();
    *FOUND.get_or_init(Arch::new)
}

struct AddProducts<'a> {
    rows: &'a [f64],
    stride: usize,
    into: &'a mut [f64],
}

impl WithSimd for AddProducts<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { rows, stride, into } = self;
        let heights = |top: usize| {
            rows.chunks_exact(stride).map(move |row| row[top..].first_chunk().copied().unwrap_or_default())
        };
        for top in (0..stride).step_by(HEIGHT) {
            add_tiles(simd, heights(top), rows, stride, (top, top / S::F64_LANES), into);
        }
    }
}

struct Multiply<'a> {
    rows: &'a [f64],
    length: usize,
    matrix: &'a [f64],
    stride: usize,
    into: &'a mut [f64],
}

impl WithSimd for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { rows, length, matrix, stride, into } = self;
        for (place, four) in rows.chunks_exact(HEIGHT * length).enumerate() {
            let (one, rest) = four.split_at(length);
            let (two, rest) = rest.split_at(length);
            let (three, four) = rest.split_at(length);
            let heights = one.iter().zip(two).zip(three).zip(four).map(|(((a, b), c), d)| [*a, *b, *c, *d]);
            add_tiles(simd, heights, matrix, stride, (HEIGHT * place, 0), into);
        }
    }
}

/// Four rows of the result from register `left` on: `into[top + q] += sum_r heights_r[q] rows_r`.
#[inline(always)]
fn add_tiles<S: Simd>(
    simd: S,
    heights: impl Iterator<Item = [f64; HEIGHT]> + Clone,
    rows: &[f64],
    stride: usize,
    (top, left): (usize, usize),
    into: &mut [f64],
) {
    let registers = stride / S::F64_LANES;
    let (rows, _) = S::as_simd_f64s(rows);
    let (into, _) = S::as_mut_simd_f64s(&mut into[top * stride..(top + HEIGHT) * stride]);
    let mut left = left;
    while left < registers {
        left += match registers - left {
            1 => add_tile::<S, 1>(simd, heights.clone(), rows, registers, left, into),
            2 => add_tile::<S, 2>(simd, heights.clone(), rows, registers, left, into),
            _ => add_tile::<S, 3>(simd, heights.clone(), rows, registers, left, into),
        };
    }
}

#[inline(always)]
fn add_tile<S: Simd, const WIDTH: usize>(
    simd: S,
    heights: impl Iterator<Item = [f64; HEIGHT]>,
    rows: &[S::f64s],
    registers: usize,
    left: usize,
    into: &mut [S::f64s],
) -> usize {
    let mut sums = [[simd.splat_f64s(0.0); WIDTH]; HEIGHT];
    for (heights, row) in heights.zip(rows.chunks_exact(registers)) {
        let Some(row) = row[left..].first_chunk::<WIDTH>() else { continue };
        for (sums, height) in sums.iter_mut().zip(heights) {
            let height = simd.splat_f64s(height);
            for (sum, x) in sums.iter_mut().zip(row) {
                *sum = simd.mul_add_e_f64s(height, *x, *sum);
            }
        }
    }
    for (row, sums) in into.chunks_exact_mut(registers).zip(sums) {
        for (total, sum) in row[left..].iter_mut().zip(sums) {
            *total = simd.add_f64s(*total, sum);
        }
    }
    WIDTH
}
