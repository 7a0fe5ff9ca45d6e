//! A released series, seen with a chosen number of terms.

use std::ops::Deref;

use dpfda_mechanism::{Fact, ReadError, Release, close, demand, rounded};
use dpfda_privacy::{Cosine, CosineBasis};
use serde::{Deserialize, Serialize};

use super::density::SeriesDensity;
use super::selection::SeriesSelection;
use super::statistic::{Series, SeriesTerms};
use crate::bounds::Bounds;
use crate::facts::{add_to, brief, law_in_words};

#[cfg(test)]
#[path = "release_tests.rs"]
mod tests;

/// Published coefficients of a series. Everything in it may be shown to anybody.
///
/// What was drawn, its guarantee and its provenance are those of the [`Release`] that it dereferences to.
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesRelease(Release<Series>);

impl From<Release<Series>> for SeriesRelease {
    fn from(release: Release<Series>) -> Self {
        Self(release)
    }
}

impl Deref for SeriesRelease {
    type Target = Release<Series>;

    fn deref(&self) -> &Release<Series> {
        &self.0
    }
}

impl SeriesRelease {
    /// The public bounds.
    pub fn bounds(&self) -> &Bounds {
        self.statistic().bounds()
    }

    /// The terms released.
    pub fn basis(&self) -> &CosineBasis {
        self.statistic().basis()
    }

    /// The noisy coefficients `b_k`, all that were released.
    pub fn coefficients(&self) -> Vec<f64> {
        let unit = self.unit_of_coefficients();
        self.coordinates().iter().map(|k| *k as f64 / unit).collect()
    }

    /// The standard deviation of the noise in each coefficient, the number of records taken as it is.
    pub fn noise_sd(&self) -> f64 {
        self.noise().variance(0).sqrt() / self.unit_of_coefficients()
    }

    /// The scale of the noise in each coefficient: `t / n` for Laplace noise, `sigma / n` for Gaussian.
    pub fn noise_scale(&self) -> f64 {
        self.noise().scale() / self.unit_of_coefficients()
    }

    /// Lattice steps to a coefficient of 1.
    fn unit_of_coefficients(&self) -> f64 {
        Cosine::STEPS as f64 * self.units()
    }

    /// Scores of all numbers of terms, from the noisy coefficients alone: at no cost.
    pub fn selection(&self) -> SeriesSelection {
        SeriesSelection::of(self.basis(), &self.coefficients(), self.noise_sd().powi(2), self.units())
    }

    /// The number of terms that are used: all that were released, or what [`SeriesRelease::selection`] chose.
    pub fn terms(&self) -> usize {
        match self.statistic().terms() {
            SeriesTerms::Given(_) | SeriesTerms::Smoothness(_) => self.basis().terms(),
            SeriesTerms::ChosenUpTo(_) => self.selection().chosen,
        }
    }

    /// The density with [`SeriesRelease::terms`] terms.
    pub fn density(&self) -> SeriesDensity {
        self.density_with(self.terms())
    }

    /// The density with the first so many terms, at most all: at no cost.
    pub fn density_with(&self, terms: usize) -> SeriesDensity {
        let basis = self.basis().first(terms);
        let mut coefficients = self.coefficients();
        coefficients.truncate(terms);
        coefficients.resize(basis.terms(), 0.0);
        SeriesDensity::on(self.bounds().clone(), basis, coefficients)
    }

    /// What the release is, in words; see [`Release::facts`]. The noise and the terms that are used are added.
    pub fn facts(&self) -> Vec<Fact> {
        let mut facts = self.0.facts();
        let noise = format!("; {}; the first {} terms are used", law_in_words(self.noise()), self.terms());
        add_to(&mut facts, "mechanism", &noise);
        let terms = self.basis().terms();
        brief(
            &mut facts,
            "mechanism",
            format!("{} on {terms} coefficients of a cosine series", law_in_words(self.noise())),
        );
        let shown = format!("the cosine series of the first {} terms, negative parts cut", self.terms());
        facts.push(Fact::new("estimate", shown.clone()).briefly(shown));
        let reach = format!("standard deviation of the privacy noise in a coefficient: {}", rounded(self.noise_sd()));
        let noise = format!(
            "{reach}; it tells how far the release is from the series of \
             these very points, not from a population's density"
        );
        facts.push(Fact::new("noise", noise).briefly(reach));
        facts
    }

    /// The release as a JSON document, with its coefficients.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        self.0.to_json_with(&SeriesDerived::of(self), None::<&()>)
    }

    /// Reads a release back, checking every constructor's rules and that the numbers agree with one another.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        let (release, derived, _) = Release::<Series>::from_json_with::<SeriesDerived, ()>(json)?;
        let (basis, rule) = (release.statistic().basis(), release.statistic().terms());
        let by_rule = rule.number(basis.dimension(), release.public_records());
        demand("statistic.basis", by_rule == Ok(basis.terms()))?;
        let release = Self(release);
        derived.check(&release)?;
        Ok(release)
    }
}

/// Numbers that follow from a release, for readers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeriesDerived {
    terms_used: usize,
    noise_scale: f64,
    noise_sd: f64,
    coefficients: Vec<f64>,
}

impl SeriesDerived {
    fn of(release: &SeriesRelease) -> Self {
        Self {
            terms_used: release.terms(),
            noise_scale: release.noise_scale(),
            noise_sd: release.noise_sd(),
            coefficients: release.coefficients(),
        }
    }

    /// Numbers that can be derived from the rest must be what they should be, up to another machine's rounding.
    fn check(&self, release: &SeriesRelease) -> Result<(), ReadError> {
        let derived = Self::of(release);
        let size = derived.coefficients.iter().fold(derived.noise_sd, |size, b| size.max(b.abs()));
        let equal_length = self.coefficients.len() == derived.coefficients.len();
        let all_close = self.coefficients.iter().zip(&derived.coefficients).all(|(a, b)| close(*a, *b, size));
        demand("derived.coefficients", equal_length && all_close)?;
        demand("derived.noise_scale", close(self.noise_scale, derived.noise_scale, derived.noise_scale))?;
        demand("derived.noise_sd", close(self.noise_sd, derived.noise_sd, derived.noise_sd))?;
        demand("derived.terms_used", self.terms_used == derived.terms_used)
    }
}
