//! The estimate of a released mean of irregular curves.

use std::ops::Range;

use dpfda_mechanism::{Fact, Release, rounded};
use dpfda_release::Rows;
use ndarray::Array1;

use super::Estimable;
use super::means::Banded;
use crate::band::Band;
use crate::error::AnalysisError;
use crate::estimate::document::EstimateDocument;
use crate::population::PopulationMean;
use crate::posterior::Posterior;
use crate::posterior::ladder::Ladder;
use crate::posterior::observed_rows::ObservedRows;

#[cfg(test)]
#[path = "of_rows_tests.rs"]
mod tests;

/// ```text
/// S_b = H_b P_b f + noise,    H_b released,   P_b the average over bin b,   f a posterior as for a mean
/// ```
///
/// The noise of the weights counts: see `docs/proofs/rows.md`. In a bought ball the prior is wider, and the band at least as wide as a second
/// opinion that knows the radius alone says. The population band has the sampling of people on top, for the largest
/// variance that the ball allows.
impl Estimable for Rows {
    type View = Release<Rows>;
    type Means = Banded<PopulationMean>;
    type Document = EstimateDocument;

    fn means(release: &Release<Rows>, band: &Band, level: f64) -> Result<Self::Means, AnalysisError> {
        let observed = ObservedRows::of(release);
        let ladder =
            if release.statistic().bought().is_some() { Ladder::in_a_bought_ball() } else { Ladder::default() };
        let posterior_with = |scales: &Array1<f64>| Posterior::new(observed.observation(scales)?, &ladder);
        let first = posterior_with(&observed.scales(None))?;
        // once more, with the noise that the weights bring in where the mean is far from the centre
        let scales = observed.scales(Some(&first));
        let mut posterior = posterior_with(&scales)?;
        posterior.beyond = observed.beyond(&posterior, &scales, release)?;
        let sampling = observed.sampling(&posterior, &scales)?;
        Banded::new(PopulationMean::of(posterior, sampling), band, level)
    }

    fn default_band(release: &Release<Rows>) -> Band {
        if ObservedRows::least_records(release) < 2.0 { Band::Posterior } else { Band::Population }
    }

    /// There the estimate is the prior and what the neighbouring bins say.
    fn unsupported(release: &Release<Rows>) -> Vec<Range<f64>> {
        let (statistic, sums) = (release.statistic(), Self::sums(release));
        let mut parts: Vec<Range<f64>> = Vec::new();
        for bin in (0..statistic.bins()).filter(|bin| !sums.is_supported(*bin)) {
            let (from, to) = statistic.ends_of_bin(bin);
            match parts.last_mut() {
                Some(last) if last.end == from => last.end = to,
                _ => parts.push(from..to),
            }
        }
        parts
    }

    fn facts_of_estimate(release: &Release<Rows>, mean: &Self::Means) -> Vec<Fact> {
        let mut facts = mean.facts();
        let parts = Self::unsupported(release);
        if !parts.is_empty() {
            let shown: Vec<String> =
                parts.iter().map(|part| format!("{} to {}", rounded(part.start), rounded(part.end))).collect();
            let text = format!(
                "The noisy count of people from {} cannot be told from 0: few were measured there, or the noise is large. There the estimate \
                 is what the prior and its neighbours say. Fewer bins hold more people each.",
                shown.join(", from ")
            );
            facts.push(Fact::new("NOTE", text));
        }
        facts
    }
}
