//! A rotation of records as products that are exact in doubles: fast, and the same bits in registers of every width.
#![allow(clippy::inline_always, reason = "compiled once for each width of registers, inside a dispatch")]
#![allow(clippy::needless_range_loop, reason = "iterators' adapters are compiled once, for the narrowest registers")]

use std::sync::OnceLock;

use dpfda_kernels::Grid;
use ndarray::Array2;
use pulp::{Arch, Simd, WithSimd};

#[cfg(test)]
#[path = "turn_tests.rs"]
mod tests;

/// The most coordinates: with more of them the reflections of a [`Rotation`](super::rotation::Rotation) are fewer products.
pub(crate) const MOST: usize = 256;

/// Doubles that the widest register holds.
const WIDEST: usize = 8;

/// Registers of results that are summed side by side.
const WIDTH: usize = 6;

/// Coordinates become integers of at most `2^24`, and the entries of the rotation too.
const BITS: u64 = 24;

/// Adding `1.5 * 2^52` leaves the rounded integer in the low bits.
const SHIFT: f64 = 6_755_399_441_055_744.0;

/// `z -> Q'z` for an orthonormal `Q` of at most 256 coordinates, in integers.
///
/// ```text
/// k = round(2^e z),   2^e the power of two with max_i |k_i| in [2^23, 2^24];     B = round(2^24 Q)
/// Q'z ~ 2^(-24 - e) B'k
/// ```
///
/// `|k| <= 2^4 2^24`, so by Cauchy and Schwarz every partial sum of `B'k`, also of sums of mirrored coordinates, is at most `2^52.5`: exact, fused or not, in any order. The result
/// is that of a matrix whose entries are within `2^-25` of `Q`, up to parts in `2^25` of the largest coordinate. Any function of the record
/// alone keeps what is proved of it: its norm is taken afterwards, in integers.
///
/// Where the grid is its own mirror image, a wave is even or odd. Then sums and differences of mirrored coordinates take half the products.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Turn {
    blocks: Vec<Block>,
}

/// Some of the results, of sums or of differences of mirrored coordinates.
#[derive(Debug, Clone, PartialEq)]
struct Block {
    from: Vec<Pair>,
    /// Which results they are.
    to: Vec<usize>,
    /// A row for each pair, in whole registers.
    matrix: Vec<f64>,
}

/// A place and its mirror image: `k_first + share k_second`, where the share is 1, -1, or 0 of a place that is its own.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Pair {
    first: usize,
    second: usize,
    share: f64,
}

impl Turn {
    /// The rotation by the columns of `basis`; `None` for more than [`MOST`] coordinates.
    pub(crate) fn new(basis: &Array2<f64>, unit_grid: &Grid) -> Option<Self> {
        let n = basis.nrows();
        if n > MOST || basis.ncols() != n {
            return None;
        }
        let image = |i: usize| if unit_grid.is_periodic() { (n - i) % n } else { n - 1 - i };
        let mirror: Vec<usize> = (0..n).map(image).collect();
        let parity = |j: usize| [1.0, -1.0].into_iter().find(|sign| is_mirrored(basis, j, &mirror, *sign));
        let parities: Option<Vec<f64>> = (0..n).map(parity).collect();
        let Some(parities) = parities else {
            let alone = |i| Pair { first: i, second: i, share: 0.0 };
            let block = Block::new((0..n).map(alone).collect(), (0..n).collect(), |pair, j| basis[[pair.first, j]]);
            return Some(Self { blocks: vec![block] });
        };
        let block = |sign: f64| {
            let pair = |i: usize| Pair { first: i, second: mirror[i], share: if i < mirror[i] { sign } else { 0.0 } };
            let is_needed = |pair: &Pair| pair.share != 0.0 || (pair.first == pair.second && sign > 0.0);
            let to = (0..n).filter(|j| parities[*j] == sign).collect();
            Block::new((0..n).map(pair).filter(is_needed).collect(), to, |pair, j| {
                f64::midpoint(basis[[pair.first, j]], sign * basis[[pair.second, j]])
            })
        };
        Some(Self { blocks: vec![block(1.0), block(-1.0)] })
    }

    /// Rotates a record. One that holds something that is no number becomes one of nothing but such.
    pub(crate) fn apply(&self, z: &mut [f64]) {
        arch().dispatch(Apply { turn: self, z });
    }
}

impl Block {
    fn new(from: Vec<Pair>, to: Vec<usize>, entry: impl Fn(Pair, usize) -> f64) -> Self {
        let stride = to.len().next_multiple_of(WIDEST);
        let mut matrix = vec![0.0; from.len() * stride];
        for (row, pair) in matrix.chunks_exact_mut(stride.max(1)).zip(&from) {
            row.iter_mut().zip(&to).for_each(|(b, j)| *b = (entry(*pair, *j) * (1_u64 << BITS) as f64).round());
        }
        Self { from, to, matrix }
    }
}

