//! `--mechanism perturbed`: noise on the count of every cell.

use dpfda::density::{HistogramRelease, PerturbedHistogram};
use dpfda::plotting::captions;
use dpfda::privacy::{Noise, PrivacyBudget};

use super::plan::Plan;
use super::released::{Released, after, in_words};
use crate::error::CliError;
use crate::summary::{exact, rounded};

/// The histogram; with the cells of the smallest estimated risk where none were given.
pub fn released(plan: &Plan, release: &HistogramRelease) -> Result<Released, CliError> {
    let shown = if plan.cells.is_some() { release.clone() } else { release.merged_by_risk() };
    let density = shown.density().clone();
    let is_merged = density.cells() != release.cells();
    let finest = release.cells().count() as f64;
    let (document, records) = (shown.to_json()?, shown.public_records());
    Ok(Released {
        software: shown.software().to_owned(),
        captions: captions(&shown.facts()).collect(),
        unmerged: is_merged.then(|| release.density().clone()),
        synthetic: plan.draws.map(|count| density.draw(count, &mut after(&document))),
        synthetic_origin: "drawn from the released density at no cost in privacy",
        is_private: shown.is_private(),
        records,
        noisy_records: records.is_none().then(|| (total(&shown), shown.noise_sd() * finest.sqrt())),
        mu: shown.privacy().map(|privacy| privacy.mu()),
        probability_sd: Some(shown.probability_sd()),
        name: "perturbed histogram",
        mechanism: mechanism(&shown),
        cells: cells(plan, &shown),
        noise: noise(&shown),
        notes: notes(plan, &shown),
        density,
        document,
    })
}

/// The sum of the noisy counts.
fn total(release: &HistogramRelease) -> f64 {
    release.noisy_counts().iter().sum()
}

fn mechanism(release: &HistogramRelease) -> String {
    let law = match release.noise() {
        Noise::DiscreteLaplace(_) => "discrete Laplace",
        _ => "rounded normal",
    };
    format!(
        "perturbed histogram (Wasserman and Zhou 2010, Theorem 8): exact {law} noise of standard deviation {} on the \
         number of records in each of {} cells; negative counts are then set to 0 and all are divided by their sum",
        rounded(release.noise_sd()),
        release.cells().count(),
    )
}

fn cells(plan: &Plan, release: &HistogramRelease) -> String {
    let (shown, finest) = (release.density().cells(), release.cells().per_axis());
    let count = in_words(shown);
    if plan.cells.is_some() {
        return format!("{count}, as given");
    }
    format!(
        "{count}; of the numbers that divide the {finest} released, the one with the smallest estimated risk, by the noisy \
         counts alone and so at no cost in privacy"
    )
}

fn noise(release: &HistogramRelease) -> String {
    format!(
        "standard deviation of the privacy noise in the probability of a cell: {}; it tells how far the release is from \
         the histogram of these very points, not from a population's density",
        rounded(release.probability_sd())
    )
}

fn notes(plan: &Plan, release: &HistogramRelease) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(smaller_without_delta(plan, release));
    let is_drowned = release.probability_sd() > 1.0 / release.density().cells().count() as f64;
    if !is_drowned && plan.cells.is_none() && release.density().cells() == release.cells() {
        notes.push(format!(
            "the finest of the numbers of cells tried was chosen, so a larger one might show more: --cells, with more than \
             {} along each axis.",
            release.cells().per_axis()
        ));
    }
    notes
}

/// Normal noise is larger than Laplace noise unless delta is.
fn smaller_without_delta(plan: &Plan, release: &HistogramRelease) -> Option<String> {
    if plan.budget.delta() == 0.0 {
        return None;
    }
    let pure = PrivacyBudget::new(plan.budget.epsilon(), 0.0).ok()?;
    let noise = PerturbedHistogram::new(release.cells().clone(), pure).neighbours(plan.neighbours).noise().ok()?;
    let sd = noise.variance(0).sqrt();
    (sd < release.noise_sd()).then(|| {
        format!(
            "with a delta of 0 the guarantee would be stronger and the noise smaller: standard deviation {} in place of {}. \
             A delta of {} pays only where many such releases are composed.",
            rounded(sd),
            rounded(release.noise_sd()),
            exact(plan.budget.delta())
        )
    })
}
