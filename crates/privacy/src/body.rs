//! Bodies: the bounded sets that records are encoded in, where every bound on their influence is proved.

use std::fmt;

use crate::body::word::Word;
use crate::budget::neighbours::NeighbouringRelation;

pub(crate) mod cosine;
mod euclidean_ball;
pub(crate) mod lattice;
mod moments;
mod one_hot;
mod orthant;
#[cfg(test)]
pub(crate) mod tests;
mod weighted_ball;
pub(crate) mod word;

pub use cosine::{Cosine, CosineVector};
pub use euclidean_ball::EuclideanBall;
pub(crate) use moments::root;
pub use moments::{Emphasis, Moments};
pub use one_hot::{OneHot, OneHotVector};
pub use orthant::Orthant;
pub use weighted_ball::{WeightedBall, WeightedVector};

/// Coordinates whose noise has one scale.
///
/// Noise for a joint sensitivity of `bound` has the scale `unit * bound / mu` in this block: the joint norm of a difference
/// `d` of two sums is
///
/// ```text
/// |d|^2 = sum_b |d_b|_2^2 / unit_b^2
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    /// The number of coordinates.
    pub length: usize,
    /// How many lattice steps of this block count as one of the joint norm, at least 1.
    pub unit: f64,
}

/// A bounded set of integer vectors: what one record can be, and how far neighbouring data sets can move a sum.
///
/// A body enforces its bound in integers, whatever a statistic gives it: a wrong statistic is useless, never unsafe. The trait
/// is sealed, because a bound that is not proved protects nobody. One test of this crate holds every body to its bounds:
/// never exceeded, and attained.
pub trait Body: sealed::Sealed + Clone + PartialEq + fmt::Debug {
    /// The integers of a sum.
    type Word: Word;

    /// One record, within the body by construction.
    type Vector;

    /// A sum of records while it grows, in whatever form is fast: exact.
    type Sum: RunningSum<Self::Word>;

    /// The number of coordinates of a sum, the count of records left out.
    fn dimension(&self) -> usize;

    /// A record of nothing.
    fn vector(&self) -> Self::Vector;

    /// Makes a record one of nothing again: no record leaks into the next.
    fn reset(&self, vector: &mut Self::Vector);

    /// The sum of no records.
    fn sum(&self) -> Self::Sum;

    /// The bytes of a sum as it is kept and as it travels: a function of public numbers alone.
    fn bytes_of_sums(&self) -> u64 {
        (self.dimension() * Self::Word::BYTES) as u64
    }

    /// Adds a record. Of a record that another body made, no more than the bounds allow is added.
    fn add(&self, sum: &mut Self::Sum, vector: &Self::Vector);

    /// A sum again from what [`RunningSum::kept`] gave and its number of records; `None` for what no sum of so many records has.
    ///
    /// It finds what is impossible, such as a norm beyond that of all records together, and not what is merely wrong: a part of
    /// a data set that comes from elsewhere must be trusted.
    fn restored(&self, kept: &[Self::Word], records: u64) -> Option<Self::Sum>;

    /// What one record adds to the count of records, in lattice steps; `None` where the coordinates tell the count.
    ///
    /// Under add/remove-one the count is private, and one more coordinate of the last block.
    fn count_weight(&self) -> Option<i64>;

    /// How far apart the sums of neighbours can be in the sum of absolute values, in lattice steps: an integer. It is
    /// attained up to rounding wherever a law of noise is meant for it. The count is included.
    fn l1_bound(&self, relation: NeighbouringRelation) -> u64;

    /// How far apart the sums of neighbours can be in the joint Euclidean norm of [`Block`], rounded up. The count is included.
    fn l2_bound(&self, relation: NeighbouringRelation) -> f64;

    /// How far apart the sums `z` and counts `c` of neighbours can be in the norm `max(|z|_2, 2 |c|)` of [`Cylinder`](crate::Cylinder),
    /// rounded up; `None` where the count is no coordinate, or no bound is proved.
    fn cylinder_bound(&self, _relation: NeighbouringRelation) -> Option<f64> {
        None
    }

    /// The blocks of the noise, in the order of the coordinates; the count, where it is one, belongs to the last.
    fn blocks(&self, relation: NeighbouringRelation) -> Vec<Block> {
        vec![Block { length: self.noisy_dimension(relation), unit: 1.0 }]
    }

    /// The number of coordinates that get noise: those of the sum, and the count where that is one of them.
    fn noisy_dimension(&self, relation: NeighbouringRelation) -> usize {
        let has_count = relation == NeighbouringRelation::AddRemoveOne && self.count_weight().is_some();
        self.dimension() + usize::from(has_count)
    }
}

/// An exact sum of records in a body while it grows: private data.
pub trait RunningSum<W> {
    /// Adds the records of another sum in the same body.
    fn merge(&mut self, other: &Self);

    /// The totals.
    fn exact(&self) -> Vec<W>;

    /// What [`Body::restored`] makes the sum again from: the totals, or more where totals for several radii follow from the sum.
    fn kept(&self) -> Vec<W> {
        self.exact()
    }
}

impl<W: Word> RunningSum<W> for Vec<W> {
    fn merge(&mut self, other: &Self) {
        self.iter_mut().zip(other).for_each(|(total, more)| *total = total.plus(*more));
    }

    fn exact(&self) -> Vec<W> {
        self.clone()
    }
}

/// Whether a sum of so many vectors of norm at most `radius` can have these totals: `|S|_2 <= N radius`.
fn is_within(totals: impl Iterator<Item = i128>, radius: i64, records: u64) -> bool {
    let reach = u128::from(records) * u128::from(radius.unsigned_abs());
    let square = |total: i128| Some(total.unsigned_abs()).filter(|size| *size <= reach).map(|size| size * size);
    // 2^40 records of radius 2^22: no square is beyond 2^124
    let mut squares = totals.map(square);
    let sum = squares.try_fold(0_u128, |sum, square| sum.checked_add(square?));
    sum.is_some_and(|sum| sum <= reach * reach)
}

pub(crate) mod sealed {
    /// Bodies are those of this crate.
    pub trait Sealed {}
}
