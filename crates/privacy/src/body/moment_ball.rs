//! The ball with second moments: a record of bounded norm brings its products along.

use serde::{Deserialize, Serialize};

use super::{Block, Body, RunningSum, is_within, sealed};
use crate::body::lattice::{COUNT_WEIGHT, LatticeError, LatticeVector, RADIUS, SQUARED_RADIUS};
use crate::budget::neighbours::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};

#[cfg(test)]
#[path = "moment_ball_tests.rs"]
pub(crate) mod tests;

/// What the noise spares most, where the mean and second moments are released together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Emphasis {
    /// The mean. Under substitute-one its noise is that of a release without second moments.
    Mean,
    /// The second moments. Under substitute-one the noise of the mean is 1.74 times as large.
    Covariance,
}

/// Second moments of the first coordinates of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moments {
    /// What the noise spares most.
    pub emphasis: Emphasis,
    /// The number `K` of coordinates that products are formed of.
    pub coordinates: usize,
}

/// The most coordinates that products are formed of.
const MOST_COORDINATES: usize = 1 << 10;

impl Moments {
    /// The number of products `k_i k_j`, `i < j <= K`.
    pub fn pairs(&self) -> usize {
        self.coordinates * self.coordinates.saturating_sub(1) / 2
    }

    /// The units of the products `k_i k_j`, of the squares `k_i^2` and of the missing energy, in radii, rounded up.
    fn units(self, relation: NeighbouringRelation) -> [f64; 3] {
        match (self.emphasis, relation) {
            (Emphasis::Mean, SubstituteOne) => [1.0, root(2.0), (2.0_f64 / 3.0).next_up()],
            (Emphasis::Mean, AddRemoveOne) => [1.0, root(2.0), root(2.0 / 3.0)],
            (Emphasis::Covariance, _) => [root(0.1), root(0.2), root(1.0 / 6.0)],
        }
    }
}

/// The root of the number that this double was rounded from, rounded up.
pub(crate) fn root(square: f64) -> f64 {
    square.next_up().sqrt().next_up()
}

/// Integer vectors `k` of Euclidean norm at most `R = 2^22`, with second moments or without.
///
/// Sources: Dwork, Talwar, Thakurta and Zhang (2014, *Analyze Gauss*) for normal noise on second moments; Kalinin, Upadhyay and Lampert
/// (2025, arXiv:2502.06597) for a joint sensitivity that leaves the noise of the mean as it is.
///
/// ```text
/// sum:  k_i for i <= n;   k_i k_j for i < j <= K;   k_i^2 for i <= K;   R^2 - |k|^2
/// ```
///
/// Without moments it is the [`EuclideanBall`](super::EuclideanBall). With them, the joint sensitivity is that of the mean alone under
/// substitute-one and the emphasis on the mean: second moments are free. Products are formed here, of the vector whose norm was
/// checked, so that no statistic can misstate them. The proof is `docs/proofs/moments.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MomentBall {
    dimension: usize,
    moments: Option<Moments>,
}

impl MomentBall {
    /// The ball in this many dimensions, with second moments of its first coordinates.
    ///
    /// # Errors
    /// [`LatticeError::Dimension`] unless there are from 1 to `2^18` dimensions, [`LatticeError::Moments`] unless moments are of
    /// from 2 to `2^10` coordinates, all of them coordinates of the ball.
    pub fn new(dimension: usize, moments: Option<Moments>) -> Result<Self, LatticeError> {
        LatticeVector::zero(dimension)?;
        match moments {
            Some(Moments { coordinates: found, .. }) if !(2..=dimension.min(MOST_COORDINATES)).contains(&found) => {
                Err(LatticeError::Moments { found, dimension })
            }
            _ => Ok(Self { dimension, moments }),
        }
    }

    /// The second moments, where there are any.
    pub fn moments(&self) -> Option<Moments> {
        self.moments
    }

    /// How many times as large the noise of the mean is as it would be without second moments: 1 where they are free.
    pub fn price(&self, relation: NeighbouringRelation) -> f64 {
        self.l2_bound(relation) / relation.lattice_sensitivity()
    }
}

impl sealed::Sealed for MomentBall {}

