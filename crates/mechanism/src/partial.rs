//! Parts of a data set: exact sums that know what they are sums of.

use std::fmt;

use dpfda_privacy::{Body, ExactSum, LatticeError, NonPrivate, PrivacyUnit};

use crate::digest::Digest;
use crate::error::{MechanismError, PartialError};
use crate::fingerprint::{FingerprintKey, Fingerprinter};
use crate::mechanism::Mechanism;
use crate::members::Members;
use crate::part_file::{PartError, PartFile};
use crate::part_id::PartId;
use crate::statistic::Statistic;

#[cfg(test)]
#[path = "partial_tests.rs"]
mod tests;

/// A refusal that gives back what it refused: an exact sum is never lost.
pub struct Refused<S: Statistic> {
    /// Why.
    pub reason: PartialError,
    /// The part, as it was.
    pub partial: Box<Partial<S>>,
}

impl<S: Statistic> Refused<S> {
    pub(crate) fn new(reason: PartialError, partial: Partial<S>) -> Self {
        Self { reason, partial: Box::new(partial) }
    }
}

impl<S: Statistic> fmt::Debug for Refused<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Refused").field("reason", &self.reason).finish_non_exhaustive()
    }
}

impl<S: Statistic> fmt::Display for Refused<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

impl<S: Statistic> std::error::Error for Refused<S> {}

/// The exact sum of the records of one part of a data set, or of several: private data.
///
/// It carries the plan that it was encoded by, the ids of its parts and, where subjects were named, keyed tags of them
/// (HMAC-SHA256, 16 bytes, under a key that the curator made and that is in no release). Joining refuses another plan, a part
/// that is there already and a subject seen twice. It cannot be cloned or serialised, and its `Debug` shows nothing; [`Partial::reveal`] says what it does.
pub struct Partial<S: Statistic> {
    mechanism: Mechanism<S>,
    plan: Digest,
    members: Members,
    sum: ExactSum<S::Body>,
    scratch: S::Scratch,
    vector: <S::Body as Body>::Vector,
}

impl<S: Statistic> Mechanism<S> {
    /// A part of the data without records yet.
    pub fn partial(&self, part: PartId) -> Partial<S> {
        Partial::new(self.clone(), part)
    }
}

impl<S: Statistic> Partial<S> {
    fn new(mechanism: Mechanism<S>, part: PartId) -> Self {
        let body = mechanism.body().clone();
        Self {
            plan: mechanism.digest(),
            members: Members::of(part),
            scratch: mechanism.statistic().scratch(),
            vector: body.vector(),
            sum: ExactSum::new(body),
            mechanism,
        }
    }

    /// Adds one record.
    ///
    /// A part of subjects that was made so cannot be joined with another: see [`Partial::add_of`].
    pub fn add(&mut self, record: S::Record<'_>) -> Result<(), MechanismError> {
        self.encode(record)?;
        self.members.has_untagged = true;
        Ok(())
    }

    /// Adds the record of a subject, with a keyed tag of the subject's id.
    ///
    /// # Errors
    /// [`PartialError::SameSubject`] for a subject that has a record already, [`PartialError::OtherKey`] for another key than
    /// before, [`PartialError::Mechanism`] for more than `2^40` records; nothing has been added then.
    pub fn add_of(&mut self, key: &FingerprintKey, subject: &[u8], record: S::Record<'_>) -> Result<(), PartialError> {
        let tag = self.members.insert(key, subject)?;
        if let Err(refused) = self.encode(record) {
            self.members.remove(&tag);
            return Err(refused.into());
        }
        Ok(())
    }

    /// Adds a record that was encoded as this statistic does, whoever did; with a tag of its subject where there is a key.
    pub fn add_vector(
        &mut self,
        tagged: Option<(&FingerprintKey, &[u8])>,
        vector: &<S::Body as Body>::Vector,
    ) -> Result<(), PartialError> {
        let tag = tagged.map(|(key, subject)| self.members.insert(key, subject)).transpose()?;
        if let Err(refused) = self.sum.add(vector) {
            if let Some(tag) = tag {
                self.members.remove(&tag);
            }
            return Err(refused.into());
        }
        self.members.has_untagged |= tag.is_none();
        Ok(())
    }

