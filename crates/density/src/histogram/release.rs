//! A released histogram, seen on cells of a chosen size.

use std::ops::Deref;

use dpfda_mechanism::{Fact, ReadError, Release, close, demand, rounded};
use serde::{Deserialize, Serialize};

use super::HistogramError;
use super::risk::{MergedRisk, NoisyTotal, merge};
use super::statistic::Histogram;
use crate::cells::Cells;
use crate::facts::{add_to, brief, law_in_words};
use crate::piecewise::PiecewiseDensity;

#[cfg(test)]
#[path = "release_tests.rs"]
mod tests;

/// A published histogram on cells that may be merged. Everything in it may be shown to anybody.
///
/// The cells that are shown are a view: [`HistogramRelease::merged`] changes them at no cost. What was drawn, its guarantee and
/// its provenance are those of the [`Release`] that it dereferences to.
#[derive(Debug, Clone, PartialEq)]
pub struct HistogramRelease {
    release: Release<Histogram>,
    density: PiecewiseDensity,
}

impl From<Release<Histogram>> for HistogramRelease {
    fn from(release: Release<Histogram>) -> Self {
        let density = density(release.statistic().cells().clone(), noisy_counts(&release));
        Self { release, density }
    }
}

impl Deref for HistogramRelease {
    type Target = Release<Histogram>;

    fn deref(&self) -> &Release<Histogram> {
        &self.release
    }
}

impl HistogramRelease {
    /// The released density: noisy counts, merged if they were, cut at 0 and divided by their sum; uniform if none is left.
    pub fn density(&self) -> &PiecewiseDensity {
        &self.density
    }

    /// The same release shown with so many cells along each axis, each the union of released ones: at no cost.
    ///
    /// Noisy counts are merged before negative ones are cut, so their noise cancels.
    pub fn merged(&self, per_axis: usize) -> Result<Self, HistogramError> {
        let finest = self.cells().per_axis();
        let (cells, sums) = merge(self.cells(), &self.noisy_counts(), per_axis)
            .ok_or(HistogramError::NotADivisor { per_axis, finest })?;
        Ok(Self { release: self.release.clone(), density: density(cells, sums) })
    }

    /// The same release shown with the cells of the smallest estimated risk: at no cost, since only noisy counts are seen.
    #[must_use]
    pub fn merged_by_risk(&self) -> Self {
        let best = self.risks().into_iter().reduce(|best, next| if next.risk < best.risk { next } else { best });
        best.and_then(|best| self.merged(best.per_axis).ok()).unwrap_or_else(|| self.clone())
    }

    /// Estimates of the integrated squared error of every histogram on merged cells, from coarse to fine.
    ///
    /// ```text
    /// E risk = E int (D_A / (n V_A) - p)^2 - int p^2
    /// ```
    ///
    /// over independent records with density `p` and over the noise: unbiased, from the noisy counts and the known variance
    /// of their noise alone. It speaks of the noisy histogram before negative counts are cut. Under add/remove-one, with a
    /// Poisson number of records in place of `n`, it is so up to a factor that all candidates share.
    pub fn risks(&self) -> Vec<MergedRisk> {
        let counts = self.noisy_counts();
        let noise = NoisyTotal {
            records: self.public_records(),
            total: counts.iter().sum(),
            variance: self.noise_sd().powi(2) * self.cells().count() as f64,
        };
        noise.risks(self.cells(), &counts)
    }

    /// The noisy count of each released cell, in records; a count may be negative, and under normal noise is no whole number.
    pub fn noisy_counts(&self) -> Vec<f64> {
        noisy_counts(&self.release)
    }

    /// The cells that were released: the finest that [`HistogramRelease::density`] can show.
    pub fn cells(&self) -> &Cells {
        self.statistic().cells()
    }

    /// The standard deviation of the noise in each count, in records.
    pub fn noise_sd(&self) -> f64 {
        self.noise().variance(0).sqrt() / steps(&self.release)
    }

    /// The standard deviation of the noise in the probability of a shown cell, the number of records taken as it is.
    pub fn probability_sd(&self) -> f64 {
        let sd_of_shown = self.noise_sd() * (self.cells().count() as f64 / self.density.cells().count() as f64).sqrt();
        let total = || self.noisy_counts().iter().sum::<f64>().max(1.0);
        sd_of_shown / self.public_records().map_or_else(total, |records| records as f64)
    }

