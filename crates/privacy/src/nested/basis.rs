//! A public basis in integers, for products of coordinates along it.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use super::kernel::stride;

/// `2^24`: the entries of a basis are integers in these units.
const UNIT_BITS: u32 = 24;

/// `2^24 (1 - 2^-14)`: what an orthonormal basis is multiplied with, so that rounding leaves it a contraction.
const SCALE: f64 = 16_776_192.0;

/// Coordinates of which all products are kept, for the basis to be applied to their sum.
const MOST_PLAIN: usize = 128;

/// So many products of entries of at most `2^24` fit in 64 bits.
const TERMS: usize = 1 << 14;

/// Products of sums are split at this bit: both parts stay within 128 bits.
const SPLIT_BITS: u32 = 48;

/// Why vectors are no public basis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ContractionError {
    #[error("a basis has from 1 to as many vectors as coordinates, all of one length")]
    Shape,
    #[error("the vectors of a basis must be orthonormal: in integers, the row sums of B'B exceed 2^48")]
    Norm,
}

/// `B = trunc(2^24 (1 - 2^-14) Q)` for orthonormal columns `Q`, with `|B| <= 2^24` checked in integers.
///
/// ```text
/// |B|^2 <= max_l sum_m |sum_i B_il B_im| <= 2^48
/// ```
///
/// The functions that products are formed along are those of `B`, which differ from `Q` by parts in `2^14` in length and in `2^24` in
/// direction. It is public.
#[derive(Clone, PartialEq)]
pub struct PublicBasis {
    length: usize,
    order: usize,
    /// `length x stride(order)`: integers, the rest zeros.
    matrix: Vec<f64>,
}

impl PublicBasis {
    /// The basis of these columns.
    pub fn new<C: AsRef<[f64]>>(columns: &[C]) -> Result<Self, ContractionError> {
        let length = columns.first().map_or(0, |column| column.as_ref().len());
        let order = columns.len();
        if !(1..=length).contains(&order) || columns.iter().any(|column| column.as_ref().len() != length) {
            return Err(ContractionError::Shape);
        }
        let integers: Option<Vec<Vec<i64>>> = columns.iter().map(|column| truncated(column.as_ref())).collect();
        let integers = integers.filter(|columns| is_contraction(columns)).ok_or(ContractionError::Norm)?;
        let mut matrix = vec![0.0; length * stride(order)];
        for (place, column) in integers.iter().enumerate() {
            let entries = matrix[place..].iter_mut().step_by(stride(order));
            entries.zip(column).for_each(|(entry, integer)| *entry = *integer as f64);
        }
        Ok(Self { length, order, matrix })
    }

    /// `1 - 2^-14`: how long the vectors are that products are formed along.
    pub const LENGTH: f64 = SCALE / 16_777_216.0;

    /// The number of coordinates.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The number of vectors.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The matrix that rows of coordinates are multiplied with, row by row in whole registers: integers of at most `2^24`.
    pub(super) fn matrix(&self) -> &[f64] {
        &self.matrix
    }

    /// What a product with the matrix is multiplied with to be in steps again.
    pub(super) fn unit() -> f64 {
        1.0 / f64::from(1_u32 << UNIT_BITS)
    }

    /// `B_il`, row by row.
    fn rows(&self) -> Vec<Vec<i128>> {
        #[allow(clippy::cast_possible_truncation, reason = "an integer of at most 2^24")]
        let integer = |entry: &f64| i128::from(*entry as i64);
        self.matrix.chunks(stride(self.order)).map(|row| row[..self.order].iter().map(integer).collect()).collect()
    }

    /// `floor(B' M B / 2^48)` for the symmetric `M` of an upper triangle, as an upper triangle: exact.
    ///
    /// `M = 2^48 H + L` with `|H| <= 2^60` and `0 <= L < 2^48` for entries of at most `2^108`. For at most 128 coordinates
    /// `|B'HB| <= 2^14 2^48 2^60 = 2^122`, so nothing overflows.
    pub(super) fn along(&self, triangle: &[i128]) -> Vec<i128> {
        let rows = self.rows();
        let high = self.product(&rows, triangle, |entry| entry >> SPLIT_BITS);
        let low = self.product(&rows, triangle, |entry| entry & ((1 << SPLIT_BITS) - 1));
        high.into_iter().zip(low).map(|(high, low)| high + (low >> SPLIT_BITS)).collect()
    }