    fn encode(&mut self, record: S::Record<'_>) -> Result<(), LatticeError> {
        self.sum.body().reset(&mut self.vector);
        self.mechanism.statistic().encode(record, &mut self.scratch, &mut self.vector);
        self.sum.add(&self.vector)
    }

    /// Joins another part of the same data set; the result does not depend on the order or number of parts.
    ///
    /// # Errors
    /// [`PartialError`], with the other part given back; this one is as it was.
    pub fn merge(&mut self, other: Self) -> Result<(), Refused<S>> {
        if let Err(reason) = self.check_disjoint(&other).and_then(|()| Ok(self.sum.merge(&other.sum)?)) {
            return Err(Refused::new(reason, other));
        }
        self.members.join(other.members);
        Ok(())
    }

    /// Adds other records of the same part, which were encoded beside it: by another thread, or from another file.
    ///
    /// # Errors
    /// [`PartialError::OtherPlan`] for another plan or part, and as [`Partial::merge`] for subjects; this part is as it was.
    pub fn absorb(&mut self, other: Self) -> Result<(), Refused<S>> {
        let reason = if self.plan != other.plan || self.members.parts != other.members.parts {
            Some(PartialError::OtherPlan)
        } else {
            self.members.check_subjects(&other.members).and_then(|()| Ok(self.sum.merge(&other.sum)?)).err()
        };
        if let Some(reason) = reason {
            return Err(Refused::new(reason, other));
        }
        self.members.join(other.members);
        Ok(())
    }

    fn check_disjoint(&self, other: &Self) -> Result<(), PartialError> {
        if self.plan != other.plan {
            return Err(PartialError::OtherPlan);
        }
        let of_subjects = self.mechanism.guarantee().unit() == PrivacyUnit::Subject;
        self.members.check_disjoint(&other.members, of_subjects)
    }

    /// The part as bytes, which can travel: **private data, the exact sums without any noise**. See [`PartFile`].
    pub fn reveal(&self) -> NonPrivate<Vec<u8>> {
        let plan = serde_json::to_string(&self.mechanism);
        self.to_file(plan.unwrap_or_else(|_| unreachable!("a plan holds numbers and names"))).to_bytes()
    }

    /// A part from its bytes, with the plan that is in them.
    pub fn read(bytes: &[u8]) -> Result<Self, PartError> {
        let file = PartFile::from_bytes(bytes)?;
        let mechanism =
            serde_json::from_str(file.plan()).map_err(|error| PartError::Plan { reason: error.to_string() })?;
        let (partial, file) = Self::from_file(mechanism, file)?;
        if file.is_empty() { Ok(partial) } else { Err(PartError::OtherPlan) }
    }

    /// The part on its way to bytes, under a plan that says more than this mechanism.
    pub fn to_file(&self, plan: String) -> PartFile {
        let mut file = PartFile::new(plan, self.members.clone());
        file.push(&self.sum);
        file
    }

    /// A part of this mechanism: the members of a file, and its first sum.
    pub fn from_file(mechanism: Mechanism<S>, mut file: PartFile) -> Result<(Self, PartFile), PartError> {
        let sum = file.take(mechanism.body().clone())?;
        let mut partial = Self::new(mechanism, PartId::whole());
        partial.sum = sum;
        partial.members = file.members.clone();
        Ok((partial, file))
    }

    /// The ids of the parts that are in it.
    pub fn parts(&self) -> impl Iterator<Item = &PartId> {
        self.members.parts.iter()
    }

    /// The digest of the plan that the records were encoded by.
    pub fn plan(&self) -> Digest {
        self.plan
    }

    /// The number of records: private where the guarantee does not make it public.
    pub fn records(&self) -> NonPrivate<u64> {
        NonPrivate::new(self.sum.records())
    }

    /// Gives the exact sum to a keyed digest, by which a curator recognises the same data.
    pub fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        self.sum.absorb(|bytes| fingerprinter.add(bytes));
    }

    /// The exact sum: private data.
    pub fn into_sum(self) -> ExactSum<S::Body> {
        self.sum
    }
}

dpfda_privacy::opaque!(Partial<S: Statistic>);
