//! The one form that every document of a release has.
//!
//! ```text
//! {schema: 3, kind, software, privacy, statistic, noise, lattice, labels, source, ledger, derived, estimate}
//! ```

use dpfda_privacy::{
    Arithmetic, Body, ExactInteger, Law, MAX_RECORDS, NeighbouringRelation, Noise, NoisySum, PrivacyBudget,
    PrivacyUnit, Word,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use thiserror::Error;

use crate::error::MechanismError;
use crate::guarantee::Guarantee;
use crate::labels::Labels;
use crate::mechanism::{Mechanism, SCHEMA};
use crate::purchases::{Answers, BallShares, Step};
use crate::reference::{LedgerReference, is_name};
use crate::release::{Release, Transcript};
use crate::source::Source;
use crate::statistic::Statistic;
use crate::terms::Terms;

#[cfg(test)]
#[path = "envelope_tests.rs"]
mod tests;

/// Why a document is not a release.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ReadError {
    #[error("schema {found} is not known; this version reads schema {SCHEMA}")]
    Schema { found: u32 },
    #[error("this document is not of the kind {expected}")]
    Kind { expected: &'static str },
    #[error("the field {field} contradicts the rest of the release: the file was edited or damaged")]
    Contradiction { field: &'static str },
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
    /// Always 3.
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
    pub fn read(json: &str) -> Result<Self, ReadError> {
        /// Another schema may have no kind.
        #[derive(Deserialize)]
        struct Any<'j> {
            schema: u32,
            #[serde(borrow, default)]
            kind: Option<&'j RawValue>,
        }
        let Any { schema, kind } = serde_json::from_str(json)?;
        if schema != SCHEMA {
            return Err(ReadError::Schema { found: schema });
        }
        let kind = kind.ok_or_else(|| <serde_json::Error as serde::de::Error>::missing_field("kind"))?;
        Ok(Self { schema, kind: serde_json::from_str(kind.get())? })
    }
}

impl<S: DeserializeOwned, N: DeserializeOwned, L: DeserializeOwned, D: DeserializeOwned, E: DeserializeOwned>
    Envelope<S, N, L, D, E>
{
    /// Reads a document of this kind, in one pass. What cannot be read is called what it is: a newer document, another one, or the first
    /// fault.
    pub fn read(json: &str, kind: &'static str) -> Result<Self, ReadError> {
        let read = serde_json::from_str::<Self>(json);
        if let Ok(envelope) = &read
            && envelope.schema == SCHEMA
            && envelope.kind == kind
        {
            // it is printed: nothing in it may move a terminal's cursor
            demand("software", is_name(&envelope.software))?;
        } else if Head::read(json)?.kind != kind {
            return Err(ReadError::Kind { expected: kind });
        }
        Ok(read?)
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

/// A part of a document that was kept as text, such as an estimate.
pub fn read_part<T: DeserializeOwned>(part: Option<&RawValue>) -> Result<Option<T>, ReadError> {
    Ok(part.map(|part| serde_json::from_str(part.get())).transpose()?)
}

/// Refuses a document in which this field contradicts the rest.
pub fn demand(field: &'static str, holds: bool) -> Result<(), ReadError> {
    if holds { Ok(()) } else { Err(ReadError::Contradiction { field }) }
}

/// Whether two numbers agree up to another machine's rounding.
pub fn close(a: f64, b: f64, size: f64) -> bool {
    const AGREEMENT: f64 = 1e-6;
    (a - b).abs() <= AGREEMENT * size
}

/// The law that was asked for, what each answer could spend, and the noise of the last sums. That of the others follows from the plan.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NoiseDocument {
    law: Law,
    #[serde(default = "BallShares::none", skip_serializing_if = "BallShares::buy_nothing")]
    shares: BallShares,
    drawn: Noise,
}

/// Noisy integers, in lattice steps: those that bought a part of the ball, and the last sums.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LatticeDocument {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    center: Option<SumDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    radius: Option<SumDocument>,
    coordinates: Vec<ExactInteger>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count: Option<ExactInteger>,
}

/// A noisy sum.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SumDocument {
    coordinates: Vec<ExactInteger>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count: Option<ExactInteger>,
}

impl SumDocument {
    fn of<W: Word>(sum: &NoisySum<W>) -> Self {
        let integer = |word: W| ExactInteger(word.to_i128());
        Self { coordinates: sum.coordinates.iter().copied().map(integer).collect(), count: sum.count.map(integer) }
    }

    /// The sum, which must have as many coordinates as its body.
    fn read<B: Body>(
        self,
        body: &B,
        relation: NeighbouringRelation,
        (coordinates, count): (&'static str, &'static str),
    ) -> Result<NoisySum<B::Word>, ReadError> {
        let word = |integer: ExactInteger| B::Word::from_i128(integer.0);
        let out_of_range = ReadError::Contradiction { field: "lattice" };
        let words: Option<Vec<_>> = self.coordinates.into_iter().map(word).collect();
        let Some(words) = words else { return Err(out_of_range) };
        let noisy = NoisySum {
            coordinates: words,
            count: self.count.map(|count| word(count).ok_or(out_of_range)).transpose()?,
        };
        demand(coordinates, noisy.coordinates.len() == body.dimension())?;
        demand(count, noisy.words().count() == body.noisy_dimension(relation))?;
        Ok(noisy)
    }
}

