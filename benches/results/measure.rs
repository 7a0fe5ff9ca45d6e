//! What is measured on one release, its average over many, and how many releases run on two threads.

use std::sync::atomic::{AtomicUsize, Ordering};

use dpfda::prelude::*;
use dpfda::release::Mean;
use ndarray::ArrayView1;

use crate::oracle::mean_square;
use crate::{Fault, parallel};

/// Releases that one thread makes before it takes other work.
const CHUNK: usize = 20;
/// Half-width of a pointwise 95% interval, in standard deviations.
const POINTWISE: f64 = 1.96;

/// How many releases a cell has: what `DPFDA_RELEASES` says, for a quick look, or the number given.
pub fn releases(usual: usize) -> usize {
    std::env::var("DPFDA_RELEASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// What a release is compared with.
pub struct Truth<'a> {
    /// The raw mean of the people in the release.
    pub people: ArrayView1<'a, f64>,
    /// The mean of the population that they come from.
    pub population: ArrayView1<'a, f64>,
}

/// What one release gave.
#[derive(Debug, Clone, Copy)]
pub struct Outcome {
    /// Squared L2 distance of the estimate from the raw mean of the people.
    pub squared_error: f64,
    /// The share of points at which estimate and posterior sd hold the raw mean of the people.
    pub people: f64,
    /// The share of points at which the pointwise interval of the default band holds the mean of the population.
    pub population: f64,
    /// 1 if the default band holds the whole mean of the population, else 0.
    pub held: f64,
    /// The average half-width of the default band.
    pub half_width: f64,
}

impl Outcome {
    pub fn of(estimated: &Estimated<Mean>, truth: &Truth<'_>) -> Result<Self, Fault> {
        let estimate = estimated.estimate();
        let grid = estimated.grid().to_unit()?;
        let values = estimated.posterior().values();
        let half = (&estimate.upper - &estimate.lower) / 2.0;
        Ok(Self {
            squared_error: mean_square(&grid, (&values - &truth.people).view()),
            people: share_within((&values - &truth.people).view(), (&estimate.posterior_sd * POINTWISE).view()),
            population: share_within(
                (&values - &truth.population).view(),
                (&half * (POINTWISE / estimate.critical)).view(),
            ),
            held: holds(estimated, truth.population),
            half_width: grid.integrate(half.view()),
        })
    }
}

/// 1 if the band of an estimate holds a whole curve, else 0.
pub fn holds(estimated: &Estimated<Mean>, curve: ArrayView1<'_, f64>) -> f64 {
    let band = estimated.estimate();
    let within = curve.iter().zip(&band.lower).zip(&band.upper).all(|((x, lower), upper)| (lower..=upper).contains(&x));
    f64::from(u8::from(within))
}

fn share_within(differences: ArrayView1<'_, f64>, reach: ArrayView1<'_, f64>) -> f64 {
    let within = differences.iter().zip(reach).filter(|(difference, reach)| difference.abs() <= **reach).count();
    within as f64 / differences.len() as f64
}

/// A mean with its standard error.
#[derive(Debug, Clone, Copy)]
pub struct Average {
    pub mean: f64,
    pub error: f64,
}

impl Average {
    pub fn of<T>(items: &[T], number: impl Fn(&T) -> f64) -> Self {
        let count = items.len() as f64;
        let mean = items.iter().map(&number).sum::<f64>() / count;
        let variance = items.iter().map(|item| (number(item) - mean).powi(2)).sum::<f64>() / count;
        Self { mean, error: (variance / count).sqrt() }
    }

    /// The root, with the standard error to first order.
    pub fn root(self) -> Self {
        let mean = self.mean.sqrt();
        Self { mean, error: self.error / (2.0 * mean) }
    }

    pub fn over(self, unit: f64) -> Self {
        Self { mean: self.mean / unit, error: self.error / unit }
    }

    /// The mean, its standard error in brackets.
    pub fn text(self, digits: usize) -> String {
        format!("{:.digits$} ({:.digits$})", self.mean, self.error)
    }
}

/// What `run` gives for each cell and each of so many seeds, on two threads; the numbers do not depend on the order. The last
/// cells are begun first: let them be the long ones.
pub fn over_cells<C: Sync, T: Send>(
    name: &str,
    cells: &[C],
    releases: usize,
    run: impl Fn(&C, u64) -> Result<T, Fault> + Sync,
) -> Result<Vec<Vec<T>>, Fault> {
    let chunks = releases.div_ceil(CHUNK);
    let (all, done, run) = (chunks * cells.len(), AtomicUsize::new(0), &run);
    let mut tasks = Vec::with_capacity(all);
    for (index, cell) in cells.iter().enumerate() {
        for chunk in 0..chunks {
            let (first, end) = (chunk * CHUNK, releases.min((chunk + 1) * CHUNK));
            let done = &done;
            tasks.push(move || {
                let results: Result<Vec<T>, Fault> =
                    (first..end).map(|release| run(cell, (index * 1_000_000 + release) as u64)).collect();
                let before = done.fetch_add(1, Ordering::Relaxed);
                if 20 * (before + 1) / all > 20 * before / all {
                    eprintln!("{name}: {}%", 100 * (before + 1) / all);
                }
                results
            });
        }
    }
    let mut results = parallel::all(tasks).into_iter();
    let mut cell = || -> Result<Vec<T>, Fault> {
        let own: Result<Vec<Vec<T>>, Fault> = results.by_ref().take(chunks).collect();
        Ok(own?.into_iter().flatten().collect())
    };
    cells.iter().map(|_| cell()).collect()
}
