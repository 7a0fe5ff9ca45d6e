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

/// `z -> S Q'z` for an orthonormal `Q` of at most 256 coordinates, in integers, and a diagonal `S`.
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
    folds: Folds,
    /// Of sums of mirrored coordinates and of those alone, and of differences.
    blocks: [Block; 2],
    /// Of each result: where it stands among those of both blocks, and its entry of `S`.
    results: Vec<(usize, f64)>,
}

/// Coordinates that are folded on their mirror images: `first + i` on `n - 1 - i` for so many pairs. The others stay alone.
#[derive(Debug, Clone, PartialEq)]
struct Folds {
    first: usize,
    pairs: usize,
    alone: Vec<usize>,
}

/// What some of the results are made with.
#[derive(Debug, Clone, PartialEq)]
struct Block {
    rows: usize,
    /// Results, in whole registers.
    stride: usize,
    matrix: Vec<f64>,
}

impl Turn {
    /// The rotation by the columns of `basis`, and the diagonal; `None` for more than [`MOST`] coordinates.
    pub(crate) fn new(basis: &Array2<f64>, unit_grid: &Grid, diagonal: &[f64]) -> Option<Self> {
        let n = basis.nrows();
        if n > MOST || basis.ncols() != n || diagonal.len() != n {
            return None;
        }
        let folds = Folds::of(n, unit_grid.is_periodic());
        let parity = |j: usize| [1.0, -1.0].into_iter().find(|sign| folds.is_mirrored(basis, j, *sign));
        let parities: Option<Vec<f64>> = (0..n).map(parity).collect();
        let (folds, parities) = match parities {
            Some(parities) => (folds, parities),
            None => (Folds { first: 0, pairs: 0, alone: (0..n).collect() }, vec![1.0; n]),
        };
        let of_sign = |sign: f64| -> Vec<usize> { (0..n).filter(|j| parities[*j] == sign).collect() };
        let (even, odd) = (of_sign(1.0), of_sign(-1.0));
        let blocks = [folds.block(basis, &even, 1.0), folds.block(basis, &odd, -1.0)];
        let mut results = vec![(0, 0.0); n];
        let places = even.iter().zip(0..).chain(odd.iter().zip(blocks[0].stride..));
        places.for_each(|(j, place)| results[*j] = (place, diagonal[*j]));
        Some(Self { folds, blocks, results })
    }

    /// Turns a record. One that holds something that is no number becomes one of nothing but such.
    pub(crate) fn apply(&self, z: &mut [f64]) {
        arch().dispatch(Apply { turn: self, z });
    }
}

impl Folds {
    /// The mirror image of an interval, or of a circle, whose first point is its own.
    fn of(n: usize, is_periodic: bool) -> Self {
        let first = usize::from(is_periodic);
        let pairs = (n - first) / 2;
        Self { first, pairs, alone: (0..first).chain(first + pairs..n - pairs).collect() }
    }

    fn pair(&self, i: usize, n: usize) -> (usize, usize) {
        (self.first + i, n - 1 - i)
    }

    /// Whether a column is its own mirror image, up to a sign and rounding.
    fn is_mirrored(&self, basis: &Array2<f64>, j: usize, sign: f64) -> bool {
        let alike = |(a, b): (usize, usize)| (basis[[a, j]] - sign * basis[[b, j]]).abs() <= 1e-12;
        (0..self.pairs).map(|i| self.pair(i, basis.nrows())).chain(self.alone.iter().map(|i| (*i, *i))).all(alike)
    }

    /// What sums or differences are multiplied with for these results; coordinates that are alone count among the sums.
    fn block(&self, basis: &Array2<f64>, results: &[usize], sign: f64) -> Block {
        let alone: &[usize] = if sign > 0.0 { &self.alone } else { &[] };
        let pairs = (0..self.pairs).map(|i| self.pair(i, basis.nrows()));
        let from: Vec<(usize, usize)> = pairs.chain(alone.iter().map(|i| (*i, *i))).collect();
        let stride = results.len().next_multiple_of(WIDEST);
        let mut matrix = vec![0.0; from.len() * stride];
        for (row, (a, b)) in matrix.chunks_exact_mut(stride.max(1)).zip(&from) {
            for (entry, j) in row.iter_mut().zip(results) {
                *entry = (f64::midpoint(basis[[*a, *j]], sign * basis[[*b, *j]]) * (1_u64 << BITS) as f64).round();
            }
        }
        Block { rows: from.len(), stride, matrix }
    }
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
        // room that is cleared for nothing takes time
        if self.z.len() <= MOST / 2 {
            self.turn.apply_in::<S, { MOST / 2 + 2 * WIDEST }>(simd, self.z);
        } else {
            self.turn.apply_in::<S, { MOST + 2 * WIDEST }>(simd, self.z);
        }
    }
}

impl Turn {
    /// In room for so many numbers: those of a record, and what fills two rows of registers.
    #[inline(always)]
    fn apply_in<S: Simd, const ROOM: usize>(&self, simd: S, z: &mut [f64]) {
        let exponent = largest(simd, z).to_bits() >> 52;
        if exponent == 0x7FF {
            z.fill(f64::NAN);
            return;
        }
        // a record of less than 2^-960 is one at the centre
        let is_tiny = exponent < 64;
        let scale = if is_tiny { 0.0 } else { f64::from_bits((2045 + BITS - exponent) << 52) };
        let back = if is_tiny { 0.0 } else { f64::from_bits((exponent + 1 - 2 * BITS) << 52) };
        let [even, odd] = &self.blocks;
        let mut f = [0.0; ROOM];
        self.folds.fold(z, scale, &mut f);
        let mut results = [0.0; ROOM];
        let (of_even, of_odd) = results.split_at_mut(even.stride);
        multiply(simd, &f[..even.rows], &even.matrix, of_even);
        multiply(simd, &f[even.rows..][..odd.rows], &odd.matrix, &mut of_odd[..odd.stride]);
        for i in 0..z.len().min(self.results.len()) {
            let (place, share) = self.results[i];
            z[i] = results[place] * back * share;
        }
    }
}

impl Folds {
    /// The integers of sums of pairs, of coordinates that are alone, and of differences of pairs.
    #[inline(always)]
    fn fold(&self, z: &[f64], scale: f64, f: &mut [f64]) {
        let rounded = |z: f64| (z * scale + SHIFT) - SHIFT;
        let (first, pairs) = (&z[self.first..][..self.pairs], &z[z.len() - self.pairs..]);
        let (sums, rest) = f.split_at_mut(self.pairs);
        let (alone, rest) = rest.split_at_mut(self.alone.len());
        let differences = &mut rest[..self.pairs];
        for i in 0..self.pairs {
            let (a, b) = (rounded(first[i]), rounded(pairs[self.pairs - 1 - i]));
            sums[i] = a + b;
            differences[i] = a - b;
        }
        for i in 0..alone.len() {
            alone[i] = rounded(z[self.alone[i]]);
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