/// An answer that buys is there where it was planned, and nowhere else.
fn bought<B: Body>(
    step: Option<&Step<B>>,
    answer: Option<SumDocument>,
    relation: NeighbouringRelation,
    field: &'static str,
) -> Result<Option<NoisySum<B::Word>>, ReadError> {
    match (step, answer) {
        (Some(step), Some(answer)) => answer.read(step.body(), relation, (field, field)).map(Some),
        (None, None) => Ok(None),
        _ => Err(ReadError::Contradiction { field }),
    }
}

impl<S: Statistic> Release<S> {
    /// The release as a JSON document, with numbers that follow from it and from how it is looked at, and with an estimate where there
    /// is one.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json_with<D: Serialize, E: Serialize>(
        &self,
        derived: &D,
        estimate: Option<&E>,
    ) -> Result<String, serde_json::Error> {
        self.document(Some(derived), estimate).to_json()
    }

    fn document<D, E>(
        &self,
        derived: Option<D>,
        estimate: Option<E>,
    ) -> Envelope<&S, NoiseDocument, LatticeDocument, D, E> {
        let SumDocument { coordinates, count } = SumDocument::of(self.noisy());
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
            statistic: self.mechanism().statistic(),
            noise: Some(NoiseDocument {
                law: self.mechanism().law().clone(),
                shares: self.mechanism().shares(),
                drawn: self.noise().clone(),
            }),
            lattice: LatticeDocument {
                center: self.answers().center().map(SumDocument::of),
                radius: self.answers().radius().map(SumDocument::of),
                coordinates,
                count,
            },
            labels: self.stated_labels().clone(),
            source: self.source().cloned(),
            ledger: self.ledger().cloned(),
            derived,
            estimate,
        }
    }

    /// Reads a release back, checking every constructor's rules and that its fields agree with one another; with the derived
    /// numbers of its document, which are for a view to check, and its estimate.
    ///
    /// This finds damage and contradictions, not forgery: labels that nothing else depends on, such as the unit of privacy or
    /// whether the noise was secret, are taken at their word. Sign a release if its origin must be proved.
    pub fn from_json_with<D: DeserializeOwned, E: DeserializeOwned>(
        json: &str,
    ) -> Result<(Self, D, Option<E>), ReadError> {
        let Envelope {
            schema,
            kind,
            software,
            privacy,
            statistic,
            noise,
            lattice,
            labels,
            source,
            ledger,
            derived,
            estimate,
        } = Envelope::<S, NoiseDocument, LatticeDocument, D, E>::read(json, S::KIND)?;
        let derived = derived.ok_or(ReadError::Contradiction { field: "derived" })?;
        let document = Envelope {
            schema,
            kind,
            software,
            privacy,
            statistic,
            noise,
            lattice,
            labels,
            source,
            ledger,
            derived: None,
            estimate: None,
        };
        Ok((Self::try_from_document(document)?, derived, estimate))
    }

    /// It is compiled once for each statistic, whatever is derived and estimated.
    fn try_from_document(document: Envelope<S, NoiseDocument, LatticeDocument, ()>) -> Result<Self, ReadError> {
        let guarantee = document.privacy.guarantee()?;
        let NoiseDocument { law, shares, drawn } = document.noise.ok_or(ReadError::Contradiction { field: "noise" })?;
        // what a default buys is decided before a release is drawn
        demand("noise.shares", !shares.is_if_enough())?;
        let terms = Terms::of(guarantee, law).buying(shares);
        let mechanism = Mechanism::new(document.statistic, terms).map_err(|error| {
            let is_sold = !matches!(error, MechanismError::NotForSale { .. });
            ReadError::Contradiction { field: if is_sold { "privacy.epsilon" } else { "noise.shares" } }
        })?;
        let (body, relation) = (mechanism.body(), guarantee.neighbours());
        // A file may not claim more privacy than its noise gives, nor another calibration than its noise has.
        let is_noise = mechanism.noise().agrees(&drawn) && drawn.is_settled();
        demand("noise.drawn", is_noise && drawn.meets(&guarantee.budget(), body, relation))?;
        let (epsilon, delta) = (guarantee.budget().epsilon(), guarantee.budget().delta());
        let whole = mechanism.privacy_with(&drawn);
        demand("privacy.epsilon", whole.is_none_or(|privacy| privacy.delta(epsilon) <= delta))?;
        demand("privacy.arithmetic", document.privacy.arithmetic() == drawn.arithmetic())?;
        let (private, records) = (document.privacy.is_private(), document.privacy.records());
        demand("privacy.records", mechanism.allows(records))?;
        let names_subjects = document.source.as_ref().is_some_and(|source| source.subject().is_some());
        demand("privacy.unit", !names_subjects || guarantee.unit() == PrivacyUnit::Subject)?;
        let LatticeDocument { center, radius, coordinates, count } = document.lattice;
        let last = SumDocument { coordinates, count };
        let noisy = last.read(body, relation, ("lattice.coordinates", "lattice.count"))?;
        let answers = Answers {
            center: bought(mechanism.center(), center, relation, "lattice.center")?,
            radius: bought(mechanism.radius(), radius, relation, "lattice.radius")?,
        };
        let statistic = mechanism.under(&answers, records);
        let transcript = Transcript { answers, statistic, noise: drawn, noisy };
        let release = Self::new(document.software, private, mechanism, records, transcript, document.ledger)
            .labelled(document.labels)
            .read_from(document.source);
        Ok(release)
    }
}