impl Body for MomentBall {
    type Word = i128;
    type Vector = LatticeVector;
    type Sum = MomentSum;

    fn dimension(&self) -> usize {
        self.dimension + self.moments.map_or(0, |moments| moments.pairs() + moments.coordinates + 1)
    }

    fn vector(&self) -> LatticeVector {
        LatticeVector::zero(self.dimension).unwrap_or_else(|_| unreachable!("the constructor checked the dimension"))
    }

    fn reset(&self, vector: &mut LatticeVector) {
        vector.clear();
    }

    fn sum(&self) -> MomentSum {
        let products = self.moments.map(|moments| Products::new(moments.coordinates));
        MomentSum { coordinates: vec![0; self.dimension], products }
    }

    fn add(&self, sum: &mut MomentSum, vector: &LatticeVector) {
        // of a longer vector, what is left of it when it is cut off: its norm is no larger
        let k = &vector.coordinates()[..self.dimension.min(vector.coordinates().len())];
        // a coordinate is at most 2^22 in size, and there are at most 2^40 records
        sum.coordinates.iter_mut().zip(k).for_each(|(total, k)| *total += k);
        if let Some(products) = &mut sum.products {
            products.add(k);
        }
    }

    fn restored(&self, totals: &[i128], records: u64) -> Option<MomentSum> {
        let (mean, rest) = totals.split_at_checked(self.dimension)?;
        let coordinates: Vec<i64> = mean.iter().map(|total| i64::try_from(*total).ok()).collect::<Option<_>>()?;
        let products = match self.moments {
            None if rest.is_empty() => None,
            None => return None,
            Some(moments) => Some(Products::restored(moments, rest, records)?),
        };
        is_within(mean.iter().copied(), RADIUS, records).then_some(MomentSum { coordinates, products })
    }

    fn count_weight(&self) -> Option<i64> {
        Some(COUNT_WEIGHT)
    }

    /// With moments it is no more than the sum of the bounds of the blocks: no law with this norm is meant for them.
    fn l1_bound(&self, relation: NeighbouringRelation) -> u64 {
        let of_moments = self.moments.map_or(0, |moments| {
            // sum_{i <= j} |k_i k_j| = (|k|_1^2 + |k|_2^2) / 2 <= (K + 1) R^2 / 2;  K is at most 2^10
            let of_products = (moments.coordinates as u64 + 1) * (SQUARED_RADIUS / 2);
            SQUARED_RADIUS + if relation == SubstituteOne { 2 * of_products } else { of_products }
        });
        relation.lattice_l1_sensitivity(self.dimension) + of_moments
    }

    fn l2_bound(&self, relation: NeighbouringRelation) -> f64 {
        let radii = match (self.moments.map(|moments| moments.emphasis), relation) {
            (None, _) | (Some(Emphasis::Mean), SubstituteOne) => return relation.lattice_sensitivity(),
            (Some(Emphasis::Mean), AddRemoveOne) => root(1.75),
            (Some(Emphasis::Covariance), SubstituteOne) => root(12.1),
            (Some(Emphasis::Covariance), AddRemoveOne) => 2.5,
        };
        radii * RADIUS as f64
    }

    fn blocks(&self, relation: NeighbouringRelation) -> Vec<Block> {
        let Some(moments) = self.moments else {
            return vec![Block { length: self.noisy_dimension(relation), unit: 1.0 }];
        };
        let lengths = [moments.pairs(), moments.coordinates, 1];
        let of_moments = lengths.into_iter().zip(moments.units(relation));
        let mut blocks = vec![Block { length: self.dimension, unit: 1.0 }];
        blocks.extend(of_moments.map(|(length, unit)| Block { length, unit: unit * RADIUS as f64 }));
        blocks.extend((relation == AddRemoveOne).then_some(Block { length: 1, unit: 1.0 }));
        blocks
    }
}

/// The running sum of records in a [`MomentBall`].
pub struct MomentSum {
    coordinates: Vec<i64>,
    products: Option<Products>,
}

/// So many products of coordinates, of at most `2^44` each, sum to at most `2^53`: exactly, in doubles.
const EXACT_PRODUCTS: usize = 512;

