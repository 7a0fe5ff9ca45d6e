//! What a mechanism made of points. Everything in it is public.

use dpfda::density::{CellDraws, Cells, PiecewiseDensity};
use dpfda::mechanism::Digest;
use dpfda::plotting::captions;
use dpfda::privacy::SeededRandomness;
use ndarray::Array2;

use crate::error::CliError;

/// What a mechanism made. Everything in it is public.
pub struct Released {
    /// The version that made it.
    pub software: String,
    /// What release.json holds.
    pub document: String,
    /// The words of its caption.
    pub captions: Vec<String>,
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
    /// The standard deviation of the privacy noise in the probability of a cell, where each cell has noise of its own.
    pub probability_sd: Option<f64>,
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
    pub fn of_draws(release: &CellDraws) -> Result<Self, CliError> {
        let document = release.to_json()?;
        Ok(Self {
            software: release.software().to_owned(),
            captions: captions(&release.facts()).collect(),
            density: release.empirical(),
            unmerged: None,
            synthetic: Some(release.points(&mut after(&document))),
            synthetic_origin: "the draws themselves, each uniform in its cell: their number is part of the mechanism",
            is_private: release.is_private(),
            records: release.public_records(),
            noisy_records: None,
            mu: None,
            probability_sd: None,
            name: "",
            mechanism: String::new(),
            cells: String::new(),
            noise: String::new(),
            notes: Vec::new(),
            document,
        })
    }
}

/// The generator of synthetic points: a function of the release, so that a release always has the same ones.
pub fn after(document: &str) -> SeededRandomness {
    let digest = Digest::of(document.as_bytes()).to_string();
    SeededRandomness::from_seed(u64::from_str_radix(&digest[..16], 16).unwrap_or_default())
}

/// A number of cells for the summary.
pub fn in_words(cells: &Cells) -> String {
    match cells.bounds().dimension() {
        1 => cells.count().to_string(),
        _ => format!("{} along each axis, {} in all", cells.per_axis(), cells.count()),
    }
}
