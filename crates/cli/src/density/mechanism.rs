//! Which mechanism makes a density private: one arm for each, here and nowhere else.

use dpfda::density::{CellDraws, Cells, HistogramRelease, PiecewiseDensity, Points, SeriesRelease};
use dpfda::ledger::LedgerReference;
use dpfda::privacy::{Randomness, Spend};
use ndarray::Array2;

use super::{Plan, exponential, perturbed, series, smoothed};
use crate::arguments::DensityMechanism;
use crate::error::CliError;

/// Where the number of records is private, defaults are those for this number.
pub const RECORDS: u64 = 1000;

/// A release that can be written.
pub trait Document {
    /// The text of release.json.
    fn to_json(&self) -> serde_json::Result<String>;

    /// The same with its place in the ledger that paid for it.
    fn in_ledger(self: Box<Self>, reference: LedgerReference) -> Box<dyn Document>;
}

impl Document for HistogramRelease {
    fn to_json(&self) -> serde_json::Result<String> {
        Self::to_json(self)
    }

    fn in_ledger(self: Box<Self>, reference: LedgerReference) -> Box<dyn Document> {
        Box::new(HistogramRelease::in_ledger(*self, reference))
    }
}

impl Document for CellDraws {
    fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }

    fn in_ledger(self: Box<Self>, reference: LedgerReference) -> Box<dyn Document> {
        Box::new(CellDraws::in_ledger(*self, reference))
    }
}

impl Document for SeriesRelease {
    fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }

    fn in_ledger(self: Box<Self>, reference: LedgerReference) -> Box<dyn Document> {
        Box::new(SeriesRelease::in_ledger(*self, reference))
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
    /// Where these points are from, for the summary.
    pub synthetic_origin: &'static str,
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

impl Released {
    /// Drawn cells, and one point in each; what the mechanism says about them is left empty.
    pub fn of_draws<R: Randomness>(release: CellDraws, randomness: &mut R) -> Self {
        Self {
            software: release.software().to_owned(),
            density: release.empirical(),
            unmerged: None,
            synthetic: Some(release.points(randomness)),
            synthetic_origin: "the draws themselves, each uniform in its cell: their number is part of the mechanism",
            is_private: release.is_private(),
            records: release.records(),
            noisy_records: None,
            mu: None,
            name: "",
            mechanism: String::new(),
            cells: String::new(),
            noise: String::new(),
            notes: Vec::new(),
            release: Box::new(release),
        }
    }
}

/// A number of cells for the summary.
pub fn in_words(cells: &Cells) -> String {
    match cells.bounds().dimension() {
        1 => cells.count().to_string(),
        _ => format!("{} along each axis, {} in all", cells.per_axis(), cells.count()),
    }
}

/// Refuses what the mechanism will not do, without the data.
pub fn check(plan: &Plan) -> Result<(), CliError> {
    match plan.mechanism {
        DensityMechanism::Perturbed => perturbed::check(plan),
        DensityMechanism::Smoothed => smoothed::check(plan),
        DensityMechanism::Exponential => exponential::check(plan),
        DensityMechanism::Series => series::check(plan),
    }
}

/// What the mechanism costs, once it has refused what it would refuse of these points.
pub fn spend(plan: &Plan, points: &Points) -> Result<Spend, CliError> {
    match plan.mechanism {
        DensityMechanism::Perturbed => perturbed::spend(plan, points),
        DensityMechanism::Smoothed => smoothed::spend(plan, points),
        DensityMechanism::Exponential => exponential::spend(plan, points),
        DensityMechanism::Series => series::spend(plan, points),
    }
}

/// Runs the mechanism: **spends the budget**, unless it is refused.
pub fn released<R: Randomness>(plan: &Plan, points: &Points, randomness: &mut R) -> Result<Released, CliError> {
    match plan.mechanism {
        DensityMechanism::Perturbed => perturbed::released(plan, points, randomness),
        DensityMechanism::Smoothed => smoothed::released(plan, points, randomness),
        DensityMechanism::Exponential => exponential::released(plan, points, randomness),
        DensityMechanism::Series => series::released(plan, points, randomness),
    }
}
