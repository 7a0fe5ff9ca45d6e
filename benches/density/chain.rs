//! The exponential mechanism of Theorem 14 by a Markov chain: for this simulation alone, as the library refuses it.

use std::f64::consts::{PI, SQRT_2};

use dpfda::density::{CosineBasis, SeriesSensitivity};
use dpfda_reproduction::SymmetricBeta;
use rand::{Rng, RngExt};

use crate::Fault;

/// Proposals for every point.
const SWEEPS: usize = 300;

/// The law of `k` points proportional to `exp(-alpha xi / (2 Delta))`, with `xi` the distance of two cosine series.
pub struct Chain {
    records: usize,
    draws: usize,
    /// Terms of the series of the data, and of the points drawn.
    terms: (usize, usize),
    /// `alpha / (2 Delta)`.
    rate: f64,
}

impl Chain {
    /// `k = sqrt(n)`, `m_n = n^(1/(2 gamma + 1))`, `m_k = k^(1/(2 gamma + 1))` (WZ, (15), (16) and Theorem 14), `alpha = 1`.
    pub fn new(records: usize, gamma: f64) -> Result<Self, Fault> {
        let exponent = 1.0 / (2.0 * gamma + 1.0);
        let draws = rounded((records as f64).sqrt());
        let terms = (rounded((records as f64).powf(exponent)), rounded((draws as f64).powf(exponent)));
        let basis = CosineBasis::new(1, terms.0)?;
        let sensitivity = SeriesSensitivity::l2(&basis).bound / records as f64;
        Ok(Self { records, draws, terms, rate: 1.0 / (2.0 * sensitivity) })
    }

    /// `int (p^* - p)^2` of one draw; the chain begins at points of the density itself, or at uniform ones.
    pub fn squared_error<R: Rng>(&self, truth: SymmetricBeta, from_uniform: bool, randomness: &mut R) -> f64 {
        let data = truth.draw(self.records, 1, randomness);
        let target = means(data.iter().copied(), self.terms.0);
        let mut points: Vec<f64> = if from_uniform {
            (0..self.draws).map(|_| randomness.random()).collect()
        } else {
            truth.draw(self.draws, 1, randomness).iter().copied().collect()
        };
        let mut series = means(points.iter().copied(), self.terms.1);
        // the terms that the second series has not
        let rest: f64 = target[self.terms.1..].iter().map(|b| b * b).sum();
        let distance =
            |series: &[f64]| (series.iter().zip(&target).map(|(a, b)| (a - b).powi(2)).sum::<f64>() + rest).sqrt();
        let mut current = distance(&series);
        let mut proposed = series.clone();
        for step in 0..SWEEPS * self.draws {
            let place = step % self.draws;
            let x: f64 = randomness.random();
            for (j, (new, old)) in proposed.iter_mut().zip(&series).enumerate() {
                *new = old + (psi(j, x) - psi(j, points[place])) / self.draws as f64;
            }
            let next = distance(&proposed);
            if randomness.random::<f64>() < (self.rate * (current - next)).exp() {
                points[place] = x;
                current = next;
                std::mem::swap(&mut series, &mut proposed);
            }
        }
        squared_error(truth, &series)
    }
}

/// The error of a series that is not cut, with the terms that it has not: `int p^2 - 1 - sum beta^2 + sum (b - beta)^2`.
fn squared_error(truth: SymmetricBeta, series: &[f64]) -> f64 {
    let error = series.iter().enumerate().map(|(j, b)| b * (b - 2.0 * coefficient(j)));
    truth.squared_norm() - 1.0 + error.sum::<f64>()
}

/// `int psi_j p` for Beta(2, 2), `j` from 0: `-6 sqrt(2) (1 + (-1)^k) / (k pi)^2` for the frequency `k = j + 1`.
fn coefficient(j: usize) -> f64 {
    if j.is_multiple_of(2) { 0.0 } else { -12.0 * SQRT_2 / (PI * (j + 1) as f64).powi(2) }
}

fn psi(j: usize, x: f64) -> f64 {
    SQRT_2 * (PI * (j + 1) as f64 * x).cos()
}

fn means(points: impl ExactSizeIterator<Item = f64>, terms: usize) -> Vec<f64> {
    let count = points.len() as f64;
    let mut means = vec![0.0; terms];
    for x in points {
        means.iter_mut().enumerate().for_each(|(j, mean)| *mean += psi(j, x) / count);
    }
    means
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small and positive")]
fn rounded(x: f64) -> usize {
    x.round().max(1.0) as usize
}