    /// What the release is, in words; see [`Release::facts`]. The noise and the cells that are shown are added.
    pub fn facts(&self) -> Vec<Fact> {
        let mut facts = self.release.facts();
        let (shown, finest) = (self.density.cells(), self.cells());
        let noise = format!("; {} of standard deviation {}", law_in_words(self.noise()), rounded(self.noise_sd()));
        add_to(&mut facts, "mechanism", &noise);
        brief(
            &mut facts,
            "mechanism",
            format!("{} on the number of points in each of {finest}", law_in_words(self.noise())),
        );
        let total: f64 = self.noisy_counts().iter().sum();
        if self.public_records().is_none() {
            let sd = self.noise_sd() * (finest.count() as f64).sqrt();
            let noisy = format!(
                "; the noisy counts add up to {}\u{a0}+-\u{a0}{sd:.1} (noise standard deviation)",
                rounded(total)
            );
            add_to(&mut facts, "unit", &noisy);
        }
        let merged = if shown == finest { String::new() } else { format!(", merged from {finest}") };
        facts.push(
            Fact::new("cells", format!("{shown}{merged}"))
                .briefly(format!("a density that is constant on each of {shown}")),
        );
        let brief = format!(
            "standard deviation of the privacy noise in the probability of a cell: {}",
            rounded(self.probability_sd())
        );
        let noise = format!(
            "{brief}; it tells how far the release is from the \
             histogram of these very points, not from a population's density"
        );
        facts.push(Fact::new("noise", noise).briefly(brief));
        facts
    }

    /// The release as a JSON document, with the probabilities of the cells that are shown.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        self.release.to_json_with(&HistogramDerived::of(self), None::<&()>)
    }

    /// Reads a release back, checking every constructor's rules and that the numbers agree with one another.
    ///
    /// This finds damage and contradictions, not forgery: sign a release if its origin must be proved.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        let (release, derived, _) = Release::from_json_with::<HistogramDerived, ()>(json)?;
        demand("privacy.records", release.public_records().is_none_or(|records| may_count(&release, records)))?;
        let shown = Self::from(release).merged(derived.cells_per_axis);
        let shown = shown.map_err(|_| ReadError::Contradiction { field: "derived.cells_per_axis" })?;
        derived.check(&shown)?;
        Ok(shown)
    }
}

/// Whether so many records may be in the cells as the noisy counts say.
///
/// The noise of `m` cells adds up to more than `10 sqrt(m) + 40` standard deviations of one with probability below 1e-18: by
/// `E exp(l X) = 1 / (1 - l^2 b^2)` for Laplace noise of scale `b = sd / sqrt(2)`, with `l b` = .9 for few cells and .5 for many; normal
/// noise has lighter tails.
fn may_count(release: &Release<Histogram>, records: u64) -> bool {
    let counts = noisy_counts(release);
    let sd = release.noise().variance(0).sqrt() / steps(release);
    let farthest = (10.0 * (counts.len() as f64).sqrt() + 40.0) * sd;
    (counts.iter().sum::<f64>() - records as f64).abs() <= farthest
}

fn steps(release: &Release<Histogram>) -> f64 {
    release.mechanism().body().steps() as f64
}

fn noisy_counts(release: &Release<Histogram>) -> Vec<f64> {
    let steps = steps(release);
    release.coordinates().iter().map(|noisy| *noisy as f64 / steps).collect()
}

/// Clamps the counts at 0 and divides by their sum.
fn density(cells: Cells, mut counts: Vec<f64>) -> PiecewiseDensity {
    for count in &mut counts {
        *count = count.max(0.0);
    }
    PiecewiseDensity::proportional_to(cells, counts)
}

/// What the noisy counts were made into, for readers; the cells may be merged ones.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HistogramDerived {
    /// Lattice steps to one record.
    steps_to_record: i64,
    /// In records.
    noise_sd: f64,
    cells_per_axis: usize,
    probabilities: Vec<f64>,
}

impl HistogramDerived {
    fn of(release: &HistogramRelease) -> Self {
        Self {
            steps_to_record: release.mechanism().body().steps(),
            noise_sd: release.noise_sd(),
            cells_per_axis: release.density.cells().per_axis(),
            probabilities: release.density.probabilities().to_vec(),
        }
    }

    /// Numbers that can be derived from the rest must be what they should be, up to another machine's rounding.
    fn check(&self, release: &HistogramRelease) -> Result<(), ReadError> {
        let derived = release.density.probabilities();
        let largest = derived.iter().fold(0.0_f64, |largest, q| largest.max(*q));
        let all_close = derived.iter().zip(&self.probabilities).all(|(a, b)| close(*a, *b, largest));
        demand("derived.steps_to_record", self.steps_to_record == release.mechanism().body().steps())?;
        demand("derived.noise_sd", close(self.noise_sd, release.noise_sd(), release.noise_sd()))?;
        demand("derived.probabilities", derived.len() == self.probabilities.len() && all_close)
    }
}
