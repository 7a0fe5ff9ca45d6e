//! The one form that every document of a release has.
//!
//! ```text
//! {schema: 2, kind, software, privacy, statistic, noise, lattice, labels, source, ledger, derived, estimate}
//! ```

use dpfda_privacy::{
    Arithmetic, Body, ExactInteger, Law, MAX_RECORDS, NeighbouringRelation, Noise, NoisySum, PrivacyBudget,
    PrivacyUnit, Word,
};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::guarantee::Guarantee;
use crate::labels::Labels;
use crate::mechanism::{Mechanism, SCHEMA};
use crate::reference::{LedgerReference, is_name};
use crate::release::Release;
use crate::source::Source;
use crate::statistic::Statistic;

#[cfg(test)]
#[path = "envelope_tests.rs"]
mod tests;

/// Why a document is not a release.
#[derive(Debug, Error)]
pub enum ReadError {
    /// Written by a version that this one does not know.
    #[error("schema {found} is not known; this version reads schema {SCHEMA}")]
    Schema {
        /// The schema in the document.
        found: u32,
    },
    /// Another kind of document.
    #[error("this document is not of the kind {expected}")]
    Kind {
        /// The kind that was asked for.
        expected: &'static str,
    },
    /// Two fields contradict each other.
    #[error("the field {field} contradicts the rest of the release: the file was edited or damaged")]
    Contradiction {
        /// The field, as a path in the document.
        field: &'static str,
    },
    /// Not JSON, or a field that is missing, unknown or out of its range.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

/// The guarantee of a release, and whether its noise was secret.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrivacyDocument {
    epsilon: f64,
    delta: f64,
    neighbours: NeighbouringRelation,
    unit: PrivacyUnit,
    /// Where their number is public.
    records: Option<u64>,
    arithmetic: Arithmetic,
    private: bool,
}

impl PrivacyDocument {
    /// The document of a guarantee, for so many records where their number is public.
    pub fn new(guarantee: &Guarantee, records: Option<u64>, arithmetic: Arithmetic, private: bool) -> Self {
        Self {
            epsilon: guarantee.budget().epsilon(),
            delta: guarantee.budget().delta(),
            neighbours: guarantee.neighbours(),
            unit: guarantee.unit(),
            records,
            arithmetic,
            private,
        }
    }

    /// The guarantee.
    ///
    /// # Errors
    /// [`ReadError::Contradiction`] for a budget that is none, and for a number of records that is there under add/remove-one,
    /// missing under substitute-one, or more than `2^40`.
    pub fn guarantee(&self) -> Result<Guarantee, ReadError> {
        let budget = PrivacyBudget::new(self.epsilon, self.delta);
        let budget = budget.map_err(|_| ReadError::Contradiction { field: "privacy.epsilon" })?;
        let is_public = self.neighbours == NeighbouringRelation::SubstituteOne;
        demand("privacy.records", self.records.is_some() == is_public && self.records <= Some(MAX_RECORDS))?;
        Ok(Guarantee::new(budget, self.neighbours, self.unit))
    }

    /// The public number of records.
    pub fn records(&self) -> Option<u64> {
        self.records
    }

    /// How the noise was drawn.
    pub fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// Whether the noise was secret.
    pub fn is_private(&self) -> bool {
        self.private
    }
}

/// A document: `S` for what was released, `N` for its noise, `L` for what was drawn, `D` for what follows from it, `E` for what it
/// says about the people and the population.
#[derive(Debug, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    bound(
        deserialize = "S: DeserializeOwned, N: DeserializeOwned, L: DeserializeOwned, D: DeserializeOwned, E: DeserializeOwned"
    )
)]
pub struct Envelope<S, N, L, D, E = ()> {
    /// Always 2.
    pub schema: u32,
    /// What kind of release it is.
    pub kind: String,
    /// What made it.
    pub software: String,
    /// What it guarantees.
    pub privacy: PrivacyDocument,
    /// What was released.
    pub statistic: S,
    /// With which noise.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub noise: Option<N>,
    /// The integers that were drawn.
    pub lattice: L,
    /// Names of axes.
    #[serde(default)]
    pub labels: Labels,
    /// How its table was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// Its place in the ledger that paid for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ledger: Option<LedgerReference>,
    /// Numbers that follow from the rest.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub derived: Option<D>,
    /// The estimate that was made of it.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub estimate: Option<E>,
}