/// Sums of products: the upper triangle row by row, in doubles until they are moved to integers.
struct Products {
    row: Vec<f64>,
    recent: Vec<f64>,
    records: usize,
    settled: Vec<i128>,
    missing: i128,
}

impl Products {
    fn new(coordinates: usize) -> Self {
        let length = coordinates * (coordinates + 1) / 2;
        Self {
            row: vec![0.0; coordinates],
            recent: vec![0.0; length],
            records: 0,
            settled: vec![0; length],
            missing: 0,
        }
    }

    /// From what [`Products::exact`] gave: `0 <= sum_i k_i^2 <= N R^2 - missing`, and no product above half of its squares.
    fn restored(moments: Moments, exact: &[i128], records: u64) -> Option<Self> {
        let whole = i128::from(records) * i128::from(SQUARED_RADIUS);
        let (products, rest) = exact.split_at_checked(moments.pairs())?;
        let (squares, rest) = rest.split_at_checked(moments.coordinates)?;
        let &[missing] = rest else { return None };
        let each = squares
            .iter()
            .chain([&missing])
            .try_fold(0_i128, |sum, part| (0..=whole).contains(part).then_some(sum + part));
        if each.is_none_or(|sum| sum > whole) {
            return None;
        }
        let (mut settled, mut products) = (Vec::new(), products.iter().copied());
        for (i, square) in squares.iter().enumerate() {
            settled.push(*square);
            for other in &squares[i + 1..] {
                let product = products.next()?;
                if product.unsigned_abs() > (square + other).unsigned_abs() / 2 {
                    return None;
                }
                settled.push(product);
            }
        }
        Some(Self { settled, missing, ..Self::new(moments.coordinates) })
    }

    fn add(&mut self, k: &[i64]) {
        let energy: u64 = k.iter().map(|k| k.unsigned_abs().pow(2)).sum();
        // the norm of a lattice vector is at most the radius
        self.missing += i128::from(SQUARED_RADIUS - energy);
        self.row.fill(0.0);
        self.row.iter_mut().zip(k).for_each(|(x, k)| *x = *k as f64);
        let mut rest = &mut self.recent[..];
        for (i, x) in self.row.iter().enumerate() {
            let (mine, others) = rest.split_at_mut(self.row.len() - i);
            mine.iter_mut().zip(&self.row[i..]).for_each(|(total, y)| *total += x * y);
            rest = others;
        }
        self.records += 1;
        if self.records == EXACT_PRODUCTS {
            self.settle();
        }
    }

    /// Moves the recent products to the integers: at most `2^40` records bring at most `2^84`.
    fn settle(&mut self) {
        self.settled = self.triangle().collect();
        self.recent.fill(0.0);
        self.records = 0;
    }

    fn triangle(&self) -> impl Iterator<Item = i128> + '_ {
        #[allow(clippy::cast_possible_truncation, reason = "an integer in [-2^53, 2^53]")]
        let total = |(settled, recent): (&i128, &f64)| settled + i128::from(*recent as i64);
        self.settled.iter().zip(&self.recent).map(total)
    }

    fn merge(&mut self, other: &Self) {
        self.settled.iter_mut().zip(other.triangle()).for_each(|(total, more)| *total += more);
        self.missing += other.missing;
    }

    /// The products, the squares and the missing energy.
    fn exact(&self) -> impl Iterator<Item = i128> {
        let (mut products, mut squares) = (Vec::new(), Vec::new());
        let mut triangle = self.triangle();
        for length in (1..=self.row.len()).rev() {
            squares.extend(triangle.next());
            products.extend(triangle.by_ref().take(length - 1));
        }
        products.into_iter().chain(squares).chain([self.missing])
    }
}

impl RunningSum<i128> for MomentSum {
    fn merge(&mut self, other: &Self) {
        self.coordinates.iter_mut().zip(&other.coordinates).for_each(|(total, more)| *total += more);
        if let (Some(mine), Some(theirs)) = (&mut self.products, &other.products) {
            mine.merge(theirs);
        }
    }

    fn exact(&self) -> Vec<i128> {
        let mean = self.coordinates.iter().copied().map(i128::from);
        mean.chain(self.products.iter().flat_map(Products::exact)).collect()
    }
}