/// Whether a column is its own mirror image, up to a sign and rounding.
fn is_mirrored(basis: &Array2<f64>, j: usize, mirror: &[usize], sign: f64) -> bool {
    let tolerance = 1e-12;
    mirror.iter().enumerate().all(|(i, image)| (basis[[i, j]] - sign * basis[[*image, j]]).abs() <= tolerance)
}

/// The widest registers of this machine, found once: every record asks.
fn arch() -> Arch {
    static FOUND: OnceLock<Arch> = OnceLock::new();
    *FOUND.get_or_init(Arch::new)
}

struct Apply<'a> {
    turn: &'a Turn,
    z: &'a mut [f64],
}

impl WithSimd for Apply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { turn, z } = self;
        let largest = largest(simd, z);
        let exponent = largest.to_bits() >> 52;
        if exponent == 0x7FF {
            z.fill(f64::NAN);
            return;
        }
        // a record of less than 2^-960 is one at the centre
        let is_tiny = exponent < 64;
        let scale = if is_tiny { 0.0 } else { f64::from_bits((2045 + BITS - exponent) << 52) };
        let back = if is_tiny { 0.0 } else { f64::from_bits((exponent + 1 - 2 * BITS) << 52) };
        let n = z.len().min(MOST);
        let mut k = [0.0; MOST];
        for i in 0..n {
            k[i] = (z[i] * scale + SHIFT) - SHIFT;
        }
        let mut f = [0.0; MOST];
        let mut results = [0.0; MOST];
        for block in &turn.blocks {
            let pairs = block.from.len();
            for i in 0..pairs {
                let Pair { first, second, share } = block.from[i];
                f[i] = k[first] + share * k[second];
            }
            let stride = block.to.len().next_multiple_of(WIDEST);
            multiply(simd, &f[..pairs], &block.matrix, &mut results[..stride]);
            for i in 0..block.to.len() {
                z[block.to[i]] = results[i] * back;
            }
        }
    }
}

/// `max_i |z_i|`. What is no number may be left out, and stays what it is.
#[inline(always)]
fn largest<S: Simd>(simd: S, z: &[f64]) -> f64 {
    let (registers, rest) = S::as_simd_f64s(z);
    let mut largest = simd.splat_f64s(0.0);
    for i in 0..registers.len() {
        largest = larger(simd, registers[i], largest);
    }
    simd.reduce_max_f64s(larger(simd, simd.partial_load_f64s(rest), largest))
}

/// The larger of `|z|` and a size, of each lane.
#[inline(always)]
fn larger<S: Simd>(simd: S, z: S::f64s, size: S::f64s) -> S::f64s {
    // `abs` is a call in builds without link-time optimisation
    simd.max_f64s(simd.sub_f64s(simd.splat_f64s(0.0), z), simd.max_f64s(z, size))
}

/// `into_j = sum_i f_i b_ij`: exact.
#[inline(always)]
fn multiply<S: Simd>(simd: S, f: &[f64], matrix: &[f64], into: &mut [f64]) {
    let (matrix, _) = S::as_simd_f64s(matrix);
    let (into, _) = S::as_mut_simd_f64s(into);
    let width = into.len();
    let mut left = 0;
    while left < width {
        left += match width - left {
            1 => columns::<S, 1>(simd, f, matrix, left, into),
            2 => columns::<S, 2>(simd, f, matrix, left, into),
            3 => columns::<S, 3>(simd, f, matrix, left, into),
            4 => columns::<S, 4>(simd, f, matrix, left, into),
            5 => columns::<S, 5>(simd, f, matrix, left, into),
            _ => columns::<S, WIDTH>(simd, f, matrix, left, into),
        };
    }
}

/// So many registers of results; rows two by two, so that more sums than one wait for each register.
#[inline(always)]
fn columns<S: Simd, const W: usize>(
    simd: S,
    f: &[f64],
    matrix: &[S::f64s],
    left: usize,
    into: &mut [S::f64s],
) -> usize {
    let width = into.len();
    let (mut even, mut odd) = ([simd.splat_f64s(0.0); W], [simd.splat_f64s(0.0); W]);
    let mut i = 0;
    while i + 1 < f.len() {
        add_row(simd, f[i], &matrix[i * width + left..], &mut even);
        add_row(simd, f[i + 1], &matrix[(i + 1) * width + left..], &mut odd);
        i += 2;
    }
    if i < f.len() {
        add_row(simd, f[i], &matrix[i * width + left..], &mut even);
    }
    for j in 0..W {
        into[left + j] = simd.add_f64s(even[j], odd[j]);
    }
    W
}

#[inline(always)]
fn add_row<S: Simd, const W: usize>(simd: S, f: f64, row: &[S::f64s], sums: &mut [S::f64s; W]) {
    let Some(row) = row.first_chunk::<W>() else { return };
    let height = simd.splat_f64s(f);
    for j in 0..W {
        sums[j] = simd.mul_add_e_f64s(height, row[j], sums[j]);
    }
}