fn none<T>() -> Option<T> {
    None
}

/// What a reader looks at first.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Head {
    /// The version of the format.
    pub schema: u32,
    /// What kind of release it is.
    pub kind: String,
}

impl Head {
    /// Schema and kind of a document.
    ///
    /// # Errors
    /// [`ReadError::Json`] for what is no document, [`ReadError::Schema`] for another schema than 2.
    pub fn read(json: &str) -> Result<Self, ReadError> {
        #[derive(Deserialize)]
        struct Version {
            schema: u32,
        }
        let Version { schema } = serde_json::from_str(json)?;
        if schema != SCHEMA {
            return Err(ReadError::Schema { found: schema });
        }
        Ok(serde_json::from_str(json)?)
    }
}

impl<S: DeserializeOwned, N: DeserializeOwned, L: DeserializeOwned, D: DeserializeOwned, E: DeserializeOwned>
    Envelope<S, N, L, D, E>
{
    /// Reads a document of this kind. The head is read first, so that a newer or another document is called what it is.
    ///
    /// # Errors
    /// [`ReadError`]
    pub fn read(json: &str, kind: &'static str) -> Result<Self, ReadError> {
        if Head::read(json)?.kind != kind {
            return Err(ReadError::Kind { expected: kind });
        }
        let envelope: Self = serde_json::from_str(json)?;
        // it is printed: nothing in it may move a terminal's cursor
        demand("software", is_name(&envelope.software))?;
        Ok(envelope)
    }
}

impl<S: Serialize, N: Serialize, L: Serialize, D: Serialize, E: Serialize> Envelope<S, N, L, D, E> {
    /// The document.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self)
    }
}

/// Refuses a document in which this field contradicts the rest.
///
/// # Errors
/// [`ReadError::Contradiction`] unless `holds`.
pub fn demand(field: &'static str, holds: bool) -> Result<(), ReadError> {
    if holds { Ok(()) } else { Err(ReadError::Contradiction { field }) }
}

/// Whether two numbers agree up to another machine's rounding.
pub fn close(a: f64, b: f64, size: f64) -> bool {
    const AGREEMENT: f64 = 1e-6;
    (a - b).abs() <= AGREEMENT * size
}

/// The law that was asked for, and the noise that was drawn.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NoiseDocument {
    law: Law,
    drawn: Noise,
}

/// Noisy integers, in lattice steps.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LatticeDocument {
    coordinates: Vec<ExactInteger>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count: Option<ExactInteger>,
}

