//! A mechanism: a statistic with a guarantee and calibrated noise.

use std::sync::{Arc, OnceLock};
use std::thread;

use dpfda_privacy::{Body, ExactSum, LatticeError, Law, NeighbouringRelation, Noise, NoiseError, Spend};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::digest::Digest;
use crate::guarantee::Guarantee;
use crate::partial::{PartId, Partial, PartialError, Refused};
use crate::prepared::Prepared;
use crate::statistic::Statistic;

#[cfg(test)]
#[path = "mechanism_tests.rs"]
mod tests;

/// Why there is no such mechanism, or no release of these data by it. Nothing in it depends on the values of records.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum MechanismError {
    /// The sum of too few records is a record.
    #[error(
        "there must be at least {least} record{} when the number of records is public, got {found}",
        if *least == 1 { "" } else { "s" }
    )]
    TooFewRecords {
        /// The least number of records.
        least: u64,
        /// The public number of records.
        found: u64,
    },
    /// There is no noise for the budget.
    #[error(transparent)]
    Noise(#[from] NoiseError),
    /// Too many records.
    #[error(transparent)]
    Lattice(#[from] LatticeError),
}

/// A statistic, its guarantee and its noise: everything public about a release, before there are any data.
///
/// It is the plan of a release, and serialises as one: `{schema, kind, privacy, law, statistic}`. Noise is calibrated once, in
/// the constructor; copies are cheap.
#[derive(Debug, Clone)]
pub struct Mechanism<S: Statistic>(Arc<Settled<S>>);

#[derive(Debug)]
struct Settled<S: Statistic> {
    statistic: S,
    guarantee: Guarantee,
    law: Law,
    body: S::Body,
    noise: Noise,
    digest: OnceLock<Digest>,
}

/// The version of plans and of documents of releases.
pub const SCHEMA: u32 = 2;

impl<S: Statistic> Mechanism<S> {
    /// The mechanism that adds the least noise of this law that meets the guarantee.
    ///
    /// # Errors
    /// [`MechanismError::Noise`] for a budget that the law does not meet.
    pub fn new(statistic: S, guarantee: Guarantee, law: Law) -> Result<Self, MechanismError> {
        let body = statistic.body(&law);
        let noise = Noise::calibrated(&law, &guarantee.budget(), &body, guarantee.neighbours())?;
        Ok(Self(Arc::new(Settled { statistic, guarantee, law, body, noise, digest: OnceLock::new() })))
    }

    /// What is released.
    pub fn statistic(&self) -> &S {
        &self.0.statistic
    }

    /// The guarantee.
    pub fn guarantee(&self) -> &Guarantee {
        &self.0.guarantee
    }

    /// The law of the noise that was asked for.
    pub fn law(&self) -> &Law {
        &self.0.law
    }

    /// Where the sums live.
    pub fn body(&self) -> &S::Body {
        &self.0.body
    }

    /// The noise, as it was calibrated: a random scale is not drawn yet.
    pub fn noise(&self) -> &Noise {
        &self.0.noise
    }

    /// What a release costs: a function of public numbers alone.
    pub fn spend(&self) -> Spend {
        self.0.noise.spend(&self.0.guarantee.budget(), &self.0.body, self.0.guarantee.neighbours())
    }

    /// The digest of the plan in its canonical bytes, which are those of its JSON without white space; computed once.
    pub fn digest(&self) -> Digest {
        *self.0.digest.get_or_init(|| {
            let bytes = serde_json::to_vec(self).unwrap_or_else(|_| unreachable!("a plan holds numbers and names"));
            Digest::of(&bytes)
        })
    }

    /// A part of the data without records yet.
    pub fn partial(&self, part: PartId) -> Partial<S> {
        Partial::new(self.clone(), part)
    }

    /// All that a release takes except its noise: what can be refused is refused here, before anything is paid for.
    ///
    /// # Errors
    /// [`PartialError`], with the part given back.
    pub fn prepare(&self, partial: Partial<S>) -> Result<Prepared<S>, Refused<S>> {
        let records = *partial.records().reveal();
        if partial.plan() != self.digest() {
            return Err(Refused::new(PartialError::OtherPlan, partial));
        }
        match self.check_records(records) {
            Ok(()) => Ok(Prepared::new(self.clone(), partial.into_sum())),
            Err(reason) => Err(Refused::new(reason.into(), partial)),
        }
    }

    fn check_records(&self, found: u64) -> Result<(), MechanismError> {
        let is_public = self.0.guarantee.neighbours() == NeighbouringRelation::SubstituteOne;
        let least = S::LEAST_RECORDS;
        if is_public && found < least { Err(MechanismError::TooFewRecords { least, found }) } else { Ok(()) }
    }

    /// A sum that was encoded by this statistic and unit, whoever added it up: for statistics that are known only after another
    /// answer, such as a mean in a ball that is bought.
    ///
    /// # Errors
    /// [`LatticeError::Bodies`] for a sum in another body, [`MechanismError::TooFewRecords`].
    pub fn prepare_sum(&self, sum: ExactSum<S::Body>) -> Result<Prepared<S>, MechanismError> {
        if *sum.body() != self.0.body {
            return Err(LatticeError::Bodies.into());
        }
        self.check_records(sum.records())?;
        Ok(Prepared::new(self.clone(), sum))
    }

    /// All records as one part, prepared.
    ///
    /// # Errors
    /// [`MechanismError`] for too few records where their number is public, and too many.
    pub fn prepare_all<'a>(
        &self,
        records: impl IntoIterator<Item = S::Record<'a>>,
    ) -> Result<Prepared<S>, MechanismError> {
        self.prepare_sum(self.sum_of(records)?)
    }

    /// The same with the records in shares, each encoded by a thread of its own: the sum is the same for every division.
    ///
    /// # Errors
    /// As [`Mechanism::prepare_all`].
    pub fn prepare_shares<'a, I>(&self, shares: Vec<I>) -> Result<Prepared<S>, MechanismError>
    where
        S: Send + Sync,
        S::Body: Send + Sync,
        <S::Body as Body>::Sum: Send,
        I: IntoIterator<Item = S::Record<'a>> + Send,
    {
        let mut shares = shares.into_iter();
        let Some(mine) = shares.next() else { return self.prepare_all([]) };
        thread::scope(|scope| {
            let others: Vec<_> = shares.map(|share| scope.spawn(move || self.sum_of(share))).collect();
            let mut whole = self.sum_of(mine)?;
            for other in others {
                whole.merge(&other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?)?;
            }
            self.prepare_sum(whole)
        })
    }

    fn sum_of<'a>(
        &self,
        records: impl IntoIterator<Item = S::Record<'a>>,
    ) -> Result<ExactSum<S::Body>, MechanismError> {
        let mut partial = self.partial(PartId::whole());
        for record in records {
            partial.add(record)?;
        }
        Ok(partial.into_sum())
    }

    /// Decodes the plan that a part or a document states.
    fn try_from_plan<E: serde::de::Error>(plan: Plan<S>) -> Result<Self, E> {
        if plan.schema != SCHEMA {
            return Err(E::custom(format_args!(
                "plan schema {} is not known; this version reads {SCHEMA}",
                plan.schema
            )));
        }
        if plan.kind != S::KIND {
            return Err(E::custom(format_args!("this is no plan of the kind {}", S::KIND)));
        }
        Self::new(plan.statistic, plan.privacy, plan.law).map_err(E::custom)
    }

    /// Whether `number` records are allowed where their number is public.
    pub(crate) fn allows(&self, records: Option<u64>) -> bool {
        let is_public = self.0.guarantee.neighbours() == NeighbouringRelation::SubstituteOne;
        match records {
            Some(records) => is_public && (S::LEAST_RECORDS..=dpfda_privacy::MAX_RECORDS).contains(&records),
            None => !is_public,
        }
    }

    /// The number of integers that are released.
    pub(crate) fn words(&self) -> usize {
        self.0.body.noisy_dimension(self.0.guarantee.neighbours())
    }
}

impl<S: Statistic> PartialEq for Mechanism<S> {
    fn eq(&self, other: &Self) -> bool {
        let (mine, theirs) = (&*self.0, &*other.0);
        mine.statistic == theirs.statistic && mine.guarantee == theirs.guarantee && mine.law == theirs.law
    }
}

/// A mechanism as a document.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan<S> {
    schema: u32,
    kind: String,
    privacy: Guarantee,
    law: Law,
    statistic: S,
}

impl<S: Statistic> Serialize for Mechanism<S> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        Plan {
            schema: SCHEMA,
            kind: S::KIND.to_owned(),
            privacy: self.0.guarantee,
            law: self.0.law.clone(),
            statistic: &self.0.statistic,
        }
        .serialize(serializer)
    }
}

impl<'de, S: Statistic> Deserialize<'de> for Mechanism<S> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from_plan(Plan::deserialize(deserializer)?)
    }
}
