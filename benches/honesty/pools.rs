//! The populations that people are drawn from.
//!
//! A pool is a list of curves, and people are drawn from it with replacement: its mean and its covariance are exact. The values of
//! its curves lie within the bounds that are stated to the library, as values that can be nothing else do. The target of a band is the
//! mean of these curves, before a bought ball moves any of them.

pub mod circle;
pub mod line;
pub mod process;
pub mod real;
pub mod surface;

use dpfda::prelude::*;
use ndarray::{Array1, Array2, ArrayView1, Axis};
use rand::RngExt;
use rand::rngs::ChaCha20Rng;

use crate::Fault;

/// The points of a curve.
pub const POINTS: usize = 61;

/// A population.
#[derive(Clone)]
pub struct Pool {
    /// The bounds that a user states.
    pub bounds: (f64, f64),
    pub mean: Array1<f64>,
    pub covariance: Array2<f64>,
    people: Array2<f64>,
}

impl Pool {
    /// The population of these curves, held within the bounds.
    pub fn of(bounds: (f64, f64), mut people: Array2<f64>) -> Self {
        people.mapv_inplace(|value| value.clamp(bounds.0, bounds.1));
        let count = people.nrows() as f64;
        let mean = people.sum_axis(Axis(0)) / count;
        let centred = &people - &mean;
        let covariance = centred.t().dot(&centred) / count;
        Self { bounds, mean, covariance, people }
    }

    /// People who deviate from a mean. What they deviate by on average is taken away, so that the mean of the population is as smooth as
    /// this one: it differs where curves are held within the bounds, and there alone.
    pub fn about(bounds: (f64, f64), mean: &Array1<f64>, deviations: Array2<f64>) -> Self {
        let average = deviations.sum_axis(Axis(0)) / deviations.nrows() as f64;
        Self::of(bounds, deviations - &average + mean)
    }

    /// The deviations of all people from the mean.
    pub fn deviations(&self) -> Array2<f64> {
        &self.people - &self.mean
    }

    /// The share of the people whose whole curves lie between two others.
    pub fn share_within(&self, lower: &Array1<f64>, upper: &Array1<f64>) -> f64 {
        let is_within = |person: &ArrayView1<'_, f64>| {
            person.iter().zip(lower.iter().zip(upper)).all(|(value, (lower, upper))| lower <= value && value <= upper)
        };
        self.people.rows().into_iter().filter(is_within).count() as f64 / self.people.nrows() as f64
    }

    /// So many people.
    pub fn drawn(&self, records: usize, generator: &mut ChaCha20Rng) -> Array2<f64> {
        let rows: Vec<usize> = (0..records).map(|_| generator.random_range(0..self.people.nrows())).collect();
        self.people.select(Axis(0), &rows)
    }

    /// The ball that a user states who knows the bounds alone.
    pub fn ball(&self) -> Result<Ball, Fault> {
        Ok(Ball::within(self.bounds.0, self.bounds.1)?)
    }
}
