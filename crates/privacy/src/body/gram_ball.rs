//! Covariates and a curve side by side, with their products: what least squares needs.

use serde::{Deserialize, Serialize};

use super::moment_ball::root;
use super::{Block, Body, sealed};
use crate::body::lattice::{LatticeError, LatticeVector, MAX_COVARIATES, RADIUS, SQUARED_RADIUS};
use crate::budget::neighbours::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};

#[cfg(test)]
#[path = "gram_ball_tests.rs"]
pub(crate) mod tests;

/// Whether neighbouring data sets agree on the covariates of their records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Design {
    /// The covariates of every record are public: the record that differs has the same ones on both sides.
    Public,
    /// The covariates of a record are as private as its curve.
    Private,
}

/// Pairs of integer vectors, `x` of covariates and `z` of a curve, each of norm at most `R = 2^22`, by their products.
///
/// ```text
/// sum:  x_j^2;   x_j x_k, j < k;   x_j z_i;   z_i^2, i <= K;   z_i z_l, i < l <= K
/// ```
///
/// It is the Gram matrix of `(x, z)`, with the last two blocks for the first `K` coordinates alone, and without the first two where the
/// covariates are public. Its joint sensitivity is what the products `x_j z_i` cost without the rest: the proof is
/// `docs/proofs/regression.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GramBall {
    covariates: usize,
    dimension: usize,
    directions: usize,
    design: Design,
}

impl GramBall {
    /// So many covariates, and curves in so many dimensions of which the first `directions` are multiplied with each other.
    ///
    /// # Errors
    /// [`LatticeError::Covariates`] unless there are from 1 to 20 covariates, [`LatticeError::Dimension`] unless there are from 1 to
    /// `2^18` dimensions, [`LatticeError::Moments`] unless from 2 to 1024 directions, and no more than dimensions.
    pub fn new(covariates: usize, dimension: usize, directions: usize, design: Design) -> Result<Self, LatticeError> {
        if !(1..=MAX_COVARIATES).contains(&covariates) {
            return Err(LatticeError::Covariates { found: covariates });
        }
        LatticeVector::zero(dimension)?;
        if !(2..=dimension.min(1 << 10)).contains(&directions) {
            return Err(LatticeError::Moments { found: directions, dimension });
        }
        Ok(Self { covariates, dimension, directions, design })
    }

    /// The number of covariates.
    pub fn covariates(&self) -> usize {
        self.covariates
    }

    /// Whether neighbours agree on the covariates.
    pub fn design(&self) -> Design {
        self.design
    }

    /// The lengths of the blocks: squares and products of covariates, products with the curve, squares and products of the curve.
    pub fn lengths(&self) -> [usize; 5] {
        let pairs = |of: usize| of * (of - 1) / 2;
        let (p, directions) = (self.covariates, self.directions);
        let of_design = match self.design {
            Design::Private => [p, pairs(p)],
            Design::Public => [0, 0],
        };
        [of_design[0], of_design[1], p * self.dimension, directions, pairs(directions)]
    }
}

impl sealed::Sealed for GramBall {}

impl Body for GramBall {
    type Word = i128;
    type Vector = GramVector;
    type Sum = Vec<i128>;

    fn dimension(&self) -> usize {
        self.lengths().iter().sum()
    }

    fn vector(&self) -> GramVector {
        let zero = |dimension| {
            LatticeVector::zero(dimension).unwrap_or_else(|_| unreachable!("the constructor checked the dimension"))
        };
        GramVector { covariates: zero(self.covariates), curve: zero(self.dimension) }
    }

    fn reset(&self, vector: &mut GramVector) {
        vector.covariates.clear();
        vector.curve.clear();
    }

    fn sum(&self) -> Vec<i128> {
        vec![0; Body::dimension(self)]
    }

    fn add(&self, sum: &mut Vec<i128>, vector: &GramVector) {
        // of longer vectors, what is left of them when they are cut off; of shorter ones, the rest is 0
        let coordinate = |of: &LatticeVector, place: usize| of.coordinates().get(place).copied().unwrap_or(0);
        let x: Vec<i64> = (0..self.covariates).map(|j| coordinate(&vector.covariates, j)).collect();
        let z: Vec<i64> = (0..self.dimension).map(|i| coordinate(&vector.curve, i)).collect();
        let first = &z[..self.directions];
        let squares = |of: &[i64]| of.iter().map(|k| k * k).collect::<Vec<i64>>();
        let mut totals = sum.iter_mut();
        // a product is at most 2^44
        let mut push = |product: i64| totals.by_ref().take(1).for_each(|total| *total += i128::from(product));
        if self.design == Design::Private {
            squares(&x).into_iter().for_each(&mut push);
            pairs(&x).for_each(&mut push);
        }
        x.iter().flat_map(|x| z.iter().map(move |z| x * z)).for_each(&mut push);
        squares(first).into_iter().for_each(&mut push);
        pairs(first).for_each(&mut push);
    }

    /// No entry can be larger than if every record were as long as it can be, and no square is negative.
    fn restored(&self, totals: &[i128], records: u64) -> Option<Vec<i128>> {
        let most = i128::from(records) * i128::from(SQUARED_RADIUS);
        let mut rest = totals;
        for (block, length) in self.lengths().into_iter().enumerate() {
            let (mine, others) = rest.split_at_checked(length)?;
            let least = if block == 0 || block == 3 { 0 } else { -most };
            if mine.iter().any(|total| !(least..=most).contains(total)) {
                return None;
            }
            rest = others;
        }
        rest.is_empty().then(|| totals.to_vec())
    }

    /// The first covariate may be 1 for everybody: its square is the count.
    fn count_weight(&self) -> Option<i64> {
        None
    }

    /// No more than the sum of the bounds of the blocks: no law with this norm is meant for them.
    fn l1_bound(&self, relation: NeighbouringRelation) -> u64 {
        let (p, n, directions) = (self.covariates as u64, self.dimension as u64, self.directions as u64);
        // |x|_1 |z|_1 <= sqrt(p n) R^2,  sum_{j <= k} |x_j x_k| <= (p + 1) R^2 / 2
        let record = ((p * n).isqrt() + 1) * SQUARED_RADIUS + (p + 1 + directions + 1) * (SQUARED_RADIUS / 2);
        if relation == SubstituteOne { 2 * record } else { record }
    }

    fn l2_bound(&self, relation: NeighbouringRelation) -> f64 {
        let radii = match (relation, self.design) {
            (SubstituteOne, _) => 2.0,
            (AddRemoveOne, Design::Private) => root(2.0),
            (AddRemoveOne, Design::Public) => root(1.5),
        };
        radii * RADIUS as f64
    }

    fn blocks(&self, _: NeighbouringRelation) -> Vec<Block> {
        let (square, product) = (root(2.0) * RADIUS as f64, RADIUS as f64);
        let units = [square, product, product, square, product];
        let blocks = self.lengths().into_iter().zip(units).map(|(length, unit)| Block { length, unit });
        blocks.filter(|block| block.length > 0).collect()
    }
}

/// The products of a vector's different coordinates.
fn pairs(of: &[i64]) -> impl Iterator<Item = i64> + '_ {
    of.iter().enumerate().flat_map(move |(i, a)| of[i + 1..].iter().map(move |b| a * b))
}

/// One record: its covariates and its curve. It is private data.
pub struct GramVector {
    covariates: LatticeVector,
    curve: LatticeVector,
}

impl GramVector {
    /// The covariates and the curve, for a statistic to write.
    pub fn parts(&mut self) -> (&mut LatticeVector, &mut LatticeVector) {
        (&mut self.covariates, &mut self.curve)
    }
}
