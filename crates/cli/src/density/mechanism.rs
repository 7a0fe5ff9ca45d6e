//! Which mechanism makes a density private: one arm for each, here and nowhere else.

use dpfda::density::{HistogramRelease, PiecewiseDensity, Points};
use dpfda::privacy::Randomness;
use ndarray::Array2;

use super::{Plan, perturbed};
use crate::arguments::DensityMechanism;
use crate::error::CliError;

/// A release that can be written.
pub trait Document {
    /// The text of release.json.
    fn to_json(&self) -> serde_json::Result<String>;
}

impl Document for HistogramRelease {
    fn to_json(&self) -> serde_json::Result<String> {
        Self::to_json(self)
    }
}

/// What a mechanism made. Everything in it is public.
pub struct Released {
    /// The version that made it.
    pub software: String,
    /// What release.json holds.
    pub release: Box<dyn Document>,
    /// What is shown.
    pub density: PiecewiseDensity,
    /// What was released, where its cells were merged afterwards.
    pub unmerged: Option<PiecewiseDensity>,
    /// One row for each point that was asked for.
    pub synthetic: Option<Array2<f64>>,
    /// Whether the noise was secret.
    pub is_private: bool,
    /// The number of records where it is public.
    pub records: Option<u64>,
    /// A noisy number of records, and its standard deviation, where that is all there is.
    pub noisy_records: Option<(f64, f64)>,
    /// The cost as that of Gaussian noise, where it is.
    pub mu: Option<f64>,
    /// The mechanism's name, for the figure.
    pub name: &'static str,
    /// The mechanism and its parameters, for the summary.
    pub mechanism: String,
    /// The cells and how they were found, for the summary.
    pub cells: String,
    /// What the noise did to the density, for the summary.
    pub noise: String,
    /// What is to be noted about this release.
    pub notes: Vec<String>,
}

/// Refuses what the mechanism will not do, without the data.
pub fn check(plan: &Plan) -> Result<(), CliError> {
    match plan.mechanism {
        DensityMechanism::Perturbed => perturbed::check(plan),
    }
}

/// Runs the mechanism: **spends the budget**, unless it is refused.
pub fn released<R: Randomness>(plan: &Plan, points: &Points, randomness: &mut R) -> Result<Released, CliError> {
    match plan.mechanism {
        DensityMechanism::Perturbed => perturbed::released(plan, points, randomness),
    }
}