    /// `B' M B` of a part of the entries of `M`, as an upper triangle.
    fn product(&self, rows: &[Vec<i128>], triangle: &[i128], part: impl Fn(i128) -> i128) -> Vec<i128> {
        let mut half = vec![vec![0_i128; self.order]; self.length];
        let mut entries = triangle.iter();
        for i in 0..self.length {
            for j in i..self.length {
                let entry = part(entries.next().copied().unwrap_or_default());
                half[i].iter_mut().zip(&rows[j]).for_each(|(sum, b)| *sum += entry * b);
                if i != j {
                    half[j].iter_mut().zip(&rows[i]).for_each(|(sum, b)| *sum += entry * b);
                }
            }
        }
        let mut whole = vec![0_i128; self.order * (self.order + 1) / 2];
        for (half, row) in half.iter().zip(rows) {
            let pairs = (0..self.order).flat_map(|l| half[l..].iter().map(move |x| (l, x)));
            whole.iter_mut().zip(pairs).for_each(|(sum, (l, x))| *sum += row[l] * x);
        }
        whole
    }
}

impl fmt::Debug for PublicBasis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicBasis({} x {})", self.length, self.order)
    }
}

/// The integers of a column; `None` for what no unit vector has.
fn truncated(column: &[f64]) -> Option<Vec<i64>> {
    let integer = |entry: &f64| {
        let scaled = (entry * SCALE).trunc();
        let is_small = scaled.abs() <= f64::from(1_u32 << UNIT_BITS);
        #[allow(clippy::cast_possible_truncation, reason = "an integer of at most 2^24")]
        let integer = scaled as i64;
        is_small.then_some(integer)
    };
    column.iter().map(integer).collect()
}

/// Whether the row sums of `|B'B|` are at most `2^48`.
fn is_contraction(columns: &[Vec<i64>]) -> bool {
    let mut sums = vec![0_i128; columns.len()];
    for (l, one) in columns.iter().enumerate() {
        for (m, other) in columns.iter().enumerate().skip(l) {
            let size = inner_product(one, other).abs();
            sums[l] += size;
            if l != m {
                sums[m] += size;
            }
        }
    }
    sums.iter().all(|sum| *sum <= 1 << (2 * UNIT_BITS))
}

fn inner_product(one: &[i64], other: &[i64]) -> i128 {
    let chunk = |(a, b): (&[i64], &[i64])| i128::from(a.iter().zip(b).map(|(a, b)| a * b).sum::<i64>());
    one.chunks(TERMS).zip(other.chunks(TERMS)).map(chunk).sum()
}

/// Which products of coordinates are released with a sum.
#[derive(Debug, Clone, PartialEq)]
pub enum ProductsOf {
    /// Those of the first coordinates, so many.
    First(usize),
    /// Those of coordinates along a public basis, which is applied in integers: to the sum of all products, or for more than 128
    /// coordinates to each record.
    Along(Arc<PublicBasis>),
}

impl ProductsOf {
    /// The number of coordinates that products are released of.
    pub fn coordinates(&self) -> usize {
        match self {
            Self::First(coordinates) => *coordinates,
            Self::Along(basis) => basis.order(),
        }
    }

    /// The number of coordinates that products are kept of.
    pub(super) fn kept(&self) -> usize {
        self.applied_last().map_or(self.coordinates(), PublicBasis::length)
    }

    /// The basis that is applied to the sum of all products.
    pub(super) fn applied_last(&self) -> Option<&PublicBasis> {
        self.basis().filter(|basis| basis.length() <= MOST_PLAIN)
    }

    /// The basis that is applied to each record.
    pub(super) fn applied_first(&self) -> Option<&Arc<PublicBasis>> {
        match self {
            Self::Along(basis) if basis.length() > MOST_PLAIN => Some(basis),
            _ => None,
        }
    }

    fn basis(&self) -> Option<&PublicBasis> {
        match self {
            Self::First(_) => None,
            Self::Along(basis) => Some(basis),
        }
    }
}
