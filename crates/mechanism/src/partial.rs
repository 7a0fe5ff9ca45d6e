//! Parts of a data set: exact sums that know what they are sums of.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use dpfda_privacy::{Body, ExactSum, LatticeError, PrivacyUnit};
use thiserror::Error;

use crate::digest::Digest;
use crate::fingerprint::FingerprintKey;
use crate::mechanism::{Mechanism, MechanismError};
use crate::reference::{NameError, is_name};
use crate::statistic::Statistic;

#[cfg(test)]
#[path = "partial_tests.rs"]
mod tests;

/// What a part of a data set is called: public, and the same for nobody else's part.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PartId(String);

impl PartId {
    /// The id of a data set in one part.
    pub fn whole() -> Self {
        Self("whole".to_owned())
    }
}

impl FromStr for PartId {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Self, NameError> {
        if is_name(name) { Ok(Self(name.to_owned())) } else { Err(NameError) }
    }
}

impl fmt::Display for PartId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why parts were not joined, or a record was not added. What it tells of the data is for the curator alone: it never stands
/// in a release.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum PartialError {
    /// The part was encoded for another release.
    #[error("the parts were encoded by different plans: statistic, guarantee and law of the noise must be the same")]
    OtherPlan,
    /// The same part twice.
    #[error("both hold the part {0}: its records would count twice")]
    SamePart(PartId),
    /// The same subject twice.
    #[error(
        "a subject is in both parts, or twice in one: the subject would count as two records and be protected as half of \
         one. Put all curves of a subject into one part"
    )]
    SameSubject,
    /// Nothing tells whether a subject is in both parts.
    #[error(
        "parts of subjects can be joined only if each record was added with its subject and a key of the curator, the same \
         for all parts; otherwise a subject in two parts would count as two records"
    )]
    Untagged,
    /// Subjects were tagged with different keys.
    #[error("the subjects of the parts were tagged with different keys, so a subject in both could not be seen")]
    OtherKey,
    /// The release is refused.
    #[error(transparent)]
    Mechanism(#[from] MechanismError),
}

impl From<LatticeError> for PartialError {
    fn from(error: LatticeError) -> Self {
        Self::Mechanism(error.into())
    }
}

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

/// 128 bits of a keyed digest of a subject's id.
type Tag = [u8; 16];

/// Who is in a part, in a form that only the holder of the key can read.
struct Tags {
    /// The tag of nobody: parts with the same key have the same.
    key: Tag,
    subjects: BTreeSet<Tag>,
}

/// The exact sum of the records of one part of a data set, or of several: private data.
///
/// It carries the plan that it was encoded by, the ids of its parts and, where subjects were named, keyed tags of them
/// (HMAC-SHA256, 16 bytes, under a key that the curator made and that is in no release). Joining refuses another plan, a part
/// that is there already and a subject seen twice. It cannot be cloned or serialised, and its `Debug` shows nothing.
pub struct Partial<S: Statistic> {
    mechanism: Mechanism<S>,
    plan: Digest,
    parts: BTreeSet<PartId>,
    tags: Option<Tags>,
    has_untagged: bool,
    sum: ExactSum<S::Body>,
    scratch: S::Scratch,
    vector: <S::Body as Body>::Vector,
}

impl<S: Statistic> Partial<S> {
    pub(crate) fn new(mechanism: Mechanism<S>, part: PartId) -> Self {
        let body = mechanism.body().clone();
        Self {
            plan: mechanism.digest(),
            parts: BTreeSet::from([part]),
            tags: None,
            has_untagged: false,
            scratch: mechanism.statistic().scratch(),
            vector: body.vector(),
            sum: ExactSum::new(body),
            mechanism,
        }
    }

    /// Adds one record.
    ///
    /// A part of subjects that was made so cannot be joined with another: see [`Partial::add_of`].
    ///
    /// # Errors
    /// [`MechanismError::Lattice`] for more than `2^40` records.
    pub fn add(&mut self, record: S::Record<'_>) -> Result<(), MechanismError> {
        self.encode(record)?;
        self.has_untagged = true;
        Ok(())
    }

    /// Adds the record of a subject, with a keyed tag of the subject's id.
    ///
    /// # Errors
    /// [`PartialError::SameSubject`] for a subject that has a record already, [`PartialError::OtherKey`] for another key than
    /// before, [`PartialError::Mechanism`] for more than `2^40` records; nothing has been added then.
    pub fn add_of(&mut self, key: &FingerprintKey, subject: &[u8], record: S::Record<'_>) -> Result<(), PartialError> {
        let check = tag(key, b"key", &[]);
        let tags = self.tags.get_or_insert_with(|| Tags { key: check, subjects: BTreeSet::new() });
        if tags.key != check {
            return Err(PartialError::OtherKey);
        }
        let subject = tag(key, b"subject", subject);
        if !tags.subjects.insert(subject) {
            return Err(PartialError::SameSubject);
        }
        if let Err(refused) = self.encode(record) {
            if let Some(tags) = &mut self.tags {
                tags.subjects.remove(&subject);
            }
            return Err(refused.into());
        }
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
        self.parts.extend(other.parts);
        self.has_untagged |= other.has_untagged;
        match (&mut self.tags, other.tags) {
            (Some(mine), Some(theirs)) => mine.subjects.extend(theirs.subjects),
            (mine @ None, theirs) => *mine = theirs,
            (Some(_), None) => {}
        }
        Ok(())
    }

    fn check_disjoint(&self, other: &Self) -> Result<(), PartialError> {
        if self.plan != other.plan {
            return Err(PartialError::OtherPlan);
        }
        if let Some(part) = self.parts.intersection(&other.parts).next() {
            return Err(PartialError::SamePart(part.clone()));
        }
        let of_subjects = self.mechanism.guarantee().unit() == PrivacyUnit::Subject;
        if of_subjects && (self.has_untagged || other.has_untagged) {
            return Err(PartialError::Untagged);
        }
        match (&self.tags, &other.tags) {
            (Some(mine), Some(theirs)) if mine.key != theirs.key => Err(PartialError::OtherKey),
            (Some(mine), Some(theirs)) if !mine.subjects.is_disjoint(&theirs.subjects) => {
                Err(PartialError::SameSubject)
            }
            _ => Ok(()),
        }
    }

    /// The ids of the parts that are in it.
    pub fn parts(&self) -> impl Iterator<Item = &PartId> {
        self.parts.iter()
    }

    /// The digest of the plan that the records were encoded by.
    pub fn plan(&self) -> Digest {
        self.plan
    }

    pub(crate) fn records(&self) -> u64 {
        self.sum.records()
    }

    pub(crate) fn into_sum(self) -> ExactSum<S::Body> {
        self.sum
    }
}

impl<S: Statistic> fmt::Debug for Partial<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Partial(..)")
    }
}

fn tag(key: &FingerprintKey, context: &[u8], bytes: &[u8]) -> Tag {
    let mut fingerprinter = key.begin(context);
    fingerprinter.add(bytes);
    let mut tag = Tag::default();
    tag.copy_from_slice(&fingerprinter.finish()[..16]);
    tag
}
