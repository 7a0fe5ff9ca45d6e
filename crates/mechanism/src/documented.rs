//! The one way from a release to its document and back.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::envelope::ReadError;
use crate::release::Release;
use crate::statistic::Statistic;

/// A statistic whose releases are documents of their own.
pub trait Documented: Statistic {
    /// Numbers that follow from a release, for readers.
    type Derived: Serialize + DeserializeOwned;

    /// The estimate that a reader of the release alone passes over: [`IgnoredAny`](serde::de::IgnoredAny) where documents may hold one, `()` where none do.
    type Estimate: DeserializeOwned;

    /// The numbers that follow from a release.
    fn derived(release: &Release<Self>) -> Self::Derived;

    /// Refuses a release that contradicts itself, and derived numbers that do not follow from it.
    fn consistent(release: &Release<Self>, derived: &Self::Derived) -> Result<(), ReadError>;
}

impl<S: Documented> Release<S> {
    /// The release as a JSON document.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        self.to_json_with(&S::derived(self), None::<&()>)
    }

    /// The release as a JSON document, with an estimate that was made of it.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json_with_estimate<E: Serialize>(&self, estimate: &E) -> Result<String, serde_json::Error> {
        self.to_json_with(&S::derived(self), Some(estimate))
    }

    /// Reads a release back, checking every constructor's rules and that the numbers agree with one another.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        Ok(Self::from_json_with_estimate::<S::Estimate>(json)?.0)
    }

    /// The same with the estimate of the document, where it has one, for a reader that knows how estimates are made.
    pub fn from_json_with_estimate<E: DeserializeOwned>(json: &str) -> Result<(Self, Option<E>), ReadError> {
        let (release, derived, estimate) = Self::from_json_with::<S::Derived, E>(json)?;
        S::consistent(&release, &derived)?;
        Ok((release, estimate))
    }
}
