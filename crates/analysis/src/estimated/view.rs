//! A release as readers see it: alone, or a mean through its smoother.

use std::fmt::Debug;

use dpfda_mechanism::{Documented, Fact, ReadError, Release, Statistic};
use dpfda_release::{Mean, MeanRelease};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A release as readers see it: alone, or a mean through its smoother.
pub trait View: Clone + Debug {
    /// What was released.
    type Statistic: Statistic;

    /// The release alone.
    fn drawn(&self) -> &Release<Self::Statistic>;

    /// What the release is, in words.
    fn facts(&self) -> Vec<Fact>;

    /// The JSON document of the release, with estimates where there are any.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    fn write(&self, estimates: Option<&impl Serialize>) -> Result<String, serde_json::Error>;

    /// A release from its document, with what that says of its estimates.
    fn read<E: DeserializeOwned>(json: &str) -> Result<(Self, Option<E>), ReadError>;
}

impl<S: Documented> View for Release<S> {
    type Statistic = S;

    fn drawn(&self) -> &Self {
        self
    }

    fn facts(&self) -> Vec<Fact> {
        self.facts()
    }

    fn write(&self, estimates: Option<&impl Serialize>) -> Result<String, serde_json::Error> {
        estimates.map_or_else(|| self.to_json(), |estimates| self.to_json_with_estimate(estimates))
    }

    fn read<E: DeserializeOwned>(json: &str) -> Result<(Self, Option<E>), ReadError> {
        Self::from_json_with_estimate(json)
    }
}

impl View for MeanRelease {
    type Statistic = Mean;

    fn drawn(&self) -> &Release<Mean> {
        self
    }

    fn facts(&self) -> Vec<Fact> {
        self.facts()
    }

    fn write(&self, estimates: Option<&impl Serialize>) -> Result<String, serde_json::Error> {
        estimates.map_or_else(|| self.to_json(), |estimates| self.to_json_with_estimate(estimates))
    }

    fn read<E: DeserializeOwned>(json: &str) -> Result<(Self, Option<E>), ReadError> {
        Self::from_json_with_estimate(json)
    }
}
