//! A released mean of irregular curves with its provenance.

use std::ops::Deref;

use dpfda_mechanism::{Digest, Fact, ReadError, Release, Stored, close, demand};
use dpfda_privacy::{Law, Spend};
use ndarray::Array1;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use crate::bought::Bought;
use crate::occupancy::Occupancy;
use crate::prepared_in_ball::stored;

/// A bin is supported where its weight is so many standard deviations of its noise.
const SUPPORTED: f64 = 2.0;

/// The published sums of weighted values and of weights. Everything in it may be shown to anybody.
///
/// What was drawn, its guarantee and its provenance are those of the [`Release`] that it dereferences to.
#[derive(Debug, Clone, PartialEq)]
pub struct OccupancyRelease(Release<Occupancy>);

/// The noisy sums by bin.
#[derive(Debug, Clone, PartialEq)]
pub struct NoisySums {
    /// `S + noise`: the weighted values about the centre, in units of the data.
    pub values: Array1<f64>,
    /// The standard deviation of the noise of each value.
    pub values_sd: f64,
    /// `H + noise`: the weights.
    pub weights: Array1<f64>,
    /// The standard deviation of the noise of each weight.
    pub weights_sd: f64,
}

impl NoisySums {
    /// Whether a bin's weight stands out from its noise: by more than 2 standard deviations. In other bins the release says next to
    /// nothing.
    pub fn is_supported(&self, bin: usize) -> bool {
        self.weights.get(bin).is_some_and(|weight| *weight > SUPPORTED * self.weights_sd)
    }
}

impl From<Release<Occupancy>> for OccupancyRelease {
    fn from(release: Release<Occupancy>) -> Self {
        Self(release)
    }
}

impl Deref for OccupancyRelease {
    type Target = Release<Occupancy>;

    fn deref(&self) -> &Release<Occupancy> {
        &self.0
    }
}

impl OccupancyRelease {
    /// The noisy sums, in units of the data.
    pub fn sums(&self) -> NoisySums {
        let (of_values, of_weights) = self.statistic().steps();
        let (values, weights) = self.coordinates().split_at(self.statistic().bins());
        let sd = self.noise().variance(0).sqrt();
        let scaled = |of: &[i64], step: f64| of.iter().map(|k| *k as f64 * step).collect();
        NoisySums {
            values: scaled(values, of_values),
            values_sd: sd * of_values,
            weights: scaled(weights, of_weights),
            weights_sd: sd * of_weights,
        }
    }

    /// What was spent, with what its radius cost where that was bought.
    pub fn spend(&self) -> Spend {
        Bought::spend_of(&self.0)
    }

    /// The digest of the plan that was asked for: in the stated ball, where the radius was bought.
    pub fn plan(&self) -> Digest {
        Bought::plan_of(&self.0)
    }

    /// What a ledger stores of it.
    pub fn stored(&self) -> Stored {
        stored(&self.0)
    }

    /// What the release is, in words; see [`Release::facts`].
    pub fn facts(&self) -> Vec<Fact> {
        Bought::facts_of(&self.0)
    }

    /// The release as a JSON document.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        self.0.to_json_with(Some(&OccupancyDerived::of(self)))
    }

    /// The release as a JSON document, with an estimate that was made of it.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json_with_estimate<E: Serialize>(&self, estimate: &E) -> Result<String, serde_json::Error> {
        self.0.to_json_with_estimate(&OccupancyDerived::of(self), estimate)
    }

    /// Reads a release back, checking every constructor's rules and that the numbers agree with one another.
    ///
    /// # Errors
    /// [`ReadError`] with the reason.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        Ok(Self::from_json_with_estimate::<IgnoredAny>(json)?.0)
    }

    /// The same with the estimate of the document, where it has one, for a reader that knows how estimates are made.
    ///
    /// # Errors
    /// [`ReadError`]
    pub fn from_json_with_estimate<E: DeserializeOwned>(json: &str) -> Result<(Self, Option<E>), ReadError> {
        let (release, derived, estimate) = Release::<Occupancy>::from_json_with_estimate::<OccupancyDerived, E>(json)?;
        let is_whole = matches!(release.mechanism().law(), Law::Gaussian { share, .. } if share.is_whole());
        demand("noise.law", matches!(release.mechanism().law(), Law::Gaussian { .. }))?;
        let ball_fits = release.statistic().bought().map_or(is_whole, |bought| bought.belongs_to(&release));
        demand("statistic.bought", ball_fits)?;
        let is_stated = release.statistic().bought().is_none();
        demand("statistic.ball.bounds", !is_stated || release.statistic().ball().is_of_its_bounds())?;
        let release = Self(release);
        derived.ok_or(ReadError::Contradiction { field: "derived" })?.check(&release)?;
        Ok((release, estimate))
    }
}

/// The sums in units of the data, for readers.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OccupancyDerived {
    values: Vec<f64>,
    values_sd: f64,
    weights: Vec<f64>,
    weights_sd: f64,
    /// Whether the weight of each bin stands out from its noise.
    supported: Vec<bool>,
}

impl OccupancyDerived {
    fn of(release: &OccupancyRelease) -> Self {
        let sums = release.sums();
        let supported = (0..sums.weights.len()).map(|bin| sums.is_supported(bin)).collect();
        let NoisySums { values, values_sd, weights, weights_sd } = sums;
        Self { values: values.to_vec(), values_sd, weights: weights.to_vec(), weights_sd, supported }
    }

    fn check(&self, release: &OccupancyRelease) -> Result<(), ReadError> {
        let derived = Self::of(release);
        let same = |a: f64, b: f64| close(a, b, b.abs());
        let all = |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(*a, *b));
        demand("derived.values", all(&self.values, &derived.values) && same(self.values_sd, derived.values_sd))?;
        demand("derived.weights", all(&self.weights, &derived.weights) && same(self.weights_sd, derived.weights_sd))?;
        // a weight at the very edge of its noise may fall on its other side on another machine
        let at_edge = |weight: f64| same(weight, SUPPORTED * derived.weights_sd);
        let told = self.supported.iter().zip(&derived.supported).zip(&derived.weights);
        let is_told = self.supported.len() == derived.supported.len()
            && told.into_iter().all(|((told, is), weight)| told == is || at_edge(*weight));
        demand("derived.supported", is_told)
    }
}
