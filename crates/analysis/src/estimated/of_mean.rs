//! The estimate of a released mean.

use dpfda_mechanism::{Fact, rounded};
use dpfda_release::{Mean, MeanMechanism, MeanRelease};

use super::Estimable;
use super::means::Banded;
use crate::band::Band;
use crate::error::AnalysisError;
use crate::estimate::document::EstimateDocument;
use crate::population::{Population, PopulationMean};
use crate::posterior::Posterior;
use crate::posterior::observed::Observation;
use crate::posterior::outside::share_outside;

#[cfg(test)]
#[path = "of_mean_tests.rs"]
mod tests;

/// The sampling part of the band comes from the private second moments where the release has them and their count can be trusted, else
/// from the ball.
impl Estimable for Mean {
    type View = MeanRelease;
    type Means = Banded<PopulationMean>;
    type Document = EstimateDocument;

    fn means(release: &MeanRelease, band: &Band, level: f64) -> Result<Self::Means, AnalysisError> {
        Banded::new(PopulationMean::new(Observation::of(release)?, release.second_moments())?, band, level)
    }

    fn default_band(release: &MeanRelease) -> Band {
        if release.units() < 2.0 { Band::Posterior } else { Band::Population }
    }

    fn shown(release: MeanRelease, mean: &mut Self::Means) -> Result<MeanRelease, AnalysisError> {
        let (population, estimate) = mean.parts();
        let release = match &estimate.band {
            Band::Smoothed(smoother) if smoother != release.smoother() => release.smoothed(smoother)?,
            _ => release,
        };
        if matches!(estimate.band, Band::Smoothed(_)) {
            estimate.noise_sd = release.function().noise_sd().to_owned();
        }
        population.see_through(release.function().clone());
        Ok(release)
    }

    fn facts_of_estimate(release: &MeanRelease, mean: &Self::Means) -> Vec<Fact> {
        let coordinates = coordinates_in_words(release, mean.population().posterior());
        mean.facts().into_iter().chain(coordinates).collect()
    }
}

/// What an estimate from some coordinates alone leaves out, and what it takes their noise for.
fn coordinates_in_words(release: &MeanRelease, posterior: &Posterior) -> Option<Fact> {
    let basis = match release.coordinates_of_noise() {
        MeanMechanism::Coordinates(_) => release.statistic().map()?,
        _ => return None,
    };
    let number = basis.ncols();
    // a grid and a ladder that a posterior was solved for
    let share = rounded(100.0 * share_outside(release.grid(), basis, posterior.ladder()).ok()?);
    let text = format!(
        "the release holds {number} coordinates of the mean. Of the variance of the mean under the public prior, {share}% lies outside \
         them: there the estimate is what the prior makes of them, and the band allows for it. The noise has heavier tails than normal \
         noise. The estimate uses its variances, and not its exact likelihood"
    );
    Some(Fact::new("coordinates", text))
}
