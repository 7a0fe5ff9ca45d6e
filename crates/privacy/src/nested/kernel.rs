//! Sums of products of integers in registers: exact in doubles, so that every width and order gives the same bits.
#![allow(clippy::inline_always, reason = "compiled once for each width of registers, inside a dispatch")]
#![allow(clippy::needless_range_loop, reason = "iterators' adapters are compiled once, for the narrowest registers")]

use std::ops::Range;
use std::sync::OnceLock;

use pulp::{Arch, Simd, WithSimd};

/// Rows that are multiplied together: `2^6` products of at most `2^44` sum to at most `2^50`.
pub(super) const ROWS: usize = 64;

/// Doubles that the widest register holds.
pub(super) const WIDEST: usize = 8;

/// Rows of the result that one tile holds in registers, beside up to three registers of columns.
const HEIGHT: usize = 4;

/// Adding `1.5 * 2^52` leaves the rounded integer in the low bits; unlike a call to `round`, this needs no more than an addition.
pub(super) const SHIFT: f64 = 6_755_399_441_055_744.0;

/// The length of a row of so many numbers: whole registers of any width. The rest are zeros.
pub(super) fn stride(length: usize) -> usize {
    length.next_multiple_of(WIDEST)
}

/// Where the products of eight rows stand among others, by the first of the rows: those from the eight columns of the same numbers on.
pub(super) fn bands(stride: usize) -> impl Iterator<Item = (usize, Range<usize>)> {
    (0..stride).step_by(WIDEST).scan(0, move |start, top| {
        let band = *start..*start + WIDEST * (stride - top);
        *start = band.end;
        Some((top, band))
    })
}

/// The number of products in all [`bands`].
pub(super) fn banded(stride: usize) -> usize {
    bands(stride).last().map_or(0, |(_, band)| band.end)
}

/// `into += sum_r x_r x_r'` for at most [`ROWS`] rows of `stride` integers of at most `2^22`: [`bands`] of 64 bits.
///
/// The sums are exact in doubles: fused or not, in any order.
pub(super) fn add_products(rows: &[f64], stride: usize, into: &mut [i64]) {
    arch().dispatch(AddProducts { rows, stride, into });
}

/// `into = sum_i x_ri b_i` for [`ROWS`] rows of `length` integers and a matrix of `length x stride`: `into` is `ROWS x stride`. No sum
/// may be larger than `2^51`.
pub(super) fn multiply(rows: &[f64], length: usize, matrix: &[f64], stride: usize, into: &mut [i64]) {
    into.fill(0);
    arch().dispatch(Multiply { rows, length, matrix, stride, into });
}

/// Adds the integers of a row to totals that are held in doubles, in whole registers.
pub(super) fn add_row(totals: &mut [f64], row: &[f64]) {
    arch().dispatch(AddRow { totals, row });
}

/// `totals += x row'` for integers, row by row: exact while all sums stay within `2^53`.
pub(super) fn add_outer(totals: &mut [f64], x: &[f64], row: &[f64]) {
    arch().dispatch(AddOuter { totals, x, row });
}

/// The widest registers of this machine, found once: every record asks.
///
/// What is given to it must be a [`WithSimd`] whose loops are plain or inlined: closures and iterators' adapters are compiled once, for
/// the narrowest.
pub(super) fn arch() -> Arch {
    static FOUND: OnceLock<Arch> = OnceLock::new();
    *FOUND.get_or_init(Arch::new)
}

struct AddRow<'a> {
    totals: &'a mut [f64],
    row: &'a [f64],
}

impl WithSimd for AddRow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (totals, _) = S::as_mut_simd_f64s(self.totals);
        let (row, rest) = S::as_simd_f64s(self.row);
        for i in 0..totals.len().min(row.len()) {
            totals[i] = simd.add_f64s(totals[i], row[i]);
        }
        if let (false, Some(total)) = (rest.is_empty(), totals.get_mut(row.len())) {
            *total = simd.add_f64s(*total, simd.partial_load_f64s(rest));
        }
    }
}

struct AddOuter<'a> {
    totals: &'a mut [f64],
    x: &'a [f64],
    row: &'a [f64],
}

impl WithSimd for AddOuter<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (row, rest) = S::as_simd_f64s(self.row);
        for (totals, x) in self.totals.chunks_exact_mut(self.row.len().max(1)).zip(self.x) {
            let (totals, few) = S::as_mut_simd_f64s(totals);
            let height = simd.splat_f64s(*x);
            for i in 0..totals.len().min(row.len()) {
                totals[i] = simd.mul_add_e_f64s(height, row[i], totals[i]);
            }
            for (total, k) in few.iter_mut().zip(rest) {
                *total += x * k;
            }
        }
    }
}

