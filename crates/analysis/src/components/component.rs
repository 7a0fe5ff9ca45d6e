//! One component: eigenvalue, explained share and eigenfunction, with their standard deviations.

use dpfda_kernels::Eigenpairs;
use ndarray::{Array1, Array2, ArrayView1};

use super::Share;
use super::noisy::NoisyCovariance;
use super::tensor::{TensorSmoother, without_inflation};

/// The ends of an approximate pointwise band of 95% for an eigenfunction, in standard deviations.
const BAND: f64 = 1.96;

/// Two eigenvalues closer than this many standard deviations of the noise of one entry may change places.
const APART: f64 = 2.4;

/// A component that can be told from the privacy noise.
///
/// `*_sd` is the standard deviation of the privacy noise, `*_sampling_sd` that over samples of people from the same population, for
/// Gaussian curves. For an interval about the population add the squares of both.
#[derive(Debug, Clone, PartialEq)]
pub struct Component {
    /// `theta_k`: the variance of the scores, in squared units of the data.
    pub eigenvalue: f64,
    /// Its privacy noise, to first order.
    pub eigenvalue_sd: f64,
    /// `theta_k sqrt(2 / N)`.
    pub eigenvalue_sampling_sd: f64,
    /// The 95% interval of the eigenvalue of the population: its lower end is 0 where noise may have made the component, and its upper end
    /// holds what a bought ball may have cut off.
    pub eigenvalue_interval: (f64, f64),
    /// `theta_k / T`, the share of the total variance, at most 1; `None` where the total cannot be told from noise.
    pub explained: Option<f64>,
    /// The privacy noise of the share, to first order.
    pub explained_sd: Option<f64>,
    /// The sampling of the share, to first order.
    pub explained_sampling_sd: Option<f64>,
    /// The 95% interval of the share of the population.
    pub explained_interval: Option<(f64, f64)>,
    /// `v_k` at the grid's points. Its largest coordinate in the public basis is positive.
    pub function: Array1<f64>,
    /// The lower end of the approximate pointwise 95% band of `v_k`, for privacy noise alone.
    pub lower: Array1<f64>,
    /// Its upper end.
    pub upper: Array1<f64>,
    /// Whether the eigenvalue is far enough from its neighbours within the rank. Otherwise only the span of these components is
    /// known, and each of them may be a mixture.
    pub is_separately_identified: bool,
}

pub(super) struct Eigenfunctions<'a> {
    pub(super) noisy: &'a NoisyCovariance,
    pub(super) smoother: &'a TensorSmoother,
    /// Of the smoothed covariance, eigenvalues increasing.
    pub(super) pairs: &'a Eigenpairs,
    pub(super) threshold: f64,
}

/// An eigenfunction in public coordinates.
pub(super) struct Found {
    pub(super) vector: Array1<f64>,
    value: f64,
    sd: f64,
    is_apart: bool,
    /// The directions in which noise turns the function, in public coordinates, with the standard deviation in each: a column each.
    turns: Array2<f64>,
}

impl Eigenfunctions<'_> {
    /// Those that can be told from the noise, the largest first.
    pub(super) fn within_the_rank(&self) -> Vec<Found> {
        let places = (0..self.pairs.values.len()).rev().filter(|&place| self.pairs.values[place] > self.threshold);
        let mut estimated: Vec<(usize, f64)> = places.map(|place| (place, self.eigenvalue(place))).collect();
        estimated.sort_by(|a, b| b.1.total_cmp(&a.1));
        let close = |a: usize, b: usize| {
            let (Some((first, value)), Some((second, other))) = (estimated.get(a), estimated.get(b)) else {
                return false;
            };
            let sd = |place: usize| self.noisy.variance(self.vector(place), self.vector(place)).sqrt();
            (value - other).abs() < APART * sd(*first).max(sd(*second))
        };
        let one = |index: usize| {
            let (place, value) = estimated[index];
            let is_close = close(index, index + 1) || index.checked_sub(1).is_some_and(|before| close(before, index));
            self.found(place, value, &estimated, !is_close)
        };
        (0..estimated.len()).map(one).collect()
    }

    fn vector(&self, place: usize) -> ArrayView1<'_, f64> {
        self.pairs.vectors.column(place)
    }

    /// The Rayleigh quotient of the noisy covariance, without what noise across the vector adds.
    fn eigenvalue(&self, place: usize) -> f64 {
        let vector = self.vector(place);
        let quotient = vector.dot(&self.noisy.matrix.dot(&vector));
        without_inflation(quotient, self.noisy.inflation(vector, &self.smoother.passed(vector)))
    }

    fn found(&self, place: usize, value: f64, estimated: &[(usize, f64)], is_apart: bool) -> Found {
        let vector = self.vector(place);
        let passed = self.smoother.passed(vector).mapv(f64::sqrt);
        let mut turns = self.pairs.vectors.clone();
        for (other, mut turn) in turns.columns_mut().into_iter().enumerate() {
            let share: f64 = turn.iter().zip(&passed).map(|(a, share)| a * a * share).sum();
            let variance = self.noisy.variance(vector, self.vector(other));
            let others = estimated.iter().find(|(index, _)| *index == other);
            let other_value = others.map_or_else(|| self.pairs.values[other].max(0.0), |(_, value)| *value);
            // a function that may change places with another is at most that other one
            let turned = ((share * variance).sqrt() / (value - other_value).abs().max(1e-300)).min(1.0);
            turn *= if other == place { 0.0 } else { turned };
        }
        let along = self.noisy.root.t().dot(&vector).dot(&self.noisy.mean).powi(2);
        let count = self.noisy.count_sd * (value - along);
        Found {
            vector: signed(vector),
            value,
            sd: self.noisy.variance(vector, vector).sqrt().hypot(count),
            is_apart,
            turns,
        }
    }
}

impl Found {
    /// The component at the grid's points.
    pub(super) fn component(&self, functions: &Array2<f64>, total: &Share) -> Component {
        let function = functions.dot(&self.vector);
        let turns = functions.dot(&self.turns);
        let half: Array1<f64> = turns.rows().into_iter().map(|row| BAND * row.dot(&row).sqrt()).collect();
        let share = total.of(self.value, self.sd);
        Component {
            eigenvalue: self.value,
            eigenvalue_sd: self.sd,
            eigenvalue_sampling_sd: self.value * (2.0 / total.records).sqrt(),
            eigenvalue_interval: total.eigenvalue(self.value, self.sd),
            explained_interval: share.map(|(share, sd, sampling)| total.interval(share, sd.hypot(sampling))),
            explained: share.map(|(share, _, _)| share),
            explained_sd: share.map(|(_, sd, _)| sd),
            explained_sampling_sd: share.map(|(_, _, sampling)| sampling),
            lower: &function - &half,
            upper: &function + &half,
            function,
            is_separately_identified: self.is_apart,
        }
    }
}

/// The vector or its negative: the coordinate of largest size is positive.
fn signed(vector: ArrayView1<'_, f64>) -> Array1<f64> {
    let largest = vector.iter().fold(0.0_f64, |most, x| if x.abs() > most.abs() { *x } else { most });
    if largest < 0.0 { -&vector } else { vector.to_owned() }
}
