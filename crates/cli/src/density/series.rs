//! `--mechanism series` and `series-exponential`: noise on the coefficients of an orthogonal series.

use dpfda::density::SeriesRelease;
use dpfda::plotting::captions;
use dpfda_study::MechanismName;

use super::plan::Plan;
use super::released::{Released, after, in_words};
use crate::error::CliError;
use crate::summary::rounded;

/// The series, with the number of terms of the smallest estimated risk.
pub fn released(plan: &Plan, release: &SeriesRelease) -> Result<Released, CliError> {
    let cells = plan.cells_of_series()?;
    let density = release.density();
    let (document, records) = (release.to_json()?, release.public_records());
    Ok(Released {
        software: release.software().to_owned(),
        captions: captions(&release.facts()).collect(),
        unmerged: None,
        synthetic: plan.draws.map(|count| density.draw(count, &mut after(&document))),
        synthetic_origin: "drawn from the released density at no cost in privacy",
        is_private: release.is_private(),
        records,
        // a noisy number of records has the noise of the coefficient of the constant term
        noisy_records: records.is_none().then(|| (release.units(), release.noise_sd() * release.units())),
        mu: None,
        probability_sd: None,
        name: if is_exponential(plan) { "orthogonal series, exponential mechanism" } else { "orthogonal series" },
        mechanism: mechanism_in_words(plan, release),
        cells: format!("{}: the resolution of release.csv and of the figure; the release has none", in_words(&cells)),
        noise: noise(release),
        notes: notes(release),
        density: density.piecewise(cells.per_axis())?,
        document,
    })
}

fn is_exponential(plan: &Plan) -> bool {
    plan.mechanism == MechanismName::SeriesExponential
}

fn mechanism_in_words(plan: &Plan, release: &SeriesRelease) -> String {
    let (law, theorem) = match (is_exponential(plan), plan.budget.delta() == 0.0) {
        (true, _) => ("K-norm", "after Theorem 14: the exponential mechanism on all coefficients together"),
        (false, true) => ("discrete Laplace", "Theorem 15, the scale of its noise corrected"),
        (false, false) => ("rounded normal", "Theorem 15, the scale of its noise corrected"),
    };
    format!(
        "orthogonal series on the cosine basis (Wasserman and Zhou 2010, {theorem}): \
         exact {law} noise on {} coefficients, of which the first {} are used, the number with the smallest estimated risk, \
         by the noisy coefficients alone and so at no cost in privacy; negative parts are then cut",
        release.basis().terms(),
        release.terms(),
    )
}

fn noise(release: &SeriesRelease) -> String {
    format!(
        "standard deviation of the privacy noise in a coefficient: {}; it tells how far the release is from the series of \
         these very points, not from a population's density",
        rounded(release.noise_sd())
    )
}

fn notes(release: &SeriesRelease) -> Vec<String> {
    let note = if release.terms() == 0 {
        "no number of terms was worth its noise, so the released density is uniform. More people or a larger budget would \
         help."
    } else if release.terms() == release.basis().terms() {
        "all terms were used, so more of them might show more: --mechanism perturbed has no such limit."
    } else {
        return Vec::new();
    };
    vec![note.to_owned()]
}
