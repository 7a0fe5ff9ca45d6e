//! A rotation of records as products that are exact in doubles: fast, and the same bits in registers of every width and for any number of
//! records at a time.
#![allow(clippy::inline_always, reason = "compiled once for each width of registers, inside a dispatch")]
#![allow(clippy::needless_range_loop, reason = "iterators' adapters are compiled once, for the narrowest registers")]

use std::sync::OnceLock;

use dpfda_kernels::Grid;
use ndarray::Array2;
use pulp::{Arch, Simd, WithSimd, bytemuck, c64};

#[cfg(test)]
#[path = "turn_tests.rs"]
mod tests;

/// The most coordinates: with more of them the reflections of a [`Rotation`](super::rotation::Rotation) are fewer products.
pub(crate) const MOST: usize = 256;

/// Doubles that the widest register holds.
const WIDEST: usize = 8;

/// Records that are turned together: what is read of the matrix is used for all of them.
const HEIGHT: usize = 4;

/// Registers of results that are summed side by side, for [`HEIGHT`] records and for one.
const WIDTH: usize = 3;
const WIDTH_OF_ONE: usize = 6;

/// Rows that most records have room in: room that is cleared for nothing takes time.
const FEW: usize = 64;

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
/// Where the grid is its own mirror image, a wave is even or odd. Then sums and differences of mirrored coordinates take half the products:
///
/// ```text
/// 2^(24 + e) (Q'z)_j ~ sum_i (k_i + k_i') b_ij   of an even wave,      sum_i (k_i - k_i') b_ij   of an odd one
/// ```
///
/// Sums and differences are pairs, and even and odd waves take turns: a register of results is multiplied with one pair again and again.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Turn {
    folds: Folds,
    /// A row of entries for each pair, in whole registers.
    matrix: Vec<f64>,
    stride: usize,
    /// `S`, in the order of a row.
    diagonal: Vec<f64>,
    /// The place of each result in a row; empty where they are in order.
    places: Vec<usize>,
}

/// Coordinates that are folded on their mirror images: `first + i` on `n - 1 - i` for so many pairs. The others stay alone.
#[derive(Debug, Clone, PartialEq)]
struct Folds {
    first: usize,
    pairs: usize,
    alone: Vec<usize>,
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
        let (folds, signs, places) = match parities {
            Some(signs) => {
                let places = alternating(&signs);
                (folds, signs, places)
            }
            None => (Folds { first: 0, pairs: 0, alone: (0..n).collect() }, vec![1.0; n], (0..n).collect()),
        };
        let stride = places.iter().max().map_or(0, |last| last + 1).next_multiple_of(WIDEST);
        let rows: Vec<(usize, usize)> = folds.rows(n).collect();
        let (mut matrix, mut ordered) = (vec![0.0; rows.len() * stride], vec![0.0; stride]);
        for (j, place) in places.iter().enumerate() {
            ordered[*place] = diagonal[j];
            for (row, (a, b)) in rows.iter().enumerate() {
                let entry = f64::midpoint(basis[[*a, j]], signs[j] * basis[[*b, j]]);
                matrix[row * stride + place] = (entry * (1_u64 << BITS) as f64).round();
            }
        }
        let is_ordered = places.iter().enumerate().all(|(j, place)| j == *place);
        Some(Self { folds, matrix, stride, diagonal: ordered, places: if is_ordered { Vec::new() } else { places } })
    }

    /// Turns records that lie one behind the other, each as if it were alone. One that holds something that is no number becomes one of
    /// nothing but such.
    pub(crate) fn apply(&self, records: &mut [f64]) {
        arch().dispatch(Apply { turn: self, records });
    }

    /// The number of pairs.
    fn rows(&self) -> usize {
        self.folds.pairs + self.folds.alone.len()
    }

    /// The number of coordinates.
    fn len(&self) -> usize {
        2 * self.folds.pairs + self.folds.alone.len()
    }
}