pub(super) struct AddProducts<'a> {
    pub(super) rows: &'a [f64],
    pub(super) stride: usize,
    pub(super) into: &'a mut [i64],
}

impl WithSimd for AddProducts<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { rows, stride, into } = self;
        let mut start = 0;
        for first in (0..stride).step_by(WIDEST) {
            let width = stride - first;
            for top in [first, first + HEIGHT] {
                let end = start + HEIGHT * width;
                let heights = Heights { numbers: rows.get(top..).unwrap_or_default(), step: stride, apart: 1 };
                let columns = Columns { rows, stride, first, left: top };
                add_tiles(simd, heights, columns, &mut into[start..end]);
                start = end;
            }
        }
    }
}

pub(super) struct Multiply<'a> {
    pub(super) rows: &'a [f64],
    pub(super) length: usize,
    pub(super) matrix: &'a [f64],
    pub(super) stride: usize,
    pub(super) into: &'a mut [i64],
}

impl WithSimd for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { rows, length, matrix, stride, into } = self;
        for (numbers, into) in rows.chunks_exact(HEIGHT * length).zip(into.chunks_exact_mut(HEIGHT * stride)) {
            let heights = Heights { numbers, step: 1, apart: length };
            add_tiles(simd, heights, Columns { rows: matrix, stride, first: 0, left: 0 }, into);
        }
    }
}

/// What rows of columns are multiplied with: for row `r` the four numbers `r step + q apart`.
#[derive(Clone, Copy)]
struct Heights<'a> {
    numbers: &'a [f64],
    step: usize,
    apart: usize,
}

/// Rows of `stride` numbers, of which those from `left` on are multiplied; results are kept of those from `first` on.
#[derive(Clone, Copy)]
struct Columns<'a> {
    rows: &'a [f64],
    stride: usize,
    first: usize,
    left: usize,
}

/// `into_q += sum_r heights_r[q] rows_r` for four `q`: of at most `2^51`, which adding [`SHIFT`] turns into an integer.
#[inline(always)]
fn add_tiles<S: Simd>(simd: S, heights: Heights<'_>, columns: Columns<'_>, into: &mut [i64]) {
    let (first, end) = (columns.first / S::F64_LANES, columns.stride / S::F64_LANES);
    let mut left = columns.left / S::F64_LANES;
    while left < end {
        // two and two are faster than three and one
        left += match end - left {
            1 => add_tile::<S, 1>(simd, heights, columns, left, left - first, into),
            2 | 4 => add_tile::<S, 2>(simd, heights, columns, left, left - first, into),
            _ => add_tile::<S, 3>(simd, heights, columns, left, left - first, into),
        };
    }
}

#[inline(always)]
fn add_tile<S: Simd, const WIDTH: usize>(
    simd: S,
    heights: Heights<'_>,
    columns: Columns<'_>,
    left: usize,
    place: usize,
    into: &mut [i64],
) -> usize {
    let Heights { numbers, step, apart } = heights;
    let mut sums = [[simd.splat_f64s(0.0); WIDTH]; HEIGHT];
    let (rows, _) = S::as_simd_f64s(columns.rows);
    let stride = columns.stride / S::F64_LANES;
    for index in 0..rows.len() / stride {
        let Some(row) = rows[index * stride + left..].first_chunk::<WIDTH>() else { continue };
        for q in 0..HEIGHT {
            let height = simd.splat_f64s(numbers[index * step + q * apart]);
            for i in 0..WIDTH {
                sums[q][i] = simd.mul_add_e_f64s(height, row[i], sums[q][i]);
            }
        }
    }
    let shift = simd.splat_f64s(SHIFT);
    let (into, _) = S::as_mut_simd_i64s(into);
    let width = (columns.stride - columns.first) / S::F64_LANES;
    for q in 0..HEIGHT {
        let Some(row) = into[q * width + place..].first_chunk_mut::<WIDTH>() else { continue };
        for i in 0..WIDTH {
            let shifted = simd.transmute_u64s_f64s(simd.add_f64s(sums[q][i], shift));
            let sum = simd.sub_u64s(shifted, simd.transmute_u64s_f64s(shift));
            row[i] = simd.transmute_i64s_u64s(simd.add_u64s(simd.transmute_u64s_i64s(row[i]), sum));
        }
    }
    WIDTH
}