impl<S: Statistic> Release<S> {
    /// The release as a JSON document, with numbers that follow from it.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json_with<D: Serialize>(&self, derived: Option<&D>) -> Result<String, serde_json::Error> {
        self.document(derived, None::<()>).to_json()
    }

    /// The same with an estimate.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json_with_estimate<D: Serialize, E: Serialize>(
        &self,
        derived: &D,
        estimate: &E,
    ) -> Result<String, serde_json::Error> {
        self.document(Some(derived), Some(estimate)).to_json()
    }

    fn document<D, E>(
        &self,
        derived: Option<D>,
        estimate: Option<E>,
    ) -> Envelope<&S, NoiseDocument, LatticeDocument, D, E> {
        let integer = |word: <S::Body as Body>::Word| ExactInteger(word.to_i128());
        Envelope {
            schema: SCHEMA,
            kind: S::KIND.to_owned(),
            software: self.software().to_owned(),
            privacy: PrivacyDocument::new(
                self.guarantee(),
                self.public_records(),
                self.arithmetic(),
                self.is_private(),
            ),
            statistic: self.statistic(),
            noise: Some(NoiseDocument { law: self.mechanism().law().clone(), drawn: self.noise().clone() }),
            lattice: LatticeDocument {
                coordinates: self.coordinates().iter().copied().map(integer).collect(),
                count: self.count().map(integer),
            },
            labels: self.labels().clone(),
            source: self.source().cloned(),
            ledger: self.ledger().cloned(),
            derived,
            estimate,
        }
    }

    /// Reads a release back, checking every constructor's rules and that its fields agree with one another; with the derived
    /// numbers of its document, which are for a view to check.
    ///
    /// This finds damage and contradictions, not forgery: labels that nothing else depends on, such as the unit of privacy or
    /// whether the noise was secret, are taken at their word.
    ///
    /// # Errors
    /// [`ReadError`] with the reason: unknown or missing fields, values out of range, numbers that contradict.
    pub fn from_json_with<D: DeserializeOwned>(json: &str) -> Result<(Self, Option<D>), ReadError> {
        let (release, derived, _) = Self::from_json_with_estimate::<D, ()>(json)?;
        Ok((release, derived))
    }

    /// The same with the estimate of the document, which is for a view to check.
    ///
    /// # Errors
    /// [`ReadError`]
    #[allow(clippy::type_complexity, reason = "three parts of one document")]
    pub fn from_json_with_estimate<D: DeserializeOwned, E: DeserializeOwned>(
        json: &str,
    ) -> Result<(Self, Option<D>, Option<E>), ReadError> {
        let mut document: Envelope<S, NoiseDocument, LatticeDocument, D, E> = Envelope::read(json, S::KIND)?;
        let (derived, estimate) = (document.derived.take(), document.estimate.take());
        Ok((Self::try_from_document(document)?, derived, estimate))
    }

    fn try_from_document<D, E>(document: Envelope<S, NoiseDocument, LatticeDocument, D, E>) -> Result<Self, ReadError> {
        let guarantee = document.privacy.guarantee()?;
        let NoiseDocument { law, drawn } = document.noise.ok_or(ReadError::Contradiction { field: "noise" })?;
        let mechanism = Mechanism::new(document.statistic, guarantee, law)
            .map_err(|_| ReadError::Contradiction { field: "privacy.epsilon" })?;
        let (body, relation) = (mechanism.body(), guarantee.neighbours());
        // A file may not claim more privacy than its noise gives, nor another calibration than its noise has.
        let is_noise = mechanism.noise().agrees(&drawn) && drawn.is_settled();
        demand("noise.drawn", is_noise && drawn.meets(&guarantee.budget(), body, relation))?;
        demand("privacy.arithmetic", document.privacy.arithmetic() == drawn.arithmetic())?;
        demand("privacy.records", mechanism.allows(document.privacy.records()))?;
        let noisy = noisy(document.lattice)?;
        demand("lattice.coordinates", noisy.coordinates.len() == body.dimension())?;
        demand("lattice.count", noisy.words().count() == body.noisy_dimension(relation))?;
        let (private, records) = (document.privacy.is_private(), document.privacy.records());
        let release = Self::new(document.software, private, mechanism, records, drawn, noisy, document.ledger)
            .labelled(document.labels)
            .read_from(document.source);
        Ok(release)
    }
}

/// A release within another document, without derived numbers.
impl<S: Statistic> Serialize for Release<S> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        self.document(None::<()>, None::<()>).serialize(serializer)
    }
}

impl<'de, S: Statistic> Deserialize<'de> for Release<S> {
    fn deserialize<T: Deserializer<'de>>(deserializer: T) -> Result<Self, T::Error> {
        let document: Envelope<S, NoiseDocument, LatticeDocument, ()> = Envelope::deserialize(deserializer)?;
        let is_kind = document.schema == SCHEMA && document.kind == S::KIND && is_name(&document.software);
        let read = if is_kind { Self::try_from_document(document) } else { Err(ReadError::Kind { expected: S::KIND }) };
        read.map_err(T::Error::custom)
    }
}

fn noisy<W: Word>(lattice: LatticeDocument) -> Result<NoisySum<W>, ReadError> {
    let word = |integer: ExactInteger| W::from_i128(integer.0).ok_or(ReadError::Contradiction { field: "lattice" });
    Ok(NoisySum {
        coordinates: lattice.coordinates.into_iter().map(word).collect::<Result<_, _>>()?,
        count: lattice.count.map(word).transpose()?,
    })
}