/// Places of even waves, and between them those of odd ones.
fn alternating(signs: &[f64]) -> Vec<usize> {
    let mut next = [0, 1];
    let place = |sign: &f64| {
        let next = &mut next[usize::from(*sign < 0.0)];
        *next += 2;
        *next - 2
    };
    signs.iter().map(place).collect()
}

impl Folds {
    /// The mirror image of an interval, or of a circle, whose first point is its own.
    fn of(n: usize, is_periodic: bool) -> Self {
        let first = usize::from(is_periodic);
        let pairs = (n - first) / 2;
        Self { first, pairs, alone: (0..first).chain(first + pairs..n - pairs).collect() }
    }

    /// The coordinates of each pair, of which one that is alone is both.
    fn rows(&self, n: usize) -> impl Iterator<Item = (usize, usize)> {
        let pairs = (0..self.pairs).map(move |i| (self.first + i, n - 1 - i));
        pairs.chain(self.alone.iter().map(|i| (*i, *i)))
    }

    /// Whether a column is its own mirror image, up to a sign and rounding.
    fn is_mirrored(&self, basis: &Array2<f64>, j: usize, sign: f64) -> bool {
        let alike = |(a, b): (usize, usize)| (basis[[a, j]] - sign * basis[[b, j]]).abs() <= 1e-12;
        self.rows(basis.nrows()).all(alike)
    }

    /// The integers of sums of pairs and of their differences; of a coordinate that is alone, itself twice.
    #[inline(always)]
    fn fold(&self, z: &[f64], scale: f64, f: &mut [c64]) {
        let rounded = |z: f64| (z * scale + SHIFT) - SHIFT;
        let (first, last) = (&z[self.first..][..self.pairs], &z[z.len() - self.pairs..]);
        let (pairs, alone) = f.split_at_mut(self.pairs);
        for i in 0..self.pairs {
            let (a, b) = (rounded(first[i]), rounded(last[self.pairs - 1 - i]));
            pairs[i] = c64 { re: a + b, im: a - b };
        }
        for i in 0..self.alone.len() {
            let a = rounded(z[self.alone[i]]);
            alone[i] = c64 { re: a, im: a };
        }
    }
}

/// The widest registers of this machine, found once: every record asks.
fn arch() -> Arch {
    static FOUND: OnceLock<Arch> = OnceLock::new();
    *FOUND.get_or_init(Arch::new)
}

struct Apply<'a> {
    turn: &'a Turn,
    records: &'a mut [f64],
}

impl WithSimd for Apply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        if self.turn.rows() <= FEW {
            self.apply_in::<S, FEW>(simd);
        } else {
            self.apply_in::<S, MOST>(simd);
        }
    }
}

impl Apply<'_> {
    /// In room for so many pairs of a record.
    #[inline(always)]
    fn apply_in<S: Simd, const ROOM: usize>(self, simd: S) {
        let Self { turn, records } = self;
        let n = turn.len();
        let mut start = 0;
        while start + HEIGHT * n <= records.len() {
            turn.apply_to::<S, HEIGHT, WIDTH, ROOM>(simd, &mut records[start..][..HEIGHT * n]);
            start += HEIGHT * n;
        }
        while start + n <= records.len() {
            turn.apply_to::<S, 1, WIDTH_OF_ONE, ROOM>(simd, &mut records[start..][..n]);
            start += n;
        }
    }
}

