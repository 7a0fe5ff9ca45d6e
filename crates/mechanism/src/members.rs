//! Who is in a part of a data set: the names of its parts, and keyed tags of its subjects.

use std::collections::BTreeSet;

use crate::error::PartialError;
use crate::fingerprint::FingerprintKey;
use crate::part_id::PartId;

/// 128 bits of a keyed digest of a subject's id.
pub(crate) type Tag = [u8; 16];

/// Who is in a part, in a form that only the holder of the key can read.
#[derive(Clone)]
pub(crate) struct Tags {
    /// The tag of nobody: parts with the same key have the same.
    pub(crate) key: Tag,
    pub(crate) subjects: BTreeSet<Tag>,
}

/// The ids of the parts in a sum, and who its records are.
#[derive(Clone)]
pub(crate) struct Members {
    pub(crate) parts: BTreeSet<PartId>,
    pub(crate) tags: Option<Tags>,
    pub(crate) has_untagged: bool,
}

impl Members {
    /// Nobody yet.
    pub(crate) fn of(part: PartId) -> Self {
        Self { parts: BTreeSet::from([part]), tags: None, has_untagged: false }
    }

    /// Notes a subject.
    ///
    /// # Errors
    /// [`PartialError::SameSubject`] for one who is there, [`PartialError::OtherKey`] for another key than before.
    pub(crate) fn insert(&mut self, key: &FingerprintKey, subject: &[u8]) -> Result<Tag, PartialError> {
        let check = tag(key, b"key", &[]);
        let tags = self.tags.get_or_insert_with(|| Tags { key: check, subjects: BTreeSet::new() });
        if tags.key != check {
            return Err(PartialError::OtherKey);
        }
        let subject = tag(key, b"subject", subject);
        if tags.subjects.insert(subject) { Ok(subject) } else { Err(PartialError::SameSubject) }
    }

    /// Forgets a subject.
    pub(crate) fn remove(&mut self, subject: &Tag) {
        if let Some(tags) = &mut self.tags {
            tags.subjects.remove(subject);
        }
    }

    /// Refuses to join a part or a subject twice; `of_subjects` where a record is a subject.
    pub(crate) fn check_disjoint(&self, other: &Self, of_subjects: bool) -> Result<(), PartialError> {
        if let Some(part) = self.parts.intersection(&other.parts).next() {
            return Err(PartialError::SamePart(part.clone()));
        }
        if of_subjects && (self.has_untagged || other.has_untagged) {
            return Err(PartialError::Untagged);
        }
        self.check_subjects(other)
    }

    /// Refuses a subject in both, and keys that would hide one.
    pub(crate) fn check_subjects(&self, other: &Self) -> Result<(), PartialError> {
        match (&self.tags, &other.tags) {
            (Some(mine), Some(theirs)) if mine.key != theirs.key => Err(PartialError::OtherKey),
            (Some(mine), Some(theirs)) if !mine.subjects.is_disjoint(&theirs.subjects) => {
                Err(PartialError::SameSubject)
            }
            _ => Ok(()),
        }
    }

    /// Joins others, who were found disjoint.
    pub(crate) fn join(&mut self, other: Self) {
        self.parts.extend(other.parts);
        self.has_untagged |= other.has_untagged;
        match (&mut self.tags, other.tags) {
            (Some(mine), Some(theirs)) => mine.subjects.extend(theirs.subjects),
            (mine @ None, theirs) => *mine = theirs,
            (Some(_), None) => {}
        }
    }
}

fn tag(key: &FingerprintKey, context: &[u8], bytes: &[u8]) -> Tag {
    let mut fingerprinter = key.begin(context);
    fingerprinter.add(bytes);
    let mut tag = Tag::default();
    tag.copy_from_slice(&fingerprinter.finish()[..16]);
    tag
}