impl Turn {
    /// So many records, and at most so many registers of each at a time.
    #[inline(always)]
    fn apply_to<S: Simd, const RECORDS: usize, const WIDE: usize, const ROOM: usize>(
        &self,
        simd: S,
        records: &mut [f64],
    ) {
        let n = self.len();
        let mut f = [[c64 { re: 0.0, im: 0.0 }; ROOM]; RECORDS];
        let mut backs = [0.0; RECORDS];
        for q in 0..RECORDS {
            let z = &records[q * n..][..n];
            let (scale, back) = scales(largest(simd, z));
            self.folds.fold(z, scale, &mut f[q]);
            backs[q] = back;
        }
        let tiles = Tiles { f: &f, rows: self.rows(), matrix: &self.matrix, diagonal: &self.diagonal, backs };
        let mut aside = if self.places.is_empty() { Vec::new() } else { vec![0.0; RECORDS * self.stride] };
        let (results, each) = if self.places.is_empty() { (&mut *records, n) } else { (&mut *aside, self.stride) };
        // no register beyond the results: it would be put where they end
        let (mut left, width) = (0, each.div_ceil(S::F64_LANES));
        while left < width {
            left += match (width - left).min(WIDE) {
                1 => tiles.multiply::<S, 1>(simd, left, results, each),
                2 => tiles.multiply::<S, 2>(simd, left, results, each),
                3..WIDTH_OF_ONE => tiles.multiply::<S, WIDTH>(simd, left, results, each),
                _ => tiles.multiply::<S, WIDTH_OF_ONE>(simd, left, results, each),
            };
        }
        for (z, results) in records.chunks_exact_mut(n).zip(aside.chunks_exact(self.stride)) {
            z.iter_mut().zip(&self.places).for_each(|(z, place)| *z = results[*place]);
        }
    }
}

/// What integers are scaled with, and what their products are scaled back with; of a record that is no number, to nothing but such.
#[inline(always)]
fn scales(largest: f64) -> (f64, f64) {
    let exponent = largest.to_bits() >> 52;
    match exponent {
        0x7FF => (0.0, f64::NAN),
        // a record of less than 2^-960 is one at the centre
        0..64 => (0.0, 0.0),
        _ => (f64::from_bits((2045 + BITS - exponent) << 52), f64::from_bits((exponent + 1 - 2 * BITS) << 52)),
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

/// What results are multiplied from, some registers of each record at a time.
struct Tiles<'a, const RECORDS: usize, const ROOM: usize> {
    f: &'a [[c64; ROOM]; RECORDS],
    rows: usize,
    matrix: &'a [f64],
    diagonal: &'a [f64],
    backs: [f64; RECORDS],
}

impl<const RECORDS: usize, const ROOM: usize> Tiles<'_, RECORDS, ROOM> {
    /// `results_j = s_j 2^(-24 - e) sum_i f_i b_ij` of so many registers, the sum exact; `each` are the results of a record.
    #[inline(always)]
    fn multiply<S: Simd, const W: usize>(&self, simd: S, left: usize, results: &mut [f64], each: usize) -> usize {
        let (matrix, _) = S::as_simd_f64s(self.matrix);
        let (diagonal, _) = S::as_simd_f64s(self.diagonal);
        let mut sums = [[simd.splat_f64s(0.0); W]; RECORDS];
        for i in 0..self.rows {
            let Some(row) = matrix[i * diagonal.len() + left..].first_chunk::<W>() else { return W };
            for q in 0..RECORDS {
                for j in 0..W {
                    sums[q][j] = simd.mul_add_e_f64s(repeated(simd, self.f[q][i], left + j), row[j], sums[q][j]);
                }
            }
        }
        for q in 0..RECORDS {
            let (registers, rest) = S::as_mut_simd_f64s(&mut results[q * each..][..each]);
            let back = simd.splat_f64s(self.backs[q]);
            for j in 0..W {
                let result = simd.mul_f64s(simd.mul_f64s(sums[q][j], back), diagonal[left + j]);
                match registers.get_mut(left + j) {
                    Some(register) => *register = result,
                    None => simd.partial_store_f64s(rest, result),
                }
            }
        }
        W
    }
}

/// A pair again and again, as a register of results has even and odd waves.
#[inline(always)]
fn repeated<S: Simd>(simd: S, pair: c64, register: usize) -> S::f64s {
    if const { S::F64_LANES > 1 } {
        bytemuck::cast(simd.splat_c64s(pair))
    } else {
        simd.splat_f64s(if register.is_multiple_of(2) { pair.re } else { pair.im })
    }
}
